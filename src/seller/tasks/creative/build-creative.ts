import { mutation } from '../pipeline/tool.js';
import { answerBuild } from './build/answer.js';
import { buildInput } from './build/input.js';

/** build_creative: a finished creative from a sentence and a brand, or from assets in other sizes. */
export const buildCreative = mutation({
  name: 'build_creative',
  title: 'Build creatives',
  description:
    'Makes a finished creative for a format: from a message and a brand (or promoted_offerings in the manifest), or by adapting the assets of a manifest. Several target_format_ids make one campaign in many sizes; max_variants makes alternatives, refine_from_build_variant_id changes one. Next: preview_creative or sync_creatives with the manifest.',
  kinds: ['creative'],
  input: buildInput,
  creative: true,
  keyOptional: true,
  // What renders is loaded when the first creative is built.
  outlasts: true,
  fee: ({ currency, vendor_cost }) =>
    typeof vendor_cost === 'number' && typeof currency === 'string' ? { amount: vendor_cost, currency } : undefined,
  prepare: async (context, report) => (await import('./build/build.js')).buildAll(context, report),
  run: answerBuild,
});
