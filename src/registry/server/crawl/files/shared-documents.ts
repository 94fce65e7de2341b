import { MINUTE_MS } from '../../../../platform/kernel/clock.js';
import type { Fetched, Outbound } from '../../../../platform/net/fetch.js';
import { isUrl } from '../../../../platform/net/url.js';
import { isWithin, publisherDomain, typedDomain } from '../../../model/domains.js';

/** Documents that many publishers share: the file of a network speaks for thousands of them (facts 8). */
export type SharedDocuments = {
  /** A way out for one publisher's crawl: what stands at its own domain is fetched anew, what others serve is remembered for minutes. */
  readonly fetchFor: (domain: string) => Pick<Outbound, 'fetch'>;
};

const LASTS_MS = 5 * MINUTE_MS;
/** Most bytes that are remembered, all documents together. */
const MOST_BYTES = 64 * 1024 * 1024;

type Shared = { readonly at: number; readonly answer: Promise<Fetched> };

/** Opens the memory of shared documents over the guarded way out. */
export function createSharedDocuments(
  outbound: Pick<Outbound, 'fetch'>,
  clock: { readonly now: () => number },
): SharedDocuments {
  const known = new Map<string, Shared>();
  let bytes = 0;

  function forget(key: string): void {
    known.delete(key);
  }

  return {
    fetchFor: (domain) => ({
      fetch: (url, options) => {
        if (isOwn(url, domain)) return outbound.fetch(url, options);
        // A question whether it has changed has another answer than the document itself.
        const { 'if-none-match': etag = '', 'if-modified-since': since = '' } = options.headers ?? {};
        const key = `${url} ${etag} ${since}`;
        const shared = known.get(key);
        if (shared !== undefined && clock.now() - shared.at < LASTS_MS) return shared.answer;
        const answer = outbound.fetch(url, options);
        known.set(key, { at: clock.now(), answer });
        answer.then(
          ({ bytes: body, status }) => {
            bytes += body.length;
            // Only what is there is worth remembering, and only so much of it.
            if (status !== 200 && status !== 304) forget(key);
            if (bytes <= MOST_BYTES) return;
            known.clear();
            bytes = 0;
          },
          () => forget(key),
        );
        return answer;
      },
    }),
  };
}

function isOwn(url: string, domain: string): boolean {
  const host = isUrl(url) ? typedDomain(new URL(url).hostname) : undefined;
  return host === undefined || publisherDomain(host) === domain || isWithin(host, domain);
}
