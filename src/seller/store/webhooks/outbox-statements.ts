import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, type Slots } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';
import {
  ADDED,
  type AttemptRecord,
  CLAIMED,
  type ClaimedEvent,
  type EventState,
  type NewEvent,
  RECORDED,
  SETTLED,
  type SettledEvent,
} from './outbox-rows.js';

type Text = { key: string; body: string };
type Claim = { endpoint: string; now: number; lapsed: number; limit: number };
type Redirection = { media_buy_id: string; channel: string; endpoint: string };
type Revival = { key: string; endpoint: string; state: EventState; now: number; expires: number };

/** Returns the statements on outgoing events, compiled for an engine. A row is pending exactly while `next_attempt_at` is set. */
export function outboxStatements(db: Builder<SellerTables>) {
  return {
    ...readStatements(db),
    ...addStatements(db),
    ...claimStatements(db),
    ...scheduleStatements(db),
    ...pruneStatements(db),
    ...streamStatements(db),
  };
}

/** The compiled statements on outgoing events. */
export type OutboxStatements = ReturnType<typeof outboxStatements>;

function readStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<object, { endpoint: string; next_attempt_at: number }>((q) =>
      q
        .selectFrom('webhook_event')
        .select((e) => ['endpoint', e.fn.min<number>('next_attempt_at').as('next_attempt_at')])
        .where('next_attempt_at', 'is not', null)
        .groupBy('endpoint'),
    ),
    nextDue: prepare<{ endpoint: string }, { next_attempt_at: number }>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .select((e) => e.ref('next_attempt_at').$notNull().as('next_attempt_at'))
        .where('endpoint', '=', slot('endpoint'))
        .where('next_attempt_at', 'is not', null)
        .where('claimed_at', 'is', null)
        .orderBy('next_attempt_at')
        .limit(1),
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
    resize: prepare<{ key: string; size_bytes: number }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ size_bytes: slot('size_bytes') })
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

function claimStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const earliest = (q: Builder<SellerTables>, slot: Slots<Claim>) =>
    q
      .selectFrom('webhook_event')
      .where('endpoint', '=', slot('endpoint'))
      .where('next_attempt_at', '<=', slot('now'))
      .where((e) => e.or([e('claimed_at', 'is', null), e('claimed_at', '<=', slot('lapsed'))]))
      .orderBy('next_attempt_at')
      .orderBy('seq')
      .limit(slot('limit'));
  return {
    claimable: prepare<Claim, ClaimedEvent>((q, slot) =>
      earliest(q, slot)
        .innerJoin('webhook_body', 'webhook_body.event_seq', 'webhook_event.seq')
        .select([...CLAIMED, 'body'])
        .$castTo<ClaimedEvent>(),
    ),
    claim: prepare<Claim>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({
          claimed_at: slot('now'),
          first_attempt_at: sql<number>`coalesce(${sql.ref('first_attempt_at')}, ${slot('now')})`,
          merge_key: null,
        })
        .where('seq', 'in', earliest(q, slot).select('seq')),
    ),
    settle: prepare<SettledEvent>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ ...slot.each(...SETTLED), claimed_at: null })
        .where('seq', '=', slot('seq')),
    ),
    record: prepare<AttemptRecord>((q, slot) => q.insertInto('webhook_attempt').values(slot.each(...RECORDED))),
    releaseClaims: prepare<object>((q) =>
      q
        .updateTable('webhook_event')
        .set({ claimed_at: null })
        .where('next_attempt_at', 'is not', null)
        .where('claimed_at', 'is not', null),
    ),
  };
}

function scheduleStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
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
    expire: prepare<{ now: number; state: EventState; reason: string }>((q, slot) =>
      q
        .updateTable('webhook_event')
        .set({ ...slot.each('state', 'reason'), next_attempt_at: null, merge_key: null, finished_at: slot('now') })
        .where('next_attempt_at', 'is not', null)
        .where('claimed_at', 'is', null)
        .where('expires_at', '<=', slot('now')),
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

function pruneStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    deleteBodies: prepare<{ state: EventState; before: number }>((q, slot) =>
      q
        .deleteFrom('webhook_body')
        .where('event_seq', 'in', (e) =>
          e
            .selectFrom('webhook_event')
            .select('seq')
            .where('state', '=', slot('state'))
            .where('finished_at', '<', slot('before')),
        ),
    ),
    deleteEvents: prepare<{ state: EventState; before: number }>((q, slot) =>
      q.deleteFrom('webhook_event').where('state', '=', slot('state')).where('finished_at', '<', slot('before')),
    ),
    deleteAttempts: prepare<{ before: number }>((q, slot) =>
      q.deleteFrom('webhook_attempt').where('completed_at', '<', slot('before')),
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
