/** Lets everything that waits for the event loop go first. */
export function yieldToEventLoop(): Promise<void> {
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

/** When the work of this round of the event loop began; all that begins in it shares one turn. */
let round: number | undefined;
/** Those that rest, in the order in which they go on. */
const resting: (() => void)[] = [];

/** The pace of one piece of work, whose first turn begins now. */
export function startPace(): Pace {
  let began = roundBegan();
  return {
    isDue: () => performance.now() - began >= TURN_MS,
    rest: async () => {
      await turnOfOne();
      began = roundBegan();
    },
  };
}

/** Tells whether what begins now has lasted a turn by itself, whatever else was done in the same round of the event loop. */
export function startWatch(): () => boolean {
  const began = performance.now();
  return () => performance.now() - began >= TURN_MS;
}

function roundBegan(): number {
  if (round === undefined) {
    round = performance.now();
    setImmediate(() => {
      round = undefined;
    });
  }
  return round;
}

/** One piece of work goes on in each round of the event loop, so that many at once hold it no longer than one. */
function turnOfOne(): Promise<void> {
  return new Promise((resume) => {
    resting.push(resume);
    if (resting.length === 1) setImmediate(wakeOne);
  });
}

function wakeOne(): void {
  round = undefined;
  resting.shift()?.();
  if (resting.length > 0) setImmediate(wakeOne);
}
