import { z } from 'zod';
import { envelopeFields, formatId } from '../../pipeline/shapes.js';
import { inputs } from '../shapes.js';

const outputFormat = z.enum(['url', 'html', 'both']);

const one = {
  format_id: formatId.optional(),
  creative_manifest: z.looseObject({}).optional().describe('{format_id: {agent_url, id}, assets: object}'),
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
