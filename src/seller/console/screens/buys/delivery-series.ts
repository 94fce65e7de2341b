import { DAY_MS } from '../../../../platform/kernel/clock.js';
import type { PackageDelivery } from '../../../adserver/delivered.js';
import type { App } from '../../../context.js';
import { flightEndMs, type MediaBuy, totalBudget } from '../../../domain/media-buy/media-buy.js';

/** A buy's delivery so far. Money in its currency. */
export type BuyDelivery = {
  readonly spend: number;
  readonly impressions: number;
  readonly packages: readonly PackageDelivery[];
  readonly spentOf: (packageId: string) => number | undefined;
  readonly stateOf: (packageId: string) => string | undefined;
};

/** Returns what a buy has delivered by a moment, by day; undefined where its ad server does not say. */
export async function deliveryOf(app: App, buy: MediaBuy, nowMs: number): Promise<BuyDelivery | undefined> {
  const window = { fromMs: Date.parse(buy.start_time), toMs: Math.max(nowMs, Date.parse(buy.start_time)) };
  try {
    const [ready = buy] = await app.booking.prepare([buy]);
    const packages = await app.booking.delivery(ready, window, true);
    const find = (id: string): PackageDelivery | undefined => packages.find(({ package_id }) => package_id === id);
    return {
      packages,
      spend: packages.reduce((sum, { metrics }) => sum + metrics.spend, 0),
      impressions: packages.reduce((sum, { metrics }) => sum + metrics.impressions, 0),
      spentOf: (id) => find(id)?.metrics.spend,
      stateOf: (id) => find(id)?.delivery_status,
    };
  } catch (error) {
    app.log.warn({ err: error, media_buy_id: buy.media_buy_id }, 'the delivery of a buy could not be read');
    return undefined;
  }
}

/** A day of a flight: what was spent by its end, undefined of a day to come, and what an even flight would have spent. */
type SeriesDay = { readonly dayMs: number; readonly spent: number | undefined; readonly planned: number };

/** Days that are drawn of a flight. */
export const MAX_DAYS = 400;

/** Returns the days of a buy's flight with what was spent and planned by their end; of a longer one than is drawn those up to now, and from its start at least as many. */
export function seriesOf(buy: MediaBuy, { packages }: BuyDelivery, nowMs: number): readonly SeriesDay[] {
  const start = Date.parse(buy.start_time);
  const end = Date.parse(buy.end_time);
  const first = Math.floor(start / DAY_MS) * DAY_MS;
  const days = Math.ceil((end - first) / DAY_MS);
  const byDay = new Map<string, number>();
  for (const { daily } of packages)
    for (const { date, spend } of daily) byDay.set(date, (byDay.get(date) ?? 0) + spend);
  if (byDay.size === 0) return [];
  const budget = totalBudget(buy);
  const shownMs = Math.min(nowMs, flightEndMs(buy));
  let sum = 0;
  const present = Math.floor((shownMs - first) / DAY_MS) + 1;
  const shown = Math.min(days, Math.max(MAX_DAYS, present));
  return Array.from({ length: shown }, (_, index) => {
    const dayMs = first + index * DAY_MS;
    sum += byDay.get(new Date(dayMs).toISOString().slice(0, 10)) ?? 0;
    const share = Math.min(1, Math.max(0, (dayMs + DAY_MS - start) / (end - start)));
    return { dayMs, spent: dayMs <= shownMs ? sum : undefined, planned: budget * share };
  }).slice(-MAX_DAYS);
}
