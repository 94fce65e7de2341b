import { monotonicMs, SECOND_MS } from '../../platform/kernel/clock.js';
import { settlesWithin } from '../../platform/kernel/loop.js';
import type { Lease } from '../store/store.js';
import { bookOrder, type OrderBookingPorts, type WaitingOrder } from './book-order.js';
import type { Connection, FindConnection } from './connection.js';
import type { AdServerAdapter } from './port/adapter.js';

/** So many orders that are due are looked at in a round. */
const MAX_LISTED = 1000;
/** How long a round begins calls: those that are slow go on beside the next, so that an ad server which is slow keeps nobody else waiting. */
const ROUND_MS = 3 * SECOND_MS;
/** So many failures one after the other are the ad server's, not the orders': the rest waits for the next round. */
const MAX_FAILURES = 5;
const MAX_AT_ONCE = 20;

/** An order that is being booked. */
type InHand = { readonly adapter: AdServerAdapter | undefined; readonly done: Promise<void> };

/** The orders of one ad server in a round; undefined where there is none that they could go to. */
type Queue = { readonly connection: Connection | undefined; readonly orders: WaitingOrder[]; failures: number };

/** A round, as far as the work on a queue is concerned. */
type Round = { readonly lease: Lease; readonly isOver: () => boolean; booked: number };

/** Brings the orders that are due to the ad servers, several of an ad server beside each other where it can do that. */
export class WaitingOrders {
  readonly #ports: OrderBookingPorts;
  readonly #findConnection: FindConnection;
  readonly #inHand = new Map<string, InHand>();

  constructor(ports: OrderBookingPorts, findConnection: FindConnection) {
    this.#ports = ports;
    this.#findConnection = findConnection;
  }

  /** Books orders that are due; returns how many it booked before the round was over. */
  async book(lease: Lease, isStopped: () => boolean): Promise<number> {
    const untilMs = monotonicMs() + ROUND_MS;
    const round = { lease, isOver: () => isStopped() || monotonicMs() >= untilMs, booked: 0 };
    const queues = await this.#readQueues();
    const workers = queues.flatMap((queue) =>
      Array.from({ length: this.#freeOf(queue.connection?.adapter) }, () => this.#drainQueue(queue, round)),
    );
    await settlesWithin(Promise.all(workers), ROUND_MS);
    return round.booked;
  }

  /** Waits for the calls that are under way. */
  async settle(): Promise<void> {
    await Promise.all([...this.#inHand.values()].map(({ done }) => done));
  }

  async #readQueues(): Promise<readonly Queue[]> {
    const { clock, store } = this.#ports;
    // What ends while the list is read would be listed once more.
    const before = new Set(this.#inHand.keys());
    const queues = new Map<AdServerAdapter | undefined, Queue>();
    for (const order of await store.read.mediaBuys.toBook(clock.now(), MAX_LISTED)) {
      if (before.has(order.media_buy_id)) continue;
      const connection = this.#findConnection(order.owner);
      const queue = queues.get(connection?.adapter) ?? { connection, orders: [], failures: 0 };
      queue.orders.push(order);
      queues.set(connection?.adapter, queue);
    }
    return [...queues.values()];
  }

  /** Returns how many more orders an ad server may have in hand. */
  #freeOf(adapter: AdServerAdapter | undefined): number {
    const atOnce = Math.min(Math.max(1, adapter?.declaration.orders_at_once ?? 1), MAX_AT_ONCE);
    const inHand = [...this.#inHand.values()].filter((one) => one.adapter === adapter);
    return Math.max(0, atOnce - inHand.length);
  }

  async #drainQueue(queue: Queue, round: Round): Promise<void> {
    while (!round.isOver() && queue.failures < MAX_FAILURES) {
      const order = queue.orders.shift();
      if (order === undefined) return;
      const done = this.#book(queue, round, order);
      this.#inHand.set(order.media_buy_id, { adapter: queue.connection?.adapter, done });
      await done;
      this.#inHand.delete(order.media_buy_id);
    }
  }

  /** Books an order and counts the failures of its queue; never throws. */
  async #book(queue: Queue, round: Round, order: WaitingOrder): Promise<void> {
    try {
      const kind = await bookOrder(this.#ports, queue.connection, round.lease, order);
      queue.failures = kind === 'later' || kind === 'unknown' ? queue.failures + 1 : 0;
      if (kind === 'booked') round.booked += 1;
    } catch (error) {
      const { media_buy_id } = order;
      this.#ports.log.warn({ err: error, media_buy_id }, 'what came of a booking was not stored; it is looked for');
    }
  }
}
