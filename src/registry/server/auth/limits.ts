import { RateCounters, type RateExcess } from '../../../platform/web/rate-counters.js';
import {
  LIMIT_RULES,
  type LimitChanges,
  type LimitName,
  type LimitRule,
  STRANGER_RULES,
  type StrangerLimitName,
} from '../../settings.js';
import { RegistryProblem } from '../service/problem.js';

/** Counts what callers do, in memory: a restart forgets, and what is durable is bounded by the rest of the rules. */
export class RegistryLimits {
  readonly #changes: LimitChanges;
  readonly #countsStrangers: boolean;
  readonly #counters = new RateCounters();

  /** Addresses are counted unless `countsStrangers` is false: in development mode all of them are this machine. */
  constructor(changes: LimitChanges = {}, { countsStrangers = true } = {}) {
    this.#changes = changes;
    this.#countsStrangers = countsStrangers;
  }

  /** Counts one request of `key`. Throws rate_limited with the seconds to wait, and `text` as its message where given. */
  async take(name: LimitName, key: string, text?: string): Promise<void> {
    const rule = this.#ruleOf(name, LIMIT_RULES[name]);
    const excess = rule && (await this.#counters.take(name, key, rule));
    if (rule && excess) throw tooMany(excess, rule, text);
  }

  /** Counts a request, or the bytes of one, of an address that proves nobody. Throws rate_limited with the seconds to wait. */
  async takeStranger(name: StrangerLimitName, address: string, points = 1): Promise<void> {
    const rule = this.#countsStrangers && this.#ruleOf(name, STRANGER_RULES[name]);
    const excess = rule && (await this.#counters.take(name, address, rule, points));
    if (rule && excess) throw tooMany(excess, rule, STRANGER_TEXT);
  }

  #ruleOf(name: LimitName | StrangerLimitName, rule: LimitRule | false): LimitRule | false {
    return this.#changes === 'off' ? false : (this.#changes[name] ?? rule);
  }
}

const STRANGER_TEXT = 'Too many requests of this address in a short time';

function tooMany(
  { retryAfter }: RateExcess,
  { points, windowMs }: LimitRule,
  text = 'Too many requests',
): RegistryProblem {
  return new RegistryProblem('rate_limited', text, {
    retryAfter,
    suggestion: `Wait ${retryAfter} seconds and send the request again.`,
    details: {
      message: `At most ${points} of these are taken in ${windowMs / 1000} seconds.`,
      limit: points,
      window_seconds: windowMs / 1000,
    },
  });
}
