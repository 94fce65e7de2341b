/** The process's time. Tests set it; nothing else reads the system clock. */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** The process's time, and the time of each owner: they are one, but for sandboxes whose own clock was advanced. */
export type OwnClocks = Clock & {
  /** Milliseconds since the epoch, for one owner. */
  readonly nowOf: (owner: string) => number;
  /** The owners whose time is ahead of the process's. */
  readonly ahead: () => readonly string[];
};

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** Returns milliseconds since some instant, by a clock that nobody sets: for how long something takes. */
export function monotonicMs(): number {
  return performance.now();
}

/** Spans of time in milliseconds. */
export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The text of the last instant that was written: calls come many to a millisecond. */
class LastInstant {
  #ms = Number.NaN;
  #text = '';

  write(ms: number): string {
    if (ms === this.#ms) return this.#text;
    const text = new Date(ms).toISOString();
    this.#ms = ms;
    this.#text = text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
    return this.#text;
  }
}

const lastInstant = new LastInstant();

/** Returns an instant as the wire writes it: ISO 8601 in UTC, without milliseconds when they are zero. */
export function isoTime(ms: number): string {
  return lastInstant.write(ms);
}

/** Returns an ISO 8601 instant to the second, as the command line shows it to people. */
export function secondText(iso: string): string {
  return iso.replace(/\.\d+(?=Z$)/, '');
}

/** Returns an ISO 8601 instant in the one spelling whose texts sort as the instants do. */
export function sortableTime(iso: string): string {
  return new Date(iso).toISOString();
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns the milliseconds of an ISO 8601 date-time that carries an offset; undefined for anything else, a time without an offset included. */
export function parseDateTime(text: string): number | undefined {
  const match = DATE_TIME.exec(text.toUpperCase());
  if (match === null || !isCalendarDay(match)) return undefined;
  const ms = Date.parse(text.toUpperCase());
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the milliseconds of the start (UTC) of a `YYYY-MM-DD` day; undefined when there is no such day. */
export function parseDay(text: string): number | undefined {
  const match = DATE.exec(text);
  return match !== null && isCalendarDay(match) ? Date.parse(`${text}T00:00:00Z`) : undefined;
}

/** Whether a day is in the calendar: `Date.parse` rolls 30 February over to March. */
function isCalendarDay(match: RegExpExecArray): boolean {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Returns a day in UTC: `21 Nov 2026`. */
export function dayText(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Returns the days from one to another, each part once: `1 to 31 Jan 2030`, `20 Dec 2029 to 3 Jan 2030`. */
export function daysText(firstMs: number, lastMs: number): string {
  const last = dayText(lastMs);
  const [day, month, year] = dayText(firstMs).split(' ');
  const [lastDay, lastMonth, lastYear] = last.split(' ');
  if (year !== lastYear) return `${day} ${month} ${year} to ${last}`;
  if (month !== lastMonth) return `${day} ${month} to ${last}`;
  return day === lastDay ? last : `${day} to ${last}`;
}
