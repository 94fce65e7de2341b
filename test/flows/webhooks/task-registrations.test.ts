import { describe, expect, test } from 'vitest';
import { protocolNames } from '../../../src/protocol/names.js';
import { TASK_FIELDS } from '../../../src/seller/tasks/fields/index.js';
import { TOOLS } from '../../../src/seller/tasks/index.js';
import { argumentNames, toolName } from '../../../src/seller/tasks/pipeline/tool.js';
import { boot } from '../../kit/boot.js';
import { freshKey, SANDBOX_ACCOUNT } from '../../kit/buyer.js';
import { controllerOf } from '../../kit/controller.js';
import { settle } from '../../kit/events.js';
import { startReceiver } from '../../kit/receiver.js';
import { memberNodes, REQUEST_SCHEMAS, requestNodes } from '../../kit/schema-fields.js';
import { hasSchemas, readSchemas } from '../../kit/schemas.js';

const FIELD = 'push_notification_config';
const RELEASES = (['3.0', '3.1'] as const).filter(hasSchemas);
const TASKS = TOOLS.filter((tool) => typeof tool.name === 'string' && tool.sandboxOnly !== true);

/** What the table says of the registration of a task. */
function treatmentOf(task: string): string | undefined {
  return TASK_FIELDS[task]?.[FIELD]?.use;
}

describe('the registration of every task', () => {
  test('is honored, refused or known to have nothing to tell where the task changes something, or the protocol gives it one', () => {
    const undecided = TASKS.filter((tool) => {
      const name = String(tool.name);
      const isPublic = RELEASES.some((release) =>
        memberNodes(readSchemas(release), requestNodes(readSchemas(release), name)).has(FIELD),
      );
      const isMeant = tool.kind === 'mutation' || isPublic;
      return isMeant && !['honored', 'refused', 'carried'].includes(treatmentOf(name) ?? 'silent');
    });
    expect(undecided.map((tool) => tool.name)).toEqual([]);
    expect(Object.keys(REQUEST_SCHEMAS).length).toBeGreaterThan(TASKS.length);
  });

  test('is published by those that honor it, and by no other', () => {
    for (const tool of TASKS)
      expect([tool.name, argumentNames(tool).includes(FIELD)]).toEqual([
        tool.name,
        treatmentOf(String(tool.name)) === 'honored',
      ]);
  });
});

const server = await boot({ settings: { protocolPreview: true } });

const ACCOUNT = { account_id: SANDBOX_ACCOUNT };
const AGENT = {
  url: 'https://governance.example/mcp',
  authentication: { schemes: ['Bearer'], credentials: 'c'.repeat(32) },
};

/** Arguments that a task can be called with, so that nothing but the registration is wrong. */
const ARGUMENTS: Readonly<Record<string, object>> = {
  sync_governance: { accounts: [{ account: ACCOUNT, governance_agents: [AGENT] }] },
  sync_accounts: { accounts: [{ brand: { domain: 'acme.example' }, operator: 'acme.example', billing: 'operator' }] },
  report_usage: {
    reporting_period: { start: '2026-07-01T00:00:00Z', end: '2026-07-02T00:00:00Z' },
    usage: [{ account: ACCOUNT, vendor_cost: 1, currency: 'USD' }],
  },
  log_event: { event_source_id: 'pixel', events: [{}] },
  sync_audiences: { account: ACCOUNT },
  sync_event_sources: { account: ACCOUNT },
  provide_performance_feedback: {
    media_buy_id: 'mb',
    measurement_period: { start: '2026-07-01T00:00:00Z', end: '2026-07-02T00:00:00Z' },
    performance_index: 1,
  },
};

const ARTICLE = { property_rid: 'p', artifact_id: 'a', assets: [{ type: 'text', content: 'A walk' }] };
const CLAIM = { claim_type: 'parent', claim: { parent_domain: 'house.example' } };

/** Calls a task, its own arguments aside, with a registration. */
async function callWith(tool: (typeof TASKS)[number], config: object) {
  const name = toolName(tool, protocolNames('adcp'));
  const key = tool.kind === 'mutation' ? { idempotency_key: freshKey() } : {};
  const args = { ...key, ...ARGUMENTS[name], [FIELD]: config };
  return server.call(name, args, { tenant: tool.kinds[0] ?? 'sales' });
}

/** The kinds of the tenants that are booted. */
const BOOTED: ReadonlySet<string> = new Set(['sales', 'creative', 'signals']);
const OVER = TASKS.filter(
  (tool) => tool.kind === 'mutation' && treatmentOf(String(tool.name)) === 'carried' && BOOTED.has(tool.kinds[0] ?? ''),
);

test.each(OVER.map((tool) => [tool.name, tool] as const))(
  '%s takes a registration as clients send it with every call, and is over when it is answered',
  async (_name, tool) => {
    const receiver = await startReceiver();
    const { payload } = await callWith(tool, { url: `${receiver.url}/over`, operation_id: 'op' });
    expect(['completed', 'failed']).toContain(payload.status);
    expect(payload.errors?.[0]?.field).not.toBe(FIELD);
    await settle(server);
    expect(receiver.posts).toEqual([]);
  },
);

const READING = TASKS.filter((tool) => tool.kind === 'query' && tool.name !== 'get_products');

test.each(READING.map((tool) => [tool.name, tool] as const))(
  '%s judges the address of a registration',
  async (name, tool) => {
    const args: Readonly<Record<string, object>> = {
      get_task_status: { task_id: 't' },
      get_account_financials: { account: ACCOUNT },
      get_signals: { signal_spec: 'cars' },
      preview_creative: { request_type: 'single' },
      validate_input: { manifest: {} },
      get_brand_identity: { brand_id: 'acme_outdoor' },
      verify_brand_claim: CLAIM,
      verify_brand_claims: { claims: [CLAIM] },
      search_brands: { query: 'a climber' },
      get_rights: { query: 'a face', uses: ['likeness'] },
      get_media_buy_artifacts: { media_buy_id: 'mb' },
      get_creative_features: { creative_manifest: {} },
      get_content_standards: { standards_id: 's' },
      calibrate_content: { standards_id: 's', artifact: ARTICLE },
      validate_content_delivery: { standards_id: 's', records: [{ record_id: 'r', artifact: ARTICLE }] },
      validate_property_delivery: {
        list_id: 'l',
        records: [{ identifier: { type: 'domain', value: 'x.example' }, impressions: 1 }],
      },
      get_property_list: { list_id: 'l' },
      get_collection_list: { list_id: 'l' },
    };
    const { payload } = await server.call(
      String(name),
      { ...args[String(name)], [FIELD]: { url: 'https://10.0.0.7/hook', operation_id: 'op' } },
      { tenant: tool.kinds[0] ?? 'sales', version: name === 'list_products' ? '3.2-beta.5' : '3.1' },
    );
    expect(payload.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: `${FIELD}.url` }]);
  },
);

describe('a search that was answered as submitted', () => {
  test.each([
    ['get_products', 'force_get_products_arm', 'sales', { brief: 'shoes', buying_mode: 'brief' }, { products: [] }],
    ['get_signals', 'force_get_signals_arm', 'signals', { signal_spec: 'cars' }, { signals: [] }],
  ] as const)('is told by the webhook of %s how it ended', async (task, scenario, tenant, args, result) => {
    const receiver = await startReceiver();
    const options = { tenant, token: 'sandbox-token' };
    const { run } = controllerOf(server, options);
    const ordered = { arm: 'submitted', task_id: `task-${task}`, message: 'Being put together.' };
    expect(await run(scenario, ordered)).toMatchObject({ success: true });
    const registration = { url: `${receiver.url}/found`, operation_id: `op-${task}`, token: 'a-token-of-16-chars' };
    const { payload } = await server.call(task, { ...args, [FIELD]: registration, context: { trace: task } }, options);
    expect(payload).toMatchObject({ status: 'submitted', task_id: `task-${task}` });
    expect(await run('force_task_completion', { task_id: `task-${task}`, result })).toMatchObject({ success: true });
    await settle(server);
    expect(receiver.posts.map(({ json }) => json)).toMatchObject([
      {
        task_id: `task-${task}`,
        task_type: task,
        operation_id: `op-${task}`,
        token: 'a-token-of-16-chars',
        status: 'completed',
        context: { trace: task },
        result,
      },
    ]);
  });

  test('is not a whole catalog, which is never a task', async () => {
    const receiver = await startReceiver();
    const { payload } = await server.call('get_products', {
      buying_mode: 'wholesale',
      account: { account_id: SANDBOX_ACCOUNT },
      [FIELD]: { url: `${receiver.url}/found` },
    });
    expect(payload.status).toBe('completed');
    await settle(server);
    expect(receiver.posts).toEqual([]);
  });
});
