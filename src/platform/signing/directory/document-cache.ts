import { Cache } from '../../kernel/cache.js';
import { type Clock, SECOND_MS } from '../../kernel/clock.js';

/** A fetched value, good for `ttlMs`. A failure is cached too, for a short while, and never replaces a good copy. */
export type Fetchable<Value> = {
  readonly value: Value;
  readonly isGood: boolean;
  readonly ttlMs: number;
  /** What it takes in memory, roughly. */
  readonly bytes: number;
};

/** Instants in milliseconds. */
type Copy<Value> = {
  readonly value: Value;
  readonly bytes: number;
  readonly until: number;
  readonly triedAt: number;
};

const COOLDOWN_MS = 30 * SECOND_MS;
/** More counterparties than one process deals with. */
const MAX_COPIES = 1000;
const MAX_COPIES_BYTES = 64 * 1024 * 1024;

/** Values that strangers serve, by key, each fetched once at a time and cached for a while. */
export class DocumentCache<Value> {
  readonly #clock: Clock;
  readonly #copies: Cache<string, Copy<Value>>;
  readonly #loading = new Map<string, Promise<Value>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#copies = new Cache({ maxEntries: MAX_COPIES, maxBytes: MAX_COPIES_BYTES, sizeOf: ({ bytes }) => bytes });
  }

  /** Returns the copy or loads it. `refresh` loads although the copy is good, at most every 30 seconds. */
  async read(key: string, load: () => Promise<Fetchable<Value>>, refresh = false): Promise<Value> {
    const now = this.#clock.now();
    const copy = this.#copies.get(key);
    if (copy !== undefined && now < copy.until && !(refresh && now >= copy.triedAt + COOLDOWN_MS)) return copy.value;
    const pending = this.#loading.get(key);
    if (pending !== undefined) return pending;
    const loading = this.#renew(key, load).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #renew(key: string, load: () => Promise<Fetchable<Value>>): Promise<Value> {
    const { value, isGood, ttlMs, bytes } = await load();
    const before = this.#copies.get(key);
    const now = this.#clock.now();
    // Else a stranger's keyid, sent in a bad moment, would take the good keys away.
    const isBetter = isGood || before === undefined || now >= before.until;
    const copy = isBetter ? { value, bytes, until: now + ttlMs, triedAt: now } : { ...before, triedAt: now };
    this.#copies.set(key, copy);
    return copy.value;
  }
}
