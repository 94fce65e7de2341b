import { leastSpend } from '../media-buy/pricing.js';
import type { PricingOption } from '../product/product.js';

const WHOLE_PERCENT = 100;
const CENTS = 100;

/** A price, and its part of the budget in percent. */
type PricedShare = { readonly share: number; readonly option: PricingOption };

/** Returns the least total at which every share reaches the minimum of its price, in its currency, rounded up to a whole unit. */
export function leastTotal(lines: readonly PricedShare[]): number {
  return Math.max(
    0,
    ...lines.map(({ share, option }) => Math.ceil((leastSpend(option) * WHOLE_PERCENT) / share - 1e-9)),
  );
}

/** Divides a budget by the shares of its allocations, in whole cents that add up to it. */
export function splitBudget<Allocation extends { readonly allocation_percentage: number }>(
  total: number,
  allocations: readonly Allocation[],
): readonly { readonly allocation: Allocation; readonly budget: number }[] {
  const cents = Math.round(total * CENTS);
  let givenCents = 0;
  let share = 0;
  return allocations.map((allocation) => {
    share += allocation.allocation_percentage;
    const upToCents = Math.round((cents * Math.min(share, WHOLE_PERCENT)) / WHOLE_PERCENT);
    const budget = (upToCents - givenCents) / CENTS;
    givenCents = upToCents;
    return { allocation, budget };
  });
}

/** Returns whole percents in proportion to `weights` that add up to 100, each 1 at least; at most 100 weights, all above zero. */
export function wholeShares(weights: readonly number[]): readonly number[] {
  const total = sum(weights);
  const exact = weights.map((weight) => (WHOLE_PERCENT * weight) / total);
  const shares = exact.map((share) => Math.max(1, Math.floor(share + 1e-9)));
  // A remainder goes to the largest fractions; what the minimum of 1 took too much comes from the largest shares.
  for (let rest = WHOLE_PERCENT - sum(shares); rest !== 0; rest += rest > 0 ? -1 : 1) {
    const step = Math.sign(rest);
    const takeable = (share: number): number => (share > 1 ? share : 0);
    const gaps = shares.map((share, index) => (step > 0 ? (exact[index] ?? 0) - share : takeable(share)));
    const at = gaps.indexOf(Math.max(...gaps));
    shares[at] = (shares[at] ?? 0) + step;
  }
  return shares;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
