import { AppError, type ErrorExtras, InputError } from '../platform/kernel/errors.js';

/** The way on for a caller after an error: wait and retry, correct the request, or give up. */
type Recovery = 'transient' | 'correctable' | 'terminal';

type CodeRow = { readonly recovery: Recovery; readonly status: number };

/** The one table of error codes: recovery class and REST status of each. See docs/protocol/errors.md. */
export const ERROR_CODES = {
  INVALID_REQUEST: { recovery: 'correctable', status: 400 },
  VALIDATION_ERROR: { recovery: 'correctable', status: 422 },
  INVALID_FORMAT_ID: { recovery: 'correctable', status: 400 },
  VERSION_UNSUPPORTED: { recovery: 'correctable', status: 400 },
  UNSUPPORTED_FEATURE: { recovery: 'correctable', status: 422 },
  UNAUTHORIZED: { recovery: 'correctable', status: 401 },
  AUTH_REQUIRED: { recovery: 'correctable', status: 401 },
  AUTH_MISSING: { recovery: 'correctable', status: 401 },
  AUTH_INVALID: { recovery: 'terminal', status: 401 },
  PERMISSION_DENIED: { recovery: 'correctable', status: 403 },
  RATE_LIMITED: { recovery: 'transient', status: 429 },
  SERVICE_UNAVAILABLE: { recovery: 'transient', status: 503 },
  STALE_RESPONSE: { recovery: 'transient', status: 503 },
  CONFLICT: { recovery: 'transient', status: 409 },
  IDEMPOTENCY_IN_FLIGHT: { recovery: 'transient', status: 409 },
  IDEMPOTENCY_CONFLICT: { recovery: 'correctable', status: 409 },
  IDEMPOTENCY_EXPIRED: { recovery: 'correctable', status: 409 },
  PRODUCT_NOT_FOUND: { recovery: 'correctable', status: 404 },
  PRODUCT_UNAVAILABLE: { recovery: 'correctable', status: 409 },
  PRODUCT_EXPIRED: { recovery: 'correctable', status: 409 },
  TERMS_REJECTED: { recovery: 'correctable', status: 422 },
  REQUOTE_REQUIRED: { recovery: 'correctable', status: 409 },
  BUDGET_TOO_LOW: { recovery: 'correctable', status: 422 },
  BUDGET_CAP_REACHED: { recovery: 'correctable', status: 422 },
  BUDGET_EXCEEDED: { recovery: 'correctable', status: 422 },
  POLICY_VIOLATION: { recovery: 'correctable', status: 422 },
  CREATIVE_REJECTED: { recovery: 'correctable', status: 422 },
  CREATIVE_DEADLINE_EXCEEDED: { recovery: 'correctable', status: 409 },
  CREATIVE_NOT_FOUND: { recovery: 'correctable', status: 404 },
  FORMAT_NOT_SUPPORTED: { recovery: 'correctable', status: 404 },
  COMPLIANCE_UNSATISFIED: { recovery: 'correctable', status: 422 },
  CREATIVE_VALUE_NOT_ALLOWED: { recovery: 'correctable', status: 422 },
  PROVENANCE_REQUIRED: { recovery: 'correctable', status: 422 },
  PROVENANCE_DIGITAL_SOURCE_TYPE_MISSING: { recovery: 'correctable', status: 422 },
  PROVENANCE_DISCLOSURE_MISSING: { recovery: 'correctable', status: 422 },
  PROVENANCE_EMBEDDED_MISSING: { recovery: 'correctable', status: 422 },
  PROVENANCE_VERIFIER_NOT_ACCEPTED: { recovery: 'correctable', status: 422 },
  EVALUATOR_AGENT_NOT_ACCEPTED: { recovery: 'correctable', status: 422 },
  MEDIA_BUY_NOT_FOUND: { recovery: 'correctable', status: 404 },
  PACKAGE_NOT_FOUND: { recovery: 'correctable', status: 404 },
  SIGNAL_NOT_FOUND: { recovery: 'correctable', status: 404 },
  REFERENCE_NOT_FOUND: { recovery: 'correctable', status: 404 },
  BRAND_NOT_FOUND: { recovery: 'correctable', status: 404 },
  PROPOSAL_NOT_FOUND: { recovery: 'correctable', status: 404 },
  PROPOSAL_EXPIRED: { recovery: 'correctable', status: 409 },
  IO_REQUIRED: { recovery: 'correctable', status: 422 },
  PROPOSAL_NOT_COMMITTED: { recovery: 'correctable', status: 409 },
  INVALID_STATE: { recovery: 'correctable', status: 409 },
  ACTION_NOT_ALLOWED: { recovery: 'correctable', status: 409 },
  NOT_CANCELLABLE: { recovery: 'correctable', status: 409 },
  ACCOUNT_NOT_FOUND: { recovery: 'terminal', status: 404 },
  ACCOUNT_SETUP_REQUIRED: { recovery: 'correctable', status: 409 },
  ACCOUNT_AMBIGUOUS: { recovery: 'correctable', status: 409 },
  ACCOUNT_PAYMENT_REQUIRED: { recovery: 'terminal', status: 402 },
  ACCOUNT_SUSPENDED: { recovery: 'terminal', status: 403 },
  BILLING_OUT_OF_BAND: { recovery: 'terminal', status: 422 },
  BILLING_NOT_PERMITTED_FOR_AGENT: { recovery: 'correctable', status: 403 },
  BILLING_NOT_SUPPORTED: { recovery: 'correctable', status: 422 },
  PAYMENT_TERMS_NOT_SUPPORTED: { recovery: 'correctable', status: 422 },
  UNSUPPORTED_GRANULARITY: { recovery: 'correctable', status: 422 },
  CREDENTIAL_IN_ARGS: { recovery: 'terminal', status: 400 },
  GOVERNANCE_DENIED: { recovery: 'correctable', status: 403 },
  GOVERNANCE_UNAVAILABLE: { recovery: 'transient', status: 503 },
  CAMPAIGN_SUSPENDED: { recovery: 'transient', status: 409 },
  PLAN_NOT_FOUND: { recovery: 'correctable', status: 404 },
  AUDIENCE_TOO_SMALL: { recovery: 'correctable', status: 422 },
  FEED_FETCH_FAILED: { recovery: 'correctable', status: 422 },
  INVALID_FEED_FORMAT: { recovery: 'correctable', status: 422 },
  ITEM_VALIDATION_FAILED: { recovery: 'correctable', status: 422 },
  CATALOG_LIMIT_EXCEEDED: { recovery: 'correctable', status: 422 },
} as const satisfies Record<string, CodeRow>;

/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** One fault of a request: an RFC 6901 pointer into the arguments, a sentence, and the schema keyword that failed. */
export type Issue = { readonly pointer: string; readonly message: string; readonly keyword: string };

/** The members of an error beside its code and message, as the wire knows them. */
type TaskErrorExtras = ErrorExtras & {
  /** Seconds, 1 to 3600. */
  readonly retryAfter?: number;
  readonly issues?: readonly Issue[];
  /** What a 3.0 caller is told instead of the code, where the table of such codes says something else. */
  readonly codeIn30?: ErrorCode;
};

/** The error of a task. Its text is safe to show: no hosts, no SQL, no id of another caller's things. */
export class TaskError extends AppError<ErrorCode, TaskErrorExtras> {
  override readonly name = 'TaskError';
}

/** Returns the refusal of a request for one of its fields. */
export function refuseField(field: string, message: string, suggestion: string): TaskError {
  return new TaskError('INVALID_REQUEST', message, { field, suggestion });
}

/** Returns an error as a task answers it: a TaskError itself, or one of the layers below under its code. Undefined for any other. */
export function asTaskError(error: unknown): TaskError | undefined {
  if (error instanceof TaskError) return error;
  return error instanceof InputError ? new TaskError(error.code, error.message, error.extras) : undefined;
}

/** Returns an error as a task answers it. Throws what `asTaskError` does not know on as it came. */
export function taskErrorOrThrow(error: unknown): TaskError {
  const taskError = asTaskError(error);
  if (taskError === undefined) throw error;
  return taskError;
}

/** Returns what `run` returns, or the TaskError that it throws. Throws any other error on. */
export async function catchTaskError<T>(run: () => Promise<T>): Promise<T | TaskError> {
  try {
    return await run();
  } catch (error) {
    return taskErrorOrThrow(error);
  }
}
