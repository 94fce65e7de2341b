import type { EventEmitter } from 'node:events';
import { startDeadline } from '../kernel/loop.js';
import { addressKind, hostKind, literalAddress } from './address.js';
import {
  type Agents,
  type Lookup,
  openAgents,
  PUBLIC,
  PUBLIC_AND_LOOPBACK,
  resolveHost,
  systemNames,
} from './connections.js';
import { readFetchedBody } from './fetch-body.js';
import { FetchError, reasonOfFailure } from './fetch-error.js';
import { isUrl } from './url.js';

/** One outbound request. */
export type FetchOptions = {
  /** Most bytes of body, counted after decompression. */
  readonly maxBytes: number;
  /** Milliseconds for everything: names, connections, redirects and body together. */
  readonly timeoutMs: number;
  /** Whether an answer over `maxBytes` is refused (the rule) or cut there, for those to whom only the status counts. */
  readonly overflow?: 'refuse' | 'cut';
  /** Upper case; GET when left out. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** 3 for GET and HEAD; other methods never follow. At 0 the redirect itself is the answer. */
  readonly maxRedirects?: number;
  /** Takes the body of a 200 as it comes, instead of `bytes`; the next part is read when it is done. It must not throw. */
  readonly sink?: (chunk: Buffer) => void | Promise<void>;
  /** Looks at each part of a body as it comes; once it is true, what is still to come is left. It must not throw. */
  readonly isWhole?: (part: Buffer, headers: Fetched['headers']) => Promise<boolean>;
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

/** The guarded fetch: everything that the process asks of the network goes through it. */
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

/** The settings of the guarded fetch. */
export type OutboundOptions = {
  readonly development: boolean;
  /** Hosts that are resolved to a loopback origin (`x.example` → `http://127.0.0.1:4000`), for tests; development mode only. */
  readonly resolve?: ReadonlyMap<string, string>;
  readonly lookup?: Lookup;
};

const DEFAULT_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const FOLLOWING: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization']);

type Hop = { readonly url: URL; readonly headers: Readonly<Record<string, string>> };

/** Opens the guarded fetch. Throws when test hosts are given outside development mode, or lead to anything but a loopback origin. */
export function createOutbound(options: OutboundOptions): Outbound {
  const guarded = new GuardedFetch(options);
  return {
    fetch: (url, request) => guarded.fetch(url, request),
    leadsInside: (url, request) => guarded.leadsInside(url, request),
    resolves: (url, request) => guarded.resolves(url, request),
    close: () => guarded.close(),
  };
}

/** One fetch under way: its request, and the signal that ends it early. */
type Journey = { readonly options: FetchOptions; readonly isLocal: boolean; readonly signal: EventEmitter };

class GuardedFetch {
  readonly #isDevelopment: boolean;
  readonly #localOrigins: ReadonlyMap<string, string>;
  readonly #lookup: Lookup;
  #agents: Promise<Agents> | undefined;

  constructor({ development, resolve = new Map(), lookup = systemNames }: OutboundOptions) {
    for (const origin of resolve.values()) {
      if (!development || hostKind(new URL(origin).hostname) !== 'loopback') {
        throw new TypeError('hosts are resolved by hand in development mode only, to loopback origins only');
      }
    }
    this.#isDevelopment = development;
    this.#localOrigins = resolve;
    this.#lookup = lookup;
  }

  async fetch(url: string, options: FetchOptions): Promise<Fetched> {
    const deadline = startDeadline(options.timeoutMs);
    const giveUp = (): void => void deadline.signal.emit('abort');
    options.signal?.addEventListener('abort', giveUp);
    try {
      if (options.signal?.aborted === true) throw new FetchError('unreachable');
      const isLocal = this.#isDevelopment && options.local === true;
      const journey = { options, isLocal, signal: deadline.signal };
      // A name server that never answers would not notice the signal.
      return await Promise.race([this.#follow(url, journey), deadline.passed]);
    } catch (error) {
      throw new FetchError(deadline.isOver() ? 'timeout' : reasonOfFailure(error), options);
    } finally {
      options.signal?.removeEventListener('abort', giveUp);
      deadline.end();
    }
  }

  async leadsInside(url: string, options: Pick<FetchOptions, 'local' | 'timeoutMs'>): Promise<boolean> {
    const { host, hostname } = new URL(url);
    if (this.#localOrigins.has(host)) return false;
    const allowed = this.#isDevelopment && options.local === true ? PUBLIC_AND_LOOPBACK : PUBLIC;
    const literal = literalAddress(hostname);
    if (literal !== undefined) return !allowed.has(addressKind(literal));
    const addresses = await resolveHost(hostname, this.#lookup, options.timeoutMs);
    return !addresses.every(({ address }) => allowed.has(addressKind(address)));
  }

  async resolves(url: string, { timeoutMs }: Pick<FetchOptions, 'timeoutMs'>): Promise<boolean> {
    const { host, hostname } = new URL(url);
    if (this.#localOrigins.has(host) || literalAddress(hostname) !== undefined) return true;
    return (await resolveHost(hostname, this.#lookup, timeoutMs)).length > 0;
  }

  async close(): Promise<void> {
    const opened = await this.#agents;
    await Promise.all([opened?.open.destroy(), opened?.local.destroy(), opened?.trusted.destroy()]);
  }

  async #follow(text: string, journey: Journey): Promise<Fetched> {
    const { options, isLocal } = journey;
    const isTrusted = options.trusted === true;
    const canFollow = FOLLOWING.has(options.method ?? 'GET') && !isTrusted;
    const follows = canFollow ? (options.maxRedirects ?? DEFAULT_REDIRECTS) : 0;
    let hop: Hop = {
      url: checkedUrl(text, isLocal || isTrusted),
      headers: { 'user-agent': 'seller-agent', 'accept-encoding': 'identity', ...lowerCase(options.headers) },
    };
    for (let followed = 0; ; followed += 1) {
      const answer = await this.#send(hop, journey);
      answer.body.on('error', () => undefined);
      const headers = flat(answer.headers);
      const next = REDIRECTS.has(answer.statusCode) ? headers.location : undefined;
      if (next === undefined || follows === 0) {
        const { isWhole, method, maxBytes, overflow } = options;
        const sink = answer.statusCode === 200 ? options.sink : undefined;
        const bytes = await readFetchedBody(answer.body, headers, { isWhole, method, maxBytes, overflow, sink });
        return { status: answer.statusCode, headers, bytes, url: hop.url.href };
      }
      answer.body.destroy();
      if (followed === follows) throw new FetchError('too_many_redirects');
      hop = followRedirect(hop, next, isLocal);
    }
  }

  async #send({ url, headers }: Hop, { options, isLocal, signal }: Journey) {
    this.#agents ??= openAgents(this.#lookup);
    const localOrigin = this.#localOrigins.get(url.host);
    const isNear = isLocal || localOrigin !== undefined;
    const agent = agentFor(await this.#agents, options.trusted === true, isNear);
    return agent.request({
      origin: localOrigin ?? url.origin,
      // From the whole address, for a lone `?` is in no part of it.
      path: url.href.slice(url.origin.length).replace(/#.*$/s, ''),
      method: options.method ?? 'GET',
      headers: localOrigin === undefined ? headers : { ...headers, host: url.host },
      body: options.body ?? null,
      signal,
    });
  }
}

function agentFor({ open, local, trusted }: Agents, isTrusted: boolean, isNear: boolean): Agents['open'] {
  if (isTrusted) return trusted;
  return isNear ? local : open;
}

function checkedUrl(text: string, local: boolean): URL {
  if (!isUrl(text)) throw new FetchError('not_a_url');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(local && url.protocol === 'http:')) throw new FetchError('not_https');
  if (url.username !== '' || url.password !== '') throw new FetchError('credentials');
  return url;
}

function followRedirect({ url, headers }: Hop, location: string, local: boolean): Hop {
  if (!isUrl(location, url.href)) throw new FetchError('broken_answer');
  const next = checkedUrl(new URL(location, url).href, local);
  if (next.origin === url.origin) return { url: next, headers };
  return { url: next, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name))) };
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
