import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import { FAILED_STATES, STATES_FOR_PEOPLE } from '../../domain/booking/booking.js';
import type { Fulfillment } from '../../domain/media-buy/fulfillment.js';
import type { SellerTables } from '../schema/schema.js';
import type { BuyRow } from './statements.js';

/** Buys whose last revision is not booked, by who books them: how many, and since when the oldest waits. */
export type BookingBacklog = { readonly fulfillment: Fulfillment; readonly total: number; readonly oldest: number };
/** A buy that is to be booked. */
export type WaitingBuy = { readonly owner: string; readonly media_buy_id: string };
type Booking = { media_buy_id: string; revision: number };

/** Returns the statements on which revision of a buy its ad server, or a person, has confirmed. */
export function bookingStatements(db: Builder<SellerTables>) {
  return { ...waitingStatements(db), ...confirmStatements(db) };
}

function waitingStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    unbooked: prepare<{ limit: number; fulfillment: Fulfillment }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .whereRef('booked_revision', '<', 'revision')
        .where(sql<Fulfillment>`doc ->> '$.fulfillment'`, '=', slot('fulfillment'))
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    // A revision that was never tried is due, and one whose next attempt has come.
    // What never failed comes first, in the order in which it was bought: those that fail again and again keep nobody waiting.
    toBook: prepare<{ now: number; limit: number }, WaitingBuy>((q, slot) =>
      q
        .selectFrom('media_buy')
        .leftJoin('order_booking', 'order_booking.media_buy_id', 'media_buy.media_buy_id')
        .select(['media_buy.owner', 'media_buy.media_buy_id'])
        .whereRef('media_buy.booked_revision', '<', 'media_buy.revision')
        .where(sql<Fulfillment>`media_buy.doc ->> '$.fulfillment'`, '=', sql.lit<Fulfillment>('adapter'))
        .where((is) =>
          is.or([
            is('order_booking.media_buy_id', 'is', null),
            is('order_booking.revision', '<', is.ref('media_buy.revision')),
            is('order_booking.next_at', '<=', slot('now')),
            // What is carried along with a revision, as its creatives are, has changed since.
            is('order_booking.state', '=', sql.lit('booked')),
          ]),
        )
        .orderBy(sql`CASE order_booking.state WHEN 'booking' THEN 0 ELSE coalesce(order_booking.next_at, 0) END`)
        .orderBy('media_buy.seq')
        .limit(slot('limit')),
    ),
    bookingBacklog: prepare<object, BookingBacklog>((q) =>
      q
        .selectFrom('media_buy')
        .leftJoin('order_booking', 'order_booking.media_buy_id', 'media_buy.media_buy_id')
        .leftJoin('order_wait', 'order_wait.media_buy_id', 'media_buy.media_buy_id')
        .select((is) => [
          sql<Fulfillment>`media_buy.doc ->> '$.fulfillment'`.as('fulfillment'),
          is.fn.countAll<number>().as('total'),
          is.fn
            .min<number>(is.fn.coalesce('order_booking.first_at', 'order_wait.since', 'media_buy.created_at'))
            .as('oldest'),
        ])
        .whereRef('media_buy.booked_revision', '<', 'media_buy.revision')
        .groupBy(sql`media_buy.doc ->> '$.fulfillment'`),
    ),
    // What failed at least once, and what nobody has answered for or tried since a moment.
    troubled: prepare<{ since: number; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .leftJoin('order_booking', 'order_booking.media_buy_id', 'media_buy.media_buy_id')
        .select(['media_buy.seq', 'media_buy.owner', 'media_buy.doc'])
        .whereRef('media_buy.booked_revision', '<', 'media_buy.revision')
        .where(sql<Fulfillment>`media_buy.doc ->> '$.fulfillment'`, '=', sql.lit<Fulfillment>('adapter'))
        .where((is) =>
          is.or([
            is('order_booking.state', 'in', [...FAILED_STATES]),
            is.and([is('order_booking.state', '=', sql.lit('booking')), is('order_booking.attempts', '>', sql.lit(1))]),
            is.and([
              is('order_booking.state', '=', sql.lit('booking')),
              is('order_booking.first_at', '<=', slot('since')),
            ]),
            is.and([is('order_booking.media_buy_id', 'is', null), is('media_buy.created_at', '<=', slot('since'))]),
          ]),
        )
        .orderBy('media_buy.seq')
        .limit(slot('limit')),
    ),
    unbookable: prepare<{ limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .innerJoin('order_booking', 'order_booking.media_buy_id', 'media_buy.media_buy_id')
        .select(['media_buy.seq', 'media_buy.owner', 'media_buy.doc'])
        .whereRef('media_buy.booked_revision', '<', 'media_buy.revision')
        .where('order_booking.state', 'in', [...STATES_FOR_PEOPLE])
        .orderBy('media_buy.seq')
        .limit(slot('limit')),
    ),
  };
}

function confirmStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    book: prepare<Booking>((q, slot) =>
      q
        .updateTable('media_buy')
        .set({ booked_revision: slot('revision') })
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('booked_revision', '<', slot('revision')),
    ),
    bookFirst: prepare<Booking>((q, slot) =>
      q
        .updateTable('media_buy')
        .set({ booked_revision: slot('revision') })
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('booked_revision', '=', 0),
    ),
    carryBooking: prepare<Booking & { before: number }>((q, slot) =>
      q
        .updateTable('media_buy')
        .set({ booked_revision: slot('revision') })
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('booked_revision', '=', slot('before')),
    ),
  };
}
