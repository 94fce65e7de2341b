import { sumOf } from '../../../platform/kernel/numbers.js';
import type { MediaChannel } from '../../../protocol/media-channel.js';
import type { Reach } from '../targeting/reach.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** The epoch was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * The parts of a mean day that the days of the week have, Monday first. They add up to 7; the longest is at most 1.27
 * times the shortest.
 */
export type Week = readonly number[];

const AT_SCREENS: Week = [1.06, 1.08, 1.08, 1.06, 1, 0.85, 0.87];
const AT_HOME: Week = [0.94, 0.93, 0.94, 0.95, 1, 1.11, 1.13];
const ON_THE_MOVE: Week = [1.04, 1.07, 1.07, 1.07, 1.05, 0.85, 0.85];

/** The weeks of channels that are not looked at as the web is. */
const WEEKS: Partial<Record<MediaChannel, Week>> = {
  ctv: AT_HOME,
  linear_tv: AT_HOME,
  gaming: AT_HOME,
  cinema: AT_HOME,
  radio: ON_THE_MOVE,
  streaming_audio: ON_THE_MOVE,
  podcast: ON_THE_MOVE,
  dooh: ON_THE_MOVE,
  ooh: ON_THE_MOVE,
};

/** Returns the week of a product, by its first channel. */
export function weekOf([channel]: readonly MediaChannel[]): Week {
  return (channel && WEEKS[channel]) ?? AT_SCREENS;
}

/** Returns the time between two moments by a week's curve, in ms of a mean day. */
export function weekdayMs(week: Week, fromMs: number, toMs: number): number {
  return weekdaySince(week, toMs) - weekdaySince(week, fromMs);
}

function weekdaySince(week: Week, atMs: number): number {
  const { weeks, within } = sinceMonday(atMs);
  const day = Math.floor(within / DAY_MS);
  const whole = sumOf(week.slice(0, day));
  return weeks * WEEK_MS + whole * DAY_MS + (week[day] ?? 1) * (within - day * DAY_MS);
}

/** Returns for how long ads are served between two moments, in ms: all of it, or the hours of the week that a reach names. */
export function servedMs(reach: Pick<Reach, 'hours'> | undefined, fromMs: number, toMs: number): number {
  const hours = reach?.hours;
  if (hours === undefined) return toMs - fromMs;
  return servedSince(hours, toMs) - servedSince(hours, fromMs);
}

function servedSince(hours: NonNullable<Reach['hours']>, atMs: number): number {
  const { weeks, within } = sinceMonday(atMs);
  let [whole, part] = [0, 0];
  for (const [from, to] of hours) {
    whole += (to - from) * HOUR_MS;
    part += Math.max(0, Math.min(within, to * HOUR_MS) - from * HOUR_MS);
  }
  return weeks * whole + part;
}

function sinceMonday(atMs: number): { readonly weeks: number; readonly within: number } {
  const since = atMs - FIRST_MONDAY_MS;
  const weeks = Math.floor(since / WEEK_MS);
  return { weeks, within: since - weeks * WEEK_MS };
}
