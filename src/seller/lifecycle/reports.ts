import { isoTime, MINUTE_MS, type OwnClocks } from '../../platform/kernel/clock.js';
import type { Log } from '../../platform/kernel/log.js';
import type { Booking } from '../adserver/booking.js';
import type { PackageDelivery } from '../adserver/port.js';
import { packageReport, summed } from '../adserver/report.js';
import { flightEndMs, isTerminal, type MediaBuy } from '../domain/media-buy/media-buy.js';
import { isAdjusted, type Period, periodAt } from '../domain/media-buy/reporting.js';
import type { Store, Writer } from '../store/store.js';
import type { ReportStream } from '../store/webhooks/reports.js';
import { findRecipient, requestContext } from '../webhooks/events/buy-events.js';
import { type Report, type ReportRow, type ReportType, reportUpdate } from '../webhooks/events/payloads.js';
import { type Outbox, taskEvent } from '../webhooks/outbox.js';

/** How a buy's reports were registered (facts-webhooks 1.2). */
export type ReportingTerms = Pick<ReportStream, 'frequency' | 'delay_ms'>;

/**
 * Delivery reports on buys' reporting webhooks: one for every period of the UTC calendar, and once the buy has ended a final one with
 * all that it delivered, after which nothing follows (spec 3, Events).
 */
export type Reports = {
  /** A reporting webhook was registered for a buy, or registered anew: what was reported before stays reported. */
  readonly start: (tx: Writer, owner: string, buy: MediaBuy, wish: ReportingTerms) => Promise<void>;
  /** The buy has changed: its final report is due if it has ended, its first one moves with its start. */
  readonly followBuy: (tx: Writer, buy: MediaBuy) => Promise<void>;
  /** Sends what has become due. */
  readonly tick: () => Promise<void>;
};

/** What reports are made from. */
export type ReportPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly log: Log;
  readonly booking: Pick<Booking, 'delivery' | 'isOurs'>;
  readonly outbox: Pick<Outbox, 'post'>;
};

/** How many streams are looked at together. */
const BATCH = 100;
/** When numbers that are late are asked for again. */
const LATE_MS = 15 * MINUTE_MS;

type Numbers = Pick<Required<ReportRow>, 'totals' | 'by_package'>;

/** What one report tells of: numbers of a period, and when there will be more. */
type Sent = {
  readonly type: ReportType;
  readonly period: Period;
  /** Absent where they are late. */
  readonly numbers?: Numbers | undefined;
  readonly nextMs: number;
};

/** Reports over a store. The numbers are asked for outside the transaction that sends them. */
export function createReports({ store, clock, log, booking, outbox }: ReportPorts): Reports {
  async function sendDue(stream: ReportStream): Promise<void> {
    const buy = await store.read.mediaBuys.find(stream.owner, stream.media_buy_id);
    if (buy === undefined) throw new Error('a report stream without its media buy');
    const asked = wanted(buy);
    const isOver = isTerminal(buy.status);
    const period = isOver ? flightOf(buy) : { fromMs: stream.next_from, toMs: periodEnd(stream, stream.next_from) };
    const numbers = await deliveryIn(buy, period, asked);
    const { last } = stream;
    const corrected = last === undefined || isOver ? undefined : await deliveryIn(buy, last, asked);
    await store.transact(async (tx) => {
      const present = await tx.reports.find(stream.media_buy_id);
      // Another registration or the end of the buy has moved it meanwhile.
      if (present === undefined || present.next_from !== stream.next_from || present.due_at !== stream.due_at) return;
      if (numbers === undefined) return late(tx, stream, buy, isOver ? undefined : period);
      if (isOver) {
        await send(tx, stream, buy, { type: 'final', period, numbers, nextMs: clock.nowOf(stream.owner) });
        return tx.reports.end(stream.media_buy_id);
      }
      const next = following(stream, period, numbers);
      const nextMs = Math.max(clock.nowOf(stream.owner), Math.min(next.due_at, finalMs(buy, stream)));
      if (last !== undefined && corrected !== undefined && isAdjusted(last, corrected.totals))
        await send(tx, stream, buy, {
          type: 'adjusted',
          period: last,
          numbers: corrected,
          nextMs: clock.nowOf(stream.owner),
        });
      await send(tx, stream, buy, { type: 'scheduled', period, numbers, nextMs });
      await tx.reports.save(next);
    });
  }

  /** Says once that a period's numbers are late, and asks again later. Of a buy that has ended nothing but the final report is sent. */
  async function late(tx: Writer, stream: ReportStream, buy: MediaBuy, period: Period | undefined): Promise<void> {
    const due_at = clock.nowOf(stream.owner) + LATE_MS;
    if (period !== undefined && !stream.is_late)
      await send(tx, stream, buy, { type: 'delayed', period, nextMs: due_at });
    await tx.reports.save({ ...stream, due_at, is_late: true });
  }

  async function send(tx: Writer, stream: ReportStream, buy: MediaBuy, sent: Sent): Promise<void> {
    const address = findRecipient(stream.owner, buy, 'reporting_webhook');
    if (address === undefined) return;
    const { type, period, numbers } = sent;
    const sequence = await tx.outbox.nextSequence(buy.media_buy_id);
    const nextExpectedAt = isoTime(sent.nextMs);
    const report: Report = {
      type,
      sequence,
      period: { start: isoTime(period.fromMs), end: isoTime(period.toMs) },
      currency: buy.currency,
      rows: [
        {
          media_buy_id: buy.media_buy_id,
          ...(numbers === undefined
            ? { status: 'reporting_delayed', expected_availability: nextExpectedAt }
            : { status: buy.status, ...numbers }),
        },
      ],
      nextExpectedAt,
      sandbox: buy.sandbox,
    };
    const notice = {
      ...reportUpdate(buy.media_buy_id, report, isoTime(clock.nowOf(stream.owner))),
      context: requestContext(buy),
    };
    await outbox.post(tx, taskEvent(address, notice, { notificationType: type, sequence }));
  }

  /** Undefined where the ad server does not have the numbers yet. */
  async function deliveryIn(buy: MediaBuy, period: Period, asked: readonly string[]): Promise<Numbers | undefined> {
    try {
      const packages = await booking.delivery(buy, period, false);
      return numbersOf(buy, packages, asked);
    } catch (error) {
      log.warn({ err: error, media_buy_id: buy.media_buy_id }, 'the numbers of a report are not there yet');
      return undefined;
    }
  }

  /** When the final report is due: an ad server's numbers take their time, also those of the end. */
  function finalMs(buy: MediaBuy, { delay_ms }: ReportStream): number {
    return flightEndMs(buy) + (booking.isOurs(buy) ? 0 : delay_ms);
  }

  /** A stream that fails for a reason of our own holds up no other. */
  async function postpone(stream: ReportStream, error: unknown): Promise<void> {
    log.error({ err: error, media_buy_id: stream.media_buy_id }, 'a report could not be sent; it is tried again');
    await store.transact(async (tx) => {
      const present = await tx.reports.find(stream.media_buy_id);
      if (present !== undefined) await tx.reports.save({ ...present, due_at: clock.nowOf(stream.owner) + MINUTE_MS });
    });
  }

  async function sendAllDue(find: () => Promise<readonly ReportStream[]>): Promise<void> {
    for (let due = await find(); due.length > 0; due = await find()) {
      for (const stream of due) await sendDue(stream).catch((error: unknown) => postpone(stream, error));
    }
  }

  return {
    start: async (tx, owner, buy, { frequency, delay_ms }) => {
      const { media_buy_id } = buy;
      const before = await tx.reports.find(media_buy_id);
      const startMs = Date.parse(buy.start_time);
      // Of a buy that runs already: from the period on in which it was registered.
      const next_from = before?.next_from ?? Math.max(startMs, periodAt(frequency, clock.nowOf(owner)).fromMs);
      const due_at = periodAt(frequency, next_from).toMs + delay_ms;
      const { last } = before ?? {};
      await tx.reports.save({ media_buy_id, owner, frequency, delay_ms, next_from, due_at, is_late: false, last });
    },
    followBuy: async (tx, buy) => {
      if (buy.callbacks.reporting_webhook === undefined) return;
      const stream = await tx.reports.find(buy.media_buy_id);
      if (stream === undefined) return;
      const next_from = Date.parse(buy.start_time);
      if (isTerminal(buy.status)) {
        await tx.reports.save({ ...stream, due_at: finalMs(buy, stream) });
      } else if (stream.next_from > clock.nowOf(stream.owner) && next_from !== stream.next_from) {
        await tx.reports.save({ ...stream, next_from, due_at: periodEnd(stream, next_from) + stream.delay_ms });
      }
    },
    tick: async () => {
      await sendAllDue(() => store.read.reports.due(clock.now(), BATCH));
      for (const owner of clock.ahead())
        await sendAllDue(() => store.read.reports.due(clock.nowOf(owner), BATCH, owner));
    },
  };
}

function periodEnd({ frequency }: Pick<ReportStream, 'frequency'>, fromMs: number): number {
  return periodAt(frequency, fromMs).toMs;
}

/** All of a buy's flight; one that was canceled before its start had none. */
function flightOf(buy: MediaBuy): Period {
  const toMs = flightEndMs(buy);
  return { fromMs: Math.min(Date.parse(buy.start_time), toMs), toMs };
}

function following(stream: ReportStream, { fromMs, toMs }: Period, { totals }: Numbers): ReportStream {
  const { impressions, spend } = totals;
  return {
    ...stream,
    next_from: toMs,
    due_at: periodEnd(stream, toMs) + stream.delay_ms,
    is_late: false,
    last: { fromMs, toMs, impressions, spend },
  };
}

/** Members that every report has, whatever metrics were asked for. */
const ALWAYS: ReadonlySet<string> = new Set([
  'package_id',
  'impressions',
  'spend',
  'pricing_model',
  'rate',
  'currency',
  'paused',
  'pacing_index',
  'delivery_status',
]);

function wanted({ callbacks }: MediaBuy): readonly string[] {
  const { requested_metrics } = (callbacks.reporting_webhook ?? {}) as {
    readonly requested_metrics?: readonly string[];
  };
  return requested_metrics ?? [];
}

function numbersOf(buy: MediaBuy, packages: readonly PackageDelivery[], asked: readonly string[]): Numbers {
  const pick = <Row extends object>(row: Row): Row =>
    asked.length === 0
      ? row
      : (Object.fromEntries(Object.entries(row).filter(([name]) => ALWAYS.has(name) || asked.includes(name))) as Row);
  const rows = packages.map((entry) => packageReport(buy, entry, false));
  return { totals: pick(summed(packages.map((entry) => entry.metrics))), by_package: rows.map(pick) };
}
