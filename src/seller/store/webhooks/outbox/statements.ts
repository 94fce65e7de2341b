import { type Expression, sql } from '../../../../platform/database/kysely.js';
import { type Builder, createPrepare, type EngineName, LISTS } from '../../../../platform/database/statement.js';
import type { SellerTables } from '../../schema/schema.js';
import { claimStatements, eachText } from './claims.js';
import { ADDED, type DueEndpoint, type EventState, type NewEvent } from './rows.js';

type Text = { key: string; body: string };
type StateRow = {
  readonly seq: number;
  readonly claimed_at: number | null;
  readonly next_attempt_at: number;
  readonly merge_key: string | null;
  readonly body: string;
};
type Lane = { endpoint: string | null; number: number };
type Redirection = { media_buy_id: string; channel: string; endpoint: string };
type Revival = { key: string; endpoint: string; state: EventState; now: number; expires: number };

/** Returns the statements on outgoing events, compiled for an engine. A row is pending exactly while `next_attempt_at` is set. */
export function outboxStatements(db: Builder<SellerTables>, engine: EngineName) {
  return {
    ...readStatements(db, engine),
    ...addStatements(db),
    ...claimStatements(db, engine),
    bindList: LISTS[engine].bind,
    ...scheduleStatements(db, engine),
    ...dropStatements(db),
    ...streamStatements(db),
  };
}

/** The compiled statements on outgoing events. */
export type OutboxStatements = ReturnType<typeof outboxStatements>;

/** How many lanes are read at once. */
const LANES_OF_PAGE = 500;

function readStatements(db: Builder<SellerTables>, engine: EngineName) {
  const prepare = createPrepare(db);
  return {
    dueAfter: prepare<{ endpoint: string }, DueEndpoint>((q, slot) =>
      q
        // One step into the index for each lane, however many events wait in it.
        .withRecursive('lane(endpoint, number)', (lanes) =>
          lanes
            .selectNoFrom([laneAfter(q, slot('endpoint')).as('endpoint'), sql<number>`1`.as('number')])
            .unionAll((rest) =>
              rest
                .selectFrom('lane')
                .select((e) => [
                  laneAfter(q, e.ref('lane.endpoint')).as('endpoint'),
                  e('lane.number', '+', 1).as('number'),
                ])
                .where('lane.endpoint', 'is not', null)
                .where('lane.number', '<', LANES_OF_PAGE),
            )
            .$castTo<Lane>(),
        )
        .selectFrom('lane')
        .innerJoin('webhook_event as event', (join) =>
          join.on((e) => e('event.seq', '=', firstOf(q, e.ref('lane.endpoint')))),
        )
        .select((e) => [
          'event.endpoint',
          e.ref('event.next_attempt_at').$notNull().as('next_attempt_at'),
          'event.attempts',
        ])
        .orderBy('event.endpoint'),
    ),
    nextDue: prepare<{ endpoints: unknown }, { endpoint: string; next_attempt_at: number | null }>((q, slot) =>
      q
        .selectFrom(eachText(engine, slot('endpoints')).as('lane'))
        .select((e) => [
          e.ref('lane.value').as('endpoint'),
          e
            .selectFrom('webhook_event as event')
            .select('event.next_attempt_at')
            .whereRef('event.endpoint', '=', 'lane.value')
            .where('event.next_attempt_at', 'is not', null)
            .where('event.claimed_at', 'is', null)
            .orderBy('event.next_attempt_at')
            .limit(1)
            .as('next_attempt_at'),
        ]),
    ),
    overdue: prepare<{ now: number; none: number }, { endpoint: string; count: number }>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .select((e) => ['endpoint', e.fn.countAll<number>().as('count')])
        .where('next_attempt_at', 'is not', null)
        .where('claimed_at', 'is', null)
        .where('expires_at', '<=', slot('now'))
        .where('attempts', '=', slot('none'))
        .groupBy('endpoint'),
    ),
    revision: prepare<{ seq: number }, { revision: number | null }>((q, slot) =>
      q.selectFrom('webhook_event').select('revision').where('seq', '=', slot('seq')),
    ),
    paused: prepare<{ channel: string; url: string }, { paused_at: number }>((q, slot) =>
      q
        .selectFrom('webhook_pause')
        .select('paused_at')
        .where((is) => is.and(slot.each('channel', 'url'))),
    ),
    mergeable: prepare<{ merge_key: string }, { idempotency_key: string }>((q, slot) =>
      q.selectFrom('webhook_event').select('idempotency_key').where('merge_key', '=', slot('merge_key')),
    ),
  };
}

/** Returns the name of the lane that follows another one. */
function laneAfter(q: Builder<SellerTables>, endpoint: Expression<string | null> | string) {
  return q
    .selectFrom('webhook_event')
    .select('endpoint')
    .where('endpoint', '>', endpoint as string)
    .where('next_attempt_at', 'is not', null)
    .orderBy('endpoint')
    .limit(1);
}

/** Returns the number of the event of a lane that is due first. */
function firstOf(q: Builder<SellerTables>, endpoint: Expression<string | null>) {
  return q
    .selectFrom('webhook_event')
    .select('seq')
    .where('endpoint', '=', endpoint as Expression<string>)
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(1);
}

function addStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    add: prepare<NewEvent & { size_bytes: number; state: EventState; none: number }>((q, slot) =>
      q.insertInto('webhook_event').values({
        ...slot.each(...ADDED, 'size_bytes', 'state'),
        attempts: slot('none'),
        refusals: slot('none'),
      }),
    ),
    addBody: prepare<Text>((q, slot) =>
      q
        .insertInto('webhook_body')
        .columns(['event_seq', 'body'])
        .expression(
          q
            .selectFrom('webhook_event')
            .select((e) => ['seq', e.val(slot('body')).as('body')])
            .where('idempotency_key', '=', slot('key')),
        ),
    ),
    resize: prepare<{ key: string; size_bytes: number; due: number }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set((e) => ({
          size_bytes: slot('size_bytes'),
          next_attempt_at: e
            .case()
            .when('next_attempt_at', '>', slot('due'))
            .then(slot('due'))
            .else(e.ref('next_attempt_at'))
            .end(),
        }))
        .where('idempotency_key', '=', slot('key'))
        .where('first_attempt_at', 'is', null),
    ),
    rewrite: prepare<Text>((q, slot) =>
      q
        .updateTable('webhook_body')
        .set({ body: slot('body') })
        .where('event_seq', 'in', (e) =>
          e.selectFrom('webhook_event').select('seq').where('idempotency_key', '=', slot('key')),
        ),
    ),
  };
}

function scheduleStatements(db: Builder<SellerTables>, engine: EngineName) {
  const prepare = createPrepare(db);
  return {
    gathering: prepare<{ media_buy_id: string; type: string }, { body: string }>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .innerJoin('webhook_body', 'webhook_body.event_seq', 'webhook_event.seq')
        .select('body')
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('merge_key', 'is not', null)
        .where('notification_type', '=', slot('type'))
        .orderBy('seq'),
    ),
    coalescing: prepare<{ media_buy_id: string }, { endpoint: string }>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .select('endpoint')
        .distinct()
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('merge_key', 'is not', null),
    ),
    flush: prepare<{ media_buy_id: string; now: number }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ next_attempt_at: slot('now'), merge_key: null })
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('merge_key', 'is not', null),
    ),
    readdress: prepare<Redirection>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set(slot.each('endpoint'))
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('channel', '=', slot('channel'))
        .where('next_attempt_at', 'is not', null),
    ),
    extend: prepare<{ expires: number }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ expires_at: slot('expires') })
        .where('next_attempt_at', 'is not', null)
        .where('first_attempt_at', 'is', null)
        .where('expires_at', '<', slot('expires')),
    ),
    expire: prepare<{ now: number; state: EventState; reason: string; limit: number }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ ...slot.each('state', 'reason'), next_attempt_at: null, merge_key: null, finished_at: slot('now') })
        .where('seq', 'in', (from) =>
          from
            .selectFrom('webhook_event')
            .select('seq')
            .where('next_attempt_at', 'is not', null)
            .where('claimed_at', 'is', null)
            .where('expires_at', '<=', slot('now'))
            .where('attempts', '>', 0)
            .orderBy('expires_at')
            .limit(slot('limit')),
        ),
    ),
    hurry: prepare<{ endpoint: string; now: number; after: number; limit: number }, { seq: number }>((q, slot) =>
      q
        .with('picked', (from) =>
          from
            .selectFrom('webhook_event')
            .select('seq')
            .where('endpoint', '=', slot('endpoint'))
            .where('next_attempt_at', '>', slot('now'))
            .where('seq', '>', slot('after'))
            .where('attempts', '>', 0)
            .where('claimed_at', 'is', null)
            .orderBy('seq')
            .limit(slot('limit'))
            .$if(engine === 'postgres', (locking) => locking.forUpdate().skipLocked()),
        )
        .updateTable('webhook_event')
        .set({ next_attempt_at: slot('now') })
        .where('seq', 'in', (e) => e.selectFrom('picked').select('picked.seq'))
        .returning('seq'),
    ),
    revive: prepare<Revival>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({
          ...slot.each('state', 'endpoint'),
          reason: null,
          next_attempt_at: slot('now'),
          expires_at: slot('expires'),
          refusals: 0,
          finished_at: null,
        })
        .where('idempotency_key', '=', slot('key'))
        .where('claimed_at', 'is', null),
    ),
  };
}

/** Events that tell where a buy stands and are still to be delivered. */
function dropStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    tellsState: prepare<{ media_buy_id: string }, StateRow>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .innerJoin('webhook_body', 'webhook_body.event_seq', 'webhook_event.seq')
        .select(['seq', 'claimed_at', 'next_attempt_at', 'merge_key', 'body'])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('next_attempt_at', 'is not', null)
        .where('revision', 'is not', null)
        .orderBy('seq')
        .$castTo<StateRow>(),
    ),
    drop: prepare<{ seq: number; now: number; state: EventState; reason: string }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ ...slot.each('state', 'reason'), next_attempt_at: null, merge_key: null, finished_at: slot('now') })
        .where('seq', '=', slot('seq')),
    ),
    outdate: prepare<{ seq: number; none: number }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ revision: slot('none') })
        .where('seq', '=', slot('seq')),
    ),
  };
}

function streamStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    advanceSequence: prepare<{ stream: string; first: number }>((q, slot) =>
      q
        .insertInto('webhook_sequence')
        .values({ stream: slot('stream'), last: slot('first') })
        .onConflict((c) => c.column('stream').doUpdateSet((e) => ({ last: e('webhook_sequence.last', '+', 1) }))),
    ),
    sequence: prepare<{ stream: string }, { last: number }>((q, slot) =>
      q.selectFrom('webhook_sequence').select('last').where('stream', '=', slot('stream')),
    ),
    pause: prepare<{ channel: string; url: string; now: number }>((q, slot) =>
      q
        .insertInto('webhook_pause')
        .values({ channel: slot('channel'), url: slot('url'), paused_at: slot('now') })
        .onConflict((c) => c.column('channel').doUpdateSet({ url: slot('url'), paused_at: slot('now') })),
    ),
  };
}
