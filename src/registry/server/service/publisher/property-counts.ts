import { type Clock, MINUTE_MS } from '../../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import type { ServerStore } from '../../store/server-store.js';

const CHUNK = 500;
/** Milliseconds that a count is good for: counting reads rows, and anybody may ask. */
const COUNTS_LAST_MS = MINUTE_MS;
/** Properties that are counted; of a larger registry a sample in the order of their rids. */
const MAX_COUNTED = 20_000;

type Counts = Readonly<Record<string, number>>;

/** Properties by their type: adding up what all agents sell would count a property once for each of them. */
export class PropertyCounts {
  readonly #store: ServerStore;
  readonly #clock: Clock;
  #counted: { readonly at: number; readonly counts: Counts } | undefined;

  constructor(store: ServerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async byType(): Promise<Counts> {
    if (this.#counted !== undefined && this.#clock.now() - this.#counted.at < COUNTS_LAST_MS)
      return this.#counted.counts;
    const counts = await this.#count();
    this.#counted = { at: this.#clock.now(), counts };
    return counts;
  }

  async #count(): Promise<Counts> {
    const counts = new Map<string, number>();
    for (let after = '', read = 0; read < MAX_COUNTED; ) {
      const page = await this.#store.read.property.page(after, CHUNK);
      for (const { property_type, status } of page) {
        if (status === 'active') counts.set(property_type, (counts.get(property_type) ?? 0) + 1);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < CHUNK) break;
      after = last.property_rid;
      read += page.length;
      await yieldToEventLoop();
    }
    return Object.fromEntries(counts);
  }
}
