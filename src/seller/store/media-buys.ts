import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { type HistoryEntry, type MediaBuy, nextDueMs } from '../domain/media-buy/media-buy.js';
import { type DocRow, parseDoc } from './doc.js';
import type { SellerTables } from './schema/schema.js';
import type { SoldTerms } from './sold-terms.js';

/** A buy with its owner. */
export type OwnedBuy = { readonly owner: string; readonly buy: MediaBuy };
/** A buy with its owner and its position in the list. */
export type MediaBuyRow = OwnedBuy & { readonly seq: number };

/** Narrows a list of buys; absent means any. */
export type MediaBuyFilter = {
  readonly accountId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
};

type BuyRow = { seq: number; owner: string; doc: string };
type StoredBuy = { media_buy_id: string; status: string; revision: number; due_at: number | null; doc: string };
type AddedBuy = StoredBuy & { owner: string; account_id: string; booked_revision: number; created_at: number };
type Booking = { media_buy_id: string; revision: number };

/** Returns the statements on media buys, compiled for an engine. */
export function mediaBuyStatements(db: Builder<SellerTables>) {
  return { ...findStatements(db), ...dueStatements(db), ...changeStatements(db) };
}

function findStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ owner: string; media_buy_id: string }, DocRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select('doc')
        .where((is) => is.and(slot.each('media_buy_id', 'owner'))),
    ),
    anywhere: prepare<{ media_buy_id: string }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where((is) => is.and(slot.each('media_buy_id'))),
    ),
    history: prepare<{ media_buy_id: string; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('media_buy_event')
        .select('doc')
        .where((is) => is.and(slot.each('media_buy_id')))
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    list: (owner: string, page: Page, { accountId, ids, statuses }: MediaBuyFilter) => {
      let query = db.selectFrom('media_buy').select(['seq', 'owner', 'doc']).where('owner', '=', owner);
      if (page.after !== undefined) query = query.where('seq', '<', page.after);
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (ids !== undefined) query = query.where('media_buy_id', 'in', [...ids]);
      if (statuses !== undefined) query = query.where('status', 'in', [...statuses]);
      return once(query.orderBy('seq', 'desc').limit(page.limit + 1));
    },
  };
}

function dueStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<{ now: number; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    dueOfOwner: prepare<{ owner: string; now: number; limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit')),
    ),
    earliestDue: prepare<object, { due_at: number | null }>((q) =>
      q.selectFrom('media_buy').select('due_at').where('due_at', 'is not', null).orderBy('due_at').limit(1),
    ),
    earliestDueOfOwner: prepare<{ owner: string }, { due_at: number | null }>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select('due_at')
        .where('owner', '=', slot('owner'))
        .where('due_at', 'is not', null)
        .orderBy('due_at')
        .limit(1),
    ),
    unbooked: prepare<{ limit: number }, BuyRow>((q, slot) =>
      q
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .whereRef('booked_revision', '<', 'revision')
        .orderBy('seq')
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
        ...slot.each('booked_revision', 'due_at', 'created_at', 'doc'),
      }),
    ),
    replace: prepare<StoredBuy>((q, slot) =>
      q
        .updateTable('media_buy')
        .set(slot.each('status', 'revision', 'due_at', 'doc'))
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
    addEvent: prepare<{ media_buy_id: string; revision: number; doc: string }>((q, slot) =>
      q.insertInto('media_buy_event').values(slot.each('media_buy_id', 'revision', 'doc')),
    ),
    addFeedback: prepare<{ media_buy_id: string; received_at: number; doc: string }>((q, slot) =>
      q.insertInto('feedback').values(slot.each('media_buy_id', 'received_at', 'doc')),
    ),
  };
}

/** The compiled statements on media buys. */
export type MediaBuyStatements = ReturnType<typeof mediaBuyStatements>;

/** Reads media buys; a read by id names the owner, so that somebody else's buy is not there. */
export class MediaBuyReader {
  readonly #tx: Reading;
  readonly #statements: MediaBuyStatements;
  readonly #terms: SoldTerms;

  constructor(tx: Reading, statements: MediaBuyStatements, terms: SoldTerms) {
    this.#tx = tx;
    this.#statements = statements;
    this.#terms = terms;
  }

  async find(owner: string, media_buy_id: string): Promise<MediaBuy | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, media_buy_id });
    return row && this.#terms.readBuy(this.#tx, row.doc);
  }

  /** Returns a buy of whatever owner; for the operator alone. */
  async findAnywhere(media_buy_id: string): Promise<MediaBuyRow | undefined> {
    const row = await this.#tx.one(this.#statements.anywhere, { media_buy_id });
    return row && this.#parseBuyRow(row);
  }

  /** Returns the newest first, one row more than the page asks for where there is one. */
  async list(owner: string, page: Page, filter: MediaBuyFilter): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.list(owner, page, filter), {}));
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

  /** Returns the buys that the clock should have moved by `now` (ms), of all owners unless one is named. */
  async due(now: number, limit: number, owner?: string): Promise<MediaBuyRow[]> {
    const rows =
      owner === undefined
        ? await this.#tx.all(this.#statements.due, { now, limit })
        : await this.#tx.all(this.#statements.dueOfOwner, { owner, now, limit });
    return this.#parseBuyRows(rows);
  }

  /** Returns when the clock moves the next buy (ms), of all owners or of one; undefined when none waits. */
  async earliestDue(owner?: string): Promise<number | undefined> {
    const row =
      owner === undefined
        ? await this.#tx.one(this.#statements.earliestDue, {})
        : await this.#tx.one(this.#statements.earliestDueOfOwner, { owner });
    return row?.due_at ?? undefined;
  }

  /** Returns the buys whose present revision the ad server has not confirmed. */
  async unbooked(limit: number): Promise<MediaBuyRow[]> {
    return this.#parseBuyRows(await this.#tx.all(this.#statements.unbooked, { limit }));
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
    await this.#tx.run(this.#statements.insert, {
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
    await this.#tx.run(this.#statements.replace, await this.#storedBuy(buy));
    if (isBooked) await this.#tx.run(this.#statements.book, { media_buy_id, revision });
  }

  /** Adds an entry to a buy's history. */
  async record(media_buy_id: string, entry: HistoryEntry): Promise<void> {
    const { revision } = entry;
    await this.#tx.run(this.#statements.addEvent, { media_buy_id, revision, doc: JSON.stringify(entry) });
  }

  /** Records that the ad server has confirmed a revision; returns whether it had confirmed none before. */
  async book(media_buy_id: string, revision: number): Promise<boolean> {
    const isFirst = (await this.#tx.run(this.#statements.bookFirst, { media_buy_id, revision })) === 1;
    if (!isFirst) await this.#tx.run(this.#statements.book, { media_buy_id, revision });
    return isFirst;
  }

  async addFeedback(media_buy_id: string, received_at: number, feedback: unknown): Promise<void> {
    await this.#tx.run(this.#statements.addFeedback, { media_buy_id, received_at, doc: JSON.stringify(feedback) });
  }

  async #storedBuy(buy: MediaBuy): Promise<StoredBuy> {
    return {
      media_buy_id: buy.media_buy_id,
      status: buy.status,
      revision: buy.revision,
      due_at: nextDueMs(buy) ?? null,
      doc: await this.#terms.writeBuy(this.#tx, buy),
    };
  }
}
