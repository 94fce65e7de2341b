import { isoTime, MINUTE_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import { runSlices } from '../../platform/kernel/slices.js';
import type { Booking } from '../adserver/booking.js';
import type { PackageDelivery } from '../adserver/port.js';
import { buyTotals, packageReport } from '../adserver/report.js';
import { type Finality, finalityWire } from '../domain/delivery/finality.js';
import { simulatedMark } from '../domain/media-buy/fulfillment.js';
import { flightEndMs, isTerminal, type MediaBuy } from '../domain/media-buy/media-buy.js';
import { isAdjusted, type Period, periodAt } from '../domain/media-buy/reporting.js';
import type { Store, Writer } from '../store/store.js';
import type { ReportStream } from '../store/webhooks/reports.js';
import { findRecipient, requestContext } from '../webhooks/events/buy-events.js';
import { type Report, type ReportRow, type ReportType, reportUpdate } from '../webhooks/events/payloads.js';
import { type Outbox, taskEvent } from '../webhooks/outbox.js';

/** The frequency and delay that a buy's reports were registered with. */
type ReportingTerms = Pick<ReportStream, 'frequency' | 'delay_ms'>;

/**
 * Delivery reports on buys' reporting webhooks: one for every period of the UTC calendar, and once the buy has ended a final one with
 * its whole delivery, after which nothing follows.
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

type Numbers = Pick<Required<ReportRow>, 'totals' | 'by_package'> & Pick<ReportRow, 'is_final' | 'finalized_at'>;

/** The content of one report: the numbers of a period, and when there will be more. */
type ReportContent = {
  readonly type: ReportType;
  readonly period: Period;
  /** Undefined where they are late. */
  readonly numbers?: Numbers | undefined;
  readonly nextMs: number;
};

/** The numbers of a due stream, as the ad server gave them outside of any transaction. */
type DueNumbers = {
  readonly period: Period;
  readonly numbers: Numbers | undefined;
  /** The numbers of the last period by now; undefined where there is none, or the buy has ended. */
  readonly corrected: Numbers | undefined;
};

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
    const startMs = Date.parse(buy.start_time);
    // Of a buy that runs already: from the period on in which it was registered.
    const next_from =
      before?.next_from ?? Math.max(startMs, periodAt(frequency, this.#ports.clock.nowOf(owner)).fromMs);
    const due_at = periodAt(frequency, next_from).toMs + delay_ms;
    const last = before?.last;
    await tx.reports.save({ media_buy_id, owner, frequency, delay_ms, next_from, due_at, is_late: false, last });
  }

  async followBuy(tx: Writer, buy: MediaBuy): Promise<void> {
    if (buy.callbacks.reporting_webhook === undefined) return;
    const stream = await tx.reports.find(buy.media_buy_id);
    if (stream === undefined) return;
    const next_from = Date.parse(buy.start_time);
    if (isTerminal(buy.status)) {
      await tx.reports.save({ ...stream, due_at: this.#finalMs(buy, stream) });
    } else if (stream.next_from > this.#nowMs(stream) && next_from !== stream.next_from) {
      await tx.reports.save({ ...stream, next_from, due_at: periodEnd(stream, next_from) + stream.delay_ms });
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
    const metrics = requestedMetrics(buy);
    const isOver = isTerminal(buy.status);
    const period = isOver ? flightOf(buy) : { fromMs: stream.next_from, toMs: periodEnd(stream, stream.next_from) };
    const numbers = await this.#readNumbers(buy, period, metrics);
    const { last } = stream;
    const corrected = last === undefined || isOver ? undefined : await this.#readNumbers(buy, last, metrics);
    await store.transact(async (tx) => {
      const present = await tx.reports.find(stream.media_buy_id);
      // Another registration or the end of the buy has moved it meanwhile.
      if (present === undefined || present.next_from !== stream.next_from || present.due_at !== stream.due_at) return;
      await this.#sendNumbers(tx, stream, buy, { period, numbers, corrected });
    });
  }

  async #sendNumbers(tx: Writer, stream: ReportStream, buy: MediaBuy, due: DueNumbers): Promise<void> {
    const { period, numbers, corrected } = due;
    const isOver = isTerminal(buy.status);
    const nowMs = this.#nowMs(stream);
    const { last } = stream;
    if (numbers === undefined) return this.#sendLate(tx, stream, buy, isOver ? undefined : period);
    if (isOver) {
      await this.#send(tx, stream, buy, { type: 'final', period, numbers, nextMs: nowMs });
      return tx.reports.end(stream.media_buy_id);
    }
    const next = nextStream(stream, period, numbers);
    const nextMs = Math.max(nowMs, Math.min(next.due_at, this.#finalMs(buy, stream)));
    if (last !== undefined && corrected !== undefined && isAdjusted(last, corrected.totals)) {
      await this.#send(tx, stream, buy, { type: 'adjusted', period: last, numbers: corrected, nextMs: nowMs });
    }
    await this.#send(tx, stream, buy, { type: 'scheduled', period, numbers, nextMs });
    await tx.reports.save(next);
  }

  /** Reports once that a period's numbers are late, and asks again later. Of a buy that has ended only the final report is sent. */
  async #sendLate(tx: Writer, stream: ReportStream, buy: MediaBuy, period: Period | undefined): Promise<void> {
    const due_at = this.#nowMs(stream) + LATE_RETRY_MS;
    if (period !== undefined && !stream.is_late) {
      await this.#send(tx, stream, buy, { type: 'delayed', period, nextMs: due_at });
    }
    await tx.reports.save({ ...stream, due_at, is_late: true });
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
      context: requestContext(buy),
    };
    await this.#ports.outbox.post(tx, taskEvent(recipient, update, { notificationType: type, sequence }));
  }

  /** Returns the numbers of a period, undefined where the ad server does not have them yet, or nobody has entered them. */
  async #readNumbers(buy: MediaBuy, period: Period, metrics: readonly string[]): Promise<Numbers | undefined> {
    const { booking } = this.#ports;
    try {
      if (!(await booking.isReportable(buy, period))) return undefined;
      const finality = isTerminal(buy.status) ? await booking.finality(buy, period) : undefined;
      return sumNumbers(buy, await booking.delivery(buy, period, false), metrics, finality);
    } catch (error) {
      const { media_buy_id } = buy;
      this.#ports.log.warn({ err: error, media_buy_id }, 'the numbers of a report are not there yet');
      return undefined;
    }
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

function periodEnd({ frequency }: Pick<ReportStream, 'frequency'>, fromMs: number): number {
  return periodAt(frequency, fromMs).toMs;
}

/** Returns the whole flight of a buy; one that was canceled before its start had none. */
function flightOf(buy: MediaBuy): Period {
  const toMs = flightEndMs(buy);
  return { fromMs: Math.min(Date.parse(buy.start_time), toMs), toMs };
}

/** Returns the stream after a period was reported. */
function nextStream(stream: ReportStream, { fromMs, toMs }: Period, { totals }: Numbers): ReportStream {
  const { impressions, spend } = totals;
  return {
    ...stream,
    next_from: toMs,
    due_at: periodEnd(stream, toMs) + stream.delay_ms,
    is_late: false,
    last: { fromMs, toMs, impressions, spend },
  };
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
