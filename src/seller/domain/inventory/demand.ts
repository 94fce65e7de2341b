import { DAY_MS, HOUR_MS } from '../../../platform/kernel/clock.js';
import { BILLING } from '../delivery/billing.js';
import { bookedImpressions, lineRates, mostBetween } from '../delivery/delivery.js';
import type { Limit } from '../delivery/limit.js';
import { type DeliveryLine, deliveryLine } from '../delivery/line.js';
import { swingFor, topSpeed } from '../delivery/pace.js';
import type { MediaBuy, Pacing, Package } from '../media-buy/media-buy.js';
import { isExclusive, type Run } from './hold.js';

/** A stretch of time in which a package asks for so many impressions a day, at a price. */
export type Demand = {
  /** Half open, ms. */
  readonly from_ms: number;
  readonly to_ms: number;
  readonly per_day: number;
  readonly price_level: number;
};

/** By how much all that is asked for of a product at a price changes at a moment. */
export type DemandChange = { readonly at_ms: number; readonly price_level: number; readonly per_day: number };

/** All that is asked for of a product: by price at a moment, and the changes after it, in order. */
export type BookDemand = { readonly first: readonly DemandChange[]; readonly changes: readonly DemandChange[] };

/** The price level of what is promised: it goes before all that is not. */
const PROMISED = 1e12;

/** The demand of a package in a part of its flight, as a multiple of its mean day: days differ. `until`: 0 to 1. */
type Claim = { readonly until: number; readonly days: number };
const CLAIMS: Record<Exclude<Pacing, 'asap'>, readonly Claim[]> = {
  even: [{ until: 1, days: 1.5 }],
  front_loaded: [
    { until: 0.5, days: 2 },
    { until: 1, days: 1.25 },
  ],
};
/** What an eager package asks for once it could have had all, as a multiple of its mean day: it may have got less. */
const LATE_CLAIM = 0.25;

/** Returns whether a package runs, or will when its flight begins, as far as that is known. */
function willRun({ status, held }: MediaBuy, { canceled, paused, segments }: Package): boolean {
  if (canceled || paused) return false;
  return status === 'active' ? segments.at(-1)?.to === undefined && segments.length > 0 : isReady(status) && !held;
}

function isReady(status: MediaBuy['status']): boolean {
  return status === 'pending_start';
}

/** Returns what a package asks for from a moment (ms) on; `runs` is what it holds, where it was promised. Nobody competes for what is exclusive. */
export function expectDemand(
  buy: MediaBuy,
  line: Package,
  runs: readonly Run[] | undefined,
  fromMs: number,
): readonly Demand[] {
  if (!willRun(buy, line) || isExclusive(line)) return [];
  const booked = deliveryLine(line);
  const from_ms = Math.max(fromMs, booked.start_ms);
  if (from_ms >= booked.end_ms) return [];
  if (line.sold.delivery_type === 'guaranteed')
    return fillGaps(promisedDemand(booked, runs ?? [], from_ms), from_ms, booked.end_ms);
  return claimDemand(booked).flatMap((demand) =>
    demand.to_ms <= from_ms || demand.per_day <= 0 ? [] : [{ ...demand, from_ms: Math.max(demand.from_ms, from_ms) }],
  );
}

/** Fills days of which nothing is held with a demand of nothing, which is not the same as nobody else asking. */
function fillGaps(demands: readonly Demand[], fromMs: number, endMs: number): readonly Demand[] {
  const filled: Demand[] = [];
  let at = fromMs;
  for (const demand of demands) {
    if (demand.from_ms > at) filled.push({ from_ms: at, to_ms: demand.from_ms, per_day: 0, price_level: PROMISED });
    filled.push(demand);
    at = demand.to_ms;
  }
  return at < endMs ? [...filled, { from_ms: at, to_ms: endMs, per_day: 0, price_level: PROMISED }] : filled;
}

/** Returns what is held as demand; a part of a day at the rate that fills it. */
function promisedDemand({ start_ms, end_ms }: DeliveryLine, runs: readonly Run[], fromMs: number): readonly Demand[] {
  return runs.flatMap(([first, last, amount]) => {
    const [start, end] = [Math.max(first, start_ms), Math.min(last + DAY_MS, end_ms)];
    const cuts = [start, Math.ceil(start / DAY_MS) * DAY_MS, Math.floor(end / DAY_MS) * DAY_MS, end];
    const edges = [...new Set(cuts)].filter((at) => at >= start && at <= end).sort((one, other) => one - other);
    return edges.slice(1).flatMap((to_ms, index): readonly Demand[] => {
      const from = edges[index] ?? to_ms;
      const partOfDay = Math.min(1, (to_ms - from) / DAY_MS);
      const from_ms = Math.max(from, fromMs);
      if (from_ms >= to_ms) return [];
      return [{ from_ms, to_ms, per_day: Math.ceil(amount / partOfDay), price_level: PROMISED }];
    });
  });
}

/** Returns the most that a line which is only planned would get beside what others ask for of its product already. */
export function limitPlanned(line: DeliveryLine, { first, changes }: BookDemand): readonly Limit[] {
  const own = claimDemand(line);
  const all = [...changes, ...diffDemand([], own)].sort((one, other) => one.at_ms - other.at_ms);
  return shareSupply(own, { first, changes: all }, line.inventory.daily_impressions);
}

/** Returns what a line asks for that is not promised: by its pacing, and never more than it could get alone. */
function claimDemand(line: DeliveryLine): readonly Demand[] {
  const { start_ms, end_ms, pacing } = line;
  const price_level = priceLevel(line);
  const flightMs = end_ms - start_ms;
  const most = (mostBetween(line, start_ms, end_ms) * DAY_MS) / flightMs;
  const mean = (bookedImpressions(line) * DAY_MS) / flightMs;
  const eager: readonly Claim[] = [
    // Its days differ too: it is as much slower than it could be as its fastest day needs.
    { until: Math.min(1, (mean / most) * topSpeed(swingFor(mean / most))), days: most / mean },
    { until: 1, days: LATE_CLAIM },
  ];
  if (!Number.isFinite(mean) || mean >= most)
    return [{ from_ms: start_ms, to_ms: end_ms, per_day: Math.ceil(most), price_level }];
  let from_ms = start_ms;
  return (pacing === 'asap' ? eager : CLAIMS[pacing]).map(({ until, days }) => {
    const to_ms = Math.round(start_ms + until * flightMs);
    const demand = { from_ms, to_ms, per_day: Math.ceil(Math.min(most, mean * days)), price_level };
    from_ms = to_ms;
    return demand;
  });
}

/** Returns what a line pays for 1000 impressions, in thousandths of its currency's unit. */
function priceLevel(line: DeliveryLine): number {
  const { pricing_option: option, bid_price, budget, start_ms, end_ms } = line;
  const billing = BILLING[option.pricing_model];
  const price = option.fixed_price ?? bid_price ?? option.floor_price ?? 0;
  if (billing.by !== 'count') return Math.round((budget / Math.max(1, mostBetween(line, start_ms, end_ms))) * 1e6);
  const rates = lineRates(line);
  return Math.round(((price * billing.rate(rates)) / billing.per) * 1e6);
}

/** Returns demands without what lies after a moment, ms. */
export function demandBefore(demands: readonly Demand[], atMs: number): readonly Demand[] {
  return demands.flatMap((demand) =>
    demand.from_ms >= atMs ? [] : [{ ...demand, to_ms: Math.min(demand.to_ms, atMs) }],
  );
}

/** So many moments of an hour may change what is asked for of a product; a further change waits for the end of the hour. */
const MAX_MOMENTS_PER_HOUR = 4;

/** Returns the moments from `nowMs` on at which demands begin or end, without those of `before`; none of a flight that is over within the hour. */
export function newEdges(before: readonly Demand[], demands: readonly Demand[], nowMs: number): readonly number[] {
  if ((demands.at(-1)?.to_ms ?? 0) < nowMs + HOUR_MS) return [];
  const earlier = new Set(before.flatMap(({ from_ms, to_ms }) => [from_ms, to_ms]));
  const edges = new Set(demands.flatMap(({ from_ms, to_ms }) => [from_ms, to_ms]));
  return [...edges].filter((at) => at >= nowMs && !earlier.has(at));
}

/** Returns the hour that a moment is in, ms. */
export function hourOf(atMs: number): { readonly from: number; readonly to: number } {
  const from = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  return { from, to: from + HOUR_MS };
}

/** Returns when a change comes into a book that has changes at these moments of its hour: at once, or at the end of the hour. */
export function settleEdge(atMs: number, moments: readonly number[]): number {
  const { from, to } = hourOf(atMs);
  return atMs === from || moments.length < MAX_MOMENTS_PER_HOUR || moments.includes(atMs) ? atMs : to;
}

/** Returns demands with their edges moved later as `moved` says; who begins later asks for nothing until then, and gets nothing of others. */
export function moveEdges(demands: readonly Demand[], moved: ReadonlyMap<number, number>): readonly Demand[] {
  const edge = (at: number): number => moved.get(at) ?? at;
  return demands.flatMap((demand, index) => {
    const [from_ms, to_ms] = [edge(demand.from_ms), edge(demand.to_ms)];
    const isFirst = demands[index - 1]?.to_ms !== demand.from_ms;
    const waits = isFirst && from_ms > demand.from_ms ? [{ ...demand, to_ms: from_ms, per_day: 0 }] : [];
    return from_ms < to_ms ? [...waits, { ...demand, from_ms, to_ms }] : waits;
  });
}

/** Returns the changes that lead from what a package asked for to what it asks for now. */
export function diffDemand(before: readonly Demand[], after: readonly Demand[]): readonly DemandChange[] {
  const changes = new Map<string, DemandChange>();
  const add = (at_ms: number, price_level: number, per_day: number): void => {
    const key = `${at_ms} ${price_level}`;
    changes.set(key, { at_ms, price_level, per_day: (changes.get(key)?.per_day ?? 0) + per_day });
  };
  for (const [demands, sign] of [[before, -1] as const, [after, 1] as const]) {
    for (const { from_ms, to_ms, per_day, price_level } of demands) {
      add(from_ms, price_level, sign * per_day);
      add(to_ms, price_level, -sign * per_day);
    }
  }
  return [...changes.values()].filter(({ per_day }) => per_day !== 0);
}

/**
 * Returns the most that a package gets while others ask for the same supply: all in proportion where there is enough, else those who pay
 * more first; empty where nobody else asks. What all get together is never more than the supply at any time.
 */
export function shareSupply(own: readonly Demand[], book: BookDemand, dailySupply: number): readonly Limit[] {
  const asked = new Map<number, number>();
  const apply = ({ price_level, per_day }: DemandChange): void => {
    const sum = (asked.get(price_level) ?? 0) + per_day;
    if (sum === 0) asked.delete(price_level);
    else asked.set(price_level, sum);
  };
  for (const change of book.first) apply(change);
  const limits: Limit[] = [];
  let next = 0;
  for (const { from_ms, to_ms, per_day, price_level } of own) {
    let at = from_ms;
    while (at < to_ms) {
      for (; (book.changes[next]?.at_ms ?? Number.POSITIVE_INFINITY) <= at; next += 1) {
        const change = book.changes[next];
        if (change !== undefined) apply(change);
      }
      const until = Math.min(to_ms, book.changes[next]?.at_ms ?? to_ms);
      const most = shareOf(per_day, price_level, asked, dailySupply);
      if (most !== undefined) addLimit(limits, { from_ms: at, to_ms: until, per_day: most });
      at = until;
    }
  }
  return limits;
}

/** Returns what one who asks for so much at a price gets of a day's supply; undefined where nobody else asks. */
function shareOf(
  perDay: number,
  priceLevel: number,
  asked: ReadonlyMap<number, number>,
  supply: number,
): number | undefined {
  let [all, above] = [0, 0];
  for (const [level, amount] of asked) {
    all += amount;
    if (level > priceLevel) above += amount;
  }
  const atPrice = asked.get(priceLevel) ?? perDay;
  if (all <= perDay) return undefined;
  if (all <= supply) return priceLevel === PROMISED ? perDay : (perDay * supply) / all;
  if (perDay === 0) return 0;
  const room = Math.min(atPrice, Math.max(0, supply - above));
  return (perDay * room) / atPrice;
}

function addLimit(limits: Limit[], limit: Limit): void {
  const last = limits.at(-1);
  if (last?.to_ms === limit.from_ms && last.per_day === limit.per_day)
    limits[limits.length - 1] = { ...last, to_ms: limit.to_ms };
  else limits.push(limit);
}
