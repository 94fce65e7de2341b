import type { Store, Writer } from '../store/store.js';
import { judge, TOMBSTONE_MS } from './judge.js';

/** A keyed request: whose, which, and what it asks for. */
export type Keyed = { readonly owner: string; readonly key: string; readonly hash: string; readonly nowMs: number };

/** The stored answer as JSON, and whether it had been there before. */
export type Once = { readonly response: string; readonly replayed: boolean };

/** What a keyed request does in its transaction; it answers in JSON. */
export type Effect = (tx: Writer) => Promise<string>;

/** Runs keyed effects, each once. */
export type Idempotency = {
  /**
   * Runs an effect once per key: the effect, the key and the answer are one transaction, so a failed effect leaves the key free.
   * A call whose key is in hand waits for it and gets its answer (spec 2, idempotency rules 1 to 3). Throws as `judge` does.
   */
  readonly run: (
    keyed: Keyed,
    ttlSeconds: number,
    effect: Effect,
    /** What is slow, done before the transaction and not for a replay. */
    prepare?: () => Promise<void>,
  ) => Promise<Once>;
};

class KeyTaken extends Error {}

/** Idempotency over a store. */
export function createIdempotency(store: Store): Idempotency {
  const inHand = new Map<string, Promise<unknown>>();

  async function find({ owner, key, hash, nowMs }: Keyed): Promise<Once | undefined> {
    const record = await store.read.keys.find(owner, key);
    return record === undefined ? undefined : { response: judge(record, hash, nowMs), replayed: true };
  }

  function execute(keyed: Keyed, ttlSeconds: number, effect: Effect): Promise<string> {
    const { owner, key, hash, nowMs } = keyed;
    return store.transact(async (tx) => {
      const response = await effect(tx);
      const record = { hash, response, created_at: nowMs, expires_at: nowMs + ttlSeconds * 1000 };
      if (!(await tx.keys.add(owner, key, record))) throw new KeyTaken();
      return response;
    });
  }

  return {
    run: async (keyed, ttlSeconds, effect, prepare) => {
      const id = `${keyed.owner}\n${keyed.key}`;
      for (let other = inHand.get(id); other !== undefined; other = inHand.get(id)) await other.catch(() => undefined);
      const executing = (async (): Promise<Once> => {
        const known = await find(keyed);
        if (known !== undefined) return known;
        try {
          await prepare?.();
          return { response: await execute(keyed, ttlSeconds, effect), replayed: false };
        } catch (error) {
          // Another process may have taken the key meanwhile; then its answer counts, whatever went wrong here.
          const winner = await find(keyed);
          if (winner === undefined) throw error;
          return winner;
        }
      })();
      inHand.set(id, executing);
      try {
        return await executing;
      } finally {
        if (inHand.get(id) === executing) inHand.delete(id);
      }
    },
  };
}

/** Drops answers past their window and forgets keys after 90 days. Answers how many keys it touched. */
export function sweepKeys(store: Store, nowMs: number): Promise<number> {
  return store.transact((tx) => tx.keys.sweep(nowMs, nowMs - TOMBSTONE_MS));
}
