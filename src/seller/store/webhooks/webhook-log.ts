import type { Reading } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, once } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import type { SellerTables } from '../schema/schema.js';
import type { AttemptRecord, EventState, NewEvent } from './outbox-rows.js';

/** An event with what became of it. Times in ms since the epoch. */
export type EventRecord = Omit<NewEvent, 'body' | 'next_attempt_at' | 'merge_key'> & {
  readonly seq: number;
  readonly size_bytes: number;
  readonly state: EventState;
  readonly reason: string | null;
  readonly next_attempt_at: number | null;
  readonly claimed_at: number | null;
  readonly first_attempt_at: number | null;
  readonly attempts: number;
  readonly finished_at: number | null;
};

/** An attempt with the event it delivers. */
export type ActivityRow = AttemptRecord &
  Pick<EventRecord, 'idempotency_key' | 'notification_type' | 'sequence_number' | 'size_bytes'>;

/** What a list of events is narrowed by; absent means any. */
export type EventFilter = {
  readonly tenant?: string | undefined;
  readonly state?: EventState | undefined;
  readonly mediaBuyId?: string | undefined;
};

/** How much waits, and since when (ms since the epoch). */
export type Backlog = { readonly pending: number; readonly dead: number; readonly oldestPendingAt: number | undefined };

/** What was sent, what waits and what was given up: for the operator, and for the buyer's diagnosis. */
export type WebhookLogReads = {
  /** Newest first, one row more than the page asks for where there is one. */
  readonly list: (page: Page, filter: EventFilter) => Promise<EventRecord[]>;
  readonly find: (idempotencyKey: string) => Promise<(EventRecord & { readonly body: string }) | undefined>;
  /** The newest attempts for a buy of this owner, newest first. */
  readonly attempts: (owner: string, mediaBuyId: string, limit: number) => Promise<ActivityRow[]>;
  /** Events of a buy of this owner that are being sent just now. */
  readonly underWay: (owner: string, mediaBuyId: string) => Promise<EventRecord[]>;
  readonly backlog: () => Promise<Backlog>;
};

const SHOWN = [
  'seq',
  'idempotency_key',
  'owner',
  'tenant',
  'media_buy_id',
  'task_id',
  'notification_type',
  'notification_id',
  'sequence_number',
  'channel',
  'endpoint',
  'size_bytes',
  'state',
  'reason',
  'created_at',
  'expires_at',
  'next_attempt_at',
  'claimed_at',
  'first_attempt_at',
  'attempts',
  'finished_at',
] as const;

/** The reading side of the outbox over an engine. */
export function webhookLogRepository(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const byKey = prepare<{ key: string }, EventRecord & { body: string }>((q, slot) =>
    q
      .selectFrom('webhook_event')
      .innerJoin('webhook_body', 'webhook_body.event_seq', 'webhook_event.seq')
      .select([...SHOWN, 'body'])
      .where('idempotency_key', '=', slot('key'))
      .$castTo<EventRecord & { body: string }>(),
  );
  type OfBuy = { owner: string; media_buy_id: string };
  const attempts = prepare<OfBuy & { limit: number }, ActivityRow>((q, slot) =>
    q
      .selectFrom('webhook_attempt as a')
      .innerJoin('webhook_event as e', 'e.seq', 'a.event_seq')
      .selectAll('a')
      .select(['e.idempotency_key', 'e.notification_type', 'e.sequence_number', 'e.size_bytes'])
      .where('a.media_buy_id', '=', slot('media_buy_id'))
      .where('a.owner', '=', slot('owner'))
      .orderBy('a.fired_at', 'desc')
      .orderBy('a.seq', 'desc')
      .limit(slot('limit')),
  );
  const underWay = prepare<OfBuy, EventRecord>((q, slot) =>
    q
      .selectFrom('webhook_event')
      .select([...SHOWN])
      .where('media_buy_id', '=', slot('media_buy_id'))
      .where('owner', '=', slot('owner'))
      .where('claimed_at', 'is not', null)
      .orderBy('seq', 'desc')
      .$castTo<EventRecord>(),
  );
  const waiting = prepare<object, { pending: number; oldest: number | null }>((q) =>
    q
      .selectFrom('webhook_event')
      .select((e) => [e.fn.countAll<number>().as('pending'), e.fn.min<number | null>('created_at').as('oldest')])
      .where('next_attempt_at', 'is not', null),
  );
  const dead = prepare<{ state: EventState }, { dead: number }>((q, slot) =>
    q
      .selectFrom('webhook_event')
      .select((e) => e.fn.countAll<number>().as('dead'))
      .where('state', '=', slot('state'))
      .where('finished_at', 'is not', null),
  );

  const reads = (tx: Reading): WebhookLogReads => ({
    list: async (page, filter) => {
      const query = db
        .selectFrom('webhook_event')
        .select([...SHOWN])
        .$if(page.after !== undefined, (q) => q.where('seq', '<', page.after ?? 0))
        .$if(filter.tenant !== undefined, (q) => q.where('tenant', '=', filter.tenant ?? ''))
        .$if(filter.state !== undefined, (q) => q.where('state', '=', filter.state ?? ''))
        .$if(filter.mediaBuyId !== undefined, (q) => q.where('media_buy_id', '=', filter.mediaBuyId ?? ''))
        .orderBy('seq', 'desc')
        .limit(page.limit + 1)
        .$castTo<EventRecord>();
      return tx.all(once(query), {});
    },
    find: (key) => tx.one(byKey, { key }),
    attempts: (owner, media_buy_id, limit) => tx.all(attempts, { owner, media_buy_id, limit }),
    underWay: (owner, media_buy_id) => tx.all(underWay, { owner, media_buy_id }),
    backlog: async () => {
      const found = await tx.one(waiting, {});
      return {
        pending: found?.pending ?? 0,
        dead: (await tx.one(dead, { state: 'dead' }))?.dead ?? 0,
        oldestPendingAt: found?.oldest ?? undefined,
      };
    },
  });
  return { reads };
}
