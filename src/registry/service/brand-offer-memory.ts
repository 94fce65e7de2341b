import type { BrandRecord } from '../records.js';
import { type BrandOffer, NO_OFFER } from './brand-offer.js';
import type { Registry } from './registry.js';

type Kept = { readonly text: string; readonly offer: Promise<BrandOffer> };

/** Most characters of documents whose offers are remembered. */
const MOST = 8 * 1024 * 1024;
const remembered = new WeakMap<Registry['store'], Map<string, Kept>>();

/**
 * What the brand.json says that a brand was read of; nothing where there is none. Remembered for as long as the brand has that document.
 * Throws unavailable when it cannot be read here.
 */
export async function offerOf({ files, store }: Registry, record: BrandRecord | undefined): Promise<BrandOffer> {
  if (record?.brand_json === undefined) return NO_OFFER;
  const { brand_json, domain } = record;
  const kept = remembered.get(store) ?? new Map<string, Kept>();
  remembered.set(store, kept);
  const text = JSON.stringify(brand_json);
  const known = kept.get(domain);
  if (known?.text === text) return known.offer;
  kept.delete(domain);
  const one: Kept = { text, offer: files.run({ kind: 'operated', domain, nowMs: 0, local: false, text }) };
  kept.set(domain, one);
  let characters = [...kept.values()].reduce((sum, other) => sum + other.text.length, 0);
  for (const [oldest, other] of kept) {
    if (characters <= MOST) break;
    characters -= other.text.length;
    kept.delete(oldest);
  }
  try {
    return await one.offer;
  } catch (error) {
    // Whatever was in the way may be gone the next time.
    if (kept.get(domain) === one) kept.delete(domain);
    throw error;
  }
}
