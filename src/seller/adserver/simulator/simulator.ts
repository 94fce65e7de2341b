import { type BreakdownRequest, breakDown, hasBreakdown } from '../../domain/delivery/breakdown.js';
import { deliveryByCreative } from '../../domain/delivery/creatives.js';
import { dailyBreakdown, deliveryStatus, pacingIndex, simulateDelivery } from '../../domain/delivery/delivery.js';
import { type DeliveryLine, deliveryLine } from '../../domain/delivery/line.js';
import type { Metrics } from '../../domain/delivery/metrics.js';
import { explainPacing } from '../../domain/delivery/pacing-reason.js';
import { soldMetrics } from '../../domain/delivery/reported-metrics.js';
import { spentWithin } from '../../domain/delivery/simulated.js';
import { uniqueReach } from '../../domain/delivery/unique-reach.js';
import type { MediaBuy, Package } from '../../domain/media-buy/media-buy.js';
import { simulateVendorValues } from '../../domain/vendor-metric/values.js';
import type { CreativeDelivery, PackageBreakdown, PackageDelivery, Window } from '../delivered.js';
import { lessSpent, orderedMetrics, withSimulated } from './reported.js';

/** Returns the delivery of the built-in ad server, computed from each package's flight, pacing, price and product. The same answer every time. */
export function houseDelivery(buy: MediaBuy, window: Window, daily: boolean): readonly PackageDelivery[] {
  const { fromMs, toMs } = window;
  const deliveries = packagesOf(buy).map((line) => {
    const booked = deliveryLine(line);
    const pacing_index = pacingIndex(booked, toMs);
    return {
      package_id: line.package_id,
      metrics: { ...simulateDelivery(booked, fromMs, toMs), ...reachOf(line, booked, window) },
      daily: daily ? dailyBreakdown(booked, fromMs, toMs) : [],
      pacing_index,
      pacing_reason: explainPacing(booked, toMs),
      delivery_status: deliveryStatus(booked, toMs),
    };
  });
  const { simulated } = buy;
  const all = simulated === undefined ? deliveries : withSimulated(deliveries, { buy, simulated }, window, daily);
  return all.map((delivery) => withVendors(buy, delivery));
}

/** Returns a delivery with what the vendors of its product would find of it. */
function withVendors({ packages }: MediaBuy, delivery: PackageDelivery): PackageDelivery {
  const { package_id, metrics } = delivery;
  const { sold } = packages.find((line) => line.package_id === package_id) ?? {};
  const { impressions } = metrics;
  const declared = sold?.reporting?.vendor_metrics;
  const values = simulateVendorValues(declared, sold?.inventory.vendor_metrics, { package_id, impressions });
  return values.length === 0 ? delivery : { ...delivery, metrics: { ...metrics, vendor_metric_values: values } };
}

/** Returns what each creative delivered: what its packages did while it was in their rotation, by weight. */
export function houseCreativeDelivery(buy: MediaBuy, { fromMs, toMs }: Window): readonly CreativeDelivery[] {
  return deliveryByCreative(packagesOf(buy), fromMs, toMs);
}

/** Returns what the packages of a buy delivered by a dimension; without those that were not sold with it, or of which nobody knows. */
export function houseBreakdown(buy: MediaBuy, window: Window, request: BreakdownRequest): readonly PackageBreakdown[] {
  const { simulated } = buy;
  return packagesOf(buy).flatMap((line) => {
    if (!hasBreakdown(line, request)) return [];
    const added = simulated && orderedMetrics(buy, simulated, line.package_id, window);
    const rows = breakDown(line, request, window, added);
    return rows === undefined
      ? []
      : [{ package_id: line.package_id, rows: rows.map(({ head, metrics }) => ({ ...head, ...metrics })) }];
  });
}

/** Returns the reach of a package that was sold with it; others need none, and it takes time to work out. */
function reachOf({ sold }: Package, booked: DeliveryLine, { fromMs, toMs }: Window): Partial<Metrics> {
  const metrics = soldMetrics(sold);
  return metrics.includes('reach') || metrics.includes('frequency') ? uniqueReach(booked, fromMs, toMs) : {};
}

/** Returns the spend of a package by `atMs`, in the buy's currency, simulated or ordered by a test controller. */
export function houseSpendAt(buy: MediaBuy, packageId: string, atMs: number): number {
  const line = packagesOf(buy).find((candidate) => candidate.package_id === packageId);
  if (line === undefined) return 0;
  const { spend } = simulateDelivery(deliveryLine(line), 0, atMs);
  const { simulated } = buy;
  return simulated === undefined ? spend : spend + spentWithin(simulated, packageId, { fromMs: 0, toMs: atMs });
}

function packagesOf({ packages, simulated }: MediaBuy): readonly Package[] {
  return simulated === undefined ? packages : packages.map((line) => lessSpent(line, simulated));
}
