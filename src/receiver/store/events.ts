import type { Reading, Writing } from '../../platform/database/engine.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import type { Page } from '../../platform/kernel/cursor.js';
import {
  type ArrivedEvent,
  RECEIVER_MIGRATIONS,
  type ReceivedState,
  type ReceiverTables,
  receiverStatements,
  type SettledReceipt,
  type StoredEvent,
} from './rows.js';

export type { ArrivedEvent, ReceivedState, SettledReceipt, StoredEvent } from './rows.js';

/** What became of an event that arrived; `full` when there is no room for a new one. */
export type StoredReceipt = 'kept' | 'duplicate' | 'full';

/** Bounds of a receiver's store. */
export type ReceiverLimits = {
  /** Keys and notification ids that are remembered. */
  readonly maxEntries: number;
  /** Events whose bodies are kept, because they wait or are dead; and the bytes of these bodies. */
  readonly maxHeld: number;
  readonly maxHeldBytes: number;
};

/** A million keys a day, of which ten thousand wait in 128 MiB. */
export const RECEIVER_LIMITS: ReceiverLimits = {
  maxEntries: 1_000_000,
  maxHeld: 10_000,
  maxHeldBytes: 128 * 1024 * 1024,
};

/** Instants in ms: what ended, or was last seen, before them is forgotten. */
export type ForgetBefore = { readonly handled: number; readonly dead: number; readonly notifications: number };

/** What a receiver remembers: which events came, and what waits to be handled. One store serves all its endpoints. */
export type ReceiverStore = {
  /**
   * Remembers an event with its body, in one write that is on disk when this answers. The first under a sender and key wins. A known
   * one is a duplicate, however full the store is.
   */
  readonly keep: (event: ArrivedEvent) => Promise<StoredReceipt>;
  /** Numbers of the events that are due, the longest due first. */
  readonly due: (nowMs: number, limit: number) => Promise<readonly number[]>;
  readonly find: (seq: number) => Promise<StoredEvent | undefined>;
  /** Newest first, one more than the page asks for where there is one. */
  readonly list: (state: ReceivedState, page: Page) => Promise<readonly StoredEvent[]>;
  /** Writes down what a try came to; does nothing to an event that does not wait any more. */
  readonly settle: (receipt: SettledReceipt) => Promise<void>;
  /** Makes a dead event due now, its tries counted anew; false when there is no such one. */
  readonly revive: (seq: number, nowMs: number) => Promise<boolean>;
  /** Answers how many rows went. What waits stays. */
  readonly prune: (before: ForgetBefore) => Promise<number>;
  readonly close: () => Promise<void>;
};

/** Opens a receiver's store on one SQLite file, creating and migrating it as needed. Only one process may hold it (`holdFolder`). */
export async function openReceiverStore(
  file: string,
  limits: ReceiverLimits = RECEIVER_LIMITS,
): Promise<ReceiverStore> {
  const engine = openSqlite<ReceiverTables>(file, { migrations: RECEIVER_MIGRATIONS });
  const statements = receiverStatements(engine.queries);
  const totals = await count(engine.reading);

  async function count(tx: Reading): Promise<{ entries: number; held: number; heldBytes: number }> {
    const [events, notifications] = [await tx.one(statements.events, {}), await tx.one(statements.notifications, {})];
    const held = await tx.one(statements.held, {});
    return {
      entries: (events?.count ?? 0) + (notifications?.count ?? 0),
      held: held?.count ?? 0,
      heldBytes: held?.bytes ?? 0,
    };
  }

  /** Answers how many entries are new; none for an event that is known. */
  async function add(tx: Writing, event: ArrivedEvent, size_bytes: number): Promise<number> {
    if ((await tx.one(statements.byKey, event)) !== undefined) return 0;
    const before = event.notification_id === null ? undefined : await notice(tx, event, event.notification_id);
    const isReemission = before !== undefined && before !== event.idempotency_key;
    const reemission_of = isReemission ? before : null;
    await tx.run(statements.add, { ...event, size_bytes, reemission_of, state: 'waiting', none: 0 });
    return event.notification_id !== null && before === undefined ? 2 : 1;
  }

  /** Remembers a notification id; answers the first key that it came under, where it is known. */
  async function notice(tx: Writing, event: ArrivedEvent, notification_id: string): Promise<string | undefined> {
    const { sender, idempotency_key: first_key, received_at: seen_at } = event;
    const known = await tx.one(statements.notification, { sender, notification_id });
    await tx.run(statements.notice, { sender, notification_id, first_key, seen_at });
    return known?.first_key;
  }

  function hasRoom(entries: number, bytes: number): boolean {
    return (
      totals.entries + entries <= limits.maxEntries &&
      totals.held < limits.maxHeld &&
      totals.heldBytes + bytes <= limits.maxHeldBytes
    );
  }

  function take(entries: number, held: number, bytes: number): void {
    totals.entries += entries;
    totals.held += held;
    totals.heldBytes += bytes;
  }

  return {
    keep: async (event) => {
      if ((await engine.reading.one(statements.byKey, event)) !== undefined) return 'duplicate';
      const bytes = Buffer.byteLength(event.body);
      const entries = event.notification_id === null ? 1 : 2;
      if (!hasRoom(entries, bytes)) return 'full';
      // Room is taken before the transaction, so that those that are committed together cannot overfill the store.
      take(entries, 1, bytes);
      let added = 0;
      try {
        added = await engine.transact((tx) => add(tx, event, bytes));
      } finally {
        take(added - entries, added === 0 ? -1 : 0, added === 0 ? -bytes : 0);
      }
      return added === 0 ? 'duplicate' : 'kept';
    },
    due: async (now, limit) => (await engine.reading.all(statements.due, { now, limit })).map(({ seq }) => seq),
    find: (seq) => engine.reading.one(statements.bySeq, { seq }),
    list: (state, { limit, after = Number.MAX_SAFE_INTEGER }) =>
      engine.reading.all(statements.list, { state, after, limit: limit + 1 }),
    settle: async (receipt) => {
      const freed = await engine.transact(async (tx) => {
        const event = await tx.one(statements.bySeq, { seq: receipt.seq });
        if (event?.state !== 'waiting') return undefined;
        await tx.run(statements.settle, { ...receipt, body: receipt.state === 'handled' ? null : event.body });
        return receipt.state === 'handled' ? event.size_bytes : undefined;
      });
      if (freed !== undefined) take(0, -1, -freed);
    },
    revive: async (seq, now) =>
      (await engine.transact((tx) => tx.run(statements.revive, { seq, now, from: 'dead', to: 'waiting', none: 0 }))) >
      0,
    prune: async ({ handled, dead, notifications }) => {
      const gone = await engine.transact(async (tx) => {
        const buried = await tx.one(statements.ended, { state: 'dead', before: dead });
        await tx.run(statements.forget, { state: 'dead', before: dead });
        const forgotten = await tx.run(statements.forget, { state: 'handled', before: handled });
        const unseen = await tx.run(statements.forgetNotifications, { before: notifications });
        return { rows: (buried?.count ?? 0) + forgotten + unseen, held: buried?.count ?? 0, bytes: buried?.bytes ?? 0 };
      });
      take(-gone.rows, -gone.held, -gone.bytes);
      return gone.rows;
    },
    close: () => engine.close(),
  };
}
