import type { Pacing } from '../media-buy/media-buy.js';
import { type Week, weekdayMs } from './calendar.js';

const DAY_MS = 86_400_000;

/** Half of what a day may have more than the mean one, when there is supply to spare. */
const MAX_SWING = 0.2;

/** The share by which a day may by chance be longer or shorter at each end, of the swing: the rest is the weekday's. */
const CHANCE = 0.25;

/** Delivery per unit of time, as a multiple of what is left divided by the time left. */
export const EAGERNESS: Record<Pacing, number> = { even: 1, front_loaded: 1.5, asap: Number.POSITIVE_INFINITY };

/** A plan: what is still to be delivered, in how many milliseconds, how eagerly, and at most how much per millisecond. */
type PacePlan = {
  readonly left: number;
  readonly leftMs: number;
  readonly eagerness: number;
  readonly perMs: number;
};

/**
 * Returns how much of a plan is delivered after `elapsedMs`: never more than `left` or `perMs * elapsedMs`, and all of it by `leftMs` if
 * supply suffices. Memoryless: to stop anywhere and plan anew what is left delivers the same.
 */
export function deliverPlan({ left, leftMs, eagerness, perMs }: PacePlan, elapsedMs: number): number {
  if (left <= 0 || elapsedMs <= 0 || leftMs <= 0 || perMs <= 0) return 0;
  const ms = Math.min(elapsedMs, leftMs);
  if (eagerness === Number.POSITIVE_INFINITY) return Math.min(left, perMs * ms);
  if (left >= perMs * leftMs) return perMs * ms;
  if (eagerness === 1) return left * (ms / leftMs);
  const flatOutMs = Math.max(0, (eagerness * left - perMs * leftMs) / (perMs * (eagerness - 1)));
  if (ms <= flatOutMs) return perMs * ms;
  const curveMs = leftMs - flatOutMs;
  const curveLeft = left - perMs * flatOutMs;
  return left - curveLeft * ((leftMs - ms) / curveMs) ** eagerness;
}

/** Returns the swing that days may have without a day needing more than its supply. `utilisation`: what is needed of all supply, 0 to 1 and beyond. */
export function swingFor(utilisation: number): number {
  return Math.min(MAX_SWING, Math.max(0, (1 / utilisation - 1) / 2));
}

/** Returns how much faster than the clock a day of this swing can run. */
export function topSpeed(swing: number): number {
  return 1 + 2 * swing;
}

/** A clock: how far a flight has come at a moment, as the moment by which an even day's clock would have come as far (ms). */
type Clock = (atMs: number) => number;

/** The parts of a clock: whose it is, for how long it is right, how far days may differ, and the curve of its week. */
type ClockFace = {
  readonly seed: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly swing: number;
  readonly week: Week;
};

/**
 * Returns a clock that runs fast on some UTC days and slow on others, by weekday and by chance of its seed's own, and is right at its start
 * and end. Monotone, at most `topSpeed(swing)` as fast as the real one.
 */
export function deliveryClock({ seed, startMs, endMs, swing, week }: ClockFace): Clock {
  const chance = chanceClock(seed, startMs, endMs, swing * CHANCE);
  const part = swing / MAX_SWING;
  const blended = (atMs: number) => (1 - part) * (atMs - startMs) + part * weekdayMs(week, startMs, atMs);
  const whole = blended(endMs);
  return (atMs) => {
    if (atMs <= startMs || atMs >= endMs) return Math.min(Math.max(atMs, startMs), endMs);
    return Math.min(endMs, startMs + (endMs - startMs) * (blended(chance(atMs)) / whole));
  };
}

/** Returns a clock of a seed's own whose UTC days are a little longer or shorter; at most `topSpeed(swing)` as fast as the real one. */
function chanceClock(seed: string, startMs: number, endMs: number, swing: number): Clock {
  const seedHash = hash(seed);
  const moved = (midnightMs: number): number => {
    if (midnightMs <= startMs || midnightMs >= endMs) return midnightMs;
    const roomMs = Math.min(DAY_MS, midnightMs - startMs, endMs - midnightMs);
    return midnightMs + swing * roomMs * (2 * randomShare(seedHash, midnightMs / DAY_MS) - 1);
  };
  return (atMs) => {
    const midnightMs = Math.floor(atMs / DAY_MS) * DAY_MS;
    const left = Math.max(startMs, midnightMs);
    const right = Math.min(endMs, midnightMs + DAY_MS);
    return moved(left) + (moved(right) - moved(left)) * ((atMs - left) / (right - left));
  };
}

/** Returns a number from 0 to 1, always the same for the same seed. */
export function seededShare(seed: string): number {
  return randomShare(hash(seed), 0);
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return state >>> 0;
}

function randomShare(seedHash: number, index: number): number {
  let state = Math.imul(seedHash ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 0x1_0000_0000;
}
