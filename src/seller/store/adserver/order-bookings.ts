import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { type OrderBooking, STATES_FOR_PEOPLE } from '../../domain/booking/booking.js';
import type { SellerTables } from '../schema/schema.js';

type BookingRow = SellerTables['order_booking'];

const ROW = [
  'media_buy_id',
  'owner',
  'state',
  'revision',
  'attempts',
  'first_at',
  'next_at',
  'is_unsure',
  'doc',
] as const;

/** Returns the statements on the bookings of buys in ad servers, compiled for an engine. */
export function orderBookingStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ media_buy_id: string }, BookingRow>((q, slot) =>
      q
        .selectFrom('order_booking')
        .select([...ROW])
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
    forPeople: prepare<{ since: number; limit: number }, BookingRow>((q, slot) =>
      q
        .selectFrom('order_booking')
        .select([...ROW])
        .where('state', 'in', [...STATES_FOR_PEOPLE])
        .where('first_at', '>=', slot('since'))
        .orderBy('first_at', 'desc')
        .limit(slot('limit')),
    ),
    save: prepare<BookingRow>((q, slot) => {
      const values = slot.each(...ROW);
      return q
        .insertInto('order_booking')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
  };
}

/** The compiled statements on bookings. */
type OrderBookingStatements = ReturnType<typeof orderBookingStatements>;

/** Reads how far buys are on their way into ad servers. */
export class OrderBookingReader {
  readonly #tx: Reading;
  readonly #statements: OrderBookingStatements;

  constructor(tx: Reading, statements: OrderBookingStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the booking of a buy; undefined where it was never tried. */
  async find(media_buy_id: string): Promise<OrderBooking | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { media_buy_id });
    return row && parseBookingRow(row);
  }

  /** Returns the bookings begun since a moment (ms) that a person has to look at, the newest first, also of buys that are over. */
  async forPeople(since: number, limit: number): Promise<readonly OrderBooking[]> {
    return (await this.#tx.all(this.#statements.forPeople, { since, limit })).map(parseBookingRow);
  }
}

/** Reads and writes how far buys are on their way into ad servers, in one transaction. */
export class OrderBookingWriter extends OrderBookingReader {
  readonly #tx: Writing;
  readonly #statements: OrderBookingStatements;

  constructor(tx: Writing, statements: OrderBookingStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  save({ foreign, reason, ad_server, booked, by_hand_until, is_unsure, ...columns }: OrderBooking): void {
    this.#tx.write(this.#statements.save, {
      ...columns,
      is_unsure: is_unsure ? 1 : 0,
      doc: JSON.stringify({ foreign, reason, ad_server, booked, by_hand_until }),
    });
  }
}

function parseBookingRow({ doc, state, is_unsure, ...columns }: BookingRow): OrderBooking {
  const more = JSON.parse(doc) as Pick<OrderBooking, 'foreign' | 'reason' | 'ad_server' | 'booked' | 'by_hand_until'>;
  return { ...columns, state: state as OrderBooking['state'], is_unsure: is_unsure === 1, ...more };
}
