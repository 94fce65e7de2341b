import { shownUrl } from '../shown-url.js';
import { endpointOf, postingUrl } from './channel.js';

/** What follows from a registered URL alone. */
export type Endpoint = {
  /** Undefined for what is never called; then nothing else is worked out. */
  readonly endpoint: string | undefined;
  readonly posting: string;
  readonly shown: string;
};

const REMEMBERED = 1000;

/** Works places out, each URL's once: a busy sender meets the same few again and again. */
export function createEndpointCache(): (url: string) => Endpoint {
  const known = new Map<string, Endpoint>();
  return (url) => {
    const before = known.get(url);
    if (before !== undefined) return before;
    const endpoint = endpointOf({ url });
    const posting = endpoint === undefined ? '' : postingUrl(url);
    const place = { endpoint, posting, shown: shownUrl(url) };
    if (known.size >= REMEMBERED) known.clear();
    known.set(url, place);
    return place;
  };
}
