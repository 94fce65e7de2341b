import { TaskError } from '../../../protocol/errors.js';

/** A price of serving a creative, by its wire names: `cpm` per 1000 impressions, in `currency`. */
export type ServingPrice = {
  readonly pricing_option_id: string;
  readonly model: 'cpm';
  readonly cpm: number;
  readonly currency: string;
};

/** A buyer's report of the use of a creative. */
type ServingUse = {
  readonly pricing_option_id?: string | undefined;
  readonly impressions?: number | undefined;
  readonly vendor_cost: number;
  readonly currency: string;
};

/** Half a cent of a currency's hundredths: reports are rounded. */
const ROUNDING = 0.005;

/**
 * Holds a reported use against the prices of its creative. Throws BILLING_OUT_OF_BAND for a creative without any, which is billed
 * outside the protocol, and VALIDATION_ERROR for another price, currency or sum.
 */
export function checkServingCost(prices: readonly ServingPrice[], use: ServingUse): void {
  const [usual] = prices;
  if (usual === undefined) throw billedOutside('This creative is not billed through the protocol.');
  const ids = prices.map((price) => price.pricing_option_id);
  const price =
    use.pricing_option_id === undefined ? usual : prices.find((one) => one.pricing_option_id === use.pricing_option_id);
  if (price === undefined)
    throw unlikePrice('pricing_option_id', 'The creative has no such price.', `one of ${ids.join(', ')}`);
  if (price.currency !== use.currency)
    throw unlikePrice('currency', 'The record is in another currency than its price.', price.currency);
  if (use.impressions === undefined)
    throw unlikePrice('impressions', 'A price per 1000 impressions needs the impressions.', 'them beside vendor_cost');
  const owed = (use.impressions * price.cpm) / 1000;
  // Rounded to nothing, uses of less than half a cent would never be billed, however many there are.
  if (Math.abs(owed - use.vendor_cost) > ROUNDING || (use.vendor_cost === 0 && owed > 0))
    throw unlikePrice(
      'vendor_cost',
      'The cost is not what the impressions come to at this price.',
      owed < ROUNDING ? String(owed) : owed.toFixed(2),
    );
}

/** Returns the refusal of a record that is billed outside the protocol. */
export function billedOutside(message: string): TaskError {
  return new TaskError('BILLING_OUT_OF_BAND', message, {
    field: 'creative_id',
    suggestion:
      'Leave the record out, and take what is owed from the invoice; creative.bills_through_adcp tells it beforehand.',
  });
}

function unlikePrice(field: string, message: string, right: string): TaskError {
  return new TaskError('VALIDATION_ERROR', message, { field, suggestion: `Send ${right}.` });
}
