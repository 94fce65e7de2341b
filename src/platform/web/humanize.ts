import { DAY_MS, dayText, HOUR_MS, MINUTE_MS } from '../kernel/clock.js';

/** Returns a size as people write it: `48 kB`, `1.2 MB`. 1 kB is 1024 bytes, as in the limits of creative formats. */
export function humanizeBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1000 ? `${roundShort(kilobytes)} kB` : `${roundShort(kilobytes / 1024)} MB`;
}

/** Returns a count with its noun: `1 warning`, `2 warnings`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a time as a date to the minute: `21 Nov 2026, 11:00 UTC`. */
export function humanizeDate(ms: number): string {
  const [, time] = /T(\d{2}:\d{2})/.exec(new Date(ms).toISOString()) ?? [];
  return `${dayText(ms)}, ${time} UTC`;
}

const UNITS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
] as const;

/** Returns the time that is left, in its largest whole unit: `59 minutes left`. */
export function humanizeTimeLeft(ms: number): string {
  for (const [unit, noun] of UNITS) if (ms >= unit) return `${pluralize(Math.floor(ms / unit), noun)} left`;
  return 'less than a minute left';
}

function roundShort(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
