import { z } from 'zod';
import {
  accountRef,
  amount,
  brandRef,
  envelopeFields,
  formatId,
  pushNotificationConfig,
} from '../../pipeline/shapes.js';
import { inputs } from '../shapes.js';
import { signalCondition } from './fan-out/signal-condition.js';
import { evaluatorInput } from './judge/input.js';

/** The arguments of build_creative. */
export const buildInput = z.looseObject({
  idempotency_key: z
    .string()
    .optional()
    .describe('Fresh UUID v4; the same one on a retry answers with the same creative'),
  message: z.string().max(10_000).optional().describe('What the ad should say and how, in plain words'),
  language: z.string().max(35).optional().meta({ unlisted: true }),
  creative_manifest: z.looseObject({}).optional().describe('Assets to adapt, or promoted_offerings to make an ad of'),
  creative_id: z.string().max(255).optional().describe('A creative of your library to start from'),
  target_format_id: formatId.optional(),
  target_format_ids: z.array(formatId).min(1).max(20).optional().describe('Several formats at once, all or none'),
  transformer_id: z.string().max(255).optional().describe('One of list_transformers'),
  config: z.looseObject({}).optional().describe('Its parameters by their fields'),
  refine_from_build_variant_id: z.string().max(255).optional().describe('Build this one again, as message says'),
  mode: z.enum(['execute', 'estimate']).optional(),
  max_spend: z
    .looseObject({ amount: amount, currency: z.string().regex(/^[A-Z]{3}$/) })
    .optional()
    .meta({ brief: true, description: '{amount, currency}' }),
  max_creatives: z.int().min(1).max(10_000).optional().describe('One creative per item of the catalog in the manifest'),
  signal_conditions: z
    .array(signalCondition)
    .min(1)
    .max(100)
    .optional()
    .meta({ brief: true, description: '[{signal_ref, value_type, …}]: creatives for each' }),
  selection_strategy: z.string().max(64).optional().meta({ unlisted: true }),
  item_limit: z.int().min(1).optional().meta({ unlisted: true }),
  evaluator: evaluatorInput.optional().meta({ brief: true, description: '{evaluator_id | agent_url, rank_by}' }),
  max_variants: z.int().min(1).max(1000).optional(),
  variant_axis: z
    .looseObject({
      dimension: z.string().max(64),
      field: z.string().max(255).optional(),
      values: z.array(z.unknown()).min(1).max(100).optional(),
      label: z.string().max(500).optional(),
    })
    .optional()
    .meta({ brief: true, description: '{dimension, field, values}' }),
  keep_mode: z.enum(['keep_all', 'keep_one', 'keep_some']).optional(),
  brand: brandRef.optional(),
  account: accountRef.optional(),
  macro_values: z.record(z.string(), z.string()).optional(),
  quality: z.enum(['draft', 'production']).optional(),
  include_preview: z.boolean().optional(),
  preview_inputs: inputs.optional().describe('Variants of the preview, for one target_format_id'),
  preview_output_format: z.enum(['url', 'html', 'both']).optional(),
  push_notification_config: pushNotificationConfig.optional(),
  ...envelopeFields,
});
