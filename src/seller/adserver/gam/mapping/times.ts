import { DAY_MS } from '../../../../platform/kernel/clock.js';
import type { TimeZone } from '../../../domain/time-zone.js';

/** A line item starts in the future: what was to start at once starts so much later, so that it still does when it arrives. */
export const START_MARGIN_MS = 5 * 60_000;

/** A day of a calendar, as both APIs write it. */
type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

/** Returns the day that a clock shows at an instant. */
function dayAt(zone: TimeZone, atMs: number): CalendarDay {
  const local = new Date(zone.localMs(atMs));
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** Returns how many days of a calendar a flight touches; its end is not in it. */
export function calendarDays(zone: TimeZone, fromMs: number, toMs: number): number {
  const [first, last] = [fromMs, Math.max(fromMs, toMs - 1)].map((atMs) => Math.floor(zone.localMs(atMs) / DAY_MS));
  return (last ?? 0) - (first ?? 0) + 1;
}

/** Returns an instant as the SOAP API takes it: what the network's clock shows, with its zone. */
export function soapDateTime(zone: TimeZone, zoneName: string, atMs: number) {
  const local = new Date(zone.localMs(atMs));
  return {
    date: dayAt(zone, atMs),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    timeZoneId: zoneName,
  };
}
