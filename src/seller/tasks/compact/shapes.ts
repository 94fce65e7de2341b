import { z } from 'zod';
import { HOST_NAME } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import { PACINGS } from '../../domain/media-buy/media-buy.js';
import type { BrandKey } from '../../domain/proposal/terms.js';
import type { AccountArgument } from '../pipeline/shapes.js';
import {
  accountRef,
  amount,
  channel,
  country,
  day,
  envelopeFields,
  keyField,
  pushNotificationConfig,
  vendorMetricPins,
} from '../pipeline/shapes.js';

/** The release that the compact tasks came with. */
export const COMPACT_RELEASE = '3.2-beta.5';

/** The brand that terms are for. */
const brandKey = z
  .looseObject({
    domain: z.string().regex(HOST_NAME).max(253),
    brand_id: z.string().max(128).optional(),
    countries: z.array(country).min(1).max(250).optional(),
  })
  .meta({ brief: true, description: '{domain}' });

/** Filters on offers. */
const offerFilters = z
  .looseObject({
    delivery_type: z.enum(['guaranteed', 'non_guaranteed']).optional(),
    exclusivity: z.enum(['none', 'category', 'exclusive']).optional(),
    is_fixed_price: z.boolean().optional(),
    pricing_currencies: z.array(z.string()).max(200).optional(),
    format_kinds: z.array(z.string()).max(50).optional(),
    standard_formats_only: z.boolean().optional(),
    min_exposures: amount.optional(),
    start_date: day.optional(),
    end_date: day.optional(),
    budget_range: z.looseObject({ currency: z.string(), min: amount.optional(), max: amount.optional() }).optional(),
    countries: z.array(country).max(250).optional(),
    channels: z.array(channel).optional(),
    required_metrics: z.array(z.string()).max(200).optional(),
    required_vendor_metrics: vendorMetricPins.optional(),
    required_features: z.record(z.string(), z.boolean()).optional(),
  })
  .meta({
    brief: true,
    description: '{delivery_type, channels, countries, start_date, end_date, budget_range, format_kinds}',
  });

/** What products are looked for by, beside a brief. */
export const discoveryCriteria = z.looseObject({
  product_ids: z.array(z.string().min(1).max(255)).min(1).max(200).optional(),
  offer_filters: offerFilters.optional(),
});

/** Criteria of a request. */
export type Criteria = z.output<typeof discoveryCriteria>;

/** The planning cycle of a buyer that proposals belong to. */
export const opportunity = z
  .looseObject({
    opportunity_id: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[A-Za-z0-9_.:-]+$/),
    status: z.enum(['open', 'closed']).optional(),
  })
  .meta({ unlisted: true });

/** Money in a currency. */
export const money = z.looseObject({ amount, currency: z.string().regex(/^[A-Z]{3}$/) });

/** How a purchase bids where its price is an auction. */
export const bidding = z
  .looseObject({ automatic: z.literal(true).optional(), bid_amount: z.number().gt(0).max(1e15).optional() })
  .meta({ brief: true, description: '{bid_amount}' });

/** How a budget is spent over a flight. */
export const pacing = z.enum(PACINGS);

/** The fields of a request for products or proposals. */
export const discoveryFields = {
  account: accountRef.optional(),
  brand: brandKey.optional(),
  criteria: discoveryCriteria.optional(),
};

/** The fields that every compact task takes beside its own. */
export const compactFields = { push_notification_config: pushNotificationConfig.optional(), ...envelopeFields };

/** The fields that every compact task takes that changes something. */
export const keyedFields = { ...keyField, ...compactFields };

/** Returns the brand of a request, which names it once: by itself, or with an operator in its account. Throws INVALID_REQUEST. */
export function readBrand(args: {
  readonly brand?: BrandKey | undefined;
  readonly account?: AccountArgument | undefined;
}): BrandKey {
  const inAccount = args.account?.brand;
  const brand = args.brand ?? inAccount;
  if (brand === undefined || (args.brand !== undefined && inAccount !== undefined)) {
    const fault = brand === undefined ? 'is required' : 'is named twice';
    throw new TaskError('INVALID_REQUEST', `brand: ${fault}`, {
      field: 'brand',
      suggestion:
        'Name the brand once: in brand, beside an account_id or nothing, or in an account of brand and operator.',
    });
  }
  const { domain, brand_id, countries } = brand as BrandKey;
  return {
    domain: domain.toLowerCase(),
    ...(brand_id === undefined ? {} : { brand_id }),
    ...(countries === undefined ? {} : { countries: [...new Set(countries)].sort() }),
  };
}
