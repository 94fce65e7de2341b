import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Field, Members } from '../../src/seller/tasks/fields/field.js';
import { TASK_FIELDS } from '../../src/seller/tasks/fields/index.js';
import { type Booted, boot } from '../kit/boot.js';
import {
  createRequest,
  creative,
  freshKey,
  packageRequest,
  SANDBOX_ACCOUNT,
  succeeded,
  updateRequest,
} from '../kit/buyer.js';
import { BRAND, PLAN } from '../kit/governed.js';
import { valuesOf } from '../kit/requests.js';
import { memberNodes, requestNodes, type SchemaNode } from '../kit/schema-fields.js';
import { hasSchemas, readSchemas, type SchemaRelease } from '../kit/schemas.js';
import { HIGH_LTV, TRADE_DESK } from '../kit/signals.js';
import { tenantsWithEveryTask } from '../kit/tenants.js';
import type { Payload } from '../kit/wire.js';

/** A row of the table: the way to it, where each list stands for its first item and `*` for one key of a map. */
type Row = {
  readonly task: string;
  readonly at: readonly string[];
  readonly field: Field;
  readonly nodes: readonly SchemaNode[];
  /** The release that the nodes are of. */
  readonly release: SchemaRelease;
};

/** The preview last: what all releases have is judged as those have it that are final. */
const PREVIEW = '3.2-beta.5';
const RELEASES = (['3.1', '3.0', PREVIEW] as const).filter(hasSchemas);
const SEED = 20_300_101;

function rowsOf(
  task: string,
  members: Members,
  at: readonly string[],
  nodes: readonly (readonly SchemaNode[])[],
): readonly Row[] {
  const within = RELEASES.map((release, index) => memberNodes(readSchemas(release), nodes[index] ?? []));
  return Object.entries(members).flatMap(([name, field]) => {
    const named = name.replace(/^proto_/, 'adcp_');
    const own = within.map((release) => release.get(named) ?? []);
    const deeper =
      field.use === 'honored' && field.members !== undefined && field.members !== 'whole' ? field.members : {};
    return [{ task, at: [...at, named], field, ...firstFound(own) }, ...rowsOf(task, deeper, [...at, named], own)];
  });
}

function firstFound(nodes: readonly (readonly SchemaNode[])[]): Pick<Row, 'nodes' | 'release'> {
  const index = nodes.findIndex((some) => some.length > 0);
  return { nodes: nodes[index] ?? [], release: RELEASES[index] ?? '3.0' };
}

const ROWS = Object.entries(TASK_FIELDS).flatMap(([task, members]) =>
  rowsOf(
    task,
    members,
    [],
    RELEASES.map((release) => requestNodes(readSchemas(release), task)),
  ),
);

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const BY_KEY = { brand: BRAND, operator: 'pinnacle-agency.example' };
const PERIOD = { start: '2030-01-01T00:00:00Z', end: '2030-01-02T00:00:00Z' };
const FORMAT = { agent_url: 'https://your-platform.example.com', id: 'display_300x250_image' };
const STANDARD = {
  scope: { languages_any: ['en'] },
  policies: [{ policy_id: 'no_weapons', enforcement: 'should', policy: 'Nothing about weapons.' }],
};
const ARTICLE = { property_rid: 'prop_1', artifact_id: 'article_1', assets: [{ type: 'text', content: 'A walk' }] };
const HASH = 'a'.repeat(64);
const MANIFEST = { format_id: FORMAT, assets: creative('made').assets };
const MEMBER = { external_id: 'p1', hashed_email: HASH };

let server: Booted;
let buy: Payload;
/** Rights that were acquired. */
let granted = '';
/** The version of the offers, and a buy of them. */
let feed: string;
let bought: string;
let boughtPackage: string;
/** An order that waits. */
let waiting: string;
/** Content standards. */
let standard: string;
/** A list of each kind at the governance agent. */
let lists: { readonly property: string; readonly collection: string };
/** Lists that each deletion takes one of. */
const spare: { readonly property: string[]; readonly collection: string[] } = { property: [], collection: [] };
/** Creatives within a request are new ones each time. */
let made = 0;

/** A request of each task that succeeds. */
const BASES: Readonly<Record<string, () => object | Promise<object>>> = {
  get_products: () => ({ brief: 'video on sports' }),
  get_signals: () => ({ signal_spec: 'in-market car buyers' }),
  // An evaluator needs something to choose among.
  build_creative: () => ({ message: 'Spring sale: 20% off', target_format_id: FORMAT, brand: BRAND, max_variants: 2 }),
  preview_creative: () => ({ request_type: 'single', creative_manifest: MANIFEST }),
  validate_input: () => ({ manifest: MANIFEST }),
  sync_accounts: () => ({ accounts: [{ ...BY_KEY, billing: 'operator' }] }),
  get_account_financials: () => ({ account: ACCOUNT }),
  sync_governance: () => ({
    accounts: [
      {
        account: { brand: { domain: 'governed.example' }, operator: 'governed.example' },
        governance_agents: [
          {
            url: 'https://governance.example/mcp',
            authentication: { schemes: ['Bearer'], credentials: 'x'.repeat(40) },
          },
        ],
      },
    ],
  }),
  activate_signal: () => ({ ...HIGH_LTV, destinations: [TRADE_DESK] }),
  create_media_buy: () => createRequest(),
  update_media_buy: () => updateRequest(buy.media_buy_id, { packages: [{ package_id: buy.packages[0]?.package_id }] }),
  get_creative_delivery: () => ({ media_buy_ids: [buy.media_buy_id] }),
  get_media_buy_artifacts: () => ({ media_buy_id: buy.media_buy_id }),
  sync_creatives: () => ({ account: ACCOUNT, creatives: [creative('made')] }),
  sync_audiences: () => ({ account: ACCOUNT, audiences: [{ audience_id: 'crm', add: [MEMBER] }] }),
  sync_event_sources: () => ({ account: ACCOUNT, event_sources: [{ event_source_id: 'shop' }] }),
  log_event: () => ({
    event_source_id: 'shop',
    events: [{ event_id: freshKey(), event_type: 'purchase', event_time: PERIOD.start }],
  }),
  sync_catalogs: () => ({
    account: ACCOUNT,
    catalogs: [{ catalog_id: 'shoes', type: 'product', items: [{ id: 'a' }] }],
  }),
  provide_performance_feedback: () => ({
    media_buy_id: buy.media_buy_id,
    measurement_period: PERIOD,
    performance_index: 1.1,
  }),
  report_usage: () => ({
    reporting_period: PERIOD,
    usage: [{ account: ACCOUNT, media_buy_id: buy.media_buy_id, vendor_cost: 1, currency: 'USD' }],
  }),
  comply_test_controller: () => ({ scenario: 'list_scenarios' }),
  get_task_status: () => ({ task_id: waiting }),
  sync_plans: () => ({ plans: [PLAN] }),
  check_governance: () => ({ plan_id: PLAN.plan_id, caller: 'https://buyer.example/mcp' }),
  report_plan_outcome: () => ({
    plan_id: PLAN.plan_id,
    governance_context: 'context',
    outcome: 'completed',
    seller_response: { committed_budget: 1 },
  }),
  get_plan_audit_logs: () => ({ plan_ids: [PLAN.plan_id] }),
  get_creative_features: () => ({ creative_manifest: MANIFEST }),
  create_content_standards: () => STANDARD,
  update_content_standards: () => ({ standards_id: standard, policies: STANDARD.policies }),
  get_content_standards: () => ({ standards_id: standard }),
  calibrate_content: () => ({ standards_id: standard, artifact: ARTICLE }),
  validate_content_delivery: () => ({ standards_id: standard, records: [{ record_id: 'r1', artifact: ARTICLE }] }),
  create_property_list: () => ({ name: 'Ours', account: BY_KEY }),
  create_collection_list: () => ({ name: 'Ours', account: BY_KEY }),
  validate_property_delivery: () => ({
    list_id: lists.property,
    records: [{ identifier: { type: 'domain', value: 'x.example' }, impressions: 1 }],
  }),
  get_property_list: () => ({ list_id: lists.property }),
  get_collection_list: () => ({ list_id: lists.collection }),
  update_property_list: () => ({ list_id: lists.property }),
  update_collection_list: () => ({ list_id: lists.collection }),
  delete_property_list: () => ({ list_id: spare.property.pop() }),
  delete_collection_list: () => ({ list_id: spare.collection.pop() }),
  get_brand_identity: () => ({ brand_id: 'acme_outdoor' }),
  verify_brand_claim: () => ({
    claim_type: 'property',
    claim: { property: { type: 'website', identifier: 'acme-outdoor.example' } },
  }),
  verify_brand_claims: () => ({
    claims: [{ claim_type: 'property', claim: { property: { type: 'website', identifier: 'acme-outdoor.example' } } }],
  }),
  search_brands: () => ({ query: 'a climber' }),
  get_rights: () => ({ query: 'a face', uses: ['likeness'] }),
  acquire_rights: () => ({
    rights_id: 'velez_images',
    pricing_option_id: 'images_monthly',
    buyer: BRAND,
    campaign: { description: 'Shoes', uses: ['likeness'], start_date: '2030-02-01', end_date: '2030-04-30' },
    revocation_webhook: { url: 'https://buyer.example/revoked' },
  }),
  update_rights: () => ({ rights_id: granted, paused: true }),
  list_products: () => ({ account: ACCOUNT }),
  request_proposals: () => ({ account: ACCOUNT, brand: BRAND, brief: 'video on sports in the US, $20K' }),
  refine_proposals: async () => ({
    refinements: [{ proposal_id: await requestProposal(), action: 'revise', ask: 'raise the budget to 25000 USD' }],
  }),
  decline_proposals: async () => ({ declines: [{ proposal_id: await requestProposal(), reason: 'price' }] }),
  buy_products: () => ({
    account: ACCOUNT,
    brand: BRAND,
    feed_version: feed,
    start_time: '2030-02-01T00:00:00Z',
    end_time: '2030-03-01T00:00:00Z',
    purchases: [{ product_id: 'test-product', pricing_option_id: 'default', budget: 900 }],
  }),
  accept_proposal: async () => ({ account: ACCOUNT, ...(await holdProposal()) }),
  control_media_buy: async () => {
    const read = await ask('get_media_buys', { media_buy_ids: [bought] });
    const [{ revision, paused }] = (read.payload as unknown as { media_buys: [{ revision: number; paused?: boolean }] })
      .media_buys;
    const packages = [{ package_id: boughtPackage }];
    return { account: ACCOUNT, media_buy_id: bought, revision, paused: paused !== true, packages };
  },
};

/** Returns a proposal of the preview that can be revised. */
async function requestProposal(): Promise<string> {
  const opportunity = PARENTS.opportunity;
  const request = { ...(await requestWith('request_proposals', new Map())), opportunity };
  const { payload } = await ask('request_proposals', request);
  return (payload as unknown as { proposals: [{ proposal_id: string }] }).proposals[0].proposal_id;
}

/** Returns what accepts a proposal that is held for the buyer. */
async function holdProposal(): Promise<object> {
  const refinements = [{ proposal_id: await requestProposal(), action: 'finalize' }];
  const { payload } = await ask('refine_proposals', { idempotency_key: freshKey(), refinements });
  const [{ proposal }] = (
    payload as unknown as { results: [{ proposal: { proposal_id: string; terms_digest: string } }] }
  ).results;
  return { proposal_id: proposal.proposal_id, proposal_terms_digest: proposal.terms_digest };
}

/** What a member holds where a row is within it and the base has it not. */
const PARENTS: Readonly<Record<string, unknown>> = {
  account: BY_KEY,
  accounts: [BY_KEY],
  buyer_brand: BRAND,
  brand: BRAND,
  new_packages: [packageRequest()],
  creative_assignments: [{ creative_id: 'inline' }],
  assignments: [{ creative_id: 'made', package_id: 'pkg_x' }],
  creative_manifest: MANIFEST,
  targets: [{ kind: 'canonical', id: 'image' }],
  requests: [{ creative_manifest: MANIFEST }],
  variant_axis: { dimension: 'theme' },
  evaluator: { evaluator_id: 'creative_features' },
  feature_requirement: [{ feature_id: 'width_px', if_not_covered: 'include' }],
  performance_standards: [{ metric: 'viewability', threshold: 0.5 }],
  optimization_goals: [{ kind: 'metric', metric: 'clicks' }],
  daypart_targets: [{ days: ['monday'], start_hour: 0, end_hour: 24 }],
  remove: [{ external_id: 'p0' }],
  user_match: { hashed_email: HASH },
  uids: [{ type: 'uid2', value: 'x' }],
  logo: { url: 'https://cdn.example/logo.png' },
  opportunity: { opportunity_id: 'season-2030' },
  required_geo_targeting: [{ level: 'country' }],
  catalog: { type: 'product' },
  geo: { geo_level: 'country' },
  custom_policies: [{ policy_id: 'p1', enforcement: 'should', policy: 'Be kind.' }],
  delivery_metrics: { reporting_period: PERIOD },
  delivery: { reporting_period: PERIOD },
};

/** Values where any that the schema allows would be refused for another reason. */
const VALUES: Readonly<Record<string, unknown>> = { context: { correlation_id: 'x', list: [1, null] } };

const TENANTS: Readonly<Record<string, string>> = {
  build_creative: 'creative',
  preview_creative: 'creative',
  list_transformers: 'creative',
  validate_input: 'creative',
  get_signals: 'signals',
  activate_signal: 'signals',
  sync_plans: 'governance',
  check_governance: 'governance',
  report_plan_outcome: 'governance',
  get_plan_audit_logs: 'governance',
  get_creative_features: 'governance',
  create_content_standards: 'governance',
  list_content_standards: 'governance',
  get_content_standards: 'governance',
  update_content_standards: 'governance',
  calibrate_content: 'governance',
  validate_content_delivery: 'governance',
  validate_property_delivery: 'governance',
  ...Object.fromEntries(
    Object.keys(TASK_FIELDS).flatMap((task) => (/_lists?$/.test(task) ? [[task, 'governance']] : [])),
  ),
  get_brand_identity: 'brand',
  verify_brand_claim: 'brand',
  verify_brand_claims: 'brand',
  search_brands: 'brand',
  get_rights: 'brand',
  acquire_rights: 'brand',
  update_rights: 'brand',
};
const QUERIES = /^(get|list|preview|check|validate|verify)_/;

/** The tasks that the preview alone has. */
const COMPACT: ReadonlySet<string> = new Set(
  ROWS.filter(({ release }) => release === PREVIEW).flatMap(({ task }) =>
    requestNodes(readSchemas('3.1'), task).length === 0 ? [task] : [],
  ),
);

/** A request of the row's task, with values at these rows; all of them have one parent. */
async function requestWith(
  task: string,
  values: ReadonlyMap<readonly string[], unknown>,
): Promise<Record<string, unknown>> {
  const request: Record<string, unknown> = structuredClone({
    ...(QUERIES.test(task) ? {} : { idempotency_key: freshKey() }),
    ...(await BASES[task]?.()),
  });
  // A purchase names its brand once: in the account, or beside it.
  if (COMPACT.has(task) && [...values.keys()].some(([first, second]) => first === 'account' && second === 'brand'))
    Object.assign(request, { account: structuredClone(BY_KEY), brand: undefined });
  if (task === 'preview_creative' && [...values.keys()].some(([first]) => first === 'requests'))
    Object.assign(request, { request_type: 'batch' });
  for (const [at, value] of values) {
    let holder = request;
    for (const step of at.slice(0, -1)) holder = enter(holder, step);
    holder[at.at(-1) ?? ''] = value;
  }
  return request;
}

function enter(holder: Record<string, unknown>, step: string): Record<string, unknown> {
  const name = step === '*' ? (Object.keys(holder)[0] ?? 'x') : step;
  made += 1;
  holder[name] ??= name === 'creatives' ? [creative(`inline_${made}`)] : structuredClone(PARENTS[name] ?? {});
  const value = holder[name];
  return (Array.isArray(value) ? value[0] : value) as Record<string, unknown>;
}

/** The path of a row in a request, as errors tell it. */
function fieldOf(request: object, at: readonly string[]): string {
  let value: unknown = request;
  return at.reduce((field, step) => {
    const name = step === '*' ? (Object.keys(value as object)[0] ?? 'x') : step;
    value = (value as Record<string, unknown>)[name];
    const index = Array.isArray(value) && step !== at.at(-1) ? '[0]' : '';
    if (Array.isArray(value)) value = value[0];
    return `${field}${field === '' ? '' : '.'}${name}${index}`;
  }, '');
}

/** Values that a part of the schemas allows; shared parts are sampled once. */
const SAMPLES = new Map<unknown, readonly unknown[]>();

/** A value that the schemas allow at a row, and that asks for something. */
function valueFor({ at, nodes, field, release }: Row): unknown {
  const name = at.at(-1) ?? '';
  if (name in VALUES) return VALUES[name];
  const unless = field.use === 'refused' ? field.unless : [];
  const [node] = nodes;
  const values =
    SAMPLES.get(node?.schema) ?? fc.sample(valuesOf(node?.schema, readSchemas(release)), { numRuns: 12, seed: SEED });
  SAMPLES.set(node?.schema, values);
  const sample = values.find(
    (value) => JSON.stringify(value).length > 2 && !unless.some((one) => isDeepStrictEqual(one, value)),
  );
  return sample ?? { asked: true };
}

async function ask(task: string, args: object): Promise<{ readonly payload: Payload; readonly isError: boolean }> {
  const name = task === 'get_capabilities' ? 'get_adcp_capabilities' : task;
  return server.call(name, args, { tenant: TENANTS[task] ?? 'sales', version: COMPACT.has(task) ? PREVIEW : '3.1' });
}

beforeAll(async () => {
  server = await boot({ tenants: tenantsWithEveryTask(), settings: { protocolPreview: true } });
  buy = succeeded(
    await server.call(
      'create_media_buy',
      createRequest({ packages: [packageRequest({ creatives: [creative('first')] })] }),
    ),
  );
  const waits = { arm: 'submitted', task_id: 'task_waits', message: 'A person looks at it.' };
  const account = { ...BY_KEY, sandbox: true };
  succeeded(
    await server.call('comply_test_controller', { scenario: 'force_create_media_buy_arm', params: waits, account }),
  );
  waiting = String(succeeded(await server.call('create_media_buy', createRequest({ account: BY_KEY }))).task_id);
  standard = String(
    (await ask('create_content_standards', await requestWith('create_content_standards', new Map()))).payload
      .standards_id,
  );
  await ask('sync_plans', await requestWith('sync_plans', new Map()));
  granted = String((await ask('acquire_rights', await requestWith('acquire_rights', new Map()))).payload.rights_id);
  await ask('sync_event_sources', await requestWith('sync_event_sources', new Map()));
  feed = String((await ask('list_products', { account: ACCOUNT })).payload.feed_version);
  const purchase = (await ask('buy_products', await requestWith('buy_products', new Map()))).payload as unknown as {
    media_buy_id: string;
    purchase_bindings: [{ package_id: string }];
  };
  bought = purchase.media_buy_id;
  boughtPackage = purchase.purchase_bindings[0].package_id;
  lists = { property: await makeList('create_property_list'), collection: await makeList('create_collection_list') };
  for (let count = 0; count < SPARE_LISTS; count += 1) {
    spare.property.push(await makeList('create_property_list'));
    spare.collection.push(await makeList('create_collection_list'));
  }
});

const SPARE_LISTS = 10;

async function makeList(task: string): Promise<string> {
  const { payload } = await ask(task, await requestWith(task, new Map()));
  return (payload.list as unknown as { readonly list_id: string }).list_id;
}

describe('a refused field', () => {
  const refused = ROWS.filter(({ field }) => field.use === 'refused');

  test.each(Object.keys(TASK_FIELDS).filter((task) => refused.some((row) => row.task === task)))(
    'of %s is answered with the code and the path that the table names',
    async (task) => {
      const wrong: object[] = [];
      for (const row of refused.filter((one) => one.task === task)) {
        const args = await requestWith(task, new Map([[row.at, valueFor(row)]]));
        const { payload, isError } = await ask(task, args);
        const [error] = (isError ? payload.errors : []) as readonly {
          code?: string;
          field?: string;
          suggestion?: string;
        }[];
        const wanted = { code: row.field.use === 'refused' && row.field.code, field: fieldOf(args, row.at) };
        if (error?.code === wanted.code && error.field === wanted.field && error.suggestion) continue;
        wrong.push({ wanted, error });
      }
      expect(wrong).toEqual([]);
    },
  );
});

describe('carried fields', () => {
  const carried = new Map<string, Row[]>();
  for (const row of ROWS) {
    const parent = [row.task, ...row.at.slice(0, -1)].join('.');
    if (row.field.use === 'carried') carried.set(parent, [...(carried.get(parent) ?? []), row]);
  }

  test.each([...carried.keys()])('of %s are taken, and come back where the table says', async (parent) => {
    const rows = carried.get(parent) ?? [];
    const task = rows[0]?.task ?? '';
    const values = new Map(rows.filter((row) => row.nodes.length > 0).map((row) => [row.at, valueFor(row)]));
    const args = await requestWith(task, values);
    const { payload, isError } = await ask(task, args);
    expect({ isError, faults: faultsOf(payload) }).toEqual({ isError: false, faults: [] });
    for (const { field, at: path } of rows) {
      if (field.use !== 'carried' || !values.has(path)) continue;
      const shown = await holderOf(field.to, task, path, payload, args);
      if (shown === undefined) continue;
      expect({ path, value: shown[path.at(-1) ?? ''] }).toEqual({ path, value: values.get(path) });
    }
  });
});

/** What failed within an answer that did not fail as a whole. */
function faultsOf(payload: Payload): readonly unknown[] {
  const { errors, partial_failures: failures, ...lists } = payload as unknown as Record<string, unknown>;
  const rows = Object.values(lists).filter(Array.isArray).flat() as {
    action?: string;
    status?: string;
    errors?: unknown;
  }[];
  return [errors, failures, ...rows.filter((row) => row?.action === 'failed' || row?.status === 'failed')].filter(
    (fault) => fault !== undefined,
  );
}

/** The object that shows carried members of this path again; undefined where the protocol has no place for them. */
async function holderOf(
  to: string,
  task: string,
  at: readonly string[],
  payload: Payload,
  args: object,
): Promise<Record<string, unknown> | undefined> {
  if (to === 'answer') return payload as unknown as Record<string, unknown>;
  const parents = at.slice(0, -1);
  if (to === 'media buy' || to === 'package') {
    const read = await ask('get_media_buys', { media_buy_ids: [payload.media_buy_id ?? buy.media_buy_id] });
    const [shown] = (read.payload as unknown as { media_buys: readonly Payload[] }).media_buys;
    if (to === 'media buy') return walk(shown, parents);
    const line = parents[0] === 'new_packages' ? shown?.packages.at(-1) : shown?.packages[0];
    return walk(line, parents.slice(1));
  }
  const from = parents.indexOf('creatives');
  if (to === 'creative' && from >= 0) {
    const id = walk(args, parents.slice(0, from + 1))?.creative_id;
    const read = await ask('list_creatives', { filters: { creative_ids: [id] } });
    return walk((read.payload as unknown as { creatives: readonly unknown[] }).creatives[0], parents.slice(from + 1));
  }
  if (to === 'store' && task !== '') expect(isStored(args, parents, at)).toBe(true);
  return undefined;
}

function walk(value: unknown, steps: readonly string[]): Record<string, unknown> | undefined {
  return steps.reduce<unknown>((from, step) => {
    const holder = from as Record<string, unknown> | undefined;
    const next = holder?.[step === '*' ? (Object.keys(holder)[0] ?? '') : step];
    return Array.isArray(next) ? next[0] : next;
  }, value) as Record<string, unknown> | undefined;
}

/** Whether the first text among the members of a path is in the files of the store, as it came. */
function isStored(args: object, parents: readonly string[], at: readonly string[]): boolean {
  const value = walk(args, parents)?.[at.at(-1) ?? ''];
  const marker = typeof value === 'string' ? value : undefined;
  if (marker === undefined) return true;
  const bytes = JSON.stringify(marker).slice(1, -1);
  return listFiles(server.dataDir).some((file) => readFileSync(file).includes(bytes));
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
