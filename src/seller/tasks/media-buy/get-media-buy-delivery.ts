import { z } from 'zod';
import { cutPage, readPage } from '../../../platform/kernel/cursor.js';
import type { Window } from '../../adserver/port.js';
import { packageReport, summed } from '../../adserver/report.js';
import type { App, Call } from '../../context.js';
import { latestMetrics, NOTHING_SIMULATED } from '../../domain/delivery/simulated.js';
import { isTerminal, type MediaBuy } from '../../domain/media-buy/media-buy.js';
import { query } from '../pipeline/define.js';
import { accountRef, envelopeFields, pagination, statusFilter } from '../pipeline/shapes.js';
import { unknownBuys } from '../pipeline/unknown-ids.js';
import { checkDays, readWindow, reportingPeriod, windowFields } from './delivery-window.js';
import { checkGranularity, granularityFields, sliceDelivery, windowsOf } from './window-breakdown.js';

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_ids: z.array(z.string().max(255)).max(100).optional(),
  status_filter: statusFilter.optional(),
  ...windowFields,
  include_package_daily_breakdown: z.boolean().optional(),
  ...granularityFields,
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** get_media_buy_delivery: what the caller's buys have delivered, per buy and package, in a window of UTC days. */
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
    const window = readWindow(args, call.now.ms);
    const page = readPage('delivery', args.pagination);
    const statuses = filter === undefined ? undefined : [filter].flat();
    const accountId = ids === undefined ? account?.account_id : undefined;
    const nothing = (accountIsNew && ids === undefined) || ids?.length === 0;
    const rows = nothing ? [] : await db.mediaBuys.list(call.owner, page, { accountId, ids, statuses });
    const cut = cutPage('delivery', rows, page, (row) => row.seq);
    const buys = cut.rows.map((row) => row.buy);
    checkDays(args, buys, call);
    const { time_granularity: granularity } = args;
    if (granularity !== undefined) checkGranularity(granularity, buys, call);
    const cutUp = granularity !== undefined && args.include_window_breakdown === true;
    const open = { start: args.start_date === undefined, end: args.end_date === undefined };
    const windows = cutUp ? windowsOf(granularity, buys, window, open) : undefined;
    const daily = args.include_package_daily_breakdown === true || (granularity === 'daily' && !cutUp);
    const deliveries = await Promise.all(
      buys.map((buy) => report(app, call, buy, window, daily, windows?.get(buy.media_buy_id))),
    );
    const currencies = new Set(buys.map((buy) => buy.currency));
    const shown = buys.map((buy) => buy.media_buy_id);
    const errors = page.after === undefined ? await unknownBuys(db, call.owner, ids, shown) : [];
    return {
      reporting_period: reportingPeriod(window, buys, call.now.ms),
      currency: [...currencies][0] ?? 'USD',
      ...(currencies.size === 1
        ? { aggregated_totals: { ...summed(deliveries.map((entry) => entry.totals)), media_buy_count: buys.length } }
        : {}),
      media_buy_deliveries: deliveries,
      ...(errors.length === 0 ? {} : { errors }),
      ...(args.pagination === undefined && !cut.info.has_more ? {} : { pagination: cut.info }),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

async function report(
  app: App,
  call: Call,
  buy: MediaBuy,
  window: Window,
  daily: boolean,
  windows: readonly Window[] | undefined,
) {
  const packages = await app.booking.delivery(buy, window, daily);
  return {
    media_buy_id: buy.media_buy_id,
    status: buy.status,
    totals: {
      ...summed(packages.map((entry) => entry.metrics)),
      ...latestMetrics(buy.simulated ?? NOTHING_SIMULATED),
    },
    by_package: packages.map((entry) => packageReport(buy, entry, daily)),
    ...(windows === undefined ? {} : { windows: await sliceDelivery(app, buy, windows) }),
    is_final: isTerminal(buy.status) && window.toMs >= Math.min(Date.parse(buy.end_time), call.now.ms),
  };
}
