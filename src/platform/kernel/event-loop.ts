/** Lets everything that waits for the event loop go first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resume) => afterPoll(resume));
}

/** Resolves at the end of this round of the event loop, when all that arrived together has begun. */
export function endOfRound(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Calls back once the event loop has looked for arrivals again: an immediate alone, set by an arrival, comes before that. */
function afterPoll(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}

/** Tells a long loop now and then to yield, so that it never holds the event loop for long. */
export type Pace = {
  /** Whether the loop has run for long enough: `if (pace.isDue()) await pace.rest();`. */
  readonly isDue: () => boolean;
  /** Yields to the event loop, and begins to count anew. */
  readonly rest: () => Promise<void>;
};

/** Longest time that a loop runs before it yields, in milliseconds. */
const MAX_RUN_MS = 8;

/**
 * Shares the event loop among the long loops of the process: all that begin in one round of the event loop share one run, and one
 * that rests goes on in each round, so that many at once hold it no longer than one.
 */
class EventLoopShare {
  /** The beginning of the run of this round. */
  #roundBegan: number | undefined;
  /** In the order in which they go on. */
  readonly #resting: (() => void)[] = [];

  beginRun(): number {
    if (this.#roundBegan === undefined) {
      this.#roundBegan = performance.now();
      setImmediate(() => {
        this.#roundBegan = undefined;
      });
    }
    return this.#roundBegan;
  }

  rest(): Promise<void> {
    return new Promise((resume) => {
      this.#resting.push(resume);
      if (this.#resting.length === 1) afterPoll(() => this.#resumeOne());
    });
  }

  #resumeOne(): void {
    this.#roundBegan = undefined;
    this.#resting.shift()?.();
    if (this.#resting.length > 0) setImmediate(() => this.#resumeOne());
  }
}

/** A process has one event loop, so that it has one of these. */
const share = new EventLoopShare();

/** Returns the pace of one long loop, whose first run begins now. */
export function startPace(): Pace {
  let began = share.beginRun();
  return {
    isDue: () => performance.now() - began >= MAX_RUN_MS,
    rest: async () => {
      await share.rest();
      began = share.beginRun();
    },
  };
}

/** Returns a test for whether what begins now has run for long enough by itself, whatever else ran in the same round of the event loop. */
export function startStopwatch(): () => boolean {
  const began = performance.now();
  return () => performance.now() - began >= MAX_RUN_MS;
}
