import { SECOND_MS } from '../../platform/kernel/clock.js';
import { RateCounters, type RateExcess, type RateRule } from '../../platform/web/rate-counters.js';
import { TaskError } from '../../protocol/errors.js';
import type { Principal } from '../domain/tenant/principal.js';

/** The two budgets of a principal. */
export type Budget = 'reads' | 'writes';

/** Counts calls per principal, and what comes from strangers per address. */
export type Limits = {
  /** Takes one call off the budget. Throws RATE_LIMITED with the seconds to wait. */
  readonly take: (owner: string, principal: Principal, budget: Budget) => Promise<void>;
  /** Takes the bytes of a body off the principal's budget; returns the seconds to wait where they are too many. */
  readonly takeBytes: (owner: string, principal: Principal, bytes: number) => Promise<number | undefined>;
  /** Takes one request, or the bytes of one, of an address; returns the seconds to wait where there are too many. */
  readonly takeStranger: (address: string, budget: StrangerBudget, points?: number) => Promise<number | undefined>;
};

/** Windows of this length hold the average rate and the burst together. */
const WINDOW_SECONDS = 10;
const WINDOW_MS = WINDOW_SECONDS * SECOND_MS;

/** What one address may do without a credential in a window: calls, calls with a credential that is not valid, bytes of bodies. */
const STRANGER_POINTS = { calls: 1000, failures: 100, bytes: 8 * 1024 * 1024 } as const;

/** A budget of whoever has no credential. */
export type StrangerBudget = keyof typeof STRANGER_POINTS;

/**
 * Returns rate limits held in memory, per process; what a principal may do stands in its tenant's policies. Addresses
 * are counted unless `countsStrangers` is false: in development mode all of them are this machine.
 */
export function createLimits({ countsStrangers = true } = {}): Limits {
  const counters = new RateCounters();
  return {
    take: async (owner, principal, budget) => {
      const rule = ruleOf(principal.policies.rate_limits[budget]);
      const excess = await counters.take(budget, owner, rule);
      if (excess !== undefined) throw rateLimited(excess, rule.points);
    },
    takeBytes: async (owner, principal, bytes) => {
      const rule = ruleOf(principal.policies.rate_limits.bytes);
      return (await counters.take('bytes', owner, rule, bytes))?.retryAfter;
    },
    takeStranger: async (address, budget, points = 1) => {
      if (!countsStrangers) return undefined;
      const rule = { points: STRANGER_POINTS[budget], windowMs: WINDOW_MS };
      return (await counters.take(`stranger ${budget}`, address, rule, points))?.retryAfter;
    },
  };
}

function ruleOf({ per_second, burst }: { readonly per_second: number; readonly burst: number }): RateRule {
  return { points: Math.max(burst, per_second * WINDOW_SECONDS), windowMs: WINDOW_MS };
}

function rateLimited({ remaining, retryAfter }: RateExcess, limit: number): TaskError {
  return new TaskError('RATE_LIMITED', 'Too many calls in a short time.', {
    retryAfter,
    suggestion: `Wait ${retryAfter} seconds, then go on; repeat a changing call with the same idempotency_key.`,
    details: { limit, remaining, window_seconds: WINDOW_SECONDS, scope: 'account' },
  });
}
