import { extended, Written } from '../platform/kernel/json/json.js';
import { ERROR_CODES, type ErrorCode, type TaskError } from './errors.js';
import type { ProtocolNames } from './names.js';
import type { Release } from './versions.js';

/** The root object of an answer: envelope and task fields side by side (facts A.1). */
export type Payload = Readonly<Record<string, unknown>>;

/** What an answer says about its request: the release it was shaped for and the `context` to echo. */
export type Addressee = {
  readonly names: ProtocolNames;
  readonly release: Release;
  readonly asked: boolean;
  readonly context: unknown;
};

/** Codes that 3.1 added, and what a 3.0 caller knows instead (facts A.4). */
const CODES_FOR_3_0: Partial<Record<ErrorCode, ErrorCode>> = {
  UNAUTHORIZED: 'AUTH_REQUIRED',
  AUTH_MISSING: 'AUTH_REQUIRED',
  AUTH_INVALID: 'AUTH_REQUIRED',
  ACTION_NOT_ALLOWED: 'INVALID_STATE',
  PROPOSAL_NOT_FOUND: 'REFERENCE_NOT_FOUND',
  BILLING_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  PAYMENT_TERMS_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  UNSUPPORTED_GRANULARITY: 'UNSUPPORTED_FEATURE',
  FEED_FETCH_FAILED: 'VALIDATION_ERROR',
  INVALID_FEED_FORMAT: 'VALIDATION_ERROR',
  ITEM_VALIDATION_FAILED: 'VALIDATION_ERROR',
  CATALOG_LIMIT_EXCEEDED: 'VALIDATION_ERROR',
};

/** Codes of specification 2 that stand at the root, whatever the protocol's own vocabulary calls them. */
const ROOT_CODES: Partial<Record<ErrorCode, ErrorCode>> = {
  AUTH_REQUIRED: 'UNAUTHORIZED',
  AUTH_MISSING: 'UNAUTHORIZED',
  AUTH_INVALID: 'UNAUTHORIZED',
};

/** Codes whose error object says nothing but code and message, so that it cannot leak what the first request held (facts A.7). */
const TERSE: ReadonlySet<ErrorCode> = new Set(['IDEMPOTENCY_CONFLICT']);

/** The error object of one fault, in the vocabulary of the caller's release (facts A.3). */
export function errorObject(error: TaskError, release: Release): Record<string, unknown> {
  const code = release === '3.0' ? (CODES_FOR_3_0[error.code] ?? error.code) : error.code;
  const { field, suggestion, retryAfter, details, issues } = error.extras;
  return {
    code,
    message: error.message,
    recovery: ERROR_CODES[code].recovery,
    ...(field === undefined ? {} : { field }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(details === undefined ? {} : { details }),
    ...(issues === undefined ? {} : { issues: issues.slice(0, 8) }),
  };
}

/**
 * The one body of a failed call that serves specification 2 (`code`, `message` at the root), 3.0 and 3.1 clients at once (facts A.2).
 * `empty` are the list members that a task's schema wants even on failure; `creativeStatus` adds the envelope of the creative tasks.
 */
export function errorPayload(error: TaskError, to: Addressee, empty: Payload = {}, creativeStatus?: number): Payload {
  const object = errorObject(error, to.release);
  const { code, message } = object;
  return {
    status: 'failed',
    code: ROOT_CODES[error.code] ?? code,
    message,
    recovery: object.recovery,
    [to.names.error]: TERSE.has(error.code) ? { code, message } : object,
    errors: [object],
    ...(creativeStatus === undefined
      ? {}
      : { error: { code: ROOT_CODES[error.code] ?? code, message, status: creativeStatus } }),
    ...empty,
    ...servedRelease(to),
    ...echo(to),
  };
}

/** A task's own answer with the task's status, where the task left it open. This is what is stored for a replay. */
export function finished(payload: Payload): Payload {
  return { status: 'completed', ...payload };
}

/** The body of a successful call: what the task answered, then what is said about this request: release, echoed context. */
export function successPayload(answer: Payload | Written, to: Addressee, said: Payload = {}): Payload | Written {
  const envelope = { ...said, ...servedRelease(to), ...echo(to) };
  return answer instanceof Written ? extended(answer, envelope) : { ...answer, ...envelope };
}

function servedRelease(to: Addressee): Payload {
  return to.asked ? { [to.names.version]: to.release } : {};
}

function echo(to: Addressee): Payload {
  return to.context === undefined ? {} : { context: to.context };
}
