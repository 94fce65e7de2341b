import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

/** The id that a package has in the seller's ad server, as a person entered it. */
type OrderLine = SellerTables['order_line'];

const ROW = ['package_id', 'media_buy_id', 'line_id'] as const;

/** Returns the statements on the ids of packages in ad servers, compiled for an engine. */
export function orderLineStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byLine: prepare<{ line_id: string }, OrderLine>((q, slot) =>
      q
        .selectFrom('order_line')
        .select([...ROW])
        .where('line_id', '=', slot('line_id'))
        .orderBy('package_id')
        .limit(2),
    ),
    ofBuy: prepare<{ media_buy_id: string }, OrderLine>((q, slot) =>
      q
        .selectFrom('order_line')
        .select([...ROW])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .orderBy('package_id'),
    ),
    save: prepare<OrderLine>((q, slot) =>
      q
        .insertInto('order_line')
        .values(slot.each(...ROW))
        .onConflict((c) => c.column('package_id').doUpdateSet(slot.each('line_id'))),
    ),
    remove: prepare<{ package_id: string }>((q, slot) =>
      q.deleteFrom('order_line').where('package_id', '=', slot('package_id')),
    ),
  };
}

/** The compiled statements on the ids of packages. */
type OrderLineStatements = ReturnType<typeof orderLineStatements>;

/** Reads the ids that people entered of packages in ad servers. */
export class OrderLineReader {
  readonly #tx: Reading;
  readonly #statements: OrderLineStatements;

  constructor(tx: Reading, statements: OrderLineStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the packages that have an id in an ad server, at most two; for the operator alone. */
  findByLine(line_id: string): Promise<OrderLine[]> {
    return this.#tx.all(this.#statements.byLine, { line_id });
  }

  /** Returns the ids of the packages of a buy, by package. */
  async ofBuy(media_buy_id: string): Promise<Readonly<Record<string, string>>> {
    const rows = await this.#tx.all(this.#statements.ofBuy, { media_buy_id });
    return Object.fromEntries(rows.map(({ line_id, package_id }) => [package_id, line_id]));
  }
}

/** Reads and writes the ids that people entered of packages in ad servers, in one transaction. */
export class OrderLineWriter extends OrderLineReader {
  readonly #tx: Writing;
  readonly #statements: OrderLineStatements;

  constructor(tx: Writing, statements: OrderLineStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Stores the id of a package in place of the one that it had; an empty one takes that away. */
  save(line: OrderLine): void {
    if (line.line_id === '') this.#tx.write(this.#statements.remove, { package_id: line.package_id });
    else this.#tx.write(this.#statements.save, line);
  }
}
