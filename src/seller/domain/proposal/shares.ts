import { sumOf } from '../../../platform/kernel/numbers.js';
import type { Money } from '../governance/commitment.js';
import { leastBudget, unitsIn } from '../media-buy/pricing.js';
import type { PricingOption } from '../product/product.js';

const WHOLE_PERCENT = 100;

/** A price, and its part of the budget in percent. */
type PricedShare = { readonly share: number; readonly option: PricingOption };

/** Returns the least total at which every share reaches the minimum of its price, in its currency, rounded up to a whole unit. */
export function leastTotal(lines: readonly PricedShare[]): number {
  return Math.max(
    0,
    ...lines.map(({ share, option }) => Math.ceil((leastBudget(option) * WHOLE_PERCENT) / share - 1e-9)),
  );
}

/** Divides a budget by the shares of its allocations, in whole units of its currency that add up to it. */
export function splitBudget<Allocation extends { readonly allocation_percentage: number }>(
  { amount, currency }: Money,
  allocations: readonly Allocation[],
): readonly { readonly allocation: Allocation; readonly budget: number }[] {
  const perOne = unitsIn(currency);
  const units = Math.round(amount * perOne);
  let given = 0;
  let share = 0;
  return allocations.map((allocation) => {
    share += allocation.allocation_percentage;
    const upTo = Math.round((units * Math.min(share, WHOLE_PERCENT)) / WHOLE_PERCENT);
    const budget = (upTo - given) / perOne;
    given = upTo;
    return { allocation, budget };
  });
}

/** Divides a total in proportion to parts, in whole units of its currency that add up to it; equally where all parts are 0. */
export function splitInProportion({ amount, currency }: Money, parts: readonly number[]): readonly number[] {
  const whole = sumOf(parts);
  const perOne = unitsIn(currency);
  const units = Math.round(amount * perOne);
  let part = 0;
  let given = 0;
  return parts.map((own, index) => {
    part += own;
    const upTo = Math.round(whole === 0 ? (units * (index + 1)) / parts.length : (units * part) / whole);
    const budget = (upTo - given) / perOne;
    given = upTo;
    return budget;
  });
}

/** Returns whole percents in proportion to `weights` that add up to 100, each 1 at least; at most 100 weights, all above zero. */
export function wholeShares(weights: readonly number[]): readonly number[] {
  const total = sumOf(weights);
  const exact = weights.map((weight) => (WHOLE_PERCENT * weight) / total);
  const shares = exact.map((share) => Math.max(1, Math.floor(share + 1e-9)));
  // A remainder goes to the largest fractions; what the minimum of 1 took too much comes from the largest shares.
  for (let rest = WHOLE_PERCENT - sumOf(shares); rest !== 0; rest += rest > 0 ? -1 : 1) {
    const step = Math.sign(rest);
    const takeable = (share: number): number => (share > 1 ? share : 0);
    const gaps = shares.map((share, index) => (step > 0 ? (exact[index] ?? 0) - share : takeable(share)));
    const at = gaps.indexOf(Math.max(...gaps));
    shares[at] = (shares[at] ?? 0) + step;
  }
  return shares;
}

const HUNDREDTHS = 100;

/** Returns shares as percents in hundredths, in proportion to `parts`, that add up to 100; none is 0. */
export function exactShares(parts: readonly number[]): readonly number[] {
  const total = sumOf(parts);
  const units = parts.map((part) => Math.max(1, Math.round((WHOLE_PERCENT * HUNDREDTHS * part) / total)));
  const largest = units.indexOf(Math.max(...units));
  units[largest] = (units[largest] ?? 0) + WHOLE_PERCENT * HUNDREDTHS - sumOf(units);
  return units.map((unit) => unit / HUNDREDTHS);
}

/**
 * Returns percents in proportion to `weights`, none above its cap, in percent of the budget: what one line cannot take goes to the
 * others. Where all are at their caps, they are in proportion to these.
 */
export function fitShares(weights: readonly number[], caps: readonly number[]): readonly number[] {
  if (sumOf(caps) <= WHOLE_PERCENT) return caps.map((cap) => Math.max(cap, Number.MIN_VALUE));
  const full = new Set<number>();
  for (;;) {
    const left = WHOLE_PERCENT - sumOf([...full].map((at) => caps[at] ?? 0));
    const open = sumOf(weights.filter((_weight, at) => !full.has(at)));
    const shares = weights.map((weight, at) => (full.has(at) ? (caps[at] ?? 0) : (weight * left) / open));
    const over = shares.findIndex((share, at) => !full.has(at) && share > (caps[at] ?? 0));
    if (over < 0) return shares;
    full.add(over);
  }
}
