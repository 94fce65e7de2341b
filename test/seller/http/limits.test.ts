import { describe, expect, it } from 'vitest';
import { TaskError } from '../../../src/protocol/errors.js';
import type { Principal, RateLimit } from '../../../src/seller/domain/tenant/principal.js';
import { createLimits, type Limits, type StrangerBudget } from '../../../src/seller/http/limits.js';

/** A principal that may do so much. */
function principal(reads: RateLimit, writes: RateLimit = reads): Principal {
  const policies = {
    creative_requirement: 'none',
    account_provisioning: 'auto',
    account_scope: 'principal',
    creative_approval: 'auto',
    rate_limits: { reads, writes, bytes: reads },
  } as const;
  return {
    id: 'p',
    name: 'P',
    sandbox: true,
    policies,
    billing: 'agent_billable',
    creativeBilling: 'through_protocol',
  };
}

const rate = (per_second: number, burst: number): RateLimit => ({ per_second, burst });

/** How many calls pass before the first is refused, of at most `most`. */
async function passing(
  limits: Limits,
  owner: string,
  who: Principal,
  budget: 'reads' | 'writes',
  most = 200,
): Promise<number> {
  for (let count = 0; count < most; count += 1) {
    const refused = await limits.take(owner, who, budget).then(
      () => false,
      () => true,
    );
    if (refused) return count;
  }
  return most;
}

describe('limits', () => {
  it.each([
    ['ten seconds of the average', rate(2, 5), 20],
    ['a burst larger than that', rate(1, 25), 25],
    ['next to nothing', rate(0.1, 1), 1],
  ])('let pass %s', async (_what, limit, calls) => {
    expect(await passing(createLimits(), 'o', principal(limit), 'reads')).toBe(calls);
  });

  it('count reads and writes apart, also where both may do the same', async () => {
    const limits = createLimits();
    const who = principal(rate(1, 3), rate(1, 3));
    expect(await passing(limits, 'o', who, 'reads')).toBe(10);
    expect(await passing(limits, 'o', who, 'writes')).toBe(10);
  });

  it('count bytes of bodies, and say how long to wait', async () => {
    const limits = createLimits();
    const who = principal(rate(10, 100));
    expect(await limits.takeBytes('o', who, 90)).toBeUndefined();
    expect(await limits.takeBytes('o', who, 90)).toBeGreaterThan(0);
    expect(await limits.takeBytes('other', who, 90)).toBeUndefined();
  });

  it('count strangers by address: calls, failed credentials and bytes, each for itself', async () => {
    const limits = createLimits();
    const refusedAfter = async (budget: StrangerBudget, points: number): Promise<number> => {
      for (let count = 0; count < 2000; count += 1) {
        if ((await limits.takeStranger('192.0.2.1', budget, points)) !== undefined) return count;
      }
      return Number.POSITIVE_INFINITY;
    };
    expect(await refusedAfter('failures', 1)).toBe(100);
    expect(await refusedAfter('calls', 1)).toBe(1000);
    expect(await refusedAfter('bytes', 65_536)).toBe(128);
    expect(await limits.takeStranger('192.0.2.2', 'failures')).toBeUndefined();
  });

  it('count owners apart', async () => {
    const limits = createLimits();
    const who = principal(rate(1, 3));
    expect(await passing(limits, 'sales#a', who, 'reads')).toBe(10);
    expect(await passing(limits, 'sales#b', who, 'reads')).toBe(10);
    expect(await passing(limits, 'sales#a', who, 'reads')).toBe(0);
  });

  it('say how long to wait, and how much is allowed', async () => {
    const limits = createLimits();
    const who = principal(rate(0.1, 1));
    await limits.take('o', who, 'writes');
    const error: unknown = await limits.take('o', who, 'writes').catch((refused: unknown) => refused);
    if (!(error instanceof TaskError)) throw error;
    expect(error.code).toBe('RATE_LIMITED');
    expect(error.extras.retryAfter).toBeGreaterThanOrEqual(1);
    expect(error.extras.retryAfter).toBeLessThanOrEqual(10);
    expect(error.extras.details).toMatchObject({ limit: 1, remaining: 0 });
    expect(error.extras.suggestion).toContain('idempotency_key');
  });
});
