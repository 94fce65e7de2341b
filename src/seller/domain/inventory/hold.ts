import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { sumOf } from '../../../platform/kernel/numbers.js';
import { TaskError } from '../../../protocol/errors.js';
import { bookedImpressions, mostBetween } from '../delivery/delivery.js';
import { type DeliveryLine, deliveryLine, type SoldLine } from '../delivery/line.js';
import type { Package, Sold } from '../media-buy/media-buy.js';

/** An equal hold on days in a row: the first and last, as ms of their midnight in UTC, and how much each holds. */
export type Run = readonly [first_ms: number, last_ms: number, amount: number];

/** The impressions of a product that others hold on a day, by ms of its midnight. */
type HeldByDay = ReadonlyMap<number, number>;

/** So many days after a flight are searched for a time that has room. */
export const SEARCHED_DAYS = 366;

/** Returns whether a package reserves inventory: what was promised, and what nobody else, or no rival, may have beside it. */
export function isReserved({ canceled, sold }: Pick<Package, 'canceled' | 'sold'>): boolean {
  const { delivery_type, exclusivity = 'none' } = sold;
  return !canceled && (delivery_type === 'guaranteed' || exclusivity !== 'none');
}

/** Returns whether a package has its product for itself: its book counts sales of a day, and others count impressions. */
export function isExclusive({ sold }: { readonly sold: Pick<Sold, 'exclusivity'> }): boolean {
  return sold.exclusivity === 'exclusive';
}

/** Returns whether two states of a package hold the same. */
export function isHeldAlike(one: Package, other: Package): boolean {
  const terms = ({ start_time, end_time, budget, bid_price, impressions, canceled, reach }: Package) =>
    JSON.stringify([start_time, end_time, budget, bid_price, impressions, canceled, reach]);
  return one === other || terms(one) === terms(other);
}

/** Returns the midnight (UTC) that a moment's day began with, ms. */
export function midnightOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS) * DAY_MS;
}

/** Returns the part of held days that lies before a day. */
export function runsBefore(runs: readonly Run[], dayMs: number): readonly Run[] {
  return runs.flatMap(([first, last, amount]): readonly Run[] =>
    first >= dayMs ? [] : [[first, Math.min(last, dayMs - DAY_MS), amount]],
  );
}

/** Returns held days without what others hold on them; never less than nothing. */
export function subtractRuns(runs: readonly Run[], others: readonly Run[]): readonly Run[] {
  const less = new Map<number, number>();
  for (const [day, amount] of listDays(others)) less.set(day, (less.get(day) ?? 0) + amount);
  const days = new Map<number, number>();
  for (const [day, amount] of listDays(runs)) days.set(day, (days.get(day) ?? 0) + amount);
  return joinDays(
    [...days]
      .toSorted(([one], [other]) => one - other)
      .map(([day, amount]) => [day, Math.max(0, amount - (less.get(day) ?? 0))] as const),
  );
}

/** Returns held days one by one. */
export function listDays(runs: readonly Run[]): readonly (readonly [day_ms: number, amount: number])[] {
  return runs.flatMap(([first, last, amount]) =>
    Array.from({ length: (last - first) / DAY_MS + 1 }, (_, index) => [first + index * DAY_MS, amount] as const),
  );
}

/** Returns the path of a member of a package in a request. */
export type FieldOf = (member: 'product_id' | 'budget') => string;

/** A package that asks for room: what others hold, what it has itself, from which day on it is held anew, and its path in the request. */
export type HoldRequest = {
  readonly line: SoldLine;
  readonly held: HeldByDay;
  readonly own: readonly Run[];
  readonly fromMs: number;
  /** Returns the path of a member of the package. */
  readonly field: FieldOf;
  /** Whether what is left is taken where it is too little: of buys that are there already. */
  readonly isPartial?: boolean | undefined;
  /** The part of the budget of the request that is the package's, where that is for a whole plan; 0 to 1. */
  readonly part?: number | undefined;
};

/** Returns the days that a package holds from `fromMs` on. Throws PRODUCT_UNAVAILABLE with what would be possible. */
export function reserveDays(request: HoldRequest): readonly Run[] {
  return isExclusive(request.line) ? reserveAlone(request) : reserveVolume(request);
}

/** The most days that one sale reserves, a century: books are kept by day. */
const MAX_RESERVED_DAYS = 36_525;

/** Refuses a sale that would reserve more days than are sold at once. Throws PRODUCT_UNAVAILABLE. */
export function checkHorizon(line: SoldLine, fromMs: number, field: string): void {
  const { start_ms, end_ms } = deliveryLine(line);
  const first = Math.max(fromMs, midnightOf(start_ms));
  if (end_ms - first <= MAX_RESERVED_DAYS * DAY_MS) return;
  throw new TaskError('PRODUCT_UNAVAILABLE', 'This product is reserved by day, at most a century at once.', {
    field,
    suggestion: `End the flight by ${isoTime(first + MAX_RESERVED_DAYS * DAY_MS)}, or choose a product that is not guaranteed.`,
    details: { available_until: isoTime(first + MAX_RESERVED_DAYS * DAY_MS) },
  });
}

function flightDays({ start_ms, end_ms }: DeliveryLine, fromMs: number): readonly number[] {
  const first = Math.max(fromMs, midnightOf(start_ms));
  const count = Math.max(0, Math.ceil((end_ms - first) / DAY_MS));
  return Array.from({ length: count }, (_, index) => first + index * DAY_MS);
}

/** Returns how many impressions a package's hold lacks of what it was sold, by what is held before and from `fromMs` on; 0 where it lacks none. */
export function missingImpressions(line: SoldLine, runs: readonly Run[], fromMs: number): number {
  if (isExclusive(line)) return 0;
  const target = deliveryLine(line);
  const booked = bookedImpressions(target);
  const held = sumOf(listDays(runs).map(([day, amount]) => (Number.isFinite(booked) || day >= fromMs ? amount : 0)));
  return Math.max(0, Math.ceil((Number.isFinite(booked) ? booked : openImpressions(target, fromMs)) - held));
}

/** Returns the most that a flight can still bring, whole impressions of whole days: what a price without a count is sold for. */
function openImpressions(target: DeliveryLine, fromMs: number): number {
  return sumOf(flightDays(target, fromMs).map((day) => Math.floor(mostBetween(target, day, day + DAY_MS) + 1e-6)));
}

function reserveAlone({ line, held, own, fromMs, field, isPartial = false }: HoldRequest): readonly Run[] {
  const days = flightDays(deliveryLine(line), fromMs);
  const before = new Set(listDays(own).map(([day]) => day));
  const isFree = (day: number): boolean => before.has(day) || (held.get(day) ?? 0) === 0;
  const taken = days.filter((day) => !isFree(day));
  if (taken.length === 0 || isPartial) return joinDays(days.filter(isFree).map((day) => [day, 1]));
  const remark = 'The product is sold to one buyer at a time, and another has it on these days.';
  throw takenDays(remark, { days, taken, isFree, field: field('product_id') });
}

/** The days of a flight that somebody else has, and which days are free. */
type TakenDays = {
  readonly days: readonly number[];
  readonly taken: readonly number[];
  readonly isFree: (day: number) => boolean;
  readonly field: string;
};

function takenDays(remark: string, { days, taken, isFree, field }: TakenDays): TaskError {
  const [first = 0] = days;
  const starts = Array.from({ length: SEARCHED_DAYS }, (_, index) => first + (index + 1) * DAY_MS);
  const free = starts.find((start) => days.every((_day, index) => isFree(start + index * DAY_MS)));
  const next =
    free === undefined ? undefined : { start_time: isoTime(free), end_time: isoTime(free + days.length * DAY_MS) };
  return new TaskError('PRODUCT_UNAVAILABLE', remark, {
    field,
    suggestion:
      next === undefined
        ? 'Choose another product.'
        : `Free next: ${next.start_time} to ${next.end_time}. Move the flight there, or choose another product.`,
    details: {
      taken_dates: taken.slice(0, 31).map(dateOf),
      available_from: next?.start_time,
      available_until: next?.end_time,
    },
  });
}

/** Refuses days on which a rival of the same industry holds a product that is sold to one of each. Throws PRODUCT_UNAVAILABLE. */
export function checkRivals(line: SoldLine, rivals: readonly (readonly Run[])[], fromMs: number, field: string): void {
  const theirs = new Set(rivals.flatMap((runs) => listDays(runs).map(([day]) => day)));
  const days = flightDays(deliveryLine(line), fromMs);
  const taken = days.filter((day) => theirs.has(day));
  if (taken.length === 0) return;
  const isFree = (day: number): boolean => !theirs.has(day);
  const remark = 'The product is sold to one advertiser of an industry at a time, and another has it on these days.';
  throw takenDays(remark, { days, taken, isFree, field });
}

/** The room of a day for a line: as whole impressions, and the part of the day that is in the flight. */
type Room = { readonly day: number; readonly most: number };

function reserveVolume({ line, held, own, fromMs, field, part, isPartial = false }: HoldRequest): readonly Run[] {
  const target = deliveryLine(line);
  const before = new Map(listDays(own));
  const roomOn = (day: number, flight: DeliveryLine): Room => {
    const most = Math.floor(mostBetween(flight, day, day + DAY_MS) + 1e-6);
    const left = Math.floor(line.sold.inventory.daily_impressions) - (held.get(day) ?? 0);
    return { day, most: Math.max(0, Math.min(most, Math.max(left, before.get(day) ?? 0))) };
  };
  const rooms = flightDays(target, fromMs).map((day) => roomOn(day, target));
  const booked = bookedImpressions(target);
  const needed = Number.isFinite(booked)
    ? Math.max(0, booked - sumOf(listDays(runsBefore(own, fromMs)).map(([, amount]) => amount)))
    : openImpressions(target, fromMs);
  const available = sumOf(rooms.map(({ most }) => most));
  if (needed <= available || isPartial) return joinDays(spreadEvenly(rooms, Math.min(needed, available)));
  const longer = findLongerEnd(target, roomOn, needed - available);
  throw notEnough(line, { needed, available, longer, field, part });
}

/** Returns when a flight would have to end to find the rest; undefined where it would not within a year more. */
function findLongerEnd(
  target: DeliveryLine,
  roomOn: (day: number, flight: DeliveryLine) => Room,
  missing: number,
): string | undefined {
  if (!Number.isFinite(bookedImpressions(target))) return undefined;
  const first = Math.ceil(target.end_ms / DAY_MS) * DAY_MS;
  const open = { ...target, end_ms: first + SEARCHED_DAYS * DAY_MS };
  let capacity = 0;
  for (let day = first; day < open.end_ms; day += DAY_MS) {
    capacity += roomOn(day, open).most;
    if (capacity >= missing) return isoTime(day + DAY_MS);
  }
  return undefined;
}

type Shortage = {
  readonly needed: number;
  readonly available: number;
  readonly longer: string | undefined;
  readonly field: FieldOf;
  readonly part: number | undefined;
};

function notEnough(line: SoldLine, { needed, available, longer, field, part = 1 }: Shortage): TaskError {
  const { currency } = line.sold.option;
  const isCounted = Number.isFinite(bookedImpressions(deliveryLine(line)));
  const own = isCounted ? Math.floor((line.budget * available * 100) / needed) / 100 : undefined;
  const budget = own && Math.floor((own * 100) / part) / 100;
  const least = line.sold.option.min_spend_per_package ?? 0;
  const offers = [
    budget === undefined || own === undefined || budget <= 0 || own < least
      ? []
      : [`offer at most ${budget} ${currency}${part < 1 ? ' for the whole plan' : ''}`],
    longer === undefined ? [] : [`end the flight at ${longer}`],
    ['choose other dates or another product'],
  ].flat();
  return new TaskError('PRODUCT_UNAVAILABLE', 'The product has not so much left in this flight.', {
    field: field('budget'),
    suggestion: `Left from ${line.start_time} to ${line.end_time}: ${available} of the ${needed} impressions. You can ${offers.join(', or ')}.`,
    details: {
      available_impressions: available,
      requested_impressions: needed,
      maximum_budget: budget,
      currency,
      available_until: longer,
    },
  });
}

/** Fills days as evenly as their room allows: those with the least room first, so that the others take what these cannot. */
function spreadEvenly(rooms: readonly Room[], needed: number): readonly (readonly [number, number])[] {
  const amounts = new Map<number, number>();
  let left = needed;
  rooms
    .toSorted((one, other) => one.most - other.most)
    .forEach(({ day, most }, index) => {
      const amount = Math.min(most, Math.ceil(left / (rooms.length - index)));
      amounts.set(day, amount);
      left -= amount;
    });
  return rooms.map(({ day }) => [day, amounts.get(day) ?? 0] as const);
}

function joinDays(days: readonly (readonly [number, number])[]): readonly Run[] {
  const runs: [number, number, number][] = [];
  for (const [day, amount] of days) {
    const last = runs.at(-1);
    if (amount === 0) continue;
    if (last !== undefined && last[1] === day - DAY_MS && last[2] === amount) last[1] = day;
    else runs.push([day, day, amount]);
  }
  return runs;
}

function dateOf(dayMs: number): string {
  return isoTime(dayMs).slice(0, 10);
}
