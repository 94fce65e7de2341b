import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { MediaBuy } from '../media-buy/media-buy.js';
import { reportingZone } from '../media-buy/reporting.js';
import { type ForeignIds, joinForeignIds } from './foreign-ids.js';
import type { LiveOrder } from './live-order.js';
import type { BookedTerms } from './terms.js';

/**
 * How far a revision of a buy is on its way into the ad server; without a row it is not booked. `booking` is stored before the call, so
 * that its outcome is as unknown as that of `unknown`; `overdue` is past its deadline and still tried; `stranded` has a tenant without
 * the ad server that has it.
 */
type BookingState = 'booking' | 'booked' | 'refused' | 'waiting' | 'unknown' | 'overdue' | 'stranded';

/** The booking of a buy. Times in ms since the epoch. */
export type OrderBooking = {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly state: BookingState;
  /** The revision that was tried last. */
  readonly revision: number;
  /** Since it was booked last, without those that ended with their process. */
  readonly attempts: number;
  readonly first_at: number;
  /** When it is tried again; null where it is not. */
  readonly next_at: number | null;
  /** Whether a call may have had an effect that nobody has read. */
  readonly is_unsure: boolean;
  readonly foreign?: ForeignIds | undefined;
  /** Why it is not booked, for people. */
  readonly reason?: string | undefined;
  /** The ad server that has it, by the name of its adapter. */
  readonly ad_server?: string | undefined;
  /** What was booked last: the order, and the terms that a refused change goes back to. */
  readonly booked?: { readonly order: LiveOrder; readonly terms: BookedTerms } | undefined;
  /** Until when people carried the order out, where the ad server has it again since then. */
  readonly by_hand_until?: number | undefined;
};

/**
 * The outcome of a call of the ad server. `foreign` are the ids that it has for what is there by now; `isUnsure` says
 * that an earlier call may still have had an effect.
 */
export type BookingOutcome = { readonly foreign?: ForeignIds | undefined; readonly isUnsure?: boolean } & (
  | { readonly kind: 'booked'; readonly booked?: OrderBooking['booked'] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly retryAfterMs?: number | undefined }
  | { readonly kind: 'unknown' | 'stranded'; readonly reason: string }
);

/** The states that an attempt may begin in; a new revision may be tried in any. */
const OPEN: readonly BookingState[] = ['booking', 'waiting', 'unknown', 'overdue', 'stranded'];

/** The state after each outcome of a call. */
const AFTER: Readonly<Record<BookingOutcome['kind'], BookingState>> = {
  booked: 'booked',
  refused: 'refused',
  later: 'waiting',
  unknown: 'unknown',
  stranded: 'stranded',
};

const FIRST_DELAY_MS = 2 * SECOND_MS;
/** An ad server that answers again has every order within this and what the calls take. */
const LONGEST_DELAY_MS = MINUTE_MS;
/** Of what has been tried for so long that a minute more or less is nothing. */
const LATE_DELAY_MS = 10 * MINUTE_MS;
const LATE_MS = 6 * HOUR_MS;
/** The longest pause that an ad server may ask for. */
const MAX_ASKED_MS = HOUR_MS;
/** By what part of itself a delay may be shorter or longer. */
const JITTER = 0.2;
/** After the first attempt. */
const DEADLINE_MS = 24 * HOUR_MS;

/** Returns the booking of a revision as it is stored before the ad server is called. */
export function beginBooking(
  before: OrderBooking | undefined,
  order: Pick<OrderBooking, 'media_buy_id' | 'owner' | 'revision' | 'ad_server'>,
  nowMs: number,
): OrderBooking {
  const isOpen = before !== undefined && OPEN.includes(before.state);
  // A process that ended within its call is no failure of the ad server, which is not spared any longer for it.
  const failures = isOpen ? before.attempts - (before.state === 'booking' ? 1 : 0) : 0;
  return {
    ...order,
    state: 'booking',
    attempts: failures + 1,
    first_at: isOpen ? before.first_at : nowMs,
    // If nothing comes of this, it is due at once.
    next_at: nowMs,
    is_unsure: true,
    foreign: before?.foreign,
    booked: before?.booked,
    by_hand_until: before?.by_hand_until,
    reason: isOpen ? before.reason : undefined,
  };
}

/** Returns a booking after a call of the ad server. */
export function endBooking(begun: OrderBooking, outcome: BookingOutcome, nowMs: number): OrderBooking {
  const isAgain = outcome.kind !== 'booked' && outcome.kind !== 'refused';
  const isOverdue = isAgain && outcome.kind !== 'stranded' && nowMs - begun.first_at >= DEADLINE_MS;
  return {
    ...begun,
    state: isOverdue ? 'overdue' : AFTER[outcome.kind],
    next_at: isAgain ? nowMs + delayMs(begun, outcome, nowMs) : null,
    is_unsure: outcome.kind === 'unknown' || (outcome.kind !== 'booked' && outcome.isUnsure === true),
    foreign: joinForeignIds(begun.foreign, outcome.foreign),
    booked: outcome.kind === 'booked' ? (outcome.booked ?? begun.booked) : begun.booked,
    reason: outcome.kind === 'booked' ? undefined : outcome.reason.slice(0, MAX_REASON_CHARS),
  };
}

const MAX_REASON_CHARS = 1000;

/** Returns a booking after a person has booked the present revision of the buy. */
export function bookedByHand(
  before: OrderBooking,
  { revision, booked_by_hand: byHand }: Pick<MediaBuy, 'revision' | 'booked_by_hand'>,
): OrderBooking {
  const foreign = byHand?.order_id === undefined ? undefined : { order: byHand.order_id };
  return {
    ...before,
    state: 'booked',
    revision,
    next_at: null,
    is_unsure: false,
    foreign: joinForeignIds(before.foreign, foreign),
    // The adapter has not seen it.
    booked: undefined,
    reason: undefined,
  };
}

/** Whether people carry out an order that an ad server was to: until the ad server has booked it again. */
export function isByHand(
  { booked_by_hand: byHand }: Pick<MediaBuy, 'booked_by_hand'>,
  booking: Pick<OrderBooking, 'booked'> | undefined,
): boolean {
  return byHand !== undefined && booking !== undefined && booking.booked === undefined;
}

/**
 * Returns the first day (from the epoch, in the time zone of the buy's reports) whose delivery an ad server tells; undefined while people carry
 * the order out. The day on which the ad server takes over is still theirs.
 */
export function firstReadDay(
  buy: Pick<MediaBuy, 'booked_by_hand' | 'packages'>,
  booking: Pick<OrderBooking, 'booked' | 'by_hand_until'> | undefined,
): number | undefined {
  if (isByHand(buy, booking)) return undefined;
  const untilMs = booking?.by_hand_until;
  return untilMs === undefined ? 0 : Math.floor(reportingZone(buy).localMs(untilMs) / DAY_MS) + 1;
}

/** What a person who carries out an order in place of its ad server does about its delivery. */
export const BY_HAND_REMEDY =
  'It is carried out by hand: enter what it delivers with "delivery import", and carry out its changes too.';

/** The states in which a person has to look: the order was refused, has not been booked for a day, or has no ad server to go to. */
export const STATES_FOR_PEOPLE = ['refused', 'overdue', 'stranded'] as const satisfies readonly BookingState[];

/** The states of an order that its ad server did not take when it was last asked. */
export const FAILED_STATES = ['waiting', 'unknown', ...STATES_FOR_PEOPLE] as const satisfies readonly BookingState[];

/** What to do about an order that is not booked, by its state. */
const REMEDIES: Readonly<Partial<Record<BookingState, string>>> = {
  booking:
    'Its ad server has not answered yet. Leave it alone: it is looked for there by our id before it is booked again.',
  waiting:
    'It is tried again by itself. If that goes on, mend what the ad server says; "check --online" tries the connection.',
  unknown:
    'Leave it alone: it is looked for there by our id before it is booked again. "check --online" tries the connection.',
  overdue: 'It is still tried. Mend what the ad server says, or carry it out there by hand and say "orders booked".',
  refused: 'Carry it out there by hand and say "orders booked".',
  stranded: 'Do what is said there.',
};

const NEVER_TRIED = 'Nobody has tried to book it: look for what the log says of "booking".';

/** Returns what a person does about an order that is not booked; undefined where it is. */
export function adviseOn(booking: Pick<OrderBooking, 'state'> | undefined): string | undefined {
  return booking === undefined ? NEVER_TRIED : REMEDIES[booking.state];
}

/** What to do about an order whose delivery cannot be read from its ad server. */
export const DELIVERY_REMEDY =
  'It is asked for again by itself, from the last day that was read. If that goes on, mend what is said there; "check --online" tries the connection.';

/** Whether a person may say that an order is booked which an ad server was to take: it needs one, or is carried out by one. */
export function isForPeople(buy: Pick<MediaBuy, 'booked_by_hand'>, booking: OrderBooking | undefined): boolean {
  return STATES_FOR_PEOPLE.some((one) => one === booking?.state) || isByHand(buy, booking);
}

/**
 * Returns the exponential delay before the next attempt, with a jitter that is the same for the same attempt and
 * another one for every order.
 */
function delayMs(
  { attempts, first_at, media_buy_id }: OrderBooking,
  outcome: Exclude<BookingOutcome, { kind: 'booked' | 'refused' }>,
  nowMs: number,
): number {
  const longestMs = nowMs - first_at >= LATE_MS ? LATE_DELAY_MS : LONGEST_DELAY_MS;
  const plannedMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 16), longestMs);
  const seed = Number.parseInt(sha256Hex(`${media_buy_id}:${attempts}`).slice(0, 8), 16) / 0xffff_ffff;
  const spreadMs = Math.round(plannedMs * (1 + JITTER * (seed * 2 - 1)));
  const askedMs = outcome.kind === 'later' ? Math.max(0, outcome.retryAfterMs ?? 0) : 0;
  return Math.max(spreadMs, Math.min(askedMs, MAX_ASKED_MS));
}
