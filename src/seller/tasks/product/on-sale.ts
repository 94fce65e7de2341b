import type { Product } from '../../domain/product/product.js';

/** The features that every seller supports, as the capabilities declare them. */
export const SELLER_FEATURES = {
  inline_creative_management: true,
  property_list_filtering: true,
  catalog_management: true,
  audience_targeting: true,
  conversion_tracking: true,
} as const;

/** The names of these features, for filters that ask for them. */
export const FEATURE_NAMES: ReadonlySet<string> = new Set(Object.keys(SELLER_FEATURES));

/** Whether a product can be bought at `nowMs`. */
export function isOnSale(product: Product, nowMs: number): boolean {
  return product.expires_at === undefined || Date.parse(product.expires_at) > nowMs;
}
