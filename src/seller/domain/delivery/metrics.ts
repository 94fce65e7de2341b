import type { ReachUnit } from '../targeting/offer.js';
import type { Counts } from './billing.js';

/** The delivery of a line in a window. Counts are whole, money in whole cents, rates 0 to 1. */
export type Metrics = {
  readonly impressions: number;
  readonly spend: number;
  readonly clicks: number;
  readonly ctr: number;
  /** Where there were clicks. */
  readonly cost_per_click?: number;
  /** The next four where the product plays: video and audio. */
  readonly views?: number;
  readonly completed_views?: number;
  readonly completion_rate?: number;
  readonly quartile_data?: { readonly [Q in 'q1_views' | 'q2_views' | 'q3_views' | 'q4_views']: number };
  readonly viewability?: {
    readonly measurable_impressions: number;
    readonly viewable_impressions: number;
    readonly viewable_rate: number;
    readonly standard: 'mrc';
  };
  /** The next two on public screens. */
  readonly plays?: number;
  readonly dooh_metrics?: { readonly loop_plays: number };
  /** The next two where conversions are paid for. */
  readonly conversions?: number;
  readonly cost_per_acquisition?: number;
  /** Where a conversion has a worth: what they are worth in all, and for each unit spent. */
  readonly conversion_value?: number;
  readonly roas?: number;
  readonly grps?: number;
  /** How many saw it, how often each, and over what time; not in numbers that are parts of others. */
  readonly reach?: number;
  readonly reach_unit?: ReachUnit;
  readonly reach_window?: ReachWindow;
  readonly frequency?: number;
};

/** The time that a reach is of: since the flight's start, or a period of its own. */
export type ReachWindow =
  | { readonly kind: 'cumulative' }
  | {
      readonly kind: 'period';
      readonly period: { readonly interval: number; readonly unit: 'days' | 'hours' | 'minutes' };
    };

/** Returns what one of some clicks or acquisitions cost, to a hundredth of a cent, where there was one. */
export function costPer<Name extends 'cost_per_click' | 'cost_per_acquisition'>(
  name: Name,
  spend: number,
  count: number,
): Partial<Pick<Metrics, Name>> {
  return count === 0 ? {} : ({ [name]: Math.round((spend / count) * 10_000) / 10_000 } as Partial<Pick<Metrics, Name>>);
}

/** The conversions of a window, what was spent in it, and what one is worth, where that is known. */
type Converted = { readonly conversions: number; readonly spend: number; readonly worth: number | undefined };

/** Returns conversions with what each cost, and what they are worth. */
export function conversionMetrics({ conversions, spend, worth }: Converted): Partial<Metrics> {
  const cost = costPer('cost_per_acquisition', spend, conversions);
  if (worth === undefined) return { conversions, ...cost };
  const conversion_value = Math.round(conversions * worth * 100) / 100;
  return { conversions, ...cost, conversion_value, roas: ratio(conversion_value, spend) };
}

/** Returns what was played between two counts: views, completed views and the four quartiles. */
export function playMetrics(completion: number, from: Counts, to: Counts): Partial<Metrics> {
  const reached = (part: number) =>
    Math.floor(to.impressions * completion ** part) - Math.floor(from.impressions * completion ** part);
  const completed_views = to.completions - from.completions;
  return {
    views: to.views - from.views,
    completed_views,
    completion_rate: ratio(completed_views, to.impressions - from.impressions),
    quartile_data: {
      q1_views: reached(0.25),
      q2_views: reached(0.5),
      q3_views: reached(0.75),
      q4_views: completed_views,
    },
  };
}

/** Returns a share to six decimals; 0 of nothing is 0. */
export function ratio(part: number, of: number): number {
  return of === 0 ? 0 : Math.round((part / of) * 1e6) / 1e6;
}
