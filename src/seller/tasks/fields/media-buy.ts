import { CREATIVE_ASSET } from './creative.js';
import { beyond, carried, fieldsOf, honored, type Members, refused, unused } from './field.js';
import {
  ACCOUNT,
  ARTIFACT_WEBHOOK,
  ENVELOPE,
  FORMAT,
  FORMAT_OPTION,
  KEYED,
  NOTIFICATIONS,
  PAGINATION,
  REPORTING_WEBHOOK,
  UNUSED_REGISTRATION,
} from './shared.js';
import { TARGETING } from './targeting.js';

const ORDER = 'domain/media-buy/order.ts';
const CHANGE = 'domain/media-buy/change/change.ts';
const CANONICAL = '~/creative/formats/canonical/select.ts';
const GOALS = 'domain/optimization/judge.ts';
const COMMITTED = 'domain/media-buy/committed-metrics.ts';
const TERMS = 'domain/media-buy/measurement-terms.ts';

const NO_INVOICE_RECIPIENT = refused(
  'Every buy is invoiced to its account.',
  'Leave invoice_recipient out, or buy on another account, opened with sync_accounts.',
);

const NO_PLACEMENTS = refused(
  'A creative runs wherever its package does.',
  'Leave placements out, or buy a product of this placement alone.',
);

const NO_KEYWORDS = refused(
  'No product offers targeting by keywords.',
  'Leave keywords out; targeting_overlay takes what the product offers.',
);

/** A creative of the library in a package. */
const ASSIGNMENT: Members = {
  ...fieldsOf(['creative_id', 'weight'], honored('tasks/creative/library/assign-creative.ts')),
  ...fieldsOf(['placement_ids', 'placement_refs'], NO_PLACEMENTS),
};

/** A goal that a package is steered toward. */
const GOAL: Members = {
  ...fieldsOf(['kind', 'metric', 'reach_unit'], honored(GOALS)),
  priority: honored('domain/optimization/goal.ts'),
  target: honored(GOALS, fieldsOf(['kind', 'value'], honored(GOALS))),
  target_frequency: honored(GOALS, {
    ...fieldsOf(['min', 'max'], honored(GOALS)),
    window: honored(GOALS, fieldsOf(['interval', 'unit'], honored('domain/targeting/reach.ts'))),
  }),
  event_sources: honored('tasks/media-buy/goal-sources.ts', {
    ...fieldsOf(['event_source_id', 'event_type'], honored('tasks/media-buy/goal-sources.ts')),
    custom_event_name: honored(GOALS),
    ...fieldsOf(['value_field', 'value_factor'], honored(GOALS)),
  }),
  view_duration_seconds: refused('A view is complete at the end of the spot.', 'Leave view_duration_seconds out.'),
  attribution_window: refused(
    'Conversions are attributed in the window of the seller.',
    'Leave attribution_window out.',
  ),
  ...fieldsOf(
    ['vendor', 'metric_id'],
    refused('No product is optimized toward the metrics of vendors.', 'Send a goal that the product declares.'),
  ),
};

/** The fields that an ordered and a changed package share. */
const PACKAGE_TERMS: Members = {
  ...fieldsOf(['budget', 'bid_price'], honored('domain/media-buy/pricing.ts')),
  ...fieldsOf(['pacing', 'impressions'], honored('domain/delivery/delivery.ts')),
  paused: honored('domain/media-buy/settlement.ts'),
  ...fieldsOf(['start_time', 'end_time'], honored('domain/media-buy/flight.ts')),
  targeting_overlay: honored('domain/targeting/check.ts', TARGETING),
  creative_assignments: honored('tasks/creative/library/fill-package.ts', ASSIGNMENT),
  creatives: honored('tasks/creative/library/fill-package.ts', CREATIVE_ASSET),
  catalogs: refused(
    'Packages are not filled from catalogs.',
    'Leave catalogs out, and send creatives or creative_assignments.',
  ),
  optimization_goals: honored(GOALS, GOAL),
  context: carried('package'),
  ext: carried('package'),
  ...beyond({ currency: honored('domain/media-buy/pricing.ts') }),
};

/** A package to buy. */
export const PACKAGE: Members = {
  ...PACKAGE_TERMS,
  ...fieldsOf(['proto_version', 'proto_major_version'], unused('The release is that of the whole request.')),
  ...fieldsOf(['product_id', 'pricing_option_id'], honored('domain/media-buy/pricing.ts')),
  format_ids: FORMAT,
  format_option_refs: FORMAT_OPTION,
  format_kind: honored(CANONICAL),
  params: honored(CANONICAL, 'whole'),
  agency_estimate_number: carried('package'),
  measurement_terms: honored(TERMS, {
    billing_measurement: honored(TERMS, {
      vendor: carried('package', 'The terms are kept by the numbers of the seller.'),
      ...fieldsOf(['max_variance_percent', 'measurement_window', 'finalization_deadline_hours'], honored(TERMS)),
    }),
    makegood_policy: honored(TERMS, { available_remedies: honored('domain/media-buy/makegood.ts') }),
  }),
  performance_standards: honored(TERMS, {
    ...fieldsOf(['metric', 'threshold'], honored(TERMS)),
    ...fieldsOf(['standard', 'vendor'], carried('package', 'The standard is kept by the numbers of the seller.')),
  }),
  committed_metrics: honored(COMMITTED, {
    ...fieldsOf(['scope', 'metric_id'], honored(COMMITTED)),
    vendor: honored(COMMITTED, 'whole'),
    qualifier: honored(COMMITTED, 'whole'),
  }),
};

/** A change to a package. */
const PACKAGE_UPDATE: Members = {
  ...PACKAGE_TERMS,
  package_id: honored(CHANGE),
  ...fieldsOf(['canceled', 'cancellation_reason'], honored('domain/media-buy/change/package-change.ts')),
  ...fieldsOf(
    ['keyword_targets_add', 'keyword_targets_remove', 'negative_keywords_add', 'negative_keywords_remove'],
    NO_KEYWORDS,
  ),
};

/** The fields of create_media_buy. */
export const CREATE_MEDIA_BUY: Members = {
  ...KEYED,
  ...beyond({
    context_id: honored('tasks/pipeline/ask-approval.ts'),
    currency: honored('domain/media-buy/pricing.ts'),
  }),
  ext: carried('media buy'),
  account: ACCOUNT,
  plan_id: honored('tasks/pipeline/consult-governance.ts'),
  proposal_id: honored('tasks/product/proposals.ts'),
  total_budget: honored(
    'domain/proposal/proposal.ts',
    fieldsOf(['amount', 'currency'], honored('domain/proposal/proposal.ts')),
  ),
  packages: honored(ORDER, PACKAGE),
  brand: honored(ORDER, {
    domain: honored('domain/task/approval.ts'),
    industries: honored('domain/inventory/industry.ts'),
    ...fieldsOf(['brand_id', 'data_subject_contestation', 'brand_kit_override'], carried('media buy')),
  }),
  advertiser_industry: honored('domain/inventory/industry.ts'),
  ...fieldsOf(['po_number', 'agency_estimate_number'], carried('media buy')),
  invoice_recipient: NO_INVOICE_RECIPIENT,
  io_acceptance: honored(
    'domain/proposal/insertion-order.ts',
    fieldsOf(['io_id', 'accepted_at', 'signatory', 'signature_id'], honored('domain/proposal/insertion-order.ts')),
  ),
  ...fieldsOf(['start_time', 'end_time'], honored('domain/media-buy/flight.ts')),
  paused: honored(ORDER),
  push_notification_config: NOTIFICATIONS,
  reporting_webhook: REPORTING_WEBHOOK,
  artifact_webhook: ARTIFACT_WEBHOOK,
};

/** The fields of update_media_buy. */
export const UPDATE_MEDIA_BUY: Members = {
  ...KEYED,
  ...beyond({ context_id: honored('tasks/pipeline/ask-approval.ts') }),
  account: ACCOUNT,
  media_buy_id: honored('tasks/media-buy/find-media-buy.ts'),
  ...fieldsOf(['revision', 'paused', 'canceled', 'cancellation_reason', 'start_time', 'end_time'], honored(CHANGE)),
  packages: honored(CHANGE, PACKAGE_UPDATE),
  new_packages: honored(CHANGE, PACKAGE),
  invoice_recipient: NO_INVOICE_RECIPIENT,
  push_notification_config: NOTIFICATIONS,
  reporting_webhook: REPORTING_WEBHOOK,
};

/** The fields of get_media_buys. */
export const GET_MEDIA_BUYS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(
    [
      'media_buy_ids',
      'status_filter',
      'include_snapshot',
      'include_history',
      'include_webhook_activity',
      'webhook_activity_limit',
    ],
    honored('tasks/media-buy/get-media-buys.ts'),
  ),
  pagination: PAGINATION,
};

const REPORT = 'tasks/media-buy/get-media-buy-delivery.ts';
const BREAKDOWNS = 'tasks/media-buy/breakdowns.ts';

/** The fields of get_media_buy_delivery. */
export const GET_MEDIA_BUY_DELIVERY: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(
    [
      'media_buy_ids',
      'status_filter',
      'include_package_daily_breakdown',
      'time_granularity',
      'include_window_breakdown',
    ],
    honored(REPORT),
  ),
  ...fieldsOf(['start_date', 'end_date'], honored('tasks/media-buy/delivery-window.ts')),
  attribution_window: unused('Windows cannot be chosen: conversions are reported in those of the seller.'),
  reporting_dimensions: honored(BREAKDOWNS, {
    geo: honored(BREAKDOWNS, {
      ...fieldsOf(['geo_level', 'limit', 'sort_by'], honored(BREAKDOWNS)),
      ...fieldsOf(['system', 'country'], unused('Rows are by country or region, which need neither.')),
    }),
    ...fieldsOf(
      ['device_type', 'device_platform', 'audience', 'placement'],
      honored(BREAKDOWNS, fieldsOf(['limit', 'sort_by'], honored(BREAKDOWNS))),
    ),
  }),
  ...beyond({ pagination: PAGINATION }),
};

/** The fields of provide_performance_feedback. */
export const PROVIDE_PERFORMANCE_FEEDBACK: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  media_buy_id: honored('tasks/media-buy/find-media-buy.ts'),
  ...fieldsOf(['package_id', 'creative_id'], honored('tasks/media-buy/provide-performance-feedback.ts')),
  measurement_period: honored(
    'tasks/media-buy/provide-performance-feedback.ts',
    fieldsOf(['start', 'end'], honored('tasks/media-buy/provide-performance-feedback.ts')),
  ),
  ...fieldsOf(
    ['performance_index', 'metric_type', 'feedback_source'],
    carried('store', 'Feedback is stored with the buy, for the seller to read.'),
  ),
};
