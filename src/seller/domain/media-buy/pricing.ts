import { TaskError } from '../../../protocol/errors.js';
import type { PricingOption, Product } from '../product/product.js';
import type { Sold } from './media-buy.js';

/** The largest budget that is not taken for a mistake, in any currency. */
export const MAX_BUDGET = 1e10;

/** A buyer's offer for a package. Money in the pricing option's currency. */
export type Offer = {
  readonly product_id: string;
  readonly pricing_option_id: string;
  readonly budget: number;
  readonly bid_price?: number | undefined;
};

/** Returns the product an offer names. Throws PRODUCT_NOT_FOUND, or PRODUCT_EXPIRED after its `expires_at`; `field` is the package's path. */
export function findProduct(
  products: ReadonlyMap<string, Product>,
  productId: string,
  field: string,
  nowMs: number,
): Product {
  const product = products.get(productId);
  if (product === undefined) {
    throw new TaskError('PRODUCT_NOT_FOUND', 'There is no such product.', {
      field: `${field}.product_id`,
      suggestion: 'Call get_products and use a product_id from its answer.',
    });
  }
  if (product.expires_at !== undefined && Date.parse(product.expires_at) <= nowMs) {
    throw new TaskError('PRODUCT_EXPIRED', 'The product is no longer on sale.', {
      field: `${field}.product_id`,
      suggestion: 'Call get_products again and choose a product that is still offered.',
    });
  }
  return product;
}

/** Returns the price an offer names. Throws VALIDATION_ERROR that lists the product's own options. */
export function findPricingOption(product: Product, pricingOptionId: string, field: string): PricingOption {
  const option = product.pricing_options.find((candidate) => candidate.pricing_option_id === pricingOptionId);
  if (option !== undefined) return option;
  const own = product.pricing_options.map((candidate) => candidate.pricing_option_id);
  throw new TaskError('VALIDATION_ERROR', 'The product has no such pricing option.', {
    field: `${field}.pricing_option_id`,
    suggestion: `Use one of the product's pricing options: ${own.join(', ')}.`,
    details: { allowed_values: own },
  });
}

/** Returns the least a package at this price costs, in the option's currency: its minimum spend, or the whole of a flat rate. */
export function leastSpend(option: PricingOption): number {
  const flat = option.pricing_model === 'flat_rate' ? (option.fixed_price ?? option.floor_price ?? 0) : 0;
  return Math.max(option.min_spend_per_package ?? 0, flat);
}

/** Returns the least budget that a package at this price can have, in the option's currency: what it costs, and an amount that can be booked. */
export function leastBudget(option: PricingOption): number {
  return Math.max(leastSpend(option), smallestAmount(option.currency));
}

/** Returns the bid of a package at a price: the floor of an auction unless the buyer bids, none at a fixed price. */
export function bidFor({ fixed_price, floor_price }: PricingOption, bid: number | undefined): number | undefined {
  return fixed_price === undefined ? (bid ?? floor_price) : undefined;
}

/** The most fields that a sentence on unused bids names. */
const MAX_NAMED_BIDS = 10;

/** Returns what an answer says of bids on fixed prices: clients send one with any price, and it changes nothing. `bids` are by field. */
export function describeUnusedBids(
  bids: readonly (readonly [field: string, bid: number | undefined, option: PricingOption | undefined])[],
): string | undefined {
  const unused = bids.filter(([, bid, option]) => bid !== undefined && option?.fixed_price !== undefined);
  if (unused.length === 0) return undefined;
  const named = unused
    .slice(0, MAX_NAMED_BIDS)
    .map(([field, , option]) => `${field} (${option?.fixed_price} ${option?.currency})`);
  const more = unused.length > named.length ? ` and ${unused.length - named.length} more` : '';
  return `The price is fixed, so the bid is not used and the price is paid: ${named.join(', ')}${more}. To bid, buy at a pricing option without fixed_price.`;
}

/** Refuses a bid where one means an auction. Throws INVALID_REQUEST for a fixed price. */
export function checkAuction({ fixed_price, currency }: PricingOption, field: string): void {
  if (fixed_price === undefined) return;
  throw new TaskError('INVALID_REQUEST', 'The price is fixed, so nothing is bid.', {
    field,
    suggestion: `Leave the bid out to pay ${fixed_price} ${currency}, or buy at a pricing option without fixed_price.`,
    details: { fixed_price, currency },
  });
}

/** What binary arithmetic leaves on an amount, as in 0.1 + 0.2. */
const ARITHMETIC_NOISE = 1e-5;

/** Whether two amounts are one, but for what binary arithmetic leaves on them. */
export function isSameAmount(one: number, other: number): boolean {
  return Math.abs(one - other) < ARITHMETIC_NOISE;
}

/** Refuses a currency beside an amount where the amount is in another one. Throws INVALID_REQUEST. */
export function checkCurrency(sent: unknown, currency: string, field: string): void {
  if (sent === undefined || sent === null || sent === currency) return;
  throw new TaskError('INVALID_REQUEST', `The amounts here are in ${currency}, the currency of the pricing option.`, {
    field,
    suggestion: `Leave currency out and send the amounts in ${currency}, or choose a pricing option in another currency.`,
    details: { currency },
  });
}

/** Refuses an amount finer than its currency's unit: totals and shares are reckoned in whole units, and would not add up to it. */
export function checkUnits(amount: number, currency: string, field: string): void {
  const units = unitsIn(currency);
  if (isSameAmount(inUnits(amount, currency), amount)) return;
  const [finest, decimals] = units === 1 ? [`one ${currency}`, 'no decimals'] : ['a hundredth', 'at most two decimals'];
  throw new TaskError(
    'INVALID_REQUEST',
    `The amount is finer than ${finest}, the finest that ${currency} is booked in.`,
    {
      field,
      suggestion: `Send ${decimals}, such as ${Math.ceil(amount * units) / units} ${currency}.`,
    },
  );
}

/** Returns an amount in whole units of its currency, without what binary arithmetic left on it; `checkUnits` refuses finer ones. */
export function inUnits(amount: number, currency: string): number {
  const units = unitsIn(currency);
  return Math.round(amount * units) / units;
}

/** Refuses a budget or bid that the price does not allow: minimums, whole units, floors, whole flat rates, bids on auctions. `field` is the package's path. */
export function checkOffer(option: PricingOption, offer: Pick<Offer, 'budget' | 'bid_price'>, field: string): void {
  const { currency } = option;
  const minimum = leastBudget(option);
  if (offer.budget < minimum) {
    throw new TaskError('BUDGET_TOO_LOW', 'The budget of the package is below the minimum of this price.', {
      field: `${field}.budget`,
      suggestion: `Offer at least ${minimum} ${currency}.`,
      details: { minimum_budget: minimum, currency },
    });
  }
  if (offer.budget > MAX_BUDGET) {
    throw new TaskError('BUDGET_EXCEEDED', 'The budget of the package is larger than this seller accepts.', {
      field: `${field}.budget`,
      suggestion: `Offer at most ${MAX_BUDGET} ${currency}.`,
      details: { maximum_budget: MAX_BUDGET, currency },
    });
  }
  checkUnits(offer.budget, currency, `${field}.budget`);
  if (option.fixed_price !== undefined) return;
  const floor = option.floor_price ?? 0;
  const bid = bidFor(option, offer.bid_price);
  if (bid === undefined) {
    throw new TaskError('INVALID_REQUEST', 'This price is an auction and needs a bid_price.', {
      field: `${field}.bid_price`,
      suggestion: `Add bid_price, at least ${floor} ${currency}, or choose a fixed price.`,
      details: { floor_price: floor, currency },
    });
  }
  if (bid < floor) {
    throw new TaskError('VALIDATION_ERROR', 'The bid is below the floor of this price.', {
      field: `${field}.bid_price`,
      suggestion: `Bid at least ${floor} ${currency}.`,
      details: { floor_price: floor, currency },
    });
  }
}

/**
 * The terms at which a seller's prices are sold: one object per price as long as the product catalog is unchanged, by which the
 * store knows terms that it holds already (bench: create_media_buy).
 */
export class SoldTerms {
  readonly #byOption = new WeakMap<PricingOption, Sold>();

  /** Returns the terms of a product at a price. */
  at(product: Product, option: PricingOption): Sold {
    const cached = this.#byOption.get(option);
    if (cached !== undefined) return cached;
    const { delivery_type, exclusivity, channels, format_ids, inventory, placements } = product;
    const { allowed_actions, creative_policy, metric_optimization, conversion_tracking, max_optimization_goals } =
      product;
    const sold = {
      option,
      delivery_type,
      exclusivity,
      channels,
      format_ids,
      inventory: { ...inventory, keywords: [] },
      reporting: product.reporting_capabilities,
      placements,
      allowed_actions,
      creative_policy,
      metric_optimization,
      conversion_tracking,
      max_optimization_goals,
    };
    this.#byOption.set(option, sold);
    return sold;
  }
}

/** The currencies without a minor unit: ISO 4217, https://www.iso.org/iso-4217-currency-codes.html. */
const WITHOUT_MINOR_UNIT: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
);

/** Returns the smallest amount above zero that can be booked in a currency: its minor unit, a hundredth where that is finer. */
export function smallestAmount(currency: string): number {
  return 1 / unitsIn(currency);
}

/** Returns how many of the smallest amounts of a currency one of it has: 1 where it has no minor unit, else 100. */
export function unitsIn(currency: string): number {
  return WITHOUT_MINOR_UNIT.has(currency) ? 1 : 100;
}
