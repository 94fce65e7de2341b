import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { TaskError } from '../../protocol/errors.js';
import type { Principal } from '../domain/tenant/tenant.js';

/** The two budgets of a principal. */
export type Budget = 'reads' | 'writes';

/** Counts calls per principal. */
export type Limits = {
  /** Takes one call off the budget. Throws RATE_LIMITED with the seconds to wait. */
  readonly take: (owner: string, principal: Principal, budget: Budget) => Promise<void>;
};

/** Windows of this length hold the average rate and the burst together. */
const WINDOW_SECONDS = 10;

/** Rate limits kept in memory, per process; what a principal may do stands in its tenant's policies. */
export function createLimits(): Limits {
  const limiters = new Map<string, RateLimiterMemory>();
  function limiterFor(points: number): RateLimiterMemory {
    const limiter = limiters.get(`${points}`) ?? new RateLimiterMemory({ points, duration: WINDOW_SECONDS });
    limiters.set(`${points}`, limiter);
    return limiter;
  }
  return {
    take: async (owner, principal, budget) => {
      const { per_second, burst } = principal.policies.rate_limits[budget];
      const points = Math.max(burst, per_second * WINDOW_SECONDS);
      try {
        await limiterFor(points).consume(`${owner}/${budget}`);
      } catch (refused) {
        throw rateLimited(refused as RateLimiterRes, points);
      }
    },
  };
}

function rateLimited({ msBeforeNext, remainingPoints }: RateLimiterRes, points: number): TaskError {
  const retryAfter = Math.min(3600, Math.max(1, Math.ceil(msBeforeNext / 1000)));
  return new TaskError('RATE_LIMITED', 'Too many calls in a short time.', {
    retryAfter,
    suggestion: `Wait ${retryAfter} seconds, then go on; repeat a changing call with the same idempotency_key.`,
    details: { limit: points, remaining: remainingPoints, window_seconds: WINDOW_SECONDS, scope: 'account' },
  });
}
