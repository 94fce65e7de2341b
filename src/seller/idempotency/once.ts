import type { Reader, Store, Writer } from '../store/store.js';
import { judge, TOMBSTONE_MS } from './key.js';

/** A keyed request: whose, which, and what it asks for. */
export type Keyed = { readonly owner: string; readonly key: string; readonly hash: string; readonly nowMs: number };

/** The stored answer as JSON, and whether it had been there before. */
export type Once = { readonly response: string; readonly replayed: boolean };

/** The effect of a keyed request in its transaction, with what was prepared outside; answers in JSON. */
export type Effect<Prepared> = (tx: Writer, prepared: Prepared | undefined) => Promise<string>;

/** Runs keyed effects, each once. */
export type Idempotency = {
  /**
   * Runs an effect once per key: the effect, the key and the answer are one transaction, so a failed effect leaves the key free.
   * A call whose key is in hand waits for it and gets its answer. Throws as `judge` does.
   */
  readonly run: <Prepared>(
    keyed: Keyed,
    ttlSeconds: number,
    effect: Effect<Prepared>,
    /** What is slow, done before the transaction and not for a replay. */
    prepare?: () => Promise<Prepared>,
  ) => Promise<Once>;
};

/** Idempotency over a store. */
export function createIdempotency(store: Store): Idempotency {
  const running = new Map<string, Promise<unknown>>();

  async function find(reader: Pick<Reader, 'keys'>, { owner, key, hash, nowMs }: Keyed): Promise<Once | undefined> {
    const record = await reader.keys.find(owner, key);
    return record === undefined ? undefined : { response: judge(record, hash, nowMs), replayed: true };
  }

  function execute(keyed: Keyed, ttlSeconds: number, effect: (tx: Writer) => Promise<string>): Promise<Once> {
    const { owner, key, hash, nowMs } = keyed;
    return store.transact(async (tx) => {
      const stored = await find(tx, keyed);
      if (stored !== undefined) return stored;
      const response = await effect(tx);
      await tx.keys.add(owner, key, { hash, response, created_at: nowMs, expires_at: nowMs + ttlSeconds * 1000 });
      return { response, replayed: false };
    });
  }

  return {
    run: async (keyed, ttlSeconds, effect, prepare) => {
      const id = `${keyed.owner}\n${keyed.key}`;
      for (let other = running.get(id); other !== undefined; other = running.get(id))
        await other.catch(() => undefined);
      const executing = (async (): Promise<Once> => {
        if (prepare !== undefined) {
          const stored = await find(store.read, keyed);
          if (stored !== undefined) return stored;
        }
        const prepared = await prepare?.();
        return execute(keyed, ttlSeconds, (tx) => effect(tx, prepared));
      })();
      running.set(id, executing);
      try {
        return await executing;
      } finally {
        if (running.get(id) === executing) running.delete(id);
      }
    },
  };
}

/** Drops answers past their window and forgets keys after 90 days. Answers how many keys it touched. */
export function sweepKeys(store: Store, nowMs: number): Promise<number> {
  return store.transact((tx) => tx.keys.sweep(nowMs, nowMs - TOMBSTONE_MS));
}
