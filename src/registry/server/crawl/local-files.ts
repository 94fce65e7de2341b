import type { Outbound } from '../../../platform/net/fetch.js';
import { FetchError } from '../../../platform/net/fetch-error.js';
import { adagentsUrl } from '../../adagents/discovery.js';

/** The adagents.json of a publisher as the operator has it; the domain in the form of `publisherDomain`. */
export type LocalFile = { readonly domain: string; readonly text: string };

/** The outcome of reading the operator's copy of a publisher's file. */
export type LocalReading = {
  readonly domain: string;
  /** `adopted` and `unchanged`: the records are what the file says. */
  readonly verdict: string;
  /** A reason of the discovery, and a sentence about it. */
  readonly reason: string;
  readonly message: string;
  /** How many events it appended. */
  readonly events: number;
};

/** Returns a way out on which the operator's copy stands at its publisher's own place; all else is fetched with `others`. */
export function withLocalFile(others: Pick<Outbound, 'fetch'>, { domain, text }: LocalFile): Pick<Outbound, 'fetch'> {
  const own = adagentsUrl(domain);
  return {
    fetch: async (url, options) => {
      if (url !== own) return others.fetch(url, options);
      const bytes = Buffer.from(text);
      if (bytes.length > options.maxBytes) throw new FetchError('too_large', { maxBytes: options.maxBytes });
      return { status: 200, headers: { 'content-type': 'application/json' }, bytes, url };
    },
  };
}
