import { type Clock, HOUR_MS, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import { startDeadline } from '../../../platform/kernel/loop.js';
import type { RegistryLimits } from '../auth/limits.js';
import { RegistryProblem } from './problem.js';

/** Why nothing was found. */
export type LookupMiss = { readonly status?: number; readonly url?: string; readonly errors: readonly string[] };

/** How long a domain that came to nothing is not looked up again. */
export const FAILURE_LASTS_MS = HOUR_MS;

/** Returns why a caller may have no lookup just now: whether there is something is not known then. */
export async function findLookupLimit(limits: RegistryLimits, ip: string): Promise<RegistryProblem | undefined> {
  try {
    await limits.take('resolve_live', ip);
    return undefined;
  } catch (error) {
    if (error instanceof RegistryProblem) return error;
    throw error;
  }
}

/** Returns the problem of a lookup that found no room, or took longer than a caller waits. */
export function lookupTimeout(domain: string): RegistryProblem {
  return new RegistryProblem('publisher_lookup_timeout', `${domain} could not be looked up in time.`, {
    field: 'domain',
    retryAfter: RETRY_SECONDS,
    suggestion: 'Send the request again in a moment; the lookup goes on meanwhile.',
    details: { domain },
  });
}

/** Lookups under way at a time, and misses that are remembered. */
const MAX_RUNNING = 32;
const MAX_MISSES = 10_000;
/** Milliseconds that a caller waits for a lookup. */
const WAIT_MS = 8 * SECOND_MS;
const RETRY_SECONDS = 5;

type RememberedMiss = { readonly at: number; readonly miss: LookupMiss };

/**
 * Lookups on the internet in the middle of a request: one at a time for each key, a bounded number in all, none for longer than a
 * caller waits, and a domain that came to nothing is not looked up again at once.
 */
export class LiveLookups {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #misses = new Map<string, RememberedMiss>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Returns what a lookup came to; undefined when there is no room or no time, and the lookup goes on without the caller. */
  async run<T>(key: string, lookup: () => Promise<T>): Promise<T | undefined> {
    // The same key always stands for the same kind of lookup.
    const job = (this.#running.get(key) as Promise<T> | undefined) ?? this.#start(key, lookup);
    if (job === undefined) return undefined;
    const deadline = startDeadline(WAIT_MS);
    try {
      return await Promise.race([job, deadline.passed.catch(() => undefined)]);
    } finally {
      deadline.end();
    }
  }

  /** Remembers that nothing was found. */
  rememberMiss(key: string, miss: LookupMiss): void {
    const [oldest] = this.#misses.keys();
    if (this.#misses.size >= MAX_MISSES && oldest !== undefined) this.#misses.delete(oldest);
    this.#misses.delete(key);
    this.#misses.set(key, { at: this.#clock.now(), miss });
  }

  /** Returns the last miss of a key, where it is no older than `ageMs`. */
  findMiss(key: string, ageMs: number): LookupMiss | undefined {
    const remembered = this.#misses.get(key);
    return remembered !== undefined && this.#clock.now() - remembered.at < ageMs ? remembered.miss : undefined;
  }

  /** Forgets the miss of a key that was found again. */
  forgetMiss(key: string): void {
    this.#misses.delete(key);
  }

  #start<T>(key: string, lookup: () => Promise<T>): Promise<T> | undefined {
    if (this.#running.size >= MAX_RUNNING) return undefined;
    const begun = lookup().finally(() => this.#running.delete(key));
    // A caller that no longer waits hears no error either.
    begun.catch((error: unknown) => this.#log.debug({ err: error, key }, 'a live lookup failed'));
    this.#running.set(key, begun);
    return begun;
  }
}
