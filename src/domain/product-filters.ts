import { HOUSE_FORMAT_IDS, sameFormat } from './format.js';
import { leastSpend } from './pricing.js';
import type { FormatId, PricingOption, Product } from './product.js';

const DAY_MS = 86_400_000;
const DEFAULT_FLIGHT_DAYS = 30;

/** The `filters` of get_products (facts C.1). Lists mean "any of these" unless said otherwise; dates are YYYY-MM-DD in UTC. */
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
} & { readonly [K in UndeclaredFilter]?: unknown };

/** A budget in one currency; `max` decides, since a product asks for a least budget and never for a most. */
export type BudgetRange = {
  readonly currency: string;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
};

/** What the seller as a whole supports, for filters that ask about it. Absent means nothing. */
export type SellerSupport = {
  readonly features: ReadonlySet<string>;
  readonly geoTargetingLevels: ReadonlySet<string>;
};

/** The `filter_diagnostics` of the answer: who filtered what, as counts only (facts C.1). */
export type FilterDiagnostics = {
  /** `only`: products that this filter alone keeps out. `any`: products it refuses, whatever else refuses them. */
  readonly semantics: 'only' | 'any';
  readonly total_candidates: number;
  readonly excluded_by: Readonly<Record<string, { readonly count: number; readonly values?: readonly string[] }>>;
};

type Filters = ProductFilters & { readonly support: SellerSupport };

/** A filter asks about the product as a whole, or about one of its prices; `prunes`: prices that fail do not leave. */
type FilterRow<V> = {
  readonly product?: (product: Product, value: V, all: Filters) => boolean;
  readonly option?: (option: PricingOption, value: V) => boolean;
  readonly prunes?: true;
  /** What to do about it, when this filter leaves nothing. */
  readonly relax: string;
};

/** Filters on attributes that no product here declares: a hard filter on one of these excludes. */
const UNDECLARED_FILTERS = [
  'metros',
  'postal_areas',
  'geo_proximity',
  'trusted_match',
  'required_axe_integrations',
  'signal_targeting',
  'required_performance_standards',
  'required_vendor_metrics',
  'keywords',
  'video_placement_types',
  'audio_distribution_types',
  'sponsored_placement_types',
  'social_placement_surfaces',
] as const;
type UndeclaredFilter = (typeof UNDECLARED_FILTERS)[number];

type DeclaredFilter = Exclude<keyof ProductFilters, UndeclaredFilter>;

const DECLARED: { readonly [K in DeclaredFilter]: FilterRow<NonNullable<ProductFilters[K]>> } = {
  delivery_type: {
    product: (product, type) => product.delivery_type === type,
    relax: 'take the other delivery type too',
  },
  exclusivity: {
    product: ({ exclusivity = 'none' }, wanted) => exclusivity === wanted,
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
    product: ({ format_ids }, wanted) =>
      format_ids.some((own) => wanted.some((ref) => sameFormat(ref, own, own.agent_url))),
    relax: 'name other formats (see list_creative_formats)',
  },
  standard_formats_only: {
    product: ({ format_ids }, only) => !only || format_ids.every(({ id }) => HOUSE_FORMAT_IDS.has(id)),
    relax: 'accept formats of the publisher',
  },
  min_exposures: {
    product: ({ inventory }, wanted, all) => inventory.daily_impressions * flightDays(all) >= wanted,
    relax: 'ask for fewer exposures or a longer flight',
  },
  start_date: {
    product: ({ expires_at }, start) => expires_at === undefined || Date.parse(expires_at) > Date.parse(start),
    relax: 'start earlier',
  },
  end_date: {
    product: (_product, end, { start_date }) => start_date === undefined || end >= start_date,
    relax: 'end on or after start_date',
  },
  budget_range: {
    option: (option, { currency, max = Number.POSITIVE_INFINITY }) =>
      option.currency === currency && leastSpend(option) <= max,
    relax: 'raise the largest budget or change its currency',
  },
  countries: {
    product: ({ inventory }, countries) => inventory.countries.some((own) => countries.includes(own)),
    relax: 'name other countries',
  },
  regions: {
    product: ({ inventory }, regions) => regions.some((region) => inventory.countries.includes(region.slice(0, 2))),
    relax: 'name regions of other countries',
  },
  channels: {
    product: (product, channels) => product.channels.some((own) => channels.includes(own)),
    relax: 'name other channels',
  },
  required_metrics: {
    product: ({ reporting_capabilities }, metrics) =>
      metrics.every((metric) => reporting_capabilities.available_metrics.includes(metric)),
    relax: 'require fewer metrics',
  },
  required_features: {
    product: (_product, wanted, { support }) =>
      Object.entries(wanted).every(([feature, needed]) => !needed || support.features.has(feature)),
    relax: 'require only features that get_adcp_capabilities names',
  },
  required_geo_targeting: {
    product: (_product, wanted, { support }) =>
      wanted.every(({ level, system }) =>
        support.geoTargetingLevels.has(system === undefined ? level : `${level}:${system}`),
      ),
    relax: 'require only targeting that get_adcp_capabilities names',
  },
};

const TABLE = {
  ...DECLARED,
  ...Object.fromEntries(
    UNDECLARED_FILTERS.map((name) => [
      name,
      { product: () => false, relax: 'leave it out: no product here declares it' },
    ]),
  ),
} as Readonly<Record<string, FilterRow<unknown>>>;

type Active = { readonly name: string; readonly row: FilterRow<unknown>; readonly value: unknown };

/**
 * The products that pass every filter, in their order, without the prices that a price filter refuses; and who refused the others.
 * Filters exclude silently and never throw; unknown filters and empty lists filter nothing.
 */
export function applyFilters(
  products: readonly Product[],
  filters: ProductFilters,
  support: SellerSupport = { features: new Set(), geoTargetingLevels: new Set() },
): { readonly kept: readonly Product[]; readonly diagnostics: FilterDiagnostics } {
  const all: Filters = { ...filters, support };
  const active = activeFilters(filters);
  const kept: Product[] = [];
  const excluded: Product[] = [];
  for (const product of products) {
    if (passes(product, active, all)) kept.push(withoutRefusedPrices(product, active));
    else excluded.push(product);
  }
  return { kept, diagnostics: diagnose(products.length, excluded, active, all) };
}

function activeFilters(filters: ProductFilters): readonly Active[] {
  return Object.entries(filters).flatMap(([name, value]) => {
    const row = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
    const empty = value === undefined || value === null || (Array.isArray(value) && value.length === 0);
    return row === undefined || empty ? [] : [{ name, row, value }];
  });
}

/** Price filters must be met by one and the same price. */
function passes(product: Product, active: readonly Active[], all: Filters): boolean {
  if (!active.every(({ row, value }) => row.product?.(product, value, all) ?? true)) return false;
  const aboutPrices = active.filter(({ row }) => row.option !== undefined);
  if (aboutPrices.length === 0) return true;
  return product.pricing_options.some((option) => aboutPrices.every(({ row, value }) => row.option?.(option, value)));
}

function withoutRefusedPrices(product: Product, active: readonly Active[]): Product {
  const pricing_options = product.pricing_options.filter((option) =>
    active.every(({ row, value }) => row.prunes !== true || (row.option?.(option, value) ?? true)),
  );
  return pricing_options.length === product.pricing_options.length ? product : { ...product, pricing_options };
}

/** Counts by `only`; where every excluded product is refused twice over, that says nothing, and `any` is counted instead. */
function diagnose(
  total: number,
  excluded: readonly Product[],
  active: readonly Active[],
  all: Filters,
): FilterDiagnostics {
  const refusedOnlyBy = (one: Active) => (product: Product) =>
    passes(
      product,
      active.filter((other) => other !== one),
      all,
    );
  const refusedBy = (one: Active) => (product: Product) => !passes(product, [one], all);
  const only = countExclusions(excluded, active, refusedOnlyBy);
  if (Object.keys(only).length > 0 || excluded.length === 0) {
    return { semantics: 'only', total_candidates: total, excluded_by: only };
  }
  return { semantics: 'any', total_candidates: total, excluded_by: countExclusions(excluded, active, refusedBy) };
}

function countExclusions(
  excluded: readonly Product[],
  active: readonly Active[],
  refused: (one: Active) => (product: Product) => boolean,
): FilterDiagnostics['excluded_by'] {
  return Object.fromEntries(
    active.flatMap((one) => {
      const hit = excluded.filter(refused(one));
      return hit.length === 0 ? [] : [[one.name, { count: hit.length, ...guiltyValues(one, hit) }]];
    }),
  );
}

function guiltyValues({ name, value }: Active, hit: readonly Product[]): { readonly values?: readonly string[] } {
  if (typeof value === 'string') return { values: [value] };
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return {};
  if (name !== 'required_metrics') return { values: value };
  const reports = (product: Product, metric: string) =>
    product.reporting_capabilities.available_metrics.includes(metric);
  return { values: value.filter((metric) => hit.some((product) => !reports(product, metric))) };
}

/** Days of the flight that the filters describe, both ends included; 30 when they do not describe one; 0 when it ends before it starts. */
function flightDays({ start_date, end_date }: ProductFilters): number {
  if (start_date === undefined || end_date === undefined) return DEFAULT_FLIGHT_DAYS;
  return Math.max(0, Math.round((Date.parse(end_date) - Date.parse(start_date)) / DAY_MS) + 1);
}

/** Why nothing is left: which filter keeps out how many products and which to relax, in words for a person or a model. */
export function explainEmpty({ semantics, total_candidates, excluded_by }: FilterDiagnostics): string {
  const worst = Object.entries(excluded_by).sort(([, a], [, b]) => b.count - a.count);
  const first = worst[0];
  if (total_candidates === 0) return 'There was no product to filter.';
  if (first === undefined) return `No filter by itself excludes any of the ${total_candidates} products.`;
  const parts = worst.map(([name, { count, values }]) => {
    const alone = semantics === 'only' ? ' alone' : '';
    return `${name}${inBrackets(values)}${alone} keeps out ${count}`;
  });
  const advice =
    semantics === 'only'
      ? `Relax ${first[0]} first: ${relaxing(first[0])}`
      : `Relax them together: ${enumerate(worst.map(([name]) => `${name} (${relaxing(name)})`))}`;
  return `No product passes: of ${total_candidates}, ${enumerate(parts)}. ${advice}.`;
}

function inBrackets(values: readonly string[] | undefined): string {
  return values === undefined ? '' : ` (${values.slice(0, 5).join(', ').slice(0, 120)})`;
}

function relaxing(name: string): string {
  return TABLE[name]?.relax ?? 'leave it out';
}

function enumerate(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
