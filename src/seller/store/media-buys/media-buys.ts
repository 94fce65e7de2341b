import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, parseDoc } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import { isWithin, narrowToScope, ownerOf, type Scope } from '../../domain/account/scope.js';
import type { Fulfillment } from '../../domain/media-buy/fulfillment.js';
import { type HistoryEntry, isTerminal, type MediaBuy, nextDueMs } from '../../domain/media-buy/media-buy.js';
import { listOwners } from '../owners.js';
import type { SellerTables } from '../schema/schema.js';
import type { SoldTerms } from '../sold-terms.js';
import { type BookingBacklog, bookingStatements, type WaitingBuy } from './booking-statements.js';
import {
  type BuyRow,
  buyStatements,
  type MediaBuyFilter,
  type RunningPage,
  type Spellings,
  type StatusCount,
  type StoredBuy,
} from './statements.js';

/** A buy with its owner. */
export type OwnedBuy = { readonly owner: string; readonly buy: MediaBuy };
/** A buy with its owner and its position in the list. */
type MediaBuyRow = OwnedBuy & { readonly seq: number };
/** A running buy with when the clock moves it, which is where the page behind it begins. */
type RunningBuy = MediaBuyRow & { readonly dueMs: number };
/** The result of a search; `next` is the position to go on from, undefined where all were looked through. */
type SearchedBuys = { readonly rows: readonly MediaBuyRow[]; readonly next: number | undefined };

/** The most buys that follow one change of what they need. */
const MAX_NAMING = 10_000;

/** Beyond every position in the list. */
const MAX_SEQ = Number.MAX_SAFE_INTEGER;

/** The most buys that one search looks through: each is read from the disk. */
const MAX_SEARCHED_BUYS = 10_000;
/** Letters whose case the engines do not know. */
const LETTERS_BEYOND_ASCII = /[^\p{ASCII}\p{Lo}]/u;

/** The compiled statements on media buys. */
type MediaBuyStatements = ReturnType<typeof mediaBuyStatements>;

/** Returns the statements on media buys, compiled for an engine. */
export function mediaBuyStatements(db: Builder<SellerTables>) {
  return { ...buyStatements(db), ...bookingStatements(db) };
}

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
  owners(): Promise<string[]> {
    return listOwners(this.#tx, this.#statements.ownerAfter);
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

  /** Returns the newest buys of every owner whose record has a text in it, in whatever case, of a stretch of the list; for the operator alone. */
  async search(text: string, before: number | undefined, limit: number): Promise<SearchedBuys> {
    const start = before ?? MAX_SEQ;
    const last = await this.#tx.one(this.#statements.searchFrom, { before: start, offset: MAX_SEARCHED_BUYS - 1 });
    const from = last?.seq ?? 0;
    const { search, searchSpellings } = this.#statements;
    const statement = LETTERS_BEYOND_ASCII.test(text) ? searchSpellings : search;
    const range = { before: start, from, limit: limit + 1 };
    const matches = await this.#tx.scan(statement, { ...range, ...spellText(text) });
    const rows = await this.#parseBuyRows(matches.slice(0, limit));
    return { rows, next: matches.length > limit ? rows.at(-1)?.seq : last?.seq };
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

function spellText(text: string): Spellings {
  const lower = text.toLowerCase();
  const upper = lowerAscii(text.toUpperCase());
  const capital = lowerAscii(lower.replaceAll(/(?<!\p{L})\p{L}/gu, (first) => first.toUpperCase()));
  return { lower, typed: lowerAscii(text), upper, capital };
}

function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
