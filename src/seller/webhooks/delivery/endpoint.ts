import { parsedTarget, type TargetUri } from '../../../platform/signing/target-uri.js';
import { shownUrl } from '../shown-url.js';
import { endpointOf } from './channel.js';

/** The parts of a delivery that follow from a registered URL alone. */
export type Endpoint = {
  /** The origin whose lane events wait in. */
  readonly endpoint: string;
  /** The canonical URL that is signed and posted to. */
  readonly target: TargetUri;
  /** The URL as it may be shown. */
  readonly shown: string;
};

/** Registered URLs have at most 2048 characters, so the cache stays below 10 MB. */
const MAX_CACHED_ENDPOINTS = 1000;

/** Makes a function that returns the endpoint of a URL, undefined for one that is never called; a busy sender meets the same few URLs again. */
export function createEndpointCache(): (url: string) => Endpoint | undefined {
  const cache = new Map<string, Endpoint | undefined>();
  return (url) => {
    if (cache.has(url)) return cache.get(url);
    const origin = endpointOf({ url });
    const endpoint =
      origin === undefined ? undefined : { endpoint: origin, target: parsedTarget(url), shown: shownUrl(url) };
    if (cache.size >= MAX_CACHED_ENDPOINTS) cache.clear();
    cache.set(url, endpoint);
    return endpoint;
  };
}
