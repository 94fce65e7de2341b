import { type Written, writeOnce } from '../../../platform/kernel/json/json.js';
import type { Product } from './product.js';

/** The members that a product shows whatever is asked for: the schema of a product requires them. */
export const REQUIRED_FIELDS = [
  'product_id',
  'name',
  'description',
  'publisher_properties',
  'format_ids',
  'delivery_type',
  'pricing_options',
  'reporting_capabilities',
] as const satisfies readonly (keyof Product)[];

/** The members of a product that can be asked for alone. */
export const PRODUCT_FIELDS = [
  ...REQUIRED_FIELDS,
  'channels',
  'video_placement_types',
  'audio_distribution_types',
  'sponsored_placement_types',
  'social_placement_surfaces',
  'format_options',
  'placements',
  'exclusivity',
  'forecast',
  'outcome_measurement',
  'delivery_measurement',
  'creative_policy',
  'catalog_types',
  'metric_optimization',
  'conversion_tracking',
  'data_provider_signals',
  'included_signals',
  'signal_targeting_allowed',
  'signal_targeting_options',
  'signal_targeting_rules',
  'max_optimization_goals',
  'catalog_match',
  'collections',
  'collection_targeting_allowed',
  'installments',
  'brief_relevance',
  'expires_at',
  'product_card',
  'product_card_detailed',
  'enforced_policies',
  'trusted_match',
  'measurement_terms',
  'performance_standards',
  'cancellation_policy',
  'is_custom',
  'property_targeting_allowed',
  'allowed_actions',
  'material_submission',
] as const;

/** Returns a product without what the seller keeps to itself. */
export function productWire({ inventory: _inventory, ...wire }: Product): Omit<Product, 'inventory'> {
  return wire;
}

/** The written wire form of a product catalog's products; each is written when it is first sent (bench: get_products). */
export class ProductWires {
  readonly #products: ReadonlyMap<string, Product>;
  readonly #written = new Map<Product, Written>();

  constructor(products: ReadonlyMap<string, Product>) {
    this.#products = products;
  }

  /** Returns a product as it goes on the wire; one that is not the catalog's own, such as one without some prices, is written anew. */
  write(product: Product): Written {
    const cached = this.#written.get(product);
    if (cached !== undefined) return cached;
    const wire = writeOnce(productWire(product));
    if (this.#products.get(product.product_id) === product) this.#written.set(product, wire);
    return wire;
  }
}
