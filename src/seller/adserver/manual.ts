import { DAY_MS, isoTime } from '../../platform/kernel/clock.js';
import {
  type EnteredAmounts,
  enteredMetrics,
  enteredPacing,
  enteredStatus,
  isEntered,
} from '../domain/delivery/entered.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { DeliveryReader } from '../store/spend/deliveries.js';
import type { CreativeDelivery, PackageDelivery, Window } from './port.js';

const NOTHING: EnteredAmounts = { impressions: 0, spend_cents: 0 };

/** Delivery of buys that people carry out: what they entered, and nothing else. */
export class ManualDelivery {
  readonly #entered: DeliveryReader;

  constructor(entered: DeliveryReader) {
    this.#entered = entered;
  }

  async ofPackages(buy: MediaBuy, { fromMs, toMs }: Window, daily: boolean): Promise<readonly PackageDelivery[]> {
    const { media_buy_id } = buy;
    const within = await this.#entered.ofPackages({ media_buy_id, fromMs, toMs });
    const soFar = fromMs <= 0 ? within : await this.#entered.ofPackages({ media_buy_id, fromMs: 0, toMs });
    const lastDays = await this.#entered.lastDays(media_buy_id);
    const days = daily ? await this.#entered.ofDays({ media_buy_id, fromMs, toMs }) : [];
    return buy.packages.map((line) => {
      const { package_id } = line;
      const total = soFar.get(package_id) ?? NOTHING;
      const lastDay = lastDays.get(package_id);
      const pacing_index = lastDay === undefined ? undefined : enteredPacing(line, total, lastDay);
      return {
        package_id,
        metrics: enteredMetrics(within.get(package_id) ?? NOTHING),
        daily: days
          .filter((entry) => entry.package_id === package_id)
          .map(({ day, ...amounts }) => ({ date: isoTime(day * DAY_MS).slice(0, 10), ...enteredMetrics(amounts) })),
        pacing_index,
        delivery_status: enteredStatus(line, total, toMs),
      };
    });
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
