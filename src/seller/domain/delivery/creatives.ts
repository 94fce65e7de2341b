import type { Package } from '../media-buy/media-buy.js';
import { deliveryLine } from './line.js';
import type { Metrics } from './metrics.js';
import { addTallies, EMPTY_TALLY, metricsFromTally, type PartTally, type Stretch, tallyParts } from './tally.js';

/** The delivery of a creative. */
type CreativeMetrics = { readonly creative_id: string; readonly metrics: Metrics };

/**
 * Returns what each creative of some packages delivered from `from` (in) to `to` (out), in epoch milliseconds, whether it still runs or
 * not. Within a segment the delivery of the package is divided by weight, so that the creatives add up to the package exactly
 * while it ran with creatives, and adjacent windows add up too.
 */
export function deliveryByCreative(lines: readonly Package[], from: number, to: number): readonly CreativeMetrics[] {
  const accounts = new Map<string, PartTally>();
  for (const line of lines) tallyCreatives(line, { fromMs: from, toMs: to }, accounts);
  return [...accounts].map(([creative_id, tally]) => ({ creative_id, metrics: metricsFromTally(tally) }));
}

function tallyCreatives(line: Package, window: Stretch, accounts: Map<string, PartTally>): void {
  const booked = deliveryLine(line);
  for (const { from, to, rotation = [] } of line.segments) {
    const stretch = { fromMs: Date.parse(from), toMs: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to) };
    const tallies = tallyParts(booked, stretch, rotation, window);
    for (const [at, { creative_id }] of rotation.entries()) {
      accounts.set(creative_id, addTallies(accounts.get(creative_id) ?? EMPTY_TALLY, tallies[at] ?? EMPTY_TALLY));
    }
  }
}
