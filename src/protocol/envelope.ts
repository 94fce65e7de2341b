import { extendWritten, Written } from '../platform/kernel/json/json.js';
import { ERROR_CODES, type ErrorCode, type TaskError } from './errors.js';
import type { ProtocolNames } from './names.js';
import { RELEASE_TABLE, type Release } from './releases.js';

/** The root object of an answer: envelope and task fields side by side. */
export type Payload = Readonly<Record<string, unknown>>;

/** The facts of a request that its answer repeats: the release it was shaped for and the `context` to echo. */
export type Addressee = {
  readonly names: ProtocolNames;
  readonly release: Release;
  readonly asked: boolean;
  readonly context: unknown;
  /** What every answer to this caller says of the seller, as `ext`. */
  readonly ext?: Payload | undefined;
};

/** Codes that 3.1 added, and the code that a 3.0 caller knows instead. See docs/protocol/errors.md. */
const CODES_FOR_3_0: Partial<Record<ErrorCode, ErrorCode>> = {
  UNAUTHORIZED: 'AUTH_REQUIRED',
  AUTH_MISSING: 'AUTH_REQUIRED',
  AUTH_INVALID: 'AUTH_REQUIRED',
  IDEMPOTENCY_IN_FLIGHT: 'SERVICE_UNAVAILABLE',
  ACTION_NOT_ALLOWED: 'INVALID_STATE',
  PROPOSAL_NOT_FOUND: 'REFERENCE_NOT_FOUND',
  FORMAT_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  BILLING_OUT_OF_BAND: 'UNSUPPORTED_FEATURE',
  BUDGET_CAP_REACHED: 'BUDGET_EXCEEDED',
  BILLING_NOT_PERMITTED_FOR_AGENT: 'UNSUPPORTED_FEATURE',
  BILLING_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  PAYMENT_TERMS_NOT_SUPPORTED: 'UNSUPPORTED_FEATURE',
  UNSUPPORTED_GRANULARITY: 'UNSUPPORTED_FEATURE',
  FEED_FETCH_FAILED: 'VALIDATION_ERROR',
  INVALID_FEED_FORMAT: 'VALIDATION_ERROR',
  ITEM_VALIDATION_FAILED: 'VALIDATION_ERROR',
  CATALOG_LIMIT_EXCEEDED: 'VALIDATION_ERROR',
  PROVENANCE_REQUIRED: 'CREATIVE_REJECTED',
  PROVENANCE_DIGITAL_SOURCE_TYPE_MISSING: 'CREATIVE_REJECTED',
  PROVENANCE_DISCLOSURE_MISSING: 'CREATIVE_REJECTED',
  PROVENANCE_EMBEDDED_MISSING: 'CREATIVE_REJECTED',
  PROVENANCE_VERIFIER_NOT_ACCEPTED: 'CREATIVE_REJECTED',
  EVALUATOR_AGENT_NOT_ACCEPTED: 'UNSUPPORTED_FEATURE',
};

/** Codes that are written otherwise at the root of an answer than in its error object. */
const ROOT_CODES: Partial<Record<ErrorCode, ErrorCode>> = {
  AUTH_REQUIRED: 'UNAUTHORIZED',
  AUTH_MISSING: 'UNAUTHORIZED',
  AUTH_INVALID: 'UNAUTHORIZED',
};

/** Codes whose error object has nothing but code and message, so that it cannot leak what the first request held. */
const TERSE: ReadonlySet<ErrorCode> = new Set(['IDEMPOTENCY_CONFLICT']);

/** Returns the error object of one fault, in the vocabulary of the caller's release. */
export function errorObject(error: TaskError, release: Release): Record<string, unknown> {
  const { field, suggestion, retryAfter, details, issues, codeIn30 } = error.extras;
  const { knowsNewCodes, hasStrictErrors } = RELEASE_TABLE[release];
  const code = knowsNewCodes ? error.code : (codeIn30 ?? CODES_FOR_3_0[error.code] ?? error.code);
  return {
    code,
    message: error.message,
    recovery: ERROR_CODES[code].recovery,
    field,
    suggestion,
    retry_after: hasStrictErrors && retryAfter !== undefined ? Math.ceil(retryAfter) : retryAfter,
    details,
    issues: issues?.slice(0, 8),
  };
}

/**
 * Returns the one body of a failed call that serves clients of every kind: `code` and `message` at the root, and the error objects of 3.0
 * and 3.1 (docs/protocol/errors.md). `empty` are the list members that a task's schema wants even on failure; `creativeStatus` adds the
 * envelope of the creative tasks.
 */
export function errorPayload(error: TaskError, to: Addressee, empty: Payload = {}, creativeStatus?: number): Payload {
  const object = errorObject(error, to.release);
  const { code, message, recovery } = object;
  const terse = RELEASE_TABLE[to.release].hasStrictErrors ? { code, message, recovery } : { code, message };
  return {
    status: 'failed',
    code: ROOT_CODES[error.code] ?? code,
    message,
    recovery,
    [to.names.error]: TERSE.has(error.code) ? terse : object,
    errors: [object],
    ...(creativeStatus === undefined
      ? {}
      : { error: { code: ROOT_CODES[error.code] ?? code, message, status: creativeStatus } }),
    ...empty,
    ...servedRelease(to),
    ...echo(to),
  };
}

/** Returns a task's own answer with the status `completed` where the task left it open: the answer that is stored for a replay. */
export function completePayload(payload: Payload): Payload {
  return { status: 'completed', ...payload };
}

/** Returns the body of a successful call: the task's answer, then what belongs to this request: release, echoed context. */
export function successPayload(answer: Payload | Written, to: Addressee, extras: Payload = {}): Payload | Written {
  const envelope = { ...extras, ...servedRelease(to), ...echo(to) };
  return answer instanceof Written ? extendWritten(answer, envelope) : { ...answer, ...envelope };
}

function servedRelease(to: Addressee): Payload {
  return to.asked ? { [to.names.version]: to.release } : {};
}

function echo(to: Addressee): Payload {
  return {
    ...(to.context === undefined ? {} : { context: to.context }),
    ...(to.ext === undefined ? {} : { ext: to.ext }),
  };
}
