import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { sumOf } from '../../../platform/kernel/numbers.js';
import { simulateDelivery } from '../delivery/delivery.js';
import type { DeliveryLine } from '../delivery/line.js';
import type { Metrics } from '../delivery/metrics.js';
import { limitPlanned } from '../inventory/demand.js';
import { MAX_BUDGET } from '../media-buy/pricing.js';
import type { Period } from '../media-buy/reporting.js';
import type { PricingOption, Product } from '../product/product.js';
import { computeReach } from '../targeting/reach.js';
import { limitsIn, type Market } from './market.js';

/** The expected range of a metric. */
type Range = { readonly low: number; readonly mid: number; readonly high: number };

/** The forecast of a budget's delivery: a curve of points at rising budgets, in `currency`. */
export type Forecast = {
  readonly points: readonly { readonly budget: number; readonly metrics: Readonly<Record<string, Range>> }[];
  readonly forecast_range_unit: 'spend';
  readonly method: 'modeled';
  readonly currency: string;
  /** ISO 8601. */
  readonly generated_at: string;
};

/** One product of a forecast: its price, its part of the budget (0 to 1), and what is bid where the price is an auction. */
export type ForecastLine = {
  readonly product: Product;
  readonly option: PricingOption;
  readonly part: number;
  readonly bid_price?: number | undefined;
  /** The part of the flight that it is bought for, where that is not all of it. */
  readonly own?: Period | undefined;
};

/** The points of a curve, as multiples of the budget that was asked about. */
const STEPS = [0.5, 1, 1.5] as const;

/** The share by which reality may differ from the model, either way. */
const SPREAD = 0.15;

/** The metrics that are forecast, where the product counts them. */
const FORECAST = ['impressions', 'spend', 'clicks', 'views', 'completed_views', 'plays', 'grps'] as const;

const DEFAULT_FLIGHT_DAYS = 30;

/** Returns the flight that a forecast is about: the days that were named, else 30 from the next midnight on. */
export function forecastFlight(
  days: { start_date?: string | undefined; end_date?: string | undefined },
  nowMs: number,
): Period {
  const midnightMs = Math.ceil(nowMs / DAY_MS) * DAY_MS;
  const fromMs = Math.max(midnightMs, Date.parse(days.start_date ?? '') || midnightMs);
  const endMs = Date.parse(days.end_date ?? '') + DAY_MS;
  return { fromMs, toMs: endMs > fromMs ? endMs : fromMs + DEFAULT_FLIGHT_DAYS * DAY_MS };
}

/** Returns what is left of a flight from the next midnight on; undefined for one that is over. */
export function remainingFlight({ fromMs, toMs }: Period, nowMs: number): Period | undefined {
  const left = { fromMs: Math.max(fromMs, Math.ceil(nowMs / DAY_MS) * DAY_MS), toMs };
  return left.toMs > left.fromMs ? left : undefined;
}

/** Forecasts what a budget delivers over a flight, by the pacing that delivers a booked package. */
export function forecastBudget(
  lines: readonly ForecastLine[],
  { amount: budget, currency }: { readonly amount: number; readonly currency: string },
  flight: Market,
  nowMs: number,
): Forecast {
  const points = STEPS.map((step) => {
    const amount = Math.round(budget * step * 100) / 100;
    return { budget: amount, metrics: sumRanges(lines.map((line) => deliverBudget(line, amount * line.part, flight))) };
  });
  return { points, forecast_range_unit: 'spend', method: 'modeled', currency, generated_at: isoTime(nowMs) };
}

/** Returns the most that a line can spend in a flight, however much money there is. */
export function maxSpend(line: ForecastLine, flight: Market): number {
  return deliverBudget(line, MAX_BUDGET, flight).spend;
}

/** Returns the cost of a thousand impressions at this price, in its currency; infinite where nothing would be delivered. */
export function costPerThousand(line: ForecastLine, flight: Market): number {
  const { spend, impressions } = deliverBudget(line, MAX_BUDGET, flight);
  return impressions > 0 ? (spend / impressions) * 1000 : Number.POSITIVE_INFINITY;
}

function deliverBudget({ product, option, bid_price, own }: ForecastLine, budget: number, market: Market): Metrics {
  const { product_id, delivery_type, channels, inventory } = product;
  const { fromMs, toMs } = own ?? market;
  const { overlay } = market;
  const line: DeliveryLine = {
    package_id: product_id,
    start_ms: fromMs,
    end_ms: toMs,
    budget,
    bid_price,
    pacing: 'even',
    delivery_type,
    pricing_option: option,
    channels,
    inventory,
    reach: overlay && computeReach(overlay, { ...inventory, channels }, (toMs - fromMs) / DAY_MS),
  };
  const demand = delivery_type === 'guaranteed' ? undefined : market.demand?.get(product_id);
  const limits = demand === undefined ? limitsIn(product, market) : limitPlanned(line, demand);
  return simulateDelivery({ ...line, limits }, fromMs, toMs);
}

function sumRanges(deliveries: readonly Metrics[]): Readonly<Record<string, Range>> {
  return Object.fromEntries(
    FORECAST.flatMap((name) => {
      const counted = deliveries.flatMap((delivery) => delivery[name] ?? []);
      const mid = sumOf(counted);
      return counted.length === 0 ? [] : [[name, rangeAround(mid, name === 'spend')] as const];
    }),
  );
}

function rangeAround(mid: number, isMoney: boolean): Range {
  const round = (value: number): number => (isMoney ? Math.round(value * 100) / 100 : Math.round(value));
  // What is spent is capped by the budget, so it can only be less.
  return { low: round(mid * (1 - SPREAD)), mid: round(mid), high: round(isMoney ? mid : mid * (1 + SPREAD)) };
}
