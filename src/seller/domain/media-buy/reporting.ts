import { HOUR_MS } from '../../../platform/kernel/clock.js';
import { TimeZone } from '../time-zone.js';

/** The frequencies of a reporting webhook. */
export const REPORTING_FREQUENCIES = ['hourly', 'daily', 'monthly'] as const;

/** The windows that the protocol has words for, from 3.2 on: those of the list, and some that nothing is reported in here. */
export const WINDOW_WORDS = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'post_campaign'] as const;

/** A frequency of the list. */
export type ReportingFrequency = (typeof REPORTING_FREQUENCIES)[number];

/** A stretch of time, ms since the epoch, half open. */
export type Period = { readonly fromMs: number; readonly toMs: number };

/** The terms of a sold product on its reports. */
type SoldReports = {
  readonly packages: readonly { readonly sold: { readonly reporting?: { readonly timezone: string } | undefined } }[];
};

/** Returns the time zone of a buy's reports: that of what its first package was sold as. */
export function reportingZone({ packages: [first] }: SoldReports): TimeZone {
  return new TimeZone(first?.sold.reporting?.timezone ?? 'UTC');
}

/** Returns the period that an instant lies in by the clock of a zone: its hour, its day or its month. */
export function periodAt(frequency: ReportingFrequency, atMs: number, zone: TimeZone): Period {
  const localMs = zone.localMs(atMs);
  if (frequency === 'hourly') return hourAt(atMs, localMs - (localMs % HOUR_MS), zone);
  const shown = new Date(localMs);
  const [year, month, day] = [shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate()];
  const [from, to] =
    frequency === 'daily'
      ? [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)]
      : [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)];
  return { fromMs: zone.instantOf(from), toMs: zone.instantOf(to) };
}

/** Returns the hour around an instant. Where the clock is turned back within an hour, each part is a period; an hour that comes twice is two. */
function hourAt(atMs: number, shownMs: number, zone: TimeZone): Period {
  const offset = zone.offsetMs(atMs);
  const fromMs = shownMs - offset;
  const toMs = fromMs + HOUR_MS;
  return {
    fromMs: zone.offsetMs(fromMs) === offset ? fromMs : zone.changeBetween(fromMs, atMs),
    toMs: zone.offsetMs(toMs - 1) === offset ? toMs : zone.changeBetween(atMs, toMs - 1),
  };
}

/**
 * Cuts a stretch of time where the periods of a zone's calendar end, the earliest first; its first and last piece may be part of a
 * period. At most `most` pieces and one more, by which the caller sees that there are too many.
 */
export function periodsIn(
  { fromMs, toMs }: Period,
  frequency: ReportingFrequency,
  most: number,
  zone: TimeZone,
): readonly Period[] {
  const pieces: Period[] = [];
  for (let at = fromMs; at < toMs && pieces.length <= most; ) {
    const end = Math.min(toMs, periodAt(frequency, at, zone).toMs);
    pieces.push({ fromMs: at, toMs: end });
    at = end;
  }
  return pieces;
}

/** The numbers that were reported for a period. */
export type Reported = { readonly impressions: number; readonly spend: number };

/** Whether late numbers differ enough to be sent again: more than 2 % of the impressions or 1 % of the spend. */
export function isAdjusted(before: Reported, after: Reported): boolean {
  return (
    Math.abs(after.impressions - before.impressions) > 0.02 * before.impressions ||
    Math.abs(after.spend - before.spend) > 0.01 * before.spend
  );
}
