import { sql } from '../../../platform/database/kysely.js';
import {
  type Builder,
  createPrepare,
  type DocRow,
  once,
  type Statement,
} from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import { isTerminal, MEDIA_BUY_STATUSES } from '../../domain/media-buy/media-buy.js';
import type { SellerTables } from '../schema/schema.js';

/** A buy as it is read: its position in the list, its owner and its document. */
export type BuyRow = { seq: number; owner: string; doc: string };
/** A buy as a change writes it. */
export type StoredBuy = {
  media_buy_id: string;
  status: string;
  revision: number;
  due_at: number | null;
  ended_at: number | null;
  doc: string;
};
type AddedBuy = StoredBuy & { owner: string; account_id: string; booked_revision: number; created_at: number };

/** Narrows a list of buys; absent means any. */
export type MediaBuyFilter = {
  readonly accountId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
};
/** How many buys of an owner are in a state. */
export type StatusCount = { readonly owner: string; readonly status: string; readonly total: number };
/** A page of running buys: at most `limit` behind a buy's end (ms) and position. */
export type RunningPage = { readonly dueMs: number; readonly seq: number; readonly limit: number };

/** The states of a buy that has not ended. */
const LIVE = MEDIA_BUY_STATUSES.filter((status) => !isTerminal(status));

/** The id that a buy has in the seller's ad server, as its index spells it. */
const ORDER_ID = sql<string | null>`doc ->> '$.booked_by_hand.order_id'`;

/** How a text may be spelled: as it was typed, or with its letters in another case. */
const SPELLINGS = ['lower', 'typed', 'upper', 'capital'] as const;
/** A text in each of its spellings, its letters of ASCII in lower case: the engines lower no others. */
export type Spellings = Readonly<Record<(typeof SPELLINGS)[number], string>>;

/** Returns the statements that find, list and change media buys. */
export function buyStatements(db: Builder<SellerTables>) {
  return { ...findStatements(db), ...dueStatements(db), ...operatorStatements(db), ...changeStatements(db) };
}

/** Returns the statement that finds buys of a stretch of the list whose record has a text in it, in one of the spellings. */
function searchStatement(db: Builder<SellerTables>, spellings: readonly (keyof Spellings)[]) {
  const prepare = createPrepare(db);
  return prepare<Spellings & { before: number; from: number; limit: number }, BuyRow>((q, slot) =>
    q
      .selectFrom('media_buy')
      .select(['seq', 'owner', 'doc'])
      .where('seq', '<', slot('before'))
      .where('seq', '>=', slot('from'))
      .where((is) => is.or(spellings.map((name) => sql<boolean>`instr(lower(doc), ${slot(name)}) > 0`)))
      .orderBy('seq', 'desc')
      .limit(slot('limit')),
  );
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
    search: searchStatement(db, ['lower']),
    searchSpellings: searchStatement(db, SPELLINGS),
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
    addEvent: prepare<{ media_buy_id: string; revision: number; doc: string }>((q, slot) =>
      q.insertInto('media_buy_event').values(slot.each('media_buy_id', 'revision', 'doc')),
    ),
    addFeedback: prepare<{ owner: string; media_buy_id: string; received_at: number; doc: string }>((q, slot) =>
      q.insertInto('feedback').values(slot.each('owner', 'media_buy_id', 'received_at', 'doc')),
    ),
  };
}
