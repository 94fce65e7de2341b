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

/** The moment of a change. */
export type Now = { readonly ms: number; readonly iso: string };

/** The services that the lifecycle calls. */
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

/** Returns the creatives that can run in the packages of a buy. */
export async function loadRotations(reader: Reader, buy: Pick<MediaBuy, 'media_buy_id'>): Promise<Rotations> {
  return buildRotations(await reader.creatives.assignedTo([buy.media_buy_id]));
}

/** Media buys over time: the one place that stores a buy, and the tick that moves buys with the clock. */
export class Lifecycle {
  readonly #ports: LifecyclePorts;
  /** When the clock next moves a buy, ms since the epoch. */
  #dueMs: number;
  /** When the clock next moves a buy of an owner whose time is its own, by owner. */
  readonly #ownDueMs = new Map<string, number>();
  #moving: Promise<void> | undefined;

  private constructor(ports: LifecyclePorts, dueMs: number) {
    this.#ports = ports;
    this.#dueMs = dueMs;
  }

  /** Opens the lifecycle over a store, and reads when its next buy is due. */
  static async start(ports: LifecyclePorts): Promise<Lifecycle> {
    return new Lifecycle(ports, (await ports.store.read.mediaBuys.earliestDue()) ?? Number.POSITIVE_INFINITY);
  }

  /** Stores a new buy. */
  async open(tx: Writer, owner: string, buy: MediaBuy): Promise<void> {
    const { booking, events, clock } = this.#ports;
    const isOurs = booking.isOurs(buy);
    await tx.mediaBuys.insert(owner, buy, isOurs);
    this.#schedule(owner, buy);
    // A booking that the ad server still has to confirm is announced when it has.
    if (isOurs) await events.announceState(tx, owner, buy, isoTime(clock.nowOf(owner)));
  }

  /**
   * Stores a changed buy, and announces what its buyer does not know from an answer: moves that it did not ask for, impairments.
   * The creatives of a buy that has ended are released.
   */
  async save(tx: Writer, owner: string, buy: MediaBuy, entries: readonly HistoryEntry[]): Promise<void> {
    const { clock, events, reports } = this.#ports;
    const nowIso = isoTime(clock.nowOf(owner));
    const isImpaired = (buy.impairments ?? []).length > 0;
    const saved = isImpaired
      ? await this.#reconcile(tx, owner, buy, { assigned: await tx.creatives.assignedTo([buy.media_buy_id]), nowIso })
      : buy;
    await this.#write(tx, owner, saved, entries);
    if (isTerminal(saved.status)) await events.flush(tx, saved);
    // What the buyer asked for is in the answer to its call.
    if (entries.length > 0 && entries.every((entry) => entry.actor !== 'buyer'))
      await events.announceState(tx, owner, saved, nowIso);
    await reports.followBuy(tx, saved);
  }

  /** Moves one buy whose creatives have changed to where its facts put it, and stores it. Returns the buy after that. */
  async follow(tx: Writer, owner: string, buy: MediaBuy, now: Now): Promise<MediaBuy> {
    const assigned = await tx.creatives.assignedTo([buy.media_buy_id]);
    const reconciled = await this.#reconcile(tx, owner, buy, { assigned, nowIso: now.iso });
    const settled = settle(reconciled, buildRotations(assigned), now);
    if (settled.buy !== buy) await this.save(tx, owner, settled.buy, settled.moves);
    return settled.buy;
  }

  /** Moves every buy that the clock has overtaken. Cheap when there is none: call it before anything reads. */
  async catchUp(): Promise<void> {
    const { clock } = this.#ports;
    const isAhead = (owner: string): boolean => (this.#ownDueMs.get(owner) ?? 0) > clock.nowOf(owner);
    if (this.#dueMs > clock.now() && clock.ahead().every(isAhead)) return;
    this.#moving ??= this.#moveDue()
      .then(() => this.#moveDueOfOwnClocks())
      .finally(() => {
        this.#moving = undefined;
      });
    await this.#moving;
  }

  #schedule(owner: string, buy: MediaBuy): void {
    const next = nextDueMs(buy) ?? Number.POSITIVE_INFINITY;
    this.#dueMs = Math.min(this.#dueMs, next);
    const own = this.#ownDueMs.get(owner);
    if (own !== undefined) this.#ownDueMs.set(owner, Math.min(own, next));
  }

  async #write(tx: Writer, owner: string, buy: MediaBuy, entries: readonly HistoryEntry[]): Promise<void> {
    await tx.mediaBuys.replace(buy, this.#ports.booking.isOurs(buy));
    for (const entry of entries) await tx.mediaBuys.record(buy.media_buy_id, entry);
    if (isTerminal(buy.status)) await tx.creatives.release(buy.media_buy_id);
    this.#schedule(owner, buy);
  }

  /** Opens and closes impairments by the state of the buy's creatives, and announces each. */
  async #reconcile(
    tx: Writer,
    owner: string,
    buy: MediaBuy,
    { assigned, nowIso }: { readonly assigned: readonly AssignedCreative[]; readonly nowIso: string },
  ): Promise<MediaBuy> {
    const { events, ids } = this.#ports;
    const { buy: after, changed, closed } = reconcileCreatives(buy, assigned, nowIso, () => ids.next('imp'));
    for (const impairment of changed)
      await events.announceImpairment(tx, owner, after, { impairment, isResolved: false, nowIso });
    for (const impairment of closed)
      await events.announceImpairment(tx, owner, after, { impairment, isResolved: true, nowIso });
    return after;
  }

  async #settleDue(tx: Writer, { owner, buy }: OwnedBuy): Promise<void> {
    const ms = this.#ports.clock.nowOf(owner);
    const settled = settle(buy, await loadRotations(tx, buy), { ms, iso: isoTime(ms) });
    await this.save(tx, owner, settled.buy, settled.moves);
  }

  async #moveDue(): Promise<void> {
    const { clock, store } = this.#ports;
    for (let now = clock.now(); this.#dueMs <= now; now = clock.now()) {
      const moved = store.transact(async (tx) => {
        for (const row of await tx.mediaBuys.due(now, BATCH)) await this.#settleDue(tx, row);
        // Within the transaction: its neighbours in the same commit schedule after this, and must not be overwritten.
        this.#dueMs = (await tx.mediaBuys.earliestDue()) ?? Number.POSITIVE_INFINITY;
      });
      await moved.catch((error: unknown) => {
        this.#dueMs = Math.min(this.#dueMs, now);
        throw error;
      });
    }
  }

  /** Owners whose time is ahead have buys that are due before anybody else's would be. */
  async #moveDueOfOwnClocks(): Promise<void> {
    const { clock, store } = this.#ports;
    for (const owner of clock.ahead()) {
      for (let now = clock.nowOf(owner); (this.#ownDueMs.get(owner) ?? 0) <= now; now = clock.nowOf(owner)) {
        const moved = store.transact(async (tx) => {
          for (const row of await tx.mediaBuys.due(now, BATCH, owner)) await this.#settleDue(tx, row);
          this.#ownDueMs.set(owner, (await tx.mediaBuys.earliestDue(owner)) ?? Number.POSITIVE_INFINITY);
        });
        await moved.catch((error: unknown) => {
          this.#ownDueMs.delete(owner);
          throw error;
        });
      }
    }
  }
}
