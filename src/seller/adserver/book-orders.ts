import type { OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { type BookingOutcome, beginBooking, endBooking, type OrderBooking } from '../domain/booking/booking.js';
import { listChanges } from '../domain/booking/changes.js';
import { type ForeignIds, joinForeignIds, readForeignIds } from '../domain/booking/foreign-ids.js';
import { isLive, type LiveBuy, type LiveOrder, withoutAssets } from '../domain/booking/live-order.js';
import { takeTerms } from '../domain/booking/terms.js';
import { isTerminal } from '../domain/media-buy/media-buy.js';
import type { Lease, Store, Writer } from '../store/store.js';
import { callWithin } from './call.js';
import type { Connection, FindConnection } from './connection.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from './errors.js';
import { readOrderCreatives } from './order-creatives.js';
import type { AdServerAdapter } from './port/adapter.js';

/** What orders are booked with. */
type OrderBookingPorts = {
  readonly store: Store;
  readonly clock: Pick<OwnClocks, 'now'>;
  readonly log: Log;
  /** Called in the transaction that stores that a revision is booked. */
  readonly confirm: (tx: Writer, owner: string, buy: LiveBuy) => Promise<void>;
  /** Called in the transaction that stores that the ad server will not have a revision. */
  readonly refuse: (tx: Writer, owner: string, buy: LiveBuy, refusal: Refusal) => Promise<void>;
  /** How long a call of the ad server may take. */
  readonly timeoutMs?: number | undefined;
};

/** That an ad server will not have a revision: why, and what it had booked before. */
export type Refusal = { readonly reason: string; readonly booked: OrderBooking['booked'] };

/** An order that is to be booked. */
type Due = { readonly owner: string; readonly buy: LiveBuy };

const MAX_BOOKED = 100;
const TIMEOUT_MS = 120_000;

/**
 * Brings the orders that are due to the ad servers; returns how many were booked. That one is tried is stored before the ad server is called,
 * so that a process that ends in between is followed by one that looks first.
 */
export async function bookOrders(
  ports: OrderBookingPorts,
  findConnection: FindConnection,
  lease: Lease,
  isStopped: () => boolean,
): Promise<number> {
  const queues = new Map<Connection, Due[]>();
  for (const { owner, buy } of await ports.store.read.mediaBuys.toBook(ports.clock.now(), MAX_BOOKED)) {
    const connection = findConnection(owner);
    if (!isLive(buy) || connection === undefined) continue;
    queues.set(connection, [...(queues.get(connection) ?? []), { owner, buy }]);
  }
  // An ad server that is slow keeps the orders of others from nothing.
  const counts = await Promise.all(
    [...queues].map(([connection, queue]) => bookQueue(ports, { connection, queue, lease, isStopped })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The orders of one ad server. */
type Queue = {
  readonly connection: Connection;
  readonly queue: readonly Due[];
  readonly lease: Lease;
  readonly isStopped: () => boolean;
};

/** So many failures one after the other are the ad server's, not the orders': the rest waits for the next round. */
const MAX_FAILURES = 5;

async function bookQueue(ports: OrderBookingPorts, { connection, queue, lease, isStopped }: Queue): Promise<number> {
  let booked = 0;
  let failures = 0;
  for (const due of queue) {
    if (isStopped() || failures >= MAX_FAILURES) break;
    try {
      const kind = await bookOrder(ports, connection, lease, due);
      failures = kind === 'later' || kind === 'unknown' ? failures + 1 : 0;
      if (kind === 'booked') booked += 1;
    } catch (error) {
      const { media_buy_id } = due.buy;
      ports.log.warn({ err: error, media_buy_id }, 'what came of a booking was not stored; it is looked for');
    }
  }
  return booked;
}

/** Brings an order to its ad server; returns what came of it, undefined where there was nothing to do. */
async function bookOrder(
  ports: OrderBookingPorts,
  connection: Connection,
  lease: Lease,
  due: Due,
): Promise<BookingOutcome['kind'] | undefined> {
  const { clock, store } = ports;
  const { owner, buy } = due;
  const { media_buy_id, revision } = buy;
  const before = await store.read.orderBookings.find(media_buy_id);
  if (isOfNoConcern(buy, before)) {
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      await tx.mediaBuys.book(media_buy_id, revision);
    });
    return undefined;
  }
  const { adapter } = connection;
  const order = connection.makeOrder(buy, await readOrderCreatives(store.read, due));
  const elsewhere = findElsewhere(before, adapter);
  const ad_server = elsewhere?.ad_server ?? adapter.name;
  const begun = beginBooking(before, { media_buy_id, owner, revision, ad_server }, clock.now());
  await store.transact(async (tx) => {
    await tx.requireLease(lease);
    tx.orderBookings.save(begun);
  });
  const saved = new SavedIds(ports.store, lease, begun);
  const outcome = elsewhere
    ? explainElsewhere(elsewhere, adapter)
    : await callAdServer(adapter, order, {
        begun,
        saved,
        isUnsure: before?.is_unsure === true,
        timeoutMs: ports.timeoutMs ?? TIMEOUT_MS,
      });
  const booked = { order: withoutAssets(order), terms: takeTerms(buy) };
  const learnt = { ...outcome, foreign: joinForeignIds(saved.ids, outcome.foreign), booked };
  const ended = endBooking(begun, learnt, clock.now());
  await store.transact(async (tx) => {
    await tx.requireLease(lease);
    tx.orderBookings.save(ended);
    if (outcome.kind === 'booked') await ports.confirm(tx, owner, buy);
    if (outcome.kind === 'refused')
      await ports.refuse(tx, owner, buy, { reason: outcome.reason, booked: begun.booked });
  });
  logOutcome(ports.log, adapter, ended, before);
  return outcome.kind;
}

/** The ids that an adapter stores within a call. */
class SavedIds {
  readonly #store: Store;
  readonly #lease: Lease;
  readonly #begun: OrderBooking;
  #ids: ForeignIds | undefined;

  constructor(store: Store, lease: Lease, begun: OrderBooking) {
    this.#store = store;
    this.#lease = lease;
    this.#begun = begun;
  }

  /** Those that were stored since the call began. */
  get ids(): ForeignIds | undefined {
    return this.#ids;
  }

  /** Adds ids to those that are stored. Throws while another process has the lease. */
  async save(learnt: unknown): Promise<void> {
    this.#ids = joinForeignIds(this.#ids, readForeignIds(learnt));
    const foreign = joinForeignIds(this.#begun.foreign, this.#ids);
    await this.#store.transact(async (tx) => {
      await tx.requireLease(this.#lease);
      tx.orderBookings.save({ ...this.#begun, foreign });
    });
  }
}

/** Returns the booking of an order that another ad server has: its ids mean nothing here. */
function findElsewhere(before: OrderBooking | undefined, { name }: AdServerAdapter): OrderBooking | undefined {
  if (before?.ad_server === undefined || before.ad_server === name) return undefined;
  return before.foreign !== undefined || before.is_unsure ? before : undefined;
}

function explainElsewhere({ ad_server, is_unsure }: OrderBooking, { name }: AdServerAdapter): BookingOutcome {
  const reason = `The order is booked in ${ad_server}, and the tenant's ad server is ${name} by now. Change it there by hand and say "orders booked", or name ${ad_server} again in the tenant file.`;
  return { kind: 'later', reason, isUnsure: is_unsure };
}

/** Whether a buy ended before the ad server had anything of it. */
function isOfNoConcern(buy: LiveBuy, before: OrderBooking | undefined): boolean {
  if (!isTerminal(buy.status) || buy.confirmed_at !== undefined) return false;
  return before === undefined || (!before.is_unsure && before.foreign === undefined);
}

/** What a call of the ad server is made with. */
type Call = {
  readonly begun: OrderBooking;
  readonly saved: SavedIds;
  /** Whether the ad server may have more of the order than is known. */
  readonly isUnsure: boolean;
  readonly timeoutMs: number;
};

/** Books an order, and looks first for what an earlier call may have left there. Never throws. */
async function callAdServer(
  adapter: AdServerAdapter,
  order: LiveOrder,
  { begun, saved, isUnsure, timeoutMs }: Call,
): Promise<BookingOutcome> {
  const booked = begun.booked?.order;
  let isStillUnsure = isUnsure;
  try {
    if (isUnsure && adapter.find !== undefined) {
      await saved.save(await callWithin(timeoutMs, (signal) => adapter.find?.(order, { signal })));
      isStillUnsure = false;
    }
    const foreign = joinForeignIds(begun.foreign, saved.ids);
    const context = {
      foreign,
      booked,
      changes: listChanges(booked, order),
      saveIds: (ids: ForeignIds) => saved.save(ids),
    };
    const answered = await callWithin(timeoutMs, (signal) => adapter.book(order, { ...context, signal }));
    return { kind: 'booked', foreign: readForeignIds(answered) };
  } catch (error) {
    return { isUnsure: isStillUnsure, ...readFailure(error) };
  }
}

function readFailure(error: unknown): BookingOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof OrderRefusedError) return { kind: 'refused', reason, foreign: error.foreign };
  if (error instanceof RetryLaterError)
    return { kind: 'later', reason, foreign: error.foreign, retryAfterMs: error.retryAfterMs };
  return { kind: 'unknown', reason, foreign: error instanceof UnknownOutcomeError ? error.foreign : undefined };
}

function logOutcome(
  log: Log,
  { name }: AdServerAdapter,
  { media_buy_id, revision, state, attempts, reason }: OrderBooking,
  before: OrderBooking | undefined,
): void {
  const facts = { media_buy_id, revision, attempts, ad_server: name, reason };
  if (state === 'refused') log.warn(facts, 'the ad server refused an order; its buyer is told');
  else if (state === 'overdue' && before?.state !== 'overdue')
    log.error(facts, 'an order could not be booked for a day; `orders` lists it, and a person has to look');
  else if (state !== 'booked') log.warn(facts, 'booking failed; it is tried again');
}
