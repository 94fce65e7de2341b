import type { Payload } from '../../../protocol/envelope.js';
import { query } from '../pipeline/tool.js';
import { validateInputInput } from './validate/input.js';

/** validate_input: what of a manifest would be refused, by canonical format, product or format; nothing is stored. */
export const validateInput = query({
  name: 'validate_input',
  title: 'Check a manifest',
  description:
    'Checks a creative manifest against formats or products by the rules of build_creative and sync_creatives, and stores nothing. Next: sync_creatives.',
  kinds: ['sales', 'creative'],
  // Of a sales agent programs call it, not models, whose list of tools is full.
  listed: ({ kinds }) => !kinds.includes('sales'),
  input: validateInputInput,
  account: { use: 'read_catalog', required: false },
  creative: true,
  run: async (context): Promise<Payload> => (await import('./validate/validate.js')).validate(context),
});
