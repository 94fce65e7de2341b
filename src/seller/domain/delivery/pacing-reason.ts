import { BILLING, unitPrice } from './billing.js';
import { bookedImpressions, mostBetween, pacingIndex } from './delivery.js';
import type { DeliveryLine } from './line.js';

const DAY_MS = 86_400_000;

/** A pacing index that differs from 1 by no more is on track. */
const ON_TRACK = 0.02;

/** Why a line is ahead of its plan or behind it. */
type PacingReason = { readonly code: string; readonly message: string };

/** A line with one bound less, and what it means if there would be enough without that bound. */
type Bound = readonly [loosen: (line: DeliveryLine) => DeliveryLine, reason: PacingReason];

/** What may bound a line's supply, the first that explains it: each is lifted together with those before it. */
const BOUNDS: readonly Bound[] = [
  [
    (line) => ({ ...line, reach: line.reach && { ...line.reach, per_day: Number.POSITIVE_INFINITY } }),
    {
      code: 'frequency_cap',
      message:
        'The frequency cap allows fewer impressions than the budget would buy. Raise it, or widen the targeting.',
    },
  ],
  [
    (line) => ({ ...line, reach: line.reach && { share: line.reach.share } }),
    {
      code: 'dayparts',
      message: 'The hours that are targeted have fewer impressions than the budget would buy. Add hours.',
    },
  ],
  [
    (line) => ({ ...line, reach: undefined }),
    {
      code: 'targeting',
      message: 'The targeting leaves fewer impressions than the budget would buy. Widen it, or lower the budget.',
    },
  ],
  [
    (line) => ({ ...line, bid_price: Number.MAX_SAFE_INTEGER }),
    { code: 'bid', message: 'The bid wins fewer impressions than the budget would buy. Raise bid_price.' },
  ],
];

const NOT_ENOUGH: PacingReason = {
  code: 'supply',
  message:
    'The product has fewer impressions in this flight than the budget would buy. Lengthen the flight, or lower the budget.',
};
const TERMS_CHANGED: PacingReason = {
  code: 'terms_changed',
  message: 'The terms were changed on the way; what is left is spread over the rest of the flight.',
};

/** Returns why a line is ahead of its plan or behind it at `at`; undefined where it is on track, or has not begun. */
export function explainPacing(line: DeliveryLine, at: number): PacingReason | undefined {
  const index = pacingIndex(line, at);
  if (index === undefined || Math.abs(index - 1) <= ON_TRACK) return undefined;
  if (index > 1) return explainAhead(line);
  if (unitPrice(line.pricing_option, line.bid_price, line.package_id) === undefined)
    return { code: 'bid_below_floor', message: 'The bid is below the floor price and wins nothing. Raise bid_price.' };
  return explainShortage(line) ?? explainRivals(line, at, index) ?? explainGap(line, at) ?? TERMS_CHANGED;
}

function explainAhead({ pacing }: DeliveryLine): PacingReason {
  if (pacing !== 'asap') return TERMS_CHANGED;
  return { code: 'pacing', message: 'Pacing is asap: the budget is spent as soon as there are impressions.' };
}

function explainShortage(line: DeliveryLine): PacingReason | undefined {
  const { start_ms, end_ms } = line;
  const booked = bookedImpressions(line);
  const isEnough = (of: DeliveryLine) => mostBetween(of, start_ms, end_ms) >= booked;
  if (!Number.isFinite(booked) || BILLING[line.pricing_option.pricing_model].by !== 'count' || isEnough(line))
    return undefined;
  let loosened = line;
  for (const [loosen, reason] of BOUNDS) {
    loosened = loosen(loosened);
    if (isEnough(loosened)) return reason;
  }
  return NOT_ENOUGH;
}

/** Returns that a package is behind for others who ask for the same supply, where it would not be without them. */
function explainRivals(line: DeliveryLine, at: number, index: number): PacingReason | undefined {
  if (line.limits === undefined || line.limits.length === 0) return undefined;
  const alone = pacingIndex({ ...line, limits: undefined }, at) ?? index;
  if (alone - index <= ON_TRACK) return undefined;
  return {
    code: 'competition',
    message:
      'Others who were promised this supply, or pay more for it, take a part of it. Raise the bid, or lengthen the flight.',
  };
}

/** Returns that a package is behind since it did not run for a part of its flight. */
function explainGap({ active, start_ms, end_ms }: DeliveryLine, at: number): PacingReason | undefined {
  if (active === undefined) return undefined;
  const end = Math.min(at, end_ms);
  const ran = active.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start_ms)), 0);
  const gapMs = end - start_ms - ran;
  if (gapMs < ON_TRACK * (end - start_ms)) return undefined;
  const days = Math.round((gapMs / DAY_MS) * 10) / 10;
  return {
    code: 'not_running',
    message: `It did not run for ${days} days of its flight so far: it was paused or canceled, or had no creative that may run.`,
  };
}
