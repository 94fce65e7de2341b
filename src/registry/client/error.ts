import { isObject } from '../../platform/kernel/json/json.js';

/** The code of a failure: one of the client's own, or the `error` or `code` in the body of the registry's answer. */
export type RegistryErrorCode =
  | 'token_missing'
  | 'unreachable'
  | 'not_json'
  | 'cursor_stuck'
  | 'cursor_expired'
  | (string & {});

/** Codes of answers that name none, by status. */
const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  410: 'cursor_expired',
  413: 'too_large',
  429: 'rate_limited',
  503: 'unavailable',
};

/** A refusal by a registry, or no answer at all: then `status` is 0. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
  readonly status: number;
  readonly code: RegistryErrorCode;
  /** Seconds; absent when the registry names none. */
  readonly retry_after?: number;
  /** As the registry sent it, when it was a JSON object. */
  readonly body?: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    parts: {
      readonly status: number;
      readonly code: RegistryErrorCode;
      readonly retry_after?: number | undefined;
      readonly body?: Readonly<Record<string, unknown>> | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, parts.cause === undefined ? {} : { cause: parts.cause });
    this.status = parts.status;
    this.code = parts.code;
    if (parts.retry_after !== undefined) this.retry_after = parts.retry_after;
    if (parts.body !== undefined) this.body = parts.body;
  }
}

/** Returns the error that an answer of a status of 400 or more stands for. `headers` are in lower case. */
export function errorOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  value: unknown,
  nowMs: number,
): RegistryError {
  const body = isObject(value) ? value : undefined;
  const message = textOf(body?.error) ?? textOf(body?.message) ?? `the registry answered ${status}`;
  return new RegistryError(message, {
    status,
    code: codeOf(status, body),
    retry_after: retryAfterOf(headers, body, nowMs),
    body,
  });
}

/** Returns the code of a refusal, which is one word; a sentence in `error` is none. */
function codeOf(status: number, body: Readonly<Record<string, unknown>> | undefined): string {
  const named = [body?.code, body?.error].find((one) => typeof one === 'string' && /^[A-Za-z][\w.-]{0,63}$/.test(one));
  return typeof named === 'string' ? named : (CODES[status] ?? (status >= 500 ? 'server_error' : 'refused'));
}

/** Seconds to wait: of the header, a number or a date, else of the body in one of its spellings. */
function retryAfterOf(
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>> | undefined,
  nowMs: number,
): number | undefined {
  const header = headers['retry-after'];
  const seconds = header !== undefined && /^\d{1,9}$/.test(header.trim()) ? Number(header) : undefined;
  const date = header === undefined ? Number.NaN : Date.parse(header);
  if (seconds !== undefined) return seconds;
  if (!Number.isNaN(date)) return Math.max(0, Math.ceil((date - nowMs) / 1000));
  const given = [body?.retry_after, body?.retryAfter].find((one) => typeof one === 'number' && one >= 0);
  return typeof given === 'number' ? given : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined;
}
