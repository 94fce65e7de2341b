import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';

/**
 * Runs slices of long works one after the other, whosesoever they are, with a turn of the event loop between two: works that go on at the
 * same time, each with a pace of its own, would hold it together. Answers, or fails, as the slice does.
 */
export type Slices = <T>(slice: () => Promise<T>) => Promise<T>;

/** Opens a row of slices. */
export function createSlices(): Slices {
  let last: Promise<void> = Promise.resolve();
  return (slice) => {
    const done = last.then(slice);
    last = done.then(yieldToEventLoop, yieldToEventLoop);
    return done;
  };
}
