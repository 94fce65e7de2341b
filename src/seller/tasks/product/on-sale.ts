import type { Product } from '../../domain/product/product.js';

/** The features that the seller as a whole supports, for filters that ask for them, as the capabilities declare them. */
export const SUPPORT = {
  features: new Set(['inline_creative_management', 'property_list_filtering']),
  geoTargetingLevels: new Set(['country', 'region']),
};

/** Whether a product can be bought at `nowMs`. */
export function isOnSale(product: Product, nowMs: number): boolean {
  return product.expires_at === undefined || Date.parse(product.expires_at) > nowMs;
}
