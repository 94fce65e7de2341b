import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { LIMIT_RULES, type LimitChanges, type LimitName, type LimitRule } from '../../settings.js';
import { RegistryProblem } from '../service/problem.js';

/** Counts what callers do, in memory: a restart forgets, and what is durable is bounded by the rest of the rules. */
export class RegistryLimits {
  readonly #changes: LimitChanges;
  readonly #counters = new Map<LimitName, RateLimiterMemory>();

  constructor(changes: LimitChanges = {}) {
    this.#changes = changes;
  }

  /** Counts one request of `key`. Throws rate_limited with the seconds to wait, and `text` as its message where given. */
  async take(name: LimitName, key: string, text?: string): Promise<void> {
    const rule = this.#changes === 'off' ? false : (this.#changes[name] ?? LIMIT_RULES[name]);
    if (rule === false) return;
    try {
      await this.#counter(name, rule).consume(key);
    } catch (refused) {
      throw tooMany(refused as RateLimiterRes, rule, text);
    }
  }

  #counter(name: LimitName, rule: LimitRule): RateLimiterMemory {
    const counter =
      this.#counters.get(name) ??
      new RateLimiterMemory({ keyPrefix: name, points: rule.points, duration: rule.windowMs / 1000 });
    this.#counters.set(name, counter);
    return counter;
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes, { points, windowMs }: LimitRule, text?: string): RegistryProblem {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new RegistryProblem('rate_limited', text ?? 'Too many requests', {
    retryAfter,
    suggestion: `Wait ${retryAfter} seconds and send the request again.`,
    details: {
      message: `At most ${points} of these requests are taken in ${windowMs / 1000} seconds.`,
      limit: points,
      window_seconds: windowMs / 1000,
    },
  });
}
