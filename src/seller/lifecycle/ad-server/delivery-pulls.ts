import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, type OwnClocks, SECOND_MS } from '../../../platform/kernel/clock.js';
import type { Ids } from '../../../platform/kernel/ids.js';
import type { Log } from '../../../platform/kernel/log.js';
import { callWithin } from '../../adserver/call.js';
import type { Connection, FindConnection } from '../../adserver/connection.js';
import { RetryLaterError } from '../../adserver/errors.js';
import type { BookedOrder, DeliveryAnswer, DeliveryRow } from '../../adserver/port/delivery.js';
import { type ReportDays, readDeliveryRows, storedRows } from '../../adserver/pulled-rows.js';
import { firstReadDay, isByHand, type OrderBooking } from '../../domain/booking/booking.js';
import { dayOfDate } from '../../domain/delivery/entered.js';
import { flightEndMs, isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { readOwner } from '../../domain/tenant/principal.js';
import { TimeZone } from '../../domain/time-zone.js';
import type { DeliveryPull } from '../../store/adserver/delivery-pulls.js';
import type { ReportJob } from '../../store/adserver/report-jobs.js';
import type { OwnedBuy } from '../../store/media-buys/media-buys.js';
import type { Lease, Store, Writer } from '../../store/store.js';
import type { Spend } from '../spend.js';

/** The services that delivery is read from ad servers with. */
type PullPorts = {
  readonly store: Store;
  readonly clock: Pick<OwnClocks, 'now'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly log: Log;
  readonly spend: Pick<Spend, 'enter'>;
  readonly findConnection: FindConnection;
};

/** So many buys are asked for in one report. */
const MAX_BUYS = 200;
/** So many buys and reports are looked at in a round. */
const MAX_DUE = 1000;
const MAX_JOBS = 50;
const TIMEOUT_MS = 120_000;
/** A report that takes longer is asked for anew. */
const LIFETIME_HOURS = 6;
const LIFETIME_MS = LIFETIME_HOURS * HOUR_MS;
const FIRST_DELAY_MS = 30 * SECOND_MS;
const LONGEST_DELAY_MS = 15 * MINUTE_MS;
const POLL_MS = 10 * SECOND_MS;
/** So often a report may fail before its handle is given up. */
const MAX_FAILURES = 3;
const MAX_HANDLE_CHARS = 500;
/** How long a buy waits that its ad server knows nothing of yet. */
const UNBOOKED_MS = 15 * MINUTE_MS;

/** Brings what ad servers delivered into the store, on their schedule; reads of buyers find it there. */
export class DeliveryPulls {
  readonly #ports: PullPorts;

  constructor(ports: PullPorts) {
    this.#ports = ports;
  }

  /** Plans reports for the buys whose numbers are due, and asks for those that are planned, as long as the lease is held. */
  async tick(lease: Lease, isStopped: () => boolean = () => false): Promise<void> {
    const { clock, findConnection, store } = this.#ports;
    await this.#plan(lease);
    const queues = new Map<Connection, ReportJob[]>();
    for (const job of await store.read.reportJobs.due(clock.now(), MAX_JOBS)) {
      const connection = findConnection(`${job.tenant}#`);
      if (clock.now() >= job.as_of_ms + LIFETIME_MS) await this.#giveUp(lease, job);
      else if (connection === undefined || !(await this.#hasAll(connection, job))) await this.#withdraw(lease, job);
      else queues.set(connection, [...(queues.get(connection) ?? []), job]);
    }
    await Promise.all(
      [...queues].map(async ([connection, jobs]) => {
        for (const job of jobs) if (!isStopped()) await this.#ask(connection, job, lease);
      }),
    );
  }

  /** Makes reports of the buys that are due. What is planned is stored, so that it survives the process. */
  async #plan(lease: Lease): Promise<void> {
    const { clock, findConnection, store } = this.#ports;
    const nowMs = clock.now();
    const byTenant = new Map<string, DeliveryPull[]>();
    for (const pull of await store.read.deliveryPulls.due(nowMs, MAX_DUE)) {
      const { tenant } = readOwner(pull.owner);
      byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), pull]);
    }
    for (const [tenant, pulls] of byTenant) {
      const connection = findConnection(`${tenant}#`);
      for (let at = 0; at < pulls.length; at += MAX_BUYS)
        await this.#planReport(lease, connection, { tenant, pulls: pulls.slice(at, at + MAX_BUYS) });
    }
  }

  async #planReport(
    lease: Lease,
    connection: Connection | undefined,
    { tenant, pulls }: { readonly tenant: string; readonly pulls: readonly DeliveryPull[] },
  ): Promise<void> {
    const { clock, ids, store } = this.#ports;
    const nowMs = clock.now();
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      const asked: string[] = [];
      let fromDay = Number.POSITIVE_INFINITY;
      const zone = new TimeZone(connection?.adapter.declaration.time_zone ?? 'UTC');
      for (const pull of pulls) {
        const owned = await tx.mediaBuys.findAnywhere(pull.media_buy_id);
        const booking = await tx.orderBookings.find(pull.media_buy_id);
        const { next, fromMs } = planPull(pull, { buy: owned?.buy, booking, connection }, nowMs);
        tx.deliveryPulls.save(next);
        if (fromMs === undefined) continue;
        asked.push(pull.media_buy_id);
        fromDay = Math.min(fromDay, Math.floor(zone.localMs(Math.min(fromMs, nowMs)) / DAY_MS));
      }
      if (asked.length === 0) return;
      tx.reportJobs.save({
        job_id: ids.next('rep'),
        tenant,
        media_buy_ids: asked,
        from_date: dateOf(fromDay),
        to_date: dateOf(Math.floor(zone.localMs(nowMs) / DAY_MS)),
        as_of_ms: nowMs,
        next_at: nowMs,
        // Given up before that, unless nobody comes to it.
        expires_at: nowMs + 2 * LIFETIME_MS,
        attempts: 0,
      });
    });
  }

  /** Whether an ad server has all the buys of a report: its tenant may have another one by now. */
  async #hasAll({ adapter }: Connection, { media_buy_ids }: ReportJob): Promise<boolean> {
    const { orderBookings } = this.#ports.store.read;
    const bookings = await Promise.all(media_buy_ids.map((id) => orderBookings.find(id)));
    return bookings.every((booking) => booking?.ad_server === adapter.name);
  }

  /** Ends a report that nobody can be asked for; its buys are planned anew, each with what is to be said of it. */
  async #withdraw(lease: Lease, { job_id, media_buy_ids }: ReportJob): Promise<void> {
    const { clock, store } = this.#ports;
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      for (const id of media_buy_ids) {
        const pull = await tx.deliveryPulls.find(id);
        if (pull !== undefined) tx.deliveryPulls.save({ ...pull, next_at: clock.now() });
      }
      tx.reportJobs.remove(job_id);
    });
  }

  async #ask({ adapter }: Connection, job: ReportJob, lease: Lease): Promise<void> {
    const { log } = this.#ports;
    try {
      const orders = await this.#readOrders(job);
      const { from_date, to_date, handle } = job;
      const request = { orders, from_date, to_date };
      const answer = await callWithin(TIMEOUT_MS, (signal) => adapter.delivery(request, { job: handle, signal }));
      if (answer.kind === 'pending') await this.#wait(lease, job, answer);
      else await this.#store(lease, job, adapter.declaration.reports, answer.rows);
    } catch (error) {
      log.warn(
        { err: error, ad_server: adapter.name, tenant: job.tenant },
        'delivery could not be read from the ad server; it is tried again',
      );
      await this.#postpone(lease, job, error).catch((cause: unknown) =>
        log.warn({ err: cause }, 'that a report is late was not stored'),
      );
    }
  }

  async #readOrders({ media_buy_ids }: ReportJob): Promise<readonly BookedOrder[]> {
    const { orderBookings } = this.#ports.store.read;
    const bookings = await Promise.all(media_buy_ids.map((id) => orderBookings.find(id)));
    return bookings.flatMap((booking) => {
      const order = booking?.booked?.order;
      return order === undefined ? [] : [{ order, foreign: booking?.foreign ?? {} }];
    });
  }

  async #wait(
    lease: Lease,
    job: ReportJob,
    { job: handle, retry_after_ms = POLL_MS }: Extract<DeliveryAnswer, { kind: 'pending' }>,
  ): Promise<void> {
    const { clock, store } = this.#ports;
    if (typeof handle !== 'string' || handle === '' || handle.length > MAX_HANDLE_CHARS)
      throw new Error(`the handle of the report has not 1 to ${MAX_HANDLE_CHARS} characters`);
    const pauseMs = Math.min(Math.max(retry_after_ms, SECOND_MS), LONGEST_DELAY_MS);
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      tx.reportJobs.save({ ...job, handle, attempts: 0, next_at: clock.now() + pauseMs });
    });
  }

  /** Ends a report that is never ready: its buys are planned anew, from where they were read last. */
  async #giveUp(lease: Lease, job: ReportJob): Promise<void> {
    const { log, store } = this.#ports;
    const { tenant, from_date, to_date, handle } = job;
    const trouble = `the report of ${from_date} to ${to_date} was not ready within ${LIFETIME_HOURS} hours`;
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      await this.#fail(tx, job, trouble);
      tx.reportJobs.remove(job.job_id);
    });
    log.warn({ tenant, report: handle, from_date, to_date }, `${trouble}; it is asked for anew`);
  }

  async #fail(tx: Writer, { media_buy_ids, as_of_ms }: ReportJob, trouble: string): Promise<void> {
    const nowMs = this.#ports.clock.now();
    for (const id of media_buy_ids) await tx.deliveryPulls.fail(id, as_of_ms, nowMs, trouble);
  }

  /** Puts a report off; what was lost is asked for anew. */
  async #postpone(lease: Lease, job: ReportJob, error: unknown): Promise<void> {
    const { clock, store } = this.#ports;
    const nowMs = clock.now();
    const attempts = job.attempts + 1;
    const plannedMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_DELAY_MS);
    const askedMs = error instanceof RetryLaterError ? (error.retryAfterMs ?? 0) : 0;
    const isLost = attempts >= MAX_FAILURES && !(error instanceof RetryLaterError);
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      await this.#fail(tx, job, error instanceof Error ? error.message : String(error));
      const handle = isLost ? undefined : job.handle;
      tx.reportJobs.save({
        ...job,
        handle,
        attempts,
        next_at: nowMs + Math.max(plannedMs, Math.min(askedMs, HOUR_MS)),
      });
    });
  }

  /** Stores the rows of a report in place of what was there of its days, in one transaction. */
  async #store(
    lease: Lease,
    job: ReportJob,
    { every_minutes, corrected_days }: { readonly every_minutes: number; readonly corrected_days: number },
    answered: unknown,
  ): Promise<void> {
    const { clock, store } = this.#ports;
    const days = { fromDay: dayOfDate(job.from_date), toDay: dayOfDate(job.to_date) };
    const rows = readDeliveryRows(answered, days);
    const byPackage = new Map<string, DeliveryRow[]>();
    for (const row of rows) byPackage.set(row.package_id, [...(byPackage.get(row.package_id) ?? []), row]);
    await store.transact(async (tx) => {
      await tx.requireLease(lease);
      for (const id of job.media_buy_ids) {
        const owned = await tx.mediaBuys.findAnywhere(id);
        const pull = await tx.deliveryPulls.find(id);
        const booking = await tx.orderBookings.find(id);
        if (owned === undefined || pull === undefined) continue;
        const readDay = firstReadDay(owned.buy, booking);
        if (readDay === undefined) {
          // People took it over since it was asked for: the report has nothing of it.
          tx.deliveryPulls.save(restOf(pull, clock.now()));
          continue;
        }
        await this.#storeBuy(tx, owned, byPackage, { ...days, fromDay: Math.max(days.fromDay, readDay) });
        const isDone =
          isTerminal(owned.buy.status) && job.as_of_ms >= flightEndMs(owned.buy) + (corrected_days + 1) * DAY_MS;
        tx.deliveryPulls.save({
          ...pull,
          through_ms: Math.max(pull.through_ms, job.as_of_ms),
          next_at: isDone ? null : clock.now() + every_minutes * MINUTE_MS,
          failing_since: null,
          trouble: null,
        });
      }
      tx.reportJobs.remove(job.job_id);
    });
  }

  async #storeBuy(
    tx: Writer,
    { owner, buy }: OwnedBuy,
    byPackage: ReadonlyMap<string, readonly DeliveryRow[]>,
    days: ReportDays,
  ): Promise<void> {
    const before = await tx.deliveries.ofRange({ media_buy_id: buy.media_buy_id, ...days });
    const cents = new Map<number, number>();
    const add = (day: number, more: number): void => void cents.set(day, (cents.get(day) ?? 0) + more);
    for (const line of buy.packages) {
      const earlier = before.filter(({ package_id }) => package_id === line.package_id);
      const earlierCents = earlier.reduce((sum, { spend_cents }) => sum + spend_cents, 0);
      const otherCents = (await tx.deliveries.spentCents(line.package_id)) - earlierCents;
      const rows = (byPackage.get(line.package_id) ?? []).filter(({ date }) => dayOfDate(date) >= days.fromDay);
      const stored = storedRows({ buy, line, rows, otherCents });
      for (const row of earlier) {
        add(row.day, -row.spend_cents);
        if (!stored.some((one) => one.day === row.day && one.creative_id === row.creative_id))
          await tx.deliveries.remove(row);
      }
      for (const row of stored) {
        add(row.day, row.spend_cents);
        await tx.deliveries.save(row);
      }
    }
    await this.#bookSpend(tx, { owner, buy }, cents);
  }

  async #bookSpend(tx: Writer, { owner, buy }: OwnedBuy, cents: ReadonlyMap<number, number>): Promise<void> {
    for (const [day, change] of cents) await this.#ports.spend.enter(tx, owner, buy, { day, cents: change });
  }
}

/** Returns the plan of an order that people carry out: nothing is asked for, nor missed, until its ad server has it again. */
function restOf(pull: DeliveryPull, nowMs: number): DeliveryPull {
  return { ...pull, next_at: nowMs + UNBOOKED_MS, failing_since: null, trouble: null };
}

/** Returns why the delivery of a booked order cannot be asked for, and what to do; undefined where its ad server is the tenant's. */
function explainUnread(booking: OrderBooking | undefined, connection: Connection | undefined): string | undefined {
  const { ad_server, booked } = booking ?? {};
  const name = connection?.adapter.name;
  if (booked === undefined || ad_server === undefined || ad_server === name) return undefined;
  const now = name === undefined ? 'the tenant has no ad server' : `the tenant's ad server is ${name}`;
  return `The order is booked in ${ad_server}, and ${now} by now. Name ${ad_server} again in the tenant file: what was delivered meanwhile is read then.`;
}

function dateOf(day: number): string {
  return isoTime(day * DAY_MS).slice(0, 10);
}

type PulledBuy = {
  readonly buy: MediaBuy | undefined;
  readonly booking: OrderBooking | undefined;
  readonly connection: Connection | undefined;
};

/** Returns when a pull comes next; with the instant from which delivery is read where it is read now. */
function planPull(
  pull: DeliveryPull,
  { buy, booking, connection }: PulledBuy,
  nowMs: number,
): { readonly next: DeliveryPull; readonly fromMs?: number } {
  if (buy !== undefined && isByHand(buy, booking)) return { next: restOf(pull, nowMs) };
  const trouble = explainUnread(booking, connection);
  if (trouble !== undefined) {
    const failing_since = pull.failing_since ?? nowMs;
    return { next: { ...pull, next_at: nowMs + UNBOOKED_MS, failing_since, trouble } };
  }
  if (connection === undefined || buy === undefined || booking?.booked === undefined)
    return { next: { ...pull, next_at: nowMs + UNBOOKED_MS } };
  const startMs = Date.parse(buy.start_time);
  if (startMs > nowMs && !isTerminal(buy.status)) return { next: { ...pull, next_at: startMs } };
  const { corrected_days } = connection.adapter.declaration.reports;
  const fromMs = Math.max(startMs, pull.through_ms - corrected_days * DAY_MS);
  return { next: { ...pull, next_at: nowMs + LIFETIME_MS }, fromMs };
}
