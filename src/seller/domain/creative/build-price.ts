import { TaskError } from '../../../protocol/errors.js';

/** A price of building a creative, by its wire names; `transformers` are those that it is for, absent: all. */
export type BuildPrice = {
  readonly pricing_option_id: string;
  readonly transformers?: readonly string[] | undefined;
  /** For each creative in one format. */
  readonly unit_price: number;
  readonly currency: string;
};

/** The most that a buyer will spend on one call. */
type MaxSpend = { readonly amount: number; readonly currency: string };

/** Returns the price of a transformer's builds; undefined where building is not billed through the protocol. */
export function findBuildPrice(prices: readonly BuildPrice[], transformerId: string): BuildPrice | undefined {
  return prices.find(({ transformers }) => transformers === undefined || transformers.includes(transformerId));
}

/** Returns a price as the protocol has it. */
export function priceWire({ pricing_option_id, unit_price, currency }: BuildPrice): object {
  return { pricing_option_id, model: 'per_unit', unit: 'format', unit_price, currency };
}

/** Returns what so many builds cost, rounded to millionths of the currency. */
export function costOf({ unit_price }: BuildPrice, builds: number): number {
  return Math.round(unit_price * builds * 1e6) / 1e6;
}

/**
 * Returns how many of `wanted` builds a ceiling leaves room for. Throws INVALID_REQUEST for one in another currency, BUDGET_CAP_REACHED
 * where not even one fits, UNSUPPORTED_FEATURE where there is no price that it could hold.
 */
export function fitBudget(price: BuildPrice | undefined, maxSpend: MaxSpend, wanted: number): number {
  if (price === undefined) throw withoutPrice('max_spend');
  if (maxSpend.currency !== price.currency) {
    throw new TaskError('INVALID_REQUEST', 'The ceiling is in another currency than the price.', {
      field: 'max_spend.currency',
      suggestion: `Send it in ${price.currency}.`,
      details: { accepted_values: [price.currency] },
    });
  }
  let fitting = wanted;
  while (fitting > 0 && costOf(price, fitting) > maxSpend.amount) fitting -= 1;
  if (fitting > 0) return fitting;
  throw new TaskError('BUDGET_CAP_REACHED', 'The first creative would cost more than max_spend.', {
    field: 'max_spend.amount',
    suggestion: `Raise it to ${costOf(price, 1)} ${price.currency} or more; mode "estimate" tells what all of them cost.`,
  });
}

/** Returns the refusal of a field that is about prices where there are none. */
export function withoutPrice(field: string): TaskError {
  return new TaskError('UNSUPPORTED_FEATURE', 'Building is not billed through the protocol here.', {
    field,
    suggestion: `Leave ${field} out; creative.supports_spend_controls of the capabilities tells where it is taken.`,
  });
}

/** Holds a report of a build against the prices. Throws VALIDATION_ERROR for another price, currency or sum. */
export function checkBuildCost(
  prices: readonly BuildPrice[],
  use: { readonly pricing_option_id?: string | undefined; readonly vendor_cost: number; readonly currency: string },
): void {
  const price =
    use.pricing_option_id === undefined
      ? prices[0]
      : prices.find(({ pricing_option_id }) => pricing_option_id === use.pricing_option_id);
  const ids = prices.map(({ pricing_option_id }) => pricing_option_id).join(', ');
  if (price === undefined) throw refuseUnlike('pricing_option_id', `one of ${ids}`);
  if (price.currency !== use.currency) throw refuseUnlike('currency', price.currency);
  if (use.vendor_cost !== price.unit_price) throw refuseUnlike('vendor_cost', String(price.unit_price));
}

function refuseUnlike(field: string, right: string): TaskError {
  return new TaskError('VALIDATION_ERROR', 'The record is unlike the price of building.', {
    field,
    suggestion: `Send ${right}.`,
  });
}
