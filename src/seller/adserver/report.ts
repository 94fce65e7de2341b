import type { MediaBuy, Package } from '../domain/media-buy/media-buy.js';
import type { Delivered, PackageDelivery } from './port.js';

/** Numbers that add up across packages and buys; rates do not. */
const SUMMED = ['impressions', 'spend', 'clicks', 'views', 'completed_views', 'conversions', 'plays'] as const;

/** Returns the sums of what adds up, money to the cent; impressions and spend are always there. */
export function summed(
  parts: readonly Readonly<Record<string, unknown>>[],
): { readonly impressions: number; readonly spend: number } & Readonly<Record<string, number>> {
  const sums: { impressions: number; spend: number; [name: string]: number } = { impressions: 0, spend: 0 };
  for (const part of parts) {
    for (const name of SUMMED) {
      const value = part[name];
      if (typeof value === 'number') sums[name] = Math.round(((sums[name] ?? 0) + value) * 100) / 100;
    }
  }
  return sums;
}

/** Returns what a package delivered as it goes on the wire, with its price; `daily` adds the days. */
export function packageReport(buy: MediaBuy, delivery: PackageDelivery, daily: boolean) {
  const line = buy.packages.find((candidate) => candidate.package_id === delivery.package_id);
  const option = line?.sold.option;
  const { delivery_status } = delivery;
  return {
    package_id: delivery.package_id,
    ...delivery.metrics,
    pricing_model: option?.pricing_model,
    rate: rateOf(line, delivery.metrics),
    currency: buy.currency,
    paused: line?.paused ?? false,
    ...(delivery.pacing_index === undefined ? {} : { pacing_index: delivery.pacing_index }),
    ...(delivery_status === 'not_delivering' ? {} : { delivery_status }),
    ...(daily ? { daily_breakdown: delivery.daily } : {}),
  };
}

/** The price per unit of the model: the fixed one, or what an auction has cost per 1000 impressions so far. */
function rateOf(line: Package | undefined, metrics: Delivered): number {
  const fixed = line?.sold.option.fixed_price;
  if (fixed !== undefined) return fixed;
  if (metrics.impressions === 0) return line?.bid_price ?? 0;
  return Math.round((metrics.spend / metrics.impressions) * 100_000) / 100;
}
