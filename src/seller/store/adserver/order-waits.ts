import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { STATES_FOR_PEOPLE } from '../../domain/booking/booking.js';
import type { OrderWait } from '../../domain/booking/reminder.js';
import type { Fulfillment } from '../../domain/media-buy/fulfillment.js';
import type { SellerTables } from '../schema/schema.js';

const ROW = ['media_buy_id', 'owner', 'since', 'next_at', 'reminded_at'] as const;

/** Returns the statements on orders that wait for a person, compiled for an engine. */
export function orderWaitStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const waiting = db
    .selectFrom('media_buy')
    .leftJoin('order_booking', 'order_booking.media_buy_id', 'media_buy.media_buy_id')
    .whereRef('media_buy.booked_revision', '<', 'media_buy.revision')
    .where((is) =>
      is.or([
        is(
          'order_booking.state',
          'in',
          [...STATES_FOR_PEOPLE].map((state) => sql.lit(state)),
        ),
        is(sql<Fulfillment>`media_buy.doc ->> '$.fulfillment'`, '=', sql.lit<Fulfillment>('manual')),
      ]),
    );
  return {
    byId: prepare<{ media_buy_id: string }, OrderWait>((q, slot) =>
      q
        .selectFrom('order_wait')
        .select([...ROW])
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
    due: prepare<{ now: number; limit: number }, OrderWait>((q, slot) =>
      q
        .selectFrom('order_wait')
        .select([...ROW])
        .where('next_at', '<=', slot('now'))
        .orderBy('next_at')
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    reminded: prepare<{ limit: number }, OrderWait>((q, slot) =>
      q
        .selectFrom('order_wait')
        .select([...ROW])
        .where('reminded_at', 'is not', null)
        .orderBy('since')
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    countReminded: prepare<object, { total: number }>((q) =>
      q
        .selectFrom('order_wait')
        .select((is) => is.fn.countAll<number>().as('total'))
        .where('reminded_at', 'is not', null),
    ),
    open: prepare<{ now: number }>((q, slot) =>
      q
        .insertInto('order_wait')
        .columns(['media_buy_id', 'owner', 'since', 'next_at'])
        .expression(
          waiting
            .select([
              'media_buy.media_buy_id',
              'media_buy.owner',
              sql<number>`cast(${slot('now')} as bigint)`.as('since'),
              sql<number>`cast(${slot('now')} as bigint)`.as('next_at'),
            ])
            .where('media_buy.media_buy_id', 'not in', (is) => is.selectFrom('order_wait').select('media_buy_id')),
        ),
    ),
    close: prepare<object>((q) =>
      q.deleteFrom('order_wait').where('media_buy_id', 'not in', waiting.select('media_buy.media_buy_id')),
    ),
    remind: prepare<Pick<OrderWait, 'media_buy_id' | 'next_at' | 'reminded_at'>>((q, slot) =>
      q
        .updateTable('order_wait')
        .set(slot.each('next_at', 'reminded_at'))
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
    end: prepare<{ media_buy_id: string }>((q, slot) =>
      q.deleteFrom('order_wait').where('media_buy_id', '=', slot('media_buy_id')),
    ),
  };
}

/** The compiled statements on waiting orders. */
type OrderWaitStatements = ReturnType<typeof orderWaitStatements>;

/** Reads since when orders wait for a person. */
export class OrderWaitReader {
  readonly #tx: Reading;
  readonly #statements: OrderWaitStatements;

  constructor(tx: Reading, statements: OrderWaitStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns since when an order waits; undefined where it does not, or where nobody has looked since. */
  find(media_buy_id: string): Promise<OrderWait | undefined> {
    return this.#tx.one(this.#statements.byId, { media_buy_id });
  }

  /** Returns the orders that are to be looked at by `now`, longest first. */
  due(now: number, limit: number): Promise<OrderWait[]> {
    return this.#tx.all(this.#statements.due, { now, limit });
  }

  /** Returns the orders that wait and that somebody was reminded of, longest first. */
  reminded(limit: number): Promise<OrderWait[]> {
    return this.#tx.all(this.#statements.reminded, { limit });
  }

  /** Returns how many of the orders that wait somebody was reminded of. */
  async countReminded(): Promise<number> {
    return Number((await this.#tx.one(this.#statements.countReminded, {}))?.total ?? 0);
  }
}

/** Reads and writes since when orders wait for a person, in one transaction. */
export class OrderWaitWriter extends OrderWaitReader {
  readonly #tx: Writing;
  readonly #statements: OrderWaitStatements;

  constructor(tx: Writing, statements: OrderWaitStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Notes the orders that have begun to wait by `now`, and forgets those that do no longer. */
  follow(now: number): void {
    this.#tx.write(this.#statements.close, {});
    this.#tx.write(this.#statements.open, { now });
  }

  /** Stores when somebody was reminded of an order, and when it is looked at again. */
  remind(wait: Pick<OrderWait, 'media_buy_id' | 'next_at' | 'reminded_at'>): void {
    this.#tx.write(this.#statements.remind, wait);
  }

  /** Forgets that an order waited: somebody has booked it. */
  end(media_buy_id: string): void {
    this.#tx.write(this.#statements.end, { media_buy_id });
  }
}
