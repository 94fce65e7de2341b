import type { Engine, Writing } from '../../platform/database/engine.js';
import { openSqlite } from '../../platform/database/sqlite/sqlite.js';
import type { Page } from '../../platform/kernel/cursor.js';
import {
  type HandlingResult,
  type HandlingState,
  type NewReceivedEvent,
  RECEIVER_MIGRATIONS,
  type ReceiverStatements,
  type ReceiverTables,
  receiverStatements,
  type StoredEvent,
} from './statements.js';

export type { HandlingResult, HandlingState, NewReceivedEvent, StoredEvent } from './statements.js';

/** The outcome of adding an event; `full` when there is no room for a new one. */
export type AddResult = 'added' | 'duplicate' | 'full';

/** Bounds of a receiver's store. */
export type ReceiverLimits = {
  /** Keys and notification ids that are remembered. */
  readonly maxEntries: number;
  /** Events with a body, because they wait or are dead. */
  readonly maxHeld: number;
  /** Bytes of these bodies. */
  readonly maxHeldBytes: number;
};

/** A million keys a day, of which ten thousand wait in 128 MiB. */
export const RECEIVER_LIMITS: ReceiverLimits = {
  maxEntries: 1_000_000,
  maxHeld: 10_000,
  maxHeldBytes: 128 * 1024 * 1024,
};

/** Instants in ms: events that ended, and notifications that were last seen, before them are forgotten. */
export type ForgetBefore = { readonly handled: number; readonly dead: number; readonly notifications: number };

/** The memory of a receiver: which events were received, and which wait to be handled. One store serves all its endpoints. */
export type ReceiverStore = {
  /**
   * Adds an event with its body, in one write that is on disk when this returns. The first under a sender and key wins, and a stored
   * event is a duplicate however full the store is.
   */
  readonly add: (event: NewReceivedEvent) => Promise<AddResult>;
  /** Returns the numbers of the events that are due, the longest due first. */
  readonly due: (nowMs: number, limit: number) => Promise<readonly number[]>;
  readonly find: (seq: number) => Promise<StoredEvent | undefined>;
  /** Returns events newest first, one more than the page asks for where there is one. */
  readonly list: (state: HandlingState, page: Page) => Promise<readonly StoredEvent[]>;
  /** Stores the result of a try; does nothing to an event that does not wait any more. */
  readonly settle: (result: HandlingResult) => Promise<void>;
  /** Makes a dead event due now, its tries counted anew. Returns false when there is no such event. */
  readonly revive: (seq: number, nowMs: number) => Promise<boolean>;
  /** Deletes old rows and returns how many; waiting events stay. */
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
  return new SqliteReceiverStore(engine, statements, await countTotals(engine, statements), limits);
}

/** Rows and bytes that count against the limits. */
type Totals = { entries: number; held: number; heldBytes: number };

class SqliteReceiverStore implements ReceiverStore {
  readonly #engine: Engine<ReceiverTables>;
  readonly #statements: ReceiverStatements;
  readonly #totals: Totals;
  readonly #limits: ReceiverLimits;

  constructor(engine: Engine<ReceiverTables>, statements: ReceiverStatements, totals: Totals, limits: ReceiverLimits) {
    this.#engine = engine;
    this.#statements = statements;
    this.#totals = totals;
    this.#limits = limits;
  }

  async add(event: NewReceivedEvent): Promise<AddResult> {
    if ((await this.#engine.reading.one(this.#statements.byKey, event)) !== undefined) return 'duplicate';
    const bytes = Buffer.byteLength(event.body);
    const entries = event.notification_id === null ? 1 : 2;
    if (!this.#hasRoom(entries, bytes)) return 'full';
    // Room is taken before the transaction, so that events that are committed together cannot overfill the store.
    this.#take(entries, 1, bytes);
    let added = 0;
    try {
      added = await this.#engine.transact((tx) => this.#insert(tx, event, bytes));
    } finally {
      this.#take(added - entries, added === 0 ? -1 : 0, added === 0 ? -bytes : 0);
    }
    return added === 0 ? 'duplicate' : 'added';
  }

  async due(now: number, limit: number): Promise<readonly number[]> {
    const rows = await this.#engine.reading.all(this.#statements.due, { now, limit });
    return rows.map(({ seq }) => seq);
  }

  find(seq: number): Promise<StoredEvent | undefined> {
    return this.#engine.reading.one(this.#statements.bySeq, { seq });
  }

  list(state: HandlingState, { limit, after = Number.MAX_SAFE_INTEGER }: Page): Promise<readonly StoredEvent[]> {
    return this.#engine.reading.all(this.#statements.list, { state, after, limit: limit + 1 });
  }

  async settle(result: HandlingResult): Promise<void> {
    const freedBytes = await this.#engine.transact(async (tx) => {
      const event = await tx.one(this.#statements.bySeq, { seq: result.seq });
      if (event?.state !== 'waiting') return undefined;
      await tx.run(this.#statements.settle, { ...result, body: result.state === 'handled' ? null : event.body });
      return result.state === 'handled' ? event.size_bytes : undefined;
    });
    if (freedBytes !== undefined) this.#take(0, -1, -freedBytes);
  }

  async revive(seq: number, now: number): Promise<boolean> {
    const params = { seq, now, from: 'dead', to: 'waiting', none: 0 } as const;
    return (await this.#engine.transact((tx) => tx.run(this.#statements.revive, params))) > 0;
  }

  async prune({ handled, dead, notifications }: ForgetBefore): Promise<number> {
    const gone = await this.#engine.transact(async (tx) => {
      const buried = await tx.one(this.#statements.ended, { state: 'dead', before: dead });
      await tx.run(this.#statements.forget, { state: 'dead', before: dead });
      const forgotten = await tx.run(this.#statements.forget, { state: 'handled', before: handled });
      const unseen = await tx.run(this.#statements.forgetNotifications, { before: notifications });
      const held = buried?.count ?? 0;
      return { rows: held + forgotten + unseen, held, bytes: buried?.bytes ?? 0 };
    });
    this.#take(-gone.rows, -gone.held, -gone.bytes);
    return gone.rows;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  /** Inserts an event and returns how many entries are new; none for an event that is known. */
  async #insert(tx: Writing, event: NewReceivedEvent, size_bytes: number): Promise<number> {
    const { notification_id } = event;
    if ((await tx.one(this.#statements.byKey, event)) !== undefined) return 0;
    const firstKey = notification_id === null ? undefined : await this.#saveNotification(tx, event, notification_id);
    const reemission_of = firstKey === event.idempotency_key ? null : (firstKey ?? null);
    await tx.run(this.#statements.add, { ...event, size_bytes, reemission_of, state: 'waiting', none: 0 });
    return notification_id !== null && firstKey === undefined ? 2 : 1;
  }

  /** Saves a notification id and returns the first key that it was received under, undefined where it is new. */
  async #saveNotification(tx: Writing, event: NewReceivedEvent, notification_id: string): Promise<string | undefined> {
    const { sender, idempotency_key: first_key, received_at: seen_at } = event;
    const earlier = await tx.one(this.#statements.notification, { sender, notification_id });
    await tx.run(this.#statements.saveNotification, { sender, notification_id, first_key, seen_at });
    return earlier?.first_key;
  }

  #hasRoom(entries: number, bytes: number): boolean {
    return (
      this.#totals.entries + entries <= this.#limits.maxEntries &&
      this.#totals.held < this.#limits.maxHeld &&
      this.#totals.heldBytes + bytes <= this.#limits.maxHeldBytes
    );
  }

  #take(entries: number, held: number, bytes: number): void {
    this.#totals.entries += entries;
    this.#totals.held += held;
    this.#totals.heldBytes += bytes;
  }
}

async function countTotals({ reading }: Engine<ReceiverTables>, statements: ReceiverStatements): Promise<Totals> {
  const events = await reading.one(statements.events, {});
  const notifications = await reading.one(statements.notifications, {});
  const held = await reading.one(statements.held, {});
  return {
    entries: (events?.count ?? 0) + (notifications?.count ?? 0),
    held: held?.count ?? 0,
    heldBytes: held?.bytes ?? 0,
  };
}
