import type { FormatDeclaration, FormatOptions } from '../../../creative/formats/canonical/declaration.js';
import { type Written, writeOnce } from '../../../platform/kernel/json/json.js';
import { projectMembers } from '../../../protocol/members.js';
import type { Release } from '../../../protocol/releases.js';
import { type FeedPrint, printEntity } from '../feed/feed.js';
import { listDimensions } from '../targeting/check.js';
import { signalMembers } from '../targeting/signals.js';
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

/** Members that the schema of a product takes together with another one only. */
export const COMPANION_FIELDS: Readonly<Record<string, string>> = {
  signal_targeting_options: 'signal_targeting_allowed',
  signal_targeting_rules: 'signal_targeting_allowed',
};

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

/** A product on the wire. */
type ProductWire = Partial<Omit<Product, 'inventory' | 'reporting_capabilities' | 'creative_policy'>> & {
  readonly reporting_capabilities?: Partial<Product['reporting_capabilities']>;
  readonly creative_policy?: Partial<NonNullable<Product['creative_policy']>> | undefined;
  readonly property_targeting_allowed?: boolean | undefined;
  readonly format_options?: readonly FormatDeclaration[] | undefined;
};

/** Returns a product in the shape of a release: without what the seller keeps to itself, with its formats in canonical terms. */
function productWire({ inventory, ...wire }: Product, formats: FormatOptions, release: Release): ProductWire {
  const options = formats.list(wire.format_ids).map(({ declaration }) => declaration);
  const { reporting_capabilities: reporting, creative_policy: policy } = wire;
  const declared = {
    ...wire,
    ...signalMembers(inventory.signals),
    // Where a list may leave a part of what it runs on, that part can be bought.
    property_targeting_allowed: listDimensions(inventory).includes('property_list') ? true : undefined,
    reporting_capabilities: projectMembers('reporting_capabilities', reporting, release),
    creative_policy: policy && projectMembers('creative_policy', policy, release),
    format_options: options.length === 0 ? undefined : options,
  };
  return projectMembers('product', declared, release);
}

/** The written wire form of a product catalog's products; each is written when it is first sent in a release (bench: get_products). */
export class ProductWires {
  readonly #products: ReadonlyMap<string, Product>;
  readonly #formats: FormatOptions;
  readonly #prints = new Map<Product, FeedPrint>();
  readonly #written = new Map<Release, Map<Product, Written>>();

  constructor(products: ReadonlyMap<string, Product>, formats: FormatOptions) {
    this.#products = products;
    this.#formats = formats;
  }

  /** Returns a product as it goes on the wire; one that is not the catalog's own, such as one without some prices, is written anew. */
  write(product: Product, release: Release): Written {
    const written = this.#written.get(release) ?? new Map<Product, Written>();
    const cached = written.get(product);
    if (cached !== undefined) return cached;
    const wire = writeOnce(this.show(product, release));
    if (this.#products.get(product.product_id) !== product) return wire;
    this.#written.set(release, written.set(product, wire));
    return wire;
  }

  /** Returns the state of a product in the wholesale feed, whatever the release that it is read in. */
  print(product: Product): FeedPrint {
    const cached = this.#prints.get(product);
    if (cached !== undefined) return cached;
    const print = printEntity(product.product_id, this.show(product, '3.1'));
    if (this.#products.get(product.product_id) === product) this.#prints.set(product, print);
    return print;
  }

  /** Returns the members of a product as it goes on the wire. */
  show(product: Product, release: Release): ProductWire {
    return productWire(product, this.#formats, release);
  }
}
