import type { MediaChannel } from '../../../protocol/media-channel.js';
import type { Inventory, PricingModel, PricingOption } from '../product/product.js';
import { seededShare } from './pace.js';

/** The rates per impression, each 0 to 1. `completion` and `viewable` are undefined where they mean nothing. */
export type Rates = {
  readonly click: number;
  readonly view: number;
  readonly completion: number | undefined;
  readonly viewable: number | undefined;
  readonly conversion: number;
};

/** Whole counts of what was delivered. */
export type Counts = {
  readonly impressions: number;
  readonly clicks: number;
  readonly views: number;
  readonly completions: number;
  readonly viewable: number;
  readonly conversions: number;
};

/** Usual clicks and completions per impression, where a product does not say its own. */
const CHANNEL_RATES: Record<MediaChannel, { readonly click: number; readonly completion?: number }> = {
  display: { click: 0.0012 },
  olv: { click: 0.004, completion: 0.7 },
  social: { click: 0.009 },
  search: { click: 0.03 },
  ctv: { click: 0, completion: 0.95 },
  linear_tv: { click: 0, completion: 0.97 },
  radio: { click: 0, completion: 0.95 },
  streaming_audio: { click: 0.0015, completion: 0.92 },
  podcast: { click: 0.002, completion: 0.85 },
  dooh: { click: 0 },
  ooh: { click: 0 },
  print: { click: 0 },
  cinema: { click: 0, completion: 1 },
  email: { click: 0.02 },
  gaming: { click: 0.01 },
  retail_media: { click: 0.004 },
  influencer: { click: 0.01 },
  affiliate: { click: 0.02 },
  product_placement: { click: 0 },
  sponsored_intelligence: { click: 0.01 },
};

const USUAL_COMPLETION = 0.7;
const USUAL_VIEWABLE = 0.7;
const CONVERSIONS_PER_CLICK = 0.04;
const VIEW_THRESHOLD = 0.5;
const SPOT_SECONDS = 30;
const IMPRESSIONS_PER_POINT = 10_000;
const ROUNDING = 1e-9;

/** Returns whether what is bought on the first of some channels plays from a start to an end. */
export function hasPlays([channel = 'display']: readonly MediaChannel[]): boolean {
  return CHANNEL_RATES[channel].completion !== undefined;
}

/** Returns whether what is bought on the first of some channels is clicked at all. */
export function hasClicks([channel = 'display']: readonly MediaChannel[]): boolean {
  return CHANNEL_RATES[channel].click > 0;
}

/** Returns the rates to expect of an impression on a product, bought at a price. */
export function expectRates(inventory: Inventory, channels: readonly MediaChannel[], option: PricingOption): Rates {
  const usual = CHANNEL_RATES[channels[0] ?? 'display'];
  const { pricing_model } = option;
  const completion =
    inventory.completion_rate ??
    usual.completion ??
    (pricing_model === 'cpcv' || pricing_model === 'cpv' ? USUAL_COMPLETION : undefined);
  return {
    click: inventory.click_rate ?? usual.click,
    completion,
    view: completion === undefined ? 0 : completion ** viewThreshold(option),
    viewable: inventory.viewable_rate ?? (pricing_model === 'vcpm' ? USUAL_VIEWABLE : undefined),
    conversion: inventory.conversion_rate ?? (inventory.click_rate ?? usual.click) * CONVERSIONS_PER_CLICK,
  };
}

/** Returns the part of a spot that makes a view, 0 to 1. */
function viewThreshold({ parameters }: PricingOption): number {
  const threshold = parameters?.view_threshold;
  if (typeof threshold === 'number') return threshold;
  if (typeof threshold !== 'object' || threshold === null) return VIEW_THRESHOLD;
  const seconds = 'duration_seconds' in threshold ? Number(threshold.duration_seconds) : Number.NaN;
  return seconds > 0 ? Math.min(1, seconds / SPOT_SECONDS) : VIEW_THRESHOLD;
}

/** Returns the counts that impressions bring. They grow by at most as much as the impressions, so that windows add up. */
export function countEvents(
  { click, view, completion = 0, viewable = 0, conversion }: Rates,
  impressions: number,
): Counts {
  const part = (rate: number) => Math.floor(impressions * rate + ROUNDING);
  return {
    impressions,
    clicks: part(click),
    views: part(view),
    completions: part(completion),
    viewable: part(viewable),
    conversions: part(conversion),
  };
}

/** Returns the rating points of a campaign, a hundredth of a point at the finest. */
export function ratingPoints(impressions: number): number {
  return Math.floor((impressions / IMPRESSIONS_PER_POINT) * 100 + ROUNDING) / 100;
}

/** Billed by what happened: what is counted, how much of it an impression makes, and how many of it are a unit. */
type CountBilling = {
  readonly by: 'count';
  readonly count: (counts: Counts) => number;
  readonly rate: (rates: Rates) => number;
  readonly per: number;
};

/** Billed by the clock: the price once per flight, or once per `unitMs`. */
type ClockBilling =
  | { readonly by: 'flight' }
  | { readonly by: 'time'; readonly unitMs: (option: PricingOption) => number };

const HOUR_MS = 3_600_000;
const TIME_UNITS_MS: Readonly<Record<string, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};

/** The billing of each pricing model. */
export const BILLING: Record<PricingModel, CountBilling | ClockBilling> = {
  cpm: { by: 'count', per: 1000, count: ({ impressions }) => impressions, rate: () => 1 },
  vcpm: { by: 'count', per: 1000, count: ({ viewable }) => viewable, rate: ({ viewable = 0 }) => viewable },
  cpc: { by: 'count', per: 1, count: ({ clicks }) => clicks, rate: ({ click }) => click },
  cpcv: { by: 'count', per: 1, count: ({ completions }) => completions, rate: ({ completion = 0 }) => completion },
  cpv: { by: 'count', per: 1, count: ({ views }) => views, rate: ({ view }) => view },
  cpa: {
    by: 'count',
    per: 1,
    count: ({ conversions }) => conversions,
    rate: ({ conversion }) => conversion,
  },
  cpp: { by: 'count', per: IMPRESSIONS_PER_POINT, count: ({ impressions }) => impressions, rate: () => 1 },
  flat_rate: { by: 'flight' },
  time: { by: 'time', unitMs: ({ parameters }) => TIME_UNITS_MS[String(parameters?.time_unit)] ?? 24 * HOUR_MS },
};

/** Returns the units billed between two moments, with fractions where a unit is many. */
export function unitsBetween({ count, per }: CountBilling, rates: Rates, before: number, after: number): number {
  return (count(countEvents(rates, after)) - count(countEvents(rates, before))) / per;
}

/** Returns the fewest impressions in all that bill `units` more than the first `soFar` did; the last count may be part of a unit too many. */
export function impressionsForUnits(billing: CountBilling, rates: Rates, soFar: number, units: number): number {
  const { count, rate, per } = billing;
  const wanted = Math.ceil(count(countEvents(rates, soFar)) + units * per - 1e-6);
  const near = Math.ceil(wanted / rate(rates));
  if (!Number.isFinite(near)) return Number.POSITIVE_INFINITY;
  const enough = [near - 1, near].find((impressions) => count(countEvents(rates, impressions)) >= wanted);
  return Math.max(soFar, enough ?? near + 1);
}

const GUIDANCE_SHARES = [
  ['p25', 0.25],
  ['p50', 0.5],
  ['p75', 0.75],
  ['p90', 0.9],
] as const;
const FIXED_PRICE_SHARE = 0.8;
const MAX_WIN_SHARE = 0.95;

/**
 * Returns the cost of one unit at this price, in its currency: the fixed price; else the bid, or with `max_bid` a price between floor and bid.
 * Undefined when the bid is below the floor: such a line wins nothing.
 */
export function unitPrice(option: PricingOption, bid: number | undefined, seed: string): number | undefined {
  if (option.fixed_price !== undefined) return option.fixed_price;
  const floor = option.floor_price ?? 0;
  const offered = bid ?? option.floor_price ?? option.price_guidance?.p50 ?? 0;
  if (offered < floor) return undefined;
  return option.max_bid === true ? floor + (offered - floor) * (0.6 + 0.35 * seededShare(seed)) : offered;
}

/** Returns the share of a product's supply that a line can get: all of it reserved, most of it unreserved, what the bid wins at auction. */
export function supplyShare(option: PricingOption, guaranteed: boolean, bid: number | undefined): number {
  const sov = option.parameters?.sov_percentage;
  if (typeof sov === 'number') return Math.min(1, Math.max(0, sov / 100));
  if (option.fixed_price === undefined) return winShare(option, bid ?? option.floor_price ?? 0);
  return guaranteed ? 1 : FIXED_PRICE_SHARE;
}

/**
 * Returns the share that a bid wins: in a straight line between the points of the guidance, without them by how far the
 * bid is above the floor.
 */
function winShare({ price_guidance, floor_price = 0 }: PricingOption, bid: number): number {
  const points = GUIDANCE_SHARES.flatMap(([name, share]) => {
    const price = price_guidance?.[name];
    return price === undefined ? [] : [{ price, share }];
  });
  const above = points.find(({ price }) => price >= bid);
  const below = points.findLast(({ price }) => price < bid);
  if (points.length === 0) return bid <= 0 ? FIXED_PRICE_SHARE : Math.min(MAX_WIN_SHARE, 1 - 0.7 * (floor_price / bid));
  if (above === undefined) return MAX_WIN_SHARE;
  const start = below ?? { price: 0, share: 0 };
  return above.price === start.price
    ? above.share
    : start.share + ((above.share - start.share) * (bid - start.price)) / (above.price - start.price);
}
