import { type Clock, SECOND_MS } from '../../kernel/clock.js';

/** A fetched value, good for `ttlMs`. A failure is cached too, for a short while, and never replaces a good copy. */
export type Fetchable<Value> = { readonly value: Value; readonly isGood: boolean; readonly ttlMs: number };

/** Values that strangers serve, by key, each fetched once at a time and cached for a while. */
export type DocumentCache<Value> = {
  /** Returns the copy or loads it. `refresh` loads although the copy is good, at most every 30 seconds. */
  readonly read: (key: string, load: () => Promise<Fetchable<Value>>, refresh?: boolean) => Promise<Value>;
};

const COOLDOWN_MS = 30 * SECOND_MS;
/** More counterparties than one process deals with; the oldest makes room. Each copy is bounded by what its reader takes. */
const MAX_COPIES = 1000;

/** Instants in milliseconds. */
type Copy<Value> = { readonly value: Value; readonly until: number; readonly triedAt: number };

/** Makes an empty cache. */
export function createDocumentCache<Value>(clock: Clock): DocumentCache<Value> {
  const copies = new Map<string, Copy<Value>>();
  const loading = new Map<string, Promise<Value>>();

  async function renew(key: string, load: () => Promise<Fetchable<Value>>): Promise<Value> {
    const { value, isGood, ttlMs } = await load();
    const before = copies.get(key);
    const now = clock.now();
    // Else a stranger's keyid, sent in a bad moment, would take the good keys away.
    const isBetter = isGood || before === undefined || now >= before.until;
    const copy = isBetter ? { value, until: now + ttlMs, triedAt: now } : { ...before, triedAt: now };
    copies.delete(key);
    copies.set(key, copy);
    const [oldest] = copies.keys();
    if (copies.size > MAX_COPIES && oldest !== undefined) copies.delete(oldest);
    return copy.value;
  }

  return {
    read: (key, load, refresh = false) => {
      const now = clock.now();
      const copy = copies.get(key);
      if (copy !== undefined && now < copy.until && !(refresh && now >= copy.triedAt + COOLDOWN_MS)) {
        return Promise.resolve(copy.value);
      }
      const pending = loading.get(key);
      if (pending !== undefined) return pending;
      const fetching = renew(key, load).finally(() => loading.delete(key));
      loading.set(key, fetching);
      return fetching;
    },
  };
}
