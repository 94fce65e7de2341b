import { DAY_MS } from '../../platform/kernel/clock.js';

const UTC = 'UTC';

/** The clock of a time zone by its IANA name. Local times are ms as `Date.UTC` makes them of what the clock shows. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;

  /** Throws RangeError for a zone that does not exist. */
  constructor(name: string) {
    const numeric = 'numeric';
    const shown = {
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    } as const;
    this.#format =
      name === UTC
        ? undefined
        : new Intl.DateTimeFormat('en-US', { ...shown, timeZone: name, hourCycle: 'h23', calendar: 'gregory' });
  }

  /** Returns how far the clock is ahead of UTC at an instant, ms. */
  offsetMs(atMs: number): number {
    if (this.#format === undefined) return 0;
    const parts = new Map(this.#format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(atMs / 1000) * 1000;
  }

  /** Returns what the clock shows at an instant. */
  localMs(atMs: number): number {
    return atMs + this.offsetMs(atMs);
  }

  /** Returns the first instant at which the clock shows a local time; of one that it skips, the instant of the leap. */
  instantOf(localMs: number): number {
    const before = this.offsetMs(localMs - DAY_MS);
    const after = this.offsetMs(localMs + DAY_MS);
    for (const offset of before === after ? [before] : [before, after]) {
      const instant = localMs - offset;
      if (this.offsetMs(instant) === offset) return instant;
    }
    return this.changeBetween(localMs - Math.max(before, after), localMs - Math.min(before, after));
  }

  /** Returns the instant in (`fromMs`, `toMs`] from which the clock has the offset that it has at `toMs`. */
  changeBetween(fromMs: number, toMs: number): number {
    const offset = this.offsetMs(toMs);
    let [low, high] = [fromMs, toMs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetMs(middle) === offset) high = middle;
      else low = middle;
    }
    return high;
  }
}
