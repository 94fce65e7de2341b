import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

type UseRow = SellerTables['key_use'];

const COLUMNS = ['tenant', 'key_id', 'used_at', 'expires_at'] as const;

/** Returns the statements on when keys were used, compiled for an engine. */
export function keyUseStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    of: prepare<{ tenant: string; limit: number }, UseRow>((q, slot) =>
      q
        .selectFrom('key_use')
        .select([...COLUMNS])
        .where('tenant', '=', slot('tenant'))
        .orderBy('used_at', 'desc')
        .limit(slot('limit')),
    ),
    save: prepare<UseRow>((q, slot) =>
      q
        .insertInto('key_use')
        .values(slot.each(...COLUMNS))
        .onConflict((c) => c.columns(['tenant', 'key_id']).doUpdateSet(slot.each('used_at', 'expires_at'))),
    ),
  };
}

/** The compiled statements on when keys were used. */
type KeyUseStatements = ReturnType<typeof keyUseStatements>;

/** Reads when keys were used. */
export class KeyUseReader {
  readonly #tx: Reading;
  readonly #statements: KeyUseStatements;

  constructor(tx: Reading, statements: KeyUseStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns when the keys of a tenant were used last (ms), by what names them; those that were used last of `limit`. */
  async list(tenant: string, limit: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#tx.all(this.#statements.of, { tenant, limit });
    return new Map(rows.map(({ key_id, used_at }) => [key_id, used_at]));
  }
}

/** Reads and writes when keys were used, in one transaction. */
export class KeyUseWriter extends KeyUseReader {
  readonly #tx: Writing;
  readonly #statements: KeyUseStatements;

  constructor(tx: Writing, statements: KeyUseStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  save(use: UseRow): void {
    this.#tx.write(this.#statements.save, use);
  }
}
