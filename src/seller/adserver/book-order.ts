import type { OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import {
  type BookingOutcome,
  beginBooking,
  endBooking,
  isByHand,
  type OrderBooking,
} from '../domain/booking/booking.js';
import { listChanges } from '../domain/booking/changes.js';
import type { ResolvedCreative } from '../domain/booking/creatives.js';
import { findDeleted, wantedState } from '../domain/booking/drift.js';
import { type ForeignIds, joinForeignIds, readForeignIds } from '../domain/booking/foreign-ids.js';
import { isLive, type LiveBuy, type LiveOrder, withoutAssets } from '../domain/booking/live-order.js';
import { takeTerms } from '../domain/booking/terms.js';
import { isTerminal } from '../domain/media-buy/media-buy.js';
import type { Lease, Store, Writer } from '../store/store.js';
import { callWithin } from './call.js';
import type { Connection } from './connection.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from './errors.js';
import { readOrderCreatives } from './order-creatives.js';
import type { AdServerAdapter } from './port/adapter.js';

/** The services by which orders are booked. */
export type OrderBookingPorts = {
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

/** An order that is to be booked: its buy, as it was listed. */
export type WaitingOrder = { readonly owner: string; readonly media_buy_id: string };

/** An order that is to be booked, as it is now, and how far it was before. */
type Due = { readonly owner: string; readonly buy: LiveBuy; readonly before: OrderBooking | undefined };

const TIMEOUT_MS = 120_000;

/**
 * Brings an order to its ad server, `connection` where there is one; returns what came of it, undefined where there was nothing to do. That it is
 * tried is stored before the ad server is called, so that a process that ends in between is followed by one that looks first.
 */
export async function bookOrder(
  ports: OrderBookingPorts,
  connection: Connection | undefined,
  lease: Lease,
  { owner, media_buy_id }: WaitingOrder,
): Promise<BookingOutcome['kind'] | undefined> {
  const { clock, store } = ports;
  const buy = await store.read.mediaBuys.find(owner, media_buy_id);
  if (buy === undefined || !isLive(buy)) return undefined;
  const before = await store.read.orderBookings.find(media_buy_id);
  if (isOfNoConcern(buy, before)) {
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      await tx.mediaBuys.book(media_buy_id, buy.revision);
    });
    return undefined;
  }
  const due = { owner, buy, before };
  const reason = explainStranded(before, connection?.adapter) ?? explainByHand(buy, before);
  if (connection !== undefined && reason === undefined) return callFor(ports, connection, lease, due);
  const { ad_server, is_unsure = false } = before ?? {};
  const begun = beginBooking(before, { media_buy_id, owner, revision: buy.revision, ad_server }, clock.now());
  const outcome = { kind: 'stranded', reason: reason ?? NO_AD_SERVER, isUnsure: is_unsure } as const;
  return end(ports, lease, due, { begun, outcome });
}

/** Calls the ad server for an order, and stores what came of it. */
async function callFor(
  ports: OrderBookingPorts,
  connection: Connection,
  lease: Lease,
  due: Due,
): Promise<BookingOutcome['kind']> {
  const { clock, store, timeoutMs = TIMEOUT_MS } = ports;
  const { before, buy, owner } = due;
  const { media_buy_id, revision } = buy;
  const { adapter } = connection;
  const creatives = await readOrderCreatives(store.read, due);
  const order = connection.makeOrder(buy, creatives);
  const begun = beginBooking(before, { media_buy_id, owner, revision, ad_server: adapter.name }, clock.now());
  await store.transact(async (tx) => {
    await tx.requireLease(lease);
    tx.orderBookings.save(begun);
  });
  const saved = new SavedIds(store, lease, begun);
  const isUnsure = before?.is_unsure === true;
  const outcome = await callAdServer(adapter, order, { begun, saved, isUnsure, timeoutMs });
  const booked = { order: withoutAssets(order), terms: takeTerms(buy) };
  const learnt = { ...outcome, foreign: joinForeignIds(saved.ids, outcome.foreign), booked };
  return end(ports, lease, due, { begun, outcome: learnt, creatives });
}

/** An attempt to book with its outcome, and the creatives that it was made with. */
type Attempt = {
  readonly begun: OrderBooking;
  readonly outcome: BookingOutcome;
  readonly creatives?: readonly ResolvedCreative[];
};

/** Stores what came of an attempt, and tells those that it concerns. */
async function end(
  ports: OrderBookingPorts,
  lease: Lease,
  { before, buy, owner }: Due,
  { begun, outcome, creatives }: Attempt,
): Promise<BookingOutcome['kind']> {
  const nowMs = ports.clock.now();
  const isTakenOver = outcome.kind === 'booked' && isByHand(buy, before);
  const by_hand_until = isTakenOver ? nowMs : begun.by_hand_until;
  const ended = { ...endBooking(begun, outcome, nowMs), by_hand_until };
  await ports.store.transact(async (tx) => {
    await tx.requireLease(lease);
    tx.orderBookings.save(ended);
    if (outcome.kind === 'booked') {
      await ports.confirm(tx, owner, buy);
      await bookChangedCreatives(tx, { owner, buy }, creatives ?? []);
    }
    if (outcome.kind === 'refused')
      await ports.refuse(tx, owner, buy, { reason: outcome.reason, booked: begun.booked });
  });
  logOutcome(ports.log, ended, before);
  return outcome.kind;
}

/** Has an order booked once more whose creatives changed while it was on its way: that is no new revision, which would be booked by itself. */
async function bookChangedCreatives(
  tx: Writer,
  { buy, owner }: Pick<Due, 'buy' | 'owner'>,
  creatives: readonly ResolvedCreative[],
): Promise<void> {
  const now = await readOrderCreatives(tx, { owner, buy });
  if (printCreatives(now) === printCreatives(creatives)) return;
  const present = await tx.mediaBuys.find(owner, buy.media_buy_id);
  if (present === undefined) return;
  await tx.mediaBuys.carryBooking(buy.media_buy_id, present.revision, present.revision - 1);
}

function printCreatives(creatives: readonly ResolvedCreative[]): string {
  return JSON.stringify(
    creatives
      .map(({ creative_id, package_id, version, weight }) => [package_id, creative_id, version, weight])
      .toSorted(),
  );
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

const NO_AD_SERVER =
  'Live buys of its tenant go to no ad server that could be asked by now. Carry it out by hand and say "orders booked", or name the ad server again in the tenant file.';

/** Returns why an ad server cannot be asked for an order: another one has it, whose ids mean nothing to it. */
function explainStranded(before: OrderBooking | undefined, adapter: AdServerAdapter | undefined): string | undefined {
  if (before?.ad_server === undefined || before.ad_server === adapter?.name) return undefined;
  if (before.foreign === undefined && !before.is_unsure) return undefined;
  const now = adapter === undefined ? 'the tenant has no ad server' : `the tenant's ad server is ${adapter.name}`;
  const { ad_server } = before;
  return `The order is booked in ${ad_server}, and ${now} by now. Change it there by hand and say "orders booked", or name ${ad_server} again in the tenant file.`;
}

/** Returns why a change of an order that people carry out is not for the ad server: it would make what it does not have, beside theirs. */
function explainByHand(buy: LiveBuy, before: OrderBooking | undefined): string | undefined {
  const ids = before?.foreign?.packages ?? {};
  if (!isByHand(buy, before) || buy.packages.every(({ package_id }) => ids[package_id] !== undefined)) return undefined;
  return 'The order is carried out by hand, and has changed. Carry out the change by hand too and say "orders booked".';
}

/** Whether a buy ended before the ad server had anything of it. */
function isOfNoConcern(buy: LiveBuy, before: OrderBooking | undefined): boolean {
  if (!isTerminal(buy.status) || buy.confirmed_at !== undefined) return false;
  return before === undefined || (!before.is_unsure && before.foreign === undefined);
}

/** The context of a call to the ad server. */
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
    const deleted = await findGone(adapter, order, { foreign, timeoutMs });
    const context = {
      foreign,
      booked,
      changes: listChanges(booked, order),
      saveIds: (ids: ForeignIds) => saved.save(ids),
    };
    const rest = { ...order, packages: order.packages.filter(({ package_id }) => !deleted.includes(package_id)) };
    const answered = await callWithin(timeoutMs, (signal) => adapter.book(rest, { ...context, signal }));
    const reason = explainDeleted(order, deleted, foreign);
    if (reason !== undefined) return { kind: 'stranded', reason, foreign: readForeignIds(answered) };
    return { kind: 'booked', foreign: readForeignIds(answered) };
  } catch (error) {
    return { isUnsure: isStillUnsure, ...readFailure(error) };
  }
}

/** Returns the packages that the ad server had and that somebody deleted there: made again, they would deliver all of their goal once more. */
async function findGone(
  adapter: AdServerAdapter,
  order: LiveOrder,
  { foreign, timeoutMs }: Pick<Call, 'timeoutMs'> & { readonly foreign: ForeignIds | undefined },
): Promise<readonly string[]> {
  if (adapter.inspect === undefined || Object.keys(foreign?.packages ?? {}).length === 0) return [];
  const asked = [{ order, foreign: foreign ?? {} }];
  const [found] = await callWithin(timeoutMs, (signal) => adapter.inspect?.(asked, { signal }) ?? []);
  return findDeleted(order, found?.packages ?? []);
}

/** Returns what a person has to know of packages that were deleted; undefined where none of them is to run. */
function explainDeleted(
  order: LiveOrder,
  deleted: readonly string[],
  foreign: ForeignIds | undefined,
): string | undefined {
  const running = order.packages.filter(
    (line) => deleted.includes(line.package_id) && wantedState(order, line) === 'running',
  );
  if (running.length === 0) return undefined;
  const lines = running.map(({ package_id }) => `${foreign?.packages?.[package_id]} of ${package_id}`).join(', ');
  return `Somebody has deleted in the ad server: ${lines}. It is not made again, since it would deliver all of its goal once more; everything else of the order is booked. Restore it there, or cancel the package, or carry it out by hand and say "orders booked".`;
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
  { ad_server, media_buy_id, revision, state, attempts, reason }: OrderBooking,
  before: OrderBooking | undefined,
): void {
  const facts = { media_buy_id, revision, attempts, ad_server, reason };
  const isNews = before?.state !== state;
  if (state === 'refused') log.warn(facts, 'the ad server refused an order; its buyer is told');
  else if (state === 'stranded')
    log[isNews ? 'error' : 'debug'](facts, 'an order cannot be booked as it is without a person; `orders` lists it');
  else if (state === 'overdue' && isNews)
    log.error(facts, 'an order could not be booked for a day; `orders` lists it, and a person has to look');
  else if (state !== 'booked') log.warn(facts, 'booking failed; it is tried again');
}
