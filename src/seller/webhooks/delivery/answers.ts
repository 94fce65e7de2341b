import { STATUS_CODES } from 'node:http';
import type { FetchReason } from '../../../platform/net/fetch-error.js';
import { readRetryAfter } from '../../../platform/net/retry-after.js';
import { SIGNATURE_CODES, type SignatureCode } from '../../../platform/signing/verify/codes.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';

/** The result of one POST: an answer, or the reason that there is none. Header names are in lower case. */
export type PostResult =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly fault: FetchReason };

/** The outcome of an attempt as `webhook_activity` names it. */
export type ActivityStatus = 'success' | 'failed' | 'timeout' | 'connection_error' | 'pending';

/** The reasons to give an event up, each as an operator reads it. */
export const DEAD_REASONS = {
  exhausted: 'every attempt of the schedule failed',
  expired: 'it could not be delivered within the time it is tried',
  refused: 'the receiver went on refusing it',
  conflict: 'the receiver knows its key with other content',
  gone: 'the receiver says that the address is gone',
  too_large: 'it is larger than the receiver takes',
  signature_rejected: 'the receiver rejects its signature',
  not_allowed: 'its address leads where nothing is sent',
  paused: 'the receiver has called the address gone, and no other was registered since',
  unregistered: 'there is no registration any more to send it to',
  outdated: 'the buyer was told more since, by an answer or a newer event',
} as const satisfies Record<string, string>;

/** A reason to give an event up. */
export type DeadReason = keyof typeof DEAD_REASONS;

/** The choices of a tenant about the answers of receivers. */
export type AnswerPolicy = Pick<WebhookSettings, 'signatureReject' | 'onGone'>;

/** The policy unless a tenant chooses: every retry is on the schedule, and no answer switches a channel off. */
export const ANSWER_POLICY: AnswerPolicy = { signatureReject: 'retry', onGone: 'stop' };

/** The consequences of a result. */
export type Verdict = {
  readonly activity: Exclude<ActivityStatus, 'pending'>;
  /** `bounded`: retried on schedule, up to `retries` times with answers of this kind. */
  readonly action: 'done' | 'retry' | 'bounded' | 'stop';
  readonly retries: number;
  /** The reason where the event is given up. */
  readonly reason: DeadReason;
  /** Counts towards the endpoint's breaker. */
  readonly isEndpointFailing: boolean;
  /** The endpoint asks for fewer events. */
  readonly isThrottled: boolean;
  readonly pausesChannel: boolean;
  /** The receiver rejects our signature, with this code. */
  readonly signatureError: SignatureCode | 'unknown' | undefined;
  readonly retryAfterMs: number | undefined;
  /** `error_message` of the attempt for the buyer; null on success. */
  readonly message: string | null;
};

type Row = Pick<Verdict, 'action' | 'reason'> &
  Partial<Pick<Verdict, 'retries' | 'isEndpointFailing' | 'isThrottled'>> & { readonly heedsRetryAfter?: true };

/** Retries of an answer that will hardly change: the first steps of the schedule, 12 minutes. */
const BOUNDED_RETRIES = 5;
/** Retries of a rejected signature under `bounded`; each is signed anew. */
const BOUNDED_SIGNATURE_RETRIES = 2;

/** The row of each range of statuses; the first range that holds a status counts. */
const STATUSES: readonly (readonly [from: number, to: number, row: Row])[] = [
  [200, 299, { action: 'done', reason: 'exhausted' }],
  [401, 401, { action: 'retry', reason: 'exhausted' }],
  [408, 408, { action: 'retry', reason: 'exhausted', isEndpointFailing: true }],
  [409, 409, { action: 'stop', reason: 'conflict' }],
  [410, 410, { action: 'stop', reason: 'gone' }],
  [413, 413, { action: 'stop', reason: 'too_large' }],
  [425, 425, { action: 'retry', reason: 'exhausted', isEndpointFailing: true }],
  [
    429,
    429,
    { action: 'retry', reason: 'exhausted', isEndpointFailing: true, isThrottled: true, heedsRetryAfter: true },
  ],
  [503, 503, { action: 'retry', reason: 'exhausted', isEndpointFailing: true, heedsRetryAfter: true }],
  [500, 599, { action: 'retry', reason: 'exhausted', isEndpointFailing: true }],
  [0, 999, { action: 'bounded', reason: 'refused', retries: BOUNDED_RETRIES }],
];

const SIGNATURE_REJECTED: Readonly<Record<AnswerPolicy['signatureReject'], Row>> = {
  retry: { action: 'retry', reason: 'exhausted' },
  bounded: { action: 'bounded', reason: 'signature_rejected', retries: BOUNDED_SIGNATURE_RETRIES },
  stop: { action: 'stop', reason: 'signature_rejected' },
};

const CONNECTION: Row = { action: 'retry', reason: 'exhausted', isEndpointFailing: true };
const BLOCKED: Row = { action: 'stop', reason: 'not_allowed' };

type Fault = readonly [row: Row, activity: Verdict['activity'], message: string];

/** The row of each reason for which there is no answer. */
const FAULTS: Readonly<Record<FetchReason, Fault>> = {
  timeout: [CONNECTION, 'timeout', 'no complete answer in time'],
  unresolved: [CONNECTION, 'connection_error', 'host name does not resolve'],
  unreachable: [CONNECTION, 'connection_error', 'connection failed'],
  insecure: [CONNECTION, 'connection_error', 'TLS certificate is not valid'],
  broken_answer: [CONNECTION, 'connection_error', 'answer breaks off or is not valid HTTP'],
  too_large: [CONNECTION, 'connection_error', 'answer is larger than allowed'],
  too_many_redirects: [CONNECTION, 'connection_error', 'answer redirects'],
  private_address: [BLOCKED, 'connection_error', 'destination not allowed'],
  not_https: [BLOCKED, 'connection_error', 'destination not allowed'],
  credentials: [BLOCKED, 'connection_error', 'destination not allowed'],
  not_a_url: [BLOCKED, 'connection_error', 'destination not allowed'],
};

/** The challenge of a rejected signature as the profile writes it. */
const SIGNATURE_ERROR = /(?:^|,)\s*Signature\s+error="(webhook_[a-z_]{1,60})"/;
const REJECTION_CODES: ReadonlySet<string> = new Set(SIGNATURE_CODES);

/** Returns the code with which a 401 rejects a signature, `unknown` where it is not in the table; undefined for any other answer. */
function readSignatureError(status: number, challenge = ''): Verdict['signatureError'] {
  const code = status === 401 ? SIGNATURE_ERROR.exec(challenge)?.[1] : undefined;
  if (code === undefined) return undefined;
  return isSignatureCode(code) ? code : 'unknown';
}

function isSignatureCode(code: string): code is SignatureCode {
  return REJECTION_CODES.has(code);
}

/** Judges the result of a POST. */
export function judgeAnswer(result: PostResult, policy: AnswerPolicy, nowMs: number): Verdict {
  if ('fault' in result) {
    const [row, activity, message] = FAULTS[result.fault];
    return verdictOf(row, activity, message);
  }
  const { status, headers } = result;
  const ofStatus = STATUSES.find(([from, to]) => status >= from && status <= to)?.[2] ?? CONNECTION;
  if (ofStatus.action === 'done') return verdictOf(ofStatus, 'success', null);
  const signatureError = readSignatureError(status, headers['www-authenticate']);
  const row = signatureError === undefined ? ofStatus : SIGNATURE_REJECTED[policy.signatureReject];
  const line = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const message = signatureError === undefined ? line : `${line}: signature rejected (${signatureError})`;
  return {
    ...verdictOf(row, 'failed', message),
    signatureError,
    pausesChannel: row.reason === 'gone' && policy.onGone === 'pause',
    retryAfterMs: row.heedsRetryAfter === true ? readRetryAfter(headers['retry-after'], nowMs) : undefined,
  };
}

function verdictOf(row: Row, activity: Verdict['activity'], message: string | null): Verdict {
  const { action, reason, retries = 0, isEndpointFailing = false, isThrottled = false } = row;
  const plain = { pausesChannel: false, signatureError: undefined, retryAfterMs: undefined };
  return { activity, action, reason, retries, isEndpointFailing, isThrottled, ...plain, message };
}
