import type { Clock } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import type { Log } from '../../platform/kernel/log.js';
import type { Echo } from '../../protocol/channels.js';
import { mcpEnvelope, type TaskUpdate } from '../../protocol/webhook-envelope.js';
import type { Writer } from '../store/store.js';
import { type Channel, type ChannelField, endpointOf } from './delivery/channel.js';
import type { ReportType } from './events/payloads.js';
import { writeRegistration } from './events/registration.js';

/** Whom an event is for. */
export type Recipient = {
  readonly owner: string;
  /** Path of the tenant that sends it. */
  readonly tenant: string;
  readonly channel: Channel;
  /** The buy that it is about. */
  readonly mediaBuyId?: string | undefined;
  /** The buy's own registration, which later attempts look up anew; absent where the channel came with a single call. */
  readonly field?: ChannelField | undefined;
};

/** An event to be sent. */
export type OutgoingEvent = Recipient & {
  /** The whole body under its key. Written once: what is stored is what is posted, every time. */
  readonly body: (key: string) => object;
  readonly taskId?: string | undefined;
  /** Absent for plain task events. */
  readonly notificationType?: ReportType | 'impairment' | undefined;
  readonly notificationId?: string | undefined;
  readonly sequence?: number | undefined;
  /** It waits `windowMs` for others of its `key`; the last of them is sent (spec 3, Coalescence). The key is the owner's. */
  readonly coalesce?: { readonly key: string; readonly windowMs: number } | undefined;
};

/** Puts events into the transaction that changes what they tell of. */
export type Outbox = {
  /**
   * Stores an event; it is sent as soon as the transaction is on disk, and never if it is undone. Answers its idempotency_key, or
   * undefined for a channel that is never called.
   */
  readonly post: (tx: Writer, letter: OutgoingEvent) => Promise<string | undefined>;
  /** A buy's registration was replaced: what waits for it goes to the new address. */
  readonly readdress: (tx: Writer, mediaBuyId: string, field: ChannelField, channel: Channel) => Promise<void>;
  /** Gathered events of a buy do not wait any longer: before its last report, for one. */
  readonly flush: (tx: Writer, mediaBuyId: string) => Promise<void>;
};

/** What an outbox works with. */
export type OutboxPorts = {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly log: Log;
  /** How long a tenant's events are tried, in ms. */
  readonly horizonMs: (tenant: string) => number;
  /** Something for the endpoint is stored and due at `dueMs`. */
  readonly announce: (endpoint: string, dueMs: number) => void;
};

/** What receivers are told to take at most (spec 3, Limits). */
const MAX_RECEIVED_BYTES = 1_000_000;

/** An outbox over the transactions it is given. */
export function createOutbox({ clock, ids, log, horizonMs, announce }: OutboxPorts): Outbox {
  function write(letter: OutgoingEvent, key: string): string {
    const body = JSON.stringify(letter.body(key));
    const bytes = Buffer.byteLength(body);
    if (bytes > MAX_RECEIVED_BYTES) {
      log.warn({ tenant: letter.tenant, bytes }, 'a webhook is larger than receivers have to take');
    }
    return body;
  }

  return {
    post: async (tx, letter) => {
      const endpoint = endpointOf(letter.channel);
      if (endpoint === undefined) return undefined;
      const mergeKey = letter.coalesce === undefined ? null : `${letter.owner}\n${letter.coalesce.key}`;
      const waiting = mergeKey === null ? undefined : await tx.outbox.findMergeable(mergeKey);
      if (waiting !== undefined) {
        await tx.outbox.rewrite(waiting, write(letter, waiting));
        return waiting;
      }
      const key = ids.uuid();
      const nowMs = clock.now();
      const dueMs = nowMs + (letter.coalesce?.windowMs ?? 0);
      await tx.outbox.add({
        idempotency_key: key,
        owner: letter.owner,
        tenant: letter.tenant,
        media_buy_id: letter.mediaBuyId ?? null,
        task_id: letter.taskId ?? null,
        notification_type: letter.notificationType ?? null,
        notification_id: letter.notificationId ?? null,
        sequence_number: letter.sequence ?? null,
        channel: registrationOf(letter),
        endpoint,
        body: write(letter, key),
        created_at: nowMs,
        next_attempt_at: dueMs,
        expires_at: dueMs + horizonMs(letter.tenant),
        merge_key: mergeKey,
      });
      tx.onCommit(() => announce(endpoint, dueMs));
      return key;
    },
    readdress: async (tx, mediaBuyId, field, channel) => {
      const endpoint = endpointOf(channel);
      if (endpoint === undefined) return;
      await tx.outbox.readdress(mediaBuyId, writeRegistration({ media_buy_id: mediaBuyId, field }), endpoint);
      const nowMs = clock.now();
      tx.onCommit(() => announce(endpoint, nowMs));
    },
    flush: async (tx, mediaBuyId) => {
      const nowMs = clock.now();
      const endpoints = await tx.outbox.flush(mediaBuyId, nowMs);
      for (const endpoint of endpoints) tx.onCommit(() => announce(endpoint, nowMs));
    },
  };
}

/** An event that tells of a task in the MCP envelope, its registration's operation_id and token echoed. */
export function taskEvent(
  address: Recipient,
  notice: TaskUpdate,
  more: Pick<OutgoingEvent, 'notificationType' | 'sequence' | 'coalesce'> = {},
): OutgoingEvent {
  const { channel } = address;
  const echo: Echo = channel;
  return {
    ...address,
    ...more,
    taskId: notice.taskId,
    notificationId: notice.notificationId,
    body: (key) => mcpEnvelope(key, notice, echo),
  };
}

function registrationOf({ channel, mediaBuyId, field }: Recipient): string {
  return writeRegistration(
    mediaBuyId !== undefined && field !== undefined ? { media_buy_id: mediaBuyId, field } : { channel },
  );
}
