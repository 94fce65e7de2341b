import fc, { type Arbitrary } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../../src/protocol/errors.js';
import { type Booted, boot, rpc } from '../kit/boot.js';
import { createRequest, creative, freshKey, packageRequest, SANDBOX_ACCOUNT } from '../kit/buyer.js';
import { ARTIFACT, BRAND, PLAN, STANDARD } from '../kit/governed.js';
import { type Hints, requestsOf, wrongRequestsOf } from '../kit/requests.js';
import { hasSchemas, readSchemas, type SchemaRelease, schemaJudge } from '../kit/schemas.js';
import { shopper } from '../kit/shopper.js';
import { HIGH_LTV, TRADE_DESK } from '../kit/signals.js';
import { SHIPPED, sandboxToken, tenantsWithEveryTask } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

/** How many requests of each kind every task gets, per release. */
const RUNS = 30;
const SEED = 20_300_101;

/** The schemas of a task, as files of a release: what is asked, and what is answered. */
type Row = {
  readonly request: string;
  readonly response: string;
  /** Its schema knows no failed answer; what is judged of one is the error in it. */
  readonly failsOutside?: readonly SchemaRelease[];
  /** Releases whose schemas lack the task. */
  readonly notIn?: readonly SchemaRelease[];
  /** The tenant that answers it, where it is not listed. */
  readonly unlisted?: string;
};

const row = (name: string, more: Partial<Row> = {}): Row => ({
  request: `${name}-request`,
  response: `${name}-response`,
  ...more,
});
const PREVIEW: SchemaRelease = '3.2-beta.5';
const ALL: readonly SchemaRelease[] = ['3.0', '3.1', PREVIEW];
const OLD: readonly SchemaRelease[] = ['3.0'];
const FINAL: readonly SchemaRelease[] = ['3.0', '3.1'];

/** Tasks of the final releases that are refused to callers of the preview. */
const NOT_IN_PREVIEW: readonly SchemaRelease[] = [PREVIEW];

/** Every task that any tenant lists, and where its public schemas are. */
const ROWS: Readonly<Record<string, Row>> = {
  get_adcp_capabilities: row('protocol/get-adcp-capabilities', { failsOutside: ALL }),
  get_products: row('media-buy/get-products'),
  get_signals: row('signals/get-signals'),
  list_creative_formats: row('creative/list-creative-formats', { failsOutside: ALL }),
  build_creative: row('media-buy/build-creative'),
  preview_creative: row('creative/preview-creative', { failsOutside: ALL }),
  list_transformers: row('creative/list-transformers', { notIn: OLD, failsOutside: ALL }),
  validate_input: row('creative/validate-input', { notIn: OLD, failsOutside: ALL }),
  list_accounts: row('account/list-accounts', { failsOutside: ALL }),
  sync_accounts: row('account/sync-accounts'),
  get_account_financials: row('account/get-account-financials'),
  sync_governance: row('account/sync-governance'),
  activate_signal: row('signals/activate-signal'),
  create_media_buy: row('media-buy/create-media-buy'),
  update_media_buy: row('media-buy/update-media-buy'),
  get_task_status: row('protocol/get-task-status', { notIn: OLD, failsOutside: ALL }),
  list_tasks: row('protocol/list-tasks', { notIn: OLD, failsOutside: ALL }),
  get_media_buys: row('media-buy/get-media-buys', { failsOutside: ALL }),
  get_media_buy_delivery: row('media-buy/get-media-buy-delivery', { failsOutside: ALL }),
  sync_creatives: row('creative/sync-creatives'),
  list_creatives: row('creative/list-creatives', { failsOutside: ALL }),
  get_creative_delivery: row('creative/get-creative-delivery', { failsOutside: ALL }),
  get_media_buy_artifacts: row('content-standards/get-media-buy-artifacts', { unlisted: 'sales' }),
  sync_audiences: row('media-buy/sync-audiences'),
  sync_event_sources: row('media-buy/sync-event-sources'),
  log_event: row('media-buy/log-event'),
  sync_catalogs: row('media-buy/sync-catalogs'),
  provide_performance_feedback: row('media-buy/provide-performance-feedback'),
  report_usage: row('account/report-usage', { failsOutside: ALL }),
  sync_plans: row('governance/sync-plans', { notIn: NOT_IN_PREVIEW, failsOutside: ALL }),
  check_governance: row('governance/check-governance', { notIn: NOT_IN_PREVIEW, failsOutside: ALL }),
  report_plan_outcome: row('governance/report-plan-outcome', { notIn: NOT_IN_PREVIEW, failsOutside: ALL }),
  get_plan_audit_logs: row('governance/get-plan-audit-logs', { notIn: NOT_IN_PREVIEW, failsOutside: ALL }),
  get_creative_features: row('creative/get-creative-features'),
  create_content_standards: row('content-standards/create-content-standards'),
  list_content_standards: row('content-standards/list-content-standards'),
  get_content_standards: row('content-standards/get-content-standards'),
  update_content_standards: row('content-standards/update-content-standards'),
  calibrate_content: row('content-standards/calibrate-content'),
  validate_content_delivery: row('content-standards/validate-content-delivery'),
  validate_property_delivery: row('property/validate-property-delivery', { failsOutside: ALL }),
  create_property_list: row('property/create-property-list', { failsOutside: ALL }),
  get_property_list: row('property/get-property-list', { failsOutside: ALL }),
  update_property_list: row('property/update-property-list', { failsOutside: ALL }),
  list_property_lists: row('property/list-property-lists', { failsOutside: ALL }),
  delete_property_list: row('property/delete-property-list', { failsOutside: ALL }),
  create_collection_list: row('collection/create-collection-list', { failsOutside: ALL }),
  get_collection_list: row('collection/get-collection-list', { failsOutside: ALL }),
  update_collection_list: row('collection/update-collection-list', { failsOutside: ALL }),
  list_collection_lists: row('collection/list-collection-lists', { failsOutside: ALL }),
  delete_collection_list: row('collection/delete-collection-list', { failsOutside: ALL }),
  list_products: row('media-buy/list-products', { notIn: FINAL, failsOutside: ALL }),
  request_proposals: row('media-buy/request-proposals', { notIn: FINAL, failsOutside: ALL }),
  refine_proposals: row('media-buy/refine-proposals', { notIn: FINAL, failsOutside: ALL }),
  decline_proposals: row('media-buy/decline-proposals', { notIn: FINAL, failsOutside: ALL }),
  buy_products: row('media-buy/buy-products', { notIn: FINAL }),
  accept_proposal: row('media-buy/accept-proposal', { notIn: FINAL }),
  control_media_buy: row('media-buy/control-media-buy', { notIn: FINAL }),
  get_brand_identity: row('brand/get-brand-identity', { failsOutside: ALL }),
  verify_brand_claim: row('brand/verify-brand-claim', { notIn: OLD, failsOutside: ALL }),
  verify_brand_claims: row('brand/verify-brand-claims', { notIn: OLD, failsOutside: ALL }),
  search_brands: row('brand/search-brands', { notIn: OLD, failsOutside: ALL }),
  get_rights: row('brand/get-rights', { failsOutside: ALL }),
  acquire_rights: row('brand/acquire-rights', { notIn: NOT_IN_PREVIEW, failsOutside: ALL }),
  update_rights: row('brand/update-rights', { notIn: NOT_IN_PREVIEW, failsOutside: ALL }),
  comply_test_controller: row('compliance/comply-test-controller', { notIn: OLD, failsOutside: ALL }),
};

/** Codes that are about the caller, the moment or the whole request, not about one member of it. */
const WITHOUT_FIELD: ReadonlySet<string> = new Set([
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_EXPIRED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
  'AUTH_REQUIRED',
]);

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const LIST_ACCOUNT = { brand: BRAND, operator: 'acme-outdoor.example' };
const RIGHTS = {
  rights_id: 'velez_images',
  pricing_option_id: 'images_monthly',
  buyer: BRAND,
  campaign: { description: 'Trail shoes', uses: ['likeness'], start_date: '2030-02-01', end_date: '2030-04-30' },
  revocation_webhook: { url: 'https://buyer.example/revoked' },
};
const PERIOD = { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' };

/** Requests that succeed, for what a schema cannot know. The ids in them are of things that `knownThings` made. */
const BASES: Readonly<Record<string, (known: Known) => object>> = {
  get_products: () => ({ buying_mode: 'brief', brief: 'video on sports in the US, $20K', account: ACCOUNT }),
  get_signals: () => ({ signal_spec: 'in-market car buyers' }),
  list_creative_formats: () => ({}),
  build_creative: ({ format }) => ({
    message: 'Spring sale: 20% off',
    target_format_id: format,
    brand: BRAND,
    include_preview: true,
  }),
  preview_creative: ({ format }) => ({
    request_type: 'single',
    format_id: format,
    creative_manifest: { format_id: format, assets: creative('made').assets },
  }),
  validate_input: ({ format }) => ({ manifest: { format_id: format, assets: creative('made').assets } }),
  sync_accounts: () => ({ accounts: [{ brand: BRAND, operator: 'acme-outdoor.example', billing: 'operator' }] }),
  get_account_financials: () => ({ account: ACCOUNT }),
  activate_signal: () => ({ ...HIGH_LTV, destinations: [TRADE_DESK] }),
  create_media_buy: () => createRequest(),
  update_media_buy: ({ buys }) => ({ media_buy_id: buys[0], account: ACCOUNT }),
  get_task_status: ({ task }) => ({ task_id: task }),
  get_media_buy_artifacts: ({ buys }) => ({ media_buy_id: buys[0], account: ACCOUNT }),
  get_creative_delivery: ({ buys }) => ({ media_buy_ids: buys.slice(0, 2) }),
  sync_creatives: () => ({ account: ACCOUNT, creatives: [creative('made')] }),
  sync_audiences: () => ({ account: ACCOUNT }),
  sync_event_sources: () => ({ account: ACCOUNT, event_sources: [{ event_source_id: 'shop' }] }),
  log_event: () => ({
    event_source_id: 'shop',
    events: [{ event_id: 'e1', event_type: 'purchase', event_time: PERIOD.start }],
  }),
  sync_catalogs: () => ({ account: ACCOUNT }),
  provide_performance_feedback: ({ buys }) => ({
    media_buy_id: buys[1],
    measurement_period: PERIOD,
    performance_index: 1.1,
  }),
  list_products: () => ({ account: ACCOUNT }),
  request_proposals: () => ({ brand: BRAND, brief: 'video on sports in the US, $20K' }),
  refine_proposals: ({ draft }) => ({
    refinements: [{ proposal_id: draft, action: 'revise', ask: 'raise the budget to 25000 USD' }],
  }),
  decline_proposals: ({ draft }) => ({ declines: [{ proposal_id: draft, reason: 'price' }] }),
  buy_products: ({ feed }) => ({
    account: ACCOUNT,
    brand: BRAND,
    feed_version: feed,
    start_time: '2030-01-04T00:00:00Z',
    end_time: '2030-02-04T00:00:00Z',
    purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
  }),
  accept_proposal: ({ committed }) => ({ account: ACCOUNT, ...committed }),
  control_media_buy: ({ controlled }) => ({ account: ACCOUNT, media_buy_id: controlled, revision: 1, paused: true }),
  comply_test_controller: () => ({ scenario: 'list_scenarios' }),
  sync_plans: () => ({ plans: [PLAN] }),
  check_governance: () => ({ plan_id: PLAN.plan_id, caller: 'https://buyer.example/mcp' }),
  report_plan_outcome: () => ({
    plan_id: PLAN.plan_id,
    governance_context: 'context',
    outcome: 'failed',
    error: { code: 'PRODUCT_UNAVAILABLE' },
  }),
  create_content_standards: () => STANDARD,
  update_content_standards: ({ standard }) => ({ standards_id: standard, policies: STANDARD.policies }),
  get_content_standards: ({ standard }) => ({ standards_id: standard }),
  list_content_standards: () => ({ channels: ['display'] }),
  calibrate_content: ({ standard }) => ({ standards_id: standard, artifact: ARTIFACT }),
  validate_content_delivery: ({ standard }) => ({
    standards_id: standard,
    records: [{ record_id: 'r1', artifact: ARTIFACT, country: 'US', channel: 'display' }],
  }),
  get_brand_identity: () => ({ brand_id: 'acme_outdoor' }),
  verify_brand_claim: () => ({ claim_type: 'trademark', claim: { mark: 'Acme Outdoor' } }),
  verify_brand_claims: () => ({ claims: [{ claim_type: 'parent', claim: { parent_domain: 'house.example' } }] }),
  search_brands: () => ({ query: 'a climber', countries: ['DE'] }),
  get_rights: () => ({ query: 'a face', uses: ['likeness'] }),
  acquire_rights: () => RIGHTS,
  update_rights: ({ grant }) => ({ rights_id: grant, paused: true }),
  get_plan_audit_logs: () => ({ plan_ids: [PLAN.plan_id], include_entries: true }),
  get_creative_features: ({ format }) => ({
    creative_manifest: { format_id: format, assets: creative('made').assets },
  }),
  create_property_list: () => ({ name: 'Ours', account: LIST_ACCOUNT }),
  create_collection_list: () => ({ name: 'Ours', account: LIST_ACCOUNT }),
  ...Object.fromEntries(
    ['get_property_list', 'update_property_list', 'delete_property_list'].map((task) => [
      task,
      ({ lists }: Known) => ({ list_id: lists.property }),
    ]),
  ),
  ...Object.fromEntries(
    ['get_collection_list', 'update_collection_list', 'delete_collection_list'].map((task) => [
      task,
      ({ lists }: Known) => ({ list_id: lists.collection }),
    ]),
  ),
  validate_property_delivery: ({ lists }) => ({
    list_id: lists.property,
    records: [
      { identifier: { type: 'domain', value: 'northlight.example' }, impressions: 10, record_id: 'r1' },
      { identifier: { type: 'domain', value: 'x.example' }, impressions: 1, sales_agent_url: 'https://x.example/mcp' },
    ],
    include_compliant: true,
  }),
  list_property_lists: () => ({}),
  list_collection_lists: () => ({}),
};

const KNOWN_CODES: ReadonlySet<string> = new Set(Object.keys(ERROR_CODES));

/** What is wrong with an answer: what its schemas say, and what the house says about errors. */
type Judgement = readonly string[];
type Oracle = (task: string, payload: Payload, isError: boolean) => Judgement;

let validated = 0;

/** The judge of a release. Without schemas it still judges what the house says. */
function oracleOf(release: SchemaRelease): Oracle {
  const judge = hasSchemas(release) ? schemaJudge(release) : undefined;
  return (task, payload, isError) => {
    const { response, failsOutside = [], notIn = [] } = ROWS[task] ?? row(task);
    const faults = isError ? errorFaults(payload) : [];
    if (judge === undefined || notIn.includes(release)) return faults;
    if (release === '3.1') validated += 1;
    if (!isError) return [...faults, ...judge(response, payload)];
    const errors = payload.errors.flatMap((error) => judge('core/error', error));
    return [...faults, ...errors, ...(failsOutside.includes(release) ? [] : judge(response, payload))];
  };
}

function errorFaults({ errors, ...payload }: Payload): Judgement {
  const [error] = errors as unknown as readonly Readonly<Record<string, unknown>>[];
  if (error === undefined) return ['a failed answer without errors[]'];
  const code = String(error.code);
  return [
    ...(KNOWN_CODES.has(code) && code !== 'SERVICE_UNAVAILABLE' ? [] : [`the code is ${code}`]),
    ...(typeof error.message === 'string' && error.message !== '' ? [] : ['no message']),
    ...(typeof error.suggestion === 'string' || code === 'IDEMPOTENCY_CONFLICT'
      ? []
      : [`no suggestion beside ${code}`]),
    ...(typeof error.field === 'string' || WITHOUT_FIELD.has(code)
      ? []
      : [`no field beside ${code}: ${error.message}`]),
    ...(payload.status === 'failed' ? [] : [`a failed answer says status ${payload.status}`]),
    ...(/\bat .+:\d+:\d+|node_modules|SQLITE|\bzod\b/i.test(JSON.stringify(errors)) ? ['it tells internals'] : []),
  ];
}

/** The tenants of the shipped set; each is asked for all that it lists. */
const TENANTS = SHIPPED;

/** Members that are never sent: of a product with only some fields its own schema says no, and what is closed or gone takes no more. */
const UNASKED: Readonly<Record<string, readonly string[]>> = {
  get_products: ['fields'],
  sync_accounts: ['delete_missing'],
  sync_event_sources: ['delete_missing'],
};

/** Tasks that change what an account may do: another principal calls them, so that its orders are not what is refused. */
const DISTURBING: ReadonlySet<string> = new Set(['sync_governance', 'comply_test_controller']);

/** Tasks whose key is not optional. */
const KEYED: ReadonlySet<string> = new Set(
  Object.keys(ROWS).filter((task) =>
    /^(create|update|delete|sync|log|provide|report|activate|acquire|request|refine|decline|buy|accept|control)_/.test(
      task,
    ),
  ),
);

let server: Booted;
/** Things that are there. */
type Known = {
  readonly buys: readonly string[];
  readonly format: object;
  readonly task: string;
  readonly standard: string;
  readonly lists: { readonly property: string; readonly collection: string };
  /** A draft, a committed proposal as it is accepted, and the version of the offers. */
  readonly draft: string;
  readonly committed: object;
  readonly feed: string;
  /** A buy that nothing else changes. */
  readonly controlled: string;
  readonly grant: string;
};

let known: Known;
let hints: Hints;
const succeeded = new Set<string>();
const listed = new Map<string, readonly string[]>();

beforeAll(async () => {
  server = await boot({ tenants: tenantsWithEveryTask(), settings: { protocolPreview: true } });
  for (const tenant of TENANTS) {
    const { result } = rpc(await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, tenant));
    listed.set(
      tenant,
      (result as unknown as { tools: readonly { name: string }[] }).tools.map(({ name }) => name),
    );
  }
  [known, hints] = await knownThings();
});

afterAll(() => {
  const outcome = hasSchemas('3.1') ? `${validated} validated` : 'absent';
  process.stdout.write(`3.1 oracle: ${outcome}\n`);
});

async function makeList(task: string): Promise<string> {
  const args = { idempotency_key: freshKey(), name: 'Ours', account: LIST_ACCOUNT };
  const { payload } = await server.call(task, args, { tenant: 'governance' });
  return (payload.list as unknown as { readonly list_id: string }).list_id;
}

/** Things that are there, so that requests get further than to a name nobody knows. */
async function knownThings(): Promise<[Known, Hints]> {
  const one = shopper(server);
  const bought = await Promise.all(
    Array.from({ length: 6 }, () => one.create({ packages: [packageRequest(), packageRequest({ budget: 700 })] })),
  );
  const [buys, packages] = [
    bought.map(({ media_buy_id }) => media_buy_id),
    bought.flatMap((buy) => buy.packages.map(({ package_id }) => package_id)),
  ];
  await one.sync({ banner: packages.slice(0, 2), spare: [] });
  const sources = { account: ACCOUNT, event_sources: [{ event_source_id: 'shop' }] };
  const plans = { idempotency_key: freshKey(), plans: [PLAN] };
  await server.call('sync_plans', plans, { tenant: 'governance' });
  const standards = { idempotency_key: freshKey(), ...STANDARD };
  const { payload: judged } = await server.call('create_content_standards', standards, { tenant: 'governance' });
  const standard = String(judged.standards_id);
  const lists = {
    property: await makeList('create_property_list'),
    collection: await makeList('create_collection_list'),
  };
  await one.call('sync_event_sources', { idempotency_key: freshKey(), ...sources });
  const rights = { idempotency_key: freshKey(), ...RIGHTS };
  const acquired = await server.call('acquire_rights', rights, { tenant: 'brand', version: '3.1' });
  const grant = String(acquired.payload.rights_id);
  const account = fc.constantFrom(
    { account_id: SANDBOX_ACCOUNT },
    { brand: { domain: 'acme-outdoor.example' }, operator: 'pinnacle-agency.example' },
    { account_id: 'acct_of_nobody' },
  );
  const formats = ['display_300x250_image', 'video_standard_30s', 'no_such_format'].map((id) => ({
    agent_url: `${server.baseUrl}/creative/mcp`,
    id,
  }));
  const end = fc
    .integer({ min: 5, max: 60 })
    .map((day) => new Date(Date.parse('2030-01-01') + day * 86_400_000).toISOString());
  const made: Known = {
    buys,
    format: formats[0] ?? {},
    task: 'task_of_nobody',
    standard,
    lists,
    grant,
    ...(await madeProposals()),
  };
  const given: Hints = {
    account,
    idempotency_key: fc.constant(undefined).map(freshKey),
    standards_id: fc.constantFrom(standard, 'standard_of_nobody'),
    media_buy_id: fc.constantFrom(...buys.slice(1), 'mb_of_nobody'),
    media_buy_ids: fc.subarray([...buys, 'mb_of_nobody'], { minLength: 1 }),
    package_id: fc.constantFrom(...packages, 'pkg_of_nobody'),
    creative_id: fc.constantFrom('banner', 'spare', 'creative_of_nobody'),
    product_id: fc.constantFrom('test-product', 'northlight_preroll', 'play_live_sports', 'product_of_nobody'),
    pricing_option_id: fc.constantFrom('default', 'auction', 'cpm_fixed', 'option_of_nobody'),
    proposal_id: fc.constantFrom('balanced_reach_q2', 'premium_video_reserved', 'proposal_of_nobody'),
    total_budget: fc.constantFrom({ amount: 50_000, currency: 'USD' }, { amount: 1, currency: 'EUR' }),
    budget: fc.integer({ min: 1, max: 5000 }),
    brand: fc.constant(BRAND),
    operator: fc.constant('pinnacle-agency.example'),
    start_time: fc.constantFrom('asap', '2030-01-04T00:00:00Z'),
    end_time: end,
    format_id: fc.constantFrom(...formats),
    target_format_id: fc.constantFrom(...formats),
    format_ids: fc.subarray(formats, { minLength: 1 }),
    creatives: fc.constantFrom([creative('made')], [creative('made'), creative('other')]),
    creative_manifest: fc.constant({ format_id: formats[0], assets: creative('made').assets }),
    message: fc.constant('Spring sale: 20% off trail running shoes'),
    brief: fc.constantFrom('video on sports in the US, $20K', 'podcasts', ''),
    task_id: fc.constantFrom('task_of_nobody'),
    list_id: fc.constantFrom(lists.property, lists.collection, 'list_of_nobody'),
    plan_id: fc.constantFrom('plan-1', 'plan_of_nobody'),
    brand_id: fc.constantFrom('acme_outdoor', 'brand_of_nobody'),
    rights_id: fc.constantFrom('velez_images', grant, 'rights_of_nobody'),
    revocation_webhook: fc.constant({ url: 'https://buyer.example/revoked' }),
    buyer: fc.constant(BRAND),
    signal_agent_segment_id: fc.constantFrom('segment_of_nobody'),
    pagination: fc.constantFrom({ max_results: 1 }, {}),
    context: fc.constant({ correlation_id: 'oracle' }),
    currency: fc.constantFrom('USD', 'EUR'),
    billing: fc.constant('operator'),
    // What the envelope says about the release is the tests' own to say.
    adcp_version: fc.constant(undefined),
    adcp_major_version: fc.constant(undefined),
    push_notification_config: fc.constant({ url: 'https://buyer.example/hook', operation_id: 'op-1' }),
    reporting_webhook: fc.constant({ url: 'https://buyer.example/reports', reporting_frequency: 'daily' }),
    url: fc.constant('https://cdn.example/banner.png'),
    event_source_id: fc.constantFrom('shop', 'source_of_nobody'),
  };
  return [made, given];
}

/** Proposals of the preview, and the version of the offers that are bought directly. */
async function madeProposals(): Promise<Pick<Known, 'draft' | 'committed' | 'feed' | 'controlled'>> {
  type Snapshot = { readonly proposal_id: string; readonly terms_digest: string };
  type Made = {
    readonly proposals: readonly Snapshot[];
    readonly results: readonly { readonly proposal: Snapshot }[];
    readonly feed_version: string;
  };
  const call = async (task: string, args: object): Promise<Made> => {
    const answer = await server.call(task, { idempotency_key: freshKey(), ...args }, { version: PREVIEW });
    return answer.payload as unknown as Made;
  };
  const request = { brand: BRAND, brief: 'video on sports in the US, $20K' };
  const [draft] = (await call('request_proposals', request)).proposals;
  const [other] = (await call('request_proposals', request)).proposals;
  const refinements = [{ proposal_id: other?.proposal_id, action: 'finalize' }];
  const { proposal } = (await call('refine_proposals', { refinements })).results[0] ?? {};
  return {
    draft: draft?.proposal_id ?? '',
    committed: { proposal_id: proposal?.proposal_id, proposal_terms_digest: proposal?.terms_digest },
    feed: (await call('list_products', {})).feed_version,
    controlled: (await shopper(server).create()).media_buy_id,
  };
}

describe.each(ALL)('for callers of %s', (release) => {
  // Callers of one release end lists that those of the next need.
  beforeAll(async () => {
    const lists = {
      property: await makeList('create_property_list'),
      collection: await makeList('create_collection_list'),
    };
    known = { ...known, lists };
  });

  const oracle = oracleOf(release);
  // Requests of 3.1 are asked without its schemas too: those of 3.0 are requests of 3.1.
  const schemas = readSchemas(hasSchemas(release) ? release : '3.0');

  /** Requests of a task: those its schema allows, such as succeed with some members more, and wrong ones. */
  function asked(task: string): Arbitrary<Record<string, unknown>> {
    const { request, notIn = [] } = ROWS[task] ?? row(task);
    const isKnown = !notIn.includes(release) && (notIn.length === 0 || hasSchemas(release));
    const allowed = requestsOf(isKnown ? schemas.named(request) : {}, schemas, hints);
    const base = (): object => ({
      ...(KEYED.has(task) ? { idempotency_key: freshKey() } : {}),
      ...BASES[task]?.(known),
    });
    const based = fc.tuple(allowed, fc.array(fc.nat(), { maxLength: 2 })).map(([request, picks]) => {
      const names = Object.keys(request).filter((name) => !(name in base()));
      const more = picks.flatMap((pick) => names[pick % Math.max(1, names.length)] ?? []);
      return { ...Object.fromEntries(more.map((name) => [name, request[name]])), ...base() } as Record<string, unknown>;
    });
    return fc.oneof(allowed, based, wrongRequestsOf(fc.oneof(allowed, based)));
  }

  describe.each(TENANTS)('%s', (tenant) => {
    test('every task that it lists has its row', () => {
      expect(listed.get(tenant)?.filter((task) => !(task in ROWS))).toEqual([]);
    });

    test.each(Object.keys(ROWS))('%s answers as its schema says, whatever it is asked', async (task) => {
      if (listed.get(tenant)?.includes(task) !== true && ROWS[task]?.unlisted !== tenant) return;
      const token = sandboxToken(tenant, DISTURBING.has(task) ? 'sandbox-token-2' : 'sandbox-token');
      const faults: object[] = [];
      for (const args of fc.sample(asked(task), { numRuns: RUNS, seed: SEED })) {
        for (const member of UNASKED[task] ?? []) delete args[member];
        const { payload, isError, status } = await server.call(task, args, { tenant, version: release, token });
        if (!isError) succeeded.add(`${release} ${task}`);
        const found = [...(status === 200 ? [] : [`HTTP ${status}`]), ...oracle(task, payload, isError)];
        if (found.length > 0) faults.push({ args, found, payload });
      }
      expect(faults.slice(0, 3)).toEqual([]);
    });
  });
});

test('every task succeeded for callers of every release that has it, and so was judged', () => {
  const tasks = [...new Set([...listed.values()].flat())].filter((task) => task !== 'get_task_status');
  const missing = ALL.flatMap((release) =>
    tasks
      .filter((task) => ROWS[task]?.notIn !== (release === PREVIEW ? NOT_IN_PREVIEW : FINAL))
      .map((task) => `${release} ${task}`),
  ).filter((one) => !succeeded.has(one));
  expect(missing).toEqual([]);
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});
