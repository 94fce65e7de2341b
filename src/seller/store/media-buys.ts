import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../platform/database/statement.js';
import type { Page } from '../../platform/kernel/cursor.js';
import type { HistoryEntry, MediaBuy } from '../domain/media-buy/media-buy.js';
import { nextDueMs } from '../domain/media-buy/media-buy.js';
import type { SellerTables } from './schema/schema.js';
import { soldTermsRepository } from './sold-terms.js';

/** A buy with its owner. */
export type OwnedBuy = { readonly owner: string; readonly buy: MediaBuy };
/** The same with its place in the list. */
export type MediaBuyRow = OwnedBuy & { readonly seq: number };

/** What a list of buys is narrowed by; absent means any. */
export type MediaBuyFilter = {
  readonly accountId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
};

/** Media buys; a read by id always names the owner, so that somebody else's buy is not there. */
export type MediaBuyReads = {
  readonly find: (owner: string, mediaBuyId: string) => Promise<MediaBuy | undefined>;
  /** A buy of whoever it is; for the operator alone. */
  readonly findAnywhere: (mediaBuyId: string) => Promise<MediaBuyRow | undefined>;
  /** Newest first, one row more than the page asks for where there is one. */
  readonly list: (owner: string, page: Page, filter: MediaBuyFilter) => Promise<MediaBuyRow[]>;
  /** The newest `limit` entries per buy, newest first. */
  readonly history: (mediaBuyIds: readonly string[], limit: number) => Promise<Map<string, HistoryEntry[]>>;
  /** Buys that the clock should have moved by `nowMs`, across all owners unless one is named. */
  readonly due: (nowMs: number, limit: number, owner?: string) => Promise<MediaBuyRow[]>;
  /** When the clock moves the next buy, of all owners or of one; undefined when none waits. */
  readonly earliestDue: (owner?: string) => Promise<number | undefined>;
  /** Buys whose present revision the ad server has not confirmed. */
  readonly unbooked: (limit: number) => Promise<MediaBuyRow[]>;
};
export type MediaBuyWrites = MediaBuyReads & {
  /** `bookedRevision`: what the ad server needs to be told up to; equal to the revision where nobody has to be told. */
  readonly insert: (owner: string, buy: MediaBuy, booked: boolean) => Promise<void>;
  readonly replace: (buy: MediaBuy, booked: boolean) => Promise<void>;
  readonly record: (mediaBuyId: string, entry: HistoryEntry) => Promise<void>;
  /** The ad server has confirmed this revision; answers whether it had confirmed none before. */
  readonly book: (mediaBuyId: string, revision: number) => Promise<boolean>;
  readonly addFeedback: (mediaBuyId: string, receivedAt: number, feedback: unknown) => Promise<void>;
};

/** The media-buy repository over an engine. */
export function mediaBuyRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const byId = prepare<{ owner: string; id: string }, { doc: string }>((q, slot) =>
    q.selectFrom('media_buy').select('doc').where('media_buy_id', '=', slot('id')).where('owner', '=', slot('owner')),
  );
  const anywhere = prepare<{ id: string }, { seq: number; owner: string; doc: string }>((q, slot) =>
    q.selectFrom('media_buy').select(['seq', 'owner', 'doc']).where('media_buy_id', '=', slot('id')),
  );
  const dueBy = prepare<{ now: number; limit: number }, { seq: number; owner: string; doc: string }>((q, slot) =>
    q
      .selectFrom('media_buy')
      .select(['seq', 'owner', 'doc'])
      .where('due_at', '<=', slot('now'))
      .orderBy('due_at')
      .limit(slot('limit')),
  );
  const firstDue = prepare<object, { due_at: number | null }>((q) =>
    q.selectFrom('media_buy').select('due_at').where('due_at', 'is not', null).orderBy('due_at').limit(1),
  );
  type OwnDue = { owner: string; now: number; limit: number };
  const ownDueBy = prepare<OwnDue, { seq: number; owner: string; doc: string }>((q, slot) =>
    q
      .selectFrom('media_buy')
      .select(['seq', 'owner', 'doc'])
      .where('owner', '=', slot('owner'))
      .where('due_at', '<=', slot('now'))
      .orderBy('due_at')
      .limit(slot('limit')),
  );
  const ownFirstDue = prepare<{ owner: string }, { due_at: number | null }>((q, slot) =>
    q
      .selectFrom('media_buy')
      .select('due_at')
      .where('owner', '=', slot('owner'))
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(1),
  );
  const pending = prepare<{ limit: number }, { seq: number; owner: string; doc: string }>((q, slot) =>
    q
      .selectFrom('media_buy')
      .select(['seq', 'owner', 'doc'])
      .whereRef('booked_revision', '<', 'revision')
      .orderBy('seq')
      .limit(slot('limit')),
  );
  type Stored = { id: string; status: string; revision: number; due_at: number | null; doc: string };
  const add = prepare<Stored & { owner: string; account_id: string; booked: number; created_at: number }>((q, slot) =>
    q.insertInto('media_buy').values({
      owner: slot('owner'),
      account_id: slot('account_id'),
      media_buy_id: slot('id'),
      status: slot('status'),
      revision: slot('revision'),
      booked_revision: slot('booked'),
      due_at: slot('due_at'),
      created_at: slot('created_at'),
      doc: slot('doc'),
    } as never),
  );
  const update = prepare<Stored>((q, slot) =>
    q
      .updateTable('media_buy')
      .set({ status: slot('status'), revision: slot('revision'), due_at: slot('due_at'), doc: slot('doc') })
      .where('media_buy_id', '=', slot('id')),
  );
  const booked = prepare<{ id: string; revision: number }>((q, slot) =>
    q
      .updateTable('media_buy')
      .set({ booked_revision: slot('revision') })
      .where('media_buy_id', '=', slot('id'))
      .where('booked_revision', '<', slot('revision')),
  );
  const bookedFirst = prepare<{ id: string; revision: number }>((q, slot) =>
    q
      .updateTable('media_buy')
      .set({ booked_revision: slot('revision') })
      .where('media_buy_id', '=', slot('id'))
      .where('booked_revision', '=', 0),
  );
  const event = prepare<{ id: string; revision: number; doc: string }>((q, slot) =>
    q
      .insertInto('media_buy_event')
      .values({ media_buy_id: slot('id'), revision: slot('revision'), doc: slot('doc') } as never),
  );
  const feedback = prepare<{ id: string; received_at: number; doc: string }>((q, slot) =>
    q
      .insertInto('feedback')
      .values({ media_buy_id: slot('id'), received_at: slot('received_at'), doc: slot('doc') } as never),
  );

  const terms = soldTermsRepository(db);
  const decode = async (tx: Reading, rows: readonly { seq: number; owner: string; doc: string }[]) =>
    Promise.all(rows.map(async ({ seq, owner, doc }) => ({ seq, owner, buy: await terms.read(tx, doc) })));

  const reads = (tx: Reading): MediaBuyReads => ({
    find: async (owner, id) => {
      const row = await tx.one(byId, { owner, id });
      return row === undefined ? undefined : terms.read(tx, row.doc);
    },
    findAnywhere: async (id) => (await decode(tx, await tx.all(anywhere, { id })))[0],
    list: async (owner, page, filter) => {
      const query = db
        .selectFrom('media_buy')
        .select(['seq', 'owner', 'doc'])
        .where('owner', '=', owner)
        .$if(page.after !== undefined, (q) => q.where('seq', '<', page.after ?? 0))
        .$if(filter.accountId !== undefined, (q) => q.where('account_id', '=', filter.accountId ?? ''))
        .$if(filter.ids !== undefined, (q) => q.where('media_buy_id', 'in', [...(filter.ids ?? [])]))
        .$if(filter.statuses !== undefined, (q) => q.where('status', 'in', [...(filter.statuses ?? [])]))
        .orderBy('seq', 'desc')
        .limit(page.limit + 1);
      return decode(tx, await tx.all(once(query), {}));
    },
    history: async (ids, limit) => {
      const found = new Map<string, HistoryEntry[]>(ids.map((id) => [id, []]));
      for (const id of ids) {
        const query = db
          .selectFrom('media_buy_event')
          .select('doc')
          .where('media_buy_id', '=', id)
          .orderBy('seq', 'desc')
          .limit(limit);
        found.set(
          id,
          (await tx.all(once(query), {})).map((row) => JSON.parse(row.doc) as HistoryEntry),
        );
      }
      return found;
    },
    due: async (now, limit, owner) =>
      decode(tx, await (owner === undefined ? tx.all(dueBy, { now, limit }) : tx.all(ownDueBy, { owner, now, limit }))),
    earliestDue: async (owner) => {
      const row = await (owner === undefined ? tx.one(firstDue, {}) : tx.one(ownFirstDue, { owner }));
      return row?.due_at ?? undefined;
    },
    unbooked: async (limit) => decode(tx, await tx.all(pending, { limit })),
  });

  const writes = (tx: Writing): MediaBuyWrites => {
    const stored = async (buy: MediaBuy): Promise<Stored> => ({
      id: buy.media_buy_id,
      status: buy.status,
      revision: buy.revision,
      due_at: nextDueMs(buy) ?? null,
      doc: await terms.write(tx, buy),
    });
    return {
      ...reads(tx),
      insert: async (owner, buy, isBooked) => {
        const created_at = Date.parse(buy.created_at);
        await tx.run(add, {
          ...(await stored(buy)),
          owner,
          account_id: buy.account_id,
          booked: isBooked ? buy.revision : 0,
          created_at,
        });
      },
      replace: async (buy, isBooked) => {
        await tx.run(update, await stored(buy));
        if (isBooked) await tx.run(booked, { id: buy.media_buy_id, revision: buy.revision });
      },
      record: async (id, entry) => {
        await tx.run(event, { id, revision: entry.revision, doc: JSON.stringify(entry) });
      },
      book: async (id, revision) => {
        const isFirst = (await tx.run(bookedFirst, { id, revision })) === 1;
        if (!isFirst) await tx.run(booked, { id, revision });
        return isFirst;
      },
      addFeedback: async (id, received_at, entry) => {
        await tx.run(feedback, { id, received_at, doc: JSON.stringify(entry) });
      },
    };
  };
  return { reads, writes };
}
