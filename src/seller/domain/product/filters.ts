import { HOUSE_FORMAT_IDS } from '../../../creative/formats/catalog/catalog.js';
import type { FormatId } from '../../../creative/formats/format.js';
import { isSameFormat } from '../../../creative/formats/format-id.js';
import { leastSpend } from '../media-buy/pricing.js';
import {
  explainFilters,
  type FilterDiagnostics,
  type FilterRow,
  type FilterTable,
  filterItems,
} from '../search/filter.js';
import { offeredKinds } from '../targeting/offer.js';
import { areSelectable } from '../targeting/signals.js';
import type { PricingOption, Product } from './product.js';

const DAY_MS = 86_400_000;
const DEFAULT_FLIGHT_DAYS = 30;

/** The `filters` of get_products. Lists mean "any of these" unless said otherwise; dates are YYYY-MM-DD in UTC. */
export type ProductFilters = {
  readonly delivery_type?: string | undefined;
  readonly exclusivity?: string | undefined;
  readonly is_fixed_price?: boolean | undefined;
  readonly pricing_currencies?: readonly string[] | undefined;
  readonly format_ids?: readonly FormatId[] | undefined;
  readonly standard_formats_only?: boolean | undefined;
  readonly min_exposures?: number | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly budget_range?: BudgetRange | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly regions?: readonly string[] | undefined;
  readonly channels?: readonly string[] | undefined;
  /** All of them. */
  readonly required_metrics?: readonly string[] | undefined;
  /** All that are true. */
  readonly required_features?: Readonly<Record<string, boolean>> | undefined;
  /** All of them. */
  readonly required_geo_targeting?:
    | readonly { readonly level: string; readonly system?: string | undefined }[]
    | undefined;
  /** All of them, each by the vendor, the metric or both. */
  readonly required_vendor_metrics?: readonly VendorPin[] | undefined;
  /** All of them, together in one package. */
  readonly signal_targeting?: readonly Readonly<Record<string, unknown>>[] | undefined;
} & { readonly [K in UndeclaredFilter]?: unknown };

/** A metric of a vendor that a product has to report; what is left out is any. */
type VendorPin = { readonly vendor?: { readonly domain: string } | undefined; readonly metric_id?: string | undefined };

/** A budget in one currency; `max` decides, since a product asks for a least budget and never for a most. */
type BudgetRange = {
  readonly currency: string;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
};

type Filters = ProductFilters & { readonly features: ReadonlySet<string> };

/** The kinds of targeting that the levels of places are of; there is none of the others. */
const KINDS_OF_LEVELS: Readonly<Record<string, string>> = { country: 'geo_countries', region: 'geo_regions' };

type Row<Value> = FilterRow<Product, PricingOption, Filters, Value>;

/** Filters on attributes that no product here declares: a hard filter on one of these excludes. */
export const UNDECLARED_FILTERS = [
  'metros',
  'postal_areas',
  'geo_proximity',
  'trusted_match',
  'required_axe_integrations',
  'required_performance_standards',
  'keywords',
  'video_placement_types',
  'audio_distribution_types',
  'sponsored_placement_types',
  'social_placement_surfaces',
] as const;
type UndeclaredFilter = (typeof UNDECLARED_FILTERS)[number];

type DeclaredFilter = Exclude<keyof ProductFilters, UndeclaredFilter>;

const DECLARED: { readonly [K in DeclaredFilter]: Row<NonNullable<ProductFilters[K]>> } = {
  delivery_type: {
    item: (product, type) => product.delivery_type === type,
    relax: 'take the other delivery type too',
  },
  exclusivity: {
    item: ({ exclusivity = 'none' }, wanted) => exclusivity === wanted,
    relax: 'take another exclusivity',
  },
  is_fixed_price: {
    option: (option, wanted) => (option.fixed_price !== undefined) === wanted,
    prunes: true,
    relax: 'take fixed and auction prices',
  },
  pricing_currencies: {
    option: (option, currencies) => currencies.includes(option.currency),
    prunes: true,
    relax: 'name other currencies',
  },
  format_ids: {
    item: ({ format_ids }, wanted) =>
      format_ids.some((own) => wanted.some((ref) => isSameFormat(ref, own, own.agent_url))),
    relax: 'name other formats (see list_creative_formats)',
  },
  standard_formats_only: {
    item: ({ format_ids }, only) => !only || format_ids.every(({ id }) => HOUSE_FORMAT_IDS.has(id)),
    relax: 'accept formats of the publisher',
  },
  min_exposures: {
    item: ({ inventory }, wanted, all) => inventory.daily_impressions * flightDays(all) >= wanted,
    relax: 'ask for fewer exposures or a longer flight',
  },
  start_date: {
    item: ({ expires_at }, start) => expires_at === undefined || Date.parse(expires_at) > Date.parse(start),
    relax: 'start earlier',
  },
  end_date: {
    item: (_product, end, { start_date }) => start_date === undefined || end >= start_date,
    relax: 'end on or after start_date',
  },
  budget_range: {
    option: (option, { currency, max = Number.POSITIVE_INFINITY }) =>
      option.currency === currency && leastSpend(option) <= max,
    relax: 'raise the largest budget or change its currency',
  },
  countries: {
    item: ({ inventory }, countries) => inventory.countries.some((own) => countries.includes(own)),
    relax: 'name other countries',
  },
  regions: {
    item: ({ inventory }, regions) => regions.some((region) => inventory.countries.includes(region.slice(0, 2))),
    relax: 'name regions of other countries',
  },
  channels: {
    item: (product, channels) => product.channels.some((own) => channels.includes(own)),
    relax: 'name other channels',
  },
  required_metrics: {
    item: ({ reporting_capabilities }, metrics) =>
      metrics.every((metric) => reporting_capabilities.available_metrics.includes(metric)),
    guilty: (metrics, excluded) =>
      metrics.filter((metric) =>
        excluded.some(({ reporting_capabilities }) => !reporting_capabilities.available_metrics.includes(metric)),
      ),
    relax: 'require fewer metrics',
  },
  required_vendor_metrics: {
    item: ({ reporting_capabilities: { vendor_metrics = [] } }, pins) =>
      pins.every(({ vendor, metric_id }) =>
        vendor_metrics.some(
          (own) =>
            (vendor === undefined || own.vendor.domain === vendor.domain) &&
            (metric_id === undefined || own.metric_id === metric_id),
        ),
      ),
    relax: 'require fewer metrics of vendors',
  },
  signal_targeting: {
    item: ({ inventory }, wanted) => areSelectable(wanted, inventory.signals),
    relax: "name fewer signals, or those of a product's signal_targeting_options",
  },
  required_features: {
    item: (_product, wanted, { features }) =>
      Object.entries(wanted).every(([feature, needed]) => !needed || features.has(feature)),
    relax: 'require only features that get_adcp_capabilities names',
  },
  required_geo_targeting: {
    item: ({ inventory }, wanted) => {
      const offered = offeredKinds(inventory);
      return wanted.every(({ level, system }) => system === undefined && offered.has(KINDS_OF_LEVELS[level] ?? ''));
    },
    relax: 'require only targeting that get_adcp_capabilities names',
  },
};

const TABLE = {
  ...DECLARED,
  ...Object.fromEntries(
    UNDECLARED_FILTERS.map((name) => [name, { item: () => false, relax: 'leave it out: no product here declares it' }]),
  ),
} as FilterTable<Product, PricingOption, Filters>;

/** Returns the products that pass every filter, and which filter refused the others; `features` are those of the seller as a whole. */
export function filterProducts(
  products: readonly Product[],
  filters: ProductFilters,
  features: ReadonlySet<string> = new Set(),
): { readonly passed: readonly Product[]; readonly diagnostics: FilterDiagnostics } {
  return filterItems(TABLE, products, { ...filters, features });
}

/** Returns the days of the flight that the filters describe, both ends included; 30 when they do not describe one; 0 when it ends before it starts. */
function flightDays({ start_date, end_date }: ProductFilters): number {
  if (start_date === undefined || end_date === undefined) return DEFAULT_FLIGHT_DAYS;
  return Math.max(0, Math.round((Date.parse(end_date) - Date.parse(start_date)) / DAY_MS) + 1);
}

/** Explains why no product is left, in words for a person or a model. */
export function explainNoProducts(diagnostics: FilterDiagnostics): string {
  return explainFilters(TABLE, 'product', diagnostics);
}
