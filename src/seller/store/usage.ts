import type { Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { SellerTables } from './schema/schema.js';

type StoredUsage = { owner: string; account_id: string; received_at: number; doc: string };

/** Returns the statements on reported usage, compiled for an engine. */
export function usageStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    insert: prepare<StoredUsage>((q, slot) =>
      q.insertInto('usage').values(slot.each('owner', 'account_id', 'received_at', 'doc')),
    ),
  };
}

/** The compiled statements on reported usage. */
type UsageStatements = ReturnType<typeof usageStatements>;

/** Stores the usage that buyers report. */
export class UsageWriter {
  readonly #tx: Writing;
  readonly #statements: UsageStatements;

  constructor(tx: Writing, statements: UsageStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Stores one record of an account. `received_at` in ms. */
  async add(owner: string, account_id: string, received_at: number, usage: unknown): Promise<void> {
    this.#tx.write(this.#statements.insert, { owner, account_id, received_at, doc: JSON.stringify(usage) });
  }
}
