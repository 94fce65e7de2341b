import { z } from 'zod';
import { PHASES } from '../../domain/governance/plans/action.js';
import { AUTHORITIES, PURCHASE_TYPES } from '../../domain/governance/plans/plan.js';
import { amount, brandRef, channel, dateTime, endTime } from '../pipeline/shapes.js';
import { market, policyFields } from './policy-fields.js';

/** Plans of 3.2 are bound to their callers and enforced by task, which is not what is done here. */
export const RESHAPED = {
  release: '3.2-beta.5',
  because: 'This release reshapes the tasks about plans, and calls them experimental; they are served as 3.1 has them.',
  instead: 'Ask for 3.1.',
} as const;

const percent = z.number().min(0).max(100);
const currency = z.string().regex(/^[A-Z]{3}$/);
const markets = z.array(market).min(1).max(1000);
const words = z.array(z.string().min(1).max(256)).min(1).max(100);
const selector = z.looseObject({ type: z.enum(['signal', 'description']) });
const agentUrl = z.url().max(2048);

const policy = z.strictObject({ ...policyFields, source: z.enum(['inline', 'registry']).optional() });

const budget = z
  .strictObject({
    total: amount,
    currency,
    per_seller_max_pct: percent.optional(),
    reallocation_threshold: amount.optional(),
    reallocation_unlimited: z.boolean().optional(),
    allocations: z
      .partialRecord(z.enum(PURCHASE_TYPES), z.strictObject({ amount: amount.optional(), max_pct: percent.optional() }))
      .optional(),
  })
  .meta({ brief: true, description: '{total, currency, reallocation_threshold or reallocation_unlimited: true}' });

const channels = z
  .strictObject({
    required: z.array(channel).max(50).optional(),
    allowed: z.array(channel).max(50).optional(),
    mix_targets: z
      .record(z.string().max(64), z.strictObject({ min_pct: percent.optional(), max_pct: percent.optional() }))
      .optional(),
  })
  .meta({ brief: true, description: '{allowed, required, mix_targets}' });

const delegation = z.strictObject({
  agent_url: agentUrl,
  authority: z.enum(AUTHORITIES),
  budget_limit: z.strictObject({ amount, currency }).optional(),
  markets: z.array(market).max(1000).optional(),
  expires_at: endTime.optional(),
});

/** A campaign plan; the schema of the protocol allows no further member. */
export const planShape = z.strictObject({
  plan_id: z.string().min(1).max(255),
  brand: brandRef,
  objectives: z.string().max(2000),
  budget,
  flight: z.strictObject({ start: dateTime, end: endTime }),
  channels: channels.optional(),
  countries: markets.optional(),
  regions: markets.optional(),
  policy_ids: z.unknown().optional(),
  policy_categories: z.unknown().optional(),
  audience: z
    .strictObject({
      include: z.array(selector).min(1).max(100).optional(),
      exclude: z.array(selector).min(1).max(100).optional(),
    })
    .optional(),
  restricted_attributes: words.optional(),
  restricted_attributes_custom: words.optional(),
  min_audience_size: z.int().min(1).optional(),
  human_review_required: z.boolean().optional(),
  custom_policies: z.array(policy).max(100).optional(),
  approved_sellers: z.array(agentUrl).max(1000).nullable().optional(),
  delegations: z.array(delegation).max(100).optional(),
  portfolio: z.unknown().optional(),
  ext: z.looseObject({}).optional(),
});

/** The member that names a plan. */
export const planId = z.string().min(1).max(255);

/** A context that an earlier check answered. */
export const governanceContext = z.string().regex(/^[\x20-\x7E]{1,4096}$/);

/** What an action buys. */
export const purchaseType = z.enum(PURCHASE_TYPES);
/** Where an action is in its life. */
export const phase = z.enum(PHASES);

/** What a seller would deliver; read by the domain. */
export const plannedDelivery = z
  .looseObject({
    total_budget: amount.optional(),
    currency: currency.optional(),
    start_time: dateTime.optional(),
    end_time: endTime.optional(),
    channels: z.array(channel).max(50).optional(),
    geo: z
      .looseObject({ countries: z.array(market).max(1000).optional(), regions: z.array(market).max(1000).optional() })
      .optional(),
    audience_targeting: z.array(z.looseObject({})).max(1000).optional(),
  })
  .meta({ brief: true, description: '{geo, channels, start_time, end_time, total_budget, currency}' });

const shares = z.record(z.string().max(64), percent);

/** A period of a report. */
export const period = z.strictObject({ start: dateTime, end: endTime });

/** What was delivered in a period. */
export const deliveryMetrics = z
  .strictObject({
    reporting_period: period,
    spend: amount.optional(),
    cumulative_spend: amount.optional(),
    impressions: z.int().min(0).optional(),
    cumulative_impressions: z.int().min(0).optional(),
    geo_distribution: shares.optional(),
    channel_distribution: shares.optional(),
    pacing: z.enum(['ahead', 'on_track', 'behind']).optional(),
    audience_distribution: z.looseObject({}).optional(),
  })
  .meta({ brief: true, description: '{reporting_period, spend, cumulative_spend, geo_distribution, …}' });
