import { z } from 'zod';
import { formatId } from '../pipeline/shapes.js';

/** A creative as a buyer sends it. */
export const creativeAsset = z.looseObject({
  creative_id: z.string().min(1).max(255),
  name: z.string().min(1).max(500).optional(),
  format_id: formatId.optional(),
  format_kind: z.string().optional().meta({ unlisted: true }),
  format_option_ref: z.looseObject({}).optional().meta({ unlisted: true }),
  assets: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.string().max(100)).max(100).optional(),
  status: z.string().optional().meta({ unlisted: true }),
  weight: z.number().min(0).max(100).optional(),
  rights: z
    .array(
      z.looseObject({
        rights_id: z
          .string()
          .min(1)
          .max(255)
          .regex(/^[^|]*$/),
        rights_agent: z.looseObject({ url: z.string().max(2048), id: z.string().max(255).optional() }),
        uses: z.array(z.string().max(64)).max(50).optional(),
      }),
    )
    .max(20)
    .optional()
    .meta({ unlisted: true }),
});

/** A creative as a buyer sends it, read. */
export type CreativeAsset = z.output<typeof creativeAsset>;

/** A creative put into a package. */
export const creativeAssignment = z.looseObject({
  creative_id: z.string().min(1).max(255),
  weight: z.number().min(0).max(100).optional(),
});

/** The variants of a preview: macros by name. */
export const inputs = z
  .array(
    z.looseObject({
      name: z.string().min(1).max(200),
      macros: z.record(z.string().max(100), z.string().max(4000)).optional(),
      context_description: z.string().max(2000).optional(),
    }),
  )
  .min(1)
  .max(20);
