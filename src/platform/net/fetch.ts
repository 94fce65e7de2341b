import { lookup as systemLookup } from 'node:dns/promises';
import type { EventEmitter } from 'node:events';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Agent, buildConnector } from 'undici';
import { InputError } from '../kernel/errors.js';
import { startDeadline } from '../kernel/loop.js';
import { type AddressKind, addressKind, hostKind, literalAddress } from './address.js';
import { isUrl } from './url.js';

/** Why a fetch failed; stands in the error's `details.reason`. */
export type FetchReason = keyof typeof FAULTS;

/** Each reason as the end of "The address could not be fetched: …", and what the caller can do. */
const FAULTS = {
  not_a_url: ['it is not an absolute URL', 'Send an absolute https URL such as https://cdn.example/banner.png.'],
  not_https: ['it is not https', 'Send an https URL; redirects must stay on https too.'],
  credentials: ['it carries a user name or password', 'Leave credentials out of the URL.'],
  private_address: [
    'it does not lead to the public internet',
    'Send a URL that is reachable from the public internet.',
  ],
  unresolved: ['its host name does not resolve', 'Check the spelling of the host name.'],
  unreachable: ['nothing answers there', 'Check that the server is up and reachable from the public internet.'],
  insecure: ['its certificate is not valid', 'Serve the URL with a valid certificate for its host name.'],
  timeout: ['it did not answer in time', 'Try again, or serve the file from a faster place.'],
  too_large: ['the answer is larger than allowed', 'Serve a smaller file.'],
  too_many_redirects: ['it redirects too often', 'Send the URL where the file is.'],
  broken_answer: ['the answer breaks off or is not valid HTTP', 'Check what the server answers.'],
} as const satisfies Record<string, readonly [what: string, suggestion: string]>;

/** One outbound request. */
export type FetchOptions = {
  /** Most bytes of body, counted after decompression. */
  readonly maxBytes: number;
  /** Milliseconds for everything: names, connections, redirects and body together. */
  readonly timeoutMs: number;
  /** What an answer over `maxBytes` is: refused (the rule), or cut there, where only the status counts. */
  readonly overflow?: 'refuse' | 'cut';
  /** Upper case; GET when left out. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** 3 for GET and HEAD; other methods never follow. At 0 the redirect itself is the answer. */
  readonly maxRedirects?: number;
  /** Takes the body of a 200 as it comes, in place of `bytes`; the next part is read when it is done. It must not throw. */
  readonly sink?: (chunk: Buffer) => void | Promise<void>;
  /** Ends the fetch early. */
  readonly signal?: AbortSignal;
  /** Lets plain http and loopback through, in development mode only. */
  readonly local?: boolean;
  /**
   * The operator's own settings name the URL, so that plain http and every network but the cloud's metadata are let through, in every
   * mode; a redirect is not followed. Never for an address of which a caller chose any part.
   */
  readonly trusted?: boolean;
  /** The argument that named the URL, for the error. */
  readonly field?: string;
};

/** An answer of any status, read to its end or cut. Header names are in lower case; `url` is where the last redirect led. */
export type Fetched = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly url: string;
};

/** The one way out of the process. */
export type Outbound = {
  /**
   * Sends one request to an address that somebody else chose (or, `trusted`, the operator). https only, public addresses only, judged after name resolution
   * on every connection and every redirect; no cookies, no credentials across origins.
   * Throws VALIDATION_ERROR with `field` and `details.reason` (FetchReason) when there is no answer to give.
   */
  readonly fetch: (url: string, options: FetchOptions) => Promise<Fetched>;
  /**
   * Whether a fetch of this URL would be refused for where its host leads just now. False for a name that does not resolve, or not
   * in time: that may be mended by the time it is fetched, and every fetch looks for itself.
   */
  readonly leadsInside: (url: string, options: Pick<FetchOptions, 'local' | 'timeoutMs'>) => Promise<boolean>;
  /** Whether the host of a URL has an address just now, wherever it leads. */
  readonly resolves: (url: string, options: Pick<FetchOptions, 'timeoutMs'>) => Promise<boolean>;
  /** Ends every connection, also those in use. */
  readonly close: () => Promise<void>;
};

/** The addresses of a host name, as the system would answer. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** How a process reaches out. */
export type OutboundOptions = {
  readonly development: boolean;
  /** Hosts that stand for a loopback origin (`x.example` → `http://127.0.0.1:4000`), for tests; development mode only. */
  readonly resolve?: ReadonlyMap<string, string>;
  readonly lookup?: Lookup;
};

const DEFAULT_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN = 16;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const FOLLOWING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);
const PUBLIC: ReadonlySet<AddressKind> = new Set(['public']);
const PUBLIC_AND_LOOPBACK: ReadonlySet<AddressKind> = new Set(['public', 'loopback']);
const ALL_NETWORKS: ReadonlySet<AddressKind> = new Set(['public', 'loopback', 'private']);
const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

type Agents = { readonly open: Agent; readonly local: Agent; readonly trusted: Agent };
type Hop = { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** Opens the way out. Throws when test hosts are given outside development mode, or stand for anything but a loopback origin. */
export function createOutbound({ development, resolve = new Map(), lookup = systemNames }: OutboundOptions): Outbound {
  for (const origin of resolve.values()) {
    if (!development || hostKind(new URL(origin).hostname) !== 'loopback') {
      throw new TypeError('hosts are resolved by hand in development mode only, to loopback origins only');
    }
  }
  let agents: Promise<Agents> | undefined;

  async function send(hop: Hop, options: FetchOptions, local: boolean, signal: EventEmitter) {
    agents ??= openAgents(lookup);
    const { open, local: near, trusted } = await agents;
    const { url } = hop;
    const standIn = resolve.get(url.host);
    const agent = options.trusted === true ? trusted : local || standIn !== undefined ? near : open;
    return agent.request({
      origin: standIn ?? url.origin,
      // From the whole address, for a lone `?` stands in no part of it.
      path: url.href.slice(url.origin.length).replace(/#.*$/s, ''),
      method: options.method ?? 'GET',
      headers: standIn === undefined ? hop.headers : { ...hop.headers, host: url.host },
      body: options.body ?? null,
      signal,
    });
  }

  async function follow(text: string, options: FetchOptions, signal: EventEmitter): Promise<Fetched> {
    const trusted = options.trusted === true;
    const local = development && options.local === true;
    const mayFollow = FOLLOWING.has(options.method ?? 'GET') && !trusted;
    const follows = mayFollow ? (options.maxRedirects ?? DEFAULT_REDIRECTS) : 0;
    let hop: Hop = {
      url: checkedUrl(text, local || trusted),
      headers: { 'user-agent': 'seller-agent', 'accept-encoding': 'identity', ...lowerCase(options.headers) },
    };
    for (let followed = 0; ; followed += 1) {
      const answer = await send(hop, options, local, signal);
      answer.body.on('error', () => undefined);
      const headers = flat(answer.headers);
      const next = REDIRECTS.has(answer.statusCode) ? headers.location : undefined;
      if (next === undefined || follows === 0) {
        const { sink: _sink, ...kept } = options;
        const bytes = await readBody(answer.body, headers, answer.statusCode === 200 ? options : kept);
        return { status: answer.statusCode, headers, bytes, url: hop.url.href };
      }
      answer.body.destroy();
      if (followed === follows) throw new FetchError('too_many_redirects');
      hop = redirected(hop, next, local);
    }
  }

  return {
    fetch: async (url, options) => {
      const deadline = startDeadline(options.timeoutMs);
      const giveUp = (): void => void deadline.signal.emit('abort');
      options.signal?.addEventListener('abort', giveUp);
      try {
        if (options.signal?.aborted === true) throw new FetchError('unreachable');
        // A name server that never answers would not notice the signal.
        return await Promise.race([follow(url, options, deadline.signal), deadline.passed]);
      } catch (error) {
        throw new FetchError(deadline.isOver() ? 'timeout' : reasonOf(error), options);
      } finally {
        options.signal?.removeEventListener('abort', giveUp);
        deadline.end();
      }
    },
    leadsInside: async (url, options) => {
      const { host, hostname } = new URL(url);
      if (resolve.has(host)) return false;
      const allowed = development && options.local === true ? PUBLIC_AND_LOOPBACK : PUBLIC;
      const literal = literalAddress(hostname);
      if (literal !== undefined) return !allowed.has(addressKind(literal));
      const found = await addressesOf(hostname, lookup, options.timeoutMs);
      return !found.every(({ address }) => allowed.has(addressKind(address)));
    },
    resolves: async (url, { timeoutMs }) => {
      const { host, hostname } = new URL(url);
      if (resolve.has(host) || literalAddress(hostname) !== undefined) return true;
      return (await addressesOf(hostname, lookup, timeoutMs)).length > 0;
    },
    close: async () => {
      const opened = await agents;
      await Promise.all([opened?.open.destroy(), opened?.local.destroy(), opened?.trusted.destroy()]);
    },
  };
}

/** None for a name that does not resolve, or not in time. */
async function addressesOf(hostname: string, lookup: Lookup, timeoutMs: number): ReturnType<Lookup> {
  const deadline = startDeadline(timeoutMs);
  return Promise.race([lookup(hostname), deadline.passed])
    .catch(() => [])
    .finally(deadline.end);
}

/** The error of a fetch. Its text names no host; `details.reason` says the reason again. */
export class FetchError extends InputError {
  override readonly name = 'FetchError';
  readonly reason: FetchReason;

  constructor(reason: FetchReason, { field, maxBytes }: Partial<Pick<FetchOptions, 'field' | 'maxBytes'>> = {}) {
    const [what, suggestion] = FAULTS[reason];
    super('VALIDATION_ERROR', `The address could not be fetched: ${what}.`, {
      ...(field === undefined ? {} : { field }),
      suggestion,
      details: reason === 'too_large' ? { reason, max_bytes: maxBytes } : { reason },
    });
    this.reason = reason;
  }
}

/** Returns the reason of a failed fetch; undefined for any other error. */
export function fetchReason(error: unknown): FetchReason | undefined {
  return error instanceof FetchError ? error.reason : undefined;
}

/** Loads the HTTP client, which takes a while; whatever goes out needs it. */
export const loadClient = () => import('undici');

/** A pool for each kind of call, so that a connection that one was allowed is never handed to another. */
async function openAgents(lookup: Lookup): Promise<Agents> {
  const undici = await loadClient();
  const open = (allowed: ReadonlySet<AddressKind>): Agent =>
    new undici.Agent({
      connect: guardedConnector(undici.buildConnector, allowed, lookup),
      connections: CONNECTIONS_PER_ORIGIN,
      // The deadline of the call covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  return { open: open(PUBLIC), local: open(PUBLIC_AND_LOOPBACK), trusted: open(ALL_NETWORKS) };
}

/**
 * What every connection passes through: a literal address is judged before (nothing is looked up for it), a name when it is resolved,
 * in the one look-up whose answer is connected to, and the peer once more when it is there.
 */
function guardedConnector(
  build: typeof buildConnector,
  allowed: ReadonlySet<AddressKind>,
  lookup: Lookup,
): buildConnector.connector {
  const connect = build({ lookup: guardedLookup(allowed, lookup), timeout: CONNECT_TIMEOUT_MS });
  const isAllowed = (address: string): boolean => allowed.has(addressKind(address));
  return (options, callback) => {
    const literal = literalAddress(options.hostname);
    if (literal !== undefined && !isAllowed(literal)) {
      callback(new FetchError('private_address'), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null || socket === null) callback(error ?? new FetchError('unreachable'), null);
      else if (isAllowed(socket.remoteAddress ?? '')) callback(null, socket);
      else {
        socket.destroy();
        callback(new FetchError('private_address'), null);
      }
    });
  };
}

/** One private address among the answers spoils them all: the others may be bait. */
function guardedLookup(allowed: ReadonlySet<AddressKind>, lookup: Lookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (found) => {
        const [first] = found;
        if (first === undefined) callback(new FetchError('unresolved'), '', 0);
        else if (!found.every(({ address }) => allowed.has(addressKind(address)))) {
          callback(new FetchError('private_address'), '', 0);
        } else if (options.all === true) callback(null, [...found]);
        else callback(null, first.address, first.family);
      },
      () => callback(new FetchError('unresolved'), '', 0),
    );
  };
}

function systemNames(hostname: string): ReturnType<Lookup> {
  return systemLookup(hostname, { all: true });
}

function checkedUrl(text: string, local: boolean): URL {
  if (!isUrl(text)) throw new FetchError('not_a_url');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) throw new FetchError('not_https');
  if (url.username !== '' || url.password !== '') throw new FetchError('credentials');
  return url;
}

function redirected({ url, headers }: Hop, location: string, local: boolean): Hop {
  if (!isUrl(location, url.href)) throw new FetchError('broken_answer');
  const next = checkedUrl(new URL(location, url).href, local);
  if (next.origin === url.origin) return { url: next, headers };
  return { url: next, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name))) };
}

/** Reads a body up to the limit, and never more than one chunk beyond it. */
async function readBody(body: Readable, headers: Fetched['headers'], options: FetchOptions): Promise<Buffer> {
  const { maxBytes, overflow = 'refuse', sink } = options;
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (overflow === 'refuse' && Number(headers['content-length'] ?? 0) > maxBytes && options.method !== 'HEAD') {
    body.destroy();
    throw new FetchError('too_large');
  }
  const source = coding === 'identity' || coding === '' ? body : decoded(body, coding);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (sink === undefined) chunks.push(chunk);
      else if (size <= maxBytes) await sink(chunk);
      if (size <= maxBytes) continue;
      if (overflow === 'refuse') throw new FetchError('too_large');
      break;
    }
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

function decoded(body: Readable, coding: string): Readable {
  const open = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (open === undefined) {
    body.destroy();
    throw new FetchError('broken_answer');
  }
  const decoder = open();
  body.on('error', (error) => decoder.destroy(error));
  body.pipe(decoder);
  return decoder;
}

/** Codes (or, where an error has none, names) by how they begin. */
const CODES: readonly (readonly [start: string, reason: FetchReason])[] = [
  ['ENOTFOUND', 'unresolved'],
  ['EAI_', 'unresolved'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['CERT_', 'insecure'],
  ['ERR_TLS_', 'insecure'],
  ['ERR_SSL_', 'insecure'],
  ['DEPTH_ZERO_', 'insecure'],
  ['SELF_SIGNED_', 'insecure'],
  ['UNABLE_TO_', 'insecure'],
  ['EPROTO', 'insecure'],
  ['HPE_', 'broken_answer'],
  ['HTTPParserError', 'broken_answer'],
  ['UND_ERR_', 'broken_answer'],
  ['Z_', 'broken_answer'],
  ['ERR__ERROR_FORMAT_', 'broken_answer'],
];

function reasonOf(error: unknown): FetchReason {
  if (error instanceof FetchError) return error.reason;
  const { code, name } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  // The code of an aborted call is a number.
  return CODES.find(([start]) => String(code ?? name).startsWith(start))?.[1] ?? 'unreachable';
}

function lowerCase(headers: FetchOptions['headers'] = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
  return lower;
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const single: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) single[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return single;
}
