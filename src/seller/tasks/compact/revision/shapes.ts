import { z } from 'zod';
import { amount, dateTime, endTime } from '../../pipeline/shapes.js';
import { discoveryCriteria } from '../shapes.js';

const currency = z.string().regex(/^[A-Z]{3}$/);

/** Bounds that every draft of a revision has to keep. */
const constraints = z.looseObject({
  total_budget: z.looseObject({ min: amount.optional(), max: amount.optional(), currency }).optional(),
  cpm: z.looseObject({ max: z.number().gt(0).max(1e15), currency }).optional(),
  flight: z
    .looseObject({ start_no_later_than: dateTime.optional(), end_no_earlier_than: endTime.optional() })
    .optional(),
});
/** The bounds of a revision. */
export type Constraints = z.output<typeof constraints>;

/** Products that a revision brings in or leaves out, by their id. */
const productChanges = z.record(z.string().min(1).max(255), z.enum(['include', 'omit']));

/** One refinement of a request. */
export const refinement = z.looseObject({
  proposal_id: z.string().min(1).max(255),
  action: z.enum(['revise', 'finalize']),
  change_kind: z.enum(['amendment', 'cancellation']).optional(),
  ask: z.string().min(1).max(4000).optional(),
  constraints: constraints.optional(),
  product_changes: productChanges.optional(),
  alternatives: z.looseObject({ count: z.int().min(2).max(10) }).optional(),
  criteria: discoveryCriteria.optional(),
});
export type Refinement = z.output<typeof refinement>;

/** The typed dimensions that revisions take, as the capabilities declare them. */
export const SUPPORTED_DIMENSIONS = [
  'total_budget',
  'cpm',
  'flight',
  'product_changes',
  'alternatives',
  'criteria',
] as const;

/** Most drafts that one revision makes. */
export const MAX_ALTERNATIVES = 5;
