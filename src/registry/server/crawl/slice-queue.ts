import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';

/** Runs slices of long jobs. */
export type Slices = Pick<SliceQueue, 'run'> & {
  /** Steps that a slice has at least, and pieces of a file that are read at least, however long the event loop has run already. */
  readonly leastSteps: number;
  readonly leastPieces: number;
};

/**
 * Runs slices of long jobs one after the other, with a yield to the event loop between two: jobs that go on at the same time, each at a pace
 * of its own, would hold the loop together.
 */
export class SliceQueue {
  readonly leastSteps = 1;
  readonly leastPieces = 1;
  #last: Promise<void> = Promise.resolve();

  /** Runs a slice after those before it; resolves, or rejects, as the slice does. */
  run<T>(slice: () => Promise<T>): Promise<T> {
    const done = this.#last.then(slice);
    this.#last = done.then(yieldToEventLoop, yieldToEventLoop);
    return done;
  }
}

/**
 * Slices of publishers that are read at once share a commit: from local files there are many, and a commit takes longest. One that ended
 * where the others have used up the event loop's time would need another commit for each of its steps: a file of usual size is one slice
 * (bench row registry_import).
 */
export const SLICES_AT_ONCE: Slices = { run: (slice) => slice(), leastSteps: 64, leastPieces: 5 };
