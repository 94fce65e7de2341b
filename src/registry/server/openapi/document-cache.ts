import { Cache } from '../../../platform/kernel/cache.js';

/** Documents that are written once for an address, by their kind and the address. */
export type DocumentCache = Cache<string, string>;

/** Returns an empty cache of documents. */
export function createDocumentCache(): DocumentCache {
  return new Cache({ maxEntries: 16, maxBytes: 8 * 1024 * 1024, sizeOf: (text) => text.length });
}
