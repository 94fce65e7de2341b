/** Where an event stands: still to be delivered, delivered, or given up. */
export const EVENT_STATES = ['pending', 'delivered', 'dead'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** An event as it is stored: its exact text, where it goes, and what it tells of. Times in ms since the epoch. */
export type NewEvent = {
  /** Also the key in the text. */
  readonly idempotency_key: string;
  readonly owner: string;
  readonly tenant: string;
  readonly media_buy_id: string | null;
  readonly task_id: string | null;
  readonly notification_type: string | null;
  readonly notification_id: string | null;
  readonly sequence_number: number | null;
  /** Where the registration is looked up, as JSON. */
  readonly channel: string;
  /** The origin that it is posted to. */
  readonly endpoint: string;
  readonly body: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly next_attempt_at: number;
  /** Until it is claimed, an event with the same key takes its place. */
  readonly merge_key: string | null;
};

/** An event that a worker has taken. */
export type ClaimedEvent = Pick<
  NewEvent,
  'idempotency_key' | 'owner' | 'tenant' | 'media_buy_id' | 'channel' | 'endpoint' | 'body' | 'expires_at'
> & {
  readonly seq: number;
  readonly first_attempt_at: number;
  /** Why its last attempt failed. */
  readonly reason: string | null;
  /** Made so far. */
  readonly attempts: number;
  /** Answers so far that are retried only so often. */
  readonly refusals: number;
};

/** What became of a claimed event. */
export type SettledEvent = {
  readonly seq: number;
  readonly state: EventState;
  readonly reason: string | null;
  /** Null once nothing is left to do. */
  readonly next_attempt_at: number | null;
  readonly expires_at: number;
  readonly attempts: number;
  readonly refusals: number;
  readonly finished_at: number | null;
};

/** One attempt to deliver, as it is kept for the buyer's diagnosis (facts 1.8). `url` is fit to be shown. */
export type AttemptRecord = {
  readonly event_seq: number;
  readonly owner: string;
  readonly media_buy_id: string | null;
  /** Counted from 1. */
  readonly attempt: number;
  readonly fired_at: number;
  readonly completed_at: number;
  readonly status: string;
  readonly url: string;
  readonly http_status_code: number | null;
  readonly response_time_ms: number | null;
  readonly error_message: string | null;
};

/** The columns that each of them fills or reads. */
export const ADDED = [
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
  'created_at',
  'expires_at',
  'next_attempt_at',
  'merge_key',
] as const;
export const CLAIMED = [
  'seq',
  'idempotency_key',
  'owner',
  'tenant',
  'media_buy_id',
  'channel',
  'endpoint',
  'expires_at',
  'first_attempt_at',
  'reason',
  'attempts',
  'refusals',
] as const;
export const SETTLED = [
  'state',
  'reason',
  'next_attempt_at',
  'expires_at',
  'attempts',
  'refusals',
  'finished_at',
] as const;
export const RECORDED = [
  'event_seq',
  'owner',
  'media_buy_id',
  'attempt',
  'fired_at',
  'completed_at',
  'status',
  'url',
  'http_status_code',
  'response_time_ms',
  'error_message',
] as const;
