import { Cache } from '../../../../platform/kernel/cache.js';
import type { ResolvedBrand } from '../../../brand/resolution.js';
import type { ServerStore } from '../../store/server-store.js';

/** A brand as the wire shows it, with the outcome of a fresh look where that failed. */
export type BrandAnswer = Readonly<Record<string, unknown>> & Pick<ResolvedBrand, 'canonical_id' | 'brand_name'>;

const MAX_ANSWERS = 10_000;
/** An answer holds a document that its brand wrote. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Answers about brands that were given lately; an answer is dropped when its brand changes. */
export class BrandCache {
  readonly #answers = new Cache<string, BrandAnswer>({
    maxEntries: MAX_ANSWERS,
    maxBytes: MAX_BYTES,
    sizeOf: (answer) => JSON.stringify(answer).length,
  });
  readonly #unfollow: () => void;
  #changes = 0;

  constructor(store: ServerStore) {
    this.#unfollow = store.follow((change) => {
      if (change.noun !== 'brand') return;
      this.#changes += 1;
      this.#answers.delete(change.id);
    });
  }

  /** Returns the answer for a domain where it is at hand. */
  peek(domain: string): BrandAnswer | undefined {
    return this.#answers.get(domain);
  }

  /** Returns the answer for a domain: cached, or read and cached. What is unknown is not cached. */
  async recall(domain: string, read: () => Promise<BrandAnswer | undefined>): Promise<BrandAnswer | undefined> {
    const cached = this.peek(domain);
    if (cached !== undefined) return cached;
    const before = this.#changes;
    const answer = await read();
    // What was read while something changed may be what was changed.
    if (answer !== undefined && this.#changes === before) this.#answers.set(domain, answer);
    return answer;
  }

  close(): void {
    this.#unfollow();
  }
}
