import type { RateLimiterRes } from 'rate-limiter-flexible';
// The package's face loads the stores of a dozen databases (bench row `memory`).
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import { SECOND_MS } from '../kernel/clock.js';

/** How often something may be done: `points` times in a window that begins with the first. */
export type RateRule = { readonly points: number; readonly windowMs: number };

/** Why nothing was taken: the points that are left, and the seconds until there are all again. */
export type RateExcess = { readonly remaining: number; readonly retryAfter: number };

/** Counts by name and key in memory, each key by the rule that it is counted under. A key is forgotten with its window. */
export class RateCounters {
  readonly #limiters = new Map<string, RateLimiterMemory>();

  /** Takes points off what a key has under a rule; returns how it stands where there are not enough. */
  async take(name: string, key: string, rule: RateRule, points = 1): Promise<RateExcess | undefined> {
    try {
      await this.#limiter(name, rule).consume(key, points);
      return undefined;
    } catch (refused) {
      const { msBeforeNext, remainingPoints } = refused as RateLimiterRes;
      // The window ends by a timer, whatever a clock that was set back says.
      const waitMs = Math.min(msBeforeNext, rule.windowMs);
      return { remaining: remainingPoints, retryAfter: Math.max(1, Math.ceil(waitMs / SECOND_MS)) };
    }
  }

  #limiter(name: string, { points, windowMs }: RateRule): RateLimiterMemory {
    const id = `${name}/${points}/${windowMs}`;
    const limiter = this.#limiters.get(id) ?? new RateLimiterMemory({ points, duration: windowMs / SECOND_MS });
    this.#limiters.set(id, limiter);
    return limiter;
  }
}
