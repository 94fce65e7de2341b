import { DAY_MS, isoTime } from '../../platform/kernel/clock.js';
import {
  type EnteredAmounts,
  enteredMetrics,
  enteredPacing,
  enteredStatus,
  isEntered,
} from '../domain/delivery/entered.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import { joinVendorValues, readVendorCell } from '../domain/vendor-metric/values.js';
import type { DeliveryReader } from '../store/spend/deliveries.js';
import type { CreativeDelivery, PackageDelivery, Window } from './delivered.js';

const NOTHING: EnteredAmounts = { impressions: 0, spend_cents: 0 };

/** Delivery as it was entered: by people, or from the reports of an ad server. Nothing else. */
export class EnteredDelivery {
  readonly #entered: DeliveryReader;

  constructor(entered: DeliveryReader) {
    this.#entered = entered;
  }

  async ofPackages(buy: MediaBuy, { fromMs, toMs }: Window, daily: boolean): Promise<readonly PackageDelivery[]> {
    const { media_buy_id } = buy;
    const within = await this.#entered.ofPackages({ media_buy_id, fromMs, toMs });
    const soFar = fromMs <= 0 ? within : await this.#entered.ofPackages({ media_buy_id, fromMs: 0, toMs });
    const lastDays = await this.#entered.lastDays(media_buy_id);
    const vendors = await this.#readVendors(buy, { fromMs, toMs });
    const days = daily ? await this.#entered.ofDays({ media_buy_id, fromMs, toMs }) : [];
    return buy.packages.map((line) => {
      const { package_id } = line;
      const total = soFar.get(package_id) ?? NOTHING;
      const lastDay = lastDays.get(package_id);
      const pacing_index = lastDay === undefined ? undefined : enteredPacing(line, total, lastDay);
      return {
        package_id,
        metrics: { ...enteredMetrics(within.get(package_id) ?? NOTHING), ...vendors.get(package_id) },
        daily: days
          .filter((entry) => entry.package_id === package_id)
          .map(({ day, ...amounts }) => ({ date: isoTime(day * DAY_MS).slice(0, 10), ...enteredMetrics(amounts) })),
        pacing_index,
        delivery_status: enteredStatus(line, total, toMs),
      };
    });
  }

  /** Returns what was entered of vendors, by package; nothing is looked for where no package was sold with it. */
  async #readVendors({ media_buy_id, packages }: MediaBuy, window: Window): Promise<ReadonlyMap<string, object>> {
    if (packages.every(({ sold }) => sold.reporting?.vendor_metrics === undefined)) return new Map();
    const rows = await this.#entered.ofVendors({ media_buy_id, ...window });
    return new Map(
      packages.flatMap(({ package_id }) => {
        const own = rows.filter((row) => row.package_id === package_id);
        const vendor_metric_values = joinVendorValues(
          own.map(({ impressions, vendor_metrics }) => ({
            impressions,
            values: readVendorCell(vendor_metrics ?? '') ?? [],
          })),
        );
        return vendor_metric_values.length === 0 ? [] : [[package_id, { vendor_metric_values }] as const];
      }),
    );
  }

  /** Returns undefined where nothing was entered by creative. */
  async ofCreatives({ media_buy_id }: MediaBuy, window: Window): Promise<readonly CreativeDelivery[] | undefined> {
    const rows = await this.#entered.ofCreatives({ media_buy_id, ...window });
    if (rows.length === 0) return undefined;
    return rows.map(({ creative_id, ...amounts }) => ({ creative_id, metrics: enteredMetrics(amounts) }));
  }

  /** Returns whether all that ran in a window is entered, so that it can be reported. */
  async isEntered(buy: MediaBuy, window: Window): Promise<boolean> {
    return isEntered(buy, window, await this.#entered.lastDays(buy.media_buy_id));
  }
}
