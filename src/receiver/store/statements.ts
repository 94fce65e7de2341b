import { type Generated, sql } from '../../platform/database/kysely.js';
import { type Migration, table } from '../../platform/database/migrations.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';

/** The state of a received event: to be handled, handled, or given up after every try. */
export type HandlingState = 'waiting' | 'handled' | 'dead';

/** A verified event as it was received. Times in ms since the epoch. */
export type NewReceivedEvent = {
  /** The authenticated identity of the sender; with the key it identifies an event. */
  readonly sender: string;
  readonly idempotency_key: string;
  readonly notification_id: string | null;
  /** How it was proven, and with which key where there is one. */
  readonly mode: string;
  readonly keyid: string | null;
  /** Path and query that it was posted to. */
  readonly target: string;
  /** The exact text that was posted. */
  readonly body: string;
  readonly received_at: number;
};

/** An event as it is stored. The body goes once it is handled; the key stays. */
export type StoredEvent = Omit<NewReceivedEvent, 'body'> & {
  readonly seq: number;
  readonly body: string | null;
  readonly size_bytes: number;
  /** The first key that its notification_id was received under, where that was another. */
  readonly reemission_of: string | null;
  readonly state: HandlingState;
  /** Tries so far. */
  readonly tries: number;
  /** Why the last try failed. */
  readonly reason: string | null;
  /** When it is handled next; null once nothing is left to do. */
  readonly due_at: number | null;
  readonly finished_at: number | null;
};

/** The result of a try to handle an event. */
export type HandlingResult = Pick<StoredEvent, 'seq' | 'state' | 'tries' | 'reason' | 'due_at' | 'finished_at'>;

/** The tables of a receiver's file. */
export type ReceiverTables = {
  received: Omit<StoredEvent, 'seq'> & { seq: Generated<number> };
  /** Every notification id with the first key that it was received under. */
  notification: { sender: string; notification_id: string; first_key: string; seen_at: number };
};

/** The migrations of a receiver's file; a released one is never edited. */
export const RECEIVER_MIGRATIONS: readonly Migration[] = [
  (schema, engine) => [
    table(schema, engine, 'received')
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('idempotency_key', 'text', (c) => c.notNull())
      .addColumn('notification_id', 'text')
      .addColumn('reemission_of', 'text')
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('keyid', 'text')
      .addColumn('target', 'text', (c) => c.notNull())
      .addColumn('body', 'text')
      .addColumn('size_bytes', 'integer', (c) => c.notNull())
      .addColumn('received_at', 'bigint', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('tries', 'integer', (c) => c.notNull())
      .addColumn('reason', 'text')
      .addColumn('due_at', 'bigint')
      .addColumn('finished_at', 'bigint'),
    schema.createIndex('received_by_key').unique().on('received').columns(['sender', 'idempotency_key']),
    schema
      .createIndex('received_by_due')
      .on('received')
      .columns(['due_at', 'seq'])
      .where(sql.ref('due_at'), 'is not', null),
    schema
      .createIndex('received_finished')
      .on('received')
      .columns(['state', 'finished_at'])
      .where(sql.ref('finished_at'), 'is not', null),
    schema
      .createTable('notification')
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('notification_id', 'text', (c) => c.notNull())
      .addColumn('first_key', 'text', (c) => c.notNull())
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('notification_key', ['sender', 'notification_id']),
    schema.createIndex('notification_by_time').on('notification').column('seen_at'),
  ],
];

const ADDED_COLUMNS = [
  'sender',
  'idempotency_key',
  'notification_id',
  'mode',
  'keyid',
  'target',
  'body',
  'received_at',
  'size_bytes',
  'reemission_of',
  'state',
] as const;

type Key = { sender: string; idempotency_key: string };
type Notification = { sender: string; notification_id: string };
type AddedEvent = NewReceivedEvent & {
  size_bytes: number;
  reemission_of: string | null;
  state: HandlingState;
  none: number;
};
type HeldBodies = { count: number; bytes: number | null };

/** Returns every statement of a receiver's store, compiled. */
export function receiverStatements(db: Builder<ReceiverTables>) {
  return { ...eventStatements(db), ...notificationStatements(db), ...totalStatements(db) };
}

/** The compiled statements of a receiver's store. */
export type ReceiverStatements = ReturnType<typeof receiverStatements>;

function eventStatements(db: Builder<ReceiverTables>) {
  const prepare = createPrepare(db);
  return {
    byKey: prepare<Key, { seq: number }>((q, slot) =>
      q
        .selectFrom('received')
        .select('seq')
        .where((is) => is.and(slot.each('sender', 'idempotency_key'))),
    ),
    bySeq: prepare<{ seq: number }, StoredEvent>((q, slot) =>
      q.selectFrom('received').selectAll().where('seq', '=', slot('seq')),
    ),
    add: prepare<AddedEvent>((q, slot) =>
      q
        .insertInto('received')
        .values({ ...slot.each(...ADDED_COLUMNS), tries: slot('none'), due_at: slot('received_at') }),
    ),
    due: prepare<{ now: number; limit: number }, { seq: number }>((q, slot) =>
      q
        .selectFrom('received')
        .select('seq')
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    list: prepare<{ state: HandlingState; after: number; limit: number }, StoredEvent>((q, slot) =>
      q
        .selectFrom('received')
        .selectAll()
        .where('state', '=', slot('state'))
        .where('seq', '<', slot('after'))
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    settle: prepare<HandlingResult & { body: string | null }>((q, slot) =>
      q
        .updateTable('received')
        .set(slot.each('state', 'tries', 'reason', 'due_at', 'finished_at', 'body'))
        .where('seq', '=', slot('seq')),
    ),
    revive: prepare<{ seq: number; now: number; from: HandlingState; to: HandlingState; none: number }>((q, slot) =>
      q
        .updateTable('received')
        .set({ state: slot('to'), tries: slot('none'), reason: null, due_at: slot('now'), finished_at: null })
        .where('seq', '=', slot('seq'))
        .where('state', '=', slot('from')),
    ),
    forget: prepare<{ state: HandlingState; before: number }>((q, slot) =>
      q.deleteFrom('received').where('state', '=', slot('state')).where('finished_at', '<', slot('before')),
    ),
  };
}

function notificationStatements(db: Builder<ReceiverTables>) {
  const prepare = createPrepare(db);
  return {
    notification: prepare<Notification, { first_key: string }>((q, slot) =>
      q
        .selectFrom('notification')
        .select('first_key')
        .where((is) => is.and(slot.each('sender', 'notification_id'))),
    ),
    saveNotification: prepare<Notification & { first_key: string; seen_at: number }>((q, slot) =>
      q
        .insertInto('notification')
        .values(slot.each('sender', 'notification_id', 'first_key', 'seen_at'))
        .onConflict((c) => c.columns(['sender', 'notification_id']).doUpdateSet(slot.each('seen_at'))),
    ),
    forgetNotifications: prepare<{ before: number }>((q, slot) =>
      q.deleteFrom('notification').where('seen_at', '<', slot('before')),
    ),
  };
}

function totalStatements(db: Builder<ReceiverTables>) {
  const prepare = createPrepare(db);
  const heldBodies = (q: Builder<ReceiverTables>) =>
    q
      .selectFrom('received')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<number | null>('size_bytes').as('bytes')]);
  return {
    ended: prepare<{ state: HandlingState; before: number }, HeldBodies>((q, slot) =>
      heldBodies(q).where('state', '=', slot('state')).where('finished_at', '<', slot('before')),
    ),
    events: prepare<object, { count: number }>((q) =>
      q.selectFrom('received').select((e) => e.fn.countAll<number>().as('count')),
    ),
    notifications: prepare<object, { count: number }>((q) =>
      q.selectFrom('notification').select((e) => e.fn.countAll<number>().as('count')),
    ),
    held: prepare<object, HeldBodies>((q) => heldBodies(q).where('body', 'is not', null)),
  };
}
