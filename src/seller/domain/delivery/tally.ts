import { divideByWeight, type Weighted } from '../media-buy/rotation.js';
import { simulateDelivery } from './delivery.js';
import type { DeliveryLine } from './line.js';
import { costPer, type Metrics, ratio } from './metrics.js';

/** The numbers of a delivery that add up, in whole parts: money in cents, rating points in hundredths. `metricsFromTally` puts them back. */
const COUNTED: readonly ((metrics: Metrics) => number)[] = [
  ({ impressions }) => impressions,
  ({ spend }) => Math.round(spend * 100),
  ({ clicks }) => clicks,
  ({ conversions = 0 }) => conversions,
  ({ views = 0 }) => views,
  ({ completed_views = 0 }) => completed_views,
  ({ quartile_data }) => quartile_data?.q1_views ?? 0,
  ({ quartile_data }) => quartile_data?.q2_views ?? 0,
  ({ quartile_data }) => quartile_data?.q3_views ?? 0,
  ({ quartile_data }) => quartile_data?.q4_views ?? 0,
  ({ viewability }) => viewability?.measurable_impressions ?? 0,
  ({ viewability }) => viewability?.viewable_impressions ?? 0,
  ({ plays = 0 }) => plays,
  ({ dooh_metrics }) => dooh_metrics?.loop_plays ?? 0,
  ({ grps = 0 }) => Math.round(grps * 100),
  ({ conversion_value = 0 }) => Math.round(conversion_value * 100),
];

/** The counted numbers, in the order of the table. */
type Tally = readonly number[];

/** The sums of a part of a delivery, and the kinds of numbers that it has. */
export type PartTally = { readonly tally: Tally; readonly shape: Partial<Metrics> };

/** A tally of nothing. */
export const EMPTY_TALLY: PartTally = { tally: COUNTED.map(() => 0), shape: {} };

/** A stretch of time, ms since the epoch, half open. */
export type Stretch = { readonly fromMs: number; readonly toMs: number };

/**
 * Returns what each part of a line's stretch adds in a window, by weight. It is divided from the stretch's own start, so that no window changes
 * what was divided, and adjacent windows add up.
 */
export function tallyParts(
  line: DeliveryLine,
  stretch: Stretch,
  parts: readonly Weighted[],
  window: Stretch,
): readonly PartTally[] {
  const within = (at: number) => Math.min(stretch.toMs, Math.max(stretch.fromMs, at));
  const before = simulateDelivery(line, stretch.fromMs, within(window.fromMs));
  const after = simulateDelivery(line, stretch.fromMs, within(Math.max(window.fromMs, window.toMs)));
  const tallies = COUNTED.map((count) => {
    const dealt = divideByWeight(count(before), parts);
    return divideByWeight(count(after), parts).map((part, at) => part - (dealt[at] ?? 0));
  });
  return parts.map((_part, at) => ({ tally: tallies.map((tally) => tally[at] ?? 0), shape: after }));
}

/** Returns the parts of an amount that was delivered at once, by weight. */
export function divideAmounts(amounts: Metrics, parts: readonly Weighted[]): readonly PartTally[] {
  const tallies = COUNTED.map((count) => divideByWeight(count(amounts), parts));
  return parts.map((_part, at) => ({ tally: tallies.map((tally) => tally[at] ?? 0), shape: amounts }));
}

/** Returns two tallies as one. */
export function addTallies(one: PartTally, other: PartTally): PartTally {
  return {
    tally: one.tally.map((value, index) => value + (other.tally[index] ?? 0)),
    shape: { ...one.shape, ...other.shape },
  };
}

/** Returns the numbers in the shape of a delivery, their rates worked out anew; of the optional ones those that the shape has. */
export function metricsFromTally({ tally, shape }: PartTally): Metrics {
  const [impressions = 0, cents = 0, clicks = 0, conversions = 0, views = 0, completed_views = 0, ...more] = tally;
  const [q1_views = 0, q2_views = 0, q3_views = 0, q4_views = 0, measurable = 0, viewable = 0, ...rest] = more;
  const [plays = 0, loop_plays = 0, points = 0, worth = 0] = rest;
  const spend = cents / 100;
  return {
    impressions,
    spend,
    clicks,
    ctr: shareOfTotal(clicks, impressions),
    ...costPer('cost_per_click', spend, clicks),
    ...(shape.views === undefined
      ? {}
      : { views, completed_views, completion_rate: shareOfTotal(completed_views, impressions) }),
    ...(shape.quartile_data === undefined ? {} : { quartile_data: { q1_views, q2_views, q3_views, q4_views } }),
    ...(shape.viewability === undefined
      ? {}
      : {
          viewability: {
            measurable_impressions: measurable,
            viewable_impressions: viewable,
            viewable_rate: shareOfTotal(viewable, measurable),
            standard: 'mrc',
          },
        }),
    ...(shape.plays === undefined ? {} : { plays, dooh_metrics: { loop_plays } }),
    ...(shape.conversions === undefined ? {} : { conversions, ...costPer('cost_per_acquisition', spend, conversions) }),
    ...(shape.conversion_value === undefined ? {} : { conversion_value: worth / 100, roas: ratio(worth / 100, spend) }),
    ...(shape.grps === undefined ? {} : { grps: points / 100 }),
  };
}

/** Returns a share from 0 to 1. Each number is dealt out by itself: in a window of a few impressions a click may be another part's. */
function shareOfTotal(part: number, of: number): number {
  return of === 0 ? 0 : Math.min(1, Math.round((part / of) * 1e6) / 1e6);
}
