import { AppError } from '../platform/kernel/errors.js';
import { isObject } from '../platform/kernel/json/json.js';

/** Codes after which the same call may succeed later. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'UNREACHABLE',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'IDEMPOTENCY_IN_FLIGHT',
]);

type FailureParts = {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
  readonly suggestion?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly payload?: Readonly<Record<string, unknown>> | undefined;
};

/** A call that the seller refused, or that did not reach it; `code` is the protocol's. */
export class TaskFailure extends AppError {
  override readonly name = 'TaskFailure';
  /** The task that was called. */
  readonly task: string;
  /** How long the seller asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The whole answer, where there is one. */
  readonly payload: Readonly<Record<string, unknown>> | undefined;

  constructor(task: string, { code, field, message, payload, retryAfterMs, suggestion }: FailureParts) {
    super(code, message, { field, suggestion });
    this.task = task;
    this.retryAfterMs = retryAfterMs;
    this.payload = payload;
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return TRANSIENT.has(this.code);
  }

  /** Reads the refusal of a seller: its first error. */
  static read(task: string, payload: Readonly<Record<string, unknown>>): TaskFailure {
    const errors: readonly unknown[] = Array.isArray(payload.errors) ? payload.errors : [];
    const error = errors.find(isObject) ?? payload;
    const { code, field, message, retry_after, suggestion } = error;
    return new TaskFailure(task, {
      code: textOf(code) ?? 'UNKNOWN',
      message: textOf(message) ?? 'The seller refused the call.',
      field: textOf(field),
      suggestion: textOf(suggestion),
      retryAfterMs: typeof retry_after === 'number' ? retry_after * 1000 : undefined,
      payload,
    });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
