import { isObject } from '../../../platform/kernel/json/json.js';
import type { MediaBuy, Package } from './media-buy.js';

/**
 * The remedies that are carried out, the preferred one first. What was not delivered is never billed: the invoice is that much lower,
 * and the money is the account's for other buys.
 */
export const REMEDIES = ['invoice_adjustment', 'credit'] as const;
type Remedy = (typeof REMEDIES)[number];

/** How a remedy is said in the final report. */
const MESSAGES: Record<Remedy, string> = {
  invoice_adjustment: 'This part of the budget was not delivered and is not billed: the invoice is that much lower.',
  credit: 'This part of the budget was not delivered and is not billed: it is free for other buys of the account.',
};

/** The remedy for what a package was short of, as its final report says it; `amount` in the buy's currency. */
export type Makegood = {
  readonly remedy: Remedy;
  readonly amount: number;
  readonly currency: string;
  readonly message: string;
};

/** Returns the remedies of a list that are carried out, the preferred one first. */
export function carriedRemedies(proposed: unknown): readonly Remedy[] {
  return Array.isArray(proposed) ? REMEDIES.filter((remedy) => proposed.includes(remedy)) : [];
}

/** Returns the terms as they are agreed: of the remedies that a buyer would take, those that are carried out. */
export function agreedTerms<Terms extends Readonly<Record<string, unknown>>>(terms: Terms): Terms {
  const { makegood_policy: policy } = terms;
  if (!isObject(policy) || policy.available_remedies === undefined) return terms;
  return { ...terms, makegood_policy: { ...policy, available_remedies: carriedRemedies(policy.available_remedies) } };
}

/**
 * Returns the remedy that was agreed for a package of a buy that has ended, and its amount: the budget that `spend`, that of the whole
 * flight, left. Undefined where nothing is short, no remedy was agreed, or the buyer ended it.
 */
export function makegoodOf(buy: MediaBuy, line: Package, spend: number): Makegood | undefined {
  const { measurement_terms: terms } = line.echoed;
  const policy = isObject(terms) ? terms.makegood_policy : undefined;
  const [remedy] = carriedRemedies(isObject(policy) ? policy.available_remedies : undefined);
  const amount = Math.round((line.budget - spend) * 100) / 100;
  const isEndedByBuyer = [buy.cancellation, line.cancellation].some((end) => end?.canceled_by === 'buyer');
  if (remedy === undefined || amount <= 0 || isEndedByBuyer || buy.status === 'rejected') return undefined;
  return { remedy, amount, currency: buy.currency, message: MESSAGES[remedy] };
}
