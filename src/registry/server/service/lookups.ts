import { type Clock, HOUR_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import { startDeadline } from '../../../platform/kernel/loop.js';
import type { RegistryLimits } from '../auth/limits.js';
import { RegistryProblem } from './problem.js';

/**
 * Work on the internet in the middle of a request: one at a time for each key, a bounded number in all, none for longer than a
 * caller waits, and what came of nothing is not tried again at once.
 */
export type LiveLookups = {
  /** What the work came to; undefined when there is no room or no time, and the work goes on without the caller. */
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T | undefined>;
  /** Remembers that nothing was found. */
  readonly missed: (key: string, what: LookupMiss) => void;
  /** What was missed lately, at most `ageMs` ago. */
  readonly lastMiss: (key: string, ageMs: number) => LookupMiss | undefined;
  /** What was found again counts. */
  readonly found: (key: string) => void;
};

/** Why nothing was found. */
export type LookupMiss = { readonly status?: number; readonly url?: string; readonly errors: readonly string[] };

/** How long a domain that came to nothing is not looked up again. */
export const FAILURE_LASTS_MS = HOUR_MS;

/** Whether a caller may have one more look at the internet now; a caller that insists is told how long to wait instead. */
export async function admitLookup(limits: RegistryLimits, ip: string, insists: boolean): Promise<boolean> {
  try {
    await limits.take('resolve_live', ip);
    return true;
  } catch (error) {
    if (insists || !(error instanceof RegistryProblem)) throw error;
    return false;
  }
}

/** Most pieces of work at a time, and most misses that are remembered. */
const MOST_AT_ONCE = 32;
const MOST_MISSES = 10_000;
const WAIT_MS = 8 * SECOND_MS;

/** Opens the room for live work. */
export function createLive(clock: Clock, log: Log): LiveLookups {
  const running = new Map<string, Promise<unknown>>();
  const misses = new Map<string, { readonly at: number; readonly what: LookupMiss }>();

  function start<T>(key: string, work: () => Promise<T>): Promise<T> | undefined {
    if (running.size >= MOST_AT_ONCE) return undefined;
    const begun = work().finally(() => running.delete(key));
    // A caller that no longer waits hears no error either.
    begun.catch((error: unknown) => log.debug({ err: error, key }, 'live work failed'));
    running.set(key, begun);
    return begun;
  }

  return {
    run: async <T>(key: string, work: () => Promise<T>) => {
      // The same key always stands for the same kind of work.
      const job = (running.get(key) as Promise<T> | undefined) ?? start(key, work);
      if (job === undefined) return undefined;
      const deadline = startDeadline(WAIT_MS);
      try {
        return await Promise.race([job, deadline.passed.catch(() => undefined)]);
      } finally {
        deadline.end();
      }
    },
    missed: (key, what) => {
      const [oldest] = misses.keys();
      if (misses.size >= MOST_MISSES && oldest !== undefined) misses.delete(oldest);
      misses.delete(key);
      misses.set(key, { at: clock.now(), what });
    },
    lastMiss: (key, ageMs) => {
      const miss = misses.get(key);
      return miss !== undefined && clock.now() - miss.at < ageMs ? miss.what : undefined;
    },
    found: (key) => {
      misses.delete(key);
    },
  };
}
