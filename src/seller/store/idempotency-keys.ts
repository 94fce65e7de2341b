import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import { digest } from '../../platform/kernel/canonical.js';
import type { SellerTables } from './schema/schema.js';
import type { SealedColumns } from './sealing/sealed.js';

/** A stored key: `response` is the stored answer as JSON, null once only the tombstone is left. Times in ms. */
export type KeyRecord = {
  readonly hash: string;
  readonly response: string | null;
  readonly expires_at: number;
};

type Sealed = Pick<SealedColumns, 'answers'>;

/** A key that is stored with its answer. Times in ms. */
type NewKeyRecord = {
  readonly hash: string;
  readonly response: string;
  readonly created_at: number;
  readonly expires_at: number;
};

/** Returns the statements on idempotency keys, compiled for an engine. */
export function keyStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byDigest: prepare<{ digest: string }, KeyRecord>((q, slot) =>
      q.selectFrom('idempotency').select(['hash', 'response', 'expires_at']).where('digest', '=', slot('digest')),
    ),
    insert: prepare<NewKeyRecord & { digest: string }>((q, slot) =>
      q.insertInto('idempotency').values(slot.each('digest', 'hash', 'response', 'created_at', 'expires_at')),
    ),
  };
}

/** The compiled statements on idempotency keys. */
type KeyStatements = ReturnType<typeof keyStatements>;

/** Reads idempotency keys. A key is stored as a digest of it and its owner, never as it was sent. */
export class KeyReader {
  readonly #tx: Reading;
  readonly #statements: KeyStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: KeyStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  async find(owner: string, key: string): Promise<KeyRecord | undefined> {
    const row = await this.#tx.one(this.#statements.byDigest, { digest: digestKey(owner, key) });
    if (row === undefined || row.response === null) return row;
    return { ...row, response: this.#sealed.answers.read(row.response) };
  }
}

/** Reads and writes idempotency keys in one transaction. */
export class KeyWriter extends KeyReader {
  readonly #tx: Writing;
  readonly #statements: KeyStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: KeyStatements, sealed: Sealed) {
    // Rivals for a key are kept apart by a lock and by the index, and keys beside each other in the index are no rivals.
    super(tx.ahead, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Stores a key with its answer; the key must be free. */
  async add(owner: string, key: string, record: NewKeyRecord): Promise<void> {
    const response = this.#sealed.answers.write(record.response);
    this.#tx.write(this.#statements.insert, { ...record, response, digest: digestKey(owner, key) });
  }
}

function digestKey(owner: string, key: string): string {
  return digest(`${owner}\n${key}`);
}
