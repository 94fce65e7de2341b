import { countedUnit, reachableUsers } from '../targeting/offer.js';
import type { Reach } from '../targeting/reach.js';
import { simulateDelivery } from './delivery.js';
import type { DeliveryLine } from './line.js';
import type { Metrics, ReachWindow } from './metrics.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** So many windows of a cap are counted one by one, then as many of twice the length, and so on. */
const SPANS_OF_A_LENGTH = 64;

/** A stretch of time in which a cap allows so many impressions to each (with fractions); endless without a cap. */
type Span = { readonly fromMs: number; readonly toMs: number; readonly most: number };

/**
 * Returns how many of those whom a line can reach saw it in a window, and how often on average, growing with time and within the cap: U
 * (1 - e^(-I/U)) for impressions that fall on people by chance, with (1 - I/kU)^k in place of the power under a cap of k each. A goal of
 * reach brings the next impression to somebody who had fewest; empty where nothing was delivered.
 */
export function uniqueReach(
  line: DeliveryLine,
  from: number,
  to: number,
): Pick<Metrics, 'reach' | 'reach_unit' | 'reach_window' | 'frequency'> {
  const users = reachableUsers(line.inventory) * largestShare(line);
  const start = Math.max(from, line.start_ms);
  const end = Math.min(to, line.end_ms);
  let [impressions, unreached] = [0, 1];
  for (const { fromMs, toMs, most } of listSpans(start, end, loosestCap(line))) {
    const seen = simulateDelivery(line, fromMs, toMs).impressions;
    impressions += seen;
    unreached *= missedShare(users > 0 ? seen / users : 0, most, line.steering?.fresh !== undefined);
  }
  if (impressions === 0) return {};
  const reach = Math.min(
    impressions,
    Math.ceil(impressions / (line.steering?.fresh?.least ?? 1)),
    Math.max(1, Math.ceil(users * (1 - unreached) - 1e-6)),
  );
  return {
    reach,
    reach_unit: countedUnit(line.inventory, line.channels),
    reach_window: windowOf(line, from, to),
    frequency: Math.round((impressions / reach) * 10_000) / 10_000,
  };
}

/** Returns the part of people who saw nothing, where each saw `mean` on average and at most `most`; `isFresh`: none saw two more than another. */
function missedShare(mean: number, most: number, isFresh: boolean): number {
  if (mean === 0) return 1;
  if (isFresh) return missedShare(mean, Math.min(most, Math.ceil(mean)), false);
  if (most === Number.POSITIVE_INFINITY) return Math.exp(-mean);
  // The power itself is 1 where the cap is so loose that 1 - mean / most is.
  return Math.exp(most * Math.log1p(-Math.min(1, mean / most)));
}

function listSpans(start: number, end: number, cap: Reach['cap']): readonly Span[] {
  if (end <= start) return [];
  if (cap === undefined) return [{ fromMs: start, toMs: end, most: Number.POSITIVE_INFINITY }];
  // A cap of less than an impression a day is counted by its own window, a tighter one by the day.
  const days = Math.max(1, cap.days);
  const spans: Span[] = [];
  let at = start;
  while (at < end) {
    const length = days * 2 ** Math.floor(spans.length / SPANS_OF_A_LENGTH);
    const toMs = at + length * DAY_MS;
    spans.push({ fromMs: at, toMs: Math.min(end, toMs), most: (cap.most * length) / cap.days });
    at = toMs;
  }
  return spans;
}

/** Returns the terms that a line ran under, those of now included. */
function allTerms(line: DeliveryLine): readonly { readonly reach?: Reach | undefined }[] {
  return [line, ...(line.active ?? []).flatMap(([, , terms]) => terms ?? [])];
}

function largestShare(line: DeliveryLine): number {
  return Math.max(...allTerms(line).map(({ reach }) => reach?.share ?? 1));
}

function loosestCap(line: DeliveryLine): Reach['cap'] {
  const caps = allTerms(line).map(({ reach }) => reach?.cap);
  return caps.reduce((loosest, cap) =>
    loosest === undefined || cap === undefined || cap.most / cap.days <= loosest.most / loosest.days
      ? loosest && cap && loosest
      : cap,
  );
}

function windowOf(line: DeliveryLine, from: number, to: number): ReachWindow {
  if (from <= line.start_ms) return { kind: 'cumulative' };
  const minutes = Math.max(1, Math.round((to - from) / MINUTE_MS));
  if (minutes % (24 * 60) === 0) return { kind: 'period', period: { interval: minutes / (24 * 60), unit: 'days' } };
  if (minutes % 60 === 0) return { kind: 'period', period: { interval: minutes / 60, unit: 'hours' } };
  return { kind: 'period', period: { interval: minutes, unit: 'minutes' } };
}
