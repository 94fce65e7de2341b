import type { Reading, Writing } from '../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../platform/database/statement.js';
import type { EventSource, LoggedEvent } from '../domain/event/event.js';
import type { SellerTables } from './schema/schema.js';

/** An event source with its account, and the number by which its events are found. */
export type EventSourceRow = { readonly seq: number; readonly accountId: string; readonly source: EventSource };

/** What one owner's accounts send events from. */
export type EventReads = {
  readonly list: (owner: string, accountId: string) => Promise<EventSourceRow[]>;
  /** Of every account of the owner that has a source of this id. */
  readonly findAnywhere: (owner: string, eventSourceId: string) => Promise<EventSourceRow[]>;
};
export type EventWrites = EventReads & {
  /** Inserts an event source, or replaces the one with its id. */
  readonly save: (owner: string, accountId: string, source: EventSource) => Promise<void>;
  /** Removes a source; its events stay, for what was counted was counted. */
  readonly remove: (row: EventSourceRow) => Promise<void>;
  /** Keeps an event, unless the source has had one of its type and id. Answers whether it was new. */
  readonly log: (sourceSeq: number, isTest: boolean, receivedAt: number, event: LoggedEvent) => Promise<boolean>;
};

/** The repository of event sources and events over an engine. */
export function eventRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  type Of = { owner: string; account_id: string };
  type Row = { seq: number; account_id: string; doc: string };
  const byAccount = prepare<Of, Row>((q, slot) =>
    q
      .selectFrom('event_source')
      .select(['seq', 'account_id', 'doc'])
      .where('owner', '=', slot('owner'))
      .where('account_id', '=', slot('account_id'))
      .orderBy('seq'),
  );
  const byId = prepare<{ owner: string; event_source_id: string }, Row>((q, slot) =>
    q
      .selectFrom('event_source')
      .select(['seq', 'account_id', 'doc'])
      .where('owner', '=', slot('owner'))
      .where('event_source_id', '=', slot('event_source_id')),
  );
  const upsert = prepare<Of & { event_source_id: string; doc: string }>((q, slot) =>
    q
      .insertInto('event_source')
      .values({
        owner: slot('owner'),
        account_id: slot('account_id'),
        event_source_id: slot('event_source_id'),
        doc: slot('doc'),
      } as never)
      .onConflict((c) => c.columns(['owner', 'event_source_id', 'account_id']).doUpdateSet({ doc: slot('doc') })),
  );
  const drop = prepare<{ seq: number }>((q, slot) => q.deleteFrom('event_source').where('seq', '=', slot('seq')));
  type Event = {
    source_seq: number;
    event_type: string;
    event_id: string;
    is_test: number;
    matched: number;
    received_at: number;
    doc: string;
  };
  const insert = prepare<Event>((q, slot) =>
    q
      .insertInto('logged_event')
      .values({
        source_seq: slot('source_seq'),
        event_type: slot('event_type'),
        event_id: slot('event_id'),
        is_test: slot('is_test'),
        matched: slot('matched'),
        received_at: slot('received_at'),
        doc: slot('doc'),
      } as never)
      .onConflict((c) => c.columns(['source_seq', 'event_type', 'event_id', 'is_test']).doNothing()),
  );

  const reads = (tx: Reading): EventReads => ({
    list: async (owner, account_id) => (await tx.all(byAccount, { owner, account_id })).map(decode),
    findAnywhere: async (owner, event_source_id) => (await tx.all(byId, { owner, event_source_id })).map(decode),
  });
  const writes = (tx: Writing): EventWrites => ({
    ...reads(tx),
    save: async (owner, account_id, source) => {
      const { event_source_id } = source;
      await tx.run(upsert, { owner, account_id, event_source_id, doc: JSON.stringify(source) });
    },
    remove: async ({ seq }) => {
      await tx.run(drop, { seq });
    },
    log: async (source_seq, isTest, received_at, event) => {
      const { event_type, event_id } = event;
      const doc = JSON.stringify(event);
      const flags = { is_test: isTest ? 1 : 0, matched: event.matched ? 1 : 0 };
      return (await tx.run(insert, { source_seq, event_type, event_id, ...flags, received_at, doc })) > 0;
    },
  });
  return { reads, writes };
}

function decode({ seq, account_id, doc }: { seq: number; account_id: string; doc: string }): EventSourceRow {
  return { seq, accountId: account_id, source: JSON.parse(doc) as EventSource };
}
