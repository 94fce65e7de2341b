import type { FormatId } from '../../../creative/formats/format.js';
import type { MediaChannel } from '../../../protocol/media-channel.js';
import type { CreativePolicy } from '../creative/provenance.js';
import type { AllowedAction } from '../media-buy/allowed-actions.js';
import type { ReportingFrequency } from '../media-buy/reporting.js';
import type { GoalOffer } from '../optimization/goal.js';
import type { TargetedSupply } from '../targeting/offer.js';
import type { VendorExpectation, VendorMetric } from '../vendor-metric/metric.js';

/** The pricing models a seller here may offer. */
export const PRICING_MODELS = ['cpm', 'vcpm', 'cpc', 'cpcv', 'cpv', 'cpp', 'cpa', 'flat_rate', 'time'] as const;
export type PricingModel = (typeof PRICING_MODELS)[number];

/** A price a package can be bought at. `fixed_price` present: fixed; absent: auction, and the package brings a `bid_price`. */
export type PricingOption = {
  readonly pricing_option_id: string;
  readonly pricing_model: PricingModel;
  /** ISO 4217. */
  readonly currency: string;
  /** In `currency`, per unit of the model (per 1000 impressions for cpm). */
  readonly fixed_price?: number;
  readonly floor_price?: number;
  readonly max_bid?: boolean;
  readonly price_guidance?: Readonly<Partial<Record<'p25' | 'p50' | 'p75' | 'p90', number>>>;
  /** In `currency`. */
  readonly min_spend_per_package?: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly event_type?: string;
};

/** Which of a publisher's properties a product runs on, resolved against its adagents.json. */
export type PropertySelector =
  | { readonly publisher_domain: string; readonly selection_type: 'all' }
  | { readonly publisher_domain: string; readonly selection_type: 'by_id'; readonly property_ids: readonly string[] }
  | { readonly publisher_domain: string; readonly selection_type: 'by_tag'; readonly property_tags: readonly string[] };

/** A stage in which figures ripen. Days are counted from the delivery. */
type MeasurementWindow = {
  readonly window_id: string;
  readonly description?: string;
  readonly duration_days: number;
  readonly expected_availability_days?: number;
  readonly is_guarantee_basis?: boolean;
};

/** The reports that a product has, and how late they come. */
type ReportingCapabilities = {
  readonly available_reporting_frequencies: readonly ReportingFrequency[];
  readonly expected_delay_minutes: number;
  readonly timezone: string;
  readonly supports_webhooks: boolean;
  readonly available_metrics: readonly string[];
  /** Whether reports tell these apart; rows by creative come by themselves, the others where they are asked for. */
  readonly supports_creative_breakdown?: boolean;
  readonly supports_geo_breakdown?: { readonly country?: boolean; readonly region?: boolean };
  readonly supports_device_type_breakdown?: boolean;
  readonly supports_device_platform_breakdown?: boolean;
  readonly supports_audience_breakdown?: boolean;
  readonly supports_placement_breakdown?: boolean;
  /** Metrics of vendors that report beside the seller. */
  readonly vendor_metrics?: readonly VendorMetric[];
  /** The stages in which its figures ripen; terms may bill by these alone. */
  readonly measurement_windows?: readonly MeasurementWindow[];
  readonly date_range_support: 'date_range' | 'lifetime_only';
  /** Windows that get_media_buy_delivery answers, so that a report which was missed can be read. */
  readonly windowed_pull_granularities: readonly ReportingFrequency[];
};

/** Whether a package needs a creative before it can run. */
export type CreativeRequirement = 'required' | 'none';

/** The members of a product that do not go on the wire: search words, supply and expected rates. */
export type Inventory = TargetedSupply & {
  /** Words a brief may use for this product beyond its name and description. */
  readonly keywords: readonly string[];
  /** Clicks per impression, 0 to 1. */
  readonly click_rate?: number;
  /** Completions per start, 0 to 1. */
  readonly completion_rate?: number;
  /** Viewable share of measured impressions, 0 to 1. */
  readonly viewable_rate?: number;
  /** Conversions per impression, 0 to 1; a part of the clicks unless set. */
  readonly conversion_rate?: number;
  /** What a conversion is worth to an advertiser on average, in the currency of the price. */
  readonly conversion_value?: number;
  /** What the simulator takes vendors to find. */
  readonly vendor_metrics?: readonly VendorExpectation[];
  readonly creative_requirement?: CreativeRequirement;
  /** Where the seller's ad server has the product, as its adapter reads it. */
  readonly adapter?: Readonly<Record<string, unknown>> | undefined;
  /** That it is delivered as private deals. */
  readonly deal?: DealOffer | undefined;
  /** Hours that one price of a flat_rate buys; a multiple of 24 means calendar days. Absent: the whole flight. */
  readonly slot_hours?: number;
};

/** That a product is delivered as private deals: the DSPs (their domains) that it can be bought through, and how their auctions are settled. */
export type DealOffer = {
  readonly dsps: readonly string[];
  /** OpenRTB: 1 first price, 2 second price plus, 3 the floor is the agreed price. Left out, it follows from the price. */
  readonly at?: 1 | 2 | 3 | undefined;
};

/** Whether a product's delivery is promised. */
export const DELIVERY_TYPES = ['guaranteed', 'non_guaranteed'] as const;

/** A product: what a seller sells. Everything but `inventory` goes on the wire as it stands. */
export type Product = GoalOffer & {
  readonly product_id: string;
  readonly name: string;
  readonly description: string;
  readonly publisher_properties: readonly PropertySelector[];
  readonly channels: readonly MediaChannel[];
  readonly format_ids: readonly FormatId[];
  readonly delivery_type: (typeof DELIVERY_TYPES)[number];
  readonly pricing_options: readonly PricingOption[];
  readonly reporting_capabilities: ReportingCapabilities;
  readonly exclusivity?: 'none' | 'category' | 'exclusive';
  readonly placements?: readonly Readonly<Record<string, unknown>>[];
  readonly delivery_measurement?: { readonly provider: string; readonly notes?: string };
  /** What buys of it may do, unless it is all that they otherwise may. */
  readonly allowed_actions?: readonly AllowedAction[];
  readonly creative_policy?: CreativePolicy;
  /** ISO 8601; afterwards the product can no longer be bought. */
  readonly expires_at?: string;
  readonly inventory: Inventory;
};
