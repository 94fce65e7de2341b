import type { OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { callAfter } from '../../platform/kernel/loop.js';
import { type BookingOutcome, beginBooking, endBooking, type OrderBooking } from '../domain/booking/booking.js';
import { type ResolvedCreative, resolveCreatives } from '../domain/booking/creatives.js';
import { type ForeignIds, joinForeignIds, readForeignIds } from '../domain/booking/foreign-ids.js';
import type { Creative } from '../domain/creative/creative.js';
import { isTerminal } from '../domain/media-buy/media-buy.js';
import type { Lease, Reader, Store, Writer } from '../store/store.js';
import { OrderRefusedError, RetryLaterError, UnknownOutcomeError } from './errors.js';
import { type AdServer, isLive, type LiveBuy } from './port.js';

/** What orders are booked with. */
type OrderBookingPorts = {
  readonly store: Store;
  readonly clock: Pick<OwnClocks, 'now'>;
  readonly log: Log;
  /** Called in the transaction that stores that a revision is booked. */
  readonly confirm: (tx: Writer, owner: string, buy: LiveBuy) => Promise<void>;
  /** Called in the transaction that stores that the ad server will not have a revision. */
  readonly refuse: (tx: Writer, owner: string, buy: LiveBuy, reason: string) => Promise<void>;
  /** How long a call of the ad server may take. */
  readonly timeoutMs?: number | undefined;
};

/** An order that is to be booked. */
type Due = { readonly owner: string; readonly buy: LiveBuy };

const MAX_BOOKED = 100;
const TIMEOUT_MS = 120_000;

/**
 * Brings the orders that are due to an ad server; returns how many it booked. That one is tried is stored before the ad server is called, so
 * that a process that ends in between is followed by one that looks first.
 */
export async function bookOrders(
  ports: OrderBookingPorts,
  adServer: AdServer,
  lease: Lease,
  isStopped: () => boolean,
): Promise<number> {
  const { clock, log, store } = ports;
  let booked = 0;
  for (const { owner, buy } of await store.read.mediaBuys.toBook(clock.now(), MAX_BOOKED)) {
    if (isStopped()) break;
    if (!isLive(buy)) continue;
    try {
      if (await bookOrder(ports, adServer, lease, { owner, buy })) booked += 1;
    } catch (error) {
      log.warn(
        { err: error, media_buy_id: buy.media_buy_id },
        'what came of a booking was not stored; it is looked for',
      );
    }
  }
  return booked;
}

async function bookOrder(ports: OrderBookingPorts, adServer: AdServer, lease: Lease, due: Due): Promise<boolean> {
  const { clock, store } = ports;
  const { owner, buy } = due;
  const { media_buy_id, revision } = buy;
  const before = await store.read.orderBookings.find(media_buy_id);
  if (isOfNoConcern(buy, before)) {
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      await tx.mediaBuys.book(media_buy_id, revision);
    });
    return false;
  }
  const creatives = await readCreatives(store.read, due);
  const begun = beginBooking(before, { media_buy_id, owner, revision }, clock.now());
  await store.transact(async (tx) => {
    await tx.requireLease(lease);
    tx.orderBookings.save(begun);
  });
  const outcome = await callAdServer(adServer, buy, {
    creatives,
    foreign: begun.foreign,
    isUnsure: before?.is_unsure === true,
    timeoutMs: ports.timeoutMs ?? TIMEOUT_MS,
  });
  const ended = endBooking(begun, outcome, clock.now());
  await store.transact(async (tx) => {
    await tx.requireLease(lease);
    tx.orderBookings.save(ended);
    if (outcome.kind === 'booked') await ports.confirm(tx, owner, buy);
    if (outcome.kind === 'refused') await ports.refuse(tx, owner, buy, outcome.reason);
  });
  logOutcome(ports.log, adServer, ended, before);
  return outcome.kind === 'booked';
}

/** Whether a buy ended before the ad server had anything of it. */
function isOfNoConcern(buy: LiveBuy, before: OrderBooking | undefined): boolean {
  if (!isTerminal(buy.status) || buy.confirmed_at !== undefined) return false;
  return before === undefined || (!before.is_unsure && before.foreign === undefined);
}

async function readCreatives(db: Reader, { owner, buy }: Due): Promise<readonly ResolvedCreative[]> {
  const assigned = await db.creatives.assignedTo([buy.media_buy_id]);
  const library = new Map<string, Creative>();
  for (const id of new Set(assigned.map(({ creative_id }) => creative_id))) {
    const creative = await db.creatives.find(owner, buy.account_id, id);
    if (creative !== undefined) library.set(id, creative);
  }
  return resolveCreatives(assigned, library);
}

/** What a call of the ad server is made with. */
type Call = {
  readonly creatives: readonly ResolvedCreative[];
  readonly foreign: ForeignIds | undefined;
  /** Whether the ad server may have more of the order than is known. */
  readonly isUnsure: boolean;
  readonly timeoutMs: number;
};

/** Books an order, and looks first for what an earlier call may have left there. Never throws. */
async function callAdServer(
  adServer: AdServer,
  buy: LiveBuy,
  { creatives, foreign: known, isUnsure, timeoutMs }: Call,
): Promise<BookingOutcome> {
  let found: ForeignIds | undefined;
  let isStillUnsure = isUnsure;
  try {
    if (isUnsure && adServer.find !== undefined) {
      found = readForeignIds(await callWithin(timeoutMs, (signal) => adServer.find?.(buy, signal)));
      isStillUnsure = false;
    }
    const foreign = joinForeignIds(known, found);
    const answered = await callWithin(timeoutMs, (signal) => adServer.book(buy, { creatives, foreign, signal }));
    return { kind: 'booked', foreign: joinForeignIds(found, readForeignIds(answered)) };
  } catch (error) {
    const outcome = readFailure(error);
    return { ...outcome, isUnsure: isStillUnsure, foreign: joinForeignIds(found, outcome.foreign) };
  }
}

function readFailure(error: unknown): BookingOutcome {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof OrderRefusedError) return { kind: 'refused', reason, foreign: error.foreign };
  if (error instanceof RetryLaterError)
    return { kind: 'later', reason, foreign: error.foreign, retryAfterMs: error.retryAfterMs };
  return { kind: 'unknown', reason, foreign: error instanceof UnknownOutcomeError ? error.foreign : undefined };
}

/** Returns what `call` answers. Throws UnknownOutcomeError where that takes longer than `timeoutMs`. */
function callWithin<T>(timeoutMs: number, call: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const calling = new AbortController();
  return new Promise((resolve, reject) => {
    const cancel = callAfter(timeoutMs, () => {
      const late = new UnknownOutcomeError(`The ad server did not answer within ${timeoutMs} ms.`);
      calling.abort(late);
      reject(late);
    });
    Promise.resolve()
      .then(() => call(calling.signal))
      .then(resolve, reject)
      .finally(cancel);
  });
}

function logOutcome(
  log: Log,
  { name }: AdServer,
  { media_buy_id, revision, state, attempts, reason }: OrderBooking,
  before: OrderBooking | undefined,
): void {
  const facts = { media_buy_id, revision, attempts, ad_server: name, reason };
  if (state === 'refused') log.warn(facts, 'the ad server refused an order; its buyer is told');
  else if (state === 'overdue' && before?.state !== 'overdue')
    log.error(facts, 'an order could not be booked for a day; `orders` lists it, and a person has to look');
  else if (state !== 'booked') log.warn(facts, 'booking failed; it is tried again');
}
