import type { Reading, Writing } from './engine.js';
import { type Builder, statement } from './statement.js';

/** What is remembered of a key. `response` is the stored answer as JSON; null once only the tombstone is left. Times in ms. */
export type KeyRecord = {
  readonly tool: string;
  readonly hash: string;
  readonly response: string | null;
  readonly expires_at: number;
};

/** Idempotency keys of one owner (spec 2, idempotency rules). */
export type KeyReads = { readonly find: (owner: string, key: string) => Promise<KeyRecord | undefined> };
export type KeyWrites = KeyReads & {
  /** Claims a key; false when it is taken. */
  readonly claim: (
    owner: string,
    key: string,
    tool: string,
    hash: string,
    createdAt: number,
    expiresAt: number,
  ) => Promise<boolean>;
  /** Stores the answer under a claimed key. */
  readonly answer: (owner: string, key: string, response: string) => Promise<void>;
  /** Drops the answers of keys that expired by `nowMs`, and forgets keys made before `forgetMs`. Answers how many rows changed. */
  readonly sweep: (nowMs: number, forgetMs: number) => Promise<number>;
};

/** The repository of idempotency keys over an engine. */
export function keyRepository(db: Builder) {
  type ByKey = { owner: string; key: string };
  const byKey = statement<ByKey, KeyRecord>(db, (q, slot) =>
    q
      .selectFrom('idempotency')
      .select(['tool', 'hash', 'response', 'expires_at'])
      .where('owner', '=', slot('owner'))
      .where('key', '=', slot('key')),
  );
  type Claimed = ByKey & { tool: string; hash: string; created_at: number; expires_at: number };
  const claim = statement<Claimed>(db, (q, slot) =>
    q
      .insertInto('idempotency')
      .values({
        owner: slot('owner'),
        key: slot('key'),
        tool: slot('tool'),
        hash: slot('hash'),
        created_at: slot('created_at'),
        expires_at: slot('expires_at'),
      } as never)
      .onConflict((c) => c.columns(['owner', 'key']).doNothing()),
  );
  const answer = statement<ByKey & { response: string }>(db, (q, slot) =>
    q
      .updateTable('idempotency')
      .set({ response: slot('response') })
      .where('owner', '=', slot('owner'))
      .where('key', '=', slot('key')),
  );
  const bury = statement<{ now: number }>(db, (q, slot) =>
    q
      .updateTable('idempotency')
      .set({ response: null })
      .where('expires_at', '<=', slot('now'))
      .where('response', 'is not', null),
  );
  const forget = statement<{ before: number }>(db, (q, slot) =>
    q.deleteFrom('idempotency').where('created_at', '<', slot('before')),
  );

  const reads = (tx: Reading): KeyReads => ({ find: async (owner, key) => (await tx.all(byKey, { owner, key }))[0] });
  const writes = (tx: Writing): KeyWrites => ({
    ...reads(tx),
    claim: async (owner, key, tool, hash, created_at, expires_at) =>
      (await tx.run(claim, { owner, key, tool, hash, created_at, expires_at })) === 1,
    answer: async (owner, key, response) => {
      await tx.run(answer, { owner, key, response });
    },
    sweep: async (now, before) => (await tx.run(bury, { now })) + (await tx.run(forget, { before })),
  });
  return { reads, writes };
}
