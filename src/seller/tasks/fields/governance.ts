import { carried, fieldsOf, honored, type Members, refused, unused } from './field.js';
import { ENVELOPE, KEYED, UNUSED_REGISTRATION } from './shared.js';

const RULES = 'domain/governance/plans/rules.ts';
const POLICIES = 'domain/governance/plans/policies.ts';
const ACTION = 'domain/governance/plans/action.ts';
const DELIVERY = 'domain/governance/plans/delivery-rules.ts';
const CHECK = 'tasks/governance/check-governance.ts';
const OUTCOME = 'tasks/governance/report-plan-outcome.ts';
const AUDIT = 'tasks/governance/get-plan-audit-logs.ts';

const OF_THE_PLAN = carried('store', 'It is stored with the revision of the plan, and no rule reads it.');
const OF_THE_LOG = carried('store', 'It is stored in the log of the plan, and no rule reads it.');

const NO_PORTFOLIO = refused(
  'Plans do not govern other plans here.',
  'Leave it out, and sync each plan with the limits that are its own.',
);

const REGISTRY = refused(
  'This agent knows no registry of policies.',
  'Leave it out, and write what is to be held to as custom_policies.',
);

/** A policy that a plan brings in words. */
const POLICY: Members = {
  ...fieldsOf(
    ['policy_id', 'enforcement', 'policy', 'jurisdictions', 'channels', 'effective_date', 'sunset_date'],
    honored(POLICIES),
  ),
  requires_human_review: honored(RULES),
  ...fieldsOf(
    [
      'source',
      'version',
      'name',
      'description',
      'category',
      'region_aliases',
      'policy_categories',
      'governance_domains',
      'source_url',
      'source_name',
      'guidance',
      'exemplars',
      'ext',
    ],
    OF_THE_PLAN,
  ),
};

/** The fields of sync_plans. */
export const SYNC_PLANS: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  plans: honored('tasks/governance/sync-plans.ts', {
    plan_id: honored('tasks/governance/sync-plans.ts'),
    brand: carried('store', 'A plan is found by its plan_id.'),
    objectives: OF_THE_PLAN,
    budget: honored(RULES, 'whole'),
    channels: honored(RULES, {
      ...fieldsOf(['allowed', 'mix_targets'], honored(RULES, 'whole')),
      required: OF_THE_PLAN,
    }),
    flight: honored(RULES, fieldsOf(['start', 'end'], honored(RULES))),
    ...fieldsOf(['countries', 'regions', 'approved_sellers'], honored(RULES)),
    policy_ids: REGISTRY,
    policy_categories: REGISTRY,
    audience: honored(RULES, {
      include: OF_THE_PLAN,
      exclude: honored(RULES, 'whole'),
    }),
    ...fieldsOf(
      ['restricted_attributes', 'restricted_attributes_custom', 'min_audience_size', 'human_review_required'],
      honored(RULES),
    ),
    custom_policies: honored(POLICIES, POLICY),
    delegations: honored(RULES, 'whole'),
    portfolio: NO_PORTFOLIO,
    ext: OF_THE_PLAN,
  }),
};

const PLANNED: Members = {
  geo: honored(ACTION, fieldsOf(['countries', 'regions'], honored(ACTION))),
  ...fieldsOf(['channels', 'start_time', 'end_time', 'total_budget', 'currency'], honored(ACTION)),
  audience_targeting: honored(ACTION, 'whole'),
  frequency_cap: unused('No rule of a plan is about frequency.'),
  ...fieldsOf(['audience_summary', 'enforced_policies'], unused('A summary is not judged.')),
  ext: unused('Extensions belong to their vendor; none is known here.'),
};

/** The fields of check_governance. */
export const CHECK_GOVERNANCE: Members = {
  ...ENVELOPE,
  ...UNUSED_REGISTRATION,
  ...fieldsOf(['plan_id', 'caller', 'governance_context', 'phase'], honored(CHECK)),
  ...fieldsOf(['purchase_type', 'tool'], honored(ACTION)),
  payload: honored(ACTION, 'whole'),
  planned_delivery: honored(ACTION, PLANNED),
  delivery_metrics: honored(DELIVERY, {
    reporting_period: honored(CHECK, 'whole'),
    ...fieldsOf(['cumulative_spend', 'pacing'], honored(DELIVERY)),
    ...fieldsOf(['geo_distribution', 'channel_distribution'], honored(DELIVERY, 'whole')),
    ...fieldsOf(
      ['spend', 'impressions', 'cumulative_impressions', 'audience_distribution'],
      unused('No rule of a plan is about it.'),
    ),
  }),
  modification_summary: unused('A change is judged by what it comes to.'),
  invoice_recipient: unused('No rule of a plan is about who is invoiced.'),
};

/** The fields of report_plan_outcome. */
export const REPORT_PLAN_OUTCOME: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  ...fieldsOf(['plan_id', 'check_id', 'purchase_type', 'outcome', 'governance_context'], honored(OUTCOME)),
  seller_response: honored(OUTCOME, {
    ...fieldsOf(['seller_reference', 'committed_budget'], honored(OUTCOME)),
    packages: honored(OUTCOME, fieldsOf(['budget'], honored(OUTCOME))),
    planned_delivery: honored(ACTION, PLANNED),
    creative_deadline: OF_THE_LOG,
  }),
  delivery: honored(OUTCOME, {
    reporting_period: honored(OUTCOME, 'whole'),
    spend: honored(OUTCOME),
    ...fieldsOf(['impressions', 'cpm', 'viewability_rate', 'completion_rate'], OF_THE_LOG),
  }),
  error: OF_THE_LOG,
};

/** The fields of get_plan_audit_logs. */
export const GET_PLAN_AUDIT_LOGS: Members = {
  ...ENVELOPE,
  ...fieldsOf(['plan_ids', 'governance_contexts', 'purchase_types', 'include_entries'], honored(AUDIT)),
  portfolio_plan_ids: NO_PORTFOLIO,
};
