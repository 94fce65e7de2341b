import { EventEmitter } from 'node:events';
import { MINUTE_MS, monotonicMs } from './clock.js';
import { PassingError } from './errors.js';

/** The log of rounds that failed. */
type FailureLog = Readonly<Record<'error' | 'warn', (record: object, message: string) => void>>;

/** A job that runs again and again, never twice at once. */
export type Loop = { readonly stop: () => Promise<void> };

/** Between two lines of a loop that goes on failing of the same. */
const NOTE_MS = MINUTE_MS;

/** The failed rounds of a loop: one line for the first of a kind, and one a minute with how many have failed since. */
class FailedRounds {
  readonly #name: string;
  readonly #log: FailureLog;
  #message = '';
  #failed = 0;
  #notedAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, log: FailureLog) {
    this.#name = name;
    this.#log = log;
  }

  note(error: unknown): void {
    const message = String(error);
    const now = monotonicMs();
    this.#failed += 1;
    if (message === this.#message && now - this.#notedAt < NOTE_MS) return;
    const isPassing = error instanceof PassingError;
    const facts = { loop: this.#name, failed: this.#failed };
    this.#log[isPassing ? 'warn' : 'error'](
      isPassing ? { ...facts, reason: error.reason } : { ...facts, err: error },
      'a round failed; the next one is tried',
    );
    this.#message = message;
    this.#failed = 0;
    this.#notedAt = now;
  }
}

/** Runs `job` every `everyMs`; a failure is logged, as a warning where it passes by itself, and the next round tried. `stop` waits for the round in hand. */
export function startLoop(name: string, everyMs: number, log: FailureLog, job: () => Promise<unknown>): Loop {
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const failures = new FailedRounds(name, log);
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = job()
      .then(() => undefined)
      .catch((error: unknown) => failures.note(error))
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** Runs `action` every `everyMs` until the function that this returns is called; one that fails is passed over. */
export function repeatEvery(everyMs: number, action: () => Promise<unknown>): () => void {
  const timer = setInterval(() => void action().catch(() => undefined), everyMs);
  return () => clearInterval(timer);
}

/** Calls `action` once, `ms` from now, unless the function that this returns is called before; the process does not wait for it. */
export function callAfter(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/** A span of time that something must not outlast. */
export type Deadline = {
  /** Emits `abort` when the time is over, as an AbortSignal does at several times the cost. */
  readonly signal: EventEmitter;
  /** Rejects when the time is over. */
  readonly passed: Promise<never>;
  readonly isOver: () => boolean;
  /** Ends the deadline before its time: nothing of it is left behind. */
  readonly end: () => void;
};

/** Starts a deadline `ms` from now. Unlike `AbortSignal.timeout` it is gone as soon as it is ended. */
export function startDeadline(ms: number): Deadline {
  const signal = new EventEmitter();
  let isOver = false;
  let end = (): void => undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      isOver = true;
      signal.emit('abort');
      reject(new Error(`not done within ${ms} ms`));
    }, ms);
    timer.unref();
    end = () => clearTimeout(timer);
  });
  return { signal, passed, isOver: () => isOver, end: () => end() };
}

/** Returns whether a promise settles within `ms`; it goes on either way, and a failure of it is not lost. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  const isSettled = await Promise.race([settled, late]);
  clearTimeout(timer);
  return isSettled;
}

/** Waits for `ms` milliseconds; until then the process does not end by itself. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
