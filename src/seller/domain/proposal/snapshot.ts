import { isoTime } from '../../../platform/kernel/clock.js';
import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import type { MediaBuy, Package } from '../media-buy/media-buy.js';
import type { Period } from '../media-buy/reporting.js';
import { canonicalPricing } from '../product/canonical.js';
import type { Product } from '../product/product.js';
import { listLines } from './plan.js';
import type { Proposal } from './proposal.js';
import { splitBudget } from './shares.js';
import type { BrandKey, CommercialTerms, Snapshot } from './terms.js';

/** Returns the terms of a plan for a brand in a flight: each product for its share of the recommended budget. */
export function planTerms(
  { allocations, total_budget_guidance: guidance, forecast }: Proposal,
  products: ReadonlyMap<string, Product>,
  brand: BrandKey,
  flight: Period,
): CommercialTerms {
  const amount = planBudget({ total_budget_guidance: guidance, forecast });
  const budgets = splitBudget({ amount, currency: guidance.currency }, allocations);
  const purchases = listLines({ allocations }, products).map(({ product, option, bid_price, own = flight }, index) =>
    withoutUndefined({
      product_id: product.product_id,
      pricing_option_id: option.pricing_option_id,
      pricing: canonicalPricing(option),
      budget: budgets[index]?.budget ?? 0,
      bidding: bid_price === undefined ? undefined : { bid_amount: bid_price },
      start_time: isoTime(own.fromMs),
      end_time: isoTime(own.toMs),
    }),
  );
  return {
    brand,
    purchases,
    start_time: isoTime(flight.fromMs),
    end_time: isoTime(flight.toMs),
    total_budget: { amount, currency: guidance.currency },
  };
}

/** Returns the budget that a plan is priced at: what is recommended, else what is forecast. */
export function planBudget({
  total_budget_guidance: { recommended },
  forecast,
}: Pick<Proposal, 'total_budget_guidance' | 'forecast'>): number {
  return recommended ?? forecast.points[1]?.budget ?? 0;
}

/** The source of a direct purchase, beside the buy. */
type DirectSource = Pick<CommercialTerms, 'source_feed_version' | 'purchase_order_ref' | 'brand'>;

/** Returns the packages of a buy that its terms are about: those that are not canceled. */
export function livePackages({ packages }: MediaBuy): readonly Package[] {
  return packages.filter(({ canceled }) => !canceled);
}

/** Returns the terms that a buy has now. */
export function buyTerms(buy: MediaBuy, source: DirectSource): CommercialTerms {
  const lines = livePackages(buy);
  const purchases = lines.map((line) =>
    withoutUndefined({
      product_id: line.product_id,
      pricing_option_id: line.pricing_option_id,
      pricing: canonicalPricing(line.sold.option),
      budget: line.budget,
      impressions: line.impressions,
      pacing: line.pacing,
      bidding: line.bid_price === undefined ? undefined : { bid_amount: line.bid_price },
      targeting_overlay: line.targeting_overlay,
      start_time: line.start_time,
      end_time: line.end_time,
      context: line.echoed.context,
    }),
  );
  return withoutUndefined({
    ...source,
    purchases,
    start_time: buy.start_time,
    end_time: buy.end_time,
    total_budget: {
      amount: Math.round(lines.reduce((sum, { budget }) => sum + budget, 0) * 100) / 100,
      currency: buy.currency,
    },
  });
}

/** Returns a snapshot in the terms of 3.2. */
export function canonicalProposal(proposal: Proposal, snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const { kind, terms, terms_digest, parent_proposal_id, opportunity_id, media_buy_id, accepted_at } = snapshot;
  const status = accepted_at === undefined ? (proposal.proposal_status ?? 'draft') : 'accepted';
  const { min, recommended, max, currency } = proposal.total_budget_guidance;
  const { points } = proposal.forecast;
  return withoutUndefined({
    proposal_id: proposal.proposal_id,
    proposal_kind: kind,
    parent_proposal_id,
    media_buy_id,
    opportunity_id,
    base_media_buy_revision: snapshot.base_media_buy_revision,
    proposal_status: status,
    accepted_at,
    expires_at: accepted_at === undefined ? proposal.expires_at : undefined,
    name: proposal.name,
    description: proposal.description,
    brief_alignment: proposal.brief_alignment,
    commercial_terms: terms,
    terms_digest,
    total_budget_guidance:
      accepted_at === undefined && recommended !== undefined ? { min, recommended, max, currency } : undefined,
    insertion_order: proposal.insertion_order,
    forecast: accepted_at === undefined && points.length > 0 ? proposal.forecast : undefined,
  });
}
