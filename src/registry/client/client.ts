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
  /** Waits that many milliseconds; tests turn a clock. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** A method for each row of the table of operations. Throws RegistryError. */
export type RegistryOperations = {
  readonly [Name in OperationName]: (
    ...args: object extends ArgsOf<Name> ? [args?: ArgsOf<Name>] : [args: ArgsOf<Name>]
  ) => Promise<AnswerOf<Name>>;
};

/** What comes as it happens, or is too long for one answer (facts 1.5). */
export type RegistryStreams = {
  /** Every row of the authorization graph, from its snapshot. Throws RegistryError. */
  readonly eachAuthorization: (args?: {
    readonly evidence?: readonly string[];
  }) => AsyncGenerator<Readonly<Record<string, unknown>>, void, undefined>;
  /** Calls back for every message of the feed's event stream. `done` settles when it ends: rejected, unless it was stopped. */
  readonly listen: (cursor: string, heard: () => void) => { readonly done: Promise<void>; readonly stop: () => void };
};

/** A registry's API (spec 1): every operation, its long lists as iterators, and its streams. */
export type RegistryClient = RegistryOperations & PageIterators & RegistryStreams & { readonly url: string };

type Question = Readonly<Record<string, unknown>>;
type Row = Operation<never, unknown>;

const USUAL_TIMEOUT_MS = 30 * SECOND_MS;
const USUAL_WAIT_MS = 60 * SECOND_MS;
/** A whole snapshot, and how long a stream stays open before it is opened anew. */
const STREAM_TIMEOUT_MS = 10 * MINUTE_MS;
const SNAPSHOT_MAX_BYTES = 4 * 1024 ** 3;
const STREAMS = {
  snapshot: streamRow('/api/registry/authorizations/snapshot', SNAPSHOT_MAX_BYTES),
  feed: streamRow('/api/registry/feed/stream', Number.MAX_SAFE_INTEGER),
} as const;

function streamRow(path: string, maxBytes: number): Row {
  return { method: 'GET', path, access: 'bearer', maxBytes, repeated: [] };
}

/** A limiter that names no time. */
const UNTOLD_WAIT_MS = SECOND_MS;
const MOST_ATTEMPTS = 4;
/** What was not done, and may be asked for again later, whatever it is. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** Opens a client. It keeps no connection and no state of its own. */
export function createRegistryClient(options: RegistryClientOptions): RegistryClient {
  const { clock = systemClock, longestWaitMs = USUAL_WAIT_MS, outbound, token, wait = pause } = options;
  const url = options.url.replace(/\/+$/, '');

  async function send(row: Row, args: Question, more: Partial<FetchOptions> = {}): Promise<Fetched> {
    const { path, rest } = fillPath(row.path, args);
    const isGet = row.method === 'GET';
    const shown = row.access === 'public' ? undefined : token;
    try {
      return await outbound.fetch(`${url}${path}${isGet ? queryOf(rest, row.repeated) : ''}`, {
        method: row.method,
        maxBytes: row.maxBytes,
        timeoutMs: options.timeoutMs ?? USUAL_TIMEOUT_MS,
        trusted: true,
        headers: {
          accept: 'application/json',
          ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
          ...(isGet ? {} : { 'content-type': 'application/json' }),
        },
        ...(isGet ? {} : { body: JSON.stringify(rest) }),
        ...more,
      });
    } catch (error) {
      const reason = fetchReason(error);
      if (reason === undefined) throw error;
      const code = reason === 'too_large' ? 'too_large' : 'unreachable';
      throw new RegistryError(`the registry gave no answer (${reason})`, { status: 0, code, cause: error });
    }
  }

  function needToken({ access, path }: Row): void {
    if (access !== 'bearer' || token !== undefined) return;
    throw new RegistryError(`${path} needs a token: an API key of your organization`, {
      status: 401,
      code: 'token_missing',
    });
  }

  function linesOf(row: Row, args: Question, stopping?: AbortController): AsyncGenerator<string, void, undefined> {
    return eachLine(async (sink, signal) => {
      needToken(row);
      const { bytes, headers, status } = await send(row, args, { sink, signal, timeoutMs: STREAM_TIMEOUT_MS });
      if (status !== 200) throw errorOf(status, headers, readJson(bytes), clock.now());
    }, stopping);
  }

  async function* eachAuthorization(args: Question = {}): AsyncGenerator<Question, void, undefined> {
    for await (const line of linesOf(STREAMS.snapshot, args)) {
      if (line === '') continue;
      const row = readJson(Buffer.from(line));
      // Behind a row that breaks off others may be missing.
      if (!isObject(row)) throw new RegistryError('a row of the snapshot is no JSON', { status: 0, code: 'not_json' });
      yield row;
    }
  }

  function listen(cursor: string, heard: () => void): ReturnType<RegistryStreams['listen']> {
    const stopping = new AbortController();
    let isStopped = false;
    const read = async (): Promise<void> => {
      try {
        const lines = linesOf(STREAMS.feed, cursor === '' ? {} : { cursor }, stopping);
        for await (const line of lines) if (line === 'event: feed') heard();
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

  async function call(name: OperationName, args: Question = {}): Promise<Question> {
    const row: Row = OPERATIONS[name];
    needToken(row);
    let waited = 0;
    for (let attempt = 1; ; attempt += 1) {
      const { bytes, headers, status } = await send(row, args);
      const value = readJson(bytes);
      if (status < 300 && isObject(value)) return value;
      if (status < 400) throw new RegistryError('the registry sent no JSON object', { status, code: 'not_json' });
      const error = errorOf(status, headers, value, clock.now());
      const pauseMs = error.retry_after === undefined ? UNTOLD_WAIT_MS : error.retry_after * SECOND_MS;
      if (!BUSY.has(status) || attempt === MOST_ATTEMPTS || waited + pauseMs > longestWaitMs) throw error;
      waited += pauseMs;
      await wait(pauseMs);
    }
  }

  const operations = mapKeys(OPERATIONS, (name) => (args?: Question) => call(name, args));
  const pages = mapKeys(
    PAGES,
    (name: PageName) =>
      (args: Question = {}) =>
        eachRow(call, name, args),
  );
  // The table's rows carry the types that the methods have.
  return { url, ...operations, ...pages, eachAuthorization, listen } as object as RegistryClient;
}

function mapKeys<Table extends object, Value>(
  table: Table,
  make: (name: keyof Table & string) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries((Object.keys(table) as (keyof Table & string)[]).map((name) => [name, make(name)]));
}

/** The path with its parameters, and the arguments that are left. */
function fillPath(template: string, args: Question): { readonly path: string; readonly rest: Question } {
  const used = new Set<string>();
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    used.add(name);
    return encodeURIComponent(String(args[name]));
  });
  return { path, rest: Object.fromEntries(Object.entries(args).filter(([name]) => !used.has(name))) };
}

function queryOf(args: Question, repeated: readonly string[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    if (Array.isArray(value) && repeated.includes(name)) for (const one of value) query.append(name, String(one));
    else query.append(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
