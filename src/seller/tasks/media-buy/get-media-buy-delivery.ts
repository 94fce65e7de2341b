import { z } from 'zod';
import { bindList, cutPage, readPage } from '../../../platform/kernel/cursor.js';
import { startPace } from '../../../platform/kernel/event-loop.js';
import type { Window } from '../../adserver/delivered.js';
import { buyTotals, packageReport, sumTotals } from '../../adserver/report.js';
import type { App } from '../../context.js';
import { finalityWire } from '../../domain/delivery/finality.js';
import { latestMetrics, NOTHING_SIMULATED } from '../../domain/delivery/simulated.js';
import { simulatedMark } from '../../domain/media-buy/fulfillment.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { accountRef, envelopeFields, pagination, statusFilter } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { unknownBuys } from '../pipeline/unknown-ids.js';
import { breakDownPackages, reportingDimensions } from './breakdowns.js';
import { checkDays, readWindow, reportingPeriod, windowFields } from './delivery-window.js';
import { granularityFields, readGranularity, sliceDelivery, windowsOf } from './window-breakdown.js';

const input = z.looseObject({
  account: accountRef.optional(),
  media_buy_ids: z.array(z.string().max(255)).max(100).optional(),
  status_filter: statusFilter.optional().meta({ brief: true, description: 'As in get_media_buys' }),
  ...windowFields,
  include_package_daily_breakdown: z.boolean().optional(),
  ...granularityFields,
  reporting_dimensions: reportingDimensions.optional(),
  pagination: pagination.optional(),
  ...envelopeFields,
});

/** get_media_buy_delivery: what the caller's buys have delivered, per buy and package, in a window of UTC days. */
export const getMediaBuyDelivery = query({
  name: 'get_media_buy_delivery',
  title: 'Delivery numbers',
  description:
    'Impressions, spend, clicks and completions of media buys, per package, since the start or between days, in its currency.',
  kinds: ['sales'],
  input,
  account: { use: 'read_buys', required: false },
  empty: { media_buy_deliveries: [] },
  run: async ({ app, call, args, db, account, accountIsNew, scope }) => {
    const { media_buy_ids: ids, status_filter: filter } = args;
    const window = readWindow(args, call.now.ms);
    const statuses = filter === undefined ? undefined : [filter].flat();
    const accountId = ids === undefined ? account?.account_id : undefined;
    const list = bindList('delivery', scope, accountId, ids, statuses, args.start_date, args.end_date);
    // Without pagination all buys are meant: as many as one answer holds.
    const page =
      args.pagination === undefined ? { limit: MAX_BUYS, after: undefined } : readPage(list, args.pagination);
    const isEmpty = (accountIsNew && ids === undefined) || ids?.length === 0;
    const rows = isEmpty ? [] : await db.mediaBuys.list(scope, page, { accountId, ids, statuses });
    const cut = cutPage(list, rows, { ...page, limit: countThatFit(rows, page.limit) }, (row) => row.seq);
    const buys = cut.rows.map((row) => row.buy);
    checkDays(args, buys, call);
    const { time_granularity: asked } = args;
    const granularity = asked && readGranularity(asked, buys, call);
    const isWindowed = granularity !== undefined && args.include_window_breakdown === true;
    const open = { start: args.start_date === undefined, end: args.end_date === undefined };
    const windows = isWindowed ? windowsOf(granularity, buys, window, open) : undefined;
    const isDaily = args.include_package_daily_breakdown === true || (granularity === 'daily' && !isWindowed);
    const wanted = { window, daily: isDaily, dimensions: args.reporting_dimensions };
    const deliveries: BuyReport[] = [];
    const pace = startPace();
    for (const buy of await app.booking.prepare(buys)) {
      deliveries.push(await reportBuy(app, buy, { ...wanted, windows: windows?.get(buy.media_buy_id) }));
      if (pace.isDue()) await pace.rest();
    }
    const shown = buys.map((buy) => buy.media_buy_id);
    const errors = page.after === undefined ? await unknownBuys(db, scope, ids, shown) : [];
    return {
      reporting_period: reportingPeriod(window, buys, call.now.ms),
      ...totalReports(buys, deliveries),
      media_buy_deliveries: deliveries,
      errors: errors.length === 0 ? undefined : errors,
      pagination: args.pagination === undefined && !cut.info.has_more ? undefined : cut.info,
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});

/** The most buys of one answer, and the most packages: the report of a buy is never cut. */
const MAX_BUYS = 100;
const MAX_PACKAGES = 2000;

/** Returns how many of the buys one answer holds, one at least. */
function countThatFit(rows: readonly { readonly buy: MediaBuy }[], limit: number): number {
  let packages = 0;
  const tooMany = rows.findIndex(({ buy }) => {
    packages += buy.packages.length;
    return packages > MAX_PACKAGES;
  });
  return tooMany < 0 ? limit : Math.max(1, Math.min(limit, tooMany));
}

/** The query of a buy's report. */
type Asked = {
  readonly window: Window;
  readonly daily: boolean;
  readonly dimensions: z.output<typeof reportingDimensions> | undefined;
  readonly windows: readonly Window[] | undefined;
};
type BuyReport = Awaited<ReturnType<typeof reportBuy>>;

/** Returns the totals of all reports where they are in one currency; otherwise those of each currency, and no sum of unlike money. */
function totalReports(buys: readonly MediaBuy[], reports: readonly BuyReport[]): object {
  const currencies = [...new Set(buys.map((buy) => buy.currency))];
  const totals = currencies.map((currency) => {
    const own = reports.filter((_report, at) => buys[at]?.currency === currency);
    return { currency, ...sumTotals(own.map((entry) => entry.totals)), media_buy_count: own.length };
  });
  const [first] = totals;
  if (first === undefined) return { currency: 'USD' };
  const { currency, ...aggregated_totals } = first;
  if (totals.length === 1) return { currency, aggregated_totals };
  return {
    currency,
    message: `These media buys are in ${currencies.join(', ')}: there is no total across currencies. Each package names its own; ext.seller_agent.totals_by_currency has the totals of each.`,
    ext: { seller_agent: { totals_by_currency: totals } },
  };
}

async function reportBuy(app: App, buy: MediaBuy, { window, daily, dimensions, windows }: Asked) {
  const packages = await app.booking.delivery(buy, window, daily);
  const breakdowns = await breakDownPackages(app, buy, window, dimensions);
  const finality = await app.booking.finality(buy, window);
  return {
    media_buy_id: buy.media_buy_id,
    account_id: buy.account_id,
    status: buy.status,
    totals: {
      ...buyTotals(packages),
      ...latestMetrics(buy.simulated ?? NOTHING_SIMULATED),
    },
    by_package: packages.map((entry) => ({
      ...packageReport(buy, entry, daily, finality),
      ...breakdowns.get(entry.package_id),
    })),
    ext: simulatedMark(buy),
    windows: windows && (await sliceDelivery(app, buy, windows)),
    ...finalityWire(finality),
  };
}
