import { z } from 'zod';
import { BRAND_PROPERTY_TYPES } from '../../../protocol/brand-words.js';
import { CLAIM_TYPES } from '../../domain/brand/claims.js';
import { dateTime } from '../pipeline/shapes.js';

const claimMembers = z
  .looseObject({
    subsidiary_domain: z.string().min(1).max(253).optional(),
    subsidiary_brand_id: z
      .string()
      .regex(/^[a-z0-9_]+$/)
      .max(128)
      .optional(),
    parent_domain: z.string().min(1).max(253).optional(),
    claimant_says: z.string().max(10_000).optional(),
    observed_at: dateTime.optional(),
    property: z
      .looseObject({
        type: z.enum(BRAND_PROPERTY_TYPES),
        identifier: z.string().min(1).max(2048),
        store: z.string().max(64).optional(),
        region: z.string().max(64).optional(),
      })
      .optional(),
    mark: z.string().min(1).max(200).optional(),
    registry: z.string().max(50).optional(),
    number: z.string().max(100).optional(),
    countries: z.array(z.string().length(2)).max(250).optional(),
    use_case: z.string().max(100).optional(),
  })
  .meta({
    brief: true,
    description: '{subsidiary_domain} | {parent_domain} | {property: {type, identifier}} | {mark, registry, number}',
  });

/** A claim about a house. */
export const claimFields = { claim_type: z.enum(CLAIM_TYPES), claim: claimMembers };
