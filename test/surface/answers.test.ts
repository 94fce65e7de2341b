import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { protocolNames } from '../../src/protocol/names.js';
import { TOOLS } from '../../src/seller/tasks/index.js';
import { toolName } from '../../src/seller/tasks/pipeline/tool.js';
import { boot, readAnswer, rpc, toolCall } from '../kit/boot.js';
import { createRequest, freshKey } from '../kit/buyer.js';
import { SHIPPED, tenantsWithEveryTask } from '../kit/tenants.js';

const server = await boot();

describe('answers', () => {
  const everyCall: readonly (readonly [string, object])[] = [
    ['get_adcp_capabilities', {}],
    ['get_products', { brief: 'video' }],
    ['list_creative_formats', {}],
    ['list_accounts', {}],
    [
      'sync_accounts',
      { idempotency_key: freshKey(), accounts: [{ brand: { domain: 'a.example' }, operator: 'b.example' }] },
    ],
    ['create_media_buy', createRequest()],
    ['create_media_buy', {}],
    ['update_media_buy', { idempotency_key: freshKey(), media_buy_id: 'mb_none' }],
    ['get_media_buys', {}],
    ['get_media_buy_delivery', {}],
    ['get_task_status', { task_id: 'task_none' }],
    ['list_tasks', {}],
    ['list_creatives', {}],
    ['provide_performance_feedback', {}],
    ['sync_creatives', {}],
    ['no_such_tool', {}],
    ['constructor', {}],
    ['__proto__', {}],
  ];

  test.each(everyCall)('of %s are tool results, the same in text and structure', async (tool, args) => {
    const { result } = rpc(await server.raw(toolCall(tool, args)));
    expect(CallToolResultSchema.safeParse(result).error).toBeUndefined();
    expect(JSON.parse(result?.content?.[0]?.text ?? '')).toEqual(result?.structuredContent);
    expect(result?.structuredContent?.status).toMatch(/^[a-z_]+$/);
  });

  test.each([['no_such_tool'], ['tasks_cancel'], ['sync_plans'], ['constructor'], ['x'.repeat(5000)]])(
    'of the unknown tool %s keep the words that clients look for',
    async (tool) => {
      const { payload, isError, status } = await server.call(tool, { context: { a: 1 } });
      expect({ isError, status, code: payload.code }).toEqual({ isError: true, status: 200, code: 'INVALID_REQUEST' });
      expect(payload.message).toMatch(/^Unknown tool: /);
      expect(payload.message.length).toBeLessThan(300);
      expect(payload.context).toEqual({ a: 1 });
    },
  );

  test.each([
    ['no params', undefined],
    ['a name that is no text', { name: 7 }],
    ['no name', { arguments: {} }],
    ['arguments that are a list', { name: 'get_products', arguments: [] }],
    ['arguments that are text', { name: 'get_products', arguments: '{}' }],
    ['arguments that are null', { name: 'get_products', arguments: null }],
  ])('of a call with %s say what is wrong', async (_what, params) => {
    const answer = await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(answer.status).toBe(200);
    const { payload, isError } = readAnswer(answer);
    expect(isError).toBe(true);
    expect(payload).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ field: expect.any(String) }] });
  });

  test('of a hundred calls at once are not mixed up', async () => {
    const calls = Array.from({ length: 100 }, (_, id) =>
      server.raw(toolCall('get_products', { fields: ['product_id'], context: { id } }, id)),
    );
    for (const [id, answer] of (await Promise.all(calls)).entries()) {
      expect(rpc(answer).id).toBe(id);
      expect(readAnswer(answer).payload.context).toEqual({ id });
    }
  });
});

describe('tools/list', async () => {
  const text = (await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).text;
  type Tool = {
    name: string;
    title?: string;
    description?: string;
    annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
    inputSchema: {
      type: string;
      additionalProperties?: unknown;
      required?: string[];
      properties: Record<string, unknown>;
    };
  };
  const { tools } = (JSON.parse(text) as { result: { tools: Tool[] } }).result;
  /** What every call may carry: the public client sends these whatever a schema tells, and strips all else that is not published there. */
  const ENVELOPE: ReadonlySet<string> = new Set(['context', 'ext', 'adcp_version', 'adcp_major_version']);
  /** What it does comes to the same, however often it is asked for: it changes and takes no key. */
  const UNKEYED = 'comply_test_controller';
  const MUTATIONS = [
    'sync_accounts',
    'create_media_buy',
    'update_media_buy',
    'sync_creatives',
    'sync_audiences',
    'sync_event_sources',
    'log_event',
    'sync_catalogs',
    'provide_performance_feedback',
    'report_usage',
  ];

  test('shows the tasks of a sales agent in at most 20 KB', () => {
    expect(tools.map((tool) => tool.name).sort()).toEqual(
      [
        'get_adcp_capabilities',
        'get_products',
        'list_creative_formats',
        'create_media_buy',
        'update_media_buy',
        'get_task_status',
        'list_tasks',
        'get_media_buys',
        'get_media_buy_delivery',
        'sync_creatives',
        'list_creatives',
        'get_creative_delivery',
        'sync_accounts',
        'list_accounts',
        'get_account_financials',
        'sync_audiences',
        'sync_event_sources',
        'log_event',
        'sync_catalogs',
        'report_usage',
        'provide_performance_feedback',
        // The caller is a sandbox principal.
        'comply_test_controller',
      ].sort(),
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  });

  const whole = await boot({ tenants: tenantsWithEveryTask() });

  test.each(SHIPPED)('of %s is at most 20 KB with every task there is', async (tenant) => {
    const { text: list } = await whole.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, tenant);
    const { tools: all } = (JSON.parse(list) as { readonly result: { readonly tools: readonly { name: string }[] } })
      .result;
    // It is for sandbox principals alone.
    const bought = all.filter(({ name }) => name !== 'comply_test_controller');
    expect(Buffer.byteLength(JSON.stringify(bought))).toBeLessThanOrEqual(20_000);
  });

  const everywhere = TOOLS.filter((tool) => tool.listed === undefined && tool.since === undefined);

  test.each(everywhere.map((tool) => [toolName(tool, protocolNames('adcp')), tool] as const))(
    '%s declares every argument that it reads',
    async (name, tool) => {
      const list = rpc(await whole.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, tool.kinds[0]));
      const listed = (list.result as unknown as { tools: Tool[] }).tools.find((one) => one.name === name);
      const read = Object.keys((tool.input as unknown as { shape: object }).shape).filter(
        (field) => !ENVELOPE.has(field),
      );
      expect(read.length).toBeGreaterThan(0);
      expect(Object.keys(listed?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(read));
    },
  );

  test('an object within an argument is said in one line', () => {
    const tool = tools.find((candidate) => candidate.name === 'get_products');
    expect(tool?.inputSchema.properties.filters).toMatchObject({
      type: 'object',
      description: expect.stringMatching(/^\{delivery_type\?: guaranteed\|non_guaranteed, .*countries\?: string\[\]/),
    });
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s explains itself', (name, tool) => {
    expect(tool.title).toBeTruthy();
    expect(tool.description?.length).toBeGreaterThan(40);
    expect(tool.annotations?.readOnlyHint === true).toBe(![UNKEYED, ...MUTATIONS].includes(name));
    if (MUTATIONS.includes(name)) {
      expect(tool.annotations?.idempotentHint).toBe(true);
      expect(tool.inputSchema.required).toContain('idempotency_key');
    }
    expect(tool.inputSchema.type).toBe('object');
    // Other members are taken too, unless a schema says otherwise.
    expect(tool.inputSchema).not.toHaveProperty('additionalProperties');
  });

  test('only what can end something is called destructive', () => {
    const destructive = tools.filter((tool) => tool.annotations?.destructiveHint === true);
    expect(destructive.map((tool) => tool.name)).toEqual(['update_media_buy']);
  });

  const REQUESTS = {
    create_media_buy: [
      'account',
      'brand',
      'start_time',
      'end_time',
      'packages',
      'push_notification_config',
      'po_number',
      'paused',
    ],
    update_media_buy: [
      'account',
      'media_buy_id',
      'revision',
      'paused',
      'canceled',
      'cancellation_reason',
      'packages',
      'new_packages',
    ],
    get_products: ['brief', 'buying_mode', 'brand', 'account', 'filters', 'fields', 'pagination'],
    get_media_buys: ['account', 'media_buy_ids', 'status_filter', 'include_snapshot', 'include_history', 'pagination'],
    get_media_buy_delivery: ['account', 'media_buy_ids', 'status_filter', 'start_date', 'end_date'],
    sync_creatives: ['account', 'creatives', 'assignments', 'delete_missing', 'dry_run', 'validation_mode'],
    list_accounts: ['account', 'status', 'sandbox', 'pagination'],
  };

  test.each(Object.entries(REQUESTS))('%s publishes every field that it reads', (name, fields) => {
    const tool = tools.find((candidate) => candidate.name === name);
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual(expect.arrayContaining(fields));
  });

  test('start_time may be text or an object', () => {
    const tool = tools.find((candidate) => candidate.name === 'create_media_buy');
    const start = tool?.inputSchema.properties.start_time as { anyOf?: { type: string }[] };
    expect(start.anyOf?.map((form) => form.type)).toEqual(['string', 'object']);
  });

  test('is the same for every client, byte for byte', async () => {
    const again = await server.raw(
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { authorization: 'Bearer sandbox-token-2' },
    );
    expect(again.text).toBe(text);
  });
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log).toEqual([]);
});
