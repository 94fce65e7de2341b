import { beforeAll, describe, expect, test } from 'vitest';
import { type Booted, boot } from '../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT } from '../kit/buyer.js';
import { ARTIFACT, BRAND, PLAN, STANDARD } from '../kit/governed.js';
import { memberNodes, REQUEST_SCHEMAS, requestNodes, type SchemaNode } from '../kit/schema-fields.js';
import { hasSchemas, readSchemas } from '../kit/schemas.js';
import { shopper } from '../kit/shopper.js';
import { HIGH_LTV, TRADE_DESK } from '../kit/signals.js';
import { sandboxToken, tenantsWithEveryTask } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

/** What references are made with: things that are there. */
type Known = {
  readonly buy: string;
  readonly line: string;
  readonly standard: string;
  readonly plan: string;
  readonly format: object;
};

/** A call with a reference to nothing, where it is refused: the code, and the field that it names. */
type Refused = {
  readonly code: string;
  readonly field: string;
  readonly args: (known: Known) => object;
  readonly tenant?: string;
};

/**
 * What comes of a reference to nothing: it is refused; it `narrows` a list, which is empty then; it `names` a thing of the caller's own,
 * which is made; or it is `carried`: what it refers to is nobody's here, and nothing depends on it.
 */
type Outcome = Refused | 'narrows' | 'names' | 'carried';
type Rows = Readonly<Record<string, Outcome>>;

const NOBODY = 'of_nobody';
const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
/** The account that the sandboxes of all shipped tenants have. */
const NATURAL_ACCOUNT = { brand: BRAND, operator: 'pinnacle-agency.example', sandbox: true };
const LIST = { agent_url: 'http://127.0.0.1:1/mcp', list_id: NOBODY };
const VENDOR = { domain: 'vendor.example' };
const PERIOD = { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' };
const RIGHTS = {
  rights_id: 'velez_images',
  pricing_option_id: 'images_monthly',
  buyer: BRAND,
  campaign: { description: 'Trail shoes', uses: ['likeness'], start_date: '2030-02-01', end_date: '2030-04-30' },
  revocation_webhook: { url: 'https://buyer.example/revoked' },
};

const refused = (code: string, field: string, args: Refused['args'] | object, tenant?: string): Refused => ({
  code,
  field,
  args: typeof args === 'function' ? (args as Refused['args']) : () => args,
  ...(tenant === undefined ? {} : { tenant }),
});

const noFormat = ({ format }: Known): object => ({ ...format, id: NOBODY });
const manifestOf = (format_id: object): object => ({ format_id, assets: creative('made').assets });

const PLACEMENTS = [{ publisher_domain: 'northlight.example', placement_id: NOBODY }];
const ofSignal = (more: object): object => {
  const signal = { signal_ref: { scope: 'product', signal_id: 'in_market_auto' }, value_type: 'binary', value: true };
  return { operator: 'all', groups: [{ operator: 'any', signals: [{ ...signal, ...more }] }] };
};

/** References of a package, whoever sends it: what a wrong one is answered, where, and the package with it. */
const OF_PACKAGE: Readonly<Record<string, readonly [code: string, field: string, line: (known: Known) => object]>> = {
  product_id: ['PRODUCT_NOT_FOUND', 'product_id', () => ({ product_id: NOBODY })],
  format_ids: ['FORMAT_NOT_SUPPORTED', 'format_ids[0]', (known) => ({ format_ids: [noFormat(known)] })],
  pricing_option_id: ['VALIDATION_ERROR', 'pricing_option_id', () => ({ pricing_option_id: NOBODY })],
  'catalogs.catalog_id': ['UNSUPPORTED_FEATURE', 'catalogs', () => ({ catalogs: [{ catalog_id: NOBODY }] })],
  'optimization_goals.metric_id': [
    'UNSUPPORTED_FEATURE',
    'optimization_goals[0].vendor',
    () => ({ optimization_goals: [{ kind: 'vendor_metric', vendor: VENDOR, metric_id: NOBODY }] }),
  ],
  'committed_metrics.metric_id': [
    'TERMS_REJECTED',
    'committed_metrics[0].metric_id',
    () => ({ committed_metrics: [{ scope: 'vendor', vendor: VENDOR, metric_id: NOBODY }] }),
  ],
  ...Object.fromEntries(
    ['property_list', 'collection_list', 'collection_list_exclude'].map((dimension) => [
      `targeting_overlay.${dimension}.list_id`,
      [
        'SERVICE_UNAVAILABLE',
        `targeting_overlay.${dimension}`,
        () => ({ targeting_overlay: { [dimension]: LIST } }),
      ] as const,
    ]),
  ),
  'creative_assignments.creative_id': [
    'CREATIVE_NOT_FOUND',
    'creative_assignments[0].creative_id',
    () => ({ creative_assignments: [{ creative_id: NOBODY }] }),
  ],
  ...Object.fromEntries(
    ['pricing_option_id', 'signal_agent_segment_id'].map((member) => [
      `targeting_overlay.signal_targeting_groups.groups.signals.${member}`,
      [
        'UNSUPPORTED_FEATURE',
        `targeting_overlay.signal_targeting_groups.groups[0].signals[0].${member}`,
        () => ({ targeting_overlay: { signal_targeting_groups: ofSignal({ [member]: NOBODY }) } }),
      ] as const,
    ]),
  ),
  'targeting_overlay.signal_targeting_groups.groups.signals.signal_ref': [
    'SIGNAL_NOT_FOUND',
    'targeting_overlay.signal_targeting_groups.groups[0].signals[0].signal_ref',
    () => ({
      targeting_overlay: {
        signal_targeting_groups: ofSignal({ signal_ref: { scope: 'product', signal_id: NOBODY } }),
      },
    }),
  ],
  'creative_assignments.placement_refs.placement_id': [
    'UNSUPPORTED_FEATURE',
    'creative_assignments[0].placement_refs',
    () => ({ creative_assignments: [{ creative_id: 'made', placement_refs: PLACEMENTS }] }),
  ],
  'creatives.placement_refs.placement_id': [
    'UNSUPPORTED_FEATURE',
    'creatives[0].placement_refs',
    () => ({ creatives: [{ ...creative('made'), placement_refs: PLACEMENTS }] }),
  ],
  'creatives.format_id': [
    'FORMAT_NOT_SUPPORTED',
    'creatives[0].format_id',
    (known) => ({ creatives: [{ ...creative('made'), format_id: noFormat(known) }] }),
  ],
};
/** Of those, what is fixed when a package is bought. */
const FIXED = ['product_id', 'format_ids', 'pricing_option_id', 'committed_metrics.metric_id'];

function packageRows(list: string, ask: (known: Known, line: object) => object, without: readonly string[] = []): Rows {
  const rows = Object.entries(OF_PACKAGE).filter(([name]) => !without.includes(name));
  return {
    ...Object.fromEntries(
      rows.map(([name, [code, field, line]]) => [
        `${list}.${name}`,
        refused(code, `${list}[0].${field}`, (known: Known) => ask(known, line(known))),
      ]),
    ),
    [`${list}.creatives.creative_id`]: 'names',
    [`${list}.creatives.assets.*.catalog_id`]: 'carried',
  };
}

const updated = ({ buy }: Known): object => ({ media_buy_id: buy, account: ACCOUNT });
const used = (what: object): object => ({
  reporting_period: PERIOD,
  usage: [{ account: NATURAL_ACCOUNT, vendor_cost: 1, currency: 'USD', ...what }],
});
const feedback = { measurement_period: PERIOD, performance_index: 1.1 };
const built = ({ format }: Known): object => ({ message: 'Trail shoes', target_format_id: format, brand: BRAND });
const ofLists = (kind: 'property' | 'collection'): Readonly<Record<string, Rows>> =>
  Object.fromEntries(
    ['get', 'update', 'delete'].map((verb) => [
      `${verb}_${kind}_list`,
      { list_id: refused('REFERENCE_NOT_FOUND', 'list_id', { list_id: NOBODY }, 'governance') },
    ]),
  );
const unknownStandard = (args: object): Refused =>
  refused('REFERENCE_NOT_FOUND', 'standards_id', { standards_id: NOBODY, ...args }, 'governance');

/** Every reference of every task, by the member at which the schemas of 3.1 mark one, and those of tasks that mark none. */
const ROWS: Readonly<Record<string, Rows>> = {
  get_products: {
    'catalog.catalog_id': refused('UNSUPPORTED_FEATURE', 'catalog', {
      ...{ buying_mode: 'brief', brief: 'video', account: ACCOUNT },
      catalog: { type: 'product', catalog_id: NOBODY },
    }),
    'property_list.list_id': refused('SERVICE_UNAVAILABLE', 'property_list', {
      buying_mode: 'wholesale',
      property_list: LIST,
    }),
    'refine.proposal_id': refused('PROPOSAL_NOT_FOUND', 'refine[0].proposal_id', {
      buying_mode: 'refine',
      refine: [{ scope: 'proposal', proposal_id: NOBODY, action: 'finalize' }],
    }),
    // What became of each entry stands in refinement_applied.
    'refine.product_id': 'narrows',
    'filters.format_ids': 'narrows',
    'filters.signal_targeting.signal_ref': 'narrows',
    'filters.signal_targeting.signal_id': 'narrows',
    'filters.required_vendor_metrics.metric_id': 'narrows',
  },
  get_signals: { signal_refs: 'narrows', signal_ids: 'narrows' },
  list_creative_formats: { format_ids: 'narrows', output_format_ids: 'narrows', input_format_ids: 'narrows' },
  build_creative: {
    creative_id: refused(
      'CREATIVE_NOT_FOUND',
      'creative_id',
      (known: Known) => ({ creative_id: NOBODY, target_format_id: known.format }),
      'creative',
    ),
    target_format_id: refused(
      'FORMAT_NOT_SUPPORTED',
      'target_format_id',
      (known: Known) => ({ message: 'Shoes', target_format_id: noFormat(known) }),
      'creative',
    ),
    target_format_ids: refused(
      'FORMAT_NOT_SUPPORTED',
      'target_format_ids[0]',
      (known: Known) => ({ message: 'Shoes', target_format_ids: [noFormat(known)] }),
      'creative',
    ),
    transformer_id: refused(
      'REFERENCE_NOT_FOUND',
      'transformer_id',
      (known: Known) => ({ ...built(known), transformer_id: NOBODY }),
      'creative',
    ),
    refine_from_build_variant_id: refused(
      'REFERENCE_NOT_FOUND',
      'refine_from_build_variant_id',
      (known: Known) => ({ ...built(known), refine_from_build_variant_id: NOBODY }),
      'creative',
    ),
    // Of a manifest the assets are taken, whatever its format is called; tags are made per creative.
    'creative_manifest.format_id': 'carried',
    'creative_manifest.assets.*.catalog_id': 'carried',
    media_buy_id: 'carried',
    package_id: 'carried',
    signal_conditions: 'carried',
    'signal_conditions.signal_ref': 'carried',
    'signal_conditions.signal_id': 'carried',
    'signal_conditions.signal_agent_segment_id': 'carried',
    'evaluator.exemplars.pass.format_id': 'carried',
    'evaluator.exemplars.fail.format_id': 'carried',
    'evaluator.evaluator_id': 'carried',
  },
  preview_creative: {
    'creative_manifest.format_id': refused(
      'FORMAT_NOT_SUPPORTED',
      'creative_manifest.format_id',
      (known: Known) => ({ request_type: 'single', creative_manifest: manifestOf(noFormat(known)) }),
      'creative',
    ),
    format_id: refused(
      'FORMAT_NOT_SUPPORTED',
      'format_id',
      (known: Known) => ({
        request_type: 'single',
        format_id: noFormat(known),
        creative_manifest: manifestOf(noFormat(known)),
      }),
      'creative',
    ),
    'requests.format_id': refused(
      'FORMAT_NOT_SUPPORTED',
      'requests[0].format_id',
      (known: Known) => ({
        request_type: 'batch',
        requests: [{ format_id: noFormat(known), creative_manifest: manifestOf(noFormat(known)) }],
      }),
      'creative',
    ),
    'requests.creative_manifest.format_id': refused(
      'FORMAT_NOT_SUPPORTED',
      'requests[0].creative_manifest.format_id',
      (known: Known) => ({ request_type: 'batch', requests: [{ creative_manifest: manifestOf(noFormat(known)) }] }),
      'creative',
    ),
    // No format here has a slot for a catalog, which the answer says.
    'creative_manifest.assets.*.catalog_id': 'carried',
    'requests.creative_manifest.assets.*.catalog_id': 'carried',
    creative_id: refused(
      'INVALID_REQUEST',
      'creative_manifest',
      { request_type: 'single', creative_id: NOBODY },
      'creative',
    ),
    variant_id: refused(
      'UNSUPPORTED_FEATURE',
      'variant_id',
      { request_type: 'variant', variant_id: NOBODY },
      'creative',
    ),
  },
  list_transformers: {
    transformer_ids: 'narrows',
    input_format_ids: 'narrows',
    output_format_ids: 'narrows',
    'expand_pagination.transformer_id': refused(
      'UNSUPPORTED_FEATURE',
      'expand_pagination',
      { expand_pagination: [{ transformer_id: NOBODY, field: 'x', cursor: 'c' }] },
      'creative',
    ),
  },
  validate_input: {
    'manifest.assets.*.catalog_id': 'carried',
    'manifest.format_id': refused(
      'FORMAT_NOT_SUPPORTED',
      'targets[0].id',
      (known: Known) => ({ manifest: manifestOf(noFormat(known)) }),
      'creative',
    ),
  },
  activate_signal: {
    signal_agent_segment_id: refused(
      'SIGNAL_NOT_FOUND',
      'signal_agent_segment_id',
      { ...HIGH_LTV, destinations: [TRADE_DESK], signal_agent_segment_id: NOBODY },
      'signals',
    ),
    pricing_option_id: refused(
      'VALIDATION_ERROR',
      'pricing_option_id',
      { ...HIGH_LTV, destinations: [TRADE_DESK], pricing_option_id: NOBODY },
      'signals',
    ),
  },
  create_media_buy: {
    // The agent that governs the account judges its plans; without one nothing does.
    plan_id: 'carried',
    proposal_id: refused('PROPOSAL_NOT_FOUND', 'proposal_id', () => ({
      ...createRequest({ packages: undefined }),
      proposal_id: NOBODY,
      total_budget: { amount: 5000, currency: 'USD' },
    })),
    ...packageRows('packages', (_known, line) => createRequest({ packages: [packageRequest(line)] })),
  },
  update_media_buy: {
    media_buy_id: refused('MEDIA_BUY_NOT_FOUND', 'media_buy_id', { media_buy_id: NOBODY, account: ACCOUNT }),
    'packages.package_id': refused('PACKAGE_NOT_FOUND', 'packages[0].package_id', (known: Known) => ({
      ...updated(known),
      packages: [{ package_id: NOBODY, budget: 5000 }],
    })),
    ...packageRows(
      'packages',
      (known, line) => ({ ...updated(known), packages: [{ package_id: known.line, ...line }] }),
      FIXED,
    ),
    ...packageRows('new_packages', (known, line) => ({ ...updated(known), new_packages: [packageRequest(line)] })),
  },
  get_task_status: { task_id: refused('REFERENCE_NOT_FOUND', 'task_id', { task_id: NOBODY }) },
  get_media_buys: {
    media_buy_ids: refused('MEDIA_BUY_NOT_FOUND', 'media_buy_ids[0]', { media_buy_ids: [NOBODY] }),
  },
  get_media_buy_delivery: {
    media_buy_ids: refused('MEDIA_BUY_NOT_FOUND', 'media_buy_ids[0]', { media_buy_ids: [NOBODY] }),
  },
  get_media_buy_artifacts: {
    media_buy_id: refused('MEDIA_BUY_NOT_FOUND', 'media_buy_id', { media_buy_id: NOBODY }),
    package_ids: refused('PACKAGE_NOT_FOUND', 'package_ids[0]', ({ buy }: Known) => ({
      media_buy_id: buy,
      package_ids: [NOBODY],
    })),
  },
  sync_creatives: {
    'creatives.creative_id': 'names',
    'creatives.assets.*.catalog_id': 'carried',
    'creatives.format_id': refused('FORMAT_NOT_SUPPORTED', 'creatives[0].format_id', (known: Known) => ({
      account: ACCOUNT,
      creatives: [{ ...creative('made'), format_id: noFormat(known) }],
    })),
    'creatives.placement_refs.placement_id': refused('UNSUPPORTED_FEATURE', 'creatives[0].placement_refs', {
      account: ACCOUNT,
      creatives: [{ ...creative('made'), placement_refs: PLACEMENTS }],
    }),
    creative_ids: 'narrows',
    'assignments.creative_id': refused('CREATIVE_NOT_FOUND', 'assignments[0].creative_id', (known: Known) => ({
      account: ACCOUNT,
      creatives: [creative('made')],
      assignments: [{ creative_id: NOBODY, package_id: known.line }],
    })),
    // assignment_errors of the creative say so; the others are assigned.
    'assignments.package_id': 'narrows',
  },
  list_creatives: { 'filters.format_ids': 'narrows' },
  get_creative_delivery: {
    media_buy_ids: refused('MEDIA_BUY_NOT_FOUND', 'media_buy_ids[0]', { media_buy_ids: [NOBODY] }),
    creative_ids: refused('CREATIVE_NOT_FOUND', 'creative_ids[0]', { creative_ids: [NOBODY] }),
  },
  sync_audiences: { 'audiences.audience_id': 'names' },
  sync_event_sources: {
    'event_sources.event_source_id': 'names',
    'event_sources.surface.property_id': 'carried',
  },
  log_event: {
    event_source_id: refused('REFERENCE_NOT_FOUND', 'event_source_id', {
      event_source_id: NOBODY,
      events: [{ event_id: 'e1', event_type: 'purchase', event_time: PERIOD.start }],
    }),
    'events.surface.property_id': 'carried',
  },
  sync_catalogs: { 'catalogs.catalog_id': 'names', catalog_ids: 'narrows' },
  provide_performance_feedback: {
    media_buy_id: refused('MEDIA_BUY_NOT_FOUND', 'media_buy_id', { ...feedback, media_buy_id: NOBODY }),
    package_id: refused('PACKAGE_NOT_FOUND', 'package_id', ({ buy }: Known) => ({
      ...feedback,
      media_buy_id: buy,
      package_id: NOBODY,
    })),
    creative_id: refused('CREATIVE_NOT_FOUND', 'creative_id', ({ buy }: Known) => ({
      ...feedback,
      media_buy_id: buy,
      creative_id: NOBODY,
    })),
  },
  report_usage: {
    'usage.media_buy_id': refused('MEDIA_BUY_NOT_FOUND', 'usage[0].media_buy_id', used({ media_buy_id: NOBODY })),
    'usage.pricing_option_id': refused('VALIDATION_ERROR', 'usage[0].pricing_option_id', ({ buy }: Known) =>
      used({ media_buy_id: buy, pricing_option_id: NOBODY }),
    ),
    'usage.signal_agent_segment_id': refused(
      'SIGNAL_NOT_FOUND',
      'usage[0].signal_agent_segment_id',
      { ...used({ signal_agent_segment_id: NOBODY }) },
      'signals',
    ),
    'usage.creative_id': refused(
      'CREATIVE_NOT_FOUND',
      'usage[0].creative_id',
      { ...used({ creative_id: NOBODY }) },
      'creative',
    ),
    // Kept for the bill beside what was used.
    'usage.standards_id': 'carried',
    'usage.rights_id': 'carried',
    'usage.build_variant_id': 'carried',
    'usage.property_list_id': 'carried',
  },
  sync_plans: {
    'plans.plan_id': 'names',
    'plans.policy_ids': refused(
      'UNSUPPORTED_FEATURE',
      'plans[0].policy_ids',
      { plans: [{ ...PLAN, policy_ids: [NOBODY] }] },
      'governance',
    ),
    'plans.custom_policies.policy_id': 'names',
    ...Object.fromEntries(
      ['member_plan_ids', 'shared_policy_ids', 'shared_exclusions.policy_id'].map((name) => [
        `plans.portfolio.${name}`,
        refused(
          'UNSUPPORTED_FEATURE',
          'plans[0].portfolio',
          { plans: [{ ...PLAN, portfolio: { member_plan_ids: [NOBODY] } }] },
          'governance',
        ),
      ]),
    ),
  },
  check_governance: {
    plan_id: refused(
      'PLAN_NOT_FOUND',
      'plan_id',
      { plan_id: NOBODY, caller: 'https://buyer.example/mcp' },
      'governance',
    ),
    'planned_delivery.audience_targeting.signal_ref': 'carried',
    'planned_delivery.audience_targeting.signal_id': 'carried',
  },
  report_plan_outcome: {
    plan_id: refused(
      'PLAN_NOT_FOUND',
      'plan_id',
      { plan_id: NOBODY, governance_context: 'context', outcome: 'failed', error: { code: 'CONFLICT' } },
      'governance',
    ),
    check_id: refused(
      'REFERENCE_NOT_FOUND',
      'check_id',
      ({ plan }: Known) => ({
        ...{ plan_id: plan, check_id: NOBODY, governance_context: 'context' },
        ...{ outcome: 'failed', error: { code: 'CONFLICT' } },
      }),
      'governance',
    ),
    'seller_response.planned_delivery.audience_targeting.signal_ref': 'carried',
    'seller_response.planned_delivery.audience_targeting.signal_id': 'carried',
  },
  get_plan_audit_logs: {
    plan_ids: refused('PLAN_NOT_FOUND', 'plan_ids[0]', { plan_ids: [NOBODY] }, 'governance'),
    portfolio_plan_ids: refused(
      'UNSUPPORTED_FEATURE',
      'portfolio_plan_ids',
      { portfolio_plan_ids: [NOBODY] },
      'governance',
    ),
  },
  get_creative_features: {
    // What is measured is the material, whatever its format is called.
    'creative_manifest.format_id': 'carried',
    'creative_manifest.assets.*.catalog_id': 'carried',
    feature_ids: refused(
      'REFERENCE_NOT_FOUND',
      'feature_ids[0]',
      ({ format }: Known) => ({ creative_manifest: manifestOf(format), feature_ids: [NOBODY] }),
      'governance',
    ),
  },
  create_content_standards: {
    registry_policy_ids: refused(
      'UNSUPPORTED_FEATURE',
      'registry_policy_ids',
      { ...STANDARD, registry_policy_ids: [NOBODY] },
      'governance',
    ),
    'policies.policy_id': 'names',
    'calibration_exemplars.pass.format_id': 'carried',
    'calibration_exemplars.fail.format_id': 'carried',
  },
  get_content_standards: { standards_id: unknownStandard({}) },
  update_content_standards: {
    standards_id: unknownStandard({ policies: STANDARD.policies }),
    registry_policy_ids: refused(
      'UNSUPPORTED_FEATURE',
      'registry_policy_ids',
      ({ standard }: Known) => ({ standards_id: standard, registry_policy_ids: [NOBODY] }),
      'governance',
    ),
    'policies.policy_id': 'names',
    'calibration_exemplars.pass.format_id': 'carried',
    'calibration_exemplars.fail.format_id': 'carried',
  },
  calibrate_content: { standards_id: unknownStandard({ artifact: ARTIFACT }), 'artifact.format_id': 'carried' },
  validate_content_delivery: {
    standards_id: unknownStandard({ records: [{ record_id: 'r1', artifact: ARTIFACT }] }),
    'records.artifact.format_id': 'carried',
  },
  validate_property_delivery: {
    list_id: refused(
      'REFERENCE_NOT_FOUND',
      'list_id',
      { list_id: NOBODY, records: [{ identifier: { type: 'domain', value: 'northlight.example' }, impressions: 1 }] },
      'governance',
    ),
  },
  // A publisher may declare a property tomorrow: until then the list has nothing of it.
  create_property_list: { 'base_properties.property_ids': 'narrows' },
  ...ofLists('property'),
  update_property_list: {
    list_id: refused('REFERENCE_NOT_FOUND', 'list_id', { list_id: NOBODY }, 'governance'),
    'base_properties.property_ids': 'narrows',
  },
  ...ofLists('collection'),
  get_brand_identity: { brand_id: refused('REFERENCE_NOT_FOUND', 'brand_id', { brand_id: NOBODY }, 'brand') },
  get_rights: {
    brand_id: refused(
      'REFERENCE_NOT_FOUND',
      'brand_id',
      { query: 'a face', uses: ['likeness'], brand_id: NOBODY },
      'brand',
    ),
  },
  acquire_rights: {
    rights_id: refused('REFERENCE_NOT_FOUND', 'rights_id', { ...RIGHTS, rights_id: NOBODY }, 'brand'),
    pricing_option_id: refused(
      'REFERENCE_NOT_FOUND',
      'pricing_option_id',
      { ...RIGHTS, pricing_option_id: NOBODY },
      'brand',
    ),
    'campaign.format_ids': 'carried',
  },
  update_rights: {
    rights_id: refused('REFERENCE_NOT_FOUND', 'rights_id', { rights_id: NOBODY, paused: true }, 'brand'),
    pricing_option_id: refused(
      'REFERENCE_NOT_FOUND',
      'rights_id',
      { rights_id: NOBODY, pricing_option_id: NOBODY },
      'brand',
    ),
  },
};

/** Entities that belong to nobody here, or that every task resolves alike, with a code of their own. */
const ELSEWHERE: ReadonlySet<unknown> = new Set(['account', 'operator', 'advertiser_brand', 'rights_holder_brand']);
/** The controller's parameters have their own tests. */
const UNMARKED: ReadonlySet<string> = new Set(['comply_test_controller']);
const MAX_DEPTH = 5;

let server: Booted;
let known: Known;

beforeAll(async () => {
  server = await boot({ tenants: tenantsWithEveryTask() });
  const bought = await shopper(server).create();
  const governed = async (task: string, args: object): Promise<Payload> => {
    const answer = await server.call(task, { idempotency_key: freshKey(), ...args }, { tenant: 'governance' });
    return answer.payload;
  };
  await governed('sync_plans', { plans: [PLAN] });
  known = {
    buy: bought.media_buy_id,
    line: bought.packages[0]?.package_id ?? '',
    standard: String((await governed('create_content_standards', STANDARD)).standards_id),
    plan: PLAN.plan_id,
    format: { agent_url: `${server.baseUrl}/creative/mcp`, id: 'display_300x250_image' },
  };
});

/** Returns the members of a task's request that the schemas mark as references, such as `packages.product_id`. */
function markedReferences(task: string): readonly string[] {
  const schemas = readSchemas('3.1');
  const found = new Set<string>();
  const visit = (nodes: readonly SchemaNode[], at: string, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    for (const [name, members] of memberNodes(schemas, nodes)) {
      const here = at === '' ? name : `${at}.${name}`;
      if (members.some(({ schema }) => isReference(schema))) found.add(here);
      visit(members, here, depth + 1);
    }
  };
  visit(requestNodes(schemas, task), '', 0);
  return [...found];
}

function isReference(schema: unknown): boolean {
  const { items, 'x-entity': entity } = (schema ?? {}) as Readonly<Record<string, unknown>>;
  if (entity !== undefined) return !ELSEWHERE.has(entity);
  return typeof items === 'object' && items !== null && isReference(items);
}

/** Returns the first error of an answer, wherever it says what became of a part of the request. */
function errorOf(payload: Payload): Readonly<Record<string, unknown>> | undefined {
  const all = payload as unknown as Readonly<Record<string, readonly Payload[] | undefined>>;
  const parts = [all.creatives, all.results].flatMap((list) => list ?? []);
  return [payload, ...parts].flatMap(({ errors = [] }) => [...errors])[0] as never;
}

describe('a reference to nothing', () => {
  test.runIf(hasSchemas('3.1')).each(Object.keys(REQUEST_SCHEMAS).filter((task) => !UNMARKED.has(task)))(
    'in %s has its row, wherever the schemas mark one',
    (task) => {
      expect(markedReferences(task).filter((at) => ROWS[task]?.[at] === undefined)).toEqual([]);
    },
  );

  const REFUSED = Object.entries(ROWS).flatMap(([task, rows]) =>
    Object.entries(rows).flatMap(([at, outcome]) =>
      typeof outcome === 'string' ? [] : [[task, at, outcome.code, outcome] as const],
    ),
  );

  test.each(REFUSED)('%s: %s is answered %s, with its field and what to do', async (task, _at, code, outcome) => {
    const { args, field, tenant = 'sales' } = outcome;
    const keyed = /^(get|list|preview|validate_input)/.test(task) ? {} : { idempotency_key: freshKey() };
    const asked = { tenant, version: '3.1', token: sandboxToken(tenant) };
    const { payload } = await server.call(task, { ...keyed, ...args(known) }, asked);
    expect(errorOf(payload)).toMatchObject({ code, field, suggestion: expect.stringMatching(/\w/) });
    expect(JSON.stringify(errorOf(payload)?.message)).not.toContain(NOBODY);
  });
});
