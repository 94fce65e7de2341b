import type { Package, Segment } from '../media-buy/media-buy.js';
import { divideByWeight, type RotationEntry } from '../media-buy/rotation.js';
import { simulateDelivery } from './delivery.js';
import { type DeliveryLine, deliveryLine } from './line.js';
import { costPerClick, type Metrics } from './metrics.js';

/** The delivery of a creative. */
export type CreativeMetrics = { readonly creative_id: string; readonly metrics: Metrics };

/** The numbers of a delivery that add up, in whole parts: money in cents, rating points in hundredths. `metricsFromTally` puts them back. */
const COUNTED: readonly ((metrics: Metrics) => number)[] = [
  ({ impressions }) => impressions,
  ({ spend }) => Math.round(spend * 100),
  ({ clicks }) => clicks,
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
  ({ conversions = 0 }) => conversions,
  ({ grps = 0 }) => Math.round(grps * 100),
];

/** The counted numbers, in the order of the table. */
type Tally = readonly number[];

/** The tally of a creative, and the kinds of numbers that its packages have. */
type CreativeTally = { readonly tally: Tally; readonly shape: Partial<Metrics> };

/**
 * Returns what each creative of some packages delivered from `from` (in) to `to` (out), in epoch milliseconds, whether it still runs or
 * not. Within a segment the delivery of the package is divided by weight, so that the creatives add up to the package exactly
 * while it ran with creatives, and adjacent windows add up too.
 */
export function deliveryByCreative(lines: readonly Package[], from: number, to: number): readonly CreativeMetrics[] {
  const accounts = new Map<string, CreativeTally>();
  for (const line of lines) {
    const booked = deliveryLine(line);
    for (const segment of line.segments) {
      const { rotation = [] } = segment;
      const { tallies, shape } = tallySegment(booked, segment, rotation, from, to);
      for (const [at, { creative_id }] of rotation.entries()) {
        const before = accounts.get(creative_id) ?? { tally: COUNTED.map(() => 0), shape: {} };
        accounts.set(creative_id, {
          tally: before.tally.map((value, index) => value + (tallies[index]?.[at] ?? 0)),
          shape: { ...before.shape, ...shape },
        });
      }
    }
  }
  return [...accounts].map(([creative_id, { tally, shape }]) => ({
    creative_id,
    metrics: metricsFromTally(tally, shape),
  }));
}

/** Returns what a segment adds per counted number and creative. A segment is counted from its own start, so that no window changes what was divided. */
function tallySegment(
  booked: DeliveryLine,
  segment: Segment,
  rotation: readonly RotationEntry[],
  from: number,
  to: number,
): { readonly tallies: readonly (readonly number[])[]; readonly shape: Metrics } {
  const start = Date.parse(segment.from);
  const end = segment.to === undefined ? Number.POSITIVE_INFINITY : Date.parse(segment.to);
  const within = (at: number) => Math.min(end, Math.max(start, at));
  const before = simulateDelivery(booked, start, within(from));
  const after = simulateDelivery(booked, start, within(Math.max(from, to)));
  const tallies = COUNTED.map((count) => {
    const dealt = divideByWeight(count(before), rotation);
    return divideByWeight(count(after), rotation).map((part, at) => part - (dealt[at] ?? 0));
  });
  return { tallies, shape: after };
}

/** The numbers in the shape of a delivery, its rates worked out anew; of the optional ones those that `shape` has. */
function metricsFromTally(tally: Tally, shape: Partial<Metrics>): Metrics {
  const [impressions = 0, cents = 0, clicks = 0, views = 0, completed_views = 0, ...more] = tally;
  const [q1_views = 0, q2_views = 0, q3_views = 0, q4_views = 0, measurable = 0, viewable = 0, ...rest] = more;
  const [plays = 0, loop_plays = 0, conversions = 0, points = 0] = rest;
  return {
    impressions,
    spend: cents / 100,
    clicks,
    ctr: shareOfTotal(clicks, impressions),
    ...costPerClick(cents / 100, clicks),
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
    ...(shape.conversions === undefined ? {} : { conversions }),
    ...(shape.grps === undefined ? {} : { grps: points / 100 }),
  };
}

/** A share from 0 to 1. Each number is dealt out by itself: in a window of a few impressions a click may be another creative's. */
function shareOfTotal(part: number, of: number): number {
  return of === 0 ? 0 : Math.min(1, Math.round((part / of) * 1e6) / 1e6);
}
