import { createLog } from '../../../platform/kernel/log.js';
import { settlesWithin } from '../../../platform/kernel/loop.js';
import type { Outbound } from '../../../platform/net/fetch.js';
import { type ForeignIds, joinForeignIds, readForeignIds } from '../../domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../domain/booking/live-order.js';
import { callWithin } from '../call.js';
import { UnknownOutcomeError } from '../errors.js';
import type { AdServerAdapter, AdServerModule } from '../port/adapter.js';
import type { BookedOrder } from '../port/delivery.js';
import type { AdServerLine, ContractAdServer } from './ad-server.js';
import { ContractBrokenError } from './broken.js';
import type { SampleTerms } from './orders.js';
import { type Fault, FaultProxy } from './proxy.js';

/** The adapter and the services that the contract is tried with. */
export type ContractParts = {
  readonly module: AdServerModule;
  readonly adServer: ContractAdServer;
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly now: () => number;
};

/** The outcome of a call of `book`. */
type Outcome = { readonly kind: 'booked' | 'refused' | 'later' | 'unknown'; readonly reason: string };

type StoredBooking = {
  foreign: ForeignIds | undefined;
  booked: LiveOrder | undefined;
  isUnsure: boolean;
  saved: number;
};

/** How long a call may take whose requests are all answered, as in the seller. */
const TIMEOUT_MS = 120_000;
/** How long a call that was given up has to end before the next one begins. */
const GRACE_MS = 5000;
const MAX_ATTEMPTS = 8;

/** By their names: an adapter may have errors of another copy of the package. */
const KINDS: Readonly<Record<string, Outcome['kind']>> = { OrderRefusedError: 'refused', RetryLaterError: 'later' };

/** A seller with one adapter, as far as the adapter sees one: ids and outcomes are kept as the seller keeps them, and processes die. */
export class ContractSession {
  readonly terms: SampleTerms;
  readonly adServer: ContractAdServer;
  readonly module: AdServerModule;
  readonly #parts: ContractParts;
  readonly #bookings = new Map<string, StoredBooking>();
  readonly #proxies: FaultProxy[] = [];
  #opened: Process | undefined;
  /** How far the seller's clock is ahead. */
  clockSkewMs = 0;

  constructor(parts: ContractParts) {
    this.#parts = parts;
    this.adServer = parts.adServer;
    this.module = parts.module;
    const { currency } = parts.module.declare(parts.adServer.settings(parts.adServer.url));
    this.terms = { nowMs: parts.now(), currency, adapter: parts.adServer.product };
  }

  /** Returns the adapter of the process that runs. */
  async adapter(): Promise<AdServerAdapter> {
    return (await this.#running()).adapter;
  }

  /** Returns what stands before the ad server of the process that runs. */
  async proxy(): Promise<FaultProxy> {
    return (await this.#running()).proxy;
  }

  /** Ends the process as `kill -9` does, and begins another: what was not stored is gone. */
  restart(): void {
    this.#opened?.proxy.stop();
    this.#opened = undefined;
  }

  /** Forgets the ids of an order, as a seller that was restored from an old backup has. */
  forget(): void {
    this.#bookings.clear();
  }

  foreignOf(order: LiveOrder): ForeignIds {
    return this.#bookings.get(order.media_buy_id)?.foreign ?? {};
  }

  /** Returns how often ids of an order were stored while it was booked. */
  savedOf(order: LiveOrder): number {
    return this.#bookings.get(order.media_buy_id)?.saved ?? 0;
  }

  bookedOrder(order: LiveOrder): BookedOrder {
    return { order, foreign: this.foreignOf(order) };
  }

  /** Returns the lines of an order. */
  async lines(order: LiveOrder): Promise<readonly AdServerLine[]> {
    return (await this.adServer.lines()).filter(({ media_buy_id }) => media_buy_id === order.media_buy_id);
  }

  /** Books an order as the seller does, once. */
  async attempt(order: LiveOrder): Promise<Outcome> {
    const booking = this.#bookings.get(order.media_buy_id) ?? {
      foreign: undefined,
      booked: undefined,
      isUnsure: false,
      saved: 0,
    };
    this.#bookings.set(order.media_buy_id, booking);
    const wasUnsure = booking.isUnsure;
    booking.isUnsure = true;
    const running = await this.#running();
    try {
      await callUntilSilence(running, (signal) => this.#call(running.adapter, order, { booking, wasUnsure, signal }));
      return { kind: 'booked', reason: '' };
    } catch (error) {
      return this.#readFailure(error, booking);
    }
  }

  /** Books an order again until the ad server has taken or refused it. Throws ContractBrokenError where that never ends. */
  async settle(order: LiveOrder): Promise<Outcome> {
    let last: Outcome = { kind: 'later', reason: '' };
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      last = await this.attempt(order);
      if (last.kind === 'booked' || last.kind === 'refused') return last;
    }
    throw new ContractBrokenError(`was not booked in ${MAX_ATTEMPTS} attempts: ${last.reason}`);
  }

  /** Books an order. Throws ContractBrokenError where it is not taken. */
  async book(order: LiveOrder): Promise<void> {
    const { kind, reason } = await this.settle(order);
    if (kind !== 'booked') throw new ContractBrokenError(`refused an order that can be had: ${reason}`);
  }

  /**
   * Returns what a call of the adapter answers. It is called again, as the seller does, where it throws, gets no answer or its process ends, and
   * throws what the last attempt threw.
   */
  async ask<T>(call: (adapter: AdServerAdapter, signal: AbortSignal) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const running = await this.#running();
      try {
        return await callUntilSilence(running, (signal) => call(running.adapter, signal));
      } catch (error) {
        if (error instanceof Crash) this.restart();
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  /** Lets a request of the process that runs go wrong. */
  async arm(fault: Fault, nth: number, isOfReads = false): Promise<void> {
    (await this.proxy()).arm(fault, nth, isOfReads);
  }

  async end(): Promise<void> {
    try {
      await this.#opened?.adapter.close?.();
    } finally {
      for (const proxy of this.#proxies) proxy.close();
      this.#opened = undefined;
    }
  }

  async #call(adapter: AdServerAdapter, order: LiveOrder, { booking, wasUnsure, signal }: Calling): Promise<void> {
    if (wasUnsure)
      booking.foreign = joinForeignIds(booking.foreign, readForeignIds(await adapter.find?.(order, { signal })));
    const saveIds = async (ids: ForeignIds): Promise<void> => {
      booking.saved += 1;
      booking.foreign = joinForeignIds(booking.foreign, readForeignIds(ids));
    };
    const { booked, foreign } = booking;
    const context = { foreign, booked, changes: [booked === undefined ? 'create' : 'terms'] as const, saveIds, signal };
    const answered = readForeignIds(await adapter.book(order, context));
    Object.assign(booking, { foreign: joinForeignIds(booking.foreign, answered), booked: order, isUnsure: false });
  }

  #readFailure(error: unknown, booking: StoredBooking): Outcome {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Crash) {
      this.restart();
      return { kind: 'unknown', reason };
    }
    const { foreign } = (error ?? {}) as { readonly foreign?: ForeignIds };
    booking.foreign = joinForeignIds(booking.foreign, readForeignIds(foreign));
    const kind = KINDS[error instanceof Error ? error.name : ''] ?? 'unknown';
    if (kind !== 'unknown') booking.isUnsure = false;
    return { kind, reason };
  }

  async #running(): Promise<Process> {
    this.#opened ??= await this.#start();
    return this.#opened;
  }

  async #start(): Promise<Process> {
    const { adServer, module, now, outbound } = this.#parts;
    let crash: (error: Crash) => void = () => undefined;
    const crashed = new Promise<never>((_resolve, reject) => {
      crash = reject;
    });
    crashed.catch(() => undefined);
    let fallSilent: () => void = () => undefined;
    const silence = (): Promise<void> =>
      new Promise((resolve) => {
        fallSilent = resolve;
      });
    const isWrite = adServer.isWrite ?? ((method: string) => method !== 'GET' && method !== 'HEAD');
    const proxy = new FaultProxy({
      target: adServer.url,
      outbound,
      isWrite,
      onCrash: () => crash(new Crash('killed')),
      onSilence: () => fallSilent(),
    });
    this.#proxies.push(proxy);
    const settings = adServer.settings(await proxy.start());
    const clock = { now: () => now() + this.clockSkewMs };
    const adapter = module.open({ settings, outbound, pace: async () => undefined, clock, log: createLog('silent') });
    return { adapter, proxy, crashed, silence };
  }
}

type Calling = { readonly booking: StoredBooking; readonly wasUnsure: boolean; readonly signal: AbortSignal };

/** A process of the seller, as far as the adapter is concerned. */
type Process = {
  readonly adapter: AdServerAdapter;
  readonly proxy: FaultProxy;
  readonly crashed: Promise<never>;
  /** Resolves once a request gets no answer any more. */
  readonly silence: () => Promise<void>;
};

class Crash extends Error {}

/**
 * Returns what a call answers. Once one of its requests gets no answer, its signal is aborted and the outcome is unknown, as when the seller has
 * waited long enough: no clock runs against a slow machine.
 */
async function callUntilSilence<T>(
  { crashed, silence }: Process,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const giveUp = new AbortController();
  const called = callWithin(TIMEOUT_MS, (late) => call(AbortSignal.any([late, giveUp.signal])));
  const silenced = silence().then(async () => {
    giveUp.abort();
    await settlesWithin(called, GRACE_MS);
    throw new UnknownOutcomeError('The ad server did not answer.');
  });
  silenced.catch(() => undefined);
  return Promise.race([called, silenced, crashed]);
}
