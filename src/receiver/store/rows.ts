import { sql } from '../../platform/database/kysely.js';
import { type Migration, table } from '../../platform/database/migrations.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';

/** Where a received event stands: still to be handled, handled, or given up after every try. */
export type ReceivedState = 'waiting' | 'handled' | 'dead';

/** A verified event as it arrives. Times in ms since the epoch. */
export type ArrivedEvent = {
  /** The authenticated identity of who sent it; with the key it is what makes an event one and the same. */
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
export type StoredEvent = Omit<ArrivedEvent, 'body'> & {
  readonly seq: number;
  readonly body: string | null;
  readonly size_bytes: number;
  /** The first key that its notification_id came under, where that was another. */
  readonly reemission_of: string | null;
  readonly state: ReceivedState;
  /** Made so far. */
  readonly tries: number;
  /** Why the last try failed. */
  readonly reason: string | null;
  /** When it is handled next; null once nothing is left to do. */
  readonly due_at: number | null;
  readonly finished_at: number | null;
};

/** What a try to handle an event came to. */
export type SettledReceipt = Pick<StoredEvent, 'seq' | 'state' | 'tries' | 'reason' | 'due_at' | 'finished_at'>;

/** The tables of a receiver's file. */
export type ReceiverTables = {
  received: StoredEvent;
  /** Every notification id with the first key that it came under. */
  notification: { sender: string; notification_id: string; first_key: string; seen_at: number };
};

/** What a receiver's file is made by; like the seller's, a released one is never edited. */
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

const ARRIVED = [
  'sender',
  'idempotency_key',
  'notification_id',
  'mode',
  'keyid',
  'target',
  'body',
  'received_at',
] as const;
const SETTLED = ['state', 'tries', 'reason', 'due_at', 'finished_at'] as const;

type Key = { sender: string; idempotency_key: string };
type Notification = { sender: string; notification_id: string };
type Added = ArrivedEvent & { size_bytes: number; reemission_of: string | null; state: ReceivedState; none: number };
type Held = { count: number; bytes: number | null };

/** Every statement of a receiver's store, compiled. */
export function receiverStatements(db: Builder<ReceiverTables>) {
  const prepare = createPrepare(db);
  return {
    byKey: prepare<Key, { seq: number }>((q, slot) =>
      q
        .selectFrom('received')
        .select('seq')
        .where('sender', '=', slot('sender'))
        .where('idempotency_key', '=', slot('idempotency_key')),
    ),
    bySeq: prepare<{ seq: number }, StoredEvent>((q, slot) =>
      q.selectFrom('received').selectAll().where('seq', '=', slot('seq')),
    ),
    add: prepare<Added>((q, slot) =>
      q.insertInto('received').values({
        ...Object.fromEntries(ARRIVED.map((column) => [column, slot(column)])),
        size_bytes: slot('size_bytes'),
        reemission_of: slot('reemission_of'),
        state: slot('state'),
        tries: slot('none'),
        due_at: slot('received_at'),
      } as never),
    ),
    notification: prepare<Notification, { first_key: string }>((q, slot) =>
      q
        .selectFrom('notification')
        .select('first_key')
        .where('sender', '=', slot('sender'))
        .where('notification_id', '=', slot('notification_id')),
    ),
    notice: prepare<Notification & { first_key: string; seen_at: number }>((q, slot) =>
      q
        .insertInto('notification')
        .values({
          sender: slot('sender'),
          notification_id: slot('notification_id'),
          first_key: slot('first_key'),
          seen_at: slot('seen_at'),
        })
        .onConflict((c) => c.columns(['sender', 'notification_id']).doUpdateSet({ seen_at: slot('seen_at') })),
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
    list: prepare<{ state: ReceivedState; after: number; limit: number }, StoredEvent>((q, slot) =>
      q
        .selectFrom('received')
        .selectAll()
        .where('state', '=', slot('state'))
        .where('seq', '<', slot('after'))
        .orderBy('seq', 'desc')
        .limit(slot('limit')),
    ),
    settle: prepare<SettledReceipt & { body: string | null }>((q, slot) =>
      q
        .updateTable('received')
        .set({ ...Object.fromEntries(SETTLED.map((column) => [column, slot(column)])), body: slot('body') })
        .where('seq', '=', slot('seq')),
    ),
    revive: prepare<{ seq: number; now: number; from: ReceivedState; to: ReceivedState; none: number }>((q, slot) =>
      q
        .updateTable('received')
        .set({ state: slot('to'), tries: slot('none'), reason: null, due_at: slot('now'), finished_at: null })
        .where('seq', '=', slot('seq'))
        .where('state', '=', slot('from')),
    ),
    ended: prepare<{ state: ReceivedState; before: number }, Held>((q, slot) =>
      q
        .selectFrom('received')
        .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<number | null>('size_bytes').as('bytes')])
        .where('state', '=', slot('state'))
        .where('finished_at', '<', slot('before')),
    ),
    forget: prepare<{ state: ReceivedState; before: number }>((q, slot) =>
      q.deleteFrom('received').where('state', '=', slot('state')).where('finished_at', '<', slot('before')),
    ),
    forgetNotifications: prepare<{ before: number }>((q, slot) =>
      q.deleteFrom('notification').where('seen_at', '<', slot('before')),
    ),
    events: prepare<object, { count: number }>((q) =>
      q.selectFrom('received').select((e) => e.fn.countAll<number>().as('count')),
    ),
    notifications: prepare<object, { count: number }>((q) =>
      q.selectFrom('notification').select((e) => e.fn.countAll<number>().as('count')),
    ),
    held: prepare<object, Held>((q) =>
      q
        .selectFrom('received')
        .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<number | null>('size_bytes').as('bytes')])
        .where('body', 'is not', null),
    ),
  };
}
