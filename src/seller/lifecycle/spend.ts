import { DAY_MS, HOUR_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { runSlices } from '../../platform/kernel/slices.js';
import type { Booking } from '../adserver/booking.js';
import { fulfillmentOf } from '../domain/media-buy/fulfillment.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { SpendBooking } from '../store/spend/spend.js';
import type { Store, Writer } from '../store/store.js';

/** The services that spend is booked with. */
type SpendPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly log: Log;
  readonly booking: Pick<Booking, 'delivery'>;
};

/** Whole days (UTC) of an account. */
type SpendPeriod = {
  readonly owner: string;
  readonly account_id: string;
  /** ISO dates, both included. */
  readonly start: string;
  readonly end: string;
};

/** An account's spend in a currency. */
export type CurrencySpend = { readonly currency: string; readonly cents: number; readonly running: number };

/** The spend of an account, and the time up to which its running buys are booked where that is not now (ms). */
type SpendSummary = { readonly spends: readonly CurrencySpend[]; readonly asOfMs: number | undefined };

/** The spend of a buy on a day, counted from the epoch in UTC. */
type DaySpend = { readonly day: number; readonly cents: number };

/** How often the running buys of an owner are booked, and how old that may be for an answer. */
const ROUND_EVERY_MS = HOUR_MS;
const MAX_AGE_MS = 2 * HOUR_MS;
/** So many running buys of an account are summed up to the moment of the question; of more, what is booked. */
const MAX_SUMMED_BUYS = 100;
/** So many buys are booked in one transaction. */
const MAX_BOOKED_BUYS = 50;
/** So many buys a question waits for to be booked; a round of more goes on without it. */
const MAX_AWAITED_BUYS = 500;

/** The booking of an owner's buys that runs. */
type Round = {
  readonly ended: Promise<void>;
  /** Fulfilled once the round has booked more buys than anybody waits for. */
  readonly overrun: Promise<void>;
};

/**
 * Spend as it is booked by account, currency and day, so that a summary reads days and not buys. A buy is booked in the transaction that
 * changes it once it ran, and every hour while it runs.
 */
export class Spend {
  readonly #ports: SpendPorts;
  readonly #rounds = new Map<string, Round>();
  #isClosed = false;

  constructor(ports: SpendPorts) {
    this.#ports = ports;
  }

  /** Ends the rounds that questions began; waits for what they have in hand. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled([...this.#rounds.values()].map(({ ended }) => ended));
  }

  /** Books what a changed buy has spent by now; of one that was never booked and runs on, the next round does. */
  async follow(tx: Writer, owner: string, buy: MediaBuy): Promise<void> {
    const before = await tx.spend.find(buy.media_buy_id);
    if (before === undefined && !hasStopped(buy) && buy.simulated === undefined) return;
    await this.#book(tx, owner, buy, await this.#readDays(owner, buy, before));
  }

  /** Books a change of what people entered for a day of a buy, in cents. */
  async enter(tx: Writer, owner: string, { account_id, currency }: MediaBuy, change: DaySpend): Promise<void> {
    if (change.cents !== 0) await tx.spend.add({ owner, account_id, currency, ...change, starts: 0, ends: 0 });
  }

  /** Books the running buys of every owner whose last round is an hour ago. */
  async tick(isStopped: () => boolean = () => false): Promise<void> {
    const { store, clock } = this.#ports;
    for (const owner of await store.read.mediaBuys.owners()) {
      const at = await store.read.spend.roundAt(owner);
      if (at === undefined || clock.nowOf(owner) - at >= ROUND_EVERY_MS) await this.#runRound(owner, isStopped).ended;
      if (isStopped()) return;
    }
  }

  /**
   * Returns what an account spent in a period up to now, and how many of its buys run; undefined while a long first round books the buys
   * of a database from before spend was booked.
   */
  async summarize(period: SpendPeriod): Promise<SpendSummary | undefined> {
    const { owner, account_id } = period;
    const { read } = this.#ports.store;
    const page = { limit: MAX_SUMMED_BUYS, after: undefined };
    const rows = await read.mediaBuys.list(owner, page, { accountId: account_id, statuses: ['active'] });
    const isFew = rows.length <= MAX_SUMMED_BUYS;
    const at = await read.spend.roundAt(owner);
    const isStale = at === undefined || this.#ports.clock.nowOf(owner) - at > MAX_AGE_MS;
    // Buys from before spend was booked, or a clock that was turned on: the buys of this owner are booked first.
    const needsRound = at === undefined ? !isFew || (await this.#hasPending(owner)) : !isFew && isStale;
    if (needsRound && !(await this.#awaitRound(owner)) && at === undefined) return undefined;
    if (!isFew) return { spends: await this.#sumBooked(period), asOfMs: await read.spend.roundAt(owner) };
    return {
      spends: await this.#sumWith(
        period,
        rows.map((row) => row.buy),
      ),
      asOfMs: undefined,
    };
  }

  /** Returns whether the round of an owner came to its end; a long one goes on. */
  #awaitRound(owner: string): Promise<boolean> {
    const { ended, overrun } = this.#runRound(owner, () => this.#isClosed);
    return Promise.race([ended.then(() => true), overrun.then(() => false)]);
  }

  async #hasPending(owner: string): Promise<boolean> {
    return (await this.#ports.store.read.spend.pending(owner, '', 1)).length > 0;
  }

  /** Sums what is booked: a buy that runs overlaps the period unless it starts after it or ends before it. */
  async #sumBooked({ owner, account_id, start, end }: SpendPeriod): Promise<CurrencySpend[]> {
    const { spend } = this.#ports.store.read;
    const [first, last] = [dayOf(Date.parse(start)), dayOf(Date.parse(end))];
    const [within, all, later, earlier] = await Promise.all([
      spend.sums(owner, account_id, first, last),
      spend.sums(owner, account_id, -LAST_DAY, LAST_DAY),
      spend.sums(owner, account_id, last + 1, LAST_DAY),
      spend.sums(owner, account_id, -LAST_DAY, first - 1),
    ]);
    return all.map(({ currency, starts }) => {
      const of = (sums: typeof all) => sums.find((one) => one.currency === currency);
      const running = starts - (of(later)?.starts ?? 0) - (of(earlier)?.ends ?? 0);
      return { currency, cents: of(within)?.cents ?? 0, running };
    });
  }

  /** Sums what is booked, with what these running buys have spent since. */
  async #sumWith(period: SpendPeriod, buys: readonly MediaBuy[]): Promise<CurrencySpend[]> {
    const { owner, account_id } = period;
    const [first, last] = [dayOf(Date.parse(period.start)), dayOf(Date.parse(period.end))];
    const { spend } = this.#ports.store.read;
    const spends = new Map<string, { cents: number; running: number }>();
    for (const { currency, cents } of await spend.sums(owner, account_id, first, last))
      spends.set(currency, { cents, running: 0 });
    for (const buy of buys) {
      if (dayOf(Date.parse(buy.start_time)) > last || dayOf(Date.parse(buy.end_time)) < first) continue;
      const sum = spends.get(buy.currency) ?? { cents: 0, running: 0 };
      const before = await spend.find(buy.media_buy_id);
      for (const { day, cents } of subtractBooked(await this.#readDays(owner, buy, before), before))
        if (day >= first && day <= last) sum.cents += cents;
      spends.set(buy.currency, { ...sum, running: sum.running + 1 });
    }
    return [...spends].map(([currency, sum]) => ({ currency, ...sum }));
  }

  #runRound(owner: string, isStopped: () => boolean): Round {
    const running = this.#rounds.get(owner);
    if (running !== undefined) return running;
    let noteLong = (): void => undefined;
    const overrun = new Promise<void>((resolve) => {
      noteLong = resolve;
    });
    const noteBooked = (buys: number): void => {
      if (buys >= MAX_AWAITED_BUYS) noteLong();
    };
    const ended = this.#bookOwner(owner, isStopped, noteBooked).finally(() => this.#rounds.delete(owner));
    const round = { ended, overrun };
    this.#rounds.set(owner, round);
    return round;
  }

  async #bookOwner(owner: string, isStopped: () => boolean, noteBooked: (buys: number) => void): Promise<void> {
    const { store, clock } = this.#ports;
    const nowMs = clock.nowOf(owner);
    let booked = 0;
    let after: number | undefined;
    await runSlices(async (rows) => {
      const limit = Math.min(rows, MAX_BOOKED_BUYS);
      const page = await store.read.mediaBuys.list(owner, { limit, after }, { statuses: ['active'] });
      const shown = page.slice(0, limit);
      await this.#bookBuys(
        owner,
        shown.map((row) => row.buy),
      );
      booked += shown.length;
      noteBooked(booked);
      after = shown.at(-1)?.seq;
      return page.length > limit;
    }, isStopped);
    let last = '';
    await runSlices(async (rows) => {
      const ids = await store.read.spend.pending(owner, last, Math.min(rows, MAX_BOOKED_BUYS));
      const buys = await Promise.all(ids.map((id) => store.read.mediaBuys.find(owner, id)));
      await this.#bookBuys(
        owner,
        buys.filter((buy) => buy !== undefined),
      );
      booked += ids.length;
      noteBooked(booked);
      last = ids.at(-1) ?? last;
      return ids.length > 0;
    }, isStopped);
    const isFirst = (await store.read.spend.roundAt(owner)) === undefined;
    if (!isStopped() && (booked > 0 || isFirst)) await store.transact((tx) => tx.spend.setRound(owner, nowMs));
  }

  /** Books buys in one transaction; one that changed since it was read is left to whoever changed it. */
  async #bookBuys(owner: string, buys: readonly MediaBuy[]): Promise<void> {
    if (buys.length === 0) return;
    const { store } = this.#ports;
    const reports = await Promise.all(
      buys.map(async (buy) => ({
        buy,
        days: await this.#readDays(owner, buy, await store.read.spend.find(buy.media_buy_id)),
      })),
    );
    await store.transact(async (tx) => {
      for (const { buy, days } of reports) {
        const present = await tx.mediaBuys.find(owner, buy.media_buy_id);
        if (present?.revision === buy.revision) await this.#book(tx, owner, present, days);
      }
    });
  }

  /** Returns the whole spend of each day from the last booked one up to now. */
  async #readDays(owner: string, buy: MediaBuy, before: SpendBooking | undefined): Promise<readonly DaySpend[]> {
    // Booked as it was entered, or read from the ad server.
    if (fulfillmentOf(buy) !== 'simulated') return [];
    const fromMs = (before?.day ?? firstDay(buy)) * DAY_MS;
    const toMs = this.#ports.clock.nowOf(owner);
    if (toMs <= fromMs) return [];
    const days = new Map<number, number>();
    for (const { daily } of await this.#ports.booking.delivery(buy, { fromMs, toMs }, true)) {
      for (const { date, spend } of daily) {
        const day = dayOf(Date.parse(date));
        days.set(day, (days.get(day) ?? 0) + Math.round(spend * 100));
      }
    }
    return [...days].map(([day, cents]) => ({ day, cents }));
  }

  /** Brings the days of an account to the spend of a buy, and to whether it runs. */
  async #book(tx: Writer, owner: string, buy: MediaBuy, days: readonly DaySpend[]): Promise<void> {
    const { media_buy_id, account_id, currency } = buy;
    const before = await tx.spend.find(media_buy_id);
    const isRunning = buy.status === 'active';
    const start_day = isRunning ? dayOf(Date.parse(buy.start_time)) : null;
    const end_day = isRunning ? dayOf(Date.parse(buy.end_time)) : null;
    const changes = new Map<number, { cents: number; starts: number; ends: number }>();
    const change = (day: number | null | undefined, more: { cents?: number; starts?: number; ends?: number }): void => {
      if (day === null || day === undefined) return;
      const { cents, starts, ends } = changes.get(day) ?? { cents: 0, starts: 0, ends: 0 };
      const sums = {
        cents: cents + (more.cents ?? 0),
        starts: starts + (more.starts ?? 0),
        ends: ends + (more.ends ?? 0),
      };
      changes.set(day, sums);
    };
    for (const { day, cents } of subtractBooked(days, before)) change(day, { cents });
    change(before?.start_day, { starts: -1 });
    change(before?.end_day, { ends: -1 });
    change(start_day, { starts: 1 });
    change(end_day, { ends: 1 });
    for (const [day, { cents, starts, ends }] of changes) {
      if (cents !== 0 || starts !== 0 || ends !== 0)
        await tx.spend.add({ owner, account_id, currency, day, cents, starts, ends });
    }
    const nowMs = this.#ports.clock.nowOf(owner);
    const { day, day_cents } = lastDay(days, before, nowMs);
    await tx.spend.save({ media_buy_id, owner, account_id, currency, day, day_cents, start_day, end_day, pending: 0 });
  }
}

/** Beyond every day that a buy runs. */
const LAST_DAY = 10_000_000;

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Returns the first day that a buy can have spent something on: a sandbox's is told to do so before its flight as well. */
function firstDay({ created_at, start_time }: MediaBuy): number {
  return dayOf(Math.min(Date.parse(start_time), Date.parse(created_at) - 1));
}

/** Returns whether a buy may have spent something and spends nothing more for now. */
function hasStopped({ status }: MediaBuy): boolean {
  return status === 'paused' || status === 'completed' || status === 'canceled';
}

/** Returns what of these days is not booked yet. */
function subtractBooked(days: readonly DaySpend[], before: SpendBooking | undefined): readonly DaySpend[] {
  return days.map(({ day, cents }) => ({ day, cents: cents - (day === before?.day ? before.day_cents : 0) }));
}

/** Returns the day from which on a buy is read next: that of the last moment before now, with what it has by now. */
function lastDay(
  days: readonly DaySpend[],
  before: SpendBooking | undefined,
  nowMs: number,
): Pick<SpendBooking, 'day' | 'day_cents'> {
  const day = Math.max(dayOf(nowMs - 1), before?.day ?? 0);
  const day_cents = days.find((one) => one.day === day)?.cents ?? (before?.day === day ? before.day_cents : 0);
  return { day, day_cents };
}
