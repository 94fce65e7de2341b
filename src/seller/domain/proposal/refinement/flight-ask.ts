import { DAY_MS, isoTime } from '../../../../platform/kernel/clock.js';
import type { Period } from '../../media-buy/reporting.js';
import { readDates, withoutDates } from '../../search/dates/dates.js';
import { splitWords } from '../../search/words.js';

/**
 * The part of an ask about the days of a plan: the flight that it moves to, or what is to be asked back; `rest` is the
 * ask without it.
 */
export type FlightAsk = { readonly rest: string; readonly flight?: Period; readonly unclear?: string };

/** The flight that a plan has, whether the call itself names it, and the time. */
type PlannedFlight = { readonly own: Period; readonly isDated: boolean; readonly nowMs: number };

/** Reads the days that an ask about a plan names; undefined where it names none. Where it names one end alone, the plan's own other end stays. */
export function readFlightAsk(ask: string, { own, isDated, nowMs }: PlannedFlight): FlightAsk | undefined {
  const dates = readDates(ask, nowMs, own.fromMs);
  if (dates === undefined) return undefined;
  const rest = withoutDates(ask);
  if (dates.days === undefined)
    return { rest, unclear: `${dates.unclear} is not one flight that is still to come; which days are meant?` };
  const { start_date, end_date } = dates.days;
  const tomorrowMs = Math.ceil(nowMs / DAY_MS) * DAY_MS;
  const fromMs = start_date === undefined ? own.fromMs : Math.max(tomorrowMs, Date.parse(start_date));
  const toMs = end_date === undefined ? own.toMs : Date.parse(end_date) + DAY_MS;
  if (toMs <= fromMs)
    return {
      rest,
      unclear: `the flight would end before it begins, ${describeFlight({ fromMs, toMs })}; which days are meant?`,
    };
  if (isDated && (fromMs !== own.fromMs || toMs !== own.toMs))
    return { rest, unclear: `filters name ${describeFlight(own)}, and the ask names other days; which are meant?` };
  return { rest, flight: { fromMs, toMs } };
}

/** Returns the first and last day of a flight, in words. */
export function describeFlight({ fromMs, toMs }: Period): string {
  const day = (ms: number): string => isoTime(ms).slice(0, 10);
  return `${day(fromMs)} to ${day(toMs - DAY_MS)}`;
}

/** Words of an ask that say no more than that the days are to be others. */
const ABOUT_DAYS = new Set(
  'move shift run start end extend shorten change make set postpone push keep please flight flights dates date days campaign plan proposal it its the this that and all everything whole to into for in on at of from until till by instead now only just be is should would like we want a an with period new'.split(
    ' ',
  ),
);

/** Returns whether a clause of an ask says nothing beside the days that were read from it. */
export function isAboutDays(clause: string): boolean {
  return splitWords(clause.toLowerCase()).every((word) => ABOUT_DAYS.has(word));
}
