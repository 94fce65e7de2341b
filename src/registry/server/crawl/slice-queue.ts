import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';

/**
 * Runs slices of long jobs one after the other, with a yield to the event loop between two: jobs that go on at the same time, each at a pace
 * of its own, would hold the loop together.
 */
export class SliceQueue {
  #last: Promise<void> = Promise.resolve();

  /** Runs a slice after those before it; resolves, or rejects, as the slice does. */
  run<T>(slice: () => Promise<T>): Promise<T> {
    const done = this.#last.then(slice);
    this.#last = done.then(yieldToEventLoop, yieldToEventLoop);
    return done;
  }
}
