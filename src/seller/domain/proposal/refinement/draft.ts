import type { Product } from '../../product/product.js';
import { joinWords } from '../../search/sentence.js';
import type { Allocation } from '../proposal.js';
import type { Quantity } from './plan-ask.js';

/** All of a budget. */
export const WHOLE_PERCENT = 100;
/** Percents that differ by less are the same. */
export const ROUNDING = 1e-9;

/** One line of a plan that is being changed; `share` in percent of the budget. A settled one is not scaled by later changes. */
export type Line = { readonly allocation: Allocation; readonly product: Product; share: number; isSettled: boolean };

/** A plan that is being changed: its lines, the percents that no line has yet, the notes, and the questions to the buyer. */
export type Draft = {
  lines: Line[];
  free: number;
  /** The products that the ask dropped. */
  dropped: readonly Product[];
  amount: number | undefined;
  readonly currency: string;
  readonly done: string[];
  readonly undone: string[];
};

/** Gives lines a share together, and the others, as far as they are not settled, what is left. */
export function settle(draft: Draft, lines: readonly Line[], share: number, verb: string): void {
  const before = sumShares(lines);
  const others = draft.lines.filter((line) => !lines.includes(line));
  const open = others.filter((line) => !line.isSettled);
  const left = WHOLE_PERCENT - draft.free - share - sumShares(others.filter((line) => line.isSettled));
  const names = listNames(lines);
  if (share <= 0) {
    dropLines(draft, lines);
    return;
  }
  if (left < -ROUNDING || (open.length === 0 && left > ROUNDING)) {
    draft.undone.push(`${names} cannot have ${showPercent(share)}% of this plan beside the rest of it`);
    return;
  }
  scale(lines, share);
  if (left <= ROUNDING) draft.lines = draft.lines.filter((line) => !open.includes(line));
  else scale(open, left);
  for (const line of lines) line.isSettled = true;
  draft.done.push(`${verb} ${names} from ${showPercent(before)}% to ${showPercent(share)}% of the budget`);
}

/** Drops lines and sets their shares free, unless nothing would be left. */
export function dropLines(draft: Draft, lines: readonly Line[]): void {
  const rest = draft.lines.filter((line) => !lines.includes(line));
  if (rest.length === 0) {
    draft.undone.push(`nothing would be left without ${listNames(lines)}`);
    return;
  }
  draft.lines = rest;
  draft.dropped = [...draft.dropped, ...lines.map(({ product }) => product)];
  draft.free += sumShares(lines);
  draft.done.push(`Dropped ${listNames(lines)}`);
}

/** Gives what is still free to the lines whose shares the ask did not name, in their proportions. */
export function giveToOpen(draft: Draft): void {
  const open = draft.lines.filter(({ isSettled }) => !isSettled);
  if (draft.free === 0 || open.length === 0) return;
  scale(open, sumShares(open) + draft.free);
  draft.free = 0;
}

type Transfer = {
  readonly givers: readonly Line[];
  readonly takers: readonly Line[];
  /** The ask names the givers, whose shares stay as they are then; it does unless set. */
  readonly isNamed?: boolean;
};

/** Moves points of the budget from some lines to others. */
export function transfer(draft: Draft, moved: number, { givers, takers, isNamed = true }: Transfer): void {
  const available = sumShares(givers);
  if (givers.some((line) => takers.includes(line)) || takers.length === 0) {
    draft.undone.push('what it moves from and to is the same; name two products or channels of the plan');
  } else if (moved > available + ROUNDING) {
    draft.undone.push(`${listNames(givers)} has only ${showPercent(available)}% to give`);
  } else {
    scale(takers, sumShares(takers) + moved);
    scale(givers, available - moved);
    draft.lines = draft.lines.filter(({ share }) => share > ROUNDING);
    for (const line of [...givers, ...takers]) line.isSettled = isNamed || takers.includes(line);
    draft.done.push(
      `Moved ${showPercent(moved)} points of the budget from ${listNames(givers)} to ${listNames(takers)}`,
    );
  }
}

/** Returns a quantity in points of the budget; `whole` is what a percent is of. Asks back where money cannot be told in points. */
export function countPoints(draft: Draft, quantity: Quantity, whole: number): number | undefined {
  if (quantity.unit !== 'money')
    return quantity.unit === 'points' ? quantity.value : (whole * quantity.value) / WHOLE_PERCENT;
  const { amount, currency } = draft;
  if (amount !== undefined && amount > 0 && (quantity.currency ?? currency) === currency)
    return (quantity.value * WHOLE_PERCENT) / amount;
  draft.undone.push(`what share of the budget is ${quantity.value} ${quantity.currency ?? currency}? Say it in points`);
  return undefined;
}

/** Returns the percents that lines have together. */
export function sumShares(lines: readonly Line[]): number {
  return lines.reduce((sum, { share }) => sum + share, 0);
}

/** Returns the names of the products of lines, as a sentence lists them. */
export function listNames(lines: readonly Line[]): string {
  return joinWords(lines.map(({ product }) => product.name));
}

/** Returns a percent as people read it. */
export function showPercent(percent: number): string {
  return String(Math.round(percent * 100) / 100);
}

/** Gives lines `total` together, in the proportions they have; equal parts where they have nothing. */
export function scale(lines: readonly Line[], total: number): void {
  const sum = sumShares(lines);
  for (const line of lines) line.share = sum === 0 ? total / lines.length : (line.share * total) / sum;
}
