import { type Clock, SECOND_MS } from '../../../platform/kernel/clock.js';
import { RateCounters } from '../../../platform/web/rate-counters.js';
import {
  LIMIT_RULES,
  type LimitChanges,
  type LimitName,
  type LimitRule,
  STRANGER_RULES,
  type StrangerLimitName,
} from '../../settings.js';
import { RegistryProblem } from '../service/problem.js';
import type { ServerStore } from '../store/server-store.js';

/** Windows that begin between two clearings of those that have ended. */
const BEGUN_BETWEEN_CLEARINGS = 1000;

/** Where calls are counted, and by which clock. */
type CountingParts = { readonly store: Pick<ServerStore, 'transact'>; readonly clock: Clock };

/**
 * Counts what callers do: the limits of the table in the store, where restarts and other processes find them; what addresses do that
 * prove nobody in memory, for they protect this process.
 */
export class RegistryLimits {
  readonly #changes: LimitChanges;
  readonly #countsStrangers: boolean;
  readonly #counters = new RateCounters();

  readonly #parts: CountingParts;
  #begun = 0;

  /** Addresses are counted unless `countsStrangers` is false: in development mode all of them are this machine. */
  constructor(parts: CountingParts, changes: LimitChanges = {}, { countsStrangers = true } = {}) {
    this.#parts = parts;
    this.#changes = changes;
    this.#countsStrangers = countsStrangers;
  }

  /** Counts one request of `key`. Throws rate_limited with the seconds to wait, and `text` as its message where given. */
  async take(name: LimitName, key: string, text?: string): Promise<void> {
    const rule = this.#ruleOf(name, LIMIT_RULES[name]);
    if (rule === false) return;
    const { clock, store } = this.#parts;
    const nowMs = clock.now();
    const { begun, waitMs } = await store.transact((tx) => tx.calls.take(`${name} ${key}`, { ...rule, nowMs }));
    if (waitMs !== undefined) throw tooMany(Math.max(1, Math.ceil(waitMs / SECOND_MS)), rule, text);
    this.#begun += begun ? 1 : 0;
    if (this.#begun < BEGUN_BETWEEN_CLEARINGS) return;
    this.#begun = 0;
    await store.transact((tx) => tx.calls.clear(nowMs));
  }

  /** Counts a request, or the bytes of one, of an address that proves nobody. Throws rate_limited with the seconds to wait. */
  async takeStranger(name: StrangerLimitName, address: string, points = 1): Promise<void> {
    const rule = this.#countsStrangers && this.#ruleOf(name, STRANGER_RULES[name]);
    const excess = rule && (await this.#counters.take(name, address, rule, points));
    if (rule && excess) throw tooMany(excess.retryAfter, rule, STRANGER_TEXT);
  }

  #ruleOf(name: LimitName | StrangerLimitName, rule: LimitRule | false): LimitRule | false {
    return this.#changes === 'off' ? false : (this.#changes[name] ?? rule);
  }
}

const STRANGER_TEXT = 'Too many requests of this address in a short time';

function tooMany(retryAfter: number, { points, windowMs }: LimitRule, text = 'Too many requests'): RegistryProblem {
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
