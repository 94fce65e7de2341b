import { z } from 'zod';
import { KEY_TYPES } from '../../domain/signal/deployment.js';
import {
  CADENCES,
  DATA_SOURCES,
  FEE_PERIODS,
  METHODOLOGIES,
  SIGNAL_ID,
  SIGNAL_TYPES,
} from '../../domain/signal/signal.js';
import {
  amount,
  country,
  currency,
  distinct,
  domainName,
  identifier,
  object,
  signalValues,
  webAddress,
} from './shapes.js';

const signalId = (description: string) =>
  z.string().regex(SIGNAL_ID).describe(`${description} Letters, digits, "_" and "-", starting with a letter or digit.`);

const percentage = (description: string) => z.number().min(0).max(100).describe(`${description} 0 to 100.`);

const minutes = (description: string) => z.int().min(0).max(525_600).describe(description);

const pricingOptionId = identifier('Unique within the signal; buyers name it when they activate.');

const pricingOption = z
  .discriminatedUnion('model', [
    object({
      pricing_option_id: pricingOptionId,
      model: z.literal('cpm').describe('Paid per 1000 impressions.'),
      cpm: amount('Price of 1000 impressions.'),
      currency,
    }),
    object({
      pricing_option_id: pricingOptionId,
      model: z.literal('percent_of_media').describe('Paid as a share of the media spend.'),
      percent: percentage('Percentage of the media spend.'),
      max_cpm: amount('What it comes to at most per 1000 impressions.').optional(),
      currency,
    }),
    object({
      pricing_option_id: pricingOptionId,
      model: z.literal('flat_fee').describe('Paid once a period, whatever is delivered.'),
      amount: amount('Price of the period.'),
      period: z.enum(FEE_PERIODS).describe('The period: "monthly", "quarterly", "annual", "campaign".'),
      currency,
    }),
    object({
      pricing_option_id: pricingOptionId,
      model: z.literal('per_unit').describe('Paid per unit of work.'),
      unit: z.string().min(1).describe('What is counted, such as "match".'),
      unit_price: amount('Price of one unit.'),
      currency,
    }),
    object({
      pricing_option_id: pricingOptionId,
      model: z.literal('custom').describe('Anything else; people agree on it.'),
      description: z.string().min(1).describe('How it is paid, for a person.'),
      metadata: z
        .record(z.string(), z.json())
        .refine((metadata) => Object.keys(metadata).length > 0, {
          error: 'the metadata are empty',
          params: { fix: 'Name what the price is made of, such as {"base_cpm": 2}.' },
        })
        .describe('What the price is made of, for a program.'),
      currency: currency.optional(),
    }),
  ])
  .describe('A price: "cpm", "percent_of_media", "flat_fee", "per_unit" or "custom".');

const access = object({
  principals: distinct(z.string(), 1)
    .optional()
    .describe('Ids of the principals that may see and use it; all unless set.'),
  platforms: distinct(z.string()).optional().describe('Platforms that it can go to; all of "destinations" unless set.'),
  agents: distinct(webAddress('Address of an agent.'))
    .optional()
    .describe('Agents that it can go to; all of "destinations" unless set.'),
  activation_minutes: minutes('What making the segment takes, before it is handed over; 0 unless set.').default(0),
});

/** A signal of a tenant file. `access` stays with the seller; the rest goes on the wire. */
export const signalSchema = object({
  signal_agent_segment_id: signalId('Unique within the tenant; buyers name it when they activate.'),
  signal_id: signalId("Its id in the provider's catalog; signal_agent_segment_id unless set.").optional(),
  name: z.string().min(1).describe('Name that buyers see.'),
  description: z
    .string()
    .min(1)
    .describe('Who or what it is, in the words of a planner; specs are matched against it.'),
  signal_type: z
    .enum(SIGNAL_TYPES)
    .describe('"marketplace" is resold from a provider, "owned" is data of your own, "custom" is made to order.'),
  data_provider: z.string().min(1).optional().describe('Name of whose data it is; the tenant unless set.'),
  data_provider_domain: domainName(
    'Whose adagents.json defines the signal; every marketplace signal has one.',
  ).optional(),
  ...signalValues,
  coverage_percentage: percentage('How much of the audience it covers.'),
  pricing_options: z
    .array(pricingOption)
    .default([])
    .describe('What its use costs. Without any it is part of the media, and callers of 3.0 do not see it.'),
  tags: distinct(z.string().min(1)).default([]).describe('Words that group signals; specs are matched against them.'),
  countries: distinct(country).default([]).describe('Where it can be used, ISO 3166-1 alpha-2; everywhere unless set.'),
  methodology: z.enum(METHODOLOGIES).optional().describe('How it was made.'),
  methodology_url: webAddress('Where that is described.').optional(),
  data_sources: distinct(z.enum(DATA_SOURCES), 1).optional().describe('What it is made of.'),
  segmentation_criteria: z.string().min(1).max(500).optional().describe('Who is in the segment, in a sentence.'),
  refresh_cadence: z.enum(CADENCES).optional().describe('How often it is made anew.'),
  lookback_window: z.enum(CADENCES).optional().describe('How far back it looks.'),
  access: access.prefault({}).describe('Who may use it and where it can go; never sent to buyers.'),
});

const key = z.string().min(1).describe('The key of key_value pairs; "segment" unless set.');

/** The destinations that the signals of a tenant file can go to. */
export const destinationsSchema = object({
  platforms: z
    .array(
      object({
        platform: identifier('Name of the platform as buyers send it, such as "the-trade-desk".'),
        activation_minutes: minutes('What handing a segment over takes; 60 unless set.').default(60),
        key_type: z
          .enum(KEY_TYPES)
          .default('segment_id')
          .describe('What buyers target by there: "segment_id" (the default) or "key_value".'),
        key: key.default('segment'),
      }),
    )
    .default([])
    .describe('Platforms that segments are handed over to.'),
  agents: object({
    agent_urls: distinct(webAddress('Address of an agent.')).optional().describe('The agents; any agent unless set.'),
    activation_minutes: minutes('What telling an agent takes; 0 unless set.').default(0),
    key_type: z
      .enum(KEY_TYPES)
      .default('key_value')
      .describe('What buyers target by there: "key_value" (the default) or "segment_id".'),
    key: key.default('segment'),
  })
    .prefault({})
    .describe('Agents that segments are told to.'),
});

/** A signal as its file gives it, defaults filled in. */
export type SignalFile = z.output<typeof signalSchema>;
