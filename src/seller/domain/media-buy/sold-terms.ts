import type { PricingOption, Product } from '../product/product.js';
import type { Sold } from './media-buy.js';

/**
 * The terms at which a seller's prices are sold: one object per price as long as the product catalog is unchanged, by which the
 * store knows terms that it holds already (bench: create_media_buy).
 */
export class SoldTerms {
  readonly #byOption = new WeakMap<PricingOption, Sold>();

  /** Returns the terms of a product at a price. */
  at(product: Product, option: PricingOption): Sold {
    const cached = this.#byOption.get(option);
    if (cached !== undefined) return cached;
    const { delivery_type, channels, format_ids, inventory } = product;
    const sold = { option, delivery_type, channels, format_ids, inventory: { ...inventory, keywords: [] } };
    this.#byOption.set(option, sold);
    return sold;
  }
}
