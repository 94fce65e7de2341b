import type { PackageDelivery } from '../../../adserver/delivered.js';
import type { MediaBuy } from '../../../domain/media-buy/media-buy.js';

/** What running buys are put together by; each by itself unless asked. */
export const GROUPINGS = ['buy', 'product', 'buyer', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A running buy with what it delivered, undefined where its ad server does not say. */
export type Delivered = {
  readonly buy: MediaBuy;
  readonly owner: string;
  readonly nowMs: number;
  readonly packages: readonly PackageDelivery[] | undefined;
};

/** Several buys' delivery together, in one currency. `planned` is what an even flight would have spent; undefined of a day. */
export type Group = {
  readonly name: string;
  readonly currency: string;
  readonly buys: number;
  readonly impressions: number;
  readonly spend: number;
  readonly planned: number | undefined;
};

/** One package's or day's part of a group. */
type Part = Omit<Group, 'buys'>;

/** Delivery put together by product, buyer or day, buy by buy; each buy is added once. */
export class DeliveryGroups {
  readonly #by: Exclude<Grouping, 'buy'>;
  readonly #groups = new Map<string, Group>();

  constructor(by: Exclude<Grouping, 'buy'>) {
    this.#by = by;
  }

  add(delivered: Delivered): void {
    const counted = new Set<string>();
    for (const part of partsOf(delivered, this.#by)) {
      const key = `${part.name} ${part.currency}`;
      const before = this.#groups.get(key);
      this.#groups.set(key, {
        name: part.name,
        currency: part.currency,
        buys: (before?.buys ?? 0) + (counted.has(key) ? 0 : 1),
        impressions: (before?.impressions ?? 0) + part.impressions,
        spend: (before?.spend ?? 0) + part.spend,
        planned: part.planned === undefined ? undefined : (before?.planned ?? 0) + part.planned,
      });
      counted.add(key);
    }
  }

  /** Returns the groups: those that are furthest behind first, the newest day first. */
  list(): readonly Group[] {
    const rows = [...this.#groups.values()];
    return this.#by === 'day'
      ? rows.toSorted((one, other) => (one.name < other.name ? 1 : -1))
      : rows.toSorted((one, other) => (paceOfGroup(one) ?? 2) - (paceOfGroup(other) ?? 2));
  }
}

/** Returns how far a group is of its plan: 1 is on plan; undefined where nothing was planned yet. */
export function paceOfGroup({ planned, spend }: Pick<Group, 'planned' | 'spend'>): number | undefined {
  return planned === undefined || planned <= 0 ? undefined : spend / planned;
}

function partsOf({ buy, nowMs, owner, packages = [] }: Delivered, by: Exclude<Grouping, 'buy'>): readonly Part[] {
  const { currency } = buy;
  return packages.flatMap(({ daily, metrics, package_id }): readonly Part[] => {
    const line = buy.packages.find((one) => one.package_id === package_id);
    if (by === 'day')
      return daily.map(({ date, impressions, spend }) => ({
        name: date,
        currency,
        impressions,
        spend,
        planned: undefined,
      }));
    const start = Date.parse(line?.start_time ?? buy.start_time);
    const end = Date.parse(line?.end_time ?? buy.end_time);
    const share = Math.min(1, Math.max(0, (nowMs - start) / (end - start)));
    const name = by === 'buyer' ? owner : (line?.product_id ?? package_id);
    const { impressions, spend } = metrics;
    return [{ name, currency, impressions, spend, planned: (line?.budget ?? 0) * share }];
  });
}
