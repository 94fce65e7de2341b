import { DAY_MS } from '../../../platform/kernel/clock.js';
import { isExclusive, listDays, midnightOf, type Run } from '../inventory/hold.js';
import { slotHours } from '../inventory/slots.js';
import { leastBudget } from '../media-buy/pricing.js';
import type { Period } from '../media-buy/reporting.js';
import type { PricingOption, Product } from '../product/product.js';
import { maxSpend } from './forecast.js';
import { type Market, planFlight } from './market.js';
import { suggestPrice } from './plan.js';

/** The holds of an advertiser's rivals on products that are sold to one of an industry at a time, by product. */
export type RivalRuns = ReadonlyMap<string, readonly Run[]>;

/** Returns the ids of the products that have no time left in a flight which could be bought at one of their prices. */
export function findSoldOut(products: readonly Product[], market: Market, rivals: RivalRuns): ReadonlySet<string> {
  const soldOut = products.filter((product) => {
    const { product_id, pricing_options } = product;
    const theirs = new Set(listDays(rivals.get(product_id) ?? []).map(([day]) => day));
    if (theirs.size > 0 && isTaken(market, (day) => theirs.has(day))) return true;
    const held = market.held?.get(product_id);
    if (held === undefined) return false;
    if (isExclusive({ sold: product }) && isTaken(market, (day) => (held.get(day) ?? 0) > 0)) return true;
    return !pricing_options.some((option) => hasRoom(product, option, market));
  });
  return new Set(soldOut.map(({ product_id }) => product_id));
}

/** Returns whether every day of a flight is taken. */
function isTaken({ fromMs, toMs }: Period, isTakenOn: (dayMs: number) => boolean): boolean {
  for (let day = midnightOf(fromMs); day < toMs; day += DAY_MS) if (!isTakenOn(day)) return false;
  return true;
}

/** Returns whether a flight leaves what a price asks for: a free time as long as it buys, or as much as it costs at least. */
function hasRoom(product: Product, option: PricingOption, market: Market): boolean {
  const { inventory } = product;
  if (!isExclusive({ sold: product }))
    return maxSpend({ product, part: 1, ...suggestPrice(option) }, market) >= leastBudget(option);
  return slotHours({ option, inventory }) === undefined || planFlight({ product, option }, market) !== undefined;
}
