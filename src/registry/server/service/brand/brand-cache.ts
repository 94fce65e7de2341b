import { Cache } from '../../../../platform/kernel/cache.js';
import type { ResolvedBrand } from '../../../brand/resolution.js';
import type { WrittenJson } from '../../http/written-json.js';
import type { ServerStore } from '../../store/server-store.js';

/** A brand as the wire shows it, with the outcome of a fresh look where that failed. */
export type BrandAnswer = Readonly<Record<string, unknown>> & Pick<ResolvedBrand, 'canonical_id' | 'brand_name'>;

/** A stored brand, as answers give it. */
export type StoredBrand = {
  readonly answer: BrandAnswer;
  readonly written: WrittenJson;
  /** When its brand.json was read (ms); absent of a brand without one. */
  readonly fetchedAtMs?: number;
};

const MAX_BRANDS = 20_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** An answer holds a document that its brand wrote: as it is, and as text. */
const COPIES = 2;

/** Brands that were asked for lately; one is dropped when anything stored of it changes, its block included. */
export class BrandCache {
  readonly #brands = new Cache<string, StoredBrand>({
    maxEntries: MAX_BRANDS,
    maxBytes: MAX_BYTES,
    sizeOf: ({ written }) => COPIES * written.text.length,
  });
  readonly #unfollow: () => void;
  #changes = 0;

  constructor(store: ServerStore) {
    this.#unfollow = store.follow((change) => {
      if (change.noun !== 'brand') return;
      this.#changes += 1;
      this.#brands.delete(change.id);
    });
  }

  /** Returns what is stored of a domain's brand where it is at hand. */
  peek(domain: string): StoredBrand | undefined {
    return this.#brands.get(domain);
  }

  /** Returns what is stored of a domain's brand: cached, or read and cached. What is unknown is not cached. */
  async recall(domain: string, read: () => Promise<StoredBrand | undefined>): Promise<StoredBrand | undefined> {
    const cached = this.peek(domain);
    if (cached !== undefined) return cached;
    const before = this.#changes;
    const stored = await read();
    // What was read while something changed may be what was changed.
    if (stored !== undefined && this.#changes === before) this.#brands.set(domain, stored);
    return stored;
  }

  close(): void {
    this.#unfollow();
  }
}
