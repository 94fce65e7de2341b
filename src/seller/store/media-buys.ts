import type { Reading, Writing } from '../../platform/database/engine.js';
import { sql } from '../../platform/database/kysely.js';
import {
  type Builder,
  createPrepare,
  type DocRow,
  once,
  parseDoc,
  type Statement,
} from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { isWithin, narrowToScope, ownerOf, type Scope } from '../domain/account/scope.js';
import { FAILED_STATES, STATES_FOR_PEOPLE } from '../domain/booking/booking.js';
import type { Fulfillment } from '../domain/media-buy/fulfillment.js';
import {
  type HistoryEntry,
  isTerminal,
  MEDIA_BUY_STATUSES,
  type MediaBuy,
  nextDueMs,
} from '../domain/media-buy/media-buy.js';
import type { SellerTables } from './schema/schema.js';
import type { SoldTerms } from './sold-terms.js';

/** A buy with its owner. */
export type OwnedBuy = { readonly owner: string; readonly buy: MediaBuy };
/** A buy with its owner and its position in the list. */
type MediaBuyRow = OwnedBuy & { readonly seq: number };

/** Narrows a list of buys; absent means any. */
type MediaBuyFilter = {
  readonly accountId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
};

/** How many buys of an owner are in a state. */
type StatusCount = { readonly owner: string; readonly status: string; readonly total: number };

/** What a search found; `next` is the position to go on from, undefined where all were looked through. */
type SearchedBuys = { readonly rows: readonly MediaBuyRow[]; readonly next: number | undefined };

/** A page of running buys: at most `limit` behind a buy's end (ms) and position. */
type RunningPage = { readonly dueMs: number; readonly seq: number; readonly limit: number };
/** A running buy with when the clock moves it, which is where the page behind it begins. */
type RunningBuy = MediaBuyRow & { readonly dueMs: number };

type BuyRow = { seq: number; owner: string; doc: string };
/** Buys whose last revision is not booked, by who books them: how many, and since when the oldest waits. */
type BookingBacklog = { readonly fulfillment: Fulfillment; readonly total: number; readonly oldest: number };
/** A buy that is to be booked. */
type WaitingBuy = { readonly owner: string; readonly media_buy_id: string };
type StoredBuy = {
  media_buy_id: string;
  status: string;
  revision: number;
  due_at: number | null;
  ended_at: number | null;
  doc: string;
};
type AddedBuy = StoredBuy & { owner: string; account_id: string; booked_revision: number; created_at: number };
type Booking = { media_buy_id: string; revision: number };

/** The states of a buy that has not ended. */
const LIVE = MEDIA_BUY_STATUSES.filter((status) => !isTerminal(status));

/** The most buys that follow one change of what they need. */
const MAX_NAMING = 10_000;

/** Beyond every position in the list. */
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

/** The id that a buy has in the seller's ad server, as its index spells it. */
const ORDER_ID = sql<string | null>`doc ->> '$.booked_by_hand.order_id'`;

/** Returns the statements on media buys, compiled for an engine. */
export function mediaBuyStatements(db: Builder<SellerTables>) {
  return { ...findStatements(db), ...dueStatements(db), ...operatorStatements(db), ...changeStatements(db) };
}

function findStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ owner: string; media_buy_id: string }, DocRow & { account_id: string }>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['account_id', 'doc'])
        .where((is) => is.and(slot.each('media_buy_id', 'owner'))),
    ),
    anywhere: prepare<{ media_buy_id: string }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where((is) => is.and(slot.each('media_buy_id'))),
    ),
    byOrder: prepare<{ order_id: string }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where(ORDER_ID, '=', slot('order_id'))
        .where(ORDER_ID, 'is not', null)
        .limit(2),
    ),
    history: prepare<{ media_buy_id: string; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('media_buy_event')
        .select('doc')
        .where((is) => is.and(slot.each('media_buy_id')))
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    list: (owner: string, page: Page, { accountId, ids, statuses = MEDIA_BUY_STATUSES }: MediaBuyFilter) => {
      const rows = db.selectFrom('media_buy').where('owner', '=', owner);
      const wanted = accountId === undefined ? rows : rows.where('account_id', '=', accountId);
      const later = page.after === undefined ? wanted : wanted.where('seq', '<', page.after);
      const columns = ['seq', 'owner', 'doc'] as const;
      // Written out: PostgreSQL takes a limit that it does not see for a tenth of the rows. Bench row: database-size.
      const limit = sql.lit(page.limit + 1);
      if (ids !== undefined) {
        const named = later.where('media_buy_id', 'in', [...ids]).where('status', 'in', [...statuses]);
        return once(named.select(columns).orderBy('seq', 'desc').limit(limit));
      }
      // Each state is a stretch of an index in the order of the list, and of each no more is read than may be shown. As a range with
      // the order of that index, for else PostgreSQL may look for a rare state among all rows from the last one down.
      const ofStatus = (status: string) => {
        const stretch = later.where('status', '>=', status).where('status', '<=', status).select('seq');
        const last = stretch.orderBy('status', 'desc').orderBy('seq', 'desc').limit(limit);
        return db.selectFrom(last.as('state')).select('seq');
      };
      const [first, ...others] = new Set(statuses);
      const merged = others.reduce((all, status) => all.unionAll(ofStatus(status)), ofStatus(first ?? ''));
      const shown = db.selectFrom(merged.orderBy('seq', 'desc').limit(limit).as('shown'));
      return once(
        shown
          .innerJoin('media_buy', 'media_buy.seq', 'shown.seq')
          .select(['media_buy.seq', 'media_buy.owner', 'media_buy.doc'])
          .orderBy('shown.seq', 'desc'),
      );
    },
  };
}

/** The most buys that one search looks through: each is read from the disk. */
const SEARCHED_BUYS = 10_000;

/** Statements over the buys of every owner, for the operator. */
function operatorStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    newest: prepare<{ before: number; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('seq', '<', slot('before'))
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    searchFrom: prepare<{ before: number; offset: number }, { seq: number }>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select('seq')
        .where('seq', '<', slot('before'))
        .orderBy('seq', 'desc')
        .limit(1)
        .offset(slot('offset')),
    ),
    search: prepare<{ before: number; from: number; text: string; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('seq', '<', slot('before'))
        .where('seq', '>=', slot('from'))
        .where(sql<boolean>`instr(lower(doc), ${slot('text')}) > 0`)
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    countByStatus: prepare<object, StatusCount>((q) =>
      q
        .selectFrom('media_buy')
        .select((eb) => ['owner', 'status', eb.fn.countAll<number>().as('total')])
        .groupBy(['owner', 'status']),
    ),
    running: (owner: string | undefined, { dueMs, limit, seq }: RunningPage) => {
      const rows = db
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .select((is) => is.ref('due_at').$notNull().as('due_at'));
      const owned = owner === undefined ? rows : rows.where('owner', '=', owner);
      return once(
        owned
          .where('status', '=', sql.lit('active'))
          .where('due_at', 'is not', null)
          .where(sql<boolean>`(due_at, seq) > (${dueMs}, ${seq})`)
          .orderBy('due_at')
          .orderBy('seq')
          .limit(sql.lit(limit)),
      );
    },
  };
}

function dueStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<{ owner: string; now: number; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    earliestDue: prepare<{ owner: string }, { due_at: number | null }>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select('due_at')
        .where('owner', '=', slot('owner'))
        .where('due_at', 'is not', null)
        .orderBy('due_at')
        .limit(1),
    ),
    // From owner to owner along the index: only their first buys are read.
    earliestDues: {
      sql: `WITH RECURSIVE next (owner) AS (
          SELECT min(owner) FROM media_buy WHERE due_at IS NOT NULL
          UNION ALL
          SELECT (SELECT min(owner) FROM media_buy WHERE media_buy.owner > next.owner AND due_at IS NOT NULL)
          FROM next WHERE next.owner IS NOT NULL)
        SELECT owner, (SELECT min(due_at) FROM media_buy WHERE media_buy.owner = next.owner AND due_at IS NOT NULL) AS due_at
        FROM next WHERE owner IS NOT NULL`,
      parameters: [],
    } satisfies Statement<object, { owner: string; due_at: number }>,
    dueAmong: (owner: string, now: number, ids: readonly string[]) =>
      once(
        db
          .selectFrom('media_buy')
          .select(['seq', 'owner', 'doc'])
          .where('owner', '=', owner)
          .where('due_at', '<=', now)
          .where('media_buy_id', 'in', [...ids]),
      ),
    liveNaming: prepare<{ owner: string; text: string; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('owner', '=', slot('owner'))
        .where('status', 'in', LIVE)
        .where(sql<boolean>`instr(doc, ${slot('text')}) > 0`)
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    ownerAfter: prepare<{ owner: string }, { owner: string }>((q, slot) =>
      q.selectFrom('media_buy').select('owner').where('owner', '>', slot('owner')).orderBy('owner').limit(1),
    ),
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

function changeStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    insert: prepare<AddedBuy>((q, slot) =>
      q.insertInto('media_buy').values({
        ...slot.each('owner', 'account_id', 'media_buy_id', 'status', 'revision'),
        ...slot.each('booked_revision', 'due_at', 'created_at', 'ended_at', 'doc'),
      }),
    ),
    replace: prepare<StoredBuy>((q, slot) =>
      q
        .updateTable('media_buy')
        .set(slot.each('status', 'revision', 'due_at', 'ended_at', 'doc'))
        .where('media_buy_id', '=', slot('media_buy_id')),
    ),
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
    addEvent: prepare<{ media_buy_id: string; revision: number; doc: string }>((q, slot) =>
      q.insertInto('media_buy_event').values(slot.each('media_buy_id', 'revision', 'doc')),
    ),
    addFeedback: prepare<{ owner: string; media_buy_id: string; received_at: number; doc: string }>((q, slot) =>
      q.insertInto('feedback').values(slot.each('owner', 'media_buy_id', 'received_at', 'doc')),
    ),
  };
}

/** The compiled statements on media buys. */
type MediaBuyStatements = ReturnType<typeof mediaBuyStatements>;

/** Reads media buys; a read by id names its scope, so that somebody else's buy is not there, nor that of another account. */
export class MediaBuyReader {
  readonly #tx: Reading;
  readonly #statements: MediaBuyStatements;
  readonly #terms: SoldTerms;

  constructor(tx: Reading, statements: MediaBuyStatements, terms: SoldTerms) {
    this.#tx = tx;
    this.#statements = statements;
    this.#terms = terms;
  }

  async find(scope: Scope, media_buy_id: string): Promise<MediaBuy | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner: ownerOf(scope), media_buy_id });
    if (row === undefined || !isWithin(scope, row.account_id)) return undefined;
    return this.#terms.readBuy(this.#tx, row.doc);
  }

  /** Returns a buy of whatever owner; for the operator alone. */
  async findAnywhere(media_buy_id: string): Promise<MediaBuyRow | undefined> {
    const row = await this.#tx.one(this.#statements.anywhere, { media_buy_id });
    return row && this.#parseBuyRow(row);
  }

  /** Returns buys that were booked by hand under an id of the seller's ad server, at most two; for the operator alone. */
  async findByOrder(order_id: string): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.byOrder, { order_id }));
  }

  /** Returns the newest first, one row more than the page asks for where there is one. */
  async list(scope: Scope, page: Page, filter: MediaBuyFilter): Promise<MediaBuyRow[]> {
    const wanted = this.#statements.list(ownerOf(scope), page, narrowToScope(scope, filter));
    return this.#parseBuyRows(await this.#tx.all(wanted, {}));
  }

  /** Returns the buys of an owner, in one account where it is named, that have not ended and somewhere name an id as a whole. */
  async liveNaming(owner: string, id: string, accountId?: string): Promise<MediaBuyRow[]> {
    const wanted = { owner, text: JSON.stringify(id), limit: MAX_NAMING };
    const rows = await this.#parseBuyRows(await this.#tx.all(this.#statements.liveNaming, wanted));
    return rows.filter(({ buy }) => accountId === undefined || buy.account_id === accountId);
  }

  /** Returns the newest `limit` entries of each buy, newest first. */
  async history(mediaBuyIds: readonly string[], limit: number): Promise<Map<string, HistoryEntry[]>> {
    const histories = new Map<string, HistoryEntry[]>();
    for (const media_buy_id of mediaBuyIds) {
      const rows = await this.#tx.all(this.#statements.history, { media_buy_id, limit });
      histories.set(
        media_buy_id,
        rows.map((row) => parseDoc<HistoryEntry>(row)),
      );
    }
    return histories;
  }

  /** Returns buys of an owner that the clock should have moved by `now` (ms), those that wait longest first. */
  async due(owner: string, now: number, limit: number): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.due, { owner, now, limit }));
  }

  /** Returns those of an owner's buys that the clock should have moved by `now` (ms). */
  async dueAmong(owner: string, now: number, ids: readonly string[]): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.dueAmong(owner, now, ids), {}));
  }

  /** Returns when the clock moves an owner's next buy (ms); undefined when none waits. */
  async earliestDue(owner: string): Promise<number | undefined> {
    return (await this.#tx.one(this.#statements.earliestDue, { owner }))?.due_at ?? undefined;
  }

  /** Returns when the clock moves the next buy (ms) of each owner that has one. */
  async earliestDues(): Promise<Map<string, number>> {
    const rows = await this.#tx.all<object, { owner: string; due_at: number }>(this.#statements.earliestDues, {});
    return new Map(rows.map(({ owner, due_at }) => [owner, due_at]));
  }

  /** Returns the owners of buys. */
  async owners(): Promise<string[]> {
    const owners: string[] = [];
    const { ownerAfter } = this.#statements;
    for (let row = await this.#tx.one(ownerAfter, { owner: '' }); row !== undefined; ) {
      owners.push(row.owner);
      row = await this.#tx.one(ownerAfter, { owner: row.owner });
    }
    return owners;
  }

  /** Returns the buys carried out in a certain manner whose present revision is not confirmed as booked. */
  async unbooked(fulfillment: Fulfillment, limit: number): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.unbooked, { fulfillment, limit }));
  }

  /** Returns the buys that are to be booked in an ad server by `nowMs`: new revisions, and those whose next attempt has come. */
  toBook(nowMs: number, limit: number): Promise<readonly WaitingBuy[]> {
    return this.#tx.all(this.#statements.toBook, { now: nowMs, limit });
  }

  /** Returns the buys that the ad server will not have as they are, or has not taken for so long that a person has to look. */
  async unbookable(limit: number): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.unbookable, { limit }));
  }

  /** Returns the buys that their ad servers have not taken at the first attempt, or that have waited for an answer since a moment. */
  async troubled(sinceMs: number, limit: number): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.troubled, { since: sinceMs, limit }));
  }

  /** Returns how many buys wait to be booked, and since when, by how they are carried out. */
  bookingBacklog(): Promise<readonly BookingBacklog[]> {
    return this.#tx.all(this.#statements.bookingBacklog, {});
  }

  /** Returns the newest buys of every owner before a position; for the operator alone. */
  async newest(before: number | undefined, limit: number): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.newest, { before: before ?? MAX_SEQ, limit }));
  }

  /** Returns the newest buys of every owner whose record has a text in it (its letters in lower case), of a stretch of the list; for the operator alone. */
  async search(text: string, before: number | undefined, limit: number): Promise<SearchedBuys> {
    const start = before ?? MAX_SEQ;
    const last = await this.#tx.one(this.#statements.searchFrom, { before: start, offset: SEARCHED_BUYS - 1 });
    const from = last?.seq ?? 0;
    const found = await this.#tx.scan(this.#statements.search, { before: start, from, text, limit: limit + 1 });
    const rows = await this.#parseBuyRows(found.slice(0, limit));
    return { rows, next: found.length > limit ? rows.at(-1)?.seq : last?.seq };
  }

  /** Returns how many buys each owner has in each state; for the operator alone. */
  async countByStatus(): Promise<readonly StatusCount[]> {
    const rows = await this.#tx.scan(this.#statements.countByStatus, {});
    return rows.map(({ total, ...row }) => ({ ...row, total: Number(total) }));
  }

  /** Returns running buys behind a position, those that end first before others; of every owner unless one is named, for the operator alone. */
  async running(owner: string | undefined, page: RunningPage): Promise<RunningBuy[]> {
    const rows = await this.#tx.all(this.#statements.running(owner, page), {});
    return Promise.all(rows.map(async (row) => ({ ...(await this.#parseBuyRow(row)), dueMs: Number(row.due_at) })));
  }

  #parseBuyRows(rows: readonly BuyRow[]): Promise<MediaBuyRow[]> {
    return Promise.all(rows.map((row) => this.#parseBuyRow(row)));
  }

  async #parseBuyRow({ seq, owner, doc }: BuyRow): Promise<MediaBuyRow> {
    return { seq, owner, buy: await this.#terms.readBuy(this.#tx, doc) };
  }
}

/** Reads and writes media buys in one transaction. */
export class MediaBuyWriter extends MediaBuyReader {
  readonly #tx: Writing;
  readonly #statements: MediaBuyStatements;
  readonly #terms: SoldTerms;

  constructor(tx: Writing, statements: MediaBuyStatements, terms: SoldTerms) {
    super(tx, statements, terms);
    this.#tx = tx;
    this.#statements = statements;
    this.#terms = terms;
  }

  /** Inserts a buy. `isBooked`: the ad server has confirmed its revision, or need not be told. */
  async insert(owner: string, buy: MediaBuy, isBooked: boolean): Promise<void> {
    this.#tx.write(this.#statements.insert, {
      ...(await this.#storedBuy(buy)),
      owner,
      account_id: buy.account_id,
      booked_revision: isBooked ? buy.revision : 0,
      created_at: Date.parse(buy.created_at),
    });
  }

  /** Replaces the buy with its id. `isBooked`: the ad server has confirmed its revision, or need not be told. */
  async replace(buy: MediaBuy, isBooked: boolean): Promise<void> {
    const { media_buy_id, revision } = buy;
    this.#tx.write(this.#statements.replace, await this.#storedBuy(buy));
    if (isBooked) this.#tx.write(this.#statements.book, { media_buy_id, revision });
  }

  /** Adds an entry to a buy's history. */
  async record(media_buy_id: string, entry: HistoryEntry): Promise<void> {
    const { revision } = entry;
    this.#tx.write(this.#statements.addEvent, { media_buy_id, revision, doc: JSON.stringify(entry) });
  }

  /** Records that the ad server has confirmed a revision; returns whether it had confirmed none before. */
  async book(media_buy_id: string, revision: number): Promise<boolean> {
    const isFirst = (await this.#tx.run(this.#statements.bookFirst, { media_buy_id, revision })) === 1;
    if (!isFirst) this.#tx.write(this.#statements.book, { media_buy_id, revision });
    return isFirst;
  }

  /** Counts a revision as booked where `before` was: what changed needs nobody's hand, or, with `revision` the lower one, it does. */
  async carryBooking(media_buy_id: string, before: number, revision: number): Promise<void> {
    this.#tx.write(this.#statements.carryBooking, { media_buy_id, before, revision });
  }

  async addFeedback(owner: string, media_buy_id: string, received_at: number, feedback: unknown): Promise<void> {
    this.#tx.write(this.#statements.addFeedback, {
      owner,
      media_buy_id,
      received_at,
      doc: JSON.stringify(feedback),
    });
  }

  async #storedBuy(buy: MediaBuy): Promise<StoredBuy> {
    return {
      media_buy_id: buy.media_buy_id,
      status: buy.status,
      revision: buy.revision,
      due_at: nextDueMs(buy) ?? null,
      ended_at: isTerminal(buy.status) ? Date.parse(buy.updated_at) : null,
      doc: await this.#terms.writeBuy(this.#tx, buy),
    };
  }
}
