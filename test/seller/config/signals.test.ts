import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { describe, expect, test } from 'vitest';
import { inspectTenants } from '../../../src/seller/config/load.js';
import { signalWire } from '../../../src/seller/domain/signal/signal.js';
import type { Tenant } from '../../../src/seller/domain/tenant/tenant.js';
import { hasSchemas, type SchemaRelease, schemaJudge } from '../../kit/schemas.js';
import { PROJECT } from '../../kit/surroundings.js';
import { shippedTenant } from '../../kit/tenants.js';
import { BROKEN_SIGNALS } from './broken/signals.js';
import { asText, type Bendable, folderWith, optionsFor } from './fixture.js';
import { validSignalsTenant } from './signals-fixture.js';

async function inspect(tenant: Bendable) {
  return inspectTenants(optionsFor(await folderWith({ 'signals.json': tenant })));
}

async function load(tenant: Bendable): Promise<Tenant> {
  const { tenants, problems } = await inspect(tenant);
  expect(problems).toEqual([]);
  const [loaded] = tenants;
  if (loaded === undefined) throw new Error('the tenant is missing');
  return loaded;
}

describe('a signals tenant', () => {
  test('has its defaults filled in', async () => {
    const { signals, destinations } = await load(validSignalsTenant());
    expect(destinations).toEqual({
      platforms: [
        { platform: 'some-dsp', activation_minutes: 15, key_type: 'segment_id', key: 'segment' },
        { platform: 'other-dsp', activation_minutes: 60, key_type: 'segment_id', key: 'segment' },
      ],
      agents: {
        agent_urls: ['https://sales.example/mcp'],
        activation_minutes: 0,
        key_type: 'key_value',
        key: 'segment',
      },
    });
    expect(signals[0]).toMatchObject({ signal_id: 'published', value_type: 'binary' });
    expect(signals[1]).toMatchObject({
      signal_id: 'tiers',
      data_provider: 'Test Publisher',
      countries: [],
      tags: [],
      access: { activation_minutes: 0 },
    });
  });

  test('needs no destinations: any agent is one', async () => {
    const { destinations: _destinations, ...tenant } = validSignalsTenant();
    tenant.signals[0].access = {};
    const { destinations } = await load(tenant);
    expect(destinations.platforms).toEqual([]);
    expect(destinations.agents).not.toHaveProperty('agent_urls');
  });

  test.each(BROKEN_SIGNALS)(
    '$what: one problem, with its place and a fix',
    async ({ bend, pointer, line, shift, says }) => {
      const tenant = validSignalsTenant();
      bend(tenant);
      const { problems, tenants } = await inspect(tenant);
      expect(tenants).toEqual([]);
      expect(problems).toHaveLength(1);
      const [problem] = problems;
      const lines = asText(tenant).split('\n');
      expect(lines.filter((text) => text.includes(line))).toHaveLength(1);
      expect(problem).toMatchObject({
        pointer,
        line: lines.findIndex((text) => text.includes(line)) + 1 + (shift ?? 0),
      });
      expect(`${problem?.message} ${problem?.fix}`).toMatch(says);
      expect(problem?.fix).toMatch(/^[A-Z].{10,}[.?]$/);
    },
  );
});

describe('what is hardly meant', () => {
  test.each<readonly [string, (tenant: Bendable) => void, string, RegExp]>([
    [
      'no price',
      (t) => Object.assign(t.signals[0], { pricing_options: [] }),
      '/signals/0/pricing_options',
      /3\.0 cannot see it/,
    ],
    ['no price at all', (t) => delete t.signals[1].pricing_options, '/signals/1/pricing_options', /no price/],
    [
      'nobody covered',
      (t) => Object.assign(t.signals[0], { coverage_percentage: 0 }),
      '/signals/0/coverage_percentage',
      /covers nobody/,
    ],
    [
      'a platform that nobody knows',
      (t) => Object.assign(t.signals[0].access, { platforms: ['some-dsp', 'othr-dsp'] }),
      '/signals/0/access/platforms/1',
      /Did you mean "other-dsp"\?/,
    ],
  ])('%s is told, and the tenant is served', async (_what, bend, pointer, says) => {
    const tenant = validSignalsTenant();
    bend(tenant);
    const { problems, warnings, tenants } = await inspect(tenant);
    expect(problems).toEqual([]);
    expect(tenants).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.pointer).toBe(pointer);
    expect(`${warnings[0]?.message} ${warnings[0]?.fix}`).toMatch(says);
  });

  test('nothing of it is in the valid tenant', async () => {
    expect((await inspect(validSignalsTenant())).warnings).toEqual([]);
  });
});

describe('the shipped signals tenant', () => {
  const shipped = shippedTenant('signals');

  test('is accepted by the published schema, without a remark', async () => {
    const schema = JSON.parse(await readFile(path.join(PROJECT, 'tenants/tenant.schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false, allErrors: true, formats: fullFormats }).compile(schema);
    expect(validate(shipped), JSON.stringify(validate.errors)).toBe(true);
    expect((await inspect(shipped)).warnings).toEqual([]);
  });

  test('covers the breadth that a buyer may want to try', async () => {
    const { signals, destinations } = await load(shipped);
    const models = signals.flatMap((signal) => signal.pricing_options.map((option) => option.model));
    const domains = new Set(signals.flatMap((signal) => signal.data_provider_domain ?? []));
    expect(signals.length).toBeGreaterThanOrEqual(25);
    expect(new Set(signals.map((signal) => signal.signal_type))).toEqual(new Set(['marketplace', 'owned', 'custom']));
    expect(new Set(signals.map((signal) => signal.value_type))).toEqual(new Set(['binary', 'categorical', 'numeric']));
    expect(new Set(models)).toEqual(new Set(['cpm', 'percent_of_media', 'flat_fee', 'per_unit', 'custom']));
    expect(domains.size).toBeGreaterThanOrEqual(5);
    for (const domain of domains) expect(domain).toMatch(/\.example$/);
    const tags = new Set(signals.flatMap((signal) => signal.tags));
    for (const tag of ['automotive', 'retail', 'travel', 'finance', 'weather', 'b2b', 'ctv', 'contextual'])
      expect(tags).toContain(tag);
    expect(new Set(destinations.platforms.map((platform) => platform.key_type)).size).toBe(2);
    expect(new Set(destinations.platforms.map((platform) => platform.activation_minutes > 0)).size).toBe(2);
  });

  const RELEASES: readonly SchemaRelease[] = ['3.0', '3.1'];
  test.each(RELEASES.filter(hasSchemas))('has identities and prices that %s knows', async (release) => {
    const judge = schemaJudge(release);
    const { signals } = await load(shipped);
    for (const signal of signals) {
      const wire = signalWire(signal, 'https://seller.example/signals/mcp');
      expect(judge('core/signal-id', wire.signal_id)).toEqual([]);
      if (release === '3.1') expect(judge('core/signal-ref', wire.signal_ref)).toEqual([]);
      for (const option of signal.pricing_options) expect(judge('core/vendor-pricing-option', option)).toEqual([]);
    }
  });
});
