/** The states of an event: to be delivered, delivered, given up, or not sent since the buyer was told by an answer or a newer event. */
export const EVENT_STATES = ['pending', 'delivered', 'dead', 'dropped'] as const;

/** The state of an event. */
export type EventState = (typeof EVENT_STATES)[number];

/** An event as it is stored: its exact text, its recipient, and its subject. Times in ms since the epoch. */
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
  /** The revision of the buy that it tells of, where it tells where the buy stands; 0 once it is not to be tried again. */
  readonly revision: number | null;
  /** The registration, or the buy that it is looked up in, as JSON. */
  readonly channel: string;
  /** The queue that it waits in: the origin that it is posted to, the principal and the path. */
  readonly endpoint: string;
  readonly body: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly next_attempt_at: number;
  /** Until it is claimed, an event with the same key takes its place. */
  readonly merge_key: string | null;
};

/** A queue with events that wait: when the earliest is due (ms), and how often that one was tried. */
export type DueEndpoint = { readonly endpoint: string; readonly next_attempt_at: number; readonly attempts: number };

/**
 * Which events are claimed: those that are due first; the first also before its time; the newest that are due and were never tried;
 * those that were never tried and whose time is over.
 */
export type ClaimKind = 'due' | 'probe' | 'late_probe' | 'overdue';

/** An event that a worker has taken. */
export type ClaimedEvent = Pick<
  NewEvent,
  'idempotency_key' | 'owner' | 'tenant' | 'media_buy_id' | 'revision' | 'channel' | 'endpoint' | 'body' | 'expires_at'
> & {
  readonly seq: number;
  /** Names the claim, by which alone the result is taken. */
  readonly claim: string;
  readonly first_attempt_at: number;
  /** Why its last attempt failed. */
  readonly reason: string | null;
  /** Attempts so far. */
  readonly attempts: number;
  /** Answers so far that are retried only so often. */
  readonly refusals: number;
};

/** An event about where a buy stands that is not to be sent any more. */
export type DroppedEvent = {
  readonly body: string;
  /** Until when it was to gather others (ms); absent where that was over. */
  readonly gathers_until: number | undefined;
};

/** The result of a claimed event. */
export type SettledEvent = {
  readonly seq: number;
  readonly claim: string;
  readonly state: EventState;
  readonly reason: string | null;
  /** Null once nothing is left to do. */
  readonly next_attempt_at: number | null;
  readonly expires_at: number;
  readonly attempts: number;
  readonly refusals: number;
  readonly finished_at: number | null;
};

/** One attempt to deliver, as it is stored for the buyer's diagnosis. `url` is fit to be shown. */
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

/** The columns of a new event. */
export const ADDED = [
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
  'created_at',
  'expires_at',
  'next_attempt_at',
  'merge_key',
] as const;

/** The columns of a claimed event. */
export const CLAIMED = [
  'seq',
  'claim',
  'idempotency_key',
  'owner',
  'tenant',
  'media_buy_id',
  'revision',
  'channel',
  'endpoint',
  'expires_at',
  'first_attempt_at',
  'reason',
  'attempts',
  'refusals',
  'next_attempt_at',
] as const;

/** The columns that the result of an event changes. */
export const SETTLED = [
  'state',
  'reason',
  'next_attempt_at',
  'expires_at',
  'attempts',
  'refusals',
  'finished_at',
] as const;

/** The columns of an attempt. */
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
