import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { type Clock, monotonicMs } from '../../../platform/kernel/clock.js';
import { pause } from '../../../platform/kernel/loop.js';
import type { Fetched, FetchOptions, Outbound } from '../../../platform/net/fetch.js';
import { type FetchReason, fetchReason } from '../../../platform/net/fetch-error.js';
import { RetryLaterError, UnknownOutcomeError } from '../errors.js';
import { describeAnswer, type RestAnswer, readJsonAnswer, redact, retryAfterMs } from './answer.js';
import { RestRefusedError } from './errors.js';

/** A request's effect on the service: none, the same however often it is sent, or something new each time. */
export type RestEffect = 'none' | 'repeatable' | 'creates';

/** One request. At most one of `json`, `form` and `body` is sent. */
export type RestRequest = {
  /** GET when left out. */
  readonly method?: NonNullable<FetchOptions['method']>;
  /** Below the base address, or a whole address of its host. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: { readonly contentType: string; readonly bytes: string | Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
  /** Of GET nothing; of PUT and DELETE repeatable; of others something new, unless it is said here. */
  readonly effect?: RestEffect;
  /** Whether an answer is for whoever asked, whatever its status: of services that say more by it than HTTP does. Never of a 401. */
  readonly isAnswer?: (fetched: Fetched) => boolean;
  /** What the body of an answer is; JSON when left out. */
  readonly answer?: 'json' | 'text';
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
};

/** The service that a client speaks to. */
export type RestService = {
  /** Its name for people, such as Kevel. */
  readonly name: string;
  /** Without a slash at its end; from the operator's settings or an adapter, never from a caller. */
  readonly baseUrl: string;
  readonly fetch: Outbound['fetch'];
  readonly clock: Clock;
  /** Resolves when the next request may go out, which is for all that speak to the same network. */
  readonly pace: () => Promise<void>;
  /** Returns the headers that prove who asks; `isRefused` says that the last ones were not taken. */
  readonly authorize: (isRefused: boolean) => Promise<Readonly<Record<string, string>>>;
  /** What no message may hold. */
  readonly secrets: () => readonly string[];
  /** What a person does where the service does not take the key. */
  readonly keyHelp: string;
  /** Of one attempt; 30 s when left out. */
  readonly timeoutMs?: number;
  /** Waits between attempts; tests do not. */
  readonly wait?: (ms: number) => Promise<void>;
};

const MAX_ATTEMPTS = 4;
const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 8_000_000;
const FIRST_PAUSE_MS = 500;
/** The longest pause that is waited for within a call; a longer one is left to whoever asked. */
const MAX_PAUSE_MS = 5000;
/** How long an operator has at least before a key that was not taken is tried again. */
const KEY_PAUSE_MS = 60_000;

const METHOD_EFFECTS: Readonly<Record<NonNullable<FetchOptions['method']>, RestEffect>> = {
  GET: 'none',
  HEAD: 'none',
  PUT: 'repeatable',
  DELETE: 'repeatable',
  POST: 'creates',
  PATCH: 'creates',
};

/** Failures before a request has left. */
const NOT_SENT: ReadonlySet<FetchReason> = new Set(['unresolved', 'insecure', 'not_a_url', 'private_address']);

/** The outcome of one attempt that brought no answer to give. */
type Failure = {
  /** For people. */
  readonly reason: string;
  /** Whether the service may have done what was asked. */
  readonly isUnsure: boolean;
  readonly retryAfterMs?: number | undefined;
};

/**
 * Speaks JSON to a service by the guarded fetch, and tries what may be tried again. It throws the port's errors: RetryLaterError where
 * nothing was done, UnknownOutcomeError where nobody knows, and RestRefusedError where the service will not.
 */
export class RestClient {
  readonly #service: RestService;
  /** By the monotonic clock: until then nothing is sent, since the service asked for a pause. */
  #pausedUntilMs = 0;

  constructor(service: RestService) {
    this.#service = service;
  }

  /** Sends a request, again where that does no harm; returns its answer, which is one of 200 to 299. */
  async send(request: RestRequest): Promise<RestAnswer> {
    const effect = request.effect ?? METHOD_EFFECTS[request.method ?? 'GET'];
    const { wait = pause } = this.#service;
    let isUnsure = false;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#attempt(request);
      if ('status' in outcome) return outcome;
      isUnsure ||= outcome.isUnsure && effect !== 'none';
      const pauseMs = outcome.retryAfterMs ?? pauseBefore(request, attempt);
      const canRepeat = effect !== 'creates' || !outcome.isUnsure;
      if (attempt === MAX_ATTEMPTS || !canRepeat || pauseMs > MAX_PAUSE_MS || request.signal?.aborted === true) {
        throw failureOf(outcome, isUnsure);
      }
      await wait(pauseMs);
    }
  }

  async #attempt(request: RestRequest): Promise<RestAnswer | Failure> {
    const { authorize, pace } = this.#service;
    for (const isRefused of [false, true]) {
      await this.#waitOutPause();
      await pace();
      const answer = await this.#request(request, await authorize(isRefused));
      if (!('bytes' in answer)) return answer;
      if (answer.status !== 401) return this.#judge(request, answer);
      if (isRefused) return this.#keyRefused(answer);
    }
    throw new Error('unreachable');
  }

  async #waitOutPause(): Promise<void> {
    const leftMs = this.#pausedUntilMs - monotonicMs();
    if (leftMs > MAX_PAUSE_MS) {
      const message = `${this.#service.name} asked for a pause, which is not over.`;
      throw new RetryLaterError(message, { retryAfterMs: Math.ceil(leftMs) });
    }
    if (leftMs > 0) await pause(leftMs);
  }

  async #request(request: RestRequest, authorization: Readonly<Record<string, string>>): Promise<Fetched | Failure> {
    const { baseUrl, name, timeoutMs = TIMEOUT_MS } = this.#service;
    const content = contentOf(request);
    try {
      return await this.#service.fetch(addressOf(baseUrl, request), {
        method: request.method ?? 'GET',
        headers: { accept: 'application/json', ...content?.headers, ...request.headers, ...authorization },
        body: content?.body,
        maxBytes: request.maxBytes ?? MAX_ANSWER_BYTES,
        timeoutMs: request.timeoutMs ?? timeoutMs,
        signal: request.signal,
        trusted: true,
      });
    } catch (error) {
      const reason = fetchReason(error);
      if (reason === undefined) throw error;
      const message = error instanceof Error ? error.message : '';
      return { reason: `${name}: ${message}`, isUnsure: !NOT_SENT.has(reason) };
    }
  }

  #judge(request: RestRequest, fetched: Fetched): RestAnswer | Failure {
    const { clock, name } = this.#service;
    const { bytes, headers, status } = fetched;
    const reason = `${name} answered ${describeAnswer(fetched, this.#service.secrets())}`;
    const isAnswer = request.isAnswer?.(fetched) === true;
    const askedMs = retryAfterMs(headers, clock.now());
    const answer =
      request.answer === 'text' ? { status, headers, body: bytes.toString('utf8') } : readJsonAnswer(fetched);
    if (isAnswer) return answer ?? { status, headers, body: undefined };
    if (status === 429) {
      this.#pausedUntilMs = monotonicMs() + (askedMs ?? 0);
      return { reason, isUnsure: false, retryAfterMs: askedMs };
    }
    if (status === 403) return this.#keyRefused(fetched);
    if (status >= 500 || status < 200 || status === 408 || (status >= 300 && status < 400)) {
      return { reason, isUnsure: true, retryAfterMs: askedMs };
    }
    if (status >= 400) throw new RestRefusedError(reason, { status, body: answer?.body ?? bytes.toString('utf8') });
    return answer ?? { reason: `${name} answered no JSON (${reason})`, isUnsure: true };
  }

  #keyRefused(fetched: Fetched): Failure {
    const { keyHelp, name, secrets } = this.#service;
    const answer = describeAnswer(fetched, secrets());
    const refused = fetched.status === 403 ? 'does not let the key do this' : 'does not take the key';
    const reason = redact(`${name} ${refused} (${answer}). ${keyHelp}`, secrets());
    return { reason, isUnsure: false, retryAfterMs: KEY_PAUSE_MS };
  }
}

function failureOf({ reason, retryAfterMs: askedMs }: Failure, isUnsure: boolean): Error {
  return isUnsure ? new UnknownOutcomeError(reason) : new RetryLaterError(reason, { retryAfterMs: askedMs });
}

/**
 * Returns the pause before an attempt: twice as long each time, and a little apart for requests that failed together.
 */
function pauseBefore({ path }: RestRequest, attempt: number): number {
  const seed = Number.parseInt(sha256Hex(`${path}:${attempt}`).slice(0, 8), 16) / 0xffff_ffff;
  return Math.round(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.75 + seed / 2));
}

function addressOf(baseUrl: string, { path, query = {} }: RestRequest): string {
  const url = new URL(path.startsWith('/') ? `${baseUrl}${path}` : path);
  if (url.origin !== new URL(baseUrl).origin) throw new TypeError('a request stays at the host of its service');
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, `${value}`);
  return url.href;
}

type Content = { readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array };

function contentOf({ json, form, body }: RestRequest): Content | undefined {
  if (json !== undefined) return content('application/json', JSON.stringify(json));
  if (form !== undefined) return content('application/x-www-form-urlencoded', new URLSearchParams(form).toString());
  return body && content(body.contentType, body.bytes);
}

function content(type: string, body: string | Uint8Array): Content {
  return { headers: { 'content-type': type }, body };
}
