import { z } from 'zod';
import { DIRECT_ORDERS, PAYMENT_TERMS } from '../../domain/proposal/insertion-order.js';
import { object, webAddress } from './shapes.js';

/** The insertion orders of a sales agent: every proposal is finalized first, and its order accepted before it is bought. */
export const insertionOrdersSchema = object({
  text: z
    .string()
    .min(1)
    .max(4000)
    .describe('What is agreed to, word for word; buyers read it, and the acceptance keeps its SHA-256.'),
  payment_terms: z.enum(PAYMENT_TERMS).optional().describe('When it is paid.'),
  terms_url: webAddress('The whole terms, for people.').optional(),
  signing_url: webAddress('Where a person signs; an acceptance without signature_id is refused then.').optional(),
  direct_orders: z
    .enum(DIRECT_ORDERS)
    .default('accepted')
    .describe('Whether packages can be ordered without a proposal, and so without an insertion order.'),
});
