import { STATUS_CODES } from 'node:http';
import type { FetchReason } from '../../../platform/net/fetch.js';
import { SIGNATURE_CODES, type SignatureCode } from '../../../platform/signing/verify/codes.js';
import type { WebhookSettings } from '../../domain/tenant/tenant.js';
import { readRetryAfter } from './schedule.js';

/** What came of one POST: an answer, or why there is none. Header names are in lower case. */
export type PostResult =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> }
  | { readonly fault: FetchReason };

/** The outcome of an attempt as the buyer is told (facts 1.8). */
export type ActivityStatus = 'success' | 'failed' | 'timeout' | 'connection_error' | 'pending';

/** Why an event was given up; each with what it means for an operator. */
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
} as const satisfies Record<string, string>;

/** A reason of the table. */
export type DeadReason = keyof typeof DEAD_REASONS;

/** How a tenant takes what receivers answer. */
export type AnswerPolicy = Pick<WebhookSettings, 'signatureReject' | 'onGone'>;

/** Every retry is on the schedule, and nothing that a receiver answers switches its channel off (spec 3, Errors). */
export const ANSWER_POLICY: AnswerPolicy = { signatureReject: 'retry', onGone: 'stop' };

/** What follows from a result. */
export type Verdict = {
  readonly activity: Exclude<ActivityStatus, 'pending'>;
  /** `bounded`: retried on schedule, up to `retries` times with answers of this kind. */
  readonly action: 'done' | 'retry' | 'bounded' | 'stop';
  readonly retries: number;
  /** Why the event is given up where it is. */
  readonly reason: DeadReason;
  /** The endpoint itself is in trouble: counts towards its breaker. */
  readonly ailing: boolean;
  /** The endpoint asks for less. */
  readonly slower: boolean;
  readonly pauses: boolean;
  /** The receiver rejects our signature, with this code. */
  readonly rejected: SignatureCode | 'unknown' | undefined;
  readonly retryAfterMs: number | undefined;
  /** For the buyer; null on success (facts 1.8, error_message). */
  readonly message: string | null;
};

type Row = Pick<Verdict, 'action' | 'reason'> &
  Partial<Pick<Verdict, 'retries' | 'ailing' | 'slower'>> & { readonly heedsRetryAfter?: true };

/** Retries of an answer that will hardly change: the first steps of the schedule, 12 minutes. */
const FEW = 5;
/** Retries of a rejected signature under `bounded`; each is signed anew. */
const FRESH_SIGNATURES = 2;

/** What each status means (facts 5.3). The first row whose range holds it counts. */
const STATUSES: readonly (readonly [from: number, to: number, row: Row])[] = [
  [200, 299, { action: 'done', reason: 'exhausted' }],
  [401, 401, { action: 'retry', reason: 'exhausted' }],
  [408, 408, { action: 'retry', reason: 'exhausted', ailing: true }],
  [409, 409, { action: 'stop', reason: 'conflict' }],
  [410, 410, { action: 'stop', reason: 'gone' }],
  [413, 413, { action: 'stop', reason: 'too_large' }],
  [425, 425, { action: 'retry', reason: 'exhausted', ailing: true }],
  [429, 429, { action: 'retry', reason: 'exhausted', ailing: true, slower: true, heedsRetryAfter: true }],
  [503, 503, { action: 'retry', reason: 'exhausted', ailing: true, heedsRetryAfter: true }],
  [500, 599, { action: 'retry', reason: 'exhausted', ailing: true }],
  [0, 999, { action: 'bounded', reason: 'refused', retries: FEW }],
];

const SIGNATURE_REJECTED: Readonly<Record<AnswerPolicy['signatureReject'], Row>> = {
  retry: { action: 'retry', reason: 'exhausted' },
  bounded: { action: 'bounded', reason: 'signature_rejected', retries: FRESH_SIGNATURES },
  stop: { action: 'stop', reason: 'signature_rejected' },
};

const CONNECTION: Row = { action: 'retry', reason: 'exhausted', ailing: true };
const BLOCKED: Row = { action: 'stop', reason: 'not_allowed' };

type Fault = readonly [row: Row, activity: Verdict['activity'], message: string];

/** What each fault means. */
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

/** What the profile puts into the challenge of a rejected signature. */
const SIGNATURE_ERROR = /(?:^|,)\s*Signature\s+error="(webhook_[a-z_]{1,60})"/;
const KNOWN_CODES: ReadonlySet<string> = new Set(SIGNATURE_CODES);

/** The code with which a 401 rejects a signature, `unknown` where it is not one of ours; undefined for any other answer. */
function signatureError(status: number, challenge = ''): Verdict['rejected'] {
  const code = status === 401 ? SIGNATURE_ERROR.exec(challenge)?.[1] : undefined;
  if (code === undefined) return undefined;
  return isKnown(code) ? code : 'unknown';
}

function isKnown(code: string): code is SignatureCode {
  return KNOWN_CODES.has(code);
}

/** Judges the result of a POST (facts 5.3, spec 3 Errors). */
export function judgeAnswer(result: PostResult, policy: AnswerPolicy, nowMs: number): Verdict {
  if ('fault' in result) {
    const [row, activity, message] = FAULTS[result.fault];
    return verdict(row, activity, message);
  }
  const { status, headers } = result;
  const found = STATUSES.find(([from, to]) => status >= from && status <= to)?.[2] ?? CONNECTION;
  if (found.action === 'done') return verdict(found, 'success', null);
  const rejected = signatureError(status, headers['www-authenticate']);
  const row = rejected === undefined ? found : SIGNATURE_REJECTED[policy.signatureReject];
  const line = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const message = rejected === undefined ? line : `${line}: signature rejected (${rejected})`;
  return {
    ...verdict(row, 'failed', message),
    rejected,
    pauses: row.reason === 'gone' && policy.onGone === 'pause',
    retryAfterMs: row.heedsRetryAfter === true ? readRetryAfter(headers['retry-after'], nowMs) : undefined,
  };
}

function verdict(row: Row, activity: Verdict['activity'], message: string | null): Verdict {
  const { action, reason, retries = 0, ailing = false, slower = false } = row;
  const plain = { pauses: false, rejected: undefined, retryAfterMs: undefined };
  return { activity, action, reason, retries, ailing, slower, ...plain, message };
}
