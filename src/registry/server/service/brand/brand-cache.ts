import type { ResolvedBrand } from '../../../brand/resolution.js';
import type { ServerStore } from '../../store/server-store.js';

/** A brand as the wire says it (spec 1, Brand resolution response; facts 1.1), and what a fresh look came to where it failed. */
export type BrandAnswer = Readonly<Record<string, unknown>> & Pick<ResolvedBrand, 'canonical_id' | 'brand_name'>;

/** Answers about brands that were given lately; what changes is forgotten. */
export type BrandCache = {
  /** The answer for a domain: remembered, or read and remembered. What is unknown is not remembered. */
  readonly recall: (domain: string, read: () => Promise<BrandAnswer | undefined>) => Promise<BrandAnswer | undefined>;
  /** The same where it is at hand. */
  readonly at: (domain: string) => BrandAnswer | undefined;
  readonly close: () => void;
};

/** Most answers that are remembered. */
const MOST = 10_000;

/** Opens the memory. */
export function createBrandMemory(store: ServerStore): BrandCache {
  const kept = new Map<string, BrandAnswer>();
  let changes = 0;
  const end = store.follow((change) => {
    if (change.noun !== 'brand') return;
    changes += 1;
    kept.delete(change.id);
  });
  return {
    at: (domain) => kept.get(domain),
    recall: async (domain, read) => {
      const known = kept.get(domain);
      if (known !== undefined) return known;
      const before = changes;
      const answer = await read();
      // What was read while something changed may be what was changed.
      if (answer === undefined || changes !== before) return answer;
      const [oldest] = kept.keys();
      if (kept.size >= MOST && oldest !== undefined) kept.delete(oldest);
      kept.set(domain, answer);
      return answer;
    },
    close: end,
  };
}
