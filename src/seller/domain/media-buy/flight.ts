import { isoTime, MINUTE_MS, parseDateTime, parseDay } from '../../../platform/kernel/clock.js';
import { findNearest } from '../../../platform/kernel/nearest.js';
import { TaskError } from '../../../protocol/errors.js';

/** A start as a buyer may write it: `asap`, a date-time with offset, or an object whose `type` is `asap` or whose `date` says it. */
export type StartTime = string | { readonly type?: string | undefined; readonly date?: string | undefined };

/** A flight, ISO 8601 in UTC, half open. */
export type Flight = { readonly start_time: string; readonly end_time: string };

/** Clocks differ: a start this little in the past is taken as now. */
const MAX_SKEW_MS = MINUTE_MS;

/** Reads a buy's flight. Throws INVALID_REQUEST with the field for naive, past, unreadable or reversed times. */
export function readFlight(start: StartTime, end: string, nowMs: number): Flight {
  const startMs = readStart(start, 'start_time', nowMs);
  return makeFlight(startMs, readTime(end, 'end_time'), 'end_time');
}

/** The types of a start that is an object. */
const START_TYPES: readonly string[] = ['asap', 'date'];

function unreadableStart(text: string, field: string): TaskError {
  return findNearest(text, ['asap']) === undefined ? unreadableTime(text, field) : unknownStart(text, field);
}

function unknownStart(type: string, field: string): TaskError {
  const meant = findNearest(type, START_TYPES);
  return new TaskError('INVALID_REQUEST', 'There is no such start.', {
    field,
    suggestion: `${meant === undefined ? '' : `Did you mean "${meant}"? `}Send "asap", a date-time, or {type: "date", date: "2030-06-01"}.`,
  });
}

/** Reads one start; `asap` and a day that is today mean now. */
export function readStart(start: StartTime, field: string, nowMs: number): number {
  const { type, date } = typeof start === 'string' ? { type: undefined, date: start } : start;
  if (type !== undefined && !START_TYPES.includes(type)) throw unknownStart(type, `${field}.type`);
  const text = type === 'asap' ? 'asap' : date;
  if (text === undefined) throw unreadableTime('', `${field}.date`);
  if (text === 'asap') return nowMs;
  const day = parseDay(text);
  const ms = day ?? parseDateTime(text);
  if (ms === undefined) throw unreadableStart(text, field);
  const isToday = day !== undefined && isoTime(nowMs).startsWith(text);
  if (ms >= nowMs) return ms;
  if (isToday || nowMs - ms <= MAX_SKEW_MS) return nowMs;
  throw new TaskError('INVALID_REQUEST', 'The start lies in the past.', {
    field,
    suggestion: `Send "asap", or a date-time after ${isoTime(nowMs)}.`,
    details: { earliest: isoTime(nowMs) },
  });
}

/** Reads a date-time that carries an offset. */
export function readTime(text: string, field: string): number {
  const ms = parseDateTime(text);
  if (ms === undefined) throw unreadableTime(text, field);
  return ms;
}

/** Returns a flight from two instants; throws INVALID_REQUEST naming `field` unless the end lies after the start. */
export function makeFlight(startMs: number, endMs: number, field: string): Flight {
  if (endMs <= startMs) {
    throw new TaskError('INVALID_REQUEST', 'The end must lie after the start.', {
      field,
      suggestion: `Send an end after ${isoTime(startMs)}.`,
    });
  }
  return { start_time: isoTime(startMs), end_time: isoTime(endMs) };
}

/** Returns a package's own dates inside its buy's flight; what is left out is the buy's. Throws INVALID_REQUEST with the field. */
export function readPackageFlight(
  dates: { readonly start_time?: string | undefined; readonly end_time?: string | undefined },
  buy: Flight,
  field: string,
): Flight {
  if (dates.start_time === undefined && dates.end_time === undefined)
    return { start_time: buy.start_time, end_time: buy.end_time };
  const [buyStart, buyEnd] = [Date.parse(buy.start_time), Date.parse(buy.end_time)];
  const start = dates.start_time === undefined ? buyStart : readTime(dates.start_time, `${field}.start_time`);
  const end = dates.end_time === undefined ? buyEnd : readTime(dates.end_time, `${field}.end_time`);
  // A start after all of the buy's flight is the fault of the start: no end that is sent after it would do.
  const isStartOutside = start < buyStart || start >= buyEnd;
  if (isStartOutside || end > buyEnd || end <= buyStart) {
    const outside = isStartOutside ? 'start_time' : 'end_time';
    throw new TaskError('INVALID_REQUEST', 'The package must run within the flight of its media buy.', {
      field: `${field}.${outside}`,
      suggestion: `Stay between ${buy.start_time} and ${buy.end_time}, or leave the package's dates out.`,
    });
  }
  return makeFlight(start, end, `${field}.end_time`);
}

/** A date and time without an offset. */
const NAIVE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2})?$/i;

function unreadableTime(text: string, field: string): TaskError {
  const inUtc = NAIVE.test(text) ? `${text.toUpperCase().replace(' ', 'T')}${text.length === 16 ? ':00' : ''}Z` : '';
  const example = parseDateTime(inUtc) === undefined ? '2030-06-01T00:00:00Z' : inUtc;
  return new TaskError('INVALID_REQUEST', 'The time must be an ISO 8601 date-time with an offset.', {
    field,
    suggestion: `Write it like ${example}; a time without an offset is ambiguous.`,
  });
}
