import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../../kit/http.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';

const NOW = Date.parse('2030-01-01T00:00:00Z') / 1000;
const AUDIENCE = 'https://registry.example/api';

/** An identity provider as it stands on the internet: metadata, keys, registration of clients. */
async function startProvider() {
  const [good, other] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  let issuer = '';
  const registered: unknown[] = [];
  const server = createServer(async (request, response) => {
    const documents: Readonly<Record<string, unknown>> = {
      '/.well-known/oauth-authorization-server': {
        issuer,
        jwks_uri: `${issuer}/jwks`,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        registration_endpoint: `${issuer}/clients`,
      },
      '/jwks': { keys: [{ ...(await exportJWK(good.publicKey)), kid: 'good', alg: 'RS256' }] },
    };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/clients') {
      registered.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"client_id":"c-1"}');
      return;
    }
    const found = documents[request.url ?? ''];
    response
      .writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, good, other, registered, close: () => server.close() };
}

type Provider = Awaited<ReturnType<typeof startProvider>>;
type Claims = {
  sub?: string | undefined;
  iss?: string;
  aud?: string;
  exp?: number;
  kid?: string;
  key?: 'good' | 'other';
};

describe('access tokens of a configured identity provider', () => {
  let provider: Provider;
  let registry: BootedRegistry;

  beforeAll(async () => {
    provider = await startProvider();
    registry = await bootRegistry({
      service: { identityProvider: { issuer: provider.issuer, audience: [AUDIENCE] }, policy: { ownership: 'off' } },
    });
    await registry.member('acme');
    await registry
      .server()
      .operate({ path: '/api/admin/members', body: { organization: 'acme', subject: 'user-1', name: 'Ann' } });
  });
  afterAll(() => provider.close());

  async function token(claims: Claims = {}): Promise<string> {
    const {
      sub = 'user-1',
      iss = provider.issuer,
      aud = AUDIENCE,
      exp = NOW + 300,
      kid = 'good',
      key = 'good',
    } = claims;
    const jwt = new SignJWT('sub' in claims && claims.sub === undefined ? {} : { sub })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(iss)
      .setAudience(aud)
      .setExpirationTime(exp);
    return jwt.sign(provider[key].privateKey);
  }
  const save = (bearer: string) =>
    registry.post('/api/brands/save', { domain: 'acme.example', brand_name: 'Acme' }, bearer);

  it('lets a member save in the name of the organization', async () => {
    expect((await save(await token())).status).toBe(200);
    expect((await registry.get('/api/brands/history?domain=acme.example')).json()).toMatchObject({
      revisions: [{ editor_name: 'Ann' }],
    });
  });

  it('answers 403 to a user who is proven and belongs to nobody', async () => {
    const answer = await save(await token({ sub: 'stranger' }));
    expect([answer.status, answer.json()]).toEqual([403, expect.objectContaining({ code: 'membership_required' })]);
  });

  it.each<[string, (good: string) => Promise<string> | string]>([
    ['another audience', () => token({ aud: 'https://other.example' })],
    ['another issuer', () => token({ iss: 'https://evil.example' })],
    ['one that has expired', () => token({ exp: NOW - 1 })],
    ['a key that nobody knows', () => token({ kid: 'unknown' })],
    ['the signature of another key', () => token({ key: 'other' })],
    ['no subject', () => token({ sub: undefined })],
    ['alg none', (good) => `${Buffer.from('{"alg":"none"}').toString('base64url')}.${good.split('.')[1]}.`],
    [
      'a shared secret',
      (good) => `${Buffer.from('{"alg":"HS256","kid":"good"}').toString('base64url')}.${good.split('.')[1]}.AAAA`,
    ],
    [
      'a changed payload',
      (good) => good.replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"user-1"}').toString('base64url')}.`),
    ],
    ['no token at all', () => 'a.b.c'],
  ])('answers 401 to %s, and says where tokens come from', async (_what, make) => {
    const answer = await save(await make(await token()));
    expect([answer.status, answer.json()]).toEqual([401, expect.objectContaining({ code: 'invalid_token' })]);
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer realm="registry", error="invalid_token", resource_metadata="${registry.baseUrl}/.well-known/oauth-protected-resource/api"`,
    );
  });

  it('publishes where tokens come from, and hands clients on to the provider', async () => {
    expect((await registry.get('/.well-known/oauth-protected-resource/api')).json()).toMatchObject({
      resource: `${registry.baseUrl}/api`,
      authorization_servers: [provider.issuer],
    });
    expect((await registry.get('/.well-known/oauth-authorization-server')).json()).toMatchObject({
      issuer: provider.issuer,
      registration_endpoint: `${registry.baseUrl}/register`,
    });
    const client = { redirect_uris: ['http://127.0.0.1/cb'] };
    const answer = await registry.post('/register', client);
    expect([answer.status, answer.json()]).toEqual([201, { client_id: 'c-1' }]);
    expect(provider.registered).toEqual([client]);
  });
});

describe('a provider that cannot be reached', () => {
  it('is 503 for its tokens, and nothing to API keys', async () => {
    const registry = await bootRegistry({
      service: { identityProvider: { issuer: 'http://127.0.0.1:9' }, policy: { ownership: 'off' } },
    });
    const { token } = await registry.member('acme');
    expect((await registry.get('/api/me/agents', 'aa.bb.cc')).status).toBe(503);
    expect((await registry.get('/api/me/agents', token)).status).toBe(200);
  });
});

describe('API keys', () => {
  it('end with their revocation, and are kept as a hash alone', async () => {
    const registry = await bootRegistry();
    const { token } = await registry.member('acme');
    expect((await registry.get('/api/me/agents', token)).status).toBe(200);
    const { keys } = (await registry.server().operate({ path: '/api/admin/keys' })) as { keys: { key_id: string }[] };
    expect(JSON.stringify(keys)).not.toContain(token);
    await registry.server().operate({ path: '/api/admin/keys/revoke', body: { key_id: keys[0]?.key_id } });
    expect((await registry.get('/api/me/agents', token)).status).toBe(401);
  });
});

describe('the provider for development', () => {
  it('gives a token for a code and its verifier, once, and refuses a wrong verifier', async () => {
    const registry = await bootRegistry({ service: { identityProvider: 'development' } });
    const metadata = (await registry.get('/.well-known/oauth-authorization-server')).json() as Record<string, string>;
    expect(metadata.issuer).toBe(registry.baseUrl);
    const redirect_uri = 'http://127.0.0.1:7777/cb';
    const client = (await registry.post('/register', { redirect_uris: [redirect_uri] })).json() as {
      client_id: string;
    };
    const verifier = 'v'.repeat(43);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const input = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 's',
      user: 'ann',
    };
    const authorize = async (changes: object = {}) =>
      registry.get(`/authorize?${new URLSearchParams({ ...input, ...changes } as Record<string, string>)}`);
    const token = (form: Record<string, string>) =>
      send(`${registry.baseUrl}/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: client.client_id,
          redirect_uri,
          ...form,
        }).toString(),
      });
    const codeOf = (location: string | undefined): string => new URL(location ?? '').searchParams.get('code') ?? '';
    expect((await authorize({ redirect_uri: 'https://evil.example/' })).status).toBe(400);
    expect((await authorize({ code_challenge_method: 'plain' })).status).toBe(400);
    const spoilt = codeOf((await authorize()).headers.location);
    expect((await token({ code: spoilt, code_verifier: 'w'.repeat(43) })).json()).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await token({ code: spoilt, code_verifier: verifier })).status).toBe(400);
    const code = codeOf((await authorize()).headers.location);
    const tokens = (await token({ code, code_verifier: verifier })).json() as {
      access_token: string;
      refresh_token: string;
    };
    expect((await registry.get('/api/me/agents', tokens.access_token)).status).toBe(403);
    await registry.member('acme');
    await registry.server().operate({ path: '/api/admin/members', body: { organization: 'acme', subject: 'ann' } });
    expect((await registry.get('/api/me/agents', tokens.access_token)).status).toBe(200);
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
    expect(refreshed.status).toBe(200);
    expect((await token({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status).toBe(400);
  });

  it('is refused outside development mode', async () => {
    await expect(
      bootRegistry({ service: { identityProvider: 'development' }, settings: { development: false } }),
    ).rejects.toThrow('development provider');
  });
});
