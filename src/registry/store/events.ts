import type { Reading, Writing } from '../../platform/database/engine.js';
import { sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { RegistryEvent } from '../model/records.js';
import type { RegistryTables } from './schema/schema.js';

/** Where a mirror stands in the feed of one registry. */
export type FeedCursor = {
  readonly cursor: string;
  /** When the end of the feed was last reached, ms; 0 before it ever was. */
  readonly syncedAt: number;
  /** What the rows were read of; `none` until what was there at the start has been read whole. */
  readonly basis: 'none' | 'records' | 'publishers';
};

/** An event as JSON text, with what a reader chooses it by. */
export type StoredEvent = { readonly event_id: string; readonly event_type: string; readonly doc: string };

/** Events in a row, as the items of a JSON list, and the last of them. */
type JoinedEvents = { readonly count: number; readonly last: string | null; readonly items: string | null };

/** The feed: the service's own log, and where a mirror stands in another's. */
export type EventReads = {
  /** Events after `after`, oldest first; from the first one for an empty text. */
  readonly page: (after: string, limit: number) => Promise<readonly RegistryEvent[]>;
  /** A page of events as they are stored, to be handed on without being read. */
  readonly texts: (after: string, limit: number) => Promise<readonly StoredEvent[]>;
  /** All of them joined already: a row for each costs more than its text does. */
  readonly joined: (after: string, limit: number) => Promise<JoinedEvents>;
  readonly find: (eventId: string) => Promise<RegistryEvent | undefined>;
  /** Ids of the oldest and of the newest event that are kept. */
  readonly floor: () => Promise<string | undefined>;
  readonly head: () => Promise<string | undefined>;
  readonly cursorOf: (registry: string) => Promise<FeedCursor | undefined>;
};
export type EventWrites = EventReads & {
  /** Begins a transaction: what the one before found is forgotten. */
  readonly begin: () => void;
  /** Returns the id that the next event has to follow: read once in a transaction, which nobody else writes to the feed beside. */
  readonly newest: () => Promise<string | undefined>;
  readonly append: (events: readonly RegistryEvent[]) => Promise<void>;
  /** Takes away an event that another primary has not. */
  readonly drop: (eventId: string) => Promise<void>;
  /** Forgets the events up to this one, but what is under a legal hold; returns how many went. */
  readonly pruneThrough: (eventId: string) => Promise<number>;
  readonly saveCursor: (registry: string, at: FeedCursor) => Promise<void>;
};

/** Returns the repository of the feed. */
export function eventRepository(db: Builder<RegistryTables>) {
  const statements = eventStatements(db);
  const decode = ({ doc }: { doc: string }): RegistryEvent => JSON.parse(doc) as RegistryEvent;

  const reads = (tx: Reading): EventReads => ({
    page: async (after, limit) => (await tx.all(statements.page, { after, limit })).map(decode),
    texts: (after, limit) => tx.all(statements.texts, { after, limit }),
    joined: async (after, limit) =>
      (await tx.one(statements.joined, { after, limit })) ?? { count: 0, last: null, items: null },
    find: async (id) => {
      const row = await tx.one(statements.find, { id });
      return row === undefined ? undefined : decode(row);
    },
    floor: async () => (await tx.one(statements.floor, {}))?.event_id,
    head: async () => (await tx.one(statements.head, {}))?.event_id,
    cursorOf: async (registry) => {
      const row = await tx.one(statements.cursorOf, { registry });
      return row && { cursor: row.cursor, syncedAt: row.synced_at, basis: row.basis };
    },
  });

  const writes = (tx: Writing): EventWrites => {
    const all = reads(tx);
    let newest: { readonly id: string | undefined } | undefined;
    return {
      ...all,
      begin: () => {
        newest = undefined;
      },
      newest: async () => {
        newest ??= { id: await all.head() };
        return newest.id;
      },
      append: async (events) => {
        for (const event of events) {
          const { event_id, event_type, entity_id, created_at } = event;
          const row = { event_id, event_type, entity_id, created_at: Date.parse(created_at) };
          await tx.run(statements.append, { ...row, doc: JSON.stringify(event) });
          if (newest !== undefined && (newest.id ?? '') < event_id) newest = { id: event_id };
        }
      },
      drop: async (id) => {
        await tx.run(statements.drop, { id });
        newest = undefined;
      },
      pruneThrough: (id) => tx.run(statements.pruneThrough, { id }),
      saveCursor: async (registry, at) => {
        await tx.run(statements.saveCursor, { registry, ...at });
      },
    };
  };
  return { reads, writes };
}

type EventRow = RegistryTables['event'];
type CursorRow = RegistryTables['feed_cursor'];

function eventStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    page: prepare<{ after: string; limit: number }, { doc: string }>((q, slot) =>
      q
        .selectFrom('event')
        .select('doc')
        .where('event_id', '>', slot('after'))
        .orderBy('event_id')
        .limit(slot('limit')),
    ),
    texts: prepare<{ after: string; limit: number }, StoredEvent>((q, slot) =>
      q
        .selectFrom('event')
        .select(['event_id', 'event_type', 'doc'])
        .where('event_id', '>', slot('after'))
        .orderBy('event_id')
        .limit(slot('limit')),
    ),
    joined: prepare<{ after: string; limit: number }, JoinedEvents>((q, slot) =>
      q
        .selectFrom(
          q
            .selectFrom('event')
            .select(['event_id', 'doc'])
            .where('event_id', '>', slot('after'))
            .orderBy('event_id')
            .limit(slot('limit'))
            .as('page'),
        )
        .select([
          sql<number>`count(*)`.as('count'),
          sql<string | null>`max(event_id)`.as('last'),
          // The rows come in the order of the page, which is how they are joined.
          sql<string | null>`string_agg(doc, ',')`.as('items'),
        ]),
    ),
    find: prepare<{ id: string }, { doc: string }>((q, slot) =>
      q.selectFrom('event').select('doc').where('event_id', '=', slot('id')),
    ),
    floor: prepare<object, { event_id: string }>((q) =>
      q.selectFrom('event').select('event_id').orderBy('event_id').limit(1),
    ),
    head: prepare<object, { event_id: string }>((q) =>
      q.selectFrom('event').select('event_id').orderBy('event_id', 'desc').limit(1),
    ),
    append: prepare<EventRow>((q, slot) =>
      q.insertInto('event').values({
        event_id: slot('event_id'),
        event_type: slot('event_type'),
        entity_id: slot('entity_id'),
        created_at: slot('created_at'),
        doc: slot('doc'),
      }),
    ),
    drop: prepare<{ id: string }>((q, slot) => q.deleteFrom('event').where('event_id', '=', slot('id'))),
    pruneThrough: prepare<{ id: string }>((q, slot) =>
      q
        .deleteFrom('event')
        .where('event_id', '<=', slot('id'))
        .where(
          sql<boolean>`NOT EXISTS (SELECT 1 FROM legal_hold WHERE event.entity_id = legal_hold.mark
            OR event.doc LIKE '%"' || legal_hold.mark || '"%' OR event.doc LIKE '%:' || legal_hold.mark || '"%')`,
        ),
    ),
    cursorOf: prepare<{ registry: string }, CursorRow>((q, slot) =>
      q.selectFrom('feed_cursor').selectAll().where('registry', '=', slot('registry')),
    ),
    saveCursor: prepare<FeedCursor & { registry: string }>((q, slot) =>
      q
        .insertInto('feed_cursor')
        .values({
          registry: slot('registry'),
          cursor: slot('cursor'),
          synced_at: slot('syncedAt'),
          basis: slot('basis'),
        })
        .onConflict((c) =>
          c.column('registry').doUpdateSet({
            cursor: slot('cursor'),
            synced_at: slot('syncedAt'),
            basis: slot('basis'),
          }),
        ),
    ),
  };
}
