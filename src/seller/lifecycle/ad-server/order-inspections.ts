import { MINUTE_MS, type OwnClocks, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Log } from '../../../platform/kernel/log.js';
import { callWithin } from '../../adserver/call.js';
import type { Connection, FindConnection } from '../../adserver/connection.js';
import { RetryLaterError } from '../../adserver/errors.js';
import type { InspectedOrder } from '../../adserver/port/answers.js';
import { isByHand, type OrderBooking } from '../../domain/booking/booking.js';
import { type Drift, describeDrift, findDrift } from '../../domain/booking/drift.js';
import type { LiveOrder } from '../../domain/booking/live-order.js';
import { flightEndMs } from '../../domain/media-buy/media-buy.js';
import type { OrderInspection } from '../../store/adserver/order-inspections.js';
import type { Lease, Store, Writer } from '../../store/store.js';

/** The services that orders are inspected with. */
type InspectionPorts = {
  readonly store: Store;
  readonly clock: Pick<OwnClocks, 'now'>;
  readonly log: Log;
  readonly findConnection: FindConnection;
};

/** Each round that has room for it inspects an order again, one a minute: buyers read within a minute that it does not deliver. */
const EVERY_MS = 50 * SECOND_MS;
/** When an order is inspected that could not be now. */
const LATER_MS = 5 * MINUTE_MS;
/** So many orders of an ad server are asked for in a round unless it declares more; the rest comes in the next, longest first. */
const ASKED = 20;
/** So many orders are looked at in a round, of all ad servers. */
const MAX_DUE = 1000;
/** So many are stored in a transaction, so that others come in between. */
const STORED_AT_ONCE = 50;
const TIMEOUT_MS = 90_000;

/** An order that is booked, as it is stored. */
type Booked = {
  readonly inspection: OrderInspection;
  readonly booking: OrderBooking;
  readonly order: LiveOrder;
};

/** The orders as ad servers hold them, by their ids. */
type InspectedOrders = ReadonlyMap<string, InspectedOrder>;

/** Asks ad servers what they have of booked orders, and stores what people changed there by hand. */
export class OrderInspections {
  readonly #ports: InspectionPorts;

  constructor(ports: InspectionPorts) {
    this.#ports = ports;
  }

  /** Inspects the orders that are due, some of each ad server, as long as the lease is held. */
  async tick(lease: Lease, isStopped: () => boolean = () => false): Promise<void> {
    const { clock, findConnection, store } = this.#ports;
    const queues = new Map<Connection | undefined, OrderInspection[]>();
    for (const inspection of await store.read.orderInspections.due(clock.now(), MAX_DUE)) {
      const connection = findConnection(inspection.owner);
      const queue = queues.get(connection) ?? [];
      const most = connection?.adapter.declaration.inspected_at_once ?? ASKED;
      if (connection === undefined || queue.length < most) queue.push(inspection);
      queues.set(connection, queue);
    }
    await Promise.all(
      [...queues].map(async ([connection, due]) => {
        if (!isStopped()) await this.#inspect(connection, lease, due);
      }),
    );
  }

  async #inspect(connection: Connection | undefined, lease: Lease, due: readonly OrderInspection[]): Promise<void> {
    const { log } = this.#ports;
    const booked: Booked[] = [];
    const others: OrderInspection[] = [];
    for (const inspection of due) {
      const one = await this.#readBooked(connection, inspection);
      if (one === undefined) others.push(inspection);
      else booked.push(one);
    }
    await this.#storeEach(lease, others, (tx, inspection) => this.#postpone(tx, inspection));
    if (connection === undefined || booked.length === 0) return;
    const { adapter } = connection;
    const orders = booked.map(({ booking, order }) => ({ order, foreign: booking.foreign ?? {} }));
    try {
      const inspections = await callWithin(TIMEOUT_MS, (signal) => adapter.inspect?.(orders, { signal }) ?? []);
      const byId = new Map(inspections.map((answer) => [answer.media_buy_id, answer]));
      await this.#storeEach(lease, booked, (tx, one) => this.#judge(tx, one, byId));
    } catch (error) {
      log.warn(
        { err: error, ad_server: adapter.name },
        'orders could not be compared with the ad server; it is tried again',
      );
      const afterMs = Math.max(EVERY_MS, error instanceof RetryLaterError ? (error.retryAfterMs ?? 0) : 0);
      await this.#storeEach(lease, booked, async (tx, { inspection }) =>
        this.#planAgain(tx, inspection, afterMs),
      ).catch((cause: unknown) => log.warn({ err: cause }, 'that orders could not be compared was not stored'));
    }
  }

  /** Returns an order that its ad server can be asked for; undefined where it is on its way there, or over. */
  async #readBooked(connection: Connection | undefined, inspection: OrderInspection): Promise<Booked | undefined> {
    const { clock, store } = this.#ports;
    if (connection?.adapter.inspect === undefined) return undefined;
    const booking = await store.read.orderBookings.find(inspection.media_buy_id);
    const order = booking?.booked?.order;
    if (booking?.state !== 'booked' || order === undefined || booking.ad_server !== connection.adapter.name)
      return undefined;
    const isOver = order.packages.every(({ end_time }) => Date.parse(end_time) <= clock.now());
    return isOver ? undefined : { inspection, booking, order };
  }

  async #storeEach<T>(lease: Lease, all: readonly T[], change: (tx: Writer, one: T) => Promise<void>): Promise<void> {
    for (let at = 0; at < all.length; at += STORED_AT_ONCE) {
      await this.#ports.store.transact(async (tx) => {
        await tx.requireLease(lease);
        for (const one of all.slice(at, at + STORED_AT_ONCE)) await change(tx, one);
      });
    }
  }

  /** Stores what was found of an order, unless it was booked anew meanwhile. */
  async #judge(tx: Writer, { booking, inspection, order }: Booked, found: InspectedOrders): Promise<void> {
    const { media_buy_id } = inspection;
    const answer = found.get(media_buy_id);
    const present = await tx.orderBookings.find(media_buy_id);
    const nowMs = this.#ports.clock.now();
    if (present?.revision !== booking.revision || present.state !== 'booked' || answer === undefined)
      return this.#planAgain(tx, inspection, LATER_MS);
    const drift = findDrift(order, answer.packages, nowMs);
    const drift_since = drift.length === 0 ? null : (inspection.drift_since ?? nowMs);
    tx.orderInspections.save({ ...inspection, drift, drift_since, next_at: nowMs + EVERY_MS });
    this.#logChange(booking, inspection.drift, drift);
  }

  #logChange({ ad_server, media_buy_id }: OrderBooking, before: readonly Drift[], drift: readonly Drift[]): void {
    const { log } = this.#ports;
    const facts = { media_buy_id, ad_server };
    if (describeDrift(before) === describeDrift(drift)) return;
    if (drift.length === 0) log.info(facts, 'the ad server has the order again as it was booked');
    else
      log.warn(
        { ...facts, drift: describeDrift(drift) },
        'the ad server has an order otherwise than it was booked; `orders` says what to do',
      );
  }

  /** Plans what cannot be inspected now: not at all where its flight is over or people carry it out, else once it may be booked again. */
  async #postpone(tx: Writer, inspection: OrderInspection): Promise<void> {
    const nowMs = this.#ports.clock.now();
    const owned = await tx.mediaBuys.findAnywhere(inspection.media_buy_id);
    const booking = await tx.orderBookings.find(inspection.media_buy_id);
    const isOver = owned === undefined || flightEndMs(owned.buy) <= nowMs || isByHand(owned.buy, booking);
    const after = isOver ? { drift: [], drift_since: null, next_at: null } : { next_at: nowMs + LATER_MS };
    tx.orderInspections.save({ ...inspection, ...after });
  }

  #planAgain(tx: Writer, inspection: OrderInspection, afterMs: number): void {
    tx.orderInspections.save({ ...inspection, next_at: this.#ports.clock.now() + afterMs });
  }
}
