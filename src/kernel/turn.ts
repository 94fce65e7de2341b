/** Lets everything that waits for the event loop go first. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => setImmediate(resume));
}

/** Says now and then that a long loop has to give way, so that it never holds the event loop for long. */
export type Pace = {
  /** Whether the turn has lasted long enough: `if (pace.isDue()) await pace.rest();`. */
  readonly isDue: () => boolean;
  /** Gives way, and begins a turn. */
  readonly rest: () => Promise<void>;
};

/** How long a turn may last, in milliseconds. */
const TURN_MS = 8;

/** The pace of one piece of work, whose first turn begins now. */
export function startPace(): Pace {
  let began = performance.now();
  return {
    isDue: () => performance.now() - began >= TURN_MS,
    rest: async () => {
      await nextTurn();
      began = performance.now();
    },
  };
}
