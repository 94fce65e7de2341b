import { z } from 'zod';
import { accountRef, envelopeFields } from '../../pipeline/shapes.js';

/** The arguments of get_creative_features. */
export const featuresInput = z.looseObject({
  creative_manifest: z.looseObject({}).describe('{format_id: {agent_url, id}, assets: object}'),
  feature_ids: z.array(z.string().max(255)).min(1).max(100).optional().describe('Only these'),
  account: accountRef.optional(),
  ...envelopeFields,
});
