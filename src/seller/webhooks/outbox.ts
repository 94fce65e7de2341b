import type { Clock } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import { toJson } from '../../platform/kernel/json/json.js';
import type { Log } from '../../platform/kernel/log.js';
import type { Echo } from '../../protocol/channels.js';
import { a2aEnvelope, a2aEnvelopeOf10, mcpEnvelope, type TaskUpdate } from '../../protocol/webhook-envelope.js';
import type { Writer } from '../store/store.js';
import type { DeadReason } from './delivery/answers.js';
import type { Channel, ChannelField } from './delivery/channel.js';
import { createQueueCache } from './delivery/endpoint.js';
import type { NotificationType } from './events/payloads.js';
import { writeRegistration } from './events/registration.js';

/** The recipient of an event. */
export type Recipient = {
  readonly owner: string;
  /** Path of the tenant that sends it. */
  readonly tenant: string;
  readonly channel: Channel;
  /** The buy that the event is about. */
  readonly mediaBuyId?: string | undefined;
  /** The buy's own registration, which later attempts look up anew; absent where the channel was registered with a single call. */
  readonly field?: ChannelField | undefined;
  /** The subscriber of an account that is told, which later attempts look up anew. */
  readonly subscriber?: { readonly account_id: string; readonly subscriber_id: string } | undefined;
};

/** An event to be sent. */
export type OutgoingEvent = Recipient & {
  /** The whole body under its key. Written once: what is stored is what is posted, every time. */
  readonly body: (key: string) => object;
  readonly taskId?: string | undefined;
  /** Absent for plain task events. */
  readonly notificationType?: NotificationType | undefined;
  readonly notificationId?: string | undefined;
  readonly sequence?: number | undefined;
  /** Of an event that tells where a buy stands: the buy's revision. It is dropped where the buy has gone on before it is posted. */
  readonly revision?: number | undefined;
  /** The event waits `windowMs` for others of its `key`; the last of them is sent. The key is the owner's. */
  readonly coalesce?: { readonly key: string; readonly windowMs: number } | undefined;
};

/** A buy's registration, with the channel that it leads to now. */
type ReplacedRegistration = {
  readonly owner: string;
  readonly mediaBuyId: string;
  readonly field: ChannelField;
  readonly channel: Channel;
};

/** The dropped events: the bodies that nobody was posting, and how long the one that still gathered had left (ms). */
type DroppedState = { readonly bodies: readonly unknown[]; readonly gathersMs: number | undefined };

/** Adds events to the transaction that changes their subject. */
export type Outbox = {
  /**
   * Stores an event, which is sent as soon as the transaction is on disk, and never if that is undone. Returns its idempotency_key,
   * undefined for a channel that is never called.
   */
  readonly post: (tx: Writer, event: OutgoingEvent) => Promise<string | undefined>;
  /** Sends the waiting events of a buy's registration, which was replaced, to the new address. */
  readonly readdress: (tx: Writer, replaced: ReplacedRegistration) => Promise<void>;
  /**
   * Drops the events that were to tell where a buy stands and are not delivered: the buyer is told by an answer, or by a newer event. One
   * that is being posted is not tried again.
   */
  readonly dropState: (tx: Writer, mediaBuyId: string) => Promise<DroppedState>;
  /** Returns the bodies of the events of a buy and a type that wait for others. */
  readonly gathering: (tx: Writer, mediaBuyId: string, type: NotificationType) => Promise<readonly unknown[]>;
  /** Sends the coalescing events of a buy now, for example before its last report. */
  readonly flush: (tx: Writer, mediaBuyId: string) => Promise<void>;
};

/** The ports of an outbox. */
export type OutboxPorts = {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Log;
  /** Returns how long a tenant's events are tried, in ms. */
  readonly horizonMs: (tenant: string) => number;
  /** Notes that an event for the endpoint is stored and due at `dueMs`. */
  readonly announce: (endpoint: string, dueMs: number) => void;
};

/** The largest body that receivers are taken to accept; what can be known of it is refused with its registration. */
const MAX_BODY_BYTES = 256 * 1024;

/** Makes an outbox over the transactions that it is given. */
export function createOutbox({ clock, ids, log, horizonMs, announce }: OutboxPorts): Outbox {
  const findQueue = createQueueCache();

  function writeBody(event: OutgoingEvent, key: string): string {
    const body = toJson(event.body(key));
    const bytes = Buffer.byteLength(body);
    if (bytes > MAX_BODY_BYTES) {
      log.warn({ tenant: event.tenant, bytes }, 'a webhook is larger than receivers have to take');
    }
    return body;
  }

  return {
    post: async (tx, event) => {
      const endpoint = findQueue(event.owner, event.channel.url);
      if (endpoint === undefined) return undefined;
      const mergeKey = event.coalesce === undefined ? null : `${event.owner}\n${event.coalesce.key}`;
      const waiting = mergeKey === null ? undefined : await tx.outbox.findMergeable(mergeKey);
      const nowMs = clock.now();
      const dueMs = nowMs + (event.coalesce?.windowMs ?? 0);
      if (waiting !== undefined) {
        await tx.outbox.rewrite(waiting, writeBody(event, waiting), dueMs);
        tx.onCommit(() => announce(endpoint, dueMs));
        return waiting;
      }
      const key = ids.uuid();
      await tx.outbox.add({
        ...eventColumns(event),
        idempotency_key: key,
        endpoint,
        body: writeBody(event, key),
        created_at: nowMs,
        next_attempt_at: dueMs,
        expires_at: dueMs + horizonMs(event.tenant),
        merge_key: mergeKey,
      });
      tx.onCommit(() => announce(endpoint, dueMs));
      return key;
    },
    readdress: async (tx, { owner, mediaBuyId, field, channel }) => {
      const endpoint = findQueue(owner, channel.url);
      if (endpoint === undefined) return;
      await tx.outbox.readdress(mediaBuyId, writeRegistration({ media_buy_id: mediaBuyId, field }), endpoint);
      const nowMs = clock.now();
      tx.onCommit(() => announce(endpoint, nowMs));
    },
    dropState: async (tx, mediaBuyId) => {
      const nowMs = clock.now();
      const dropped = await tx.outbox.dropState(mediaBuyId, nowMs, 'outdated' satisfies DeadReason);
      const gathering = dropped.find(({ gathers_until }) => gathers_until !== undefined);
      return {
        bodies: dropped.map(({ body }) => JSON.parse(body)),
        gathersMs: gathering?.gathers_until && Math.max(0, gathering.gathers_until - nowMs),
      };
    },
    gathering: async (tx, mediaBuyId, type) =>
      (await tx.outbox.gathering(mediaBuyId, type)).map((body): unknown => JSON.parse(body)),
    flush: async (tx, mediaBuyId) => {
      const nowMs = clock.now();
      const endpoints = await tx.outbox.flush(mediaBuyId, nowMs);
      for (const endpoint of endpoints) tx.onCommit(() => announce(endpoint, nowMs));
    },
  };
}

/** Returns the columns of a row that follow from its event alone. */
function eventColumns(event: OutgoingEvent) {
  return {
    owner: event.owner,
    tenant: event.tenant,
    media_buy_id: event.mediaBuyId ?? null,
    task_id: event.taskId ?? null,
    notification_type: event.notificationType ?? null,
    notification_id: event.notificationId ?? null,
    sequence_number: event.sequence ?? null,
    revision: event.revision ?? null,
    channel: serializeRegistration(event),
  };
}

const ENVELOPES = { mcp: mcpEnvelope, 'a2a-0.3': a2aEnvelope, 'a2a-1.0': a2aEnvelopeOf10 } as const;

/** Returns the event that reports a task in the envelope of its registration and echoes the registration's operation_id and token. */
export function taskEvent(
  recipient: Recipient,
  update: TaskUpdate,
  options: Pick<OutgoingEvent, 'notificationType' | 'sequence' | 'revision' | 'coalesce'> = {},
): OutgoingEvent {
  const { channel } = recipient;
  const echo: Echo = channel;
  return {
    ...recipient,
    ...options,
    taskId: update.taskId,
    notificationId: update.notificationId,
    body: (key) => ENVELOPES[channel.envelope ?? 'mcp'](key, update, echo),
  };
}

function serializeRegistration({ channel, mediaBuyId, field, subscriber }: Recipient): string {
  if (subscriber !== undefined) return writeRegistration(subscriber);
  return writeRegistration(
    mediaBuyId !== undefined && field !== undefined ? { media_buy_id: mediaBuyId, field } : { channel },
  );
}
