import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import { digest } from '../../platform/kernel/canonical.js';
import type { SellerTables } from './schema/schema.js';

/** What is remembered of a key. `response` is the stored answer as JSON; null once only the tombstone is left. Times in ms. */
export type KeyRecord = {
  readonly hash: string;
  readonly response: string | null;
  readonly expires_at: number;
};

/** Idempotency keys (spec 2, idempotency rules). A key is kept as its digest with its owner's, never as it was sent. */
export type KeyReads = { readonly find: (owner: string, key: string) => Promise<KeyRecord | undefined> };
export type KeyWrites = KeyReads & {
  /** Stores a key with its answer; the key must be free. */
  readonly add: (
    owner: string,
    key: string,
    record: {
      readonly hash: string;
      readonly response: string;
      readonly created_at: number;
      readonly expires_at: number;
    },
  ) => Promise<void>;
  /** Drops the answers of keys that expired by `nowMs`, and forgets keys made before `forgetMs`. Answers how many rows changed. */
  readonly sweep: (nowMs: number, forgetMs: number) => Promise<number>;
};

/** The repository of idempotency keys over an engine. */
export function keyRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const byDigest = prepare<{ digest: string }, KeyRecord>((q, slot) =>
    q.selectFrom('idempotency').select(['hash', 'response', 'expires_at']).where('digest', '=', slot('digest')),
  );
  type Added = { digest: string; hash: string; response: string; created_at: number; expires_at: number };
  const add = prepare<Added>((q, slot) =>
    q.insertInto('idempotency').values({
      digest: slot('digest'),
      hash: slot('hash'),
      response: slot('response'),
      created_at: slot('created_at'),
      expires_at: slot('expires_at'),
    } as never),
  );
  const bury = prepare<{ now: number }>((q, slot) =>
    q
      .updateTable('idempotency')
      .set({ response: null })
      .where('expires_at', '<=', slot('now'))
      .where('response', 'is not', null),
  );
  const forget = prepare<{ before: number }>((q, slot) =>
    q.deleteFrom('idempotency').where('created_at', '<', slot('before')),
  );

  const reads = (tx: Reading): KeyReads => ({
    find: (owner, key) => tx.one(byDigest, { digest: digestOf(owner, key) }),
  });
  const writes = (tx: Writing): KeyWrites => ({
    ...reads(tx),
    add: async (owner, key, record) => {
      await tx.run(add, { digest: digestOf(owner, key), ...record });
    },
    sweep: async (now, before) => (await tx.run(bury, { now })) + (await tx.run(forget, { before })),
  });
  return { reads, writes };
}

function digestOf(owner: string, key: string): string {
  return digest(`${owner}\n${key}`);
}
