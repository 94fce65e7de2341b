import { z } from 'zod';
import { amount, identifier, object } from './shapes.js';

const allocation = object({
  product_id: z.string().min(1).describe('A product of this file.'),
  pricing_option_id: z.string().min(1).describe('One of its prices.'),
  allocation_percentage: z
    .number()
    .gt(0)
    .max(100)
    .describe('Its share of the total budget in percent; those of a proposal add up to 100.'),
  bid_price: amount('What is bid where the price is an auction, in its currency.').optional(),
  rationale: z.string().min(1).optional().describe('Why it is in the plan, for buyers.'),
});

/** A plan that the seller offers to everybody, whatever the brief. */
export const proposalSchema = object({
  proposal_id: identifier('Unique within the tenant; buyers send it.'),
  name: z.string().min(1).max(500).describe('Name that buyers see.'),
  description: z.string().min(1).max(2000).optional().describe('What the plan achieves, for buyers.'),
  recommended_budget: amount('The total budget that it is meant for, in the currency of its prices.').optional(),
  expires_at: z.iso.datetime().optional().describe('When it ends, ISO 8601; without it, never.'),
  allocations: z.array(allocation).min(1).max(100).describe('How a total budget is divided among products.'),
});
