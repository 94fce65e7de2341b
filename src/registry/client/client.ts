import { type Clock, MINUTE_MS, SECOND_MS, systemClock } from '../../platform/kernel/clock.js';
import { isObject, readJson } from '../../platform/kernel/json/json.js';
import { pause } from '../../platform/kernel/loop.js';
import type { Fetched, FetchOptions, Outbound } from '../../platform/net/fetch.js';
import { fetchReason } from '../../platform/net/fetch-error.js';
import { errorOf, RegistryError } from './error.js';
import { eachLine } from './lines.js';
import { type AnswerOf, type ArgsOf, OPERATIONS, type Operation, type OperationName } from './operations.js';
import { eachRow, PAGES, type PageIterators, type PageName } from './pages.js';

/** Where a registry is, and how it is asked. */
export type RegistryClientOptions = {
  /** Its base URL. The operator's own choice: plain http and private networks are let through, redirects are not followed. */
  readonly url: string;
  /** An API key or access token; without one, what needs it is refused before it is sent. */
  readonly token?: string | undefined;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly clock?: Clock;
  /** Milliseconds for one answer; 30,000 unless set. */
  readonly timeoutMs?: number;
  /** Milliseconds that all waits of one call may take together, where the registry asks for them; 60,000 unless set. */
  readonly longestWaitMs?: number;
  /** Waits that many milliseconds; tests advance a clock instead. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** A method for each row of the table of operations. Throws RegistryError. */
type RegistryOperations = {
  readonly [Name in OperationName]: (
    ...args: object extends ArgsOf<Name> ? [args?: ArgsOf<Name>] : [args: ArgsOf<Name>]
  ) => Promise<AnswerOf<Name>>;
};

/** Events as they happen, and lists that are too long for one answer. */
type RegistryStreams = {
  /** Every row of the authorization graph, from its snapshot. Throws RegistryError. */
  readonly eachAuthorization: (args?: {
    readonly evidence?: readonly string[];
  }) => AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined>;
  /** Calls back for every message of the feed's event stream. `done` settles when it ends: rejected, unless it was stopped. */
  readonly listen: (cursor: string, onEvent: () => void) => { readonly done: Promise<void>; readonly stop: () => void };
};

/** A registry's API: every operation, its long lists as iterators, and its streams. */
export type RegistryClient = RegistryOperations & PageIterators & RegistryStreams & { readonly url: string };

type Arguments = Readonly<Record<string, unknown>>;
type AnyOperation = Operation<never, unknown>;

const DEFAULT_TIMEOUT_MS = 30 * SECOND_MS;
const DEFAULT_LONGEST_WAIT_MS = 60 * SECOND_MS;
/** A whole snapshot, and how long a stream stays open before it is opened anew. */
const STREAM_TIMEOUT_MS = 10 * MINUTE_MS;
const MAX_SNAPSHOT_BYTES = 4 * 1024 ** 3;
const STREAMS = {
  snapshot: defineStream('/api/registry/authorizations/snapshot', MAX_SNAPSHOT_BYTES),
  feed: defineStream('/api/registry/feed/stream', Number.MAX_SAFE_INTEGER),
} as const;

function defineStream(path: string, maxBytes: number): AnyOperation {
  return { method: 'GET', path, access: 'bearer', maxBytes, repeated: [] };
}

/** The wait for a limiter that names no time. */
const DEFAULT_RETRY_MS = SECOND_MS;
const MAX_ATTEMPTS = 4;
/** Statuses of requests that had no effect, so that any of them may be sent again. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** Opens a client, which has no open connection and no state. Its methods may be taken off it and called alone. */
export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const requests = new RegistryRequests(options);
  const call = (name: OperationName, args?: Arguments) => requests.call(name, args);
  const operations = mapKeys(OPERATIONS, (name) => (args?: Arguments) => call(name, args));
  const pages = mapKeys(
    PAGES,
    (name: PageName) =>
      (args: Arguments = {}) =>
        eachRow(call, name, args),
  );
  const streams: RegistryStreams = {
    eachAuthorization: (args) => requests.eachAuthorization(args),
    listen: (cursor, onEvent) => requests.listen(cursor, onEvent),
  };
  // The table's rows carry the types that the methods have.
  return { url: requests.url, ...operations, ...pages, ...streams } as object as RegistryClient;
}

class RegistryRequests implements RegistryStreams {
  /** Without slashes at its end. */
  readonly url: string;
  readonly #outbound: RegistryClientOptions['outbound'];
  readonly #token: string | undefined;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #longestWaitMs: number;
  readonly #wait: (ms: number) => Promise<void>;

  constructor(options: RegistryClientOptions) {
    this.url = options.url.replace(/\/+$/, '');
    this.#outbound = options.outbound;
    this.#token = options.token;
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.#longestWaitMs = options.longestWaitMs ?? DEFAULT_LONGEST_WAIT_MS;
    this.#wait = options.wait ?? pause;
  }

  /** Sends an operation, again while the registry is busy, and returns the object that it answers. Throws RegistryError. */
  async call(name: OperationName, args: Arguments = {}): Promise<Arguments> {
    const operation: AnyOperation = OPERATIONS[name];
    this.#requireToken(operation);
    let waitedMs = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { bytes, headers, status } = await this.#send(operation, args);
      const value = readJson(bytes);
      if (status < 300 && isObject(value)) return value;
      if (status < 400) throw new RegistryError('the registry sent no JSON object', { status, code: 'not_json' });
      const error = errorOf(status, headers, value, this.#clock.now());
      const pauseMs = error.retry_after === undefined ? DEFAULT_RETRY_MS : error.retry_after * SECOND_MS;
      if (!BUSY.has(status) || attempt === MAX_ATTEMPTS || waitedMs + pauseMs > this.#longestWaitMs) throw error;
      waitedMs += pauseMs;
      await this.#wait(pauseMs);
    }
  }

  async *eachAuthorization(args: Arguments = {}): AsyncGenerator<Arguments, void, undefined> {
    for await (const line of this.#eachStreamLine(STREAMS.snapshot, args)) {
      if (line === '') continue;
      const row = readJson(Buffer.from(line));
      // Behind a row that breaks off others may be missing.
      if (!isObject(row)) throw new RegistryError('a row of the snapshot is no JSON', { status: 0, code: 'not_json' });
      yield row;
    }
  }

  listen(cursor: string, onEvent: () => void): ReturnType<RegistryStreams['listen']> {
    const stopping = new AbortController();
    let isStopped = false;
    const read = async (): Promise<void> => {
      try {
        const lines = this.#eachStreamLine(STREAMS.feed, cursor === '' ? {} : { cursor }, stopping);
        for await (const line of lines) if (line === 'event: feed') onEvent();
        throw new RegistryError('the stream ended', { status: 0, code: 'unreachable' });
      } catch (error) {
        if (!isStopped) throw error;
      }
    };
    return {
      done: read(),
      stop: () => {
        isStopped = true;
        stopping.abort();
      },
    };
  }

  #eachStreamLine(
    operation: AnyOperation,
    args: Arguments,
    stopping?: AbortController,
  ): AsyncGenerator<string, void, undefined> {
    return eachLine(async (sink, signal) => {
      this.#requireToken(operation);
      const { bytes, headers, status } = await this.#send(operation, args, {
        sink,
        signal,
        timeoutMs: STREAM_TIMEOUT_MS,
      });
      if (status !== 200) throw errorOf(status, headers, readJson(bytes), this.#clock.now());
    }, stopping);
  }

  /** Throws `token_missing` for an operation that needs a token where there is none. */
  #requireToken({ access, path }: AnyOperation): void {
    if (access !== 'bearer' || this.#token !== undefined) return;
    throw new RegistryError(`${path} needs a token: an API key of your organization`, {
      status: 401,
      code: 'token_missing',
    });
  }

  /** Sends one request and returns its answer, whatever the status. Throws RegistryError with status 0 where there is no answer. */
  async #send(operation: AnyOperation, args: Arguments, more: Partial<FetchOptions> = {}): Promise<Fetched> {
    const { method, maxBytes, repeated } = operation;
    const { path, rest } = fillPath(operation.path, args);
    const isGet = method === 'GET';
    try {
      return await this.#outbound.fetch(`${this.url}${path}${isGet ? queryOf(rest, repeated) : ''}`, {
        method,
        maxBytes,
        timeoutMs: this.#timeoutMs,
        trusted: true,
        headers: this.#headersFor(operation),
        body: isGet ? undefined : JSON.stringify(rest),
        ...more,
      });
    } catch (error) {
      const reason = fetchReason(error);
      if (reason === undefined) throw error;
      const code = reason === 'too_large' ? 'too_large' : 'unreachable';
      throw new RegistryError(`the registry gave no answer (${reason})`, { status: 0, code, cause: error });
    }
  }

  #headersFor({ access, method }: AnyOperation): Readonly<Record<string, string>> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (access !== 'public' && this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (method !== 'GET') headers['content-type'] = 'application/json';
    return headers;
  }
}

function mapKeys<Table extends object, Value>(
  table: Table,
  make: (name: keyof Table & string) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries((Object.keys(table) as (keyof Table & string)[]).map((name) => [name, make(name)]));
}

/** Returns the path with its parameters, and the arguments that are left. */
function fillPath(template: string, args: Arguments): { readonly path: string; readonly rest: Arguments } {
  const used = new Set<string>();
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    used.add(name);
    return encodeURIComponent(String(args[name]));
  });
  return { path, rest: Object.fromEntries(Object.entries(args).filter(([name]) => !used.has(name))) };
}

function queryOf(args: Arguments, repeated: readonly string[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    if (Array.isArray(value) && repeated.includes(name)) for (const one of value) query.append(name, String(one));
    else query.append(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
