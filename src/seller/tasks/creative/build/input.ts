import { z } from 'zod';
import { accountRef, brandRef, envelopeFields, formatId, pushNotificationConfig } from '../../pipeline/shapes.js';
import { inputs } from '../shapes.js';

/** The arguments of build_creative. */
export const buildInput = z.looseObject({
  idempotency_key: z
    .string()
    .optional()
    .describe('Fresh UUID v4; the same one on a retry answers with the same creative'),
  message: z.string().max(10_000).optional().describe('What the ad should say and how, in plain words'),
  creative_manifest: z.looseObject({}).optional().describe('Assets to adapt, or promoted_offerings to make an ad of'),
  creative_id: z.string().max(255).optional().describe('A creative of your library to start from'),
  target_format_id: formatId.optional(),
  target_format_ids: z.array(formatId).min(1).max(20).optional().describe('Several formats at once, all or none'),
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
