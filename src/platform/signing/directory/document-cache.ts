import { type Clock, SECOND_MS } from '../../kernel/clock.js';

/** What was fetched: good for `ttlMs`. A failure is kept too, for a short while, and never takes the place of a good copy. */
export type Fetchable<Value> = { readonly value: Value; readonly isGood: boolean; readonly ttlMs: number };

/** Things that strangers serve, by key, each fetched once at a time and kept for a while. */
export type Cached<Value> = {
  /** `again` fetches although the copy is good, at most every 30 seconds (facts 2.3 step 7). */
  readonly read: (key: string, load: () => Promise<Fetchable<Value>>, again?: boolean) => Promise<Value>;
};

const COOLDOWN_MS = 30 * SECOND_MS;
/** More counterparties than one process deals with; the oldest makes room. */
const MOST_KEPT = 1000;

/** Instants in milliseconds. */
type Copy<Value> = { readonly value: Value; readonly until: number; readonly triedAt: number };

/** An empty keep. */
export function createDocumentCache<Value>(clock: Clock): Cached<Value> {
  const copies = new Map<string, Copy<Value>>();
  const coming = new Map<string, Promise<Value>>();

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
    if (copies.size > MOST_KEPT && oldest !== undefined) copies.delete(oldest);
    return copy.value;
  }

  return {
    read: (key, load, again = false) => {
      const now = clock.now();
      const copy = copies.get(key);
      if (copy !== undefined && now < copy.until && !(again && now >= copy.triedAt + COOLDOWN_MS)) {
        return Promise.resolve(copy.value);
      }
      const underWay = coming.get(key);
      if (underWay !== undefined) return underWay;
      const fetching = renew(key, load).finally(() => coming.delete(key));
      coming.set(key, fetching);
      return fetching;
    },
  };
}
