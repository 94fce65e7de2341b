import { isoTime, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Ids } from '../../platform/kernel/ids.js';
import { runSlices } from '../../platform/kernel/slices.js';
import type { Refusal } from '../adserver/book-order.js';
import type { Booking } from '../adserver/booking.js';
import { restoreTerms } from '../domain/booking/terms.js';
import type { AssignedCreative } from '../domain/creative/creative.js';
import type { FieldOf } from '../domain/inventory/hold.js';
import { fulfillmentOf } from '../domain/media-buy/fulfillment.js';
import { reconcileImpairments } from '../domain/media-buy/health.js';
import {
  type HistoryEntry,
  isTerminal,
  type MediaBuy,
  type MediaBuyStatus,
  nextDueMs,
} from '../domain/media-buy/media-buy.js';
import { buildRotations, type Rotations } from '../domain/media-buy/rotation.js';
import {
  asRevision,
  confirmBooking,
  MAX_SUMMARY_CHARS,
  moveBySeller,
  settleBuy,
} from '../domain/media-buy/settlement.js';
import type { OwnedBuy } from '../store/media-buys/media-buys.js';
import type { Reader, Store, Writer } from '../store/store.js';
import type { BuyEvents } from '../webhooks/events/buy-events.js';
import { followDemand } from './demand.js';
import { findLostResources, type LostProperties } from './impairments.js';
import { holdInventory, releaseInventory } from './inventory.js';
import type { Reports } from './reports.js';
import type { Spend } from './spend.js';

/** The moment of a change. */
export type Now = { readonly ms: number; readonly iso: string };

/** The services that the lifecycle calls. */
type LifecyclePorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly ids: Pick<Ids, 'next'>;
  readonly booking: Booking;
  readonly events: BuyEvents;
  readonly reports: Pick<Reports, 'followBuy'>;
  readonly spend: Pick<Spend, 'follow'>;
  readonly lostProperties: LostProperties;
};

/** The most buys that a call moves before it is answered: what is due beyond them is moved beside the calls. */
const MAX_MOVED_FOR_CALL = 50;

/** Returns the creatives that can run in the packages of a buy. */
export async function loadRotations(reader: Reader, buy: Pick<MediaBuy, 'media_buy_id'>): Promise<Rotations> {
  return buildRotations(await reader.creatives.assignedTo([buy.media_buy_id]));
}

/** Returns the members as they are: no request names a package that goes back to what was booked. */
const unnamedField = (): FieldOf => (member) => member;

/** Has a revision booked once more: something has changed that is no revision, such as the creatives that may run. */
function bookAgain(tx: Writer, { media_buy_id, revision }: MediaBuy): Promise<void> {
  return tx.mediaBuys.carryBooking(media_buy_id, revision, revision - 1);
}

/**
 * Carries over what people have booked of a buy where only the clock moved it; creatives that it waited for, or that
 * change without a revision, have it booked again.
 */
async function carryBooking(
  tx: Writer,
  before: MediaBuyStatus | undefined,
  buy: MediaBuy,
  entries: readonly HistoryEntry[],
): Promise<void> {
  const { media_buy_id, revision, status } = buy;
  if (entries.length === 0) return bookAgain(tx, buy);
  const hasGotCreatives = before === 'pending_creatives' && !isTerminal(status);
  if (!hasGotCreatives && entries.every(({ actor }) => actor === 'system'))
    return tx.mediaBuys.carryBooking(media_buy_id, revision - entries.length, revision);
}

/** Media buys over time: the one place that stores a buy, and the tick that moves buys with the clock. */
export class Lifecycle {
  readonly #ports: LifecyclePorts;
  /** When the clock next moves a buy, ms since the epoch, by owner; an owner whose turn it was goes to the end. */
  readonly #dueMs: Map<string, number>;
  /** The buys that are being moved, by owner. */
  readonly #moving = new Map<string, Promise<boolean>>();

  private constructor(ports: LifecyclePorts, dueMs: Map<string, number>) {
    this.#ports = ports;
    this.#dueMs = dueMs;
  }

  /** Opens the lifecycle over a store, and reads when its next buys are due. */
  static async start(ports: LifecyclePorts): Promise<Lifecycle> {
    return new Lifecycle(ports, await ports.store.read.mediaBuys.earliestDues());
  }

  /** Stores a new buy. Its buyer is told by the answer, or by the end of the task that it waits for. */
  async open(tx: Writer, owner: string, buy: MediaBuy): Promise<void> {
    const isSimulated = this.#ports.booking.isSimulated(buy);
    await tx.mediaBuys.insert(owner, buy, isSimulated);
    if (isSimulated) await followDemand(tx, owner, buy, { nowMs: this.#ports.clock.nowOf(owner), isNew: true });
    this.#expect(owner, nextDueMs(buy));
  }

  /** Stores that an ad server or a person has confirmed a buy, and moves it to where its facts put it then; nothing where that is known. */
  async confirm(tx: Writer, owner: string, buy: MediaBuy): Promise<void> {
    if (buy.confirmed_at !== undefined) return;
    const ms = this.#ports.clock.nowOf(owner);
    const settled = confirmBooking(buy, await loadRotations(tx, buy), { ms, iso: isoTime(ms) });
    await this.save(tx, owner, settled.buy, settled.moves);
    // That it starts is in the order that was booked.
    await tx.mediaBuys.carryBooking(buy.media_buy_id, buy.revision, settled.buy.revision);
  }

  /**
   * Stores that the ad server refuses a revision of a buy: one that was never booked is rejected, any other goes back to the terms that
   * were booked, and its history says so. Does nothing where the buy has changed since: that is tried.
   */
  async refuse(tx: Writer, owner: string, refused: MediaBuy, { reason, booked }: Refusal): Promise<void> {
    const buy = await tx.mediaBuys.find(owner, refused.media_buy_id);
    if (buy === undefined || buy.revision !== refused.revision || isTerminal(buy.status)) return;
    const ms = this.#ports.clock.nowOf(owner);
    const now = { ms, iso: isoTime(ms) };
    if (buy.confirmed_at === undefined) {
      const settled = moveBySeller(buy, { to: 'rejected', reason }, await loadRotations(tx, buy), now);
      return this.save(tx, owner, settled.buy, settled.moves);
    }
    const summary = reason.slice(0, MAX_SUMMARY_CHARS);
    const restored = booked && restoreTerms(buy, booked.terms, { reason: summary, iso: now.iso });
    const entry = { timestamp: now.iso, actor: 'seller', action: 'change_refused', summary } as const;
    if (restored === undefined) {
      // There is nothing to go back to, such as other creatives: a person has to look.
      const { revision } = buy;
      return this.save(tx, owner, { ...buy, updated_at: now.iso }, [{ revision, ...entry }]);
    }
    const revision = buy.revision + 1;
    const settled = asRevision(
      settleBuy({ ...restored, updated_at: now.iso }, await loadRotations(tx, buy), now),
      revision,
    );
    await holdInventory(tx, { owner, buy: settled.buy, before: buy, field: unnamedField, nowMs: ms, isPartial: true });
    await this.save(tx, owner, settled.buy, [{ revision, ...entry }, ...settled.moves]);
    // What it goes back to is what is booked.
    await tx.mediaBuys.book(buy.media_buy_id, revision);
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
    else await events.restateImpairments(tx, owner, saved, nowIso);
    // What the buyer asked for is in the answer to its call, and with it where the buy stands.
    if (entries.some((entry) => entry.actor === 'buyer')) await this.answer(tx, saved);
    else if (entries.length > 0) await events.announceState(tx, owner, saved, { changes: entries, nowIso });
    await reports.followBuy(tx, saved);
  }

  /** Notes that the answer to a call tells where a buy stands: events that were to tell that are not sent any more. */
  async answer(tx: Writer, buy: MediaBuy): Promise<void> {
    await this.#ports.events.dropState(tx, buy);
  }

  /** Moves one buy whose creatives have changed to where its facts put it, and stores it. Returns the buy after that. */
  async follow(tx: Writer, owner: string, buy: MediaBuy, now: Now): Promise<MediaBuy> {
    const assigned = await tx.creatives.assignedTo([buy.media_buy_id]);
    const reconciled = await this.#reconcile(tx, owner, buy, { assigned, nowIso: now.iso });
    const settled = settleBuy(reconciled, buildRotations(assigned), now);
    if (settled.buy !== buy) await this.save(tx, owner, settled.buy, settled.moves);
    return settled.buy;
  }

  /**
   * Moves the buys of an owner that the clock has overtaken, before a call reads them: some of them where they are very many, and those
   * that the call names. Cheap when there is none, and nobody waits for the buys of another owner.
   */
  async catchUp(owner: string, named: readonly string[] = []): Promise<void> {
    if (!this.#isDue(owner)) return;
    const hasMore = await this.#moveDue(owner, MAX_MOVED_FOR_CALL);
    if (hasMore && named.length > 0) await this.#moveNamed(owner, named);
  }

  /** Moves every buy that the clock has overtaken, in slices, the owners by turns; only those of one owner where it is named. */
  async moveAllDue(isStopped: () => boolean = () => false, owner?: string): Promise<void> {
    const nextOwner = (): string | undefined =>
      [...(owner === undefined ? this.#dueMs.keys() : [owner])].find((one) => this.#isDue(one));
    await runSlices(async (limit) => {
      const due = nextOwner();
      if (due === undefined) return false;
      await this.#moveDue(due, limit);
      return nextOwner() !== undefined;
    }, isStopped);
  }

  /** Reads when the next buy of an owner, or of every owner, is due by what other processes have stored. */
  async refresh(owner?: string): Promise<void> {
    const { mediaBuys } = this.#ports.store.read;
    const dues =
      owner === undefined ? await mediaBuys.earliestDues() : [[owner, await mediaBuys.earliestDue(owner)] as const];
    for (const [one, dueMs] of dues) this.#expect(one, dueMs);
  }

  #isDue(owner: string): boolean {
    return (this.#dueMs.get(owner) ?? Number.POSITIVE_INFINITY) <= this.#ports.clock.nowOf(owner);
  }

  #expect(owner: string, next: number | undefined): void {
    if (next !== undefined && next < (this.#dueMs.get(owner) ?? Number.POSITIVE_INFINITY)) this.#dueMs.set(owner, next);
  }

  async #write(tx: Writer, owner: string, buy: MediaBuy, entries: readonly HistoryEntry[]): Promise<void> {
    const { booking, spend } = this.#ports;
    const isByHand = fulfillmentOf(buy) === 'manual';
    const before = isByHand ? await tx.mediaBuys.find(owner, buy.media_buy_id) : undefined;
    await tx.mediaBuys.replace(buy, booking.isSimulated(buy));
    if (isByHand) await carryBooking(tx, before?.status, buy, entries);
    else if (entries.length === 0 && fulfillmentOf(buy) === 'adapter') await bookAgain(tx, buy);
    await spend.follow(tx, owner, buy);
    if (booking.isSimulated(buy)) await followDemand(tx, owner, buy, { nowMs: this.#ports.clock.nowOf(owner) });
    for (const entry of entries) await tx.mediaBuys.record(buy.media_buy_id, entry);
    if (isTerminal(buy.status)) {
      await tx.creatives.release(buy.media_buy_id);
      await releaseInventory(tx, buy, this.#ports.clock.nowOf(owner));
    }
    this.#expect(owner, nextDueMs(buy));
  }

  /** Opens and closes impairments by the state of what the buy needs, and announces each. */
  async #reconcile(
    tx: Writer,
    owner: string,
    buy: MediaBuy,
    { assigned, nowIso }: { readonly assigned: readonly AssignedCreative[]; readonly nowIso: string },
  ): Promise<MediaBuy> {
    const { events, ids, lostProperties: properties } = this.#ports;
    const nowMs = Date.parse(nowIso);
    const lost = await findLostResources(tx, owner, buy, { assigned, properties, nowMs });
    const { buy: after, changed, closed } = reconcileImpairments(buy, lost, nowIso, () => ids.next('imp'));
    for (const impairment of changed)
      await events.announceImpairment(tx, owner, after, { impairment, isResolved: false, nowIso });
    for (const impairment of closed)
      await events.announceImpairment(tx, owner, after, { impairment, isResolved: true, nowIso });
    return after;
  }

  async #settleDue(tx: Writer, { owner, buy }: OwnedBuy): Promise<void> {
    const ms = this.#ports.clock.nowOf(owner);
    const settled = settleBuy(buy, await loadRotations(tx, buy), { ms, iso: isoTime(ms) });
    await this.save(tx, owner, settled.buy, settled.moves);
  }

  /** Moves at most `limit` due buys of an owner in one transaction, unless some are being moved; returns whether there may be more. */
  async #moveDue(owner: string, limit: number): Promise<boolean> {
    const running = this.#moving.get(owner);
    if (running !== undefined) return running;
    const nowMs = this.#ports.clock.nowOf(owner);
    const moving = this.#move(owner, nowMs, async (tx) => {
      const due = await tx.mediaBuys.due(owner, nowMs, limit);
      for (const row of due) await this.#settleDue(tx, row);
      return due.length >= limit;
    }).finally(() => this.#moving.delete(owner));
    this.#moving.set(owner, moving);
    return moving;
  }

  #moveNamed(owner: string, ids: readonly string[]): Promise<void> {
    const nowMs = this.#ports.clock.nowOf(owner);
    return this.#move(owner, nowMs, async (tx) => {
      for (const row of await tx.mediaBuys.dueAmong(owner, nowMs, ids)) await this.#settleDue(tx, row);
    });
  }

  /** Runs a transaction that moves buys of an owner, and notes within it when its next one is due. */
  #move<T>(owner: string, nowMs: number, action: (tx: Writer) => Promise<T>): Promise<T> {
    const moved = this.#ports.store.transact(async (tx) => {
      const outcome = await action(tx);
      const next = await tx.mediaBuys.earliestDue(owner);
      // Within the transaction: its neighbours in the same commit schedule after this, and must not be overwritten.
      this.#dueMs.delete(owner);
      if (next !== undefined) this.#dueMs.set(owner, next);
      return outcome;
    });
    return moved.catch((error: unknown) => {
      this.#dueMs.set(owner, Math.min(this.#dueMs.get(owner) ?? nowMs, nowMs));
      throw error;
    });
  }
}
