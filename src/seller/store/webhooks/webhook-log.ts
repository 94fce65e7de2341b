import type { Reading } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, once } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';
import type { AttemptRecord, EventState, NewEvent } from './outbox/rows.js';

type Sealed = Pick<SealedColumns, 'channels' | 'bodies'>;

/** An event with its state. Times in ms since the epoch. */
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

/** Names the queues of an origin, or of one path there. */
export type EndpointFilter = {
  readonly origin: string;
  /** Ends the names of one path's queues; undefined for every path. */
  readonly suffix: string | undefined;
};

/** Narrows a list of events; absent means any. */
export type EventFilter = {
  readonly tenant?: string | undefined;
  /** Id of the principal, in whatever tenant. */
  readonly principal?: string | undefined;
  readonly endpoint?: EndpointFilter | undefined;
  readonly state?: EventState | undefined;
  readonly mediaBuyId?: string | undefined;
};

/** How many events wait, since when (ms since the epoch), and how many are dead. */
export type Backlog = { readonly pending: number; readonly dead: number; readonly oldestPendingAt: number | undefined };

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
  'revision',
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

/** The subject of events of a buy that tell of a state. */
type Subject = Pick<EventRecord, 'owner' | 'notification_type' | 'notification_id'> & { readonly media_buy_id: string };

type FailingRow = {
  readonly endpoint: string;
  readonly owner: string;
  readonly state: string;
  readonly at: number | null;
};

/** An origin of an owner that does not take its events: how many were given up and are retried, and when the last began or ended (ms). */
type FailingEndpoint = {
  readonly origin: string;
  readonly owner: string;
  readonly dead: number;
  readonly pending: number;
  readonly last: number;
};

type BuyOfOwner = { owner: string; media_buy_id: string };

/** Returns the statements on sent events, compiled for an engine. */
export function webhookLogStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byKey: prepare<{ key: string }, EventRecord & { body: string }>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .innerJoin('webhook_body', 'webhook_body.event_seq', 'webhook_event.seq')
        .select([...SHOWN, 'body'])
        .where('idempotency_key', '=', slot('key'))
        .$castTo<EventRecord & { body: string }>(),
    ),
    attempts: prepare<BuyOfOwner & { limit: number }, ActivityRow>((q, slot) =>
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
    ),
    underWay: prepare<BuyOfOwner, EventRecord>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .select([...SHOWN])
        .where('media_buy_id', '=', slot('media_buy_id'))
        .where('owner', '=', slot('owner'))
        .where('claimed_at', 'is not', null)
        .orderBy('seq', 'desc')
        .$castTo<EventRecord>(),
    ),
    ...backlogStatements(db),
    ...failingStatements(db),
    attemptsOf: prepare<{ seq: number; limit: number }, AttemptRecord>((q, slot) =>
      q
        .selectFrom('webhook_attempt')
        .selectAll()
        .where('event_seq', '=', slot('seq'))
        .orderBy('attempt', 'desc')
        .limit(slot('limit'))
        .$castTo<AttemptRecord>(),
    ),
    list: (page: Page, filter: EventFilter) =>
      once(
        filterEvents(db, filter)
          .select([...SHOWN])
          .$if(page.after !== undefined, (q) => q.where('seq', '<', page.after ?? 0))
          .orderBy('seq', 'desc')
          .limit(page.limit + 1)
          .$castTo<EventRecord>(),
      ),
    givenUp: (since: number, page: Page, filter: EventFilter) =>
      once(
        filterEvents(db, { ...filter, state: 'dead' })
          .select([...SHOWN])
          .where('finished_at', '>=', since)
          .$if(page.after !== undefined, (q) => q.where('seq', '<', page.after ?? 0))
          .orderBy('seq', 'desc')
          .limit(page.limit)
          .$castTo<EventRecord>(),
      ),
    newestAbout: ({ owner, media_buy_id, notification_type, notification_id }: Subject) =>
      once(
        db
          .selectFrom('webhook_event')
          .select((e) => e.fn.max<number | null>('seq').as('seq'))
          .where('media_buy_id', '=', media_buy_id)
          .where('owner', '=', owner)
          .where('notification_type', notification_type === null ? 'is' : '=', notification_type)
          .where('notification_id', notification_id === null ? 'is' : '=', notification_id),
      ),
  };
}

/** The most events that are looked at for the endpoints that fail. */
const MAX_FAILING_EVENTS = 2000;

function failingStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    lately: prepare<{ since: number; state: EventState }, FailingRow>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .select(['endpoint', 'owner', 'state', 'finished_at as at'])
        .where('state', '=', slot('state'))
        .where('finished_at', '>=', slot('since'))
        .orderBy('finished_at', 'desc')
        .limit(sql.lit(MAX_FAILING_EVENTS)),
    ),
    retried: prepare<object, FailingRow>((q) =>
      q
        .selectFrom('webhook_event')
        .select(['endpoint', 'owner', 'state', 'first_attempt_at as at'])
        .where('next_attempt_at', 'is not', null)
        .where('attempts', '>', 0)
        .limit(sql.lit(MAX_FAILING_EVENTS)),
    ),
  };
}

function filterEvents(db: Builder<SellerTables>, { tenant, principal, endpoint, state, mediaBuyId }: EventFilter) {
  return db
    .selectFrom('webhook_event')
    .$if(tenant !== undefined, (q) => q.where('tenant', '=', tenant ?? ''))
    .$if(principal !== undefined, (q) =>
      q.where(sql<boolean>`${sql.ref('owner')} = ${sql.ref('tenant')} || ${`#${principal}`}`),
    )
    .$if(endpoint !== undefined, (q) => q.where(isAtOrigin(endpoint?.origin ?? '')))
    .$if(endpoint?.suffix !== undefined, (q) => q.where(hasSuffix(endpoint?.suffix ?? '')))
    .$if(state !== undefined, (q) => q.where('state', '=', state ?? ''))
    .$if(mediaBuyId !== undefined, (q) => q.where('media_buy_id', '=', mediaBuyId ?? ''));
}

/** Whether an event waits in a queue of an origin: what follows the origin names the principal and the path. */
function isAtOrigin(origin: string) {
  const queue = sql.ref('endpoint');
  return sql<boolean>`(${queue} = ${origin} OR substr(${queue}, 1, ${sql.lit(origin.length + 1)}) = ${`${origin}#`})`;
}

/** Whether an event waits in a queue whose name ends so. */
function hasSuffix(suffix: string) {
  const queue = sql.ref('endpoint');
  return sql<boolean>`substr(${queue}, length(${queue}) - ${sql.lit(suffix.length - 1)}) = ${suffix}`;
}

function backlogStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    waiting: prepare<object, { pending: number; oldest: number | null }>((q) =>
      q
        .selectFrom('webhook_event')
        .select((e) => [e.fn.countAll<number>().as('pending'), e.fn.min<number | null>('created_at').as('oldest')])
        .where('next_attempt_at', 'is not', null),
    ),
    dead: prepare<{ state: EventState }, { dead: number }>((q, slot) =>
      q
        .selectFrom('webhook_event')
        .select((e) => e.fn.countAll<number>().as('dead'))
        .where('state', '=', slot('state'))
        .where('finished_at', 'is not', null),
    ),
  };
}

/** The compiled statements on sent events. */
type WebhookLogStatements = ReturnType<typeof webhookLogStatements>;

/** Reads events that were sent, wait or were given up: for the operator, and for the buyer's diagnosis. */
export class WebhookLogReader {
  readonly #tx: Reading;
  readonly #statements: WebhookLogStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: WebhookLogStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Returns events newest first, one row more than the page asks for where there is one. */
  async list(page: Page, filter: EventFilter): Promise<EventRecord[]> {
    const rows = await this.#tx.all(this.#statements.list(page, filter), {});
    return rows.map((row) => this.#open(row));
  }

  /** Returns events that were given up at or after an instant (ms), newest first, at most as many as the page asks for. */
  async givenUp(sinceMs: number, page: Page, filter: EventFilter): Promise<EventRecord[]> {
    const rows = await this.#tx.all(this.#statements.givenUp(sinceMs, page, filter), {});
    return rows.map((row) => this.#open(row));
  }

  /** Returns the number of the newest event of a buy that is of the same kind and, where it names one, of the same state. */
  async newestAbout(subject: Subject): Promise<number | undefined> {
    return (await this.#tx.one(this.#statements.newestAbout(subject), {}))?.seq ?? undefined;
  }

  async find(key: string): Promise<(EventRecord & { readonly body: string }) | undefined> {
    const row = await this.#tx.one(this.#statements.byKey, { key });
    return row && { ...this.#open(row), body: this.#sealed.bodies.read(row.body) };
  }

  /** Returns the newest attempts for a buy of this owner, newest first. */
  attempts(owner: string, media_buy_id: string, limit: number): Promise<ActivityRow[]> {
    return this.#tx.all(this.#statements.attempts, { owner, media_buy_id, limit });
  }

  /** Returns the events of a buy of this owner that are being sent. */
  async underWay(owner: string, media_buy_id: string): Promise<EventRecord[]> {
    const rows = await this.#tx.all(this.#statements.underWay, { owner, media_buy_id });
    return rows.map((row) => this.#open(row));
  }

  /** Returns the last attempts of an event, newest first. */
  attemptsOf({ seq }: Pick<EventRecord, 'seq'>, limit: number): Promise<AttemptRecord[]> {
    return this.#tx.all(this.#statements.attemptsOf, { seq, limit });
  }

  /** Returns the origins that do not take their events: given up at or after an instant (ms), or tried in vain so far; the worst first. */
  async failing(sinceMs: number): Promise<readonly FailingEndpoint[]> {
    const dead = await this.#tx.all(this.#statements.lately, { since: sinceMs, state: 'dead' });
    const retried = await this.#tx.all(this.#statements.retried, {});
    const byEndpoint = new Map<string, FailingEndpoint>();
    for (const { at, endpoint, owner, state } of [...dead, ...retried]) {
      const [origin = ''] = endpoint.split('#', 1);
      const key = `${owner} ${origin}`;
      const before = byEndpoint.get(key) ?? { origin, owner, dead: 0, pending: 0, last: 0 };
      const isDead = state === 'dead';
      byEndpoint.set(key, {
        ...before,
        dead: before.dead + Number(isDead),
        pending: before.pending + Number(!isDead),
        last: Math.max(before.last, at ?? 0),
      });
    }
    return [...byEndpoint.values()].toSorted((one, other) => other.dead - one.dead || other.pending - one.pending);
  }

  async backlog(): Promise<Backlog> {
    const waiting = await this.#tx.one(this.#statements.waiting, {});
    const dead = await this.#tx.one(this.#statements.dead, { state: 'dead' });
    return { pending: waiting?.pending ?? 0, dead: dead?.dead ?? 0, oldestPendingAt: waiting?.oldest ?? undefined };
  }

  #open<Row extends EventRecord>(row: Row): Row {
    return { ...row, channel: this.#sealed.channels.read(row.channel) };
  }
}
