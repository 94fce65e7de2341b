import { gzipSync } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../../src/platform/kernel/canonical.js';
import { hashPassword } from '../../../../src/platform/sealing/password.js';
import { type Booted, boot } from '../../../kit/boot.js';
import { send } from '../../../kit/http.js';
import { allowing, authorizeAs, exchange, REDIRECT, registerClient } from '../../../kit/oauth.js';
import { serveOrigins } from '../../../kit/origins.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../../../kit/tenants.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('what nobody may do by OAuth', () => {
  let server: Booted;
  let documents: Awaited<ReturnType<typeof serveDocuments>>;

  beforeAll(async () => {
    documents = await serveDocuments();
    const outbound = { resolve: documents.origins.resolve };
    const folder = tenantsFolder((tenant) => Object.assign(tenant, { oauth: { try_sandbox: true }, outbound }));
    writeTenant(folder, { ...shippedTenant('signals'), oauth: {} }, 'signals');
    writeTenant(folder, withIssuer(ISSUER), 'creative');
    server = await boot({ ids: 'system', tenants: folder, settings: { trustedProxies: ['127.0.0.1'] } });
  });

  const list = (token: string, tenant?: string) => server.raw(LIST, { authorization: `Bearer ${token}` }, tenant);
  const ask = (query: Readonly<Record<string, string>>) =>
    send(`${server.baseUrl}/oauth/authorize?${new URLSearchParams({ ...QUESTION, ...query })}`);

  it('opens another tenant with a token of one', async () => {
    const { tokens } = await authorizeAs(server.baseUrl, server.url(), { fields: allowing('sandbox-token') });
    expect((await list(tokens.access_token)).status).toBe(200);
    expect((await list(tokens.access_token, 'signals')).status).toBe(401);
  });

  it('gets a token for an address that is none of ours, or for another one than was asked for', async () => {
    const client_id = await registerClient(server.baseUrl);
    const elsewhere = await ask({ client_id, resource: 'https://elsewhere.example/mcp' });
    expect(elsewhere.text).toContain('the resource is not the address of an MCP endpoint of this server');
    const resource = server.url('signals');
    const session = await authorizeAs(server.baseUrl, server.url(), {
      fields: allowing('sandbox-token'),
      isExchanged: false,
    });
    expect(await exchange(server.baseUrl, { ...session, resource })).toMatchObject({ error: 'invalid_target' });
  });

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['another kind of answer', { response_type: 'token' }],
    ['no question', { prompt: 'none' }],
    ['a form that sends itself', { response_mode: 'form_post', response_type: 'token' }],
    ['an address that is none of ours', { resource: 'https://elsewhere.example/mcp' }],
  ])('leads who follows a link with %s anywhere, without having asked', async (_what, query) => {
    const client_id = await registerClient(server.baseUrl);
    const answer = await ask({ client_id, resource: server.url(), ...query });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.text).toContain('This sign-in cannot go on');
    expect(answer.text).not.toContain(REDIRECT);
  });

  it.each([
    'http://127.0.0.1:9/callback/../evil',
    'http://127.0.0.1:9/callback?next=evil',
    'http://127.0.0.1.evil.example/callback',
    'https://evil.example/callback',
    'http://127.0.0.1:9/callback#x',
  ])('sends a code to %s, which the client did not register', async (redirect_uri) => {
    const client_id = await registerClient(server.baseUrl);
    const answer = await ask({ client_id, redirect_uri, resource: server.url() });
    expect(answer.status).toBe(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.text).toContain('This sign-in cannot go on');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://user:pw@a.example/', 'https://a.example/#x', 'no uri'])(
    'registers %s as a place for codes',
    async (uri) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ redirect_uris: [uri] });
      const answer = await send(`${server.baseUrl}/oauth/register`, { method: 'POST', headers, body });
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'invalid_redirect_uri' });
    },
  );

  it('has the page act for them from another site, or with a wrong key', async () => {
    await expect(authorizeAs(server.baseUrl, server.url(), { fields: allowing('wrong') })).rejects.toThrow(
      'no access key',
    );
    const foreign = await send(`${server.baseUrl}/oauth/consent/x`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'decision=allow',
    });
    expect(foreign.status).toBe(403);
  });

  it('calls from a page of another origin, but one of an origin that is let may, and never the page that people decide on', async () => {
    const { baseUrl } = server;
    const preflight = (path: string, origin: string) =>
      send(`${baseUrl}${path}`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } });
    const local = 'http://localhost:6274';
    for (const path of ['/sales/mcp', '/oauth/token', '/oauth/register', '/.well-known/oauth-authorization-server']) {
      const answer = await preflight(path, local);
      expect([answer.status, answer.headers['access-control-allow-origin']], path).toEqual([204, local]);
      expect((await preflight(path, 'https://evil.example')).status, path).toBe(403);
    }
    const page = await preflight('/oauth/consent/x', local);
    expect(page.headers['access-control-allow-origin']).toBeUndefined();
    const refused = await send(server.url(), {
      method: 'POST',
      headers: { origin: local, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(refused.headers).toMatchObject({ 'access-control-allow-origin': local });
    expect(refused.headers['access-control-expose-headers']).toContain('www-authenticate');
  });

  it('gets more than was asked for, or anything once it is denied', async () => {
    const more = authorizeAs(server.baseUrl, server.url(), {
      fields: allowing('sandbox-token', { access: 'operate' }),
      scope: 'read',
    });
    await expect(more).rejects.toThrow('Choose what the program may do.');
    const denied = authorizeAs(server.baseUrl, server.url(), { fields: { decision: 'deny' } });
    await expect(denied).rejects.toThrow('error=access_denied');
  });

  it('reads a client-id metadata document of another client, but one that names itself is a client', async () => {
    const clientId = 'https://assistant.example/client.json';
    const options = { fields: allowing('sandbox-token'), clientId };
    expect((await authorizeAs(server.baseUrl, server.url(), options)).tokens.status).toBe(200);
    const answer = await ask({ client_id: 'https://assistant.example/liar.json', resource: server.url() });
    expect(answer.status).toBe(400);
    const asked = documents.origins.asked.filter((url) => url.includes('assistant'));
    expect(new Set(asked)).toEqual(new Set([clientId, 'https://assistant.example/liar.json']));
  });

  it('buys in the name of a buyer, but a person of the console may let a client', async () => {
    await server.server().app.store.transact(async (tx) => {
      const verifier = await hashPassword('right');
      await tx.consoleUsers.save({ name: 'ann', role: 'operate', verifier, created_at: 0 });
      await tx.consoleUsers.save({ name: 'bob', role: 'view', verifier, created_at: 0 });
    });
    const as = (name: string, password: string) =>
      authorizeAs(server.baseUrl, server.url(), { fields: allowing('', { name, password, principal: 'sandbox' }) });
    expect((await list((await as('ann', 'right')).tokens.access_token)).status).toBe(200);
    await expect(as('ann', 'wrong')).rejects.toThrow('The name or the password is wrong.');
    await expect(as('bob', 'right')).rejects.toThrow('Your role in the console does not allow this.');
  });

  it('sends a body that is compressed, to any address that takes one', async () => {
    const type = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = gzipSync(JSON.stringify({ redirect_uris: [REDIRECT] }));
    for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke', '/oauth/consent/x', '/approvals/x']) {
      const answer = await send(`${server.baseUrl}${path}`, { method: 'POST', headers: type, body });
      expect([answer.status, answer.headers['accept-encoding']], path).toEqual([415, 'identity']);
    }
  });

  it('registers clients, begins sign-ins and tries keys without end, and others still may', async () => {
    const { baseUrl } = server;
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
    const body = JSON.stringify({ redirect_uris: [REDIRECT] });
    const register = () => send(`${baseUrl}/oauth/register`, { method: 'POST', headers, body });
    const begin = () => send(`${baseUrl}/oauth/authorize?client_id=x`, { headers });
    for (const [start, begun] of [
      [register, 201],
      [begin, 400],
    ] as const) {
      const got: number[] = [];
      for (let number = 0; number < 301; number += 1) got.push((await start()).status);
      expect([new Set(got.slice(0, 300)), got[300]]).toEqual([new Set([begun]), 429]);
    }
    const guess = (key: string) =>
      authorizeAs(baseUrl, server.url(), { fields: allowing(key), headers: { 'x-forwarded-for': '203.0.113.8' } });
    for (let number = 0; number < 30; number += 1) await expect(guess('wrong')).rejects.toThrow('no access key');
    await expect(guess('sandbox-token')).rejects.toThrow('Too many tries.');
    const { tokens } = await authorizeAs(baseUrl, server.url(), { fields: allowing('sandbox-token') });
    expect((await list(tokens.access_token)).status).toBe(200);
  });

  it('needs a key to try the sandbox where the tenant says so, and there alone', async () => {
    const { tokens } = await authorizeAs(server.baseUrl, server.url(), { fields: { decision: 'try' } });
    expect((await list(tokens.access_token)).status).toBe(200);
    const elsewhere = authorizeAs(server.baseUrl, server.url('signals'), { fields: { decision: 'try' } });
    await expect(elsewhere).rejects.toThrow('cannot be tried without a key');
  });

  it('comes in by a JWT of the issuer that is for somebody else, too old, or of nobody, but by a right one', async () => {
    const aud = server.url('creative');
    const sign = documents.sign;
    expect((await list(await sign({ sub: 'user-17', aud, scope: 'read' }), 'creative')).status).toBe(200);
    for (const claims of [
      { sub: 'user-17', aud: server.url(), scope: 'read' },
      { sub: 'user-18', aud, scope: 'read' },
      { sub: 'user-17', aud, scope: 'read', iss: 'https://other.example' },
      { sub: 'user-17', aud, scope: '' },
    ])
      expect((await list(await sign(claims), 'creative')).status).toBeGreaterThanOrEqual(401);
    const metadata = await send(`${server.baseUrl}/.well-known/oauth-protected-resource/creative/mcp`);
    expect(metadata.json()).toMatchObject({ authorization_servers: [ISSUER] });
  });
});

const QUESTION = {
  response_type: 'code',
  redirect_uri: REDIRECT,
  scope: 'read',
  code_challenge: sha256Hex('x').slice(0, 43),
  code_challenge_method: 'S256',
};

function withIssuer(url: string): object {
  const tenant = shippedTenant('creative');
  const [first] = tenant.principals;
  Object.assign(first ?? {}, { oauth_subjects: ['user-17'] });
  return { ...tenant, oauth: { issuer: { url } } };
}

const ISSUER = 'https://login.example';

/** Serves the documents of two clients, one of which says that it is another, and an issuer of tokens. */
async function serveDocuments() {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const origins = await serveOrigins(['assistant.example', 'login.example']);
  const client_id = 'https://assistant.example/client.json';
  const document = { client_id, client_name: 'Hosted', redirect_uris: [REDIRECT] };
  origins.put(client_id, document);
  origins.put('https://assistant.example/liar.json', document);
  origins.put(`${ISSUER}/.well-known/oauth-authorization-server`, { issuer: ISSUER, jwks_uri: `${ISSUER}/keys` });
  origins.put(`${ISSUER}/keys`, { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' }] });
  const sign = (claims: Record<string, unknown>) =>
    new SignJWT({ iss: ISSUER, exp: Date.parse('2031-01-01') / 1000, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k' })
      .sign(privateKey);
  return { origins, sign };
}
