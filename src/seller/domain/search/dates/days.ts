import { DAY_MS } from '../../../../platform/kernel/clock.js';
import type { Mention, Span } from './mentions.js';
import { MONTHS_A_QUARTER, MONTHS_A_YEAR, type Point } from './points.js';

/** The days that a brief names, both in, `YYYY-MM-DD`; either may be left to the seller. */
export type NamedDays = { readonly start_date?: string; readonly end_date?: string };

/** Returns the days of a mention, from today on, in the year that comes next where none is named; undefined where they have passed or never were. */
export function resolveDays(mention: Mention, nowMs: number, spanFromMs: number): NamedDays | undefined {
  const first = mention.first && settlePoint(mention.first, nowMs);
  const last = mention.last && settlePoint(mention.last, nowMs);
  if (mention.span === undefined) return resolvePoints({ first, last }, nowMs);
  const start = first === undefined ? dateOf(spanFromMs) : resolvePoints({ first }, nowMs)?.start_date;
  return start === undefined ? undefined : { start_date: start, end_date: lastOf(start, mention.span) };
}

function resolvePoints({ first, last }: Pick<Mention, 'first' | 'last'>, nowMs: number): NamedDays | undefined {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const thisYear = new Date(nowMs).getUTCFullYear();
  const named = last?.year ?? first?.year;
  const years = named === undefined ? [thisYear, thisYear + 1] : [named];
  for (const year of years) {
    const end = last && endOf(last, last.year ?? (first?.year ?? year) + wraps(first, last));
    const start =
      first && startOf(first, first.year ?? (last?.year === undefined ? year : last.year - wraps(first, last)));
    if ((end ?? start ?? 0) < today || (start !== undefined && end !== undefined && end < start)) continue;
    if (Number.isNaN(start ?? 0) || Number.isNaN(end ?? 0)) return undefined;
    return { start_date: dateOf(start), end_date: dateOf(end) };
  }
  return undefined;
}

const MONTHS_OF: Readonly<Record<'month' | 'quarter' | 'year', number>> = {
  month: 1,
  quarter: MONTHS_A_QUARTER,
  year: MONTHS_A_YEAR,
};

const DAYS_A_WEEK = 7;

/** Returns the part of the calendar that a point told from today on means; a week begins on Monday. */
function settlePoint(point: Point, nowMs: number): Point {
  if (point.yearsAhead !== undefined) return { ...point, year: new Date(nowMs).getUTCFullYear() + point.yearsAhead };
  if (point.relative === undefined) return point;
  const { unit, offset } = point.relative;
  const now = new Date(nowMs);
  if (unit === 'day' || unit === 'week') {
    const sinceMonday = unit === 'week' ? (now.getUTCDay() + DAYS_A_WEEK - 1) % DAYS_A_WEEK : 0;
    const days = unit === 'week' ? DAYS_A_WEEK : 1;
    const at = new Date(nowMs + (offset * days - sinceMonday) * DAY_MS);
    return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, months: 1, day: at.getUTCDate(), days };
  }
  const months = MONTHS_OF[unit];
  const month = Math.floor(now.getUTCMonth() / months) * months + offset * months;
  const year = now.getUTCFullYear() + Math.floor(month / MONTHS_A_YEAR);
  return { year, month: (month % MONTHS_A_YEAR) + 1, months };
}

/** Returns the last day of a span of time. */
function lastOf(startDate: string, { count, unit }: Span): string | undefined {
  const start = new Date(startDate);
  if (unit === 'day' || unit === 'week')
    return dateOf(start.getTime() + (count * (unit === 'week' ? DAYS_A_WEEK : 1) - 1) * DAY_MS);
  const month = start.getUTCMonth() + count * MONTHS_OF[unit];
  const lastOfMonth = Date.UTC(start.getUTCFullYear(), month + 1, 0);
  return dateOf(Math.min(Date.UTC(start.getUTCFullYear(), month, start.getUTCDate()) - DAY_MS, lastOfMonth));
}

/** Returns 1 where the last of two points without a year lies in the year after the first. */
function wraps(first: Point | undefined, last: Point): number {
  return first !== undefined && last.month < first.month ? 1 : 0;
}

const LAST_OF_FIRST_HALF = 15;

function startOf({ month, half, day = half === 2 ? LAST_OF_FIRST_HALF + 1 : 1 }: Point, year: number): number {
  const at = Date.UTC(year, month - 1, day);
  return new Date(at).getUTCMonth() === month - 1 ? at : Number.NaN;
}

/** Returns the midnight that the last day of a point begins with. */
function endOf(point: Point, year: number): number {
  const { month, months, half, day, days = 1 } = point;
  if (half === 1) return Date.UTC(year, month - 1, LAST_OF_FIRST_HALF);
  return day === undefined ? Date.UTC(year, month - 1 + months, 0) : startOf(point, year) + (days - 1) * DAY_MS;
}

function dateOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
}
