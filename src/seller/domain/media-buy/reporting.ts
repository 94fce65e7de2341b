/** The frequencies of a reporting webhook. */
export const REPORTING_FREQUENCIES = ['hourly', 'daily', 'monthly'] as const;

/** A frequency of the list. */
export type ReportingFrequency = (typeof REPORTING_FREQUENCIES)[number];

/** A stretch of time, ms since the epoch, half open. */
export type Period = { readonly fromMs: number; readonly toMs: number };

/** Returns the period of the UTC calendar that an instant lies in: its hour, its day or its month. */
export function periodAt(frequency: ReportingFrequency, ms: number): Period {
  const at = new Date(ms);
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (frequency) {
    case 'hourly':
      return {
        fromMs: Date.UTC(year, month, day, at.getUTCHours()),
        toMs: Date.UTC(year, month, day, at.getUTCHours() + 1),
      };
    case 'daily':
      return { fromMs: Date.UTC(year, month, day), toMs: Date.UTC(year, month, day + 1) };
    case 'monthly':
      return { fromMs: Date.UTC(year, month, 1), toMs: Date.UTC(year, month + 1, 1) };
  }
}

/**
 * Cuts a stretch of time where the periods of the UTC calendar end, the earliest first; its first and last piece may be part of a
 * period. At most `most` pieces and one more, by which the caller sees that there are too many.
 */
export function periodsIn({ fromMs, toMs }: Period, frequency: ReportingFrequency, most: number): readonly Period[] {
  const pieces: Period[] = [];
  for (let at = fromMs; at < toMs && pieces.length <= most; ) {
    const end = Math.min(toMs, periodAt(frequency, at).toMs);
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
