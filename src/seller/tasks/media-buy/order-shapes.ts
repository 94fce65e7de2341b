import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/event/event.js';
import { PACINGS } from '../../domain/media-buy/media-buy.js';
import { listDimensions } from '../../domain/targeting/check.js';
import { creativeAsset, creativeAssignment } from '../creative/shapes.js';
import { amount, dateTime, endTime, formatId } from '../pipeline/shapes.js';

const OFFERED = listDimensions({}).join(', ');

/** The number under which an agency estimates a campaign. */
export const agencyEstimateNumber = z.string().max(100).optional().meta({ unlisted: true });

const duration = z.looseObject({ interval: z.int().min(1), unit: z.string() });

/** A goal that a package is steered toward. */
const goal = z.looseObject({
  kind: z.enum(['metric', 'event', 'vendor_metric']),
  metric: z.string().optional(),
  reach_unit: z.string().optional(),
  target_frequency: z
    .looseObject({ min: z.int().min(1).optional(), max: z.int().min(1).optional(), window: duration })
    .optional(),
  event_sources: z
    .array(
      z.looseObject({
        event_source_id: z.string().min(1).max(255),
        event_type: z.enum(EVENT_TYPES),
        custom_event_name: z.string().max(255).optional(),
        value_field: z.string().min(1).max(255).optional(),
        value_factor: z.number().optional(),
      }),
    )
    .min(1)
    .max(100)
    .optional(),
  target: z.looseObject({ kind: z.string(), value: z.number().gt(0).optional() }).optional(),
  priority: z.int().min(1).optional(),
});

/** The members that a package to buy and a change to a package share. */
const terms = {
  bid_price: amount.optional().describe('For auction prices, at least the floor_price'),
  pacing: z.enum(PACINGS).optional(),
  impressions: amount.optional(),
  start_time: dateTime.optional(),
  end_time: endTime.optional(),
  paused: z.boolean().optional(),
  targeting_overlay: z.looseObject({}).optional().describe(`Offered, by product: ${OFFERED}`),
  optimization_goals: z.array(goal).max(20).optional().meta({ unlisted: true }),
  measurement_terms: z
    .looseObject({
      billing_measurement: z
        .looseObject({
          max_variance_percent: z.number().min(0).max(100).optional(),
          measurement_window: z.string().optional(),
        })
        .optional(),
    })
    .optional()
    .meta({ unlisted: true }),
  creative_assignments: z.array(creativeAssignment).max(200).optional(),
  creatives: z
    .array(creativeAsset.meta({ brief: true, description: '{creative_id, format_id, assets}' }))
    .max(100)
    .optional(),
  context: z.looseObject({}).optional().meta({ unlisted: true }),
  ext: z.looseObject({}).optional().meta({ unlisted: true }),
  agency_estimate_number: agencyEstimateNumber,
};

/** A buyer's acceptance of the insertion order of a proposal. */
export const ioAcceptance = z.looseObject({
  io_id: z.string().min(1).max(255),
  accepted_at: dateTime,
  signatory: z.string().min(1).max(250),
  signature_id: z.string().min(1).max(255).optional(),
});

/** A package to buy. */
export const packageRequest = z.looseObject({
  product_id: z.string().min(1).max(255),
  pricing_option_id: z.string().min(1).max(255),
  budget: z.number().min(0).max(1e15).describe('In the currency of the pricing option'),
  format_ids: z.array(formatId).min(1).max(100).optional(),
  format_option_refs: z.array(z.looseObject({})).min(1).max(100).optional().meta({ unlisted: true }),
  format_kind: z.string().optional().meta({ unlisted: true }),
  params: z.looseObject({}).optional().meta({ unlisted: true }),
  committed_metrics: z
    .array(z.looseObject({ scope: z.enum(['standard', 'vendor']), metric_id: z.string().min(1).max(64) }))
    .min(1)
    .max(100)
    .optional()
    .meta({ unlisted: true }),
  ...terms,
});

/** A change to a package. */
export const packageUpdate = z.looseObject({
  package_id: z.string().min(1).max(255),
  budget: amount.optional(),
  canceled: z.literal(true).optional(),
  cancellation_reason: z.string().max(500).optional(),
  ...terms,
});
