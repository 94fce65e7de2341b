import { type Clock, HOUR_MS } from '../../../platform/kernel/clock.js';
import type { JumpWatch } from '../../../platform/kernel/steady-clock.js';
import { REPLICATED_KINDS } from '../store/replication.js';
import type { ServerStore } from '../store/server-store.js';

const SWEEP_MS = HOUR_MS;
/** What is cleared by its primary as well, which says nothing of it: requests that were done go by their age and the legal holds, alike in both. */
const CLEARED_ALIKE = 'crawl_request';
const OTHERS: ReadonlySet<string> = new Set(REPLICATED_KINDS.filter((kind) => kind !== CLEARED_ALIKE));

type OwnTableParts = { readonly clock: Clock; readonly store: ServerStore; readonly watch: JumpWatch };

/** The tables that a mirror clears itself, such as counts of calls: what else it mirrors goes when its primary says so. */
export class OwnTables {
  readonly #parts: OwnTableParts;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(parts: OwnTableParts) {
    this.#parts = parts;
  }

  /** Clears what has outlived its retention, once an hour; nothing while the clock is in doubt. */
  async sweep(): Promise<void> {
    const { clock, store, watch } = this.#parts;
    const nowMs = clock.now();
    if (nowMs - this.#sweptAt < SWEEP_MS || watch.findJump() !== undefined) return;
    this.#sweptAt = nowMs;
    await store.sweep(
      nowMs,
      () => this.#isClosed,
      (table) => !OTHERS.has(table),
    );
  }

  close(): void {
    this.#isClosed = true;
  }
}
