import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../../../src/commands/check/check.js';
import { ConfigError } from '../../../src/platform/kernel/errors.js';
import { inspectTenants } from '../../../src/seller/config/load.js';
import { inspectPublishers, loadPublishers } from '../../../src/seller/config/publishers.js';
import { resolveSettings } from '../../../src/seller/config/settings.js';
import { fingerprintTenants } from '../../../src/seller/config/tenant-files.js';
import { PROJECT } from '../../kit/surroundings.js';
import { asText, type Bendable, folderWith, optionsFor, validTenant } from './fixture.js';

/** Valid publishers in which most texts occur once. */
function validPublishers(): Bendable {
  return {
    $schema: './publishers.schema.json',
    publishers: [
      {
        domain: 'one.example',
        contact: { name: 'One', email: 'ads@one.example' },
        properties: [
          {
            property_id: 'one_site',
            property_type: 'website',
            name: 'One',
            identifiers: [{ type: 'domain', value: 'one.example' }],
            tags: ['news'],
          },
        ],
        tags: { news: { name: 'News', description: 'News and weather' } },
        placements: [{ placement_id: 'top', name: 'Top', property_tags: ['news'] }],
        property_ids: ['one_site'],
        limits: {
          countries: ['US'],
          placement_ids: ['top'],
          effective_from: '2026-01-01T00:00:00Z',
          effective_until: '2027-01-01T00:00:00Z',
        },
      },
      { $comment: 'Its site alone.', domain: 'two.example', delegation_type: 'ad_network' },
    ],
  };
}

type Variant = {
  readonly what: string;
  readonly bend: (file: Bendable) => void;
  readonly pointer: string;
  /** Of the line that the problem is on. */
  readonly line: string;
  readonly says: RegExp;
};

const FIRST = '/publishers/0';
const VARIANTS: readonly Variant[] = [
  {
    what: 'an unknown key',
    bend: ({ publishers: [one] }) => Object.assign(one, { delegation_typ: 'direct' }),
    pointer: `${FIRST}/delegation_typ`,
    line: '"delegation_typ"',
    says: /Rename it to "delegation_type"/,
  },
  {
    what: 'a domain with a scheme',
    bend: ({ publishers: [one] }) => Object.assign(one, { domain: 'https://one.example' }),
    pointer: `${FIRST}/domain`,
    line: '"https://one.example"',
    says: /without scheme/,
  },
  {
    what: 'a domain twice',
    bend: ({ publishers: [, two] }) => Object.assign(two, { domain: 'one.example' }),
    pointer: '/publishers/1/domain',
    line: '"one.example"',
    says: /used twice/,
  },
  {
    what: 'an unknown kind of property',
    bend: ({ publishers: [one] }) => Object.assign(one.properties[0], { property_type: 'websites' }),
    pointer: `${FIRST}/properties/0/property_type`,
    line: '"websites"',
    says: /Did you mean "website"/,
  },
  {
    what: 'an unknown kind of identifier',
    bend: ({ publishers: [one] }) => Object.assign(one.properties[0].identifiers[0], { type: 'host' }),
    pointer: `${FIRST}/properties/0/identifiers/0/type`,
    line: '"host"',
    says: /Use one of: "domain"/,
  },
  {
    what: 'both selections',
    bend: ({ publishers: [one] }) => Object.assign(one, { property_tags: ['news'] }),
    pointer: `${FIRST}/property_tags`,
    line: '"property_tags"',
    says: /not by both/,
  },
  {
    what: 'an id that no property has',
    bend: ({ publishers: [one] }) => Object.assign(one, { property_ids: ['one_sites'] }),
    pointer: `${FIRST}/property_ids/0`,
    line: '"one_sites"',
    says: /Did you mean "one_site"/,
  },
  {
    what: 'a placement that is nowhere',
    bend: ({ publishers: [one] }) => {
      one.placements[0].property_tags = undefined;
    },
    pointer: `${FIRST}/placements/0`,
    line: '{',
    says: /Add property_ids or property_tags/,
  },
  {
    what: 'a limit to a placement that there is not',
    bend: ({ publishers: [one] }) => Object.assign(one.limits, { placement_ids: ['bottom'] }),
    pointer: `${FIRST}/limits/placement_ids/0`,
    line: '"bottom"',
    says: /no placement "bottom"/,
  },
  {
    what: 'dates in the wrong order',
    bend: ({ publishers: [one] }) => Object.assign(one.limits, { effective_until: '2025-01-01T00:00:00Z' }),
    pointer: `${FIRST}/limits/effective_until`,
    line: '"2025-01-01T00:00:00Z"',
    says: /ends before it begins/,
  },
  {
    what: 'a date without an offset',
    bend: ({ publishers: [one] }) => Object.assign(one.limits, { effective_from: '2026-01-01T00:00:00' }),
    pointer: `${FIRST}/limits/effective_from`,
    line: '"2026-01-01T00:00:00"',
    says: /offset/,
  },
];

describe('the publishers', () => {
  test('are read with their defaults, and are no tenant', async () => {
    const folder = await folderWith({ 'sales.json': validTenant(), 'publishers.json': validPublishers() });
    const publishers = await loadPublishers(folder);
    expect(
      publishers.map(({ delegation_type, domain, pin_signing_keys }) => [domain, delegation_type, pin_signing_keys]),
    ).toEqual([
      ['one.example', 'direct', true],
      ['two.example', 'ad_network', true],
    ]);
    expect(JSON.stringify(publishers)).not.toContain('$comment');
    const { problems, tenants } = await inspectTenants(optionsFor(folder));
    expect([tenants.map(({ path: at }) => at), problems]).toEqual([['sales'], []]);
  });

  test('of a folder without the file are none', async () => {
    expect(await loadPublishers(await folderWith({ 'sales.json': validTenant() }))).toEqual([]);
  });

  test('are watched like the tenants', async () => {
    const folder = await folderWith({ 'sales.json': validTenant(), 'publishers.json': validPublishers() });
    const before = await fingerprintTenants(folder);
    writeFileSync(path.join(folder, 'publishers.json'), JSON.stringify({ publishers: [] }));
    expect(await fingerprintTenants(folder)).not.toEqual(before);
  });

  test.each(VARIANTS)('with $what: one problem, with its place and a fix', async ({ bend, line, pointer, says }) => {
    const file = validPublishers();
    bend(file);
    const text = asText(file);
    const folder = await folderWith({ 'publishers.json': file });
    const { problems, publishers } = await inspectPublishers(folder);
    expect(publishers).toEqual([]);
    expect(problems).toHaveLength(1);
    const [problem] = problems;
    expect(problem?.pointer).toBe(pointer);
    expect(text.split('\n')[(problem?.line ?? 0) - 1]).toContain(line);
    expect(`${problem?.message} ${problem?.fix}`).toMatch(says);
    expect(problem?.fix).toMatch(/^[A-Z].{10,}[.?]$/);
    await expect(loadPublishers(folder)).rejects.toBeInstanceOf(ConfigError);
  });

  test('that are no JSON are told so', async () => {
    const folder = await folderWith({ 'publishers.json': '{ "publishers": ' });
    expect((await inspectPublishers(folder)).problems).toMatchObject([{ line: 1, message: /not valid JSON/ }]);
  });

  test('bound what products may select', async () => {
    const tenant = validTenant();
    tenant.products[0].publisher_properties = [
      { publisher_domain: 'one.example', selection_type: 'by_tag', property_tags: ['news', 'sport'] },
    ];
    tenant.products[1].publisher_properties = [
      { publisher_domain: 'two.example', selection_type: 'by_id', property_ids: ['anything'] },
    ];
    const folder = await folderWith({ 'sales.json': tenant, 'publishers.json': validPublishers() });
    const publishers = await loadPublishers(folder);
    const { problems } = await inspectTenants(optionsFor(folder, { publishers }));
    expect(problems).toMatchObject([
      {
        pointer: '/products/0/publisher_properties/0/property_tags/1',
        message: 'no property of one.example has the tag "sport"',
      },
    ]);
  });
});

describe('check', () => {
  async function checked(publishers: object, tenant = validTenant()) {
    const folder = await folderWith({ 'tenants/sales.json': tenant, 'tenants/publishers.json': publishers });
    const settings = await resolveSettings({ flags: {}, env: {}, cwd: folder, packageRoot: PROJECT });
    return check(settings, {}, Date.UTC(2026, 5, 1));
  }

  test('reads the files as everybody else will', async () => {
    const file = validPublishers();
    Object.assign(file.publishers[0].properties[0], { identifiers: [{ type: 'domain', value: 'not a domain' }] });
    const { ok, text } = await checked(file);
    expect(text).toMatch(/publishers\.json:\d+:\d+ \/publishers\/0\/properties\/0\/identifiers\/0\/value/);
    expect(text).toMatch(/2 problems in 1 file\.$/);
    expect(ok).toBe(false);
  });

  test('finds faults in the entries of other sellers', async () => {
    const file = validPublishers();
    file.publishers[0].other_agents = [
      { url: 'https://rival.example/mcp', authorized_for: 'All', authorization_type: 'everything' },
    ];
    const { ok, text } = await checked(file);
    expect(text).toContain('/publishers/0/other_agents/0/authorization_type');
    expect(ok).toBe(false);
  });

  test('warns of a publisher that nobody sells', async () => {
    const file = validPublishers();
    file.publishers.push({ domain: 'three.example' });
    const { text } = await checked(file);
    expect(text).toMatch(
      /warning: .*publishers\.json:\d+:\d+ \/publishers\/2\/domain: no agent here sells three\.example/,
    );
  });

  test('has nothing to say about the shipped ones', async () => {
    const settings = await resolveSettings({ flags: {}, env: {}, cwd: '/', packageRoot: PROJECT });
    const { ok, text } = await check(settings, {}, Date.UTC(2026, 5, 1));
    expect(text).toMatch(/no problems\.$/);
    expect(ok).toBe(true);
    const shipped = readFileSync(path.join(PROJECT, 'tenants', 'publishers.json'), 'utf8');
    const sales = readFileSync(path.join(PROJECT, 'tenants', 'sales.json'), 'utf8');
    const { publishers } = JSON.parse(shipped) as { publishers: { domain: string }[] };
    expect(publishers.map(({ domain }) => domain)).toEqual(
      (JSON.parse(sales) as { publisher_domains: string[] }).publisher_domains,
    );
  });
});
