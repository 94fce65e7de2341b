import { z } from 'zod';
import { HOST_NAME } from '../../../platform/net/url.js';
import {
  CADENCES,
  DATA_SOURCES,
  FEE_PERIODS,
  METHODOLOGIES,
  SIGNAL_TYPES,
  VALUE_TYPES,
} from '../../domain/signal/signal.js';
import { amount } from '../../tasks/pipeline/shapes.js';

const id = z.string().min(1).max(255);
const text = z.string().min(1).max(2000);
const words = z.array(z.string().min(1).max(255)).max(100);
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .default('USD');

const price = z.discriminatedUnion('model', [
  z.object({ pricing_option_id: id, model: z.literal('cpm'), cpm: amount, currency }),
  z.object({
    pricing_option_id: id,
    model: z.literal('percent_of_media'),
    percent: z.number().min(0).max(100),
    max_cpm: amount.optional(),
    currency,
  }),
  z.object({
    pricing_option_id: id,
    model: z.literal('flat_fee'),
    amount,
    period: z.enum(FEE_PERIODS),
    currency,
  }),
  z.object({ pricing_option_id: id, model: z.literal('per_unit'), unit: text, unit_price: amount, currency }),
]);

/** A signal as a sandbox principal seeds it, by its members on the wire. */
export const signalFixture = z.object({
  name: text.optional(),
  description: text.optional(),
  signal_type: z.enum(SIGNAL_TYPES).optional(),
  data_provider: text.optional(),
  data_provider_domain: z.string().regex(HOST_NAME).optional(),
  value_type: z.enum(VALUE_TYPES).optional(),
  categories: words.min(1).optional(),
  range: z.object({ min: z.number(), max: z.number() }).optional(),
  coverage_percentage: z.number().min(0).max(100).optional(),
  pricing_options: z.array(price).max(20).optional(),
  tags: words.optional(),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .max(250)
    .optional(),
  methodology: z.enum(METHODOLOGIES).optional(),
  methodology_url: z.url().optional(),
  data_sources: z.array(z.enum(DATA_SOURCES)).min(1).optional(),
  segmentation_criteria: z.string().min(1).max(500).optional(),
  refresh_cadence: z.enum(CADENCES).optional(),
  lookback_window: z.enum(CADENCES).optional(),
});
