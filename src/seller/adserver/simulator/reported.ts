import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { costPer, type Metrics, ratio } from '../../domain/delivery/metrics.js';
import { type Amounts, reportedShares, type SimulatedDelivery, spentWithin } from '../../domain/delivery/simulated.js';
import type { MediaBuy, Package, Segment } from '../../domain/media-buy/media-buy.js';
import type { Delivered, PackageDelivery, Window } from '../delivered.js';

/** Returns a package with less to spend: ordered spend is gone from its budget from that moment on. */
export function lessSpent(line: Package, { spent }: SimulatedDelivery): Package {
  let { budget, segments } = line;
  for (const { package_id, atMs, amount } of spent) {
    if (package_id !== line.package_id) continue;
    budget = Math.max(0, budget - amount);
    segments = segments.flatMap((segment) => splitAt(segment, isoTime(atMs), amount));
  }
  return { ...line, budget, segments };
}

/** Adds the delivery and spend that a test controller ordered to what the simulator delivered in the window. */
export function withSimulated(
  deliveries: readonly PackageDelivery[],
  { buy, simulated }: { readonly buy: MediaBuy; readonly simulated: SimulatedDelivery },
  window: Window,
  daily: boolean,
): readonly PackageDelivery[] {
  const reportedIn = (packageId: string, within: Window) => orderedAmounts(buy, simulated, packageId, within);
  return deliveries.map((delivery) => {
    const { package_id, delivery_status } = delivery;
    const isSpent = isUsedUp(simulated, package_id, buy) && ['delivering', 'not_delivering'].includes(delivery_status);
    return {
      ...delivery,
      metrics: mergeAmounts(delivery.metrics, reportedIn(package_id, window)),
      daily: daily ? days(delivery, simulated, window, (day) => reportedIn(package_id, day)) : [],
      delivery_status: isSpent ? 'budget_exhausted' : delivery_status,
    };
  });
}

/** Returns what a test controller ordered of a package in a window, as metrics; what it did not order is nothing. */
export function orderedMetrics(
  buy: MediaBuy,
  simulated: SimulatedDelivery,
  packageId: string,
  window: Window,
): Metrics {
  const { impressions = 0, clicks = 0, spend = 0, conversions } = orderedAmounts(buy, simulated, packageId, window);
  return { impressions, clicks, spend, ctr: 0, conversions };
}

function orderedAmounts(buy: MediaBuy, simulated: SimulatedDelivery, packageId: string, within: Window): Amounts {
  const { spend = 0, ...counts } = reportedShares(simulated, buy.packages, within).get(packageId) ?? {};
  return { ...counts, spend: spend + spentWithin(simulated, packageId, within) };
}

function splitAt(segment: Segment, at: string, amount: number): readonly Segment[] {
  const { from, to } = segment;
  if (to !== undefined && Date.parse(to) <= Date.parse(at)) return [segment];
  const after = { ...segment, budget: Math.max(0, segment.budget - amount) };
  if (Date.parse(from) >= Date.parse(at)) return [after];
  return [
    { ...segment, to: at },
    { ...after, from: at },
  ];
}

/** Whether ordered spend has used up a package's budget. */
function isUsedUp(simulated: SimulatedDelivery, packageId: string, { packages }: MediaBuy): boolean {
  const line = packages.find((candidate) => candidate.package_id === packageId);
  return line !== undefined && line.budget > 0 && lessSpent(line, simulated).budget <= 0;
}

/** Returns each day that the simulator has, and those on which something was ordered. */
function days(
  { daily }: PackageDelivery,
  { reported, spent }: SimulatedDelivery,
  { fromMs, toMs }: Window,
  reportedIn: (day: Window) => Amounts,
): PackageDelivery['daily'] {
  const inside = [...reported, ...spent].filter(({ atMs }) => fromMs <= atMs && atMs < toMs);
  const dates = new Set([...daily.map((day) => day.date), ...inside.map(({ atMs }) => isoTime(atMs).slice(0, 10))]);
  return [...dates].sort().map((date) => {
    const day = { fromMs: Math.max(fromMs, Date.parse(date)), toMs: Math.min(toMs, Date.parse(date) + DAY_MS) };
    const simulated = daily.find((one) => one.date === date) ?? { impressions: 0, spend: 0 };
    return { ...mergeAmounts(simulated, reportedIn(day)), date };
  });
}

/** Counts and money added up; what a click costs and how often there is one follow them. */
function mergeAmounts(delivered: Delivered, more: Amounts): Delivered {
  const names = Object.keys(more) as (keyof Amounts)[];
  const sums = names.map((name) => [name, cents(asNumber(delivered[name]) + (more[name] ?? 0))]);
  const all: Delivered = { ...delivered, ...Object.fromEntries(sums) };
  const { impressions, clicks, spend, conversions } = all;
  return {
    ...all,
    ...(typeof clicks === 'number'
      ? { ctr: Math.min(1, ratio(clicks, impressions)), ...costPer('cost_per_click', spend, clicks) }
      : {}),
    ...(typeof conversions === 'number' ? costPer('cost_per_acquisition', spend, conversions) : {}),
  };
}

function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function cents(money: number): number {
  return Math.round(money * 100) / 100;
}
