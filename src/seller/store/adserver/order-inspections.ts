import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { Drift } from '../../domain/booking/drift.js';
import type { SellerTables } from '../schema/schema.js';

type InspectionRow = SellerTables['order_inspection'];

/** When the ad server is asked what it has of an order, and what it had otherwise than it was booked. Times in ms. */
export type OrderInspection = Omit<InspectionRow, 'doc'> & { readonly drift: readonly Drift[] };

const ROW = ['media_buy_id', 'owner', 'next_at', 'drift_since', 'doc'] as const;

/** Returns the statements on inspections of orders, compiled for an engine. */
export function orderInspectionStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ media_buy_id: string }, InspectionRow>((q, slot) =>
      q
        .selectFrom('order_inspection')
        .select([...ROW])
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
    due: prepare<{ now: number; limit: number }, InspectionRow>((q, slot) =>
      q
        .selectFrom('order_inspection')
        .select([...ROW])
        .where('next_at', '<=', slot('now'))
        .orderBy('next_at')
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    drifted: prepare<{ limit: number }, InspectionRow>((q, slot) =>
      q
        .selectFrom('order_inspection')
        .select([...ROW])
        .where('drift_since', 'is not', null)
        .orderBy('drift_since')
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    count: prepare<object, { total: number }>((q) =>
      q
        .selectFrom('order_inspection')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where('drift_since', 'is not', null),
    ),
    save: prepare<InspectionRow>((q, slot) => {
      const values = slot.each(...ROW);
      return q
        .insertInto('order_inspection')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
  };
}

/** The compiled statements on inspections. */
type OrderInspectionStatements = ReturnType<typeof orderInspectionStatements>;

/** Reads what ad servers had of orders. */
export class OrderInspectionReader {
  readonly #tx: Reading;
  readonly #statements: OrderInspectionStatements;

  constructor(tx: Reading, statements: OrderInspectionStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the inspection of a buy; undefined where it was never booked. */
  async find(media_buy_id: string): Promise<OrderInspection | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { media_buy_id });
    return row && parseInspectionRow(row);
  }

  /** Returns the orders that are to be inspected by `now`, longest first. */
  async due(now: number, limit: number): Promise<OrderInspection[]> {
    return (await this.#tx.all(this.#statements.due, { now, limit })).map(parseInspectionRow);
  }

  /** Returns the orders that their ad servers have otherwise than they were booked, longest first. */
  async drifted(limit: number): Promise<OrderInspection[]> {
    return (await this.#tx.all(this.#statements.drifted, { limit })).map(parseInspectionRow);
  }

  async countDrifted(): Promise<number> {
    return (await this.#tx.one(this.#statements.count, {}))?.total ?? 0;
  }
}

/** Reads and stores what ad servers had of orders, in one transaction. */
export class OrderInspectionWriter extends OrderInspectionReader {
  readonly #tx: Writing;
  readonly #statements: OrderInspectionStatements;

  constructor(tx: Writing, statements: OrderInspectionStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Has an order inspected at a time: it was just booked. */
  async plan(media_buy_id: string, owner: string, atMs: number): Promise<void> {
    const { drift = [], drift_since = null } = (await this.find(media_buy_id)) ?? {};
    this.save({ media_buy_id, owner, next_at: atMs, drift, drift_since });
  }

  save({ drift, ...columns }: OrderInspection): void {
    this.#tx.write(this.#statements.save, { ...columns, doc: JSON.stringify(drift) });
  }
}

function parseInspectionRow({ doc, ...columns }: InspectionRow): OrderInspection {
  return { ...columns, drift: JSON.parse(doc) as OrderInspection['drift'] };
}
