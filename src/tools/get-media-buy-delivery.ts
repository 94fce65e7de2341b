import { z } from 'zod';
import type { Delivered, PackageDelivery, Window } from '../adserver/port.js';
import type { App, Call } from '../context.js';
import { isTerminal, MEDIA_BUY_STATUSES, type MediaBuy, type Package } from '../domain/media-buy.js';
import { DAY_MS, isoTime } from '../kernel/clock.js';
import { cutPage, readPage } from '../kernel/cursor.js';
import { TaskError } from '../kernel/errors.js';
import { query } from './define.js';
import { accountRef, day, envelopeFields, pagination } from './shapes.js';

const status = z.enum(MEDIA_BUY_STATUSES);

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_ids: z.array(z.string().max(255)).max(100).optional(),
  status_filter: z.union([status, z.array(status).min(1)]).optional(),
  start_date: day.optional().describe('YYYY-MM-DD, UTC; left out: since the start'),
  end_date: day.optional().describe('YYYY-MM-DD, UTC, the day itself is not in it'),
  include_package_daily_breakdown: z.boolean().optional(),
  time_granularity: z.enum(['hourly', 'daily', 'monthly']).optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** Numbers that add up across packages and buys; rates do not. */
const SUMMED = ['impressions', 'spend', 'clicks', 'views', 'completed_views', 'conversions', 'plays'] as const;

/** get_media_buy_delivery (facts C.6): what the caller's buys have delivered, per buy and package, in a window of UTC days. */
export const getMediaBuyDelivery = query({
  name: 'get_media_buy_delivery',
  title: 'Delivery numbers',
  description:
    'Impressions, spend, clicks and completions of your media buys, per package, since the start or between two days. Money is in the currency of the buy.',
  kinds: ['sales'],
  input,
  account: { use: 'read_buys', required: false },
  empty: { media_buy_deliveries: [] },
  run: async ({ app, call, args, db, account, accountIsNew }) => {
    const { media_buy_ids: ids, status_filter: filter } = args;
    if (args.time_granularity === 'hourly' || args.time_granularity === 'monthly') throw onlyDaily();
    const window = readWindow(args, call.now.ms);
    const page = readPage('delivery', args.pagination);
    const statuses = filter === undefined ? undefined : [filter].flat();
    const accountId = ids === undefined ? account?.account_id : undefined;
    const nothing = (accountIsNew && ids === undefined) || ids?.length === 0;
    const rows = nothing ? [] : await db.mediaBuys.list(call.owner, page, { accountId, ids, statuses });
    const cut = cutPage('delivery', rows, page, (row) => row.seq);
    const buys = cut.rows.map((row) => row.buy);
    const daily = args.include_package_daily_breakdown === true || args.time_granularity === 'daily';
    const deliveries = await Promise.all(buys.map((buy) => report(app, call, buy, window, daily)));
    const currencies = new Set(buys.map((buy) => buy.currency));
    return {
      reporting_period: { start: isoTime(startOf(window, buys, call.now.ms)), end: isoTime(window.toMs) },
      currency: [...currencies][0] ?? 'USD',
      ...(currencies.size === 1
        ? { aggregated_totals: { ...summed(deliveries.map((entry) => entry.totals)), media_buy_count: buys.length } }
        : {}),
      media_buy_deliveries: deliveries,
      ...(args.pagination === undefined && !cut.info.has_more ? {} : { pagination: cut.info }),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

/** Days from `start_date` up to `end_date`; what is left out reaches back to the start and forward to now. */
function readWindow({ start_date, end_date }: z.output<typeof input>, nowMs: number): Window {
  const fromMs = start_date === undefined ? 0 : Date.parse(start_date);
  const endMs = end_date === undefined ? nowMs : Date.parse(end_date);
  if (start_date !== undefined && end_date !== undefined && endMs <= fromMs) {
    throw new TaskError('INVALID_REQUEST', 'end_date must lie after start_date.', {
      field: 'end_date',
      suggestion: 'Move end_date behind start_date; end_date itself is not part of the period.',
    });
  }
  return { fromMs, toMs: Math.max(fromMs, Math.min(endMs, nowMs)) };
}

/** An open beginning is told as the start of the earliest buy in the report. */
function startOf(window: Window, buys: readonly MediaBuy[], nowMs: number): number {
  if (window.fromMs > 0) return window.fromMs;
  const starts = buys.map((buy) => Date.parse(buy.start_time));
  return Math.min(window.toMs, ...(starts.length === 0 ? [nowMs - DAY_MS] : starts));
}

async function report(app: App, call: Call, buy: MediaBuy, window: Window, daily: boolean) {
  const packages = await app.booking.delivery(buy, window, daily);
  return {
    media_buy_id: buy.media_buy_id,
    status: buy.status,
    totals: summed(packages.map((entry) => entry.metrics)),
    by_package: packages.map((entry) => packageReport(buy, entry, daily)),
    is_final: isTerminal(buy.status) && window.toMs >= Math.min(Date.parse(buy.end_time), call.now.ms),
  };
}

function packageReport(buy: MediaBuy, delivery: PackageDelivery, daily: boolean): object {
  const line = buy.packages.find((candidate) => candidate.package_id === delivery.package_id);
  const option = line?.sold.option;
  const { delivery_status } = delivery;
  return {
    package_id: delivery.package_id,
    ...delivery.metrics,
    pricing_model: option?.pricing_model,
    rate: rateOf(line, delivery.metrics),
    currency: buy.currency,
    paused: line?.paused ?? false,
    ...(delivery.pacing_index === undefined ? {} : { pacing_index: delivery.pacing_index }),
    ...(delivery_status === 'not_delivering' ? {} : { delivery_status }),
    ...(daily ? { daily_breakdown: delivery.daily } : {}),
  };
}

/** The price per unit of the model: the fixed one, or what an auction has cost per 1000 impressions so far. */
function rateOf(line: Package | undefined, metrics: Delivered): number {
  const fixed = line?.sold.option.fixed_price;
  if (fixed !== undefined) return fixed;
  if (metrics.impressions === 0) return line?.bid_price ?? 0;
  return Math.round((metrics.spend / metrics.impressions) * 100_000) / 100;
}

function summed(parts: readonly Readonly<Record<string, unknown>>[]): Record<string, number> {
  const sums: Record<string, number> = { impressions: 0, spend: 0 };
  for (const part of parts) {
    for (const name of SUMMED) {
      const value = part[name];
      if (typeof value === 'number') sums[name] = Math.round(((sums[name] ?? 0) + value) * 100) / 100;
    }
  }
  return sums;
}

function onlyDaily(): TaskError {
  return new TaskError('UNSUPPORTED_GRANULARITY', 'Delivery is reported per day.', {
    field: 'time_granularity',
    suggestion: 'Use "daily", or leave it out for totals.',
    details: { supported_granularities: ['daily'] },
  });
}
