import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { RegistryTables } from '../../store/schema/schema.js';

/** A count that is written with the rows: of a table, or of its rows that a word behind a colon says. */
export type CountedRows = 'claim' | 'crawl' | 'crawl:failing' | 'visit' | 'member_agent' | `entry:${string}`;

/** Returns the statements on the counts of rows, compiled for an engine. */
export function rowCountStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    find: prepare<{ name: string }, { rows: number }>((q, slot) =>
      q.selectFrom('row_count').select('rows').where('name', '=', slot('name')),
    ),
    add: prepare<{ name: string; change: number }>((q, slot) =>
      q
        .insertInto('row_count')
        .values({ name: slot('name'), rows: slot('change') })
        .onConflict((c) =>
          c.column('name').doUpdateSet((e) => ({ rows: e('row_count.rows', '+', e.ref('excluded.rows')) })),
        ),
    ),
  };
}

type RowCountStatements = ReturnType<typeof rowCountStatements>;

/** Reads counts of rows, so that nobody who asks for one has rows read. */
export class RowCountReader {
  readonly #tx: Reading;
  readonly #statements: () => RowCountStatements;

  constructor(tx: Reading, statements: () => RowCountStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(name: CountedRows): Promise<number> {
    return (await this.#tx.one(this.#statements().find, { name }))?.rows ?? 0;
  }
}

/** Counts rows in the transaction that writes them. */
export class RowCountWriter extends RowCountReader {
  readonly #tx: Writing;
  readonly #statements: () => RowCountStatements;

  constructor(tx: Writing, statements: () => RowCountStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Adds to a count what was written more, or less, than before. */
  async add(name: CountedRows, change: number): Promise<void> {
    if (change !== 0) await this.#tx.run(this.#statements().add, { name, change });
  }
}
