import { type Deal, listDeals } from '../domain/booking/deals.js';
import { type Finality, finalityWire } from '../domain/delivery/finality.js';
import {
  METRIC_NAMES,
  missingMetrics,
  onlyMetrics,
  type ReportedMetric,
  soldMetrics,
} from '../domain/delivery/reported-metrics.js';
import { isCommitted } from '../domain/media-buy/committed-metrics.js';
import { type Makegood, makegoodOf } from '../domain/media-buy/makegood.js';
import type { MediaBuy, Package } from '../domain/media-buy/media-buy.js';
import { missingVendorMetrics, onlyVendorMetrics } from '../domain/vendor-metric/values.js';
import type { CreativeDelivery, Delivered, PackageBreakdown, PackageDelivery } from './delivered.js';

/** Numbers that add up across packages and buys; rates do not. */
const SUMMED = [
  'impressions',
  'spend',
  'clicks',
  'views',
  'completed_views',
  'conversions',
  'conversion_value',
  'plays',
] as const;

/** Returns the sums of what adds up, money to the cent; impressions and spend are always there. */
export function sumTotals(
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

/** Returns the totals of a buy. Who was reached by several packages cannot be told apart, and what vendors find does not add up: of a single one alone. */
export function buyTotals(packages: readonly PackageDelivery[]): Delivered {
  const totals = sumTotals(packages.map((entry) => entry.metrics));
  const [only, ...others] = packages;
  if (only === undefined || others.length > 0) return totals;
  const unique = ['reach', 'reach_unit', 'reach_window', 'frequency', 'vendor_metric_values'].filter(
    (name) => only.metrics[name] !== undefined,
  );
  return { ...totals, ...Object.fromEntries(unique.map((name) => [name, only.metrics[name]])) };
}

/** Returns the metrics that reports of a package hold: those it was sold with, and what a test controller ordered beside them. */
function metricsOf(buy: MediaBuy, line: Package | undefined): readonly ReportedMetric[] {
  const sold = line === undefined ? METRIC_NAMES : soldMetrics(line.sold);
  const { reported = [], latest = {} } = buy.simulated ?? {};
  const ordered = new Set([...reported, latest].flatMap((amounts) => Object.keys(amounts)));
  return METRIC_NAMES.filter((name) => sold.includes(name) || ordered.has(name));
}

/** Returns deliveries with the metrics that their packages were sold with, and no others. */
export function soldDelivery(buy: MediaBuy, deliveries: readonly PackageDelivery[]): readonly PackageDelivery[] {
  return deliveries.map((delivery) => {
    const line = findPackage(buy, delivery.package_id);
    const metrics = metricsOf(buy, line);
    const { daily } = delivery;
    return {
      ...delivery,
      metrics: onlyVendorMetrics(onlyMetrics(delivery.metrics, metrics), line?.sold.reporting?.vendor_metrics),
      daily: daily.map((day) => onlyMetrics(day, metrics)),
    };
  });
}

/** Returns breakdowns with the metrics that their packages were sold with, and no others. */
export function soldBreakdown(buy: MediaBuy, breakdowns: readonly PackageBreakdown[]): readonly PackageBreakdown[] {
  return breakdowns.map(({ package_id, rows }) => {
    const metrics = metricsOf(buy, findPackage(buy, package_id));
    return { package_id, rows: rows.map((row) => onlyMetrics(row, metrics)) };
  });
}

/** Returns the deliveries of creatives with the metrics that a package of the buy was sold with, and no others. */
export function soldCreatives(buy: MediaBuy, creatives: readonly CreativeDelivery[]): readonly CreativeDelivery[] {
  const metrics = buy.packages.flatMap((line) => metricsOf(buy, line));
  return creatives.map((creative) => ({ ...creative, metrics: onlyMetrics(creative.metrics, metrics) }));
}

function findPackage({ packages }: MediaBuy, packageId: string): Package | undefined {
  return packages.find((line) => line.package_id === packageId);
}

/** Returns what a package delivered as it goes on the wire, with its price; `daily` adds the days, `finality` whether it is closed. */
export function packageReport(buy: MediaBuy, delivery: PackageDelivery, daily: boolean, finality?: Finality) {
  const line = findPackage(buy, delivery.package_id);
  const missing = line === undefined ? [] : listMissing(line, delivery.metrics);
  const option = line?.sold.option;
  const { delivery_status } = delivery;
  return {
    package_id: delivery.package_id,
    ...delivery.metrics,
    pricing_model: option?.pricing_model,
    rate: rateOf(line, delivery.metrics),
    currency: buy.currency,
    paused: line?.paused ?? false,
    pacing_index: delivery.pacing_index,
    delivery_status: delivery_status === 'not_delivering' ? undefined : delivery_status,
    ...(finality && finalityWire(finality)),
    ext: remarks(delivery, {
      makegood:
        finality?.isFinal && finality.isWhole && line ? makegoodOf(buy, line, delivery.metrics.spend) : undefined,
      deals: line && listDeals(line, buy.brand),
    }),
    missing_metrics: missing.length === 0 ? undefined : missing,
    daily_breakdown: daily ? delivery.daily : undefined,
  };
}

/** Returns what a report lacks of what was committed to with the package, else of what it was sold with. A vendor finds nothing of nothing. */
function listMissing({ sold, committed_metrics: committed }: Package, metrics: Delivered): readonly object[] {
  const standard = soldMetrics(sold).filter((name) => isCommitted(committed, { metric_id: name }));
  const vendors = (metrics.impressions === 0 ? [] : (sold.reporting?.vendor_metrics ?? [])).filter((metric) =>
    isCommitted(committed, metric),
  );
  return [
    ...missingMetrics(metrics, standard).map((metric_id) => ({ scope: 'standard', metric_id })),
    ...missingVendorMetrics(metrics, vendors).map((metric) => ({ scope: 'vendor', ...metric })),
  ];
}

/** The seller's remarks on a package beside its numbers. */
type Remarks = { readonly makegood: Makegood | undefined; readonly deals: readonly Deal[] | undefined };

/** Returns what the seller says of a package's numbers: why it is ahead or behind, the remedy for what it was short of, the deals that it ran as. */
function remarks({ pacing_reason }: PackageDelivery, { deals, makegood }: Remarks): object | undefined {
  if (pacing_reason === undefined && makegood === undefined && deals === undefined) return undefined;
  return { seller_agent: { pacing_reason, makegood, deals } };
}

/** Returns the price per unit of the model: the fixed one, or what an auction has cost per 1000 impressions so far. */
function rateOf(line: Package | undefined, metrics: Delivered): number {
  const fixed = line?.sold.option.fixed_price;
  if (fixed !== undefined) return fixed;
  if (metrics.impressions === 0) return line?.bid_price ?? 0;
  return Math.round((metrics.spend / metrics.impressions) * 100_000) / 100;
}
