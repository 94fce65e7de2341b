import { z } from 'zod';
import { DELIVERY_TYPES } from '../../domain/product/product.js';
import { APPROVABLE_TASKS, TIMEOUT_ACTIONS } from '../../domain/task/approval.js';
import { amount, currency, distinct, domainName, object } from './shapes.js';

/** When a person has to be asked before an order counts. */
export const approvalSchema = object({
  tasks: distinct(z.enum(APPROVABLE_TASKS), 1)
    .default([...APPROVABLE_TASKS])
    .describe(
      '"create_media_buy", "update_media_buy", of a brand agent "acquire_rights"; all unless set. Of changes only those that promise more.',
    ),
  product_ids: distinct(z.string(), 1).optional().describe('Only orders of one of these products, or of these rights.'),
  delivery_types: distinct(z.enum(DELIVERY_TYPES), 1)
    .optional()
    .describe('Only orders of products of these delivery types: "guaranteed", "non_guaranteed".'),
  budget_over: object({
    amount: amount('The budget of the whole buy is over this.'),
    currency,
  })
    .optional()
    .describe('Only buys with a budget over this.'),
  advertisers: distinct(domainName('Domain of an advertised brand.'), 1)
    .optional()
    .describe('Only orders for these brands.'),
  principals: distinct(z.string(), 1).optional().describe('Only orders of these principals.'),
  timeout_hours: z
    .number()
    .min(0.01)
    .max(8760)
    .default(48)
    .describe('How long a person has to decide, in hours, 0.01 to 8760; 48 unless set.'),
  on_timeout: z
    .enum(TIMEOUT_ACTIONS)
    .default('reject')
    .describe('What happens then: "reject" (the default) or "approve".'),
});
