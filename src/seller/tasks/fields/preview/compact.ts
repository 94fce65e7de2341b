import { beyond, carried, fieldsOf, honored, type Members, refused, unused } from '../field.js';
import { ENVELOPE, FORMAT_OPTION, KEYED, NOTIFICATIONS, REPORTING_WEBHOOK } from '../shared.js';
import { TARGETING } from '../targeting.js';
import { NEW_TARGETING } from './added.js';

const SHAPES = 'tasks/compact/shapes.ts';
const OFFERS = 'tasks/compact/offers.ts';
const FILTERS = 'domain/product/filters.ts';
const REVISE = 'tasks/compact/revision/judge.ts';
const CONTROL = 'tasks/compact/control-media-buy.ts';
const BUY = 'tasks/compact/buy-products.ts';
const ACCOUNT_FILE = 'tasks/pipeline/resolve-account.ts';

const NO_CAPS = refused(
  'Spending is not capped by the day.',
  'Leave the cap out: pacing "even" spreads a budget over its flight.',
);
const NO_GOALS = refused(
  'The goals of a buy are not set by compact tasks.',
  'Leave optimization_goals out; bidding and pacing say how it spends.',
);
const NO_EVIDENCE = refused(
  'Products publish no evidence of audiences.',
  'Leave it out, and target the audience itself.',
);

/** The identity of an account beyond brand and operator. */
const NO_UNITS = refused(
  'Accounts are told apart by brand and operator alone.',
  'Leave it out, or name the account by its account_id.',
);

const BRAND = honored(SHAPES, fieldsOf(['domain', 'brand_id', 'countries'], honored(SHAPES)));

const ACCOUNT = honored(ACCOUNT_FILE, {
  account_id: honored(ACCOUNT_FILE),
  brand: honored(ACCOUNT_FILE, {
    ...fieldsOf(['domain', 'brand_id'], honored('domain/account/account.ts')),
    countries: unused(
      'An account is known by the domain of its brand; the countries of a purchase are those of its own brand.',
    ),
  }),
  ...fieldsOf(['operator', 'sandbox'], honored(ACCOUNT_FILE)),
  ...fieldsOf(['operator_unit', 'currency', 'timezone'], NO_UNITS),
});

/** Fields of the envelope that mean nothing more here. */
const COMPACT: Members = {
  ...beyond({ ext: unused('Extensions belong to their vendor; none is known here.') }),
  governance_context: unused('Nothing is committed by this call, so no governance agent is asked.'),
  push_notification_config: NOTIFICATIONS,
};

const CRITERIA = honored(OFFERS, {
  product_ids: honored(OFFERS),
  offer_filters: honored(OFFERS, {
    format_kinds: honored(OFFERS),
    ...fieldsOf(
      [
        'delivery_type',
        'exclusivity',
        'is_fixed_price',
        'pricing_currencies',
        'standard_formats_only',
        'min_exposures',
        'start_date',
        'end_date',
        'countries',
        'channels',
        'required_metrics',
      ],
      honored(FILTERS),
    ),
    budget_range: honored(FILTERS, fieldsOf(['currency', 'min', 'max'], honored(FILTERS))),
    ...fieldsOf(['required_features', 'required_vendor_metrics'], honored(FILTERS, 'whole')),
    // No product declares these: whatever they ask for, no product passes.
    ...fieldsOf(
      [
        'video_placement_types',
        'audio_distribution_types',
        'sponsored_placement_types',
        'social_placement_surfaces',
        'trusted_match',
        'required_performance_standards',
      ],
      honored(FILTERS, 'whole'),
    ),
    ...fieldsOf(
      ['pricing_structures', 'format_option_refs', 'availability_horizon', 'property_list'],
      refused('Offers are not filtered by this.', 'Leave it out, and choose among the offers that are answered.'),
    ),
    audience_evidence_requirements: NO_EVIDENCE,
    ext: unused('Extensions belong to their vendor; none is known here.'),
  }),
  targeting_overlay: refused(
    'Offers are listed as published, not configured for targeting.',
    'Leave targeting_overlay out, and send it with the purchase: it is refused there if the product does not offer it.',
  ),
  required_overlay_support: refused(
    'Offers do not say which targeting they support.',
    'Leave it out; a purchase whose targeting is not offered is refused with what is.',
  ),
  outcome_target: refused('Budgets are not worked out from outcomes.', 'Say the goal in the brief, and a budget.'),
  catalog: refused(
    'Products are not matched against catalogs.',
    'Leave catalog out, and say in the brief what is advertised.',
  ),
  policy_ids: refused('Products do not say which policies of the registry they keep.', 'Leave policy_ids out.'),
  ext: unused('Extensions belong to their vendor; none is known here.'),
});

const OPPORTUNITY = honored(SHAPES, {
  opportunity_id: honored(SHAPES),
  status: carried('nowhere', 'Proposals are offered until they expire, whatever the state of the cycle.'),
  ...fieldsOf(
    ['phase', 'intent', 'planning_horizon', 'response_deadline', 'close_reason', 'close_detail'],
    unused('What a buyer plans is its own; proposals are made of the brief.'),
  ),
});

/** The fields of list_products. */
export const LIST_PRODUCTS: Members = {
  ...ENVELOPE,
  ...COMPACT,
  idempotency_key: unused('The answer of a reading task is not stored.'),
  context_id: unused('Nothing is asked back about a list.'),
  account: ACCOUNT,
  brand: unused('Offers are the same for every brand.'),
  if_pricing_version: unused('Prices have no version of their own: feed_version changes with them.'),
  criteria: CRITERIA,
  ...fieldsOf(['fields', 'cursor', 'max_results', 'if_feed_version'], honored('tasks/compact/list-products.ts')),
};

/** The fields of request_proposals. */
export const REQUEST_PROPOSALS: Members = {
  ...KEYED,
  ...COMPACT,
  context_id: unused('Proposals are made at once; nothing is asked back.'),
  account: ACCOUNT,
  brand: BRAND,
  brief: honored('tasks/compact/request-proposals.ts'),
  criteria: CRITERIA,
  opportunity: OPPORTUNITY,
};

/** The fields of refine_proposals. */
export const REFINE_PROPOSALS: Members = {
  ...KEYED,
  ...COMPACT,
  context_id: unused('Refinements are answered at once; nothing is asked back.'),
  refinements: honored('tasks/compact/refine-proposals.ts', {
    ...fieldsOf(['proposal_id', 'action', 'change_kind', 'ask'], honored('tasks/compact/refine-proposals.ts')),
    product_changes: honored('tasks/compact/revision/revise.ts', 'whole'),
    constraints: honored(REVISE, {
      total_budget: honored(REVISE, fieldsOf(['min', 'max', 'currency'], honored(REVISE))),
      cpm: honored(REVISE, fieldsOf(['max', 'currency'], honored(REVISE))),
      flight: honored(REVISE, fieldsOf(['start_no_later_than', 'end_no_earlier_than'], honored(REVISE))),
      impressions: refused(
        'Proposals promise no number of impressions.',
        'Leave impressions out; forecast says what a budget is expected to bring.',
      ),
    }),
    alternatives: honored('tasks/compact/revision/revise.ts', { count: honored('tasks/compact/revision/revise.ts') }),
    criteria: CRITERIA,
  }),
};

/** The fields of decline_proposals. */
export const DECLINE_PROPOSALS: Members = {
  ...KEYED,
  ...COMPACT,
  context_id: unused('Declines are answered at once; nothing is asked back.'),
  declines: honored('tasks/compact/decline-proposals.ts', {
    ...fieldsOf(['proposal_id', 'reason', 'detail'], honored('tasks/compact/decline-proposals.ts')),
  }),
  opportunity: OPPORTUNITY,
};

const MONEY = (by: string) => honored(by, fieldsOf(['amount', 'currency'], honored(by)));

const BIDDING = honored(SHAPES, {
  automatic: carried('nowhere', 'Where the price is fixed there is nothing to bid; an auction asks for bid_amount.'),
  bid_amount: honored(SHAPES),
  ...fieldsOf(
    ['max_bid', 'cost_per', 'roas'],
    refused('Bids are amounts per unit of the price.', 'Send bidding.bid_amount, at least the floor_price.'),
  ),
});

/** What accepts or changes a commitment takes beside its own. */
const COMMITTING: Members = {
  ...KEYED,
  ...COMPACT,
  ...beyond({ context_id: honored('tasks/pipeline/ask-approval.ts') }),
  ext: carried('media buy'),
  governance_context: honored('tasks/pipeline/consult-governance.ts'),
  account: ACCOUNT,
  reporting_webhook: REPORTING_WEBHOOK,
  ...fieldsOf(['daily_budget_cap', 'budget_cap_timezone'], NO_CAPS),
};

const OVERLAY = honored('domain/targeting/check.ts', { ...TARGETING, ...NEW_TARGETING });

/** The fields of buy_products. */
export const BUY_PRODUCTS: Members = {
  ...COMMITTING,
  brand: BRAND,
  feed_version: honored(BUY),
  pricing_version: refused(
    'Prices have no version of their own.',
    'Leave pricing_version out: the feed_version is that of the prices too.',
  ),
  purchases: honored(BUY, {
    ...fieldsOf(['product_id', 'pricing_option_id', 'budget'], honored('domain/media-buy/pricing.ts')),
    pricing: honored(BUY, 'whole'),
    ...fieldsOf(['pacing', 'impressions'], honored('domain/delivery/delivery.ts')),
    ...fieldsOf(['start_time', 'end_time'], honored('domain/media-buy/flight.ts')),
    bidding: BIDDING,
    targeting_overlay: OVERLAY,
    format_option_refs: FORMAT_OPTION,
    ...fieldsOf(['context', 'ext', 'agency_estimate_number'], carried('package')),
    catalog_ids: refused(
      'Packages are not filled from catalogs.',
      'Leave catalog_ids out, and assign creatives with sync_creatives.',
    ),
    daily_budget_cap: NO_CAPS,
    min_spend_target: NO_CAPS,
    optimization_goals: NO_GOALS,
    ...fieldsOf(['audience_evidence_requirements', 'audience_evidence_pins'], NO_EVIDENCE),
    ...fieldsOf(
      ['measurement_terms', 'performance_standards'],
      refused('Offers are bought at their published terms.', 'Leave it out, or negotiate with create_media_buy.'),
    ),
  }),
  total_budget: MONEY(BUY),
  budget_allocation: refused('Budgets are not shared among purchases.', 'Send a budget with each purchase.', {
    unless: [{ mode: 'fixed' }],
  }),
  ...fieldsOf(['start_time', 'end_time'], honored('domain/media-buy/flight.ts')),
  pacing: honored(BUY),
  bidding: BIDDING,
  paused: honored(BUY),
  purchase_order_ref: honored(BUY),
  agency_estimate_number: carried('media buy'),
  advertiser_industry: honored('domain/inventory/industry.ts'),
  invoice_recipient: refused(
    'Every buy is invoiced to its account.',
    'Leave invoice_recipient out, or buy on another account, opened with sync_accounts.',
  ),
  opportunity: OPPORTUNITY,
};

/** The fields of accept_proposal. */
export const ACCEPT_PROPOSAL: Members = {
  ...COMMITTING,
  ...fieldsOf(
    ['proposal_id', 'proposal_terms_digest', 'purchase_order_ref'],
    honored('tasks/compact/accept-proposal.ts'),
  ),
  total_budget: MONEY('domain/proposal/proposal.ts'),
  io_acceptance: honored(
    'domain/proposal/insertion-order.ts',
    fieldsOf(['io_id', 'accepted_at', 'signatory', 'signature_id'], honored('domain/proposal/insertion-order.ts')),
  ),
  opportunity: OPPORTUNITY,
};

/** The fields of control_media_buy. */
export const CONTROL_MEDIA_BUY: Members = {
  ...COMMITTING,
  ext: unused('Extensions belong to their vendor; none is known here.'),
  ...fieldsOf(['media_buy_id', 'revision', 'paused', 'canceled', 'cancellation_reason', 'pacing'], honored(CONTROL)),
  name: refused('Media buys have no names.', 'Leave name out.'),
  total_budget: MONEY(CONTROL),
  bidding: BIDDING,
  budget_allocation: refused('Budgets are not shared among packages.', 'Send budgets of packages, or total_budget.', {
    unless: [{ mode: 'fixed' }],
  }),
  packages: honored(CONTROL, {
    package_id: honored('domain/media-buy/change/change.ts'),
    budget: honored('domain/media-buy/pricing.ts'),
    ...fieldsOf(['pacing', 'impressions'], honored('domain/delivery/delivery.ts')),
    paused: honored('domain/media-buy/settlement.ts'),
    ...fieldsOf(['canceled', 'cancellation_reason'], honored('domain/media-buy/change/package-change.ts')),
    bidding: BIDDING,
    targeting_overlay: OVERLAY,
    daily_budget_cap: NO_CAPS,
    min_spend_target: NO_CAPS,
    optimization_goals: NO_GOALS,
    catalog_ids: refused(
      'Packages are not filled from catalogs.',
      'Leave catalog_ids out, and assign creatives with sync_creatives.',
    ),
    ...fieldsOf(
      ['keyword_targets_add', 'keyword_targets_remove', 'negative_keywords_add', 'negative_keywords_remove'],
      refused(
        'No product offers targeting by keywords.',
        'Leave keywords out; targeting_overlay takes what the product offers.',
      ),
    ),
  }),
};
