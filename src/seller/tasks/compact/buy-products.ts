import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { checkAuction } from '../../domain/media-buy/pricing.js';
import { canonicalPricing } from '../../domain/product/canonical.js';
import { buyTerms } from '../../domain/proposal/snapshot.js';
import { digestTerms } from '../../domain/proposal/terms.js';
import { callbackFields } from '../media-buy/callbacks.js';
import { createMediaBuy } from '../media-buy/create-media-buy.js';
import { agencyEstimateNumber } from '../media-buy/order-shapes.js';
import { commitsBuy } from '../pipeline/consult-governance.js';
import { accountRef, amount, dateTime, endTime, governanceFields } from '../pipeline/shapes.js';
import { MAX_VALUES_OF_MANY, mutation } from '../pipeline/tool.js';
import {
  asMutation,
  COMMITMENT_ROOT,
  describeCommitment,
  nameProposal,
  readBuy,
  shapeCommitment,
} from './commitment.js';
import { versionOffers } from './offers.js';
import { withFieldNames } from './renamed.js';
import {
  bidding,
  COMPACT_RELEASE,
  discoveryFields,
  keyedFields,
  money,
  opportunity,
  pacing,
  readBrand,
} from './shapes.js';
import { type StoredSnapshot, saveSnapshots } from './snapshots.js';

const purchase = z.looseObject({
  product_id: z.string().min(1).max(255),
  pricing_option_id: z.string().min(1).max(255),
  pricing: z.looseObject({}).optional(),
  budget: amount.optional(),
  impressions: amount.optional(),
  start_time: dateTime.optional(),
  end_time: endTime.optional(),
  pacing: pacing.optional(),
  bidding: bidding.optional(),
  targeting_overlay: z.looseObject({}).optional(),
  format_option_refs: z.array(z.looseObject({})).min(1).max(100).optional(),
  context: z.looseObject({}).optional(),
  ext: z.looseObject({}).optional(),
  agency_estimate_number: agencyEstimateNumber,
});

const input = z.looseObject({
  ...keyedFields,
  account: accountRef,
  brand: discoveryFields.brand,
  feed_version: z.string().min(1).max(255).describe('Of list_products'),
  purchases: z
    .array(
      purchase.meta({
        brief: true,
        description: '{product_id, pricing_option_id, budget, bidding, targeting_overlay}',
      }),
    )
    .min(1)
    .max(200),
  total_budget: money.optional(),
  start_time: dateTime,
  end_time: endTime,
  pacing: pacing.optional(),
  bidding: bidding.optional(),
  paused: z.boolean().optional(),
  purchase_order_ref: z.string().min(1).max(255).optional(),
  agency_estimate_number: agencyEstimateNumber,
  advertiser_industry: z.string().max(128).optional(),
  opportunity: opportunity.optional(),
  reporting_webhook: callbackFields.reporting_webhook,
  governance_context: governanceFields.governance_context,
});
type Input = z.output<typeof input>;

const order = asMutation(createMediaBuy);

/** The fields of an order as this task calls them. */
const NAMES = [
  [/^packages(\[\d+\])\.bid_price/, 'purchases$1.bidding.bid_amount'],
  [/^packages/, 'purchases'],
  [/^po_number/, 'purchase_order_ref'],
] as const;

/** buy_products: buys published offers as they are; what was accepted is kept as a snapshot. */
export const buyProducts = mutation({
  name: 'buy_products',
  since: COMPACT_RELEASE,
  root: COMMITMENT_ROOT,
  title: 'Buy products',
  description:
    'Buys offers of list_products as they are published, under its feed_version. Spends money once per idempotency_key. Next: sync_creatives if pending_creatives; control_media_buy changes it within its terms.',
  kinds: ['sales'],
  input,
  maxValues: MAX_VALUES_OF_MANY,
  account: { use: 'buy', required: true },
  commits: commitsBuy,
  shape: shapeCommitment,
  prepares: (args, caller) => order.prepares?.(toOrder(args), caller) !== false,
  prepare: (context, report) =>
    withFieldNames(NAMES, () => order.prepare?.({ ...context, args: toOrder(context.args) }, report)),
  run: async (context) => {
    const { app, call, args, db, scope } = context;
    checkVersions(call, args);
    checkBids(call, args);
    const answer = await withFieldNames(NAMES, () => order.run({ ...context, args: toOrder(args) }));
    const proposal_id = app.ids.next('prop');
    const buy = await nameProposal(context, await readBuy(context, answer), proposal_id);
    const terms = buyTerms(buy, {
      source_feed_version: args.feed_version,
      brand: readBrand(args),
      purchase_order_ref: args.purchase_order_ref,
    });
    const accepted: StoredSnapshot = {
      proposal: {
        proposal_id,
        name: 'Direct purchase',
        allocations: [],
        total_budget_guidance: { currency: buy.currency },
        forecast: {
          points: [],
          forecast_range_unit: 'spend',
          method: 'modeled',
          currency: buy.currency,
          generated_at: call.now.iso,
        },
      },
      snapshot: {
        kind: 'new_media_buy',
        opportunity_id: args.opportunity?.opportunity_id,
        media_buy_id: buy.media_buy_id,
        accepted_at: call.now.iso,
        terms,
        terms_digest: digestTerms(terms),
      },
      media_buy_id: buy.media_buy_id,
    };
    await saveSnapshots({ db, scope }, [accepted]);
    return describeCommitment(buy, accepted, answer);
  },
});

/** Returns the order that purchases are, as create_media_buy takes it. */
function toOrder(args: Input): Readonly<Record<string, unknown>> {
  const { purchases, total_budget, purchase_order_ref, ...shared } = args;
  return {
    idempotency_key: args.idempotency_key,
    account: args.account,
    brand: readBrand(args),
    start_time: args.start_time,
    end_time: args.end_time,
    paused: args.paused,
    total_budget,
    po_number: purchase_order_ref,
    agency_estimate_number: args.agency_estimate_number,
    advertiser_industry: args.advertiser_industry,
    push_notification_config: args.push_notification_config,
    reporting_webhook: args.reporting_webhook,
    governance_context: args.governance_context,
    context: args.context,
    ext: args.ext,
    packages: purchases.map(({ bidding: own, pricing: _pricing, budget, ...line }, index) => ({
      ...line,
      budget: budget ?? wholeBudget(args, index),
      bid_price: (own ?? shared.bidding)?.bid_amount,
      pacing: line.pacing ?? shared.pacing,
    })),
  };
}

/** Returns the budget of the only purchase, which may stand in the total alone. Throws INVALID_REQUEST. */
function wholeBudget({ purchases, total_budget }: Input, index: number): number {
  if (purchases.length === 1 && total_budget !== undefined) return total_budget.amount;
  throw new TaskError('INVALID_REQUEST', `purchases[${index}].budget: is required`, {
    field: `purchases[${index}].budget`,
    suggestion: 'Send a budget with each purchase; budgets are not shared.',
  });
}

/** Refuses bids on fixed prices. Throws INVALID_REQUEST. */
function checkBids({ seller }: Call, { bidding: shared, purchases }: Input): void {
  for (const [index, { bidding: own, pricing_option_id, product_id }] of purchases.entries()) {
    if ((own ?? shared)?.bid_amount === undefined) continue;
    const options = seller.products.get(product_id)?.pricing_options;
    const option = options?.find((candidate) => candidate.pricing_option_id === pricing_option_id);
    if (option !== undefined)
      checkAuction(option, `${own === undefined ? '' : `purchases[${index}].`}bidding.bid_amount`);
  }
}

/** Refuses a purchase of offers that are others by now. Throws CONFLICT, or REQUOTE_REQUIRED for a price that is not the published one. */
function checkVersions(call: Call, args: Input): void {
  if (args.feed_version !== versionOffers(call)) {
    throw new TaskError('CONFLICT', 'The offers have changed since they were listed.', {
      field: 'feed_version',
      suggestion: 'List them anew with list_products, and buy under its feed_version.',
    });
  }
  for (const [index, { product_id, pricing_option_id, pricing }] of args.purchases.entries()) {
    const options = call.seller.products.get(product_id)?.pricing_options ?? [];
    const option = options.find((one) => one.pricing_option_id === pricing_option_id);
    if (pricing === undefined || option === undefined || isDeepStrictEqual({ ...pricing }, canonicalPricing(option)))
      continue;
    throw new TaskError('REQUOTE_REQUIRED', 'This is not the price that is published.', {
      field: `purchases[${index}].pricing`,
      suggestion: 'Leave pricing out, or send it as list_products answers it.',
    });
  }
}
