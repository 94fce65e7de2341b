import { type Clock, MINUTE_MS } from '../../../../platform/kernel/clock.js';
import type { Fetched, Outbound } from '../../../../platform/net/fetch.js';
import { isUrl } from '../../../../platform/net/url.js';
import { isWithin, publisherDomain, typedDomain } from '../../../model/domains.js';

/** How long a document is remembered. */
const LASTS_MS = 5 * MINUTE_MS;
/** Bytes of all documents that are remembered together. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes that a document counts for beside its own; one that has not changed has none of its own. */
const ENTRY_BYTES = 4096;

type Shared = { readonly at: number; readonly answer: Promise<Fetched> };

/** Documents that many publishers share, remembered for minutes: the file of a network speaks for thousands of them. */
export class SharedDocuments {
  readonly #outbound: Pick<Outbound, 'fetch'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #answers = new Map<string, Shared>();
  #bytes = 0;

  constructor(outbound: Pick<Outbound, 'fetch'>, clock: Pick<Clock, 'now'>) {
    this.#outbound = outbound;
    this.#clock = clock;
  }

  /** Returns the fetch for one publisher's crawl: what its own domain serves is fetched anew, what others serve is remembered. */
  fetchFor(domain: string): Pick<Outbound, 'fetch'> {
    return {
      fetch: (url, options) =>
        isOwn(url, domain) ? this.#outbound.fetch(url, options) : this.#fetchShared(url, options),
    };
  }

  #fetchShared(url: string, options: Parameters<Outbound['fetch']>[1]): Promise<Fetched> {
    // A question whether it has changed has another answer than the document itself.
    const { 'if-none-match': etag = '', 'if-modified-since': since = '' } = options.headers ?? {};
    const key = `${url} ${etag} ${since}`;
    const shared = this.#answers.get(key);
    if (shared !== undefined && this.#clock.now() - shared.at < LASTS_MS) return shared.answer;
    const answer = this.#outbound.fetch(url, options);
    this.#answers.set(key, { at: this.#clock.now(), answer });
    answer.then(
      (fetched) => this.#count(key, fetched),
      () => this.#answers.delete(key),
    );
    return answer;
  }

  #count(key: string, { bytes, status }: Fetched): void {
    this.#bytes += bytes.length + ENTRY_BYTES;
    // Only what is there is worth remembering, and only so much of it.
    if (status !== 200 && status !== 304) this.#answers.delete(key);
    if (this.#bytes <= MAX_BYTES) return;
    this.#answers.clear();
    this.#bytes = 0;
  }
}

function isOwn(url: string, domain: string): boolean {
  const host = isUrl(url) ? typedDomain(new URL(url).hostname) : undefined;
  return host === undefined || publisherDomain(host) === domain || isWithin(host, domain);
}
