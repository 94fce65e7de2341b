import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { boot, JSON_HEADERS, readAnswer, toolCall } from '../kit/boot.js';
import { createRequest, freshKey, succeeded } from '../kit/buyer.js';
import { type HttpAnswer, send } from '../kit/http.js';
import { schemaJudge } from '../kit/schemas.js';
import type { Payload } from '../kit/wire.js';

const LIMIT = 20_000;
const server = await boot({ settings: { maxBodyBytes: LIMIT } });

type Rpc = {
  jsonrpc: string;
  id: string | number | null;
  result?: { isError?: boolean; structuredContent: Payload; content: { type: string; text: string }[] } & Record<
    string,
    unknown
  >;
  error?: { code: number; message: string; data?: unknown };
};

const rpc = (answer: HttpAnswer): Rpc => answer.json() as Rpc;
const CAPABILITIES = toolCall('get_adcp_capabilities', {});

describe('Accept', () => {
  test.each([
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['application/json;q=0.9, */*;q=0.1', 'application/json'],
    ['application/json, text/event-stream', 'text/event-stream'],
    ['text/event-stream, application/json', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream', 'text/event-stream'],
  ])('%s is answered as %s', async (accept, type) => {
    const answer = await server.raw(CAPABILITIES, { accept });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(answer.text.startsWith('event: message\ndata: ')).toBe(type === 'text/event-stream');
    expect(readAnswer(answer).payload.status).toBe('completed');
  });

  test.each(['text/html', 'image/png, text/plain', 'text/*'])('%s is refused with 406', async (accept) => {
    const answer = await server.raw(CAPABILITIES, { accept });
    expect(answer.status).toBe(406);
    expect(rpc(answer)).toMatchObject({ jsonrpc: '2.0', id: null, error: { message: /event-stream/ } });
  });
});

describe('method, path and content type', () => {
  test('a trailing slash is served where it stands, without a redirect', async () => {
    const answer = await send(`${server.url()}/`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(CAPABILITIES),
    });
    expect(answer.status).toBe(200);
    expect(readAnswer(answer).isError).toBe(false);
  });

  test('a query string does not matter', async () => {
    const answer = await send(`${server.url()}?source=test`, {
      method: 'POST',
      headers: JSON_HEADERS,
      body: JSON.stringify(CAPABILITIES),
    });
    expect(answer.status).toBe(200);
  });

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s is refused with 405 and the method that works', async (method) => {
    const answer = await send(server.url(), { method, headers: JSON_HEADERS });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    expect(rpc(answer).error?.message).toMatch(/POST/);
  });

  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    [undefined, 415],
    ['application/json; charset=utf-8', 200],
    ['application/json;charset=UTF-8', 200],
  ])('content type %s gives %i', async (type, status) => {
    expect((await server.raw(CAPABILITIES, { 'content-type': type })).status).toBe(status);
  });

  test.each(['/sales', '/mcp', '/creative-does-not-exist/mcp', '/', '/sales/mcp/adcp'])(
    '%s is not found, and the answer names what is',
    async (path) => {
      const answer = await send(`${server.baseUrl}${path}`, { method: 'POST', headers: JSON_HEADERS, body: '{}' });
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('/sales/mcp');
    },
  );

  test.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/sales/mcp'])(
    '%s is a plain 404: there is no OAuth here',
    async (path) => {
      expect((await send(`${server.baseUrl}${path}`)).status).toBe(404);
    },
  );
});

describe('body', () => {
  test.each(['', '{', 'not json', '{"jsonrpc":"2.0",}', '\u0000'])('%j is a parse error', async (body) => {
    const answer = await server.raw(body);
    expect(answer.status).toBe(400);
    expect(rpc(answer)).toMatchObject({ id: null, error: { code: -32700 } });
  });

  test.each([
    ['a number', 7],
    ['a text', '"tools/call"'],
    ['null', 'null'],
    ['an object that is no message', {}],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['no version of JSON-RPC', { id: 1, method: 'ping' }],
    ['a method that is no text', { jsonrpc: '2.0', id: 1, method: 5 }],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
  ])('%s is no request', async (_what, body) => {
    const answer = await server.raw(body);
    expect(answer.status).toBe(400);
    expect(rpc(answer).error?.code).toBe(-32600);
  });

  test('over the limit it is refused with 413, announced or not', async () => {
    const large = toolCall('get_products', { brief: 'x'.repeat(LIMIT) });
    expect((await server.raw(large)).status).toBe(413);
    const unannounced = await server.raw(large, { 'transfer-encoding': 'chunked' });
    expect(unannounced.status).toBe(413);
    expect(rpc(unannounced).error?.message).toContain(String(LIMIT));
    expect((await server.raw(CAPABILITIES)).status).toBe(200);
  });

  test('just under the limit it is served', async () => {
    const room = LIMIT - JSON.stringify(toolCall('get_products', { brief: '' })).length;
    expect((await server.raw(toolCall('get_products', { brief: 'x'.repeat(room) }))).status).toBe(200);
  });
});

describe('messages', () => {
  test.each([
    ['notifications/initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['notifications/cancelled', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['a response', { jsonrpc: '2.0', id: 4, result: {} }],
  ])('%s is taken with 202 and an empty body', async (_what, message) => {
    const answer = await server.raw(message);
    expect(answer.status).toBe(202);
    expect(answer.text).toBe('');
  });

  test.each([['text'], [0], [-7], [''], ['7']])('id %j comes back as it was', async (id) => {
    expect(rpc(await server.raw(toolCall('get_adcp_capabilities', {}, id))).id).toBe(id);
  });

  test('a batch is answered as a list, notifications left out', async () => {
    const answer = await server.raw([
      toolCall('get_adcp_capabilities', {}, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 'b', method: 'ping' },
    ]);
    expect(answer.status).toBe(200);
    const messages = answer.json() as Rpc[];
    expect(messages.map((message) => message.id).sort()).toEqual(['a', 'b']);
    expect(messages.every((message) => message.result !== undefined)).toBe(true);
  });

  test('a batch of notifications alone is taken with 202', async () => {
    expect((await server.raw([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
  });

  test('a message in a batch that is no request is answered with an error of its own', async () => {
    const answer = await server.raw([{ jsonrpc: '2.0', id: 'good', method: 'ping' }, { id: 'bad' }, 7]);
    const messages = [answer.json()].flat() as Rpc[];
    expect(messages.filter((message) => message.error?.code === -32600)).not.toHaveLength(0);
  });

  test.each([
    ['an empty batch', []],
    ['a batch of 51', Array.from({ length: 51 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))],
  ])('%s is refused', async (_what, batch) => {
    const answer = await server.raw(batch);
    expect(answer.status).toBe(400);
    expect(rpc(answer).error?.code).toBe(-32600);
  });

  test('a call works without initialize, and with a session that somebody else gave out', async () => {
    const answer = await server.raw(CAPABILITIES, { 'mcp-session-id': 'from-another-life' });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });

  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('initialize speaks %s', async (revision) => {
    const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await server.raw({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(rpc(answer).result).toMatchObject({ protocolVersion: revision, capabilities: { tools: {} } });
    expect((await server.raw(CAPABILITIES, { 'mcp-protocol-version': revision })).status).toBe(200);
  });

  test('an unknown revision in the header is refused with 400', async () => {
    const answer = await server.raw(CAPABILITIES, { 'mcp-protocol-version': '1999-01-01' });
    expect(answer.status).toBe(400);
    expect(rpc(answer).error?.message).toMatch(/2025-11-25/);
  });

  test.each(['resources/list', 'prompts/get', 'constructor', 'tools/destroy'])(
    'method %s is not found',
    async (method) => {
      expect(rpc(await server.raw({ jsonrpc: '2.0', id: 1, method })).error?.code).toBe(-32601);
    },
  );
});

describe('revision 2026-07-28', () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const modern = (method: string, params: object = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { ...params, _meta: meta },
  });
  const call = modern('tools/call', { name: 'get_adcp_capabilities', arguments: {} });
  const headers = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_adcp_capabilities',
  };

  test('a call with its headers is served', async () => {
    const answer = await server.raw(call, headers);
    expect(answer.status).toBe(200);
    expect(readAnswer(answer).payload).toMatchObject({ status: 'completed' });
  });

  test.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])('without %s it is -32020', async (header) => {
    const answer = await server.raw(call, { ...headers, [header]: undefined });
    expect(answer.status).toBe(400);
    expect(rpc(answer).error?.code).toBe(-32020);
  });

  test('headers that contradict the body are refused', async () => {
    const answer = await server.raw(call, { ...headers, 'mcp-name': 'create_media_buy' });
    expect(answer.status).toBe(400);
    expect(rpc(answer).error?.code).toBe(-32020);
  });

  test('a revision to come is -32022 and told what is spoken', async () => {
    const later = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const message = { ...call, params: { ...call.params, _meta: later } };
    const answer = await server.raw(message, { ...headers, 'mcp-protocol-version': '2099-01-01' });
    expect(answer.status).toBe(400);
    expect(rpc(answer).error?.code).toBe(-32022);
  });

  test.each(['initialize', 'ping', 'resources/list', 'subscriptions/listen'])('%s is 404 -32601', async (method) => {
    const answer = await server.raw(modern(method), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
    expect(answer.status).toBe(404);
    expect(rpc(answer).error?.code).toBe(-32601);
  });

  test('server/discover tells who is there', async () => {
    const answer = await server.raw(modern('server/discover'), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('2026-07-28');
  });

  test('an unknown tool is an answer, not an error of the protocol', async () => {
    const message = modern('tools/call', { name: 'no_such_tool', arguments: {} });
    const answer = await server.raw(message, { ...headers, 'mcp-name': 'no_such_tool' });
    expect(answer.status).toBe(200);
    expect(readAnswer(answer).payload.code).toBe('INVALID_REQUEST');
  });
});

describe('Host and Origin', () => {
  test.each([
    [{ host: 'evil.example' }, 403],
    [{ host: 'evil.example:3000' }, 403],
    [{ host: '127.0.0.1.evil.example' }, 403],
    [{ host: 'localhost.evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'localhost' }, 200],
    [{ host: 'localhost:9999' }, 200],
    [{ host: 'LOCALHOST' }, 200],
    [{ host: '127.0.0.1' }, 200],
    [{ host: '[::1]:3000' }, 200],
    [{ origin: 'http://localhost:5173' }, 200],
    [{ origin: 'http://127.0.0.1' }, 200],
  ])('%j gives %i', async (headers, status) => {
    expect((await server.raw(CAPABILITIES, headers)).status).toBe(status);
    expect((await send(`${server.baseUrl}/healthz`, { headers })).status).toBe(status);
  });
});

describe('credentials', () => {
  const request = { context: { correlation_id: 'c-1' } };
  const strangers: readonly (readonly [string, string | undefined, string])[] = [
    ['no credential', undefined, 'AUTH_MISSING'],
    ['a random token', `Bearer ${freshKey()}`, 'AUTH_INVALID'],
    ['another scheme', 'Basic c2FuZGJveC10b2tlbg==', 'AUTH_INVALID'],
    ['a bearer without a token', 'Bearer', 'AUTH_INVALID'],
    ['the right token with something behind it', 'Bearer sandbox-token extra', 'AUTH_INVALID'],
    ['a test key of no known form', 'Bearer demo-', 'AUTH_INVALID'],
    ['a key of a prototype', 'Bearer __proto__', 'AUTH_INVALID'],
  ];

  test.each(strangers)('%s is refused with 401', async (_what, authorization, code31) => {
    for (const [version, code] of [
      [undefined, 'AUTH_REQUIRED'],
      ['3.0', 'AUTH_REQUIRED'],
      ['3.1', code31],
    ] as const) {
      const args = { ...request, ...(version === undefined ? {} : { adcp_version: version }) };
      const answer = await server.raw(toolCall('get_products', args, 'auth'), { authorization });
      expect(answer.status).toBe(401);
      const challenge = answer.headers['www-authenticate'] ?? '';
      expect(challenge).toMatch(/^Bearer realm="/);
      expect(challenge.includes('error="invalid_token"')).toBe(code31 === 'AUTH_INVALID');
      expect(rpc(answer).id).toBe('auth');
      const { payload, isError } = readAnswer(answer);
      expect(isError).toBe(true);
      expect(payload).toMatchObject({
        status: 'failed',
        code: 'UNAUTHORIZED',
        adcp_error: { code },
        errors: [{ code, suggestion: expect.stringMatching(/Authorization: Bearer/) }],
        context: request.context,
      });
      expect(answer.text).not.toContain('c2FuZGJveC10b2tlbg');
    }
  });

  test.each(['tools/list', 'initialize', 'ping'])('%s needs one too', async (method) => {
    const answer = await server.raw({ jsonrpc: '2.0', id: 1, method }, { authorization: undefined });
    expect(answer.status).toBe(401);
  });

  test('a batch with one call too many is refused as a whole', async () => {
    expect((await server.raw([CAPABILITIES, CAPABILITIES], { authorization: undefined })).status).toBe(401);
  });

  test('a stranger is not read for long', async () => {
    const wide = await boot();
    const body = toolCall('get_products', { brief: 'x'.repeat(70_000) });
    expect((await wide.raw(body, { authorization: undefined })).status).toBe(413);
    expect((await wide.raw(body)).status).toBe(200);
  });

  test.each(['bearer sandbox-token', 'BEARER sandbox-token', 'Bearer  sandbox-token'])('%s is read', async (value) => {
    expect((await server.raw(CAPABILITIES, { authorization: value })).status).toBe(200);
  });
});

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
    expect(JSON.parse(result?.content[0]?.text ?? '')).toEqual(result?.structuredContent);
    expect(result?.structuredContent.status).toMatch(/^[a-z_]+$/);
  });

  test.each([['no_such_tool'], ['tasks_get'], ['comply_test_controller'], ['constructor'], ['x'.repeat(5000)]])(
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
  const MUTATIONS = [
    'sync_accounts',
    'create_media_buy',
    'update_media_buy',
    'sync_creatives',
    'provide_performance_feedback',
  ];

  test('shows the tasks of a sales agent in at most 25 KB', () => {
    expect(tools.map((tool) => tool.name).sort()).toEqual(
      [
        'get_adcp_capabilities',
        'get_products',
        'list_creative_formats',
        'create_media_buy',
        'update_media_buy',
        'get_media_buys',
        'get_media_buy_delivery',
        'sync_creatives',
        'list_creatives',
        'sync_accounts',
        'list_accounts',
        'provide_performance_feedback',
      ].sort(),
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(25_000);
  });

  test.each(tools.map((tool) => [tool.name, tool] as const))('%s explains itself', (name, tool) => {
    expect(tool.title).toBeTruthy();
    expect(tool.description?.length).toBeGreaterThan(40);
    expect(tool.annotations?.readOnlyHint).toBe(!MUTATIONS.includes(name));
    if (MUTATIONS.includes(name)) {
      expect(tool.annotations?.idempotentHint).toBe(true);
      expect(tool.inputSchema.required).toContain('idempotency_key');
    }
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: true });
    // The public client strips every argument that is not published here.
    const envelope = ['context', 'ext', 'adcp_version', 'adcp_major_version'];
    expect(Object.keys(tool.inputSchema.properties)).toEqual(expect.arrayContaining(envelope));
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

  test('start_time may be text or an object (spec 2)', () => {
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

describe('beside MCP', () => {
  test('healthz and readyz need no credential', async () => {
    expect((await send(`${server.baseUrl}/healthz`)).json()).toEqual({ status: 'ok' });
    const ready = await send(`${server.baseUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(ready.json()).toMatchObject({ status: 'ready', store: { status: 'ok' }, tenants: ['sales'] });
  });

  test('adagents.json is valid by the public schema and lists the tenants with their tools', async () => {
    const answer = await send(`${server.baseUrl}/.well-known/adagents.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const file = answer.json() as { tenants: { path: string; url: string; protocols: string[]; tools: string[] }[] };
    expect(schemaJudge('3.0')('adagents', file)).toEqual([]);
    expect(file.tenants).toEqual([
      { path: '/sales/mcp', url: server.url(), protocols: ['media_buy'], tools: expect.any(Array) },
    ]);
    const listed = rpc(await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).result?.tools as {
      name: string;
    }[];
    expect(file.tenants[0]?.tools).toEqual(listed.map((tool) => tool.name));
  });
});

test('public tools answer without a credential, the others do not', async () => {
  const { payload } = await server.call('get_products', {}, { token: null });
  expect(payload.code).toBe('UNAUTHORIZED');
  succeeded(await server.call('get_products', {}));
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log).toEqual([]);
});
