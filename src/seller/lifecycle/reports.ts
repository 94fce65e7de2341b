import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { runSlices } from '../../platform/kernel/slices.js';
import type { Booking } from '../adserver/booking.js';
import type { PackageDelivery } from '../adserver/delivered.js';
import { buyTotals, packageReport } from '../adserver/report.js';
import { type Finality, finalityWire } from '../domain/delivery/finality.js';
import { simulatedMark } from '../domain/media-buy/fulfillment.js';
import { flightEndMs, isTerminal, type MediaBuy } from '../domain/media-buy/media-buy.js';
import { isAdjusted, type Period, periodAt, reportingZone } from '../domain/media-buy/reporting.js';
import type { Store, Writer } from '../store/store.js';
import type { ReportedPeriod, ReportStream } from '../store/webhooks/reports.js';
import { findRecipient, requestContext } from '../webhooks/events/buy-events.js';
import { type Report, type ReportRow, type ReportType, reportUpdate } from '../webhooks/events/payloads.js';
import { type Outbox, taskEvent } from '../webhooks/outbox.js';

/** The frequency and delay that a buy's reports were registered with. */
type ReportingTerms = Pick<ReportStream, 'frequency' | 'delay_ms'>;

/**
 * Delivery reports on buys' reporting webhooks: one for every period of the calendar of the buy's time zone, its first and last may be part
 * of one, and once the buy has ended a final one with its whole delivery, after which nothing follows.
 */
export type Reports = {
  /** Starts the reports of a buy whose reporting webhook was registered, or registered anew: periods that were reported stay reported. */
  readonly start: (tx: Writer, owner: string, buy: MediaBuy, terms: ReportingTerms) => Promise<void>;
  /** Follows a change of the buy: its final report is due if it has ended, its first one moves with its start. */
  readonly followBuy: (tx: Writer, buy: MediaBuy) => Promise<void>;
  /** Sends reports that have become due. */
  readonly tick: (isStopped?: () => boolean) => Promise<void>;
};

/** The ports that reports work with. */
type ReportPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly log: Log;
  readonly booking: Pick<Booking, 'delivery' | 'finality' | 'isReportable' | 'isSimulated'>;
  readonly outbox: Pick<Outbox, 'post'>;
};

/** How many streams are read and sent together: their transactions share a commit. */
const BATCH_SIZE = 20;
/** When numbers that are late are asked for again. */
const LATE_RETRY_MS = 15 * MINUTE_MS;
/** For when late numbers are promised, each time that the promise before was not kept, the last one again and again. */
const PROMISES_MS = [LATE_RETRY_MS, HOUR_MS, 4 * HOUR_MS, DAY_MS] as const;
/** So many reported periods are compared with their numbers at a time, and at least so often. */
const CHECKED_PERIODS = 48;
const CHECK_MS = DAY_MS;

type Numbers = Pick<Required<ReportRow>, 'totals' | 'by_package'> & Pick<ReportRow, 'is_final' | 'finalized_at'>;

/** The content of one report: the numbers of a period, and when there will be more. */
type ReportContent = {
  readonly type: ReportType;
  readonly period: Period;
  /** Undefined where they are late. */
  readonly numbers?: Numbers | undefined;
  readonly nextMs: number;
};

/** The report that a stream sends next, and when. */
type NextReport = { readonly isFinal: boolean; readonly period: Period; readonly dueMs: number };

/** A period that was reported, with its numbers by now. */
type Checked = { readonly reported: ReportedPeriod; readonly numbers: Numbers };

/** Makes the reports over a store. The numbers are asked for outside the transaction that sends them. */
export function createReports(ports: ReportPorts): Reports {
  const reports = new DeliveryReports(ports);
  return {
    start: (tx, owner, buy, terms) => reports.start(tx, owner, buy, terms),
    followBuy: (tx, buy) => reports.followBuy(tx, buy),
    tick: (isStopped) => reports.tick(isStopped),
  };
}

class DeliveryReports implements Reports {
  readonly #ports: ReportPorts;

  constructor(ports: ReportPorts) {
    this.#ports = ports;
  }

  async start(tx: Writer, owner: string, buy: MediaBuy, { frequency, delay_ms }: ReportingTerms): Promise<void> {
    const { media_buy_id } = buy;
    const before = await tx.reports.find(media_buy_id);
    const nowMs = this.#ports.clock.nowOf(owner);
    // Of a buy that runs already: from the period on in which it was registered.
    const running = periodAt(frequency, nowMs, reportingZone(buy)).fromMs;
    const next_from = before?.next_from ?? Math.max(Date.parse(buy.start_time), running);
    const stream = { media_buy_id, owner, frequency, delay_ms, next_from, due_at: 0, ...NOT_LATE };
    await tx.reports.save({ ...stream, due_at: this.#findNext(buy, stream).dueMs });
  }

  async followBuy(tx: Writer, buy: MediaBuy): Promise<void> {
    if (buy.callbacks.reporting_webhook === undefined) return;
    const stream = await tx.reports.find(buy.media_buy_id);
    if (stream === undefined) return;
    const next_from = Date.parse(buy.start_time);
    if (isTerminal(buy.status)) {
      await tx.reports.save({ ...stream, due_at: this.#findNext(buy, stream).dueMs });
    } else if (stream.next_from > this.#nowMs(stream) && next_from !== stream.next_from) {
      const moved = { ...stream, next_from };
      await tx.reports.save({ ...moved, due_at: this.#findNext(buy, moved).dueMs });
    }
  }

  async tick(isStopped: () => boolean = () => false): Promise<void> {
    const { store, clock } = this.#ports;
    await this.#sendAll(() => store.read.reports.due(clock.now(), BATCH_SIZE), isStopped);
    for (const owner of clock.ahead()) {
      await this.#sendAll(() => store.read.reports.due(clock.nowOf(owner), BATCH_SIZE, owner), isStopped);
    }
  }

  async #sendAll(readDue: () => Promise<readonly ReportStream[]>, isStopped: () => boolean): Promise<void> {
    await runSlices(async () => {
      const due = await readDue();
      await Promise.all(
        due.map((stream) => this.#sendDue(stream).catch((error: unknown) => this.#postpone(stream, error))),
      );
      return due.length > 0;
    }, isStopped);
  }

  async #sendDue(stream: ReportStream): Promise<void> {
    const { store } = this.#ports;
    const buy = await store.read.mediaBuys.find(stream.owner, stream.media_buy_id);
    if (buy === undefined) throw new Error('a report stream without its media buy');
    const next = this.#findNext(buy, stream);
    const isDue = next.dueMs <= this.#nowMs(stream);
    const numbers = isDue ? await this.#readNumbers(buy, next.period, next.isFinal) : undefined;
    // The final report has the numbers of all periods as they are then.
    const checked = isTerminal(buy.status) ? [] : await this.#checkPeriods(buy);
    await store.transact(async (tx) => {
      const present = await tx.reports.find(stream.media_buy_id);
      // Another registration or the end of the buy has moved it meanwhile.
      if (present === undefined || present.next_from !== stream.next_from || present.due_at !== stream.due_at) return;
      await this.#sendCorrections(tx, stream, buy, { checked, nextMs: next.dueMs });
      if (!isDue) await tx.reports.save({ ...stream, due_at: this.#lookAgain(stream, next) });
      else if (numbers === undefined) await this.#sendLate(tx, stream, buy, next.period);
      else await this.#sendNumbers(tx, stream, buy, { next, numbers });
    });
  }

  /** Reads what the periods that were reported have delivered by now; those of the simulator do not change once they were reported twice. */
  async #checkPeriods(buy: MediaBuy): Promise<readonly Checked[]> {
    const { booking, store } = this.#ports;
    const limit = booking.isSimulated(buy) ? 1 : CHECKED_PERIODS;
    const checked: Checked[] = [];
    for (const reported of await store.read.reports.periodsToCheck(buy.media_buy_id, limit)) {
      const numbers = await this.#readNumbers(buy, reported, false);
      if (numbers !== undefined) checked.push({ reported, numbers });
    }
    return checked;
  }

  /** Sends the periods again whose numbers have changed, the earliest first. */
  async #sendCorrections(
    tx: Writer,
    stream: ReportStream,
    buy: MediaBuy,
    { checked, nextMs }: { readonly checked: readonly Checked[]; readonly nextMs: number },
  ): Promise<void> {
    const nowMs = this.#nowMs(stream);
    const inOrder = checked.toSorted((one, other) => one.reported.fromMs - other.reported.fromMs);
    for (const { reported, numbers } of inOrder) {
      const { fromMs, toMs } = reported;
      const hasChanged = isAdjusted(reported, numbers.totals);
      if (hasChanged) {
        const period = { fromMs, toMs };
        await this.#send(tx, stream, buy, { type: 'adjusted', period, numbers, nextMs: Math.max(nowMs, nextMs) });
      }
      const { impressions, spend } = hasChanged ? numbers.totals : reported;
      await tx.reports.savePeriod(buy.media_buy_id, { fromMs, toMs, impressions, spend }, nowMs);
    }
  }

  async #sendNumbers(
    tx: Writer,
    stream: ReportStream,
    buy: MediaBuy,
    { next, numbers }: { readonly next: NextReport; readonly numbers: Numbers },
  ): Promise<void> {
    const { isFinal, period } = next;
    const nowMs = this.#nowMs(stream);
    if (isFinal) {
      await this.#send(tx, stream, buy, { type: 'final', period, numbers, nextMs: nowMs });
      return tx.reports.end(stream.media_buy_id);
    }
    const after = { ...stream, next_from: period.toMs, ...NOT_LATE };
    const following = this.#findNext(buy, after);
    const nextMs = Math.max(nowMs, Math.min(following.dueMs, this.#finalMs(buy, stream)));
    await this.#send(tx, stream, buy, { type: 'scheduled', period, numbers, nextMs });
    const { impressions, spend } = numbers.totals;
    await tx.reports.savePeriod(stream.media_buy_id, { ...period, impressions, spend }, nowMs);
    await tx.reports.save({ ...after, due_at: this.#lookAgain(stream, following) });
  }

  /**
   * Reports that a period's numbers are late, and again each time that they are not there when they were promised for; asks for them again
   * before. Of a buy that has ended nothing is sent but its reports.
   */
  async #sendLate(tx: Writer, stream: ReportStream, buy: MediaBuy, period: Period): Promise<void> {
    const nowMs = this.#nowMs(stream);
    const { delays, promised_at } = stream;
    const due_at = nowMs + LATE_RETRY_MS;
    if (isTerminal(buy.status)) return tx.reports.save({ ...stream, due_at });
    if (promised_at !== null && promised_at > nowMs)
      return tx.reports.save({ ...stream, due_at: Math.min(due_at, promised_at) });
    const promised = nowMs + (PROMISES_MS[Math.min(delays, PROMISES_MS.length - 1)] ?? LATE_RETRY_MS);
    await this.#send(tx, stream, buy, { type: 'delayed', period, nextMs: promised });
    await tx.reports.save({ ...stream, due_at, delays: delays + 1, promised_at: promised });
  }

  async #send(tx: Writer, stream: ReportStream, buy: MediaBuy, content: ReportContent): Promise<void> {
    const recipient = findRecipient(stream.owner, buy, 'reporting_webhook');
    if (recipient === undefined) return;
    const { type, period, numbers } = content;
    const { media_buy_id } = buy;
    const sequence = await tx.outbox.nextSequence(media_buy_id);
    const nextExpectedAt = isoTime(content.nextMs);
    const row: ReportRow =
      numbers === undefined
        ? { media_buy_id, status: 'reporting_delayed', expected_availability: nextExpectedAt }
        : { media_buy_id, status: buy.status, ...numbers };
    const report: Report = {
      type,
      sequence,
      period: { start: isoTime(period.fromMs), end: isoTime(period.toMs) },
      currency: buy.currency,
      rows: [row],
      nextExpectedAt,
      sandbox: buy.sandbox,
      ext: simulatedMark(buy),
    };
    const update = {
      ...reportUpdate(media_buy_id, report, isoTime(this.#nowMs(stream))),
      context: requestContext(buy, 'reporting_webhook'),
    };
    await this.#ports.outbox.post(tx, taskEvent(recipient, update, { notificationType: type, sequence }));
  }

  /** Returns the numbers of a period, undefined where the ad server does not have them yet, or nobody has entered them. */
  async #readNumbers(buy: MediaBuy, { fromMs, toMs }: Period, isFinal: boolean): Promise<Numbers | undefined> {
    const { booking } = this.#ports;
    const period = { fromMs, toMs };
    try {
      if (!(await booking.isReportable(buy, period))) return undefined;
      const finality = isFinal ? await booking.finality(buy, period) : undefined;
      return sumNumbers(buy, await booking.delivery(buy, period, false), requestedMetrics(buy), finality);
    } catch (error) {
      const { media_buy_id } = buy;
      this.#ports.log.warn({ err: error, media_buy_id }, 'the numbers of a report are not there yet');
      return undefined;
    }
  }

  /** Returns the report that a stream sends next: of the present period, of what is left of the last one, or of the whole flight. */
  #findNext(buy: MediaBuy, stream: ReportStream): NextReport {
    const { frequency, next_from: fromMs, delay_ms } = stream;
    const { toMs } = periodAt(frequency, fromMs, reportingZone(buy));
    if (!isTerminal(buy.status)) return { isFinal: false, period: { fromMs, toMs }, dueMs: toMs + delay_ms };
    const endMs = flightEndMs(buy);
    const finalMs = this.#finalMs(buy, stream);
    if (fromMs >= endMs) return { isFinal: true, period: flightOf(buy), dueMs: finalMs };
    const rest = { fromMs, toMs: Math.min(toMs, endMs) };
    return { isFinal: false, period: rest, dueMs: Math.min(rest.toMs + delay_ms, finalMs) };
  }

  /** Returns when a stream is looked at again (ms): when its next report is due, or earlier to find corrections. */
  #lookAgain(stream: ReportStream, next: NextReport): number {
    return Math.min(next.dueMs, this.#nowMs(stream) + CHECK_MS);
  }

  /** Returns when the final report is due (ms): an ad server's numbers take their time, also those of the end. */
  #finalMs(buy: MediaBuy, { delay_ms }: ReportStream): number {
    return flightEndMs(buy) + (this.#ports.booking.isSimulated(buy) ? 0 : delay_ms);
  }

  /** Postpones a stream that failed for a reason of our own, so that it holds up no other. */
  async #postpone(stream: ReportStream, error: unknown): Promise<void> {
    const { log, store } = this.#ports;
    const { media_buy_id } = stream;
    log.error({ err: error, media_buy_id }, 'a report could not be sent; it is tried again');
    await store.transact(async (tx) => {
      const present = await tx.reports.find(media_buy_id);
      if (present !== undefined) await tx.reports.save({ ...present, due_at: this.#nowMs(stream) + MINUTE_MS });
    });
  }

  #nowMs({ owner }: ReportStream): number {
    return this.#ports.clock.nowOf(owner);
  }
}

/** A stream whose next period is not late. */
const NOT_LATE = { delays: 0, promised_at: null } as const;

/** Returns the whole flight of a buy; one that was canceled before its start had none. */
function flightOf(buy: MediaBuy): Period {
  const toMs = flightEndMs(buy);
  return { fromMs: Math.min(Date.parse(buy.start_time), toMs), toMs };
}

/** Members that every report has, whatever metrics were requested. */
const REQUIRED_MEMBERS: ReadonlySet<string> = new Set([
  'package_id',
  'impressions',
  'spend',
  'pricing_model',
  'rate',
  'currency',
  'paused',
  'pacing_index',
  'delivery_status',
  'missing_metrics',
  'is_final',
  'finalized_at',
  'ext',
]);

function requestedMetrics({ callbacks }: MediaBuy): readonly string[] {
  const { requested_metrics } = (callbacks.reporting_webhook ?? {}) as {
    readonly requested_metrics?: readonly string[];
  };
  return requested_metrics ?? [];
}

function sumNumbers(
  buy: MediaBuy,
  packages: readonly PackageDelivery[],
  metrics: readonly string[],
  finality: Finality | undefined,
): Numbers {
  const pick = <Row extends object>(row: Row): Row =>
    metrics.length === 0
      ? row
      : (Object.fromEntries(
          Object.entries(row).filter(([name]) => REQUIRED_MEMBERS.has(name) || metrics.includes(name)),
        ) as Row);
  const rows = packages.map((entry) => packageReport(buy, entry, false, finality));
  return { ...(finality && finalityWire(finality)), totals: pick(buyTotals(packages)), by_package: rows.map(pick) };
}
