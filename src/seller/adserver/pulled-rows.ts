import { DAY_MS } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { dayBounds, dayOfDate, type EnteredRow, priceOf } from '../domain/delivery/entered.js';
import type { MediaBuy, Package } from '../domain/media-buy/media-buy.js';
import type { DeliveryRow } from './port/delivery.js';

/** The days that a report is of, counted from the epoch, both included. */
export type ReportDays = { readonly fromDay: number; readonly toDay: number };

const COUNTS = ['clicks', 'views', 'completed_views', 'conversions'] as const;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MAX_CREATIVE_ID_CHARS = 255;
/** Of a report. */
const MAX_ROWS = 200_000;

/** Returns the rows of a report as the adapter answered them. Throws where one of them cannot be meant: nothing of it is stored then. */
export function readDeliveryRows(value: unknown, { fromDay, toDay }: ReportDays): readonly DeliveryRow[] {
  if (!Array.isArray(value) || value.length > MAX_ROWS)
    throw new Error(`the report is no list of at most ${MAX_ROWS} rows`);
  const kinds = new Map<string, boolean>();
  return value.map((row: unknown, index) => {
    if (!isDeliveryRow(row)) throw new Error(`row ${index} of the report has no package, date and whole counts`);
    const { package_id, date, creative_id } = row;
    const day = dayOfDate(date);
    if (day < fromDay || day > toDay)
      throw new Error(`row ${index} of the report is of ${date}, which was not asked for`);
    const key = `${package_id} ${day}`;
    const isOfCreative = creative_id !== undefined;
    if (kinds.has(key) && (kinds.get(key) !== isOfCreative || !isOfCreative))
      throw new Error(`row ${index} of the report counts ${date} of ${package_id} twice`);
    kinds.set(key, isOfCreative);
    return row;
  });
}

function isDeliveryRow(row: unknown): row is DeliveryRow {
  if (!isObject(row)) return false;
  const { package_id, date, creative_id, impressions, spend } = row;
  const isCount = (count: unknown): boolean => Number.isSafeInteger(count) && Number(count) >= 0;
  const isMoney = spend === undefined || (typeof spend === 'number' && spend >= 0 && spend <= 1e12);
  const isNamed =
    creative_id === undefined ||
    (typeof creative_id === 'string' && creative_id !== '' && creative_id.length <= MAX_CREATIVE_ID_CHARS);
  const hasCounts = isCount(impressions) && COUNTS.every((name) => row[name] === undefined || isCount(row[name]));
  const hasDate = typeof date === 'string' && DATE.test(date) && !Number.isNaN(Date.parse(date));
  return typeof package_id === 'string' && hasDate && isNamed && isMoney && hasCounts;
}

/** The rows of a package that were pulled, with its buy and line. */
type PackageReport = {
  readonly buy: MediaBuy;
  readonly line: Package;
  readonly rows: readonly DeliveryRow[];
  /** What it has spent on other days, cents. */
  readonly otherCents: number;
};

/** Returns the rows of a package as they are stored, oldest first. Nobody pays more than was ordered: spend over the budget is left out. */
export function storedRows({ buy, line, rows, otherCents }: PackageReport): readonly EnteredRow[] {
  let leftCents = Math.max(0, Math.round(line.budget * 100) - otherCents);
  return rows
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))
    .map((row) => {
      const day = dayOfDate(row.date);
      const spend = row.spend ?? priceOf(row, line) ?? shareOfFlight(buy, line, day);
      const spend_cents = Math.min(leftCents, Math.round(spend * 100));
      leftCents -= spend_cents;
      const { impressions, clicks = null, views = null, completed_views = null, conversions = null } = row;
      return {
        media_buy_id: buy.media_buy_id,
        package_id: line.package_id,
        day,
        creative_id: row.creative_id ?? '',
        at_ms: countedFrom(buy, line, day),
        impressions,
        spend_cents,
        ...{ clicks, views, completed_views, conversions },
        vendor_metrics: null,
      };
    });
}

/** Returns the moment that a day counts from: within the flight, also where the day is that of another clock. */
function countedFrom(buy: MediaBuy, line: Package, day: number): number {
  const { startMs } = dayBounds(day, buy);
  return Math.max(Date.parse(line.start_time), Math.min(startMs, Date.parse(line.end_time) - 1));
}

/** Returns the part of the budget that a day of the flight has, where time is what is paid for. */
function shareOfFlight(buy: MediaBuy, line: Package, day: number): number {
  const { pricing_model } = line.sold.option;
  if (pricing_model !== 'flat_rate' && pricing_model !== 'time') return 0;
  const [start, end] = [Date.parse(line.start_time), Date.parse(line.end_time)];
  const { startMs, endMs } = dayBounds(day, buy);
  const part = Math.max(0, Math.min(end, endMs) - Math.max(start, startMs)) / Math.max(DAY_MS / 24, end - start);
  return line.budget * Math.min(1, part);
}
