import { EventEmitter } from 'node:events';
import { PassingError } from './errors.js';

/** What takes down rounds that failed. */
type FailureLog = Readonly<Record<'error' | 'warn', (record: object, message: string) => void>>;

/** A job that runs again and again, never twice at once. */
export type Loop = { readonly stop: () => Promise<void> };

/** Runs `job` every `everyMs`; a failure is logged, as a warning where it passes by itself, and the next round tried. `stop` waits for the round in hand. */
export function startLoop(name: string, everyMs: number, log: FailureLog, job: () => Promise<unknown>): Loop {
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = job()
      .then(() => undefined)
      .catch((error: unknown) => {
        const level = error instanceof PassingError ? 'warn' : 'error';
        log[level]({ err: error, loop: name }, 'a round failed; the next one is tried');
      })
      .finally(() => {
        busy = false;
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
  let over = false;
  let end = (): void => undefined;
  const passed = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      over = true;
      signal.emit('abort');
      reject(new Error(`not done within ${ms} ms`));
    }, ms);
    timer.unref();
    end = () => clearTimeout(timer);
  });
  return { signal, passed, isOver: () => over, end: () => end() };
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
