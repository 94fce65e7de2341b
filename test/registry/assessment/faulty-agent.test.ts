import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { protocolNames } from '../../../src/protocol/names.js';
import { type Assessment, assessAgent } from '../../../src/registry/assessment/assess.js';
import { CHECKS } from '../../../src/registry/assessment/checks/index.js';
import { afterUse } from '../../kit/after-use.js';
import { FAULTS } from './faults.js';
import { KEY, startFaultyAgents } from './faulty-agent.js';

const agents = await startFaultyAgents();
const outbound = createOutbound({ development: true, resolve: agents.resolve });
afterUse(() => outbound.close());

function assess(name: string): Promise<Assessment> {
  return assessAgent({
    outbound,
    clock: systemClock,
    names: protocolNames('adcp'),
    url: agents.url(name),
    key: KEY,
    sandbox: { brand: { domain: 'brand.example' }, operator: 'agency.example', sandbox: true },
    local: false,
    uuid: systemIds.uuid,
  });
}

describe('an assessment of an agent that keeps to the protocol', () => {
  it('finds nothing, and asks all that can be asked of it', async () => {
    const { checks, findings } = await assess('sound');
    expect(findings).toEqual([]);
    expect(checks.filter(({ status }) => status === 'skipped').map(({ check }) => check)).toEqual([
      'reach.certificate',
      'auth.metadata',
      'auth.issuer',
      'adagents.both-ways',
      'webhooks.challenge',
      'webhooks.signature',
      'webhooks.envelope',
    ]);
  });
});

describe('an assessment of an agent that breaks a rule', () => {
  it.concurrent.each(Object.keys(FAULTS))('finds what is wrong with the agent %s, and nothing else', async (name) => {
    const { findings } = await assess(name);
    expect(findings.map(({ check, seen }) => [check, seen.length > 0])).toEqual(
      FAULTS[name]?.finds.map((check) => [check, true]),
    );
  });

  it('is tried for every check that an agent on this machine can break', () => {
    const planted = new Set(Object.values(FAULTS).flatMap(({ finds }) => finds));
    const others = CHECKS.map(({ id }) => id).filter((id) => !planted.has(id));
    expect(others).toEqual([
      'reach.https',
      'reach.certificate',
      'auth.own-key',
      'capabilities.public',
      'webhooks.challenge',
      'webhooks.signature',
      'webhooks.envelope',
    ]);
  });
});
