import { money } from '../view/words.js';

/** A price of a product, as get_products has it. */
export type PricingOption = {
  readonly pricing_option_id: string;
  readonly pricing_model: string;
  readonly currency: string;
  readonly fixed_price?: number;
  readonly floor_price?: number;
  readonly min_spend_per_package?: number;
  readonly price_guidance?: { readonly p50?: number };
};

/** A product, as get_products has it. */
export type Product = {
  readonly product_id: string;
  readonly name: string;
  readonly description?: string;
  readonly channels?: readonly string[];
  readonly delivery_type?: string;
  readonly brief_relevance?: string;
  readonly format_ids?: readonly { readonly id: string }[];
  readonly pricing_options: readonly PricingOption[];
  readonly publisher_properties?: readonly { readonly publisher_domain?: string }[];
};

/** What a unit of each pricing model is. */
const UNITS: Readonly<Record<string, string>> = {
  cpm: 'per 1,000 impressions',
  vcpm: 'per 1,000 viewable impressions',
  cpc: 'per click',
  cpcv: 'per completed view',
  cpv: 'per view',
  cpp: 'per rating point',
  cpa: 'per acquisition',
  flat_rate: 'flat',
  time: 'for the time',
};

/** Returns what a unit of a pricing option is. */
export function unitOf({ pricing_model: model }: PricingOption): string {
  return UNITS[model] ?? model;
}

/** Returns the price of an option in words: `$5`, `from $24`. */
export function priceOf({ currency, fixed_price, floor_price }: PricingOption): string {
  if (fixed_price !== undefined) return money(fixed_price, currency);
  return floor_price === undefined ? 'On request' : `from ${money(floor_price, currency)}`;
}

/** Pricing models of which a budget buys a number of impressions. */
const BY_THOUSAND = new Set(['cpm', 'vcpm']);

/** Returns the impressions that a budget comes to at a fixed price; undefined where the price leaves that open. */
export function impressionsFor(budget: number, { fixed_price, pricing_model }: PricingOption): number | undefined {
  if (fixed_price === undefined || fixed_price <= 0 || !BY_THOUSAND.has(pricing_model)) return undefined;
  return Math.floor((budget / fixed_price) * 1000);
}
