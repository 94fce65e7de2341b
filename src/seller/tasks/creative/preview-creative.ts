import { query } from '../pipeline/tool.js';
import { previewInput } from './preview/input.js';

/** preview_creative: what a creative looks like, as pages that live until expires_at or as markup. */
export const previewCreative = query({
  name: 'preview_creative',
  title: 'Preview creatives',
  description:
    'Shows what a creative manifest looks like in its format: one page per variant in inputs, or a batch of up to 50 on one sheet. The manifest is checked against the format first. Pages live until expires_at.',
  kinds: ['creative'],
  input: previewInput,
  creative: true,
  isLong: ({ output_format }) => output_format === 'html' || output_format === 'both',
  // What renders is loaded when the first creative is looked at.
  run: async (context) => (await import('./preview/preview.js')).preview(context),
});
