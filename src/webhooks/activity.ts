import { isoTime } from '../kernel/clock.js';
import type { Reader } from '../store/store.js';
import type { ActivityRow, EventRecord } from '../store/webhook-log.js';
import type { ActivityStatus } from './answers.js';
import { findChannel } from './registration.js';
import { shownUrl } from './shown-url.js';

/** An entry of `webhook_activity[]` (facts 1.8): one attempt. What was not learned is there as null; `notification_type` is absent for plain task events, which have none. */
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
};

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/**
 * What was sent of late for a buy of this owner, newest first, what is under way included. Reaches back as far as attempts are kept
 * (30 days). `limit` is 1 to 200.
 */
export async function webhookActivity(
  reader: Reader,
  owner: string,
  mediaBuyId: string,
  limit = DEFAULT_LIMIT,
): Promise<readonly Activity[]> {
  const most = Math.max(1, Math.min(limit, MAX_LIMIT));
  const underWay = await reader.webhookLog.underWay(owner, mediaBuyId);
  const pending = await Promise.all(underWay.map((event) => pendingEntry(reader, event)));
  const ended = await reader.webhookLog.attempts(owner, mediaBuyId, most);
  return [...pending, ...ended.map(entry)].slice(0, most);
}

async function pendingEntry(reader: Reader, event: EventRecord): Promise<Activity> {
  const channel = await findChannel(reader, event.owner, event.channel);
  return {
    ...subject(event),
    fired_at: isoTime(event.claimed_at ?? event.created_at),
    completed_at: null,
    attempt: event.attempts + 1,
    status: 'pending',
    url: shownUrl(channel?.url ?? event.endpoint),
    http_status_code: null,
    response_time_ms: null,
    error_message: null,
  };
}

function entry(row: ActivityRow): Activity {
  return {
    ...subject(row),
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

function subject(row: Pick<EventRecord, 'idempotency_key' | 'notification_type' | 'sequence_number' | 'size_bytes'>) {
  return {
    idempotency_key: row.idempotency_key,
    ...(row.notification_type === null ? {} : { notification_type: row.notification_type }),
    ...(row.sequence_number === null ? {} : { sequence_number: row.sequence_number }),
    payload_size_bytes: row.size_bytes,
  };
}
