import type { Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

/** Returns the statements on nonces, compiled for an engine. */
export function nonceStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    claim: prepare<{ digest: string; expires_at: number; now: number }>((q, slot) =>
      q
        .insertInto('nonce')
        .values(slot.each('digest', 'expires_at'))
        .onConflict((c) =>
          c.column('digest').doUpdateSet(slot.each('expires_at')).where('nonce.expires_at', '<', slot('now')),
        ),
    ),
  };
}

/** The compiled statements on nonces. */
type NonceStatements = ReturnType<typeof nonceStatements>;

/** Claims nonces of signed calls in one transaction, for all processes on the database. */
export class NonceWriter {
  readonly #tx: Writing;
  readonly #statements: NonceStatements;

  constructor(tx: Writing, statements: NonceStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Claims a nonce, by its digest, until `expires_at` (ms); returns false where it is claimed already. */
  async claim(digest: string, expires_at: number, now: number): Promise<boolean> {
    return (await this.#tx.run(this.#statements.claim, { digest, expires_at, now })) > 0;
  }
}
