import { isoTime } from '../../../platform/kernel/clock.js';
import type { MediaBuy, Package } from '../media-buy/media-buy.js';
import type { Period } from '../media-buy/reporting.js';
import type { Product } from '../product/product.js';
import type { Allocation, Proposal } from './proposal.js';
import { exactShares, splitBudget, splitInProportion } from './shares.js';
import { livePackages, planBudget } from './snapshot.js';
import type { AddedPackage, BuyChange } from './terms.js';

/** Returns a buy as a plan that can be revised: each package has its share of what they cost together. */
export function planOfBuy(buy: MediaBuy, name: string, nowIso: string): Proposal {
  const lines = livePackages(buy);
  const shares = exactShares(lines.map(({ budget }) => budget));
  const { currency } = buy;
  return {
    proposal_id: buy.media_buy_id,
    name,
    allocations: lines.map((line, index) => ({
      product_id: line.product_id,
      pricing_option_id: line.pricing_option_id,
      allocation_percentage: shares[index] ?? 0,
      bid_price: line.bid_price,
      ...(line.start_time === buy.start_time && line.end_time === buy.end_time
        ? {}
        : { start_time: line.start_time, end_time: line.end_time }),
    })),
    total_budget_guidance: { currency, recommended: sumBudgets(lines) },
    forecast: { points: [], forecast_range_unit: 'spend', method: 'modeled', currency, generated_at: nowIso },
  };
}

function sumBudgets(lines: readonly Package[]): number {
  return Math.round(lines.reduce((sum, { budget }) => sum + budget, 0) * 100) / 100;
}

/** Returns the products of a buy at the prices that they were sold at. Those that are no longer in the catalog are not there. */
export function soldProducts(buy: MediaBuy, products: ReadonlyMap<string, Product>): ReadonlyMap<string, Product> {
  const sold = new Map<string, Product>();
  for (const { product_id, pricing_option_id, sold: terms } of livePackages(buy)) {
    const product = sold.get(product_id) ?? products.get(product_id);
    if (product === undefined) continue;
    const others = product.pricing_options.filter((option) => option.pricing_option_id !== pricing_option_id);
    sold.set(product_id, { ...product, pricing_options: [terms.option, ...others] });
  }
  return sold;
}

/** A plan of a buy before and after it was revised, and the flight that it is for then. */
type Revised = { readonly before: Proposal; readonly after: Proposal; readonly flight: Period };

/** Returns the change that makes a buy what its revised plan says; without members where that is what it is. */
export function changeOfBuy(buy: MediaBuy, { before, after, flight }: Revised): BuyChange {
  const open = [...livePackages(buy)];
  const paired = after.allocations.map((allocation) => {
    const at = open.findIndex((line) => isOf(line, allocation));
    return { allocation, line: at < 0 ? undefined : open.splice(at, 1)[0] };
  });
  const budgets = divideAllocations(paired, before, after);
  const packages = [
    ...paired.flatMap(({ line }, index) => {
      const budget = budgets[index] ?? 0;
      return line === undefined || line.budget === budget ? [] : [{ package_id: line.package_id, budget }];
    }),
    ...open.map(({ package_id }) => ({ package_id, canceled: true }) as const),
  ];
  const new_packages = paired.flatMap(({ allocation, line }, index): readonly AddedPackage[] => {
    if (line !== undefined) return [];
    const { product_id, pricing_option_id, bid_price, start_time, end_time } = allocation;
    return [{ product_id, pricing_option_id, budget: budgets[index] ?? 0, bid_price, start_time, end_time }];
  });
  const [start_time, end_time] = [isoTime(flight.fromMs), isoTime(flight.toMs)];
  return {
    ...(flight.fromMs === Date.parse(buy.start_time) ? {} : { start_time }),
    ...(flight.toMs === Date.parse(buy.end_time) ? {} : { end_time }),
    ...(packages.length === 0 ? {} : { packages }),
    ...(new_packages.length === 0 ? {} : { new_packages }),
  };
}

function isOf(line: Package, { product_id, pricing_option_id }: Allocation): boolean {
  return line.product_id === product_id && line.pricing_option_id === pricing_option_id;
}

/** Returns the budgets of a revised plan. Shares are rounded, so that what keeps its share keeps its budget to the unit. */
function divideAllocations(
  paired: readonly { readonly allocation: Allocation; readonly line: Package | undefined }[],
  before: Proposal,
  after: Proposal,
): readonly number[] {
  const total = { amount: planBudget(after), currency: after.total_budget_guidance.currency };
  const lines = paired.flatMap(({ line }) => line ?? []);
  const shares = ({ allocations }: Proposal) => allocations.map((part) => part.allocation_percentage).join();
  if (lines.length < paired.length || shares(before) !== shares(after))
    return splitBudget(total, after.allocations).map(({ budget }) => budget);
  const own = lines.map(({ budget }) => budget);
  return total.amount === planBudget(before) ? own : splitInProportion(total, own);
}
