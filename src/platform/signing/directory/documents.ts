import { type Clock, MINUTE_MS, SECOND_MS } from '../../kernel/clock.js';
import { isObject } from '../../kernel/json/json.js';
import { readStrictJson } from '../../kernel/json/strict-json.js';
import type { Outbound } from '../../net/fetch.js';
import { type FetchReason, fetchReason } from '../../net/fetch-error.js';
import { DocumentCache, type Fetchable } from './document-cache.js';

/** Why a document could not be had: it did not come, it may not be fetched from there, or it is no strict JSON object. */
export type DocumentFault = 'unreachable' | 'untrusted' | 'malformed';

/** A document of a counterparty, or the reason that there is none. */
export type Document =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly fault: DocumentFault };

/** How a document is fetched. */
type DocumentOptions = {
  readonly maxBytes: number;
  /** Lets plain http and loopback through, in development mode only. */
  readonly local: boolean;
  /** Fetches although the copy is good, at most every 30 seconds. */
  readonly refresh?: boolean | undefined;
};

/** Reads JSON documents by URL. Never throws for what the other side does. */
export type DocumentReader = { readonly read: (url: string, options: DocumentOptions) => Promise<Document> };

/** Milliseconds that one fetch may take. */
export const DOCUMENT_TIMEOUT_MS = 10 * SECOND_MS;
/** Milliseconds that a failure is remembered. */
export const FAILURE_TTL_MS = 30 * SECOND_MS;
const MIN_TTL_MS = MINUTE_MS;
const MAX_TTL_MS = 30 * MINUTE_MS;
const DEFAULT_TTL_MS = 15 * MINUTE_MS;

/** What a failure takes in memory, roughly. */
const BYTES_PER_FAILURE = 200;

/** Reasons of a fetch that will not go away by themselves, and that no attacker should profit from. */
const UNTRUSTED: ReadonlySet<FetchReason> = new Set<FetchReason>([
  'not_a_url',
  'not_https',
  'credentials',
  'private_address',
  'insecure',
]);

/**
 * Makes a reader over the guarded fetch: at most 10 seconds a document, no redirects, strict JSON. A copy is good for its max-age
 * between one and thirty minutes, fifteen when it says nothing; a failure for thirty seconds.
 */
export function createDocumentReader(outbound: Pick<Outbound, 'fetch'>, clock: Clock): DocumentReader {
  const cache = new DocumentCache<Document>(clock);
  return {
    // What was fetched from this machine is nothing for a call that may not reach it.
    read: (url, options) =>
      cache.read(`${options.local} ${url}`, () => fetchDocument(outbound, url, options), options.refresh),
  };
}

async function fetchDocument(
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
  { maxBytes, local }: DocumentOptions,
): Promise<Fetchable<Document>> {
  try {
    const answer = await outbound.fetch(url, {
      maxBytes,
      local,
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      maxRedirects: 0,
      headers: { accept: 'application/json' },
    });
    if (answer.status !== 200) return failFetch('unreachable');
    const read = readStrictJson(answer.bytes);
    if (!read.ok || !isObject(read.value)) return failFetch('malformed');
    const ttlMs = readTtl(answer.headers['cache-control']);
    return { value: { ok: true, value: read.value }, isGood: true, ttlMs, bytes: answer.bytes.length };
  } catch (error) {
    const reason = fetchReason(error);
    if (reason === undefined) throw error;
    return failFetch(UNTRUSTED.has(reason) ? 'untrusted' : 'unreachable');
  }
}

function failFetch(fault: DocumentFault): Fetchable<Document> {
  return { value: { ok: false, fault }, isGood: false, ttlMs: FAILURE_TTL_MS, bytes: BYTES_PER_FAILURE };
}

/** Returns the milliseconds that a copy is good for, by its Cache-Control. */
function readTtl(cacheControl = ''): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MIN_TTL_MS;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
  if (seconds === undefined) return DEFAULT_TTL_MS;
  return Math.min(Math.max(Number(seconds) * SECOND_MS, MIN_TTL_MS), MAX_TTL_MS);
}
