import { isoTime, SECOND_MS } from '../../../platform/kernel/clock.js';

/** The most tasks that go on in one process. */
const MAX_UNFINISHED = 50;
/** How far the clocks of two processes may be apart, and how late a word may be. */
const SPARE_MS = 10 * SECOND_MS;

/** The tasks that go on in this process after their calls were answered. What stops with its process, the next one begins again. */
export class UnfinishedTasks {
  readonly #running = new Map<string, Promise<void>>();
  readonly #leaseMs: number;

  /** `leaseMs` is how long others wait for a process that stopped. */
  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  hasRoom(): boolean {
    return this.#running.size < MAX_UNFINISHED;
  }

  has(taskId: string): boolean {
    return this.#running.has(taskId);
  }

  ids(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Lets a task go on; `run` never throws. */
  add(taskId: string, run: () => Promise<void>): void {
    const running = run().finally(() => this.#running.delete(taskId));
    this.#running.set(taskId, running);
  }

  /** Returns by when a task that goes on at `nowMs` has to be heard of again (ISO 8601): later it counts as left behind by its process. */
  nextWord(nowMs: number): string {
    return isoTime(nowMs + this.#leaseMs + SPARE_MS);
  }
}
