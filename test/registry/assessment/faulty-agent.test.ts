import { describe, expect, it, vi } from 'vitest';
import { openWebhookAddress } from '../../../src/commands/doctor/webhook-address.js';
import { systemClock } from '../../../src/platform/kernel/clock.js';
import { systemIds } from '../../../src/platform/kernel/ids.js';
import { createOutbound } from '../../../src/platform/net/fetch.js';
import { protocolNames } from '../../../src/protocol/names.js';
import { type Assessment, assessAgent } from '../../../src/registry/assessment/assess.js';
import { CHECKS } from '../../../src/registry/assessment/checks/index.js';
import { ASSESSMENT_BOUNDS, type AssessmentBounds, Wire } from '../../../src/registry/assessment/gather/wire.js';
import { afterUse } from '../../kit/after-use.js';
import { freePort } from '../../kit/http.js';
import { FAULTS, UNUSUAL } from './faults.js';
import { KEY, startFaultyAgents } from './faulty-agent.js';

const agents = await startFaultyAgents();
const outbound = createOutbound({ development: true, resolve: agents.resolve });
afterUse(() => outbound.close());

/** What is only asked of an agent that can post to the receiver. */
const WITH_WEBHOOKS = /^(a2a|sandbox|webhooks)\./;

async function assess(name: string, bounds?: AssessmentBounds): Promise<Assessment> {
  const isTold = name === 'sound' || FAULTS[name]?.finds.some((id) => WITH_WEBHOOKS.test(id));
  const agentUrl = agents.url(name);
  const webhooks = isTold ? await openAddress(agentUrl) : undefined;
  try {
    return await assessAgent({
      outbound,
      clock: systemClock,
      names: protocolNames('adcp'),
      url: agentUrl,
      key: KEY,
      sandbox: { brand: { domain: 'brand.example' }, operator: 'agency.example', sandbox: true },
      webhooks,
      local: false,
      bounds,
      uuid: systemIds.uuid,
    });
  } finally {
    await webhooks?.close();
  }
}

async function openAddress(agentUrl: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/hooks`;
  return openWebhookAddress({ outbound, agentUrl, url, port, protocolName: 'adcp', local: false, patienceMs: 3000 });
}

describe('an assessment of an agent that keeps to the protocol', () => {
  it('finds nothing, and asks all that can be asked of it', async () => {
    const { checks, findings } = await assess('sound');
    expect(findings.map(({ check, seen }) => [check, seen])).toEqual([]);
    expect(checks.filter(({ status }) => status === 'skipped').map(({ check }) => check)).toEqual([
      'reach.certificate',
      'auth.metadata',
      'auth.issuer',
      'brand.missing',
      'adagents.both-ways',
    ]);
  });
});

describe('an assessment of an agent that does so in its own way', () => {
  it.concurrent.each(Object.keys(UNUSUAL))('finds nothing wrong with the agent %s', async (name) => {
    const { findings } = await assess(name);
    expect(findings.map(({ check, seen }) => [check, seen])).toEqual([]);
  });
});

describe('an assessment that a bound ends', () => {
  it.each([0, 1, 4, 9, 14, 20, 26, 33])(
    'says nothing of what it did not ask after %i requests',
    async (maxRequests) => {
      const { checks, findings, isCut, requests } = await assess('sound', { ...ASSESSMENT_BOUNDS, maxRequests });
      expect({ isCut, requests, seen: findings.map(({ check, seen }) => [check, seen]) }).toEqual({
        isCut: true,
        requests: maxRequests,
        seen: [],
      });
      expect(checks.map(({ why }) => why)).toContain('a bound was reached before it was asked, or while it was');
    },
  );
});

describe('a check that fails by itself', () => {
  it('is a note with its message, and the others go on', async () => {
    const [first] = CHECKS;
    if (first === undefined) throw new Error('there are no checks');
    const broken = vi.spyOn(first, 'judge').mockImplementation(() => {
      throw new Error('nothing is as expected');
    });
    const { checks, findings } = await assess('sound');
    broken.mockRestore();
    const seen = ['The check itself could not be carried out: nothing is as expected'];
    expect(findings).toEqual([expect.objectContaining({ check: first.id, severity: 'note', seen })]);
    expect(checks.map(({ check }) => check)).toEqual(CHECKS.map(({ id }) => id));
    expect(checks[0]).toEqual({ check: first.id, status: 'skipped', why: 'the check itself failed' });
  });

  it('is a note also where what it rests on could not be asked for', async () => {
    const broken = vi.spyOn(Wire.prototype, 'raw').mockRejectedValue(new Error('nothing is as expected'));
    const { checks, findings } = await assess('sound');
    broken.mockRestore();
    const seen = ['"probeTransport: nothing is as expected"'];
    expect(findings).toEqual([expect.objectContaining({ check: 'reach.asked', severity: 'note', seen })]);
    expect(checks).toContainEqual({ check: 'adagents.authorizes', status: 'ok' });
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
    expect(others).toEqual(['reach.https', 'reach.certificate', 'reach.asked', 'auth.own-key', 'capabilities.public']);
  });
});
