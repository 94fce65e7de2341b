import type { FormatDeclaration, FormatOptions } from '../../../creative/formats/canonical/declaration.js';
import { pickMembers } from '../../../platform/kernel/json/json.js';
import { signalMembers } from '../targeting/signals.js';
import type { PricingOption, Product } from './product.js';

/** The fields of a canonical product that can be asked for alone; `product_id` and `name` always come. */
export const CANONICAL_FIELDS = [
  'product_id',
  'name',
  'description',
  'publisher_properties',
  'channels',
  'video_placement_types',
  'audio_distribution_types',
  'sponsored_placement_types',
  'social_placement_surfaces',
  'format_options',
  'placements',
  'delivery_type',
  'exclusivity',
  'pricing_options',
  'forecast',
  'reporting_capabilities',
  'measurement_terms',
  'performance_standards',
  'catalog_types',
  'signal_targeting_allowed',
  'signal_targeting_rules',
  'demographic_targeting',
  'audience_evidence',
  'audience_evidence_selections',
  'max_optimization_goals',
  'catalog_match',
  'brief_relevance',
  'expires_at',
  'allowed_actions',
] as const;
type CanonicalField = (typeof CANONICAL_FIELDS)[number];

/** The fields that come where none are asked for: what a model needs to choose, and no more. */
const COMPACT_FIELDS: readonly CanonicalField[] = [
  'description',
  'channels',
  'delivery_type',
  'exclusivity',
  'pricing_options',
  'expires_at',
];

const ALWAYS: readonly CanonicalField[] = ['product_id', 'name'];

const PRICING_MEMBERS = [
  'pricing_option_id',
  'pricing_model',
  'currency',
  'fixed_price',
  'floor_price',
  'price_guidance',
  'min_spend_per_package',
  'parameters',
  'event_type',
] as const;

const REPORTING_MEMBERS = [
  'available_reporting_frequencies',
  'expected_delay_minutes',
  'timezone',
  'supports_webhooks',
  'available_metrics',
  'vendor_metrics',
  'supports_creative_breakdown',
  'supports_geo_breakdown',
  'supports_device_type_breakdown',
  'supports_device_platform_breakdown',
  'supports_audience_breakdown',
  'supports_placement_breakdown',
  'date_range_support',
  'windowed_pull_granularities',
  'measurement_windows',
] as const;

const PLACEMENT_MEMBERS = ['kind', 'placement_id', 'publisher_domain', 'name', 'description', 'mode', 'tags'] as const;

const OPTION_MEMBERS = ['format_option_id', 'display_name', 'format_kind', 'params'] as const;

/** The words for actions that only older releases have. */
const COARSE_ACTIONS: ReadonlySet<string> = new Set([
  'update_budget',
  'update_dates',
  'update_packages',
  'sync_creatives',
]);

/** A product in the terms of 3.2. */
export type CanonicalProduct = Readonly<Record<string, unknown>>;

/** Returns a price with the members that terms of 3.2 have. */
export function canonicalPricing(option: PricingOption): Readonly<Record<string, unknown>> {
  return pickMembers(option, PRICING_MEMBERS);
}

/** Returns a product in the terms of 3.2, with the members that are asked for. */
export function canonicalProduct(
  product: Product,
  formats: FormatOptions,
  fields: readonly string[] = COMPACT_FIELDS,
): CanonicalProduct {
  const wanted = new Set<string>([...ALWAYS, ...fields]);
  const whole: Readonly<Partial<Record<CanonicalField, () => unknown>>> = {
    product_id: () => product.product_id,
    name: () => product.name,
    description: () => product.description,
    publisher_properties: () => product.publisher_properties,
    channels: () => [...new Set(product.channels)],
    format_options: () =>
      orNone(formats.list(product.format_ids).map(({ declaration }) => canonicalOption(declaration))),
    placements: () => product.placements?.map((placement) => pickMembers(placement, PLACEMENT_MEMBERS)),
    delivery_type: () => product.delivery_type,
    exclusivity: () => product.exclusivity,
    pricing_options: () => product.pricing_options.map(canonicalPricing),
    reporting_capabilities: () => pickMembers(product.reporting_capabilities, REPORTING_MEMBERS),
    signal_targeting_allowed: () => signalMembers(product.inventory.signals).signal_targeting_allowed,
    signal_targeting_rules: () => product.inventory.signals?.rules,
    expires_at: () => product.expires_at,
    allowed_actions: () => product.allowed_actions?.filter(({ action }) => !COARSE_ACTIONS.has(action)),
  };
  return Object.fromEntries(CANONICAL_FIELDS.filter((name) => wanted.has(name)).map((name) => [name, whole[name]?.()]));
}

function canonicalOption(declaration: FormatDeclaration): Readonly<Record<string, unknown>> {
  return pickMembers(declaration, OPTION_MEMBERS);
}

function orNone<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}
