import { BUILT_MS } from '../../../creative/lifetimes.js';
import { isoTime } from '../../../platform/kernel/clock.js';
import { mutation } from '../pipeline/tool.js';
import { buildInput } from './build/input.js';

/** build_creative: a finished creative from a sentence and a brand, or from assets in other sizes. */
export const buildCreative = mutation({
  name: 'build_creative',
  title: 'Build creatives',
  description:
    'Makes a finished creative for a format: from a message and a brand (or promoted_offerings in the manifest), or by adapting the assets of a manifest. Several target_format_ids make one campaign in many sizes. Next: preview_creative or sync_creatives with the manifest.',
  kinds: ['creative'],
  input: buildInput,
  creative: true,
  keyOptional: true,
  // What renders is loaded when the first creative is built.
  outlasts: true,
  prepare: async (context, report) => (await import('./build/build.js')).buildAll(context, report),
  run: async ({ call, args, prepared: { built, preview, price } }) => {
    const notes = [...new Set(built.flatMap((one) => one.notes))];
    const [first] = built;
    return {
      ...(args.target_format_ids === undefined
        ? { creative_manifest: first?.manifest }
        : { creative_manifests: built.map((one) => one.manifest) }),
      message: notes.length === 0 ? undefined : notes.join(' '),
      preview,
      // A price per impression costs nothing until the tag is served.
      ...(price === undefined
        ? {}
        : { pricing_option_id: price.pricing_option_id, vendor_cost: 0, currency: price.currency }),
      expires_at: isoTime(call.now.ms + BUILT_MS),
      sandbox: call.principal?.sandbox ?? false,
    };
  },
});
