import { isoTime } from '../../platform/kernel/clock.js';
import type { Release } from '../../protocol/releases.js';
import type { Reader } from '../store/store.js';
import type { ActivityRow, EventRecord } from '../store/webhooks/webhook-log.js';
import type { ActivityStatus } from './delivery/answers.js';
import { splitEndpoint } from './delivery/endpoint.js';
import { findChannel } from './events/registration.js';
import { shownUrl } from './shown-url.js';

/** An entry of `webhook_activity[]`: one attempt. Unknown members are null; plain task events have no `notification_type` (see `PLAIN`). */
export type Activity = {
  readonly idempotency_key: string;
  readonly fired_at: string;
  readonly completed_at: string | null;
  readonly notification_type?: string;
  readonly sequence_number?: number;
  readonly attempt: number;
  readonly status: ActivityStatus;
  readonly url: string;
  readonly http_status_code: number | null;
  readonly response_time_ms: number | null;
  readonly payload_size_bytes: number;
  readonly error_message: string | null;
  readonly ext?: Readonly<Record<string, unknown>>;
};

/**
 * The members of a plain task event in release 3.1, which wants a `notification_type` of every record and has none for an event of the
 * buy's own task: the record takes the first of the list and is marked in `ext`. Leaving the record out would hide an attempt.
 */
const PLAIN = { notification_type: 'scheduled', ext: { seller_agent: { event: 'task' } } } as const;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/** `limit` is 1 to 200; `release` is the one that the caller is served. */
type ActivityOptions = { readonly limit?: number | undefined; readonly release?: Release };

/** Returns the latest attempts for a buy of this owner, newest first, those under way included. Attempts are stored for 30 days. */
export async function readActivity(
  reader: Reader,
  owner: string,
  mediaBuyId: string,
  { limit = DEFAULT_LIMIT, release = '3.0' }: ActivityOptions = {},
): Promise<readonly Activity[]> {
  const maxEntries = Math.max(1, Math.min(limit, MAX_LIMIT));
  const inFlight = await reader.webhookLog.underWay(owner, mediaBuyId);
  const pending = await Promise.all(inFlight.map((event) => pendingEntry(reader, event, release)));
  const ended = await reader.webhookLog.attempts(owner, mediaBuyId, maxEntries);
  return [...pending, ...ended.map((row) => endedEntry(row, release))].slice(0, maxEntries);
}

async function pendingEntry(reader: Reader, event: EventRecord, release: Release): Promise<Activity> {
  const channel = await findChannel(reader, event.owner, event.channel);
  return {
    ...eventMembers(event, release),
    fired_at: isoTime(event.claimed_at ?? event.created_at),
    completed_at: null,
    attempt: event.attempts + 1,
    status: 'pending',
    url: shownUrl(channel?.url ?? splitEndpoint(event.endpoint).origin),
    http_status_code: null,
    response_time_ms: null,
    error_message: null,
  };
}

function endedEntry(row: ActivityRow, release: Release): Activity {
  return {
    ...eventMembers(row, release),
    fired_at: isoTime(row.fired_at),
    completed_at: isoTime(row.completed_at),
    attempt: row.attempt,
    status: row.status as ActivityStatus,
    url: row.url,
    http_status_code: row.http_status_code,
    response_time_ms: row.response_time_ms,
    error_message: row.error_message,
  };
}

type EventMembers = Pick<EventRecord, 'idempotency_key' | 'notification_type' | 'sequence_number' | 'size_bytes'>;

function eventMembers(row: EventMembers, release: Release) {
  const plain = release === '3.0' ? {} : PLAIN;
  return {
    idempotency_key: row.idempotency_key,
    ...(row.notification_type === null ? plain : { notification_type: row.notification_type }),
    sequence_number: row.sequence_number ?? undefined,
    payload_size_bytes: row.size_bytes,
  };
}
