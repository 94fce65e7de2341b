import type { Reading, Writing } from '../../../platform/database/engine.js';
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

/** The queue of outgoing events, as it can be read. */
export type OutboxReads = {
  /** Per endpoint, when its earliest event is due. */
  readonly due: () => Promise<readonly { readonly endpoint: string; readonly next_attempt_at: number }[]>;
  /** When the earliest event of an endpoint that nobody has claimed is due; undefined when none waits. */
  readonly nextDue: (endpoint: string) => Promise<number | undefined>;
  /** Whether the receiver has called this channel gone while it had this URL. */
  readonly isPaused: (channel: string, url: string) => Promise<boolean>;
};
export type OutboxWrites = OutboxReads & {
  readonly add: (event: NewEvent) => Promise<void>;
  /** The key of an event that nobody has claimed and that one with this merge key replaces; undefined when there is none. */
  readonly replaceable: (mergeKey: string) => Promise<string | undefined>;
  /** Gives an event that nobody has claimed another text. */
  readonly rewrite: (idempotencyKey: string, body: string) => Promise<void>;
  /** Makes events of a buy that wait to be merged due at once; answers their endpoints. */
  readonly hurry: (mediaBuyId: string, nowMs: number) => Promise<readonly string[]>;
  /**
   * Takes the earliest due events of an endpoint that nobody has claimed since `lapsedMs`; in the order in which they are due. The
   * claim is in the store before anything is posted, and with it when the event was first tried.
   */
  readonly claim: (endpoint: string, nowMs: number, lapsedMs: number, limit: number) => Promise<ClaimedEvent[]>;
  readonly settle: (event: SettledEvent) => Promise<void>;
  readonly record: (attempt: AttemptRecord) => Promise<void>;
  /** Sends what waits for a channel to another endpoint. */
  readonly readdress: (mediaBuyId: string, channel: string, endpoint: string) => Promise<void>;
  /**
   * Frees what a stopped process had claimed, and gives what it never came to `horizonMs` from now: its delay was not the receiver's.
   * Only for the one process that holds the store.
   */
  readonly recover: (nowMs: number, horizonMs: number) => Promise<void>;
  /** Gives up what expired while it waited; answers how many. */
  readonly expire: (nowMs: number, reason: string) => Promise<number>;
  /** Makes an event due now, whatever had become of it, unless it is claimed. */
  readonly revive: (idempotencyKey: string, endpoint: string, nowMs: number, expiresMs: number) => Promise<void>;
  /** Drops delivered events and attempts that ended before `beforeMs`; what is dead stays. Answers how many rows went. */
  readonly prune: (beforeMs: number) => Promise<number>;
  /** The next number of a stream of reports, from 1. */
  readonly nextSequence: (stream: string) => Promise<number>;
  readonly pause: (channel: string, url: string, nowMs: number) => Promise<void>;
};

/** The repository of outgoing events over an engine. A row is pending exactly while `next_attempt_at` is set. */
export function outboxRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const dueOfAll = prepare<object, { endpoint: string; next_attempt_at: number }>((q) =>
    q
      .selectFrom('webhook_event')
      .select((e) => ['endpoint', e.fn.min<number>('next_attempt_at').as('next_attempt_at')])
      .where('next_attempt_at', 'is not', null)
      .groupBy('endpoint'),
  );
  const dueOf = prepare<{ endpoint: string }, { next_attempt_at: number }>((q, slot) =>
    q
      .selectFrom('webhook_event')
      .select((e) => e.ref('next_attempt_at').$notNull().as('next_attempt_at'))
      .where('endpoint', '=', slot('endpoint'))
      .where('next_attempt_at', 'is not', null)
      .where('claimed_at', 'is', null)
      .orderBy('next_attempt_at')
      .limit(1),
  );
  const paused = prepare<{ channel: string; url: string }, { paused_at: number }>((q, slot) =>
    q
      .selectFrom('webhook_pause')
      .select('paused_at')
      .where('channel', '=', slot('channel'))
      .where('url', '=', slot('url')),
  );
  const add = prepare<NewEvent & { size_bytes: number; state: EventState; none: number }>((q, slot) =>
    q.insertInto('webhook_event').values({
      ...Object.fromEntries(ADDED.map((column) => [column, slot(column)])),
      size_bytes: slot('size_bytes'),
      state: slot('state'),
      attempts: slot('none'),
      refusals: slot('none'),
    } as never),
  );
  type Text = { key: string; body: string };
  const addBody = prepare<Text>((q, slot) =>
    q
      .insertInto('webhook_body')
      .columns(['event_seq', 'body'])
      .expression(
        q
          .selectFrom('webhook_event')
          .select((e) => ['seq', e.val(slot('body')).as('body')])
          .where('idempotency_key', '=', slot('key')),
      ),
  );
  const toMerge = prepare<{ merge_key: string }, { idempotency_key: string }>((q, slot) =>
    q.selectFrom('webhook_event').select('idempotency_key').where('merge_key', '=', slot('merge_key')),
  );
  const resize = prepare<{ key: string; size_bytes: number }>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({ size_bytes: slot('size_bytes') })
      .where('idempotency_key', '=', slot('key'))
      .where('first_attempt_at', 'is', null),
  );
  const rewrite = prepare<Text>((q, slot) =>
    q
      .updateTable('webhook_body')
      .set({ body: slot('body') })
      .where('event_seq', 'in', (e) =>
        e.selectFrom('webhook_event').select('seq').where('idempotency_key', '=', slot('key')),
      ),
  );
  const toHurry = prepare<{ media_buy_id: string }, { endpoint: string }>((q, slot) =>
    q
      .selectFrom('webhook_event')
      .select('endpoint')
      .distinct()
      .where('media_buy_id', '=', slot('media_buy_id'))
      .where('merge_key', 'is not', null),
  );
  const hurry = prepare<{ media_buy_id: string; now: number }>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({ next_attempt_at: slot('now'), merge_key: null })
      .where('media_buy_id', '=', slot('media_buy_id'))
      .where('merge_key', 'is not', null),
  );
  type Claim = { endpoint: string; now: number; lapsed: number; limit: number };
  const earliest = (q: Builder<SellerTables>, slot: Slots<Claim>) =>
    q
      .selectFrom('webhook_event')
      .where('endpoint', '=', slot('endpoint'))
      .where('next_attempt_at', '<=', slot('now'))
      .where((e) => e.or([e('claimed_at', 'is', null), e('claimed_at', '<=', slot('lapsed'))]))
      .orderBy('next_attempt_at')
      .orderBy('seq')
      .limit(slot('limit'));
  const claimable = prepare<Claim, ClaimedEvent>((q, slot) =>
    earliest(q, slot)
      .innerJoin('webhook_body', 'webhook_body.event_seq', 'webhook_event.seq')
      .select([...CLAIMED, 'body'])
      .$castTo<ClaimedEvent>(),
  );
  const claim = prepare<Claim>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({
        claimed_at: slot('now'),
        first_attempt_at: sql<number>`coalesce(${sql.ref('first_attempt_at')}, ${slot('now')})`,
        merge_key: null,
      })
      .where('seq', 'in', earliest(q, slot).select('seq')),
  );
  const settle = prepare<SettledEvent>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({ ...Object.fromEntries(SETTLED.map((column) => [column, slot(column)])), claimed_at: null })
      .where('seq', '=', slot('seq')),
  );
  const record = prepare<AttemptRecord>((q, slot) =>
    q
      .insertInto('webhook_attempt')
      .values(Object.fromEntries(RECORDED.map((column) => [column, slot(column)])) as never),
  );
  const readdress = prepare<{ media_buy_id: string; channel: string; endpoint: string }>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({ endpoint: slot('endpoint') })
      .where('media_buy_id', '=', slot('media_buy_id'))
      .where('channel', '=', slot('channel'))
      .where('next_attempt_at', 'is not', null),
  );
  const free = prepare<object>((q) =>
    q
      .updateTable('webhook_event')
      .set({ claimed_at: null })
      .where('next_attempt_at', 'is not', null)
      .where('claimed_at', 'is not', null),
  );
  const extend = prepare<{ expires: number }>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({ expires_at: slot('expires') })
      .where('next_attempt_at', 'is not', null)
      .where('first_attempt_at', 'is', null)
      .where('expires_at', '<', slot('expires')),
  );
  const expire = prepare<{ now: number; state: EventState; reason: string }>((q, slot) =>
    q
      .updateTable('webhook_event')
      .set({
        state: slot('state'),
        reason: slot('reason'),
        next_attempt_at: null,
        merge_key: null,
        finished_at: slot('now'),
      })
      .where('next_attempt_at', 'is not', null)
      .where('claimed_at', 'is', null)
      .where('expires_at', '<=', slot('now')),
  );
  const revive = prepare<{ key: string; endpoint: string; state: EventState; now: number; expires: number }>(
    (q, slot) =>
      q
        .updateTable('webhook_event')
        .set({
          state: slot('state'),
          reason: null,
          endpoint: slot('endpoint'),
          next_attempt_at: slot('now'),
          expires_at: slot('expires'),
          refusals: 0,
          finished_at: null,
        })
        .where('idempotency_key', '=', slot('key'))
        .where('claimed_at', 'is', null),
  );
  const forgetBodies = prepare<{ state: EventState; before: number }>((q, slot) =>
    q
      .deleteFrom('webhook_body')
      .where('event_seq', 'in', (e) =>
        e
          .selectFrom('webhook_event')
          .select('seq')
          .where('state', '=', slot('state'))
          .where('finished_at', '<', slot('before')),
      ),
  );
  const forgetEvents = prepare<{ state: EventState; before: number }>((q, slot) =>
    q.deleteFrom('webhook_event').where('state', '=', slot('state')).where('finished_at', '<', slot('before')),
  );
  const forgetAttempts = prepare<{ before: number }>((q, slot) =>
    q.deleteFrom('webhook_attempt').where('completed_at', '<', slot('before')),
  );
  const count = prepare<{ stream: string; first: number }>((q, slot) =>
    q
      .insertInto('webhook_sequence')
      .values({ stream: slot('stream'), last: slot('first') })
      .onConflict((c) => c.column('stream').doUpdateSet((e) => ({ last: e('webhook_sequence.last', '+', 1) }))),
  );
  const counted = prepare<{ stream: string }, { last: number }>((q, slot) =>
    q.selectFrom('webhook_sequence').select('last').where('stream', '=', slot('stream')),
  );
  const pause = prepare<{ channel: string; url: string; now: number }>((q, slot) =>
    q
      .insertInto('webhook_pause')
      .values({ channel: slot('channel'), url: slot('url'), paused_at: slot('now') })
      .onConflict((c) => c.column('channel').doUpdateSet({ url: slot('url'), paused_at: slot('now') })),
  );

  const reads = (tx: Reading): OutboxReads => ({
    due: () => tx.all(dueOfAll, {}),
    nextDue: async (endpoint) => (await tx.one(dueOf, { endpoint }))?.next_attempt_at,
    isPaused: async (channel, url) => (await tx.one(paused, { channel, url })) !== undefined,
  });
  const writes = (tx: Writing): OutboxWrites => ({
    ...reads(tx),
    add: async (event) => {
      await tx.run(add, { ...event, size_bytes: Buffer.byteLength(event.body), state: 'pending', none: 0 });
      await tx.run(addBody, { key: event.idempotency_key, body: event.body });
    },
    replaceable: async (merge_key) => (await tx.one(toMerge, { merge_key }))?.idempotency_key,
    rewrite: async (key, body) => {
      const isUntried = (await tx.run(resize, { key, size_bytes: Buffer.byteLength(body) })) === 1;
      if (isUntried) await tx.run(rewrite, { key, body });
    },
    hurry: async (media_buy_id, now) => {
      const found = await tx.all(toHurry, { media_buy_id });
      if (found.length > 0) await tx.run(hurry, { media_buy_id, now });
      return found.map((row) => row.endpoint);
    },
    claim: async (endpoint, now, lapsed, limit) => {
      const params = { endpoint, now, lapsed, limit };
      const found = await tx.all(claimable, params);
      if (found.length > 0) await tx.run(claim, params);
      return found.map((event) => ({ ...event, first_attempt_at: event.first_attempt_at ?? now }));
    },
    settle: async (event) => {
      await tx.run(settle, event);
    },
    record: async (attempt) => {
      await tx.run(record, attempt);
    },
    readdress: async (media_buy_id, channel, endpoint) => {
      await tx.run(readdress, { media_buy_id, channel, endpoint });
    },
    recover: async (now, horizon) => {
      await tx.run(free, {});
      await tx.run(extend, { expires: now + horizon });
    },
    expire: (now, reason) => tx.run(expire, { now, state: 'dead', reason }),
    revive: async (key, endpoint, now, expires) => {
      await tx.run(revive, { key, endpoint, state: 'pending', now, expires });
    },
    prune: async (before) => {
      await tx.run(forgetBodies, { state: 'delivered', before });
      return (await tx.run(forgetEvents, { state: 'delivered', before })) + (await tx.run(forgetAttempts, { before }));
    },
    nextSequence: async (stream) => {
      await tx.run(count, { stream, first: 1 });
      return (await tx.one(counted, { stream }))?.last ?? 1;
    },
    pause: async (channel, url, now) => {
      await tx.run(pause, { channel, url, now });
    },
  });
  return { reads, writes };
}
