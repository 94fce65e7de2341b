import type { Store, Writer } from '../store/store.js';
import { judge, TOMBSTONE_MS } from './judge.js';

/** A keyed request: whose, which, and what it asks for. */
export type Keyed = {
  readonly owner: string;
  readonly key: string;
  readonly tool: string;
  readonly hash: string;
  readonly nowMs: number;
};

/** The stored answer as JSON, and whether it had been there before. */
export type Once = { readonly response: string; readonly replayed: boolean };

class KeyTaken extends Error {}

/** The stored answer of a key, when it has one. Throws as `judge` does. */
export async function findAnswer(store: Store, keyed: Keyed): Promise<string | undefined> {
  const record = await store.read.keys.find(keyed.owner, keyed.key);
  return record === undefined ? undefined : judge(record, keyed.hash, keyed.nowMs);
}

/**
 * Runs an effect once per key: the claim, the effect and its answer are one transaction, so a failed effect leaves the key free.
 * Whoever loses the race for a key gets the winner's answer (spec 2, idempotency rules 1 to 3).
 */
export async function runOnce(
  store: Store,
  keyed: Keyed,
  ttlSeconds: number,
  effect: (tx: Writer) => Promise<string>,
): Promise<Once> {
  const { owner, key, tool, hash, nowMs } = keyed;
  try {
    const response = await store.transact(async (tx) => {
      if (!(await tx.keys.claim(owner, key, tool, hash, nowMs, nowMs + ttlSeconds * 1000))) throw new KeyTaken();
      const answer = await effect(tx);
      await tx.keys.answer(owner, key, answer);
      return answer;
    });
    return { response, replayed: false };
  } catch (error) {
    const winner = error instanceof KeyTaken ? await findAnswer(store, keyed) : undefined;
    if (winner === undefined) throw error;
    return { response: winner, replayed: true };
  }
}

/** Drops answers past their window and forgets keys after 90 days. Answers how many keys it touched. */
export function sweepKeys(store: Store, nowMs: number): Promise<number> {
  return store.transact((tx) => tx.keys.sweep(nowMs, nowMs - TOMBSTONE_MS));
}
