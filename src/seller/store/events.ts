import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare, parseDoc } from '../../platform/database/statement.js';
import type { EventSource, LoggedEvent } from '../domain/event/event.js';
import type { SellerTables } from './schema/schema.js';

/** An event source with its account, and the number by which its events are found. */
export type EventSourceRow = {
  readonly seq: number;
  readonly owner: string;
  readonly accountId: string;
  readonly source: EventSource;
};

/** An event that is logged, when it came (ms), and whether it was sent to try a source out. */
type EventEntry = { readonly isTest: boolean; readonly receivedAt: number; readonly event: LoggedEvent };

type AccountId = { owner: string; account_id: string };
type StoredSource = { seq: number; owner: string; account_id: string; doc: string };
type StoredEvent = Omit<SellerTables['logged_event'], 'seq'>;

/** Returns the statements on event sources and events, compiled for an engine. */
export function eventStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byAccount: prepare<AccountId, StoredSource>((q, slot) =>
      q
        .selectFrom('event_source')
        .select(['seq', 'owner', 'account_id', 'doc'])
        .where((is) => is.and(slot.each('owner', 'account_id')))
        .orderBy('seq'),
    ),
    byId: prepare<{ owner: string; event_source_id: string }, StoredSource>((q, slot) =>
      q
        .selectFrom('event_source')
        .select(['seq', 'owner', 'account_id', 'doc'])
        .where((is) => is.and(slot.each('owner', 'event_source_id'))),
    ),
    save: prepare<AccountId & { event_source_id: string; doc: string }>((q, slot) =>
      q
        .insertInto('event_source')
        .values(slot.each('owner', 'account_id', 'event_source_id', 'doc'))
        .onConflict((c) => c.columns(['owner', 'event_source_id', 'account_id']).doUpdateSet(slot.each('doc'))),
    ),
    remove: prepare<{ seq: number }>((q, slot) => q.deleteFrom('event_source').where('seq', '=', slot('seq'))),
    log: prepare<StoredEvent>((q, slot) =>
      q
        .insertInto('logged_event')
        .values(slot.each('owner', 'source_seq', 'event_type', 'event_id', 'is_test', 'matched', 'received_at', 'doc'))
        .onConflict((c) => c.columns(['source_seq', 'event_type', 'event_id', 'is_test']).doNothing()),
    ),
  };
}

/** The compiled statements on event sources and events. */
type EventStatements = ReturnType<typeof eventStatements>;

/** Reads the event sources of one owner's accounts. */
export class EventReader {
  readonly #tx: Reading;
  readonly #statements: EventStatements;

  constructor(tx: Reading, statements: EventStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async list(owner: string, account_id: string): Promise<EventSourceRow[]> {
    return (await this.#tx.all(this.#statements.byAccount, { owner, account_id })).map(parseSourceRow);
  }

  /** Returns the sources of this id, of every account of the owner that has one. */
  async findAnywhere(owner: string, event_source_id: string): Promise<EventSourceRow[]> {
    return (await this.#tx.all(this.#statements.byId, { owner, event_source_id })).map(parseSourceRow);
  }
}

/** Reads and writes event sources and events in one transaction. */
export class EventWriter extends EventReader {
  readonly #tx: Writing;
  readonly #statements: EventStatements;

  constructor(tx: Writing, statements: EventStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts an event source, or replaces the one with its id. */
  async save(owner: string, account_id: string, source: EventSource): Promise<void> {
    const { event_source_id } = source;
    this.#tx.write(this.#statements.save, { owner, account_id, event_source_id, doc: JSON.stringify(source) });
  }

  /** Removes a source; its events stay, for what was counted was counted. */
  async remove({ seq }: EventSourceRow): Promise<void> {
    this.#tx.write(this.#statements.remove, { seq });
  }

  /** Stores an event, unless the source has had one of its type and id; returns whether it was new. */
  async log({ owner, seq }: EventSourceRow, { event, isTest, receivedAt }: EventEntry): Promise<boolean> {
    const { event_type, event_id } = event;
    const added = await this.#tx.run(this.#statements.log, {
      owner,
      source_seq: seq,
      event_type,
      event_id,
      is_test: isTest ? 1 : 0,
      matched: event.matched ? 1 : 0,
      received_at: receivedAt,
      doc: JSON.stringify(event),
    });
    return added > 0;
  }
}

function parseSourceRow(row: StoredSource): EventSourceRow {
  return { seq: row.seq, owner: row.owner, accountId: row.account_id, source: parseDoc<EventSource>(row) };
}
