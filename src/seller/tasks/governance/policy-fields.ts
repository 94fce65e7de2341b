import { z } from 'zod';
import { ENFORCEMENTS } from '../../domain/governance/plans/plan.js';
import { channel } from '../pipeline/shapes.js';

/** A country or region that a policy is about. */
export const market = z.string().min(2).max(10);

/** The members of a policy that a buyer brings in its own words, with a plan or with a content standard. */
export const policyFields = {
  policy_id: z.string().min(1).max(255),
  source: z.string().max(64).optional(),
  version: z.string().max(64).optional(),
  name: z.string().max(255).optional(),
  description: z.string().max(500).optional(),
  category: z.enum(['regulation', 'standard']).optional(),
  enforcement: z.enum(ENFORCEMENTS),
  requires_human_review: z.boolean().optional(),
  jurisdictions: z.array(market).max(300).optional(),
  region_aliases: z.looseObject({}).optional(),
  policy_categories: z.array(z.string().max(128)).max(100).optional(),
  channels: z.array(channel).max(50).nullable().optional(),
  governance_domains: z.array(z.string().max(64)).max(20).optional(),
  effective_date: z.iso.date().optional(),
  sunset_date: z.iso.date().optional(),
  source_url: z.string().max(2048).optional(),
  source_name: z.string().max(255).optional(),
  policy: z.string().min(1).max(5000),
  guidance: z.string().max(5000).optional(),
  exemplars: z.looseObject({}).optional(),
  ext: z.looseObject({}).optional(),
};
