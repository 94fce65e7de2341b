import { describe, expect, test } from 'vitest';
import { boot, JSON_HEADERS, type RpcMessage, readAnswer, rpc, toolCall } from '../kit/boot.js';
import { freshKey, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { schemaJudge } from '../kit/schemas.js';
import { SHIPPED_PATHS, tenantsFolder } from '../kit/tenants.js';

const LIMIT = 20_000;
const server = await boot({ settings: { maxBodyBytes: LIMIT } });

const CALL = { name: 'get_adcp_capabilities', arguments: {} };
const CAPABILITIES = toolCall(CALL.name, CALL.arguments);

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
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: ['get_products'] }],
    ['params that are a text', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: 'get_products' }],
    ['a _meta that is a number', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...CALL, _meta: 5 } }],
    ['a _meta that is null', { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: null } }],
    ['a _meta that is a list', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...CALL, _meta: [] } }],
    [
      'a progress token that is an object',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...CALL, _meta: { progressToken: {} } } },
    ],
    ['a member that JSON-RPC does not have', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: CALL, extra: 1 }],
  ])('%s is no request, and is told so', { timeout: 5000 }, async (_what, body) => {
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
    const messages = answer.json() as RpcMessage[];
    expect(messages.map((message) => message.id).sort()).toEqual(['a', 'b']);
    expect(messages.every((message) => message.result !== undefined)).toBe(true);
  });

  test('a batch of notifications alone is taken with 202', async () => {
    expect((await server.raw([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
  });

  test('a message in a batch that is no request is answered with an error of its own', async () => {
    const answer = await server.raw([{ jsonrpc: '2.0', id: 'good', method: 'ping' }, { id: 'bad' }, 7]);
    const messages = [answer.json()].flat() as RpcMessage[];
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

  test.each(['resources/subscribe', 'prompts/none', 'constructor', 'tools/destroy'])(
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
    expect(JSON.stringify(rpc(answer).error?.data)).toContain('2026-07-28');
  });

  test.each(['initialize', 'ping', 'resources/subscribe', 'subscriptions/listen'])(
    '%s is 404 -32601',
    async (method) => {
      const answer = await server.raw(modern(method), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
      expect(answer.status).toBe(404);
      expect(rpc(answer).error?.code).toBe(-32601);
    },
  );

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
    expect((await send(`${server.baseUrl}/.well-known/jwks.json`, { headers })).status).toBe(status);
    for (const path of ['/healthz', '/readyz', '/readyz/?balancer=1'])
      expect((await send(`${server.baseUrl}${path}`, { headers })).status).toBe(200);
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

  test.each(['tools/list', 'ping', 'resources/list'])('%s needs one too', async (method) => {
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

describe('beside MCP', () => {
  test('healthz and readyz need no credential', async () => {
    expect((await send(`${server.baseUrl}/healthz`)).json()).toEqual({ status: 'ok' });
    const ready = await send(`${server.baseUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(ready.json()).toMatchObject({
      status: 'ready',
      store: { status: 'ok' },
      tenants: SHIPPED_PATHS,
    });
  });

  test('adagents.json is valid by the public schema and lists the tenants with their tools', async () => {
    const answer = await send(`${server.baseUrl}/.well-known/adagents.json`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const file = answer.json() as { tenants: { path: string; url: string; protocols: string[]; tools: string[] }[] };
    expect(schemaJudge('3.0')('adagents', file)).toEqual([]);
    const PROTOCOLS: Readonly<Record<string, string>> = { sales: 'media_buy', 'creative-builder': 'creative' };
    expect(file.tenants).toEqual(
      SHIPPED_PATHS.map((tenant) => ({
        path: `/${tenant}/mcp`,
        url: server.url(tenant),
        protocols: [PROTOCOLS[tenant] ?? tenant],
        tools: expect.any(Array),
      })),
    );
    const listed = rpc(await server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).result?.tools as {
      name: string;
    }[];
    // The list is a sandbox principal's; the file is for everybody.
    const open = listed.map((tool) => tool.name).filter((name) => name !== 'comply_test_controller');
    expect(file.tenants.find(({ path }) => path === '/sales/mcp')?.tools).toEqual(open);
  });
});

describe('public tools', async () => {
  const open = await boot({
    tenants: tenantsFolder((tenant) => {
      tenant.public_tools = ['get_products', 'get_adcp_capabilities'];
    }),
  });
  const nobody = { token: null };

  test('answer without a credential, but not with a wrong one', async () => {
    expect(succeeded(await open.call('get_products', {}, nobody)).products.length).toBeGreaterThan(0);
    expect(succeeded(await open.call('get_proto_capabilities', {}, nobody)).status).toBe('completed');
    expect((await open.call('get_products', {}, { token: 'wrong' })).status).toBe(401);
  });

  test.each(['list_accounts', 'create_media_buy', 'get_media_buys', 'no_such_tool', 'constructor'])(
    'leave %s closed',
    async (tool) => {
      expect((await open.call(tool, {}, nobody)).status).toBe(401);
    },
  );

  test('know no account of anybody', async () => {
    const account = { account_id: 'acct_sandbox' };
    expect((await open.call('get_products', { account }, nobody)).payload.code).toBe('ACCOUNT_NOT_FOUND');
  });
});

test('nothing of all this was unexpected to the server', () => {
  expect(server.log).toEqual([]);
});
