import { isObject, readJson } from '../../platform/kernel/json/json.js';
import type { FetchOptions } from '../../platform/net/fetch.js';
import { FetchError } from '../../platform/net/fetch-error.js';
import { readRetryAfter } from '../../platform/net/retry-after.js';
import { RetryLaterError, UnknownOutcomeError } from './errors.js';
import type { AdServerOptions } from './port/adapter.js';

/** One request to the API of an ad server. */
export type ApiRequest = Pick<FetchOptions, 'method' | 'headers' | 'body'> & {
  readonly url: string;
  /** Whether it only reads, whatever its method: what failed may then be asked again without looking. */
  readonly isReading: boolean;
  readonly signal: AbortSignal;
  /** 30 seconds unless set. */
  readonly timeoutMs?: number | undefined;
  /** 16 MiB unless set. */
  readonly maxBytes?: number | undefined;
};

/** The answer of an API: any status below 500 but 408 and 429. */
export type ApiAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly text: string;
};

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_SHOWN_CHARS = 200;

/** Failures of the fetch before anything was sent. */
const NOT_SENT: readonly string[] = [
  'not_a_url',
  'not_https',
  'credentials',
  'private_address',
  'unresolved',
  'insecure',
];

/**
 * Returns the answer of an ad server's API, which may be a refusal (4xx) that the adapter reads. Throws RetryLaterError where nothing has
 * changed there (429, whatever failed of a reading, a name that does not resolve), UnknownOutcomeError where something may have.
 */
export async function callApi(
  { outbound, clock }: Pick<AdServerOptions, 'outbound' | 'clock'>,
  { url, isReading, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES, ...request }: ApiRequest,
): Promise<ApiAnswer> {
  const host = new URL(url).host;
  const failed = (what: string, retryAfterMs?: number): Error =>
    isReading ? new RetryLaterError(`${host}: ${what}`, { retryAfterMs }) : new UnknownOutcomeError(`${host}: ${what}`);
  const answer = await outbound
    .fetch(url, { ...request, timeoutMs, maxBytes, trusted: true })
    .catch((error: unknown) => {
      if (error instanceof FetchError && NOT_SENT.includes(error.reason))
        throw new RetryLaterError(`${host}: ${error.message}`);
      throw failed(error instanceof Error ? error.message : String(error));
    });
  const { status, headers, bytes } = answer;
  const text = bytes.toString('utf8');
  const retryAfterMs = readRetryAfter(headers['retry-after'], clock.now());
  if (status === 429) throw new RetryLaterError(`${host}: too many requests (429)`, { retryAfterMs });
  if (status === 408 || status >= 500)
    throw failed(`status ${status}: ${text.slice(0, MAX_SHOWN_CHARS)}`, retryAfterMs);
  return { status, headers, bytes, text };
}

/** Returns the JSON object of an answer. Throws as `callApi` does where it is none, such as a page of HTML from something between. */
export function readApiObject(
  { status, text }: ApiAnswer,
  { url, isReading }: Pick<ApiRequest, 'url' | 'isReading'>,
): Readonly<Record<string, unknown>> {
  const value = readJson(text);
  if (isObject(value)) return value as Readonly<Record<string, unknown>>;
  const message = `${new URL(url).host}: status ${status} without a JSON object: ${text.slice(0, MAX_SHOWN_CHARS)}`;
  throw isReading ? new RetryLaterError(message) : new UnknownOutcomeError(message);
}
