import { isoTime, MINUTE_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { bookedByHand, isByHand } from '../domain/booking/booking.js';
import { withDealIds } from '../domain/booking/deals.js';
import { findStopped } from '../domain/booking/drift.js';
import type { BreakdownRequest } from '../domain/delivery/breakdown.js';
import { type Finality, finalityOf } from '../domain/delivery/finality.js';
import { type Fulfillment, fulfillmentOf } from '../domain/media-buy/fulfillment.js';
import { flightEndMs, isTerminal, type MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Lease, Store, Writer } from '../store/store.js';
import type { Refusal } from './book-order.js';
import type { FindConnection } from './connection.js';
import type { CreativeDelivery, PackageBreakdown, PackageDelivery, Window } from './delivered.js';
import { EnteredDelivery } from './entered.js';
import { soldBreakdown, soldCreatives, soldDelivery } from './report.js';
import { limitAllByDemand, limitByDemand } from './simulator/competition.js';
import { houseBreakdown, houseCreativeDelivery, houseDelivery } from './simulator/simulator.js';
import { WaitingOrders } from './waiting-orders.js';

/** Brings orders to where ads are delivered and reads delivery: from the simulator, the seller's ad server, or what people entered. */
export type Booking = {
  /** Whether the simulator serves this buy: nobody has to book it, and its numbers are always there. */
  readonly isSimulated: (buy: MediaBuy) => boolean;
  /**
   * Books orders that are due in the ad server, and answers how many; one that fails is tried later and later, and one that is slow goes
   * on after the answer, until `settle`. A booking is noted only while no other process has taken the lease.
   */
  readonly bookWaiting: (lease: Lease, isStopped?: () => boolean) => Promise<number>;
  /** Waits for the calls that bring orders to ad servers. */
  readonly settle: () => Promise<void>;
  /** Records that a person has booked the present revision of a buy; `orderId` is its id in the ad server. Returns the buy after that. */
  readonly bookByHand: (tx: Writer, owner: string, buy: MediaBuy, orderId: string | undefined) => Promise<MediaBuy>;
  /** Returns buys with what their delivery depends on, in their order, so that not every read for one report looks for it. */
  readonly prepare: (buys: readonly MediaBuy[]) => Promise<readonly MediaBuy[]>;
  readonly delivery: (buy: MediaBuy, window: Window, daily: boolean) => Promise<readonly PackageDelivery[]>;
  /** Undefined where creatives are not told apart. */
  readonly creativeDelivery: (buy: MediaBuy, window: Window) => Promise<readonly CreativeDelivery[] | undefined>;
  /** What packages delivered by a dimension; without those of which that is not known. */
  readonly breakdown: (
    buy: MediaBuy,
    window: Window,
    request: BreakdownRequest,
  ) => Promise<readonly PackageBreakdown[]>;
  /** Whether the numbers of a window are there to be reported: of a buy that people carry out, once they are entered. */
  readonly isReportable: (buy: MediaBuy, window: Window) => Promise<boolean>;
  /** Whether the numbers of a window are closed. */
  readonly finality: (buy: MediaBuy, window: Window) => Promise<Finality>;
};

/** Where the delivery of a buy comes from. */
type Source = Pick<Booking, 'delivery' | 'creativeDelivery' | 'isReportable'> & Partial<Pick<Booking, 'breakdown'>>;

/** Called in the transaction that stores the first confirmation of a buy that has not ended, with the buy as it is by then. */
type OnBooked = (tx: Writer, owner: string, buy: MediaBuy) => Promise<void>;

/** Called in the transaction that stores that the ad server will not have a revision of a buy. */
type OnRefused = (tx: Writer, owner: string, buy: MediaBuy, refusal: Refusal) => Promise<void>;

/** The services that orders are booked with. */
type BookingPorts = {
  readonly store: Store;
  readonly clock: Pick<OwnClocks, 'now' | 'nowOf'>;
  readonly log: Log;
  readonly findConnection: FindConnection;
  readonly onBooked: OnBooked;
  readonly onRefused: OnRefused;
  /** How long a call of the ad server may take, ms. */
  readonly timeoutMs?: number | undefined;
};

/** Connects the store to whatever carries live buys out. */
export function createBooking(ports: BookingPorts): Booking {
  const sources = deliverySources(ports);
  const sourceOf = (buy: MediaBuy): Source => sources[fulfillmentOf(buy)];
  const { findConnection, onRefused: refuse } = ports;
  const confirmed = (tx: Writer, owner: string, buy: MediaBuy) => confirmBuy(ports, tx, owner, buy);
  const waiting = new WaitingOrders({ ...ports, confirm: confirmed, refuse }, findConnection);
  return {
    isSimulated: (buy) => fulfillmentOf(buy) === 'simulated',
    bookWaiting: (lease, isStopped = () => false) => waiting.book(lease, isStopped),
    settle: () => waiting.settle(),
    bookByHand: async (tx, owner, buy, orderId = buy.booked_by_hand?.order_id) => {
      const booked = { ...buy, booked_by_hand: { at: isoTime(ports.clock.nowOf(owner)), order_id: orderId } };
      await tx.mediaBuys.replace(booked, false);
      tx.orderWaits.end(buy.media_buy_id);
      const before = await tx.orderBookings.find(buy.media_buy_id);
      if (before !== undefined) tx.orderBookings.save(bookedByHand(before, booked));
      await confirmBuy(ports, tx, owner, booked);
      return booked;
    },
    prepare: async (buys) => {
      const simulated = buys.filter((buy) => fulfillmentOf(buy) === 'simulated');
      const limited = (await limitAllByDemand(ports.store.read, simulated)).values();
      return buys.map((buy) => (fulfillmentOf(buy) === 'simulated' ? (limited.next().value ?? buy) : buy));
    },
    delivery: async (buy, window, daily) => soldDelivery(buy, await sourceOf(buy).delivery(buy, window, daily)),
    creativeDelivery: async (buy, window) => {
      const creatives = await sourceOf(buy).creativeDelivery(buy, window);
      return creatives && soldCreatives(buy, creatives);
    },
    breakdown: async (buy, window, request) =>
      soldBreakdown(buy, (await sourceOf(buy).breakdown?.(buy, window, request)) ?? []),
    isReportable: (buy, window) => sourceOf(buy).isReportable(buy, window),
    finality: async (buy, window) => {
      const areThere = isTerminal(buy.status) && (await sourceOf(buy).isReportable(buy, window));
      return finalityOf(buy, window, { areThere, closeAtEnd: fulfillmentOf(buy) === 'simulated' });
    },
  };
}

/** Returns where delivery comes from, by how a buy is carried out. */
function deliverySources({ store }: BookingPorts): Readonly<Record<Fulfillment, Source>> {
  const entered = new EnteredDelivery(store.read.deliveries);
  const stored: Source = {
    delivery: (buy, window, daily) => entered.ofPackages(buy, window, daily),
    creativeDelivery: (buy, window) => entered.ofCreatives(buy, window),
    isReportable: (buy, window) => entered.isEntered(buy, window),
  };
  return {
    simulated: {
      delivery: async (buy, window, daily) => houseDelivery(await limitByDemand(store.read, buy), window, daily),
      creativeDelivery: async (buy, window) => houseCreativeDelivery(await limitByDemand(store.read, buy), window),
      breakdown: async (buy, window, request) => houseBreakdown(await limitByDemand(store.read, buy), window, request),
      isReportable: async () => true,
    },
    adapter: {
      ...stored,
      delivery: async (buy, window, daily) => {
        const stopped = findStopped((await store.read.orderInspections.find(buy.media_buy_id))?.drift ?? []);
        return (await stored.delivery(buy, window, daily)).map((line) =>
          line.delivery_status === 'delivering' && stopped.includes(line.package_id)
            ? { ...line, delivery_status: 'not_delivering' }
            : line,
        );
      },
      isReportable: async (buy, window) => {
        if (isByHand(buy, await store.read.orderBookings.find(buy.media_buy_id))) return entered.isEntered(buy, window);
        const pull = await store.read.deliveryPulls.find(buy.media_buy_id);
        // What was never booked has delivered nothing.
        if (pull === undefined) return isTerminal(buy.status) && buy.confirmed_at === undefined;
        return pull.through_ms >= Math.min(window.toMs, flightEndMs(buy));
      },
    },
    manual: stored,
  };
}

/** Records that the revision of a buy is booked; the first time its buyer is told. */
async function confirmBuy({ clock, onBooked }: BookingPorts, tx: Writer, owner: string, buy: MediaBuy): Promise<void> {
  if (fulfillmentOf(buy) === 'adapter') {
    await tx.deliveryPulls.open(buy.media_buy_id, owner, clock.now());
    await tx.orderInspections.plan(buy.media_buy_id, owner, clock.now() + MINUTE_MS);
  }
  await showDeals(tx, buy.media_buy_id);
  if (!(await tx.mediaBuys.book(buy.media_buy_id, buy.revision))) return;
  const present = await tx.mediaBuys.find(owner, buy.media_buy_id);
  if (present !== undefined && !isTerminal(present.status)) await onBooked(tx, owner, present);
}

/** Stores the ids of deals that the ad server has made with the packages, where their buyer finds them. */
async function showDeals(tx: Writer, mediaBuyId: string): Promise<void> {
  const ids = (await tx.orderBookings.find(mediaBuyId))?.foreign?.deals;
  const owned = ids && (await tx.mediaBuys.findAnywhere(mediaBuyId));
  if (ids === undefined || owned === undefined) return;
  const withIds = withDealIds(owned.buy, ids);
  if (withIds !== owned.buy) await tx.mediaBuys.replace(withIds, false);
}
