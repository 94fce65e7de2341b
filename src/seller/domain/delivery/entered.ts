import { DAY_MS } from '../../../platform/kernel/clock.js';
import type { MediaBuy, Package } from '../media-buy/media-buy.js';
import { reportingZone } from '../media-buy/reporting.js';
import type { PricingModel } from '../product/product.js';
import { readVendorCell, vendorMetricKey } from '../vendor-metric/values.js';
import { costPer, ratio } from './metrics.js';

/** What a person can enter beside impressions and spend; undefined is not counted. */
const ENTERED_COUNTS = ['clicks', 'views', 'completed_views', 'conversions'] as const;
type EnteredCount = (typeof ENTERED_COUNTS)[number];

/** Delivery of a package as it was entered; spend in cents of the buy's currency. */
export type EnteredAmounts = { readonly impressions: number; readonly spend_cents: number } & Readonly<
  Partial<Record<EnteredCount, number | null>>
>;

/** The key of a row: what a package delivered on a day (from the epoch, in the time zone of the buy's reports), of one creative or, where that is empty, of all. */
export type EntryKey = { readonly package_id: string; readonly day: number; readonly creative_id: string };

/** A row of entered delivery. `at_ms`: the moment that it counts from, within the flight. */
export type EnteredRow = EntryKey &
  EnteredAmounts & {
    readonly media_buy_id: string;
    readonly at_ms: number;
    /** The figures of vendors, as `readVendorCell` reads them; null where none were entered. */
    readonly vendor_metrics: string | null;
  };

/** A row as an operator enters it; without `spend` it follows from the price. */
export type DeliveryEntry = Omit<EntryKey, 'day'> & {
  /** ISO date in the time zone of the buy's reports. */
  readonly date: string;
  readonly impressions: number;
  readonly spend?: number | undefined;
  /** Where it is given, that of the buy. */
  readonly currency?: string | undefined;
  /** As `readVendorCell` reads them. */
  readonly vendor_metrics?: string | undefined;
} & Readonly<Partial<Record<EnteredCount, number | undefined>>>;

/** The facts about a package by which a row for it is judged. */
export type EntryContext = {
  readonly buy: MediaBuy;
  readonly line: Package;
  readonly nowMs: number;
  /** The row that is there under the same key. */
  readonly before: EnteredRow | undefined;
  /** What the package has spent by all rows, this one's earlier version included; cents. */
  readonly spentCents: number;
  /** Whether that day has delivery under the other kind of row: of creatives where this is of all, and the other way around. */
  readonly hasOtherKind: boolean;
  /** Whether the creative of the row was ever in the buy. */
  readonly isCreativeOfBuy: boolean;
};

/** The verdict on a row: what to store, or why it is refused and what to do. */
export type EntryVerdict =
  | { readonly action: 'created' | 'updated' | 'unchanged'; readonly row: EnteredRow }
  | { readonly action: 'refused'; readonly why: string };

/** The count that each pricing model bills, and how many are a unit; of the others spend has to be entered. */
const BILLED: Partial<Record<PricingModel, readonly ['impressions' | EnteredCount, per: number]>> = {
  cpm: ['impressions', 1000],
  cpc: ['clicks', 1],
  cpv: ['views', 1],
  cpcv: ['completed_views', 1],
  cpa: ['conversions', 1],
};

/** Judges a row of entered delivery against its buy: only what ran can have delivered, and nobody pays more than was ordered. */
export function judgeEntry(entry: DeliveryEntry, context: EntryContext): EntryVerdict {
  const why = ENTRY_RULES.map((rule) => rule(entry, context)).find((why) => why !== undefined);
  if (why !== undefined) return { action: 'refused', why };
  const { buy, line, before, spentCents } = context;
  const spend_cents = Math.round((entry.spend ?? priceOf(entry, line) ?? 0) * 100);
  const left = Math.round(line.budget * 100) - (spentCents - (before?.spend_cents ?? 0));
  if (spend_cents > left) {
    const money = `${Math.max(0, left) / 100} ${buy.currency}`;
    return {
      action: 'refused',
      why: `spend is over the budget of the package: ${money} of ${line.budget} ${buy.currency} are left. Enter at most that as spend; impressions may be more`,
    };
  }
  const day = dayOfDate(entry.date);
  const row: EnteredRow = {
    media_buy_id: buy.media_buy_id,
    package_id: line.package_id,
    day,
    creative_id: entry.creative_id,
    at_ms: Math.max(dayBounds(day, buy).startMs, Date.parse(line.start_time)),
    impressions: entry.impressions,
    spend_cents,
    ...Object.fromEntries(ENTERED_COUNTS.map((name) => [name, entry[name] ?? null])),
    vendor_metrics: entry.vendor_metrics ?? null,
  };
  if (before === undefined) return { action: 'created', row };
  return { action: isSame(before, row) ? 'unchanged' : 'updated', row };
}

/** Returns why a row cannot be, and what to do; undefined where a rule has nothing against it. */
type EntryRule = (entry: DeliveryEntry, context: EntryContext) => string | undefined;

const ENTRY_RULES: readonly EntryRule[] = [
  ({ currency }, { buy }) =>
    currency === undefined || currency === buy.currency
      ? undefined
      : `the buy is in ${buy.currency}, not in ${currency}. Convert the spend`,
  ({ date }, { buy, line, nowMs }) => {
    const { startMs, endMs } = dayBounds(dayOfDate(date), buy);
    if (startMs > nowMs) return `${date} has not begun. Enter what was delivered, once it was`;
    if (startMs >= Date.parse(line.end_time) || endMs <= Date.parse(line.start_time))
      return `the package runs from ${line.start_time} to ${line.end_time}. Correct the date`;
    const hasRun = line.segments.some(
      ({ from, to }) => Date.parse(from) < endMs && (to === undefined || Date.parse(to) > startMs),
    );
    return hasRun
      ? undefined
      : `the package did not run on ${date}: it was paused, canceled or waited for creatives. Correct the date or the package_id`;
  },
  ({ creative_id }, { isCreativeOfBuy }) =>
    creative_id === '' || isCreativeOfBuy
      ? undefined
      : `creative ${creative_id} was never in this buy. Correct creative_id, or leave it empty`,
  ({ creative_id, date }, { hasOtherKind }) => {
    if (!hasOtherKind) return undefined;
    return creative_id === ''
      ? `${date} is entered by creative already. Set those rows to 0 first, or enter this day by creative too`
      : `${date} is entered as a whole already. Set that row to 0 first, or leave creative_id empty`;
  },
  ({ clicks, completed_views, views, impressions }) =>
    [clicks, completed_views, views].some((count) => (count ?? 0) > impressions)
      ? 'clicks, views and completed_views are at most the impressions. Correct the counts'
      : undefined,
  ({ vendor_metrics }, { line }) => explainVendorCell(vendor_metrics, line),
  (entry, { line }) =>
    entry.spend !== undefined || priceOf(entry, line) !== undefined
      ? undefined
      : `spend is needed: the price (${line.sold.option.pricing_model}) does not say what these counts cost`,
];

/** Returns why the figures of vendors cannot be entered for a package; undefined where they can. */
function explainVendorCell(text: string | undefined, { sold }: Package): string | undefined {
  if (text === undefined) return undefined;
  const values = readVendorCell(text);
  const declared = (sold.reporting?.vendor_metrics ?? []).map(vendorMetricKey);
  if (values === undefined)
    return 'vendor_metrics is not as in "attention.example/attention_units=62.5/8000": vendor, metric, value and, where it is known, how many impressions were measured. Correct it; blanks go between several';
  const unknown = values.map(vendorMetricKey).find((key) => !declared.includes(key));
  if (unknown === undefined) return undefined;
  return declared.length === 0
    ? 'the product was sold without metrics of vendors. Leave vendor_metrics empty'
    : `the product was not sold with ${unknown}. Its metrics of vendors: ${declared.join(', ')}`;
}

/** Returns what the counts of a row cost at the fixed price of the package; undefined where that does not say. */
export function priceOf(
  entry: Pick<DeliveryEntry, 'impressions' | EnteredCount>,
  { sold }: Pick<Package, 'sold'>,
): number | undefined {
  const { pricing_model, fixed_price } = sold.option;
  const [name, per] = BILLED[pricing_model] ?? [];
  const units = name && entry[name];
  if (fixed_price === undefined || per === undefined || units === undefined) return undefined;
  return (units / per) * fixed_price;
}

/** Returns the day of an ISO date, counted from the epoch. */
export function dayOfDate(date: string): number {
  return Math.floor(Date.parse(date) / DAY_MS);
}

/** Returns from when to when a day goes in the time zone of a buy's reports, ms. */
export function dayBounds(
  day: number,
  buy: Pick<MediaBuy, 'packages'>,
): { readonly startMs: number; readonly endMs: number } {
  const zone = reportingZone(buy);
  return { startMs: zone.instantOf(day * DAY_MS), endMs: zone.instantOf((day + 1) * DAY_MS) };
}

function isSame(one: EnteredRow, other: EnteredRow): boolean {
  const names = ['impressions', 'spend_cents', 'vendor_metrics', ...ENTERED_COUNTS] as const;
  return names.every((name) => (one[name] ?? null) === (other[name] ?? null));
}

/** Delivery metrics by their wire names, of what was entered: a count that nobody entered is not there. */
type EnteredMetrics = { readonly impressions: number; readonly spend: number } & Readonly<Record<string, number>>;

/** Returns entered amounts as they go on the wire, with the rates that follow from them. */
export function enteredMetrics(amounts: EnteredAmounts): EnteredMetrics {
  const { impressions, spend_cents, clicks, views, completed_views, conversions } = amounts;
  const spend = spend_cents / 100;
  return {
    impressions,
    spend,
    ...(isCounted(clicks)
      ? { clicks, ctr: ratio(clicks, impressions), ...costPer('cost_per_click', spend, clicks) }
      : {}),
    ...(isCounted(views) ? { views } : {}),
    ...(isCounted(completed_views) ? { completed_views, completion_rate: ratio(completed_views, impressions) } : {}),
    ...(isCounted(conversions) ? { conversions } : {}),
  };
}

function isCounted(count: number | null | undefined): count is number {
  return typeof count === 'number';
}

/** Returns the delivery status of a package at a moment (ms), by what was entered for it up to then. */
export function enteredStatus(line: Package, { impressions, spend_cents }: EnteredAmounts, atMs: number): string {
  const isGoalMet = line.impressions !== undefined && impressions >= line.impressions;
  const isSpent = spend_cents > 0 && spend_cents >= Math.round(line.budget * 100);
  if (atMs >= Date.parse(line.end_time)) return isGoalMet || isSpent ? 'completed' : 'flight_ended';
  if (isGoalMet) return 'goal_met';
  if (isSpent) return 'budget_exhausted';
  return impressions > 0 && line.segments.at(-1)?.to === undefined && line.segments.length > 0
    ? 'delivering'
    : 'not_delivering';
}

/** Returns what was entered against an even plan up to the end of the last day that was entered; 1 is on track. */
export function enteredPacing(
  line: Package,
  { impressions, spend_cents }: EnteredAmounts,
  lastDay: number,
): number | undefined {
  const [startMs, endMs] = [Date.parse(line.start_time), Date.parse(line.end_time)];
  const elapsed = Math.min(1, ((lastDay + 1) * DAY_MS - startMs) / (endMs - startMs));
  const [actual, whole] =
    line.impressions === undefined ? [spend_cents / 100, line.budget] : [impressions, line.impressions];
  const expected = whole * elapsed;
  return expected > 0 ? Math.round((actual / expected) * 100) / 100 : undefined;
}

/** Returns whether every package that ran in a period (ms) has delivery entered up to its last day; `lastDays` by package. */
export function isEntered(
  { packages }: Pick<MediaBuy, 'packages'>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  lastDays: ReadonlyMap<string, number>,
): boolean {
  const zone = reportingZone({ packages });
  return packages.every((line) => {
    const ends = line.segments.flatMap(({ from, to, end }) => {
      const endMs = Math.min(toMs, Date.parse(to ?? end), Date.parse(end));
      return Math.max(fromMs, Date.parse(from)) < endMs ? [endMs] : [];
    });
    if (ends.length === 0) return true;
    return (lastDays.get(line.package_id) ?? -1) >= Math.floor(zone.localMs(Math.max(...ends) - 1) / DAY_MS);
  });
}
