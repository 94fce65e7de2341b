import { countSlots } from '../inventory/slots.js';
import { liftRates } from '../optimization/steering.js';
import {
  BILLING,
  type Counts,
  countEvents,
  expectRates,
  impressionsForUnits,
  type Rates,
  ratingPoints,
  supplyShare,
  unitPrice,
  unitsBetween,
} from './billing.js';
import { servedMs, weekOf } from './calendar.js';
import type { Limit } from './limit.js';
import type { DeliveryLine, DeliveryTerms } from './line.js';
import { conversionMetrics, costPer, type Metrics, playMetrics, ratio } from './metrics.js';
import { deliverPlan, deliveryClock, EAGERNESS, swingFor, topSpeed } from './pace.js';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

const ROUNDING = 1e-6;

/** The delivery status of a package; `not_delivering` belongs into snapshots only. */
type DeliveryStatus = 'delivering' | 'not_delivering' | 'completed' | 'budget_exhausted' | 'flight_ended' | 'goal_met';

/** Returns the cost of a unit of the line: the fixed price, or what its auctions clear at; 0 when its bid is below the floor. */
export function effectivePrice({ pricing_option, bid_price, package_id }: DeliveryLine): number {
  return unitPrice(pricing_option, bid_price, package_id) ?? 0;
}

/** Returns the rates to expect of a line: those of its product at its price, as its goals raise them. */
export function lineRates({ inventory, channels, pricing_option, steering }: DeliveryLine): Rates {
  return liftRates(expectRates(inventory, channels, pricing_option), steering);
}

/**
 * Returns what a line delivers from `from` (in) to `to` (out), in epoch milliseconds. Adjacent windows add up exactly;
 * what happened before a moment does not depend on what happens after it.
 */
export function simulateDelivery(line: DeliveryLine, from: number, to: number): Metrics {
  const rates = lineRates(line);
  return metricsBetween(line, rates, totalAt(line, rates, from), totalAt(line, rates, Math.max(from, to)));
}

/** Returns the delivery of a line per UTC day, for every day that the window and the flight touch; days of a pause have zeros. */
export function dailyBreakdown(
  line: DeliveryLine,
  from: number,
  to: number,
): readonly (Metrics & { readonly date: string })[] {
  const rates = lineRates(line);
  const first = Math.max(from, line.start_ms);
  const last = Math.min(to, line.end_ms);
  const days: (Metrics & { readonly date: string })[] = [];
  const stretches = listStretches(line);
  let before = totalOf(line, stretches, rates, first);
  for (let day = Math.floor(first / DAY_MS) * DAY_MS; day < last; day += DAY_MS) {
    const after = totalOf(line, stretches, rates, Math.min(last, day + DAY_MS));
    days.push({ date: new Date(day).toISOString().slice(0, 10), ...metricsBetween(line, rates, before, after) });
    before = after;
  }
  return days;
}

/**
 * Returns the delivery at `at` against the plan of an uninterrupted flight: 1 on track, below 1 behind, above 1 ahead.
 * Undefined before the start and where nothing is planned.
 */
export function pacingIndex(line: DeliveryLine, at: number): number | undefined {
  const rates = lineRates(line);
  if (at <= line.start_ms || line.end_ms <= line.start_ms) return undefined;
  const { impressions, spend } = totalAt(line, rates, at);
  const target = targetImpressions(line, line, rates, NOTHING);
  const [actual, expected] = Number.isFinite(target)
    ? [impressions, target * plannedShare(line, target, at)]
    : [spend, maxSpend(line) * Math.min(1, (at - line.start_ms) / (line.end_ms - line.start_ms))];
  return expected > 0 ? Math.round((actual / expected) * 100) / 100 : undefined;
}

/** Returns the share of a target that an uninterrupted flight has delivered by `at`, were there supply enough. */
function plannedShare(line: DeliveryLine, target: number, at: number): number {
  const { clock } = timeStretch(line, [line.start_ms, line.end_ms, line, UNLIMITED], target);
  const elapsed = servedMs(line.reach, line.start_ms, clock(at)) / servedMs(line.reach, line.start_ms, line.end_ms);
  return 1 - (1 - elapsed) ** (line.pacing === 'front_loaded' ? EAGERNESS.front_loaded : 1);
}

/** Returns the delivery status of a line at `at`. A flight that is over is `completed` if it delivered all that was booked, else `flight_ended`. */
export function deliveryStatus(line: DeliveryLine, at: number): DeliveryStatus {
  const rates = lineRates(line);
  const { impressions, spend } = totalAt(line, rates, at);
  const isGoalMet = line.impressions !== undefined && wholeImpressions(impressions) >= line.impressions;
  const isSpent = spend > 0 && inCents(spend) >= inCents(maxSpend(line));
  if (at >= line.end_ms) return isGoalMet || isSpent ? 'completed' : 'flight_ended';
  if (isGoalMet) return 'goal_met';
  if (isSpent && inCents(spend) >= inCents(wholeCents(line.budget))) return 'budget_exhausted';
  const isRunning = listStretches(line).some(([start, end]) => start <= at && at < end);
  const isSupplied =
    line.inventory.daily_impressions > 0 &&
    unitPrice(line.pricing_option, line.bid_price, line.package_id) !== undefined;
  return isRunning && isSupplied && line.budget > 0 ? 'delivering' : 'not_delivering';
}

/** Returns the impressions that use up what is booked of a line; endless where the price is not per impression. */
export function bookedImpressions(line: DeliveryLine): number {
  return targetImpressions(line, line, lineRates(line), NOTHING);
}

/** Returns the most impressions that price, targeting and flight of a line leave between two moments (ms), with their fraction. */
export function mostBetween(line: DeliveryLine, fromMs: number, toMs: number): number {
  const start = Math.max(fromMs, line.start_ms);
  const end = Math.min(toMs, line.end_ms);
  return end <= start ? 0 : supplyPerMs(line, line, UNLIMITED) * servedMs(line.reach, start, end);
}

/** The delivery of a line up to some moment. Impressions with their fraction, spend in the currency. */
type Total = { readonly impressions: number; readonly spend: number };

const NOTHING: Total = { impressions: 0, spend: 0 };

function totalAt(line: DeliveryLine, rates: Rates, at: number): Total {
  return totalOf(line, listStretches(line), rates, at);
}

function totalOf(line: DeliveryLine, stretches: readonly Stretch[], rates: Rates, at: number): Total {
  let total = NOTHING;
  for (const stretch of stretches) {
    const [start, end] = stretch;
    if (at <= start) break;
    total = runStretch(line, stretch, { rates, before: total, until: Math.min(at, end) });
  }
  return total;
}

/** A part of a flight, with the most impressions a day that others leave in it. */
type Stretch = readonly [start: number, end: number, terms: DeliveryTerms, limit: number];

/** The limit where nobody competes. */
const UNLIMITED = Number.POSITIVE_INFINITY;

/** Returns the stretches in which a line runs: in order, without overlap, and within the flight. */
function listStretches(line: DeliveryLine): readonly Stretch[] {
  const stretches: Stretch[] = [];
  const active = line.active ?? [[line.start_ms, line.end_ms] as const];
  let free = line.start_ms;
  for (const [from, to, terms = line] of active.toSorted(([a], [b]) => a - b)) {
    const start = Math.max(from, free);
    const end = Math.min(to, terms.end_ms);
    if (end <= start) continue;
    stretches.push(...splitAtLimits(start, end, terms, line.limits ?? []));
    free = end;
  }
  return stretches;
}

/** Cuts a stretch where what others leave changes. */
function splitAtLimits(start: number, end: number, terms: DeliveryTerms, limits: readonly Limit[]): readonly Stretch[] {
  const parts: Stretch[] = [];
  let at = start;
  for (const { from_ms, to_ms, per_day } of limits) {
    const [from, to] = [Math.max(at, from_ms), Math.min(end, to_ms)];
    if (to <= from) continue;
    if (from > at) parts.push([at, from, terms, UNLIMITED]);
    parts.push([from, to, terms, per_day]);
    at = to;
  }
  if (at < end) parts.push([at, end, terms, UNLIMITED]);
  return parts;
}

/** The delivery of a line `before` a stretch, and the end of its run in it (ms). */
type StretchRun = { readonly rates: Rates; readonly before: Total; readonly until: number };

/** Runs a line on in a stretch; returns what it has delivered by the end of the run. */
function runStretch(line: DeliveryLine, stretch: Stretch, { before, rates, until }: StretchRun): Total {
  const [start, , terms] = stretch;
  const { pricing_option: option } = line;
  const price = unitPrice(option, terms.bid_price, line.package_id);
  if (price === undefined || terms.end_ms <= start) return before;
  const stop = Math.min(until, start + paidMs(option, terms, price, before));
  const left = targetImpressions(line, terms, rates, before) - before.impressions;
  const isUnlimited = left === Number.POSITIVE_INFINITY;
  const { leftMs, perMs, clock } = timeStretch(line, stretch, left);
  const plan = { left, leftMs, eagerness: isUnlimited ? EAGERNESS.asap : EAGERNESS[terms.pacing], perMs };
  const impressions = before.impressions + deliverPlan(plan, servedMs(terms.reach, start, clock(stop)));
  const billing = BILLING[option.pricing_model];
  const bill =
    billing.by === 'count'
      ? price * unitsBetween(billing, rates, wholeImpressions(before.impressions), wholeImpressions(impressions))
      : accrueSpend(line, terms, before, { price, start, until });
  const cap = Math.max(before.spend, wholeCents(terms.budget));
  return { impressions, spend: Math.min(cap, before.spend + bill) };
}

/** Returns how long the rest of a flight serves, the most it can get by its clock's ms, and the clock. */
function timeStretch(line: DeliveryLine, [startMs, , terms, limit]: Stretch, left: number) {
  const leftMs = servedMs(terms.reach, startMs, terms.end_ms);
  const perMs = supplyPerMs(line, terms, limit);
  const utilisation = left === Number.POSITIVE_INFINITY ? 0 : left / (perMs * leftMs);
  // Ads that are served in some hours only are served by the real clock.
  const swing = terms.reach?.hours === undefined ? swingFor(utilisation) : 0;
  const { package_id: seed, channels } = line;
  const clock = deliveryClock({ seed, startMs, endMs: terms.end_ms, swing, week: weekOf(channels) });
  return { leftMs, perMs: perMs / topSpeed(swing), clock };
}

/** Returns the impressions per served millisecond that the price and the targeting of a line can get. */
function supplyPerMs(
  { pricing_option: option, inventory, delivery_type }: DeliveryLine,
  terms: DeliveryTerms,
  limit: number,
): number {
  const { share = 1, per_day, hours } = terms.reach ?? {};
  const won = supplyShare(option, delivery_type === 'guaranteed', terms.bid_price);
  const servedDayMs = hours === undefined ? DAY_MS : servedMs(terms.reach, 0, WEEK_MS) / 7;
  const capped = Math.min(per_day ?? Number.POSITIVE_INFINITY, limit) / servedDayMs;
  return Math.min((inventory.daily_impressions * won * share) / DAY_MS, capped);
}

/** Returns the impressions that use up the budget, or the goal where that is less; endless where the price is not per impression. */
function targetImpressions(line: DeliveryLine, terms: DeliveryTerms, rates: Rates, before: Total): number {
  const { pricing_option: option, package_id } = line;
  const goal = terms.impressions ?? Number.POSITIVE_INFINITY;
  const money = wholeCents(terms.budget) - before.spend;
  if (money <= 0) return Math.min(goal, before.impressions);
  const billing = BILLING[option.pricing_model];
  if (billing.by !== 'count') return goal;
  const price = unitPrice(option, terms.bid_price, package_id) ?? 0;
  return Math.min(goal, impressionsForUnits(billing, rates, wholeImpressions(before.impressions), money / price));
}

/** A charge for time, with its start and end (ms). */
type Accrual = { readonly price: number; readonly start: number; readonly until: number };

/** Returns what the clock charges until `until`: a flat rate evenly over what is left of the flight, time as it passes. */
function accrueSpend(
  line: DeliveryLine,
  terms: DeliveryTerms,
  before: Total,
  { price, start, until }: Accrual,
): number {
  const { pricing_option: option } = line;
  const billing = BILLING[option.pricing_model];
  if (billing.by === 'time') return (price * (until - start)) / billing.unitMs(option);
  const left = Math.min(flatPrice(line, terms.end_ms, price), wholeCents(terms.budget)) - before.spend;
  return left > 0 ? left * ((until - start) / (terms.end_ms - start)) : 0;
}

/** Returns what a flat price comes to over a flight up to its end. */
function flatPrice(
  { pricing_option: option, inventory, start_ms }: DeliveryLine,
  end_ms: number,
  price: number,
): number {
  return price * countSlots({ option, inventory }, { start_ms, end_ms });
}

/** Returns for how long the budget pays, where time is what is paid for. */
function paidMs(option: DeliveryLine['pricing_option'], terms: DeliveryTerms, price: number, before: Total): number {
  const billing = BILLING[option.pricing_model];
  if (billing.by !== 'time' || price <= 0) return Number.POSITIVE_INFINITY;
  return (Math.max(0, wholeCents(terms.budget) - before.spend) / price) * billing.unitMs(option);
}

/** Returns the most that the line's present terms can cost. */
function maxSpend(line: DeliveryLine): number {
  const { budget, pricing_option, bid_price, package_id, start_ms, end_ms } = line;
  const billing = BILLING[pricing_option.pricing_model];
  if (billing.by === 'count') return wholeCents(budget);
  const price = unitPrice(pricing_option, bid_price, package_id) ?? 0;
  const all =
    billing.by === 'flight'
      ? flatPrice(line, end_ms, price)
      : (price * (end_ms - start_ms)) / billing.unitMs(pricing_option);
  return Math.min(wholeCents(budget), all);
}

/** Returns whole impressions, of a sum that may have lost its last bits. */
function wholeImpressions(impressions: number): number {
  return Math.floor(impressions * (1 + 1e-12) + ROUNDING);
}

/** Returns money down to a whole cent: 4.35 stays, though 4.35 * 100 is less than 435. */
function wholeCents(money: number): number {
  const nearest = Math.round(money * 100) / 100;
  return nearest <= money ? nearest : Math.floor(money * 100) / 100;
}

function inCents(money: number): number {
  return Math.round(money * 100);
}

function metricsBetween(line: DeliveryLine, rates: Rates, before: Total, after: Total): Metrics {
  const [from, to] = [
    countEvents(rates, wholeImpressions(before.impressions)),
    countEvents(rates, wholeImpressions(after.impressions)),
  ];
  const grown = (name: keyof Counts) => to[name] - from[name];
  const impressions = grown('impressions');
  const { pricing_model } = line.pricing_option;
  const spend = (inCents(after.spend) - inCents(before.spend)) / 100;
  return {
    impressions,
    spend,
    clicks: grown('clicks'),
    ctr: ratio(grown('clicks'), impressions),
    ...costPer('cost_per_click', spend, grown('clicks')),
    ...(rates.completion === undefined ? {} : playMetrics(rates.completion, from, to)),
    ...(rates.viewable === undefined
      ? {}
      : {
          viewability: {
            measurable_impressions: impressions,
            viewable_impressions: grown('viewable'),
            viewable_rate: ratio(grown('viewable'), impressions),
            standard: 'mrc',
          },
        }),
    ...(line.channels.includes('dooh') ? { plays: impressions, dooh_metrics: { loop_plays: impressions } } : {}),
    ...(pricing_model === 'cpa' || line.inventory.conversion_rate !== undefined
      ? conversionMetrics({ conversions: grown('conversions'), spend, worth: line.inventory.conversion_value })
      : {}),
    ...(pricing_model === 'cpp'
      ? { grps: Math.round((ratingPoints(to.impressions) - ratingPoints(from.impressions)) * 100) / 100 }
      : {}),
  };
}
