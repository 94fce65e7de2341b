import { describe, expect, test } from 'vitest';
import { type Booted, boot, rpc, toolCall } from '../../kit/boot.js';
import { publicSandboxes, tenantsFolder } from '../../kit/tenants.js';
import { signingContext } from './signatures/signing-context.js';

const PARAMS = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'probe', version: '1' } };
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: PARAMS };
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' };
const PUBLIC_ADDRESS = { baseUrl: 'https://ads.seller.example:0', development: false };
const NOBODY = { authorization: undefined };

const said = (server: Booted, message: unknown, headers: Record<string, string | undefined> = NOBODY) =>
  server.raw(message, headers);

describe('the handshake without a credential', async () => {
  const open = await boot();

  test('is answered in development mode, and gives no session', async () => {
    const answer = await said(open, INITIALIZE);
    expect(answer.status).toBe(200);
    expect(rpc(answer).result).toMatchObject({ serverInfo: { name: expect.any(String) } });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
    expect((await said(open, READY)).status).toBe(202);
  });

  test('opens nothing else: neither tools, nor the list of them, nor a batch that begins with it', async () => {
    const others: readonly unknown[] = [
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 'resources/list' },
      { jsonrpc: '2.0', id: 1, method: 'server/discover' },
      { jsonrpc: '2.0', id: 1, method: 'Initialize' },
      { jsonrpc: '2.0', id: 1, method: ['initialize'] },
      { ...toolCall('get_products', {}), params: { name: 'get_products', method: 'initialize', arguments: {} } },
      toolCall('get_adcp_capabilities', {}),
      toolCall('initialize', {}),
      toolCall('comply_test_controller', { scenario: 'list_scenarios' }),
      toolCall('create_media_buy', {}),
      [INITIALIZE, toolCall('get_products', {})],
      [INITIALIZE],
      null,
    ];
    for (const message of others) {
      expect([message, (await said(open, message)).status]).toEqual([message, 401]);
    }
    for (const path of ['/sales/a2a', '/creative/a2a']) {
      const answer = await fetch(`${open.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(INITIALIZE),
      });
      expect(answer.status).toBe(401);
    }
  });

  test('a session id and an earlier handshake are worth nothing to the calls that follow', async () => {
    await said(open, INITIALIZE);
    const answer = await said(open, toolCall('get_products', {}), { ...NOBODY, 'mcp-session-id': 'mine' });
    expect(answer.status).toBe(401);
  });

  test('is not answered to a credential that is wrong', async () => {
    expect((await said(open, INITIALIZE, { authorization: 'Bearer wrong' })).status).toBe(401);
  });

  test('of a stranger is read no further than any other message of a stranger', async () => {
    const long = { ...INITIALIZE, params: { ...PARAMS, clientInfo: { name: 'x'.repeat(70_000), version: '1' } } };
    expect((await said(open, long)).status).toBe(413);
    expect((await said(open, long, {})).status).toBe(200);
  });

  test('is closed where a tenant says so, and wherever a server is no development server unless a tenant opens it', async () => {
    const closed = await boot({
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { public_initialize: false })),
    });
    expect((await said(closed, INITIALIZE)).status).toBe(401);
    const outside = await boot({ settings: PUBLIC_ADDRESS, tenants: publicSandboxes() });
    expect(await statusAt(outside, INITIALIZE)).toBe(401);
    const opened = await boot({
      settings: PUBLIC_ADDRESS,
      tenants: tenantsFolder((tenant) => Object.assign(tenant, { public_sandbox: true, public_initialize: true })),
    });
    expect(await statusAt(opened, INITIALIZE)).toBe(200);
    expect(await statusAt(opened, toolCall('get_products', {}))).toBe(401);
  });

  test('with half a signature is refused for the signature', async () => {
    const answer = await said(open, INITIALIZE, { ...NOBODY, signature: 'sig1=:AAAA:' });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('request_signature'),
    ]);
  });
});

/** Asks over loopback a server whose address is another. */
async function statusAt({ baseUrl }: Booted, message: unknown): Promise<number> {
  const { host, port } = new URL(baseUrl);
  const { send } = await import('../../kit/http.js');
  const headers = { host, 'content-type': 'application/json', accept: 'application/json' };
  const answer = await send(`http://127.0.0.1:${port}/sales/mcp`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  });
  return answer.status;
}

describe('rules for methods', async () => {
  const { server } = await signingContext((tenant) =>
    Object.assign(tenant.request_signing ?? {}, {
      protocol_methods_required_for: ['tools/list', 'tasks/get'],
      protocol_methods_warn_for: ['tasks/cancel'],
    }),
  );
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const challengeOf = async (path: string, method: string): Promise<string> => {
    const answer = await fetch(`${server.baseUrl}/sales/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { id: 'task_1' } }),
    });
    expect(answer.status).toBe(401);
    return answer.headers.get('www-authenticate') ?? '';
  };

  test('are declared', async () => {
    const { payload } = await server.call('get_adcp_capabilities');
    expect(payload.request_signing).toMatchObject({
      protocol_methods_required_for: ['tools/list', 'tasks/get'],
      protocol_methods_warn_for: ['tasks/cancel'],
      protocol_methods_supported_for: ['tools/list', 'tasks/get', 'tasks/cancel'],
    });
  });

  test('hold at both endpoints and in both revisions of A2A, and a credential stands for the signature', async () => {
    for (const [path, method] of [
      ['mcp', 'tools/list'],
      ['a2a', 'tasks/get'],
      ['a2a', 'GetTask'],
      ['a2a', 'tasks/resubscribe'],
      ['a2a', 'SubscribeToTask'],
    ] as const) {
      expect([method, await challengeOf(path, method)]).toEqual([
        method,
        expect.stringContaining('request_signature_required'),
      ]);
    }
    expect(await challengeOf('a2a', 'tasks/cancel')).not.toContain('request_signature_required');
    expect(await challengeOf('mcp', 'ping')).not.toContain('request_signature_required');
    expect((await server.raw(LIST)).status).toBe(200);
  });
});
