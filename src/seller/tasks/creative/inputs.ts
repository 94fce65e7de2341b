import { z } from 'zod';
import { accountRef, brandRef, envelopeFields, formatId } from '../pipeline/shapes.js';

const inputs = z
  .array(
    z.looseObject({
      name: z.string().min(1).max(200),
      macros: z.record(z.string().max(100), z.string().max(4000)).optional(),
      context_description: z.string().max(2000).optional(),
    }),
  )
  .min(1)
  .max(20);

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
  ...envelopeFields,
});

const outputFormat = z.enum(['url', 'html', 'both']);

const one = {
  format_id: formatId.optional(),
  creative_manifest: z.looseObject({}).optional(),
  inputs: inputs.optional().describe('Variants: [{name, macros: {DEVICE_TYPE: "mobile"}}]'),
  output_format: outputFormat.optional().describe('url (default): pages to look at; html: the markup itself'),
};

/** The arguments of preview_creative. */
export const previewInput = z.looseObject({
  request_type: z.enum(['single', 'batch', 'variant']),
  ...one,
  creative_id: z.string().max(255).optional(),
  requests: z.array(z.looseObject(one)).min(1).max(50).optional().describe('For batch: 1 to 50 single requests'),
  ...envelopeFields,
});
