import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

/** How far the spend of a buy is booked. Days are counted from the epoch, in UTC. */
export type SpendBooking = {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly account_id: string;
  readonly currency: string;
  /** The last day that something was booked on, and what it has by now; null where nothing was. */
  readonly day: number | null;
  readonly day_cents: number;
  /** The first and last day of the flight, while the buy counts as running. */
  readonly start_day: number | null;
  readonly end_day: number | null;
  /** 1 where the next round has to book it though it does not run. */
  readonly pending: number;
};

/** A change to a day of an account, in one currency: spend in cents, and the running buys that start and end on it. */
type DayChange = Pick<SpendBooking, 'owner' | 'account_id' | 'currency'> & {
  readonly day: number;
  readonly cents: number;
  readonly starts: number;
  readonly ends: number;
};

/** Sums over days of an account in one currency. */
type DaySums = Pick<DayChange, 'currency' | 'cents' | 'starts' | 'ends'>;

type Days = Pick<SpendBooking, 'owner' | 'account_id'> & { readonly first: number; readonly last: number };
const COLUMNS = [
  'media_buy_id',
  'owner',
  'account_id',
  'currency',
  'day',
  'day_cents',
  'start_day',
  'end_day',
  'pending',
] as const;

/** Returns the statements on booked spend, compiled for an engine. */
export function spendStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ media_buy_id: string }, SpendBooking>((q, slot) =>
      q
        .selectFrom('spend_booking')
        .select([...COLUMNS])
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
    save: prepare<SpendBooking>((q, slot) => {
      const values = slot.each(...COLUMNS);
      return q
        .insertInto('spend_booking')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
    pending: prepare<{ owner: string; after: string; limit: number }, { media_buy_id: string }>((q, slot) =>
      q
        .selectFrom('spend_booking')
        .select('media_buy_id')
        .where('pending', '=', sql.lit(1))
        .where('owner', '=', slot('owner'))
        .where('media_buy_id', '>', slot('after'))
        .orderBy('media_buy_id')
        .limit(slot('limit')),
    ),
    add: prepare<DayChange>((q, slot) =>
      q
        .insertInto('account_day')
        .values(slot.each('owner', 'account_id', 'currency', 'day', 'cents', 'starts', 'ends'))
        .onConflict((c) =>
          c.columns(['owner', 'account_id', 'currency', 'day']).doUpdateSet((eb) => ({
            cents: eb('account_day.cents', '+', slot('cents')),
            starts: eb('account_day.starts', '+', slot('starts')),
            ends: eb('account_day.ends', '+', slot('ends')),
          })),
        ),
    ),
    sums: prepare<Days, DaySums>((q, slot) =>
      q
        .selectFrom('account_day')
        .select((e) => [
          'currency',
          e.fn.sum<number>('cents').as('cents'),
          e.fn.sum<number>('starts').as('starts'),
          e.fn.sum<number>('ends').as('ends'),
        ])
        .where((is) => is.and(slot.each('owner', 'account_id')))
        .where('day', '>=', slot('first'))
        .where('day', '<=', slot('last'))
        .groupBy('currency'),
    ),
    round: prepare<{ owner: string }, { at: number }>((q, slot) =>
      q.selectFrom('spend_round').select('at').where('owner', '=', slot('owner')),
    ),
    saveRound: prepare<{ owner: string; at: number }>((q, slot) =>
      q
        .insertInto('spend_round')
        .values(slot.each('owner', 'at'))
        .onConflict((c) => c.column('owner').doUpdateSet(slot.each('at'))),
    ),
  };
}

/** The compiled statements on booked spend. */
type SpendStatements = ReturnType<typeof spendStatements>;

/** Reads what accounts have spent, by day. */
export class SpendReader {
  readonly #tx: Reading;
  readonly #statements: SpendStatements;

  constructor(tx: Reading, statements: SpendStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  find(media_buy_id: string): Promise<SpendBooking | undefined> {
    return this.#tx.one(this.#statements.byId, { media_buy_id });
  }

  /** Returns ids of an owner's buys that the next round has to book though they do not run, in order, after `after`. */
  async pending(owner: string, after: string, limit: number): Promise<string[]> {
    const rows = await this.#tx.all(this.#statements.pending, { owner, after, limit });
    return rows.map((row) => row.media_buy_id);
  }

  /** Returns the sums over the days `first` to `last` of an account, per currency. */
  sums(owner: string, account_id: string, first: number, last: number): Promise<DaySums[]> {
    return this.#tx.all(this.#statements.sums, { owner, account_id, first, last });
  }

  /** Returns when all running buys of an owner were last booked (ms). */
  async roundAt(owner: string): Promise<number | undefined> {
    return (await this.#tx.one(this.#statements.round, { owner }))?.at;
  }
}

/** Reads and books what accounts have spent in one transaction. */
export class SpendWriter extends SpendReader {
  readonly #tx: Writing;
  readonly #statements: SpendStatements;

  constructor(tx: Writing, statements: SpendStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  async save(booking: SpendBooking): Promise<void> {
    this.#tx.write(this.#statements.save, booking);
  }

  async add(change: DayChange): Promise<void> {
    this.#tx.write(this.#statements.add, change);
  }

  /** Notes when all running buys of an owner were booked (ms). */
  async setRound(owner: string, at: number): Promise<void> {
    this.#tx.write(this.#statements.saveRound, { owner, at });
  }
}
