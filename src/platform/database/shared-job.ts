import { monotonicMs, SECOND_MS } from '../kernel/clock.js';
import { freshBytes } from '../kernel/ids.js';
import type { Log } from '../kernel/log.js';
import { settlesWithin, startLoop } from '../kernel/loop.js';
import type { Lease, Leases } from './leases.js';

/** A job, and for how long a process that stops keeps others from it. */
type SharedJobOptions = {
  readonly leases: Leases;
  readonly name: string;
  readonly leaseMs: number;
  readonly log: Log;
  /** Whether this process can do the job just now; one that cannot leaves it to others. */
  readonly isFit?: (() => boolean) | undefined;
};

/** A round of a job in the process that has it. */
type HeldRound = {
  readonly lease: Lease;
  /** Whether another process may have the job by now. */
  readonly isLost: () => boolean;
};

/** How often within its lease a process renews it, and others ask for it. */
const ASKS = 3;

/** A process that ends waits no longer for a database that does not answer. */
const MAX_RELEASE_MS = 2 * SECOND_MS;

/**
 * A job of which one process at a time runs one round at a time: it goes on having the job while it lives, and another takes over when it
 * stops.
 */
export class SharedJob {
  readonly #options: SharedJobOptions;
  /** Settles when the round that was asked for last is over. */
  #rounds: Promise<unknown> = Promise.resolve();
  #lease: Lease | undefined;
  /** When the database is asked next, by the clock that nobody sets. */
  #askAtMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<Lease | undefined> | undefined;

  constructor(options: SharedJobOptions) {
    this.#options = options;
  }

  /** Runs a round after those that were asked for before, if this process has the job or gets it then. The lease is renewed meanwhile. */
  run(round: (held: HeldRound) => Promise<unknown>): Promise<void> {
    const result = this.#rounds.then(() => this.#run(round));
    this.#rounds = result.catch(() => undefined);
    return result;
  }

  async #run(round: (held: HeldRound) => Promise<unknown>): Promise<void> {
    if (this.#options.isFit?.() === false) return this.release();
    const lease = await this.#hold();
    if (lease === undefined) return;
    const { leaseMs, log, name } = this.#options;
    const renewal = startLoop(`the lease of ${name}`, leaseMs / ASKS, log, () => this.#hold());
    try {
      await round({ lease, isLost: () => this.#lease !== lease });
    } finally {
      await renewal.stop();
    }
  }

  /** Gives the job to whichever process asks next. A lease that cannot be given back ends by itself. */
  async release(): Promise<void> {
    const { leases, log, name } = this.#options;
    await this.#asking?.catch(() => undefined);
    const lease = this.#lease;
    this.#lease = undefined;
    if (lease === undefined) return;
    const released = leases
      .release(lease)
      .catch((error: unknown) =>
        log.warn({ err: error, job: name }, 'a job was not given up: its lease ends by itself'),
      );
    await settlesWithin(released, MAX_RELEASE_MS);
  }

  #hold(): Promise<Lease | undefined> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<Lease | undefined> {
    const nowMs = monotonicMs();
    if (nowMs < this.#askAtMs) return this.#lease;
    const { leaseMs, leases, name } = this.#options;
    const held = this.#lease;
    if (held === undefined || !(await leases.renew(held, leaseMs))) this.#lease = await leases.take(name, leaseMs);
    // Not all at the same moment.
    const jitter = this.#lease === undefined ? 0.5 + (freshBytes(1)[0] ?? 0) / 512 : 1;
    this.#askAtMs = nowMs + (jitter * leaseMs) / ASKS;
    return this.#lease;
  }
}
