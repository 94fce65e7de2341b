import type { Pacing } from '../../domain/media-buy/media-buy.js';
import type { PricingModel, Product } from '../../domain/product/product.js';

/**
 * An ad server's abilities. What a product of the tenant file asks for beyond them is a finding of `check`; what a
 * buyer asks for beyond them is refused before the adapter is asked.
 */
export type AdServerDeclaration = {
  /**
   * The members of `targeting_overlay` that reach the ad server, by their names on the wire: `geo_countries`, `geo_countries_exclude`,
   * `daypart_targets`, `frequency_cap` and so on. A member that is not listed cannot be bought.
   */
  readonly targeting: readonly string[];
  /** Ids of formats; `*` stands for any characters: `display_*_image`, or `*` alone. */
  readonly formats: readonly string[];
  readonly pricing_models: readonly PricingModel[];
  readonly delivery_types: readonly Product['delivery_type'][];
  readonly pacings: readonly Pacing[];
  /** The metrics that its reports have, by their names in `available_metrics`; `impressions` and `spend` need not be named. */
  readonly metrics: readonly string[];
  /** Whether its reports tell creatives apart. */
  readonly has_creative_delivery: boolean;
  /** ISO 4217; buys in another currency are refused. */
  readonly currency: string;
  /** IANA: the zone of the days of its reports. */
  readonly time_zone: string;
  /** How many orders may be booked beside each other; 1 to 20, 1 when left out. The same order never is. */
  readonly orders_at_once?: number | undefined;
  /** How many orders `inspect` may be asked for in one call; 1 to 500, 20 when left out. All of them are asked for each minute. */
  readonly inspected_at_once?: number | undefined;
  /** Whether `book` makes the private deals of packages and answers their ids; people make them otherwise. */
  readonly makes_deals?: boolean | undefined;
  readonly reports: ReportHabits;
};

/** How the reports of an ad server come. */
export type ReportHabits = {
  /** How often new numbers are worth a call; 1 to 1440. */
  readonly every_minutes: number;
  /** For how many days after its end a day's numbers still change: as many are read again each time; 0 to 35. */
  readonly corrected_days: number;
};
