import { isoTime, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import type { Booking } from '../adserver/booking.js';
import type { AssignedCreative } from '../domain/creative/creative.js';
import { reconcileCreatives } from '../domain/media-buy/health.js';
import { type HistoryEntry, isTerminal, type MediaBuy, nextDueMs } from '../domain/media-buy/media-buy.js';
import { buildRotations, type Rotations } from '../domain/media-buy/rotation.js';
import { settle } from '../domain/media-buy/settlement.js';
import type { OwnedBuy } from '../store/media-buys.js';
import type { Reader, Store, Writer } from '../store/store.js';
import type { BuyEvents } from '../webhooks/events/buy-events.js';
import type { Reports } from './reports.js';

/** Keeps buys where their facts put them: the one place that stores a buy, and the tick that moves buys with the clock. */
export type Lifecycle = {
  /** Stores a new buy. */
  readonly open: (tx: Writer, owner: string, buy: MediaBuy) => Promise<void>;
  /**
   * Stores a changed buy and tells what its buyer does not know from an answer: moves that it did not ask for, impairments. One that
   * has ended lets its creatives go.
   */
  readonly save: (tx: Writer, owner: string, buy: MediaBuy, entries: readonly HistoryEntry[]) => Promise<void>;
  /** Follows the facts of one buy after something about its creatives changed, and keeps what came of it. Answers the buy as it stands then. */
  readonly follow: (tx: Writer, owner: string, buy: MediaBuy, now: Now) => Promise<MediaBuy>;
  /** Moves every buy that the clock has overtaken. Cheap when there is none: call it before anything reads. */
  readonly catchUp: () => Promise<void>;
};

/** The moment of a change. */
export type Now = { readonly ms: number; readonly iso: string };

/** What the lifecycle works with. */
export type LifecyclePorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly ids: Pick<Ids, 'next'>;
  readonly booking: Booking;
  readonly events: BuyEvents;
  readonly reports: Pick<Reports, 'followBuy'>;
};

/** How many buys one transaction of `catchUp` moves. */
const BATCH = 100;

/** The creatives that can run in the packages of a buy. */
export async function loadRotations(reader: Reader, buy: Pick<MediaBuy, 'media_buy_id'>): Promise<Rotations> {
  return buildRotations(await reader.creatives.assignedTo([buy.media_buy_id]));
}

/** The lifecycle over a store. */
export async function createLifecycle(ports: LifecyclePorts): Promise<Lifecycle> {
  const { store, clock, ids, booking, events, reports } = ports;
  let due = (await store.read.mediaBuys.earliestDue()) ?? Number.POSITIVE_INFINITY;
  /** The same for each owner whose time is its own. */
  const ownDue = new Map<string, number>();
  let moving: Promise<void> | undefined;

  function expect(owner: string, buy: MediaBuy): void {
    const next = nextDueMs(buy) ?? Number.POSITIVE_INFINITY;
    due = Math.min(due, next);
    const own = ownDue.get(owner);
    if (own !== undefined) ownDue.set(owner, Math.min(own, next));
  }

  async function keep(tx: Writer, owner: string, buy: MediaBuy, entries: readonly HistoryEntry[]): Promise<void> {
    const nowIso = isoTime(clock.nowOf(owner));
    const kept =
      (buy.impairments ?? []).length === 0
        ? buy
        : await reconcile(tx, owner, buy, await tx.creatives.assignedTo([buy.media_buy_id]), nowIso);
    await write(tx, owner, kept, entries);
    const ended = isTerminal(kept.status);
    if (ended) await events.flush(tx, kept);
    // What the buyer asked for stands in the answer to its call.
    if (entries.length > 0 && entries.every((entry) => entry.actor !== 'buyer'))
      await events.announceState(tx, owner, kept, nowIso);
    await reports.followBuy(tx, kept);
  }

  async function write(tx: Writer, owner: string, buy: MediaBuy, entries: readonly HistoryEntry[]): Promise<void> {
    await tx.mediaBuys.replace(buy, booking.isOurs(buy));
    for (const entry of entries) await tx.mediaBuys.record(buy.media_buy_id, entry);
    if (isTerminal(buy.status)) await tx.creatives.release(buy.media_buy_id);
    expect(owner, buy);
  }

  /** Opens and closes impairments as the buy's creatives have it, and tells of each. */
  async function reconcile(
    tx: Writer,
    owner: string,
    buy: MediaBuy,
    assigned: readonly AssignedCreative[],
    nowIso: string,
  ): Promise<MediaBuy> {
    const { buy: after, changed, closed } = reconcileCreatives(buy, assigned, nowIso, () => ids.next('imp'));
    for (const impairment of changed)
      await events.announceImpairment(tx, owner, after, { impairment, isResolved: false, nowIso });
    for (const impairment of closed)
      await events.announceImpairment(tx, owner, after, { impairment, isResolved: true, nowIso });
    return after;
  }

  async function moveOn(tx: Writer, owner: string, buy: MediaBuy, now: Now): Promise<MediaBuy> {
    const assigned = await tx.creatives.assignedTo([buy.media_buy_id]);
    const judged = await reconcile(tx, owner, buy, assigned, now.iso);
    const settled = settle(judged, buildRotations(assigned), now);
    if (settled.buy !== buy) await keep(tx, owner, settled.buy, settled.moves);
    return settled.buy;
  }

  async function follow(tx: Writer, { owner, buy }: OwnedBuy): Promise<void> {
    const ms = clock.nowOf(owner);
    const settled = settle(buy, await loadRotations(tx, buy), { ms, iso: isoTime(ms) });
    await keep(tx, owner, settled.buy, settled.moves);
  }

  /** Owners whose time is ahead have buys that are due before anybody else's would be. */
  async function moveAhead(): Promise<void> {
    for (const owner of clock.ahead()) {
      for (let now = clock.nowOf(owner); (ownDue.get(owner) ?? 0) <= now; now = clock.nowOf(owner)) {
        const moved = store.transact(async (tx) => {
          for (const row of await tx.mediaBuys.due(now, BATCH, owner)) await follow(tx, row);
          ownDue.set(owner, (await tx.mediaBuys.earliestDue(owner)) ?? Number.POSITIVE_INFINITY);
        });
        await moved.catch((error: unknown) => {
          ownDue.delete(owner);
          throw error;
        });
      }
    }
  }

  async function move(): Promise<void> {
    for (let now = clock.now(); due <= now; now = clock.now()) {
      const moved = store.transact(async (tx) => {
        const rows = await tx.mediaBuys.due(now, BATCH);
        for (const row of rows) await follow(tx, row);
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
      const ours = booking.isOurs(buy);
      await tx.mediaBuys.insert(owner, buy, ours);
      expect(owner, buy);
      // A booking that the ad server still has to confirm is told of when it has.
      if (ours) await events.announceState(tx, owner, buy, isoTime(clock.nowOf(owner)));
    },
    save: keep,
    follow: moveOn,
    catchUp: async () => {
      if (due > clock.now() && clock.ahead().every((owner) => (ownDue.get(owner) ?? 0) > clock.nowOf(owner))) return;
      moving ??= move()
        .then(moveAhead)
        .finally(() => {
          moving = undefined;
        });
      await moving;
    },
  };
}
