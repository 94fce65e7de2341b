import type { Booking } from '../adserver/booking.js';
import { isUsable } from '../domain/creative.js';
import { settle } from '../domain/flight.js';
import { type HistoryEntry, isTerminal, type MediaBuy, nextDueMs } from '../domain/media-buy.js';
import { type Clock, isoTime } from '../kernel/clock.js';
import type { Reader, Store, Writer } from '../store/store.js';

/** Keeps buys where their facts put them: the one place that stores a buy, and the tick that moves buys with the clock. */
export type Lifecycle = {
  /** Stores a new buy. */
  readonly open: (tx: Writer, owner: string, buy: MediaBuy) => Promise<void>;
  /** Stores a changed buy; one that has ended lets its creatives go. */
  readonly keep: (tx: Writer, buy: MediaBuy, entries: readonly HistoryEntry[]) => Promise<void>;
  /** Moves every buy that the clock has overtaken. Cheap when there is none: call it before anything reads. */
  readonly catchUp: () => Promise<void>;
};

/** How many buys one transaction of `catchUp` moves. */
const BATCH = 100;

/** The packages of a buy that hold an approved creative. */
export async function packagesWithCreatives(reader: Reader, buy: MediaBuy): Promise<ReadonlySet<string>> {
  if (!buy.packages.some((line) => line.needs_creative)) return new Set();
  const assigned = await reader.creatives.assignedTo([buy.media_buy_id]);
  return new Set(assigned.filter((entry) => isUsable(entry.status)).map((entry) => entry.package_id));
}

/** The lifecycle over a store. */
export async function createLifecycle(store: Store, clock: Clock, booking: Booking): Promise<Lifecycle> {
  let due = (await store.read.mediaBuys.earliestDue()) ?? Number.POSITIVE_INFINITY;
  let moving: Promise<void> | undefined;

  function expect(buy: MediaBuy): void {
    due = Math.min(due, nextDueMs(buy) ?? Number.POSITIVE_INFINITY);
  }

  async function keep(tx: Writer, buy: MediaBuy, entries: readonly HistoryEntry[]): Promise<void> {
    await tx.mediaBuys.replace(buy, booking.isBooked(buy));
    for (const entry of entries) await tx.mediaBuys.record(buy.media_buy_id, entry);
    if (isTerminal(buy.status)) await tx.creatives.release(buy.media_buy_id);
    expect(buy);
  }

  async function move(): Promise<void> {
    for (let now = clock.now(); due <= now; now = clock.now()) {
      const moved = store.transact(async (tx) => {
        const rows = await tx.mediaBuys.due(now, BATCH);
        for (const { buy } of rows) {
          const settled = settle(buy, await packagesWithCreatives(tx, buy), { ms: now, iso: isoTime(now) });
          await keep(tx, settled.buy, settled.moves);
        }
        // Within the transaction: what its neighbours in the same commit expect is told after this, and must not be overwritten.
        due = (await tx.mediaBuys.earliestDue()) ?? Number.POSITIVE_INFINITY;
      });
      await moved.catch((error: unknown) => {
        due = Math.min(due, now);
        throw error;
      });
    }
  }

  return {
    open: async (tx, owner, buy) => {
      await tx.mediaBuys.insert(owner, buy, booking.isBooked(buy));
      expect(buy);
    },
    keep,
    catchUp: async () => {
      if (due > clock.now()) return;
      moving ??= move().finally(() => {
        moving = undefined;
      });
      await moving;
    },
  };
}
