import { z } from 'zod';
import { isoTime } from '../../../platform/kernel/clock.js';
import { startPace } from '../../../platform/kernel/event-loop.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Window } from '../../adserver/delivered.js';
import { buyTotals, packageReport } from '../../adserver/report.js';
import type { App, Call } from '../../context.js';
import { findReporting, flightEndMs, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import {
  periodsIn,
  REPORTING_FREQUENCIES,
  type ReportingFrequency,
  reportingZone,
  WINDOW_WORDS,
} from '../../domain/media-buy/reporting.js';

/** The windows that a report of delivery is cut into. */
export const granularityFields = {
  time_granularity: z
    .enum(WINDOW_WORDS)
    .optional()
    .meta({ brief: true, description: REPORTING_FREQUENCIES.join('|') }),
  include_window_breakdown: z.boolean().optional().describe('Per time_granularity'),
};

/** One window of a buy's delivery, with the numbers of the report that its reporting webhook got for the same window. */
type WindowSlice = {
  readonly window_start: string;
  readonly window_end: string;
  readonly totals: ReturnType<typeof buyTotals>;
  readonly by_package: readonly ReturnType<typeof packageReport>[];
};

/** The most rows (a package in a window) of one answer. */
const MAX_ROWS = 5000;

/** Returns the windows that are asked for, which all packages of these buys were sold with. Throws UNSUPPORTED_GRANULARITY with those that all of them do. */
export function readGranularity(
  granularity: (typeof WINDOW_WORDS)[number],
  buys: readonly MediaBuy[],
  call: Call,
): ReportingFrequency {
  const lines = buys.flatMap(({ packages }) => packages);
  const able = new Set(lines.flatMap((line) => findReporting(line, call.seller.products) ?? []));
  const supported = REPORTING_FREQUENCIES.filter((one) =>
    [...able].every(({ windowed_pull_granularities }) => windowed_pull_granularities.includes(one)),
  );
  const served = supported.find((one) => one === granularity);
  if (served !== undefined) return served;
  const offer = supported.length === 0 ? 'Leave it out' : `Use ${supported.join(' or ')}, or leave it out`;
  throw new TaskError(
    'UNSUPPORTED_GRANULARITY',
    `Delivery of these media buys is not reported in ${granularity} windows.`,
    {
      field: 'time_granularity',
      suggestion: `${offer} for the whole period; products say what they support in windowed_pull_granularities.`,
      details: { supported_granularities: supported },
    },
  );
}

/**
 * Returns the windows of each buy from `fromMs` to `toMs`; what is left open reaches from the start of its flight to its end or to now. They
 * follow the calendar of the buy's reports and each other without a gap. Throws INVALID_REQUEST where they are too many for one answer.
 */
export function windowsOf(
  granularity: ReportingFrequency,
  buys: readonly MediaBuy[],
  { fromMs, toMs }: Window,
  open: { readonly start: boolean; readonly end: boolean },
): ReadonlyMap<string, readonly Window[]> {
  let rows = 0;
  const cut = buys.map((buy) => {
    const stretch = {
      fromMs: open.start ? Date.parse(buy.start_time) : fromMs,
      toMs: open.end ? Math.min(toMs, flightEndMs(buy)) : toMs,
    };
    const windows = periodsIn(stretch, granularity, MAX_ROWS, reportingZone(buy));
    rows += windows.length * buy.packages.length;
    return [buy.media_buy_id, windows] as const;
  });
  if (rows <= MAX_ROWS) return new Map(cut);
  throw new TaskError('INVALID_REQUEST', 'These are more windows than one answer holds.', {
    field: 'time_granularity',
    suggestion: 'Name fewer days with start_date and end_date, fewer media_buy_ids, or a coarser time_granularity.',
    details: { max_rows: MAX_ROWS },
  });
}

/** Returns what a buy delivered in each window. */
export async function sliceDelivery(
  app: App,
  buy: MediaBuy,
  windows: readonly Window[],
): Promise<readonly WindowSlice[]> {
  const slices: WindowSlice[] = [];
  const pace = startPace();
  // One after the other: an ad server of the seller's own is not asked for hundreds of windows at once.
  for (const window of windows) {
    const packages = await app.booking.delivery(buy, window, false);
    slices.push({
      window_start: isoTime(window.fromMs),
      window_end: isoTime(window.toMs),
      totals: buyTotals(packages),
      by_package: packages.map((entry) => packageReport(buy, entry, false)),
    });
    if (pace.isDue()) await pace.rest();
  }
  return slices;
}
