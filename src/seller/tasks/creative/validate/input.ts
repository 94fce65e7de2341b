import { z } from 'zod';
import { accountRef, brandRef, envelopeFields } from '../../pipeline/shapes.js';

/** The kinds of what a manifest is held against. */
const TARGET_KINDS = ['canonical', 'product', 'third_party_format'] as const;

const target = z.looseObject({ kind: z.enum(TARGET_KINDS), id: z.string().min(1).max(2048) });

/** One thing that a manifest is held against. */
export type Target = z.output<typeof target>;

/** The arguments of validate_input. */
export const validateInputInput = z.looseObject({
  manifest: z.looseObject({}).describe('{format_id: {agent_url, id}, assets: object}'),
  targets: z.array(target).min(1).max(50).optional().meta({
    brief: true,
    description: "[{kind: canonical|product|third_party_format, id}]; the manifest's own format unless given",
  }),
  account: accountRef.optional(),
  brand: brandRef.optional(),
  ...envelopeFields,
});
