import { isoTime } from '../../platform/kernel/clock.js';
import { cutPage, type Page, type PageInfo } from '../../platform/kernel/cursor.js';
import { TaskError } from '../../protocol/errors.js';
import type { Reader, Writer } from '../store/store.js';
import { EVENT_STATES } from '../store/webhooks/outbox/rows.js';
import type { Backlog, EventFilter, EventRecord } from '../store/webhooks/webhook-log.js';
import { DEAD_REASONS, type DeadReason } from './delivery/answers.js';
import { endpointOf, filterByUrl, splitEndpoint } from './delivery/endpoint.js';
import { findChannel } from './events/registration.js';
import { type Outbox, type OutboxPorts, type Recipient, taskEvent } from './outbox.js';
import { shownUrl } from './shown-url.js';

/** An event as the operator sees it: its state, never its content or credentials. Instants are ISO 8601. */
export type ShownEvent = {
  readonly idempotency_key: string;
  readonly tenant: string;
  readonly owner: string;
  readonly state: EventRecord['state'];
  /** The reason that it was given up, or that its last attempt failed. */
  readonly reason: string | null;
  readonly url: string;
  readonly media_buy_id: string | null;
  readonly task_id: string | null;
  readonly notification_type: string | null;
  readonly notification_id: string | null;
  readonly sequence_number: number | null;
  readonly payload_size_bytes: number;
  readonly attempts: number;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly finished_at: string | null;
};

export type { Backlog, EventFilter };

/** Reads the filter in a query or in a command's flags. Throws INVALID_REQUEST for an unknown state, which would list everything. */
export function readEventFilter(given: Readonly<Record<string, unknown>>): EventFilter {
  const { tenant, principal, endpoint, state, media_buy_id: mediaBuyId } = given;
  const stateFilter = EVENT_STATES.find((one) => one === state);
  if (state !== undefined && stateFilter === undefined) {
    throw new TaskError('INVALID_REQUEST', 'Unknown webhook state.', {
      field: 'state',
      suggestion: `Use ${EVENT_STATES.join(', ')}, or leave it out for all.`,
    });
  }
  return {
    tenant: typeof tenant === 'string' ? tenant : undefined,
    principal: typeof principal === 'string' ? principal : undefined,
    endpoint: endpoint === undefined ? undefined : readEndpoint(endpoint),
    state: stateFilter,
    mediaBuyId: typeof mediaBuyId === 'string' ? mediaBuyId : undefined,
  };
}

function readEndpoint(endpoint: unknown): EventFilter['endpoint'] {
  const filter = typeof endpoint === 'string' ? filterByUrl(endpoint) : undefined;
  if (filter !== undefined) return filter;
  throw new TaskError('INVALID_REQUEST', 'The endpoint is no URL.', {
    field: 'endpoint',
    suggestion: 'Name a host like https://buyer.example, or one path there, as in https://buyer.example/hooks.',
  });
}

/** The operations of an operator on the outbox, each for a command. */
export type WebhookOperations = {
  /** `webhooks list`: newest first. */
  readonly list: (
    reader: Reader,
    page: Page,
    filter: EventFilter,
  ) => Promise<{ rows: readonly ShownEvent[]; info: PageInfo }>;
  /**
   * Sends an event again (`webhooks replay`) and returns its key. While receivers remember its key it goes out as it was; after that
   * under a new key, with the same notification_id. Throws REFERENCE_NOT_FOUND, and CONFLICT while it is being sent.
   */
  readonly replay: (tx: Writer, idempotencyKey: string) => Promise<string>;
  /**
   * `webhooks recover`: replays events that were given up at or after an instant (ms) and that no later event of the same state
   * overtook; at most `BATCH` of them, newest first. `seen` are the subjects of the batches before.
   */
  readonly recover: (tx: Writer, since: RecoverSince, seen: Set<string>) => Promise<RecoveredBatch>;
  /** `webhooks test`: posts an event that only shows that the channel works. Returns its key. */
  readonly test: (tx: Writer, recipient: Recipient) => Promise<string>;
};

/** Which events are recovered: given up at or after `sinceMs`, below the number `after`. */
type RecoverSince = {
  readonly sinceMs: number;
  readonly filter: EventFilter;
  readonly after: number | undefined;
};

/** The result of a batch. `after` is where the next one begins, undefined after the last. */
type RecoveredBatch = {
  readonly sent: number;
  readonly overtaken: number;
  readonly after: number | undefined;
};

/** Events that are looked at in one transaction. */
const BATCH = 100;

/** Makes the operations on an outbox. */
export function createWebhookOperations(
  outbox: Pick<Outbox, 'post'>,
  ports: Omit<OutboxPorts, 'log'>,
): WebhookOperations {
  return {
    list: async (reader, page, filter) => {
      const { rows, info } = cutPage('webhooks', await reader.webhookLog.list(page, filter), page, (row) => row.seq);
      return { rows: await Promise.all(rows.map((row) => showEvent(reader, row))), info };
    },
    replay: (tx, idempotencyKey) => replayEvent(tx, idempotencyKey, ports),
    recover: async (tx, { sinceMs, filter, after }, seen) => {
      const rows = await tx.webhookLog.givenUp(sinceMs, { limit: BATCH, after }, filter);
      let sent = 0;
      for (const row of rows) {
        if (await isOvertaken(tx, row, seen)) continue;
        await replayEvent(tx, row.idempotency_key, ports);
        sent += 1;
      }
      return { sent, overtaken: rows.length - sent, after: rows.length < BATCH ? undefined : rows.at(-1)?.seq };
    },
    test: async (tx, recipient) => {
      const { ids, clock } = ports;
      const taskId = recipient.mediaBuyId ?? `test_${ids.uuid()}`;
      const key = await outbox.post(
        tx,
        taskEvent(recipient, {
          taskId,
          taskType: 'create_media_buy',
          status: 'working',
          timestamp: isoTime(clock.now()),
          message: 'This is a test of your webhook. Nothing has changed.',
          result: { current_step: 'webhook_test' },
        }),
      );
      if (key === undefined) throw neverCalled();
      return key;
    },
  };
}

async function replayEvent(
  tx: Writer,
  idempotencyKey: string,
  { clock, ids, horizonMs, announce }: Omit<OutboxPorts, 'log'>,
): Promise<string> {
  const event = await tx.webhookLog.find(idempotencyKey);
  if (event === undefined) throw unknownEvent();
  if (event.claimed_at !== null) throw inFlight();
  const nowMs = clock.now();
  const horizon = horizonMs(event.tenant);
  const rememberedUntilMs = (event.first_attempt_at ?? nowMs) + horizon;
  const channel = await findChannel(tx, event.owner, event.channel);
  const endpoint = (channel === undefined ? undefined : endpointOf(event.owner, channel)) ?? event.endpoint;
  tx.onCommit(() => announce(endpoint, nowMs));
  if (nowMs < rememberedUntilMs) {
    await tx.outbox.revive(idempotencyKey, endpoint, nowMs, rememberedUntilMs);
    return idempotencyKey;
  }
  const key = ids.uuid();
  await tx.outbox.add({
    ...event,
    idempotency_key: key,
    // A random key is nowhere else in the text.
    body: event.body.replaceAll(JSON.stringify(idempotencyKey), JSON.stringify(key)),
    endpoint,
    created_at: nowMs,
    next_attempt_at: nowMs,
    expires_at: nowMs + horizon,
    merge_key: null,
  });
  return key;
}

/** Whether a later event tells of the state that an event tells of; a report tells of a period of its own. */
async function isOvertaken(tx: Writer, event: EventRecord, seen: Set<string>): Promise<boolean> {
  const { owner, channel, media_buy_id, task_id, notification_type, notification_id, sequence_number } = event;
  if (sequence_number !== null) return false;
  const subject = JSON.stringify([owner, channel, media_buy_id, task_id, notification_type, notification_id]);
  if (seen.has(subject)) return true;
  seen.add(subject);
  if (media_buy_id === null) return false;
  const newest = await tx.webhookLog.newestAbout({ owner, media_buy_id, notification_type, notification_id });
  return newest !== undefined && newest > event.seq;
}

async function showEvent(reader: Reader, event: EventRecord): Promise<ShownEvent> {
  const channel = await findChannel(reader, event.owner, event.channel);
  return {
    idempotency_key: event.idempotency_key,
    tenant: event.tenant,
    owner: event.owner,
    state: event.state,
    reason: event.reason === null ? null : explainReason(event.reason),
    url: shownUrl(channel?.url ?? splitEndpoint(event.endpoint).origin),
    media_buy_id: event.media_buy_id,
    task_id: event.task_id,
    notification_type: event.notification_type,
    notification_id: event.notification_id,
    sequence_number: event.sequence_number,
    payload_size_bytes: event.size_bytes,
    attempts: event.attempts,
    created_at: isoTime(event.created_at),
    next_attempt_at: instant(event.next_attempt_at),
    finished_at: instant(event.finished_at),
  };
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

function unknownEvent(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no event with this key.', {
    field: 'idempotency_key',
    suggestion: 'Take the key from `webhooks list`; delivered events are kept for 30 days.',
  });
}

function inFlight(): TaskError {
  return new TaskError('CONFLICT', 'The event is being sent right now.', {
    field: 'idempotency_key',
    retryAfter: 10,
    suggestion: 'Look at `webhooks list` in a few seconds, and replay it if it failed.',
  });
}

function neverCalled(): TaskError {
  return new TaskError('INVALID_REQUEST', 'The registered address is a placeholder, which is never called.', {
    field: 'url',
    suggestion: 'Register a real address with update_media_buy.',
  });
}

/** Returns the reason that an event was given up, or that its last attempt failed, as people read it. */
export function explainReason(reason: string): string {
  return Object.hasOwn(DEAD_REASONS, reason) ? DEAD_REASONS[reason as DeadReason] : reason;
}
