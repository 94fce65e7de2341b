import { yieldToEventLoop } from './event-loop.js';
import { pause } from './loop.js';

/** Handles at most `limit` rows, in a transaction of its own; returns whether there may be more. */
export type Slice = (limit: number) => Promise<boolean>;

/** The fewest and the most rows of a slice, and the time (ms) that one should take: others wait for it. */
const MIN_ROWS = 10;
const MAX_ROWS = 2000;
const AIM_MS = 5;

/**
 * Runs a slice again and again until there is no more to do or `isStopped`, with as long a rest after each as it took: what waits
 * for the event loop or the database goes in between. A slice has as many rows as its time allows.
 */
export async function runSlices(slice: Slice, isStopped: () => boolean): Promise<void> {
  let limit = 100;
  while (!isStopped()) {
    const began = performance.now();
    if (!(await slice(limit))) return;
    const tookMs = performance.now() - began;
    if (tookMs > 2 * AIM_MS) limit = Math.max(MIN_ROWS, Math.floor(limit / 2));
    else if (tookMs < AIM_MS) limit = Math.min(MAX_ROWS, limit * 2);
    await (tookMs < 1 ? yieldToEventLoop() : pause(Math.min(tookMs, 10 * AIM_MS)));
  }
}
