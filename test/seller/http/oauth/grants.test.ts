import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/platform/kernel/canonical.js';
import { scopeOf } from '../../../../src/seller/tasks/grant/scopes.js';
import { TOOLS } from '../../../../src/seller/tasks/index.js';
import { type Booted, boot, rpc } from '../../../kit/boot.js';
import { createRequest, packageRequest } from '../../../kit/buyer.js';
import { send } from '../../../kit/http.js';
import {
  allowing,
  authorizeAs,
  exchange,
  type OauthSession,
  refresh,
  registerClient,
  revoke,
} from '../../../kit/oauth.js';
import { operatorOf } from '../../../kit/operator.js';
import { tenantsFolder, writeTenant } from '../../../kit/tenants.js';

type Shown = { readonly id: string; readonly max_daily_spend?: { readonly amount: number } };

describe('what an access opens', () => {
  let server: Booted;
  let folder: string;
  const base = (): string => server.baseUrl;
  beforeAll(async () => {
    folder = tenantsFolder((tenant) => Object.assign(tenant, { oauth: {} }));
    server = await boot({ ids: 'system', tenants: folder });
  });

  const letIn = (fields = allowing('sandbox-token'), scope = 'read buy operate'): Promise<OauthSession> =>
    authorizeAs(base(), server.url(), { fields, scope });

  const tools = (token: string, tenant?: string) =>
    server.raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { authorization: `Bearer ${token}` }, tenant);

  it('looks only, where somebody let it look only, and says what to ask for', async () => {
    const { tokens } = await letIn(allowing('sandbox-token', { access: 'read' }));
    expect(tokens.scope).toBe('read');
    const refused = await server.raw(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create_media_buy', arguments: {} } },
      { authorization: `Bearer ${tokens.access_token}` },
    );
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", scope="read buy"');
    expect(refused.json()).toMatchObject({
      result: { structuredContent: { errors: [{ code: 'PERMISSION_DENIED' }] } },
    });
    const read = await server.call(
      'get_products',
      { brief: 'video', buying_mode: 'brief' },
      { token: tokens.access_token },
    );
    expect(read.isError).toBe(false);
  });

  it('gets the answers for models, and those for programs where it prefers them', async () => {
    const { tokens } = await letIn(allowing('sandbox-token', { access: 'read' }));
    const blocks = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const params = { name: 'get_products', arguments: { brief: 'video', buying_mode: 'brief' } };
      const authorization = `Bearer ${tokens.access_token}`;
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      return rpc(await server.raw(body, { authorization, ...headers })).result?.content?.length ?? 0;
    };
    expect(await blocks({})).toBe(2);
    expect(await blocks({ prefer: 'return=representation' })).toBe(1);
  });

  it('buys up to its daily limit, counts orders together, and begins anew the next day', async () => {
    const { clientId, tokens } = await letIn(allowing('sandbox-token', { limit: '1500' }));
    const order = (budget: number, token = tokens.access_token) =>
      server.call('create_media_buy', createRequest({ packages: [packageRequest({ budget })] }), {
        token,
      });
    expect((await order(1000)).isError).toBe(false);
    const second = await order(1000);
    expect(second.payload).toMatchObject({
      // What a caller of 3.0 knows BUDGET_CAP_REACHED by.
      errors: [{ code: 'BUDGET_EXCEEDED', details: { daily_limit: 1500, left: 500, currency: 'USD' } }],
    });
    expect((await order(500)).isError).toBe(false);
    expect((await order(500)).isError).toBe(true);
    server.clock.advance(24 * 3_600_000);
    const { access_token } = await refresh(base(), clientId, tokens.refresh_token);
    expect((await order(1000, access_token)).payload).toMatchObject({ media_buy_id: expect.any(String) });
  });

  it('ends with the key that it was given with', async () => {
    const key = 'key-of-a-buyer-that-is-taken-away-later';
    const write = async (sha256: string) => {
      writeTenantWith(folder, { id: 'leaving', sandbox: true, key: { sha256 } });
      const { app, reload } = server.server();
      await expect
        .poll(async () => {
          await reload();
          return app.sellers().get('sales')?.principals.get(sha256)?.id;
        })
        .toBe('leaving');
    };
    await write(sha256Hex(key));
    const { clientId, tokens } = await letIn(allowing(key));
    expect((await tools(tokens.access_token)).status).toBe(200);
    await write(sha256Hex('another key of the same buyer'));
    expect((await tools(tokens.access_token)).status).toBe(401);
    expect(await refresh(base(), clientId, tokens.refresh_token)).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    });
  });

  it('renews a token once, and ends all of the access where an old one is shown again', async () => {
    const { clientId, tokens } = await letIn();
    const renewed = await refresh(base(), clientId, tokens.refresh_token);
    expect(renewed.status).toBe(200);
    expect((await tools(renewed.access_token)).status).toBe(200);
    expect(await refresh(base(), clientId, tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' });
    expect((await tools(renewed.access_token)).status).toBe(401);
    expect((await tools(tokens.access_token)).status).toBe(401);
  });

  it('ends what a code gave where the code is used twice', async () => {
    const session = await letIn();
    expect(await exchange(base(), session)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await tools(session.tokens.access_token)).status).toBe(401);
  });

  it('lets one of two have the tokens who use a code at once, and neither keep them', async () => {
    const session = await authorizeAs(base(), server.url(), { fields: allowing('sandbox-token'), isExchanged: false });
    const both = await Promise.all([exchange(base(), session), exchange(base(), session)]);
    expect(both.map(({ status }) => status)).toContain(400);
    for (const { access_token } of both)
      if (access_token !== undefined) expect((await tools(access_token)).status).toBe(401);
  });

  it('ends when its client revokes it, and only then', async () => {
    const { clientId, tokens } = await letIn();
    const other = await registerClient(base());
    await revoke(base(), other, tokens.refresh_token);
    expect((await tools(tokens.access_token)).status).toBe(200);
    await revoke(base(), clientId, tokens.refresh_token);
    expect((await tools(tokens.access_token)).status).toBe(401);
  });

  it('is shown to the operator, who ends it for its access and refresh tokens, and no other', async () => {
    const { clientId, tokens } = await letIn(allowing('sandbox-token', { limit: '2500' }));
    const kept = await letIn();
    const operator = operatorOf(server);
    const listed = (await operator.post('/grants', { operation: 'list' })).json() as { grants: readonly Shown[] };
    expect(JSON.stringify(listed)).not.toContain(tokens.access_token);
    const grant = listed.grants.find(({ max_daily_spend }) => max_daily_spend?.amount === 2500);
    expect(grant).toMatchObject({
      tenant: 'sales',
      principal: 'sandbox',
      scopes: ['read', 'buy'],
      max_daily_spend: { amount: 2500, currency: 'USD' },
      expires_at: expect.stringContaining('Z'),
    });
    const unknown = await operator.post('/grants', { operation: 'revoke', id: 'x' });
    expect(unknown.text).toContain('keys grants list');
    const left = (await operator.post('/grants', { operation: 'revoke', id: grant?.id })).json();
    expect(left).toMatchObject({ grants: expect.not.arrayContaining([grant]) });
    expect((await tools(tokens.access_token)).status).toBe(401);
    expect((await refresh(base(), clientId, tokens.refresh_token)).status).toBe(400);
    expect((await tools(kept.tokens.access_token)).status).toBe(200);
  });

  it('is over after an hour without being renewed', async () => {
    const { tokens } = await letIn();
    server.clock.advance(3_601_000);
    expect((await tools(tokens.access_token)).status).toBe(401);
  });

  it('wants the verifier of the challenge, and the redirect URI and client of the request', async () => {
    for (const wrong of [{ verifier: 'x'.repeat(43) }, { redirectUri: 'http://127.0.0.1:9/other' }] as const) {
      const session = await authorizeAs(base(), server.url(), {
        fields: allowing('sandbox-token'),
        isExchanged: false,
      });
      expect(await exchange(base(), { ...session, ...wrong })).toMatchObject({ status: 400, error: 'invalid_grant' });
    }
    const session = await authorizeAs(base(), server.url(), { fields: allowing('sandbox-token'), isExchanged: false });
    const clientId = await registerClient(base());
    expect(await exchange(base(), { ...session, clientId })).toMatchObject({ status: 400, error: 'invalid_grant' });
  });

  it('takes no sign-in without a challenge, or with a plain one', async () => {
    const client = await registerClient(base());
    const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' };
    for (const challenge of [{}, plain] as readonly Readonly<Record<string, string>>[]) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client,
        redirect_uri: 'http://127.0.0.1:9/callback',
        resource: server.url(),
        ...challenge,
      });
      const { headers, status, text } = await send(`${base()}/oauth/authorize?${query}`);
      expect([status, headers.location]).toEqual([400, undefined]);
      expect(text).toMatch(/PKCE|code challenge|code_challenge/);
    }
  });
});

describe('the scopes of tasks', () => {
  it('only reads with read, and has buy or operate for every task that changes something', () => {
    const odd = TOOLS.filter((tool) => {
      const scope = scopeOf(tool, typeof tool.name === 'string' ? tool.name : 'capabilities');
      return tool.kind === 'mutation' ? scope === 'read' : scope !== 'read' && tool.name !== 'comply_test_controller';
    });
    expect(odd.map(({ name }) => String(name))).toEqual([]);
  });
});

function writeTenantWith(folder: string, principal: object): void {
  tenantsFolder((tenant) => {
    Object.assign(tenant, { oauth: {} });
    tenant.principals.push({ ...principal });
    writeTenant(folder, tenant);
  });
}
