import type { Payload } from '../../../protocol/envelope.js';
import { query } from '../pipeline/tool.js';
import { featuresInput } from './features/input.js';

/** get_creative_features: what a creative is by its files and texts, in the values of the features that the capabilities declare. */
export const getCreativeFeatures = query({
  name: 'get_creative_features',
  title: 'Measure a creative',
  description:
    'Fetches the files of a creative manifest and measures it: sizes, length, weight, https, click tracking, language, provenance, accessibility. The features are in governance.creative_features of the capabilities.',
  kinds: ['governance'],
  input: featuresInput,
  account: { use: 'read_catalog', required: false },
  // What looks at files is loaded when the first creative is measured.
  run: async (context): Promise<Payload> => (await import('./features/measure.js')).measureCreative(context),
});
