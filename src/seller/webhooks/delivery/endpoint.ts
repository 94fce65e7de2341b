import { hash } from 'node:crypto';
import { parsedTarget, type TargetUri } from '../../../platform/signing/target-uri.js';
import type { EndpointFilter } from '../../store/webhooks/webhook-log.js';
import { shownUrl } from '../shown-url.js';
import { findOrigin } from './channel.js';

/** The parts of a delivery that follow from its owner and a registered URL alone. */
export type Endpoint = {
  /** The queue that its events wait in. */
  readonly endpoint: string;
  readonly origin: string;
  /** The canonical URL that is signed and posted to. */
  readonly target: TargetUri;
  /** The URL as it may be shown. */
  readonly shown: string;
};

/** Digests are shortened to 72 bits: they keep queues apart, and tell nobody's path. */
const DIGEST_CHARACTERS = 12;

/**
 * Returns the queue of a principal's events to a URL, whatever its query: the origin, then digests of the owner and the path. Undefined
 * for a URL that is never called.
 */
export function endpointOf(owner: string, { url }: { readonly url: string }): string | undefined {
  const origin = findOrigin({ url });
  if (origin === undefined) return undefined;
  const { pathname } = new URL(url);
  return `${origin}#${digest(owner)}${pathSuffix(pathname)}`;
}

/** Returns what the queues of a URL have in common, whoever owns them: of an origin alone those of every path. Undefined for no URL. */
export function filterByUrl(url: string): EndpointFilter | undefined {
  const origin = findOrigin({ url });
  if (origin === undefined) return undefined;
  const { pathname } = new URL(url);
  return { origin, suffix: pathname === '/' ? undefined : pathSuffix(pathname) };
}

function pathSuffix(pathname: string): string {
  return `.${digest(pathname)}`;
}

/** Returns the origin of a queue, and the principal's part of the queue's name with it. */
export function splitEndpoint(endpoint: string): { readonly origin: string; readonly account: string } {
  const [origin = ''] = endpoint.split('#', 1);
  const end = endpoint.lastIndexOf('.');
  return { origin, account: end > origin.length ? endpoint.slice(0, end) : endpoint };
}

/** Registered URLs have at most 2048 characters, so the cache stays below 10 MB. */
const MAX_CACHED_ENDPOINTS = 1000;

/** Returns what follows from the URL of an owner. */
type OfUrl<Value> = (owner: string, url: string) => Value;

/** Makes a function that returns the endpoint of an owner's URL, undefined for one that is never called. */
export function createEndpointCache(): OfUrl<Endpoint | undefined> {
  return cacheByUrl(readEndpoint);
}

/** Makes a function that returns the queue of an owner's URL, undefined for one that is never called. */
export function createQueueCache(): OfUrl<string | undefined> {
  return cacheByUrl((owner, url) => endpointOf(owner, { url }));
}

/** Returns a reader that remembers what it read, since a busy sender meets the same few again. */
function cacheByUrl<Value>(read: OfUrl<Value>): OfUrl<Value> {
  const cache = new Map<string, Value>();
  return (owner, url) => {
    const key = `${owner}\n${url}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = read(owner, url);
    if (cache.size >= MAX_CACHED_ENDPOINTS) cache.clear();
    cache.set(key, value);
    return value;
  };
}

function readEndpoint(owner: string, url: string): Endpoint | undefined {
  const endpoint = endpointOf(owner, { url });
  if (endpoint === undefined) return undefined;
  return { endpoint, ...splitEndpoint(endpoint), target: parsedTarget(url), shown: shownUrl(url) };
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_CHARACTERS);
}
