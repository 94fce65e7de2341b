import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { boot } from '../../kit/boot.js';
import { send } from '../../kit/http.js';
import { operatorOf } from '../../kit/operator.js';
import { addLivePrincipal, LIVE_TOKEN, shippedTenant, tenantsFolder, writeTenant } from '../../kit/tenants.js';

const tenants = tenantsFolder((tenant) => {
  tenant.principals = [];
  tenant.accounts = [];
  addLivePrincipal(tenant);
});
const secretive = shippedTenant('signals');
writeTenant(
  tenants,
  {
    ...secretive,
    principals: [{ id: 'other', key: { sha256: 'a'.repeat(64) } }],
    accounts: [],
    signals: secretive.signals.map(({ access: _access, ...signal }) => signal),
  },
  'rival',
);

const server = await boot({ tenants, settings: { development: false } });

/** The status and body of a path that no client would let through as it is. */
function rawGet(target: string, host = '127.0.0.1', port = Number(new URL(server.baseUrl).port)): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text));
    socket.write(`GET ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
  });
}

describe('a stranger outside development', () => {
  it('learns from nothing which tenants there are', async () => {
    const unknown = await server.call('build_creative', {}, { token: LIVE_TOKEN });
    const answers = [
      (await send(`${server.baseUrl}/readyz`)).text,
      (await send(`${server.baseUrl}/nowhere`)).text,
      (await send(`${server.baseUrl}/other/mcp`, { method: 'POST' })).text,
      JSON.stringify(await server.call('get_signals', {}, { token: LIVE_TOKEN })),
      JSON.stringify(unknown),
    ];
    for (const text of answers) expect(text).not.toMatch(/rival|"\/?sales/);
    expect(JSON.stringify(unknown)).toContain('Unknown tool');
  });

  it.each([
    '/previews/%ff',
    '/previews/media/%c0%af',
    '/previews/sheet/%E0%A4%A',
    '/previews/%',
    '/previews/assets/%ff',
    '/approvals/%ff',
    '/%ff',
    '/.well-known/%ff',
    '/sales/mcp/%ff',
  ])('gets no 500 for the path %s, and the log no stack', async (target) => {
    const before = server.log.length;
    const answer = await rawGet(target);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(server.log.slice(before)).toEqual([]);
  });

  it('finds no metrics on the public address', async () => {
    expect((await send(`${server.baseUrl}/metrics`)).status).toBe(404);
    expect((await operatorOf(server).get('/metrics', 'no token')).text).toContain('seller_agent_tenants 2');
  });
});

describe("the operator's address", () => {
  const operator = JSON.parse(readFileSync(path.join(server.dataDir, 'operator.json'), 'utf8')) as {
    url: string;
    token: string;
  };

  it('refuses a page that was rebound to it', async () => {
    expect(await rawGet('/metrics', 'evil.example', Number(new URL(operator.url).port))).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each(['{', '[1,', '"', '\u0000'])('answers 400 to the body %j, and the log gets no stack', async (body) => {
    const before = server.log.length;
    const answer = await send(`${operator.url}/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/json' },
      body,
    });
    expect([answer.status, server.log.slice(before)]).toEqual([400, []]);
  });
});
