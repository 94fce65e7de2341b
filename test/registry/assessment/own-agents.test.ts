import { describe, expect, it } from 'vitest';
import { openWebhookAddress } from '../../../src/commands/doctor/webhook-address.js';
import { systemClock } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { protocolNames } from '../../../src/protocol/names.js';
import { type Assessment, assessAgent } from '../../../src/registry/assessment/assess.js';
import { afterUse } from '../../kit/after-use.js';
import { boot } from '../../kit/boot.js';
import { freePort } from '../../kit/http.js';
import { sandboxToken } from '../../kit/tenants.js';

const outbound = createOutbound({ development: true });
afterUse(() => outbound.close());
// The receiver judges signatures by the clock of the machine.
const server = await boot({ at: new Date().toISOString() });

const SANDBOX = { brand: { domain: 'brand.example' }, operator: 'agency.example', sandbox: true } as const;

async function assess(tenant: string, key?: string): Promise<Assessment> {
  const port = await freePort();
  const agentUrl = server.url(tenant);
  const address = { url: `http://127.0.0.1:${port}/hooks`, port, protocolName: 'adcp', local: true };
  const webhooks = await openWebhookAddress({ ...address, outbound, agentUrl });
  const assessment = await assessAgent({
    outbound,
    clock: systemClock,
    names: protocolNames('adcp'),
    url: agentUrl,
    key,
    sandbox: SANDBOX,
    webhooks,
    local: true,
    uuid: systemIds.uuid,
  });
  await webhooks.close();
  return assessment;
}

const faults = ({ findings }: Assessment): readonly string[] =>
  findings.filter(({ severity }) => severity !== 'note').map(({ check, seen }) => `${check}: ${seen.join(' ')}`);

describe('an assessment of our own agents', () => {
  it.each(['sales', 'creative', 'creative-builder', 'signals', 'brand', 'governance'])(
    'finds nothing wrong with %s',
    async (tenant) => {
      const assessment = await assess(tenant, sandboxToken(tenant));
      expect(faults(assessment)).toEqual([]);
      expect(assessment.checks.filter(({ status }) => status === 'ok').length).toBeGreaterThan(35);
      expect(assessment.isCut).toBe(false);
      const hasSearch = tenant === 'sales' || tenant === 'signals';
      const held = { check: 'a2a.push-envelope', status: hasSearch ? 'ok' : 'skipped' };
      expect(assessment.checks).toContainEqual(expect.objectContaining(held));
    },
  );

  it('finds nothing wrong without a key either, and says which checks need one', async () => {
    const assessment = await assess('sales');
    expect(faults(assessment)).toEqual([]);
    expect(assessment.checks).toContainEqual({
      check: 'tools.listed',
      status: 'skipped',
      why: 'the agent shows this to holders of a key',
    });
  });

  it('says that a key is refused, and blames the agent for nothing else', async () => {
    expect(faults(await assess('sales', 'no-such-key'))).toEqual([
      'auth.own-key: The key that was given is answered 401.',
    ]);
  });
});
