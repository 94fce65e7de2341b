import { createLocalJWKSet, importJWK, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/platform/kernel/clock.js';
import { generatePair } from '../../../../src/platform/signing/keys/key-pair.js';
import { type BadgeVerification, createRegistryClient, verifyBadge } from '../../../../src/registry/client/index.js';
import { bootRegistry } from '../../../kit/registry.js';

const AGENT = 'https://ads.acme.example/mcp';
const registry = await bootRegistry({ service: { policy: { ownership: 'off', badgeLastsMs: DAY_MS } } });
const { clock } = registry;
const client = createRegistryClient({
  url: registry.baseUrl,
  outbound: registry.server().registry.outbound,
  clock,
});
let acme: { token: string };

type Verification = Pick<BadgeVerification, 'issuer' | 'agentUrl' | 'registry' | 'jwks'>;

const operate = (path: string, body: object) => registry.server().operate({ path: `/api/admin/${path}`, body });
const give = (specialisms: readonly string[]) =>
  operate('badges', { url: AGENT, role: 'sales', verified_specialisms: specialisms });
const take = (reason: string) => operate('badges', { url: AGENT, role: 'sales', reason });

/** Returns the one badge that the agent has, with its signed form. */
async function held(): Promise<{ badge_id: string; token: string; expires_at: string }> {
  const { badges } = await client.badges({ encodedUrl: AGENT });
  expect(badges).toHaveLength(1);
  return badges[0] as { badge_id: string; token: string; expires_at: string };
}

async function verify(token: string, changes: Partial<Verification> = {}): Promise<string> {
  const jwks = changes.jwks ?? (await client.badgeKeys());
  const verdict = await verifyBadge(token, { issuer: registry.baseUrl, agentUrl: AGENT, clock, ...changes, jwks });
  return verdict.ok ? 'ok' : verdict.fault;
}

/** Verifies as somebody does who has none of our code; returns the claims. */
async function verifyElsewhere(token: string): Promise<Readonly<Record<string, unknown>>> {
  const keys = createLocalJWKSet((await client.badgeKeys()) as Parameters<typeof createLocalJWKSet>[0]);
  const options = { issuer: registry.baseUrl, subject: AGENT, typ: 'agent-badge+jwt', algorithms: ['EdDSA'] };
  return (await jwtVerify(token, keys, { ...options, currentDate: new Date(clock.now()) })).payload;
}

async function listed(): Promise<readonly string[]> {
  return (await client.revokedBadges({})).revoked.map(({ reason }) => reason).toSorted();
}

beforeAll(async () => {
  acme = await registry.member('acme');
  await registry.post('/api/me/agents', { url: AGENT, type: 'sales', visibility: 'public' }, acme.token);
});

describe('a signed badge', () => {
  it('is verified by a library of others, and says whose it is, for what, of which release and until when', async () => {
    await give(['sales-guaranteed']);
    const { badge_id, expires_at, token } = await held();
    const claims = await verifyElsewhere(token);
    expect(claims).toMatchObject({
      jti: badge_id,
      role: 'media-buy',
      adcp_version: '3.1',
      verified_specialisms: ['sales-guaranteed'],
      verification_modes: ['spec'],
    });
    const { exp = 0, iat = 0 } = claims as { exp?: number; iat?: number };
    expect([exp - iat, exp * 1000]).toEqual([DAY_MS / 1000, Date.parse(expires_at)]);
    expect(Date.parse(expires_at) - clock.now()).toBeGreaterThan(22 * HOUR_MS);
  });

  it('is verified by ours offline, with its keys at hand', async () => {
    const { badge_id, token } = await held();
    const jwks = await client.badgeKeys();
    expect(await verifyBadge(token, { jwks, issuer: `${registry.baseUrl}/`, agentUrl: AGENT, clock })).toMatchObject({
      ok: true,
      badge: { id: badge_id, agentUrl: AGENT, role: 'media-buy', version: '3.1', specialisms: ['sales-guaranteed'] },
    });
    expect(await verify(token, { registry: client })).toBe('ok');
  });

  it('is the same for who asks twice, and another one later', async () => {
    const { token } = await held();
    expect((await held()).token).toBe(token);
    clock.advance(2 * HOUR_MS);
    const later = await held();
    expect(later.token).not.toBe(token);
    expect([await verify(token), await verify(later.token)]).toEqual(['ok', 'ok']);
  });

  it('is refused where a part of it was altered', async () => {
    const [head = '', body = '', signature = ''] = (await held()).token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const richer = { ...claims, verified_specialisms: ['sales-guaranteed', 'sales-broadcast-tv'] };
    const altered = [
      [head, Buffer.from(JSON.stringify(richer)).toString('base64url'), signature],
      [head, body, signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`],
    ].map((parts) => parts.join('.'));
    for (const token of altered) {
      expect(await verify(token)).toBe('bad_signature');
      await expect(verifyElsewhere(token)).rejects.toThrow();
    }
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'agent-badge+jwt' })).toString('base64url');
    expect(await verify(`${none}.${body}.${signature}`)).toBe('malformed');
    expect(await verify(`${head}.${body}`)).toBe('malformed');
    expect(await verify('x'.repeat(100_000))).toBe('malformed');
  });

  it('is refused from another registry, for another agent, and by a key of somebody else', async () => {
    const { token } = await held();
    expect(await verify(token, { issuer: 'https://other.example' })).toBe('wrong_issuer');
    expect(await verify(token, { agentUrl: 'https://other.example/mcp' })).toBe('wrong_agent');
    expect(await verify(token, { jwks: { keys: [] } })).toBe('unknown_key');
    const [{ kid } = {}] = (await client.badgeKeys()).keys;
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', ...generatePair('ed25519') }, 'EdDSA');
    const forged = await new SignJWT(await verifyElsewhere(token))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'agent-badge+jwt', kid: String(kid) })
      .sign(key);
    expect(await verify(forged)).toBe('bad_signature');
  });

  it('ends by itself after a day, with a minute for clocks', async () => {
    const { expires_at, token } = await held();
    clock.advance(Date.parse(expires_at) - clock.now() + 30_000);
    expect(await verify(token)).toBe('ok');
    clock.advance(MINUTE_MS);
    expect(await verify(token)).toBe('expired');
    await expect(verifyElsewhere(token)).rejects.toThrow('exp');
    expect(await verify((await held()).token)).toBe('ok');
  });

  it('keeps its id while it is held as it is, and a changed one takes its place', async () => {
    const before = await held();
    await give(['sales-guaranteed']);
    expect((await held()).badge_id).toBe(before.badge_id);
    expect(await listed()).toEqual([]);
    await give(['sales-broadcast-tv']);
    expect((await held()).badge_id).not.toBe(before.badge_id);
    expect(await listed()).toEqual(['replaced']);
    expect(await verify(before.token, { registry: client })).toBe('revoked');
  });

  it('is taken back by the operator with a reason and an event; who asks the registry is told so at once', async () => {
    const { badge_id, token } = await held();
    await take('traffic of bots');
    expect([await verify(token), await verify(token, { registry: client })]).toEqual(['ok', 'revoked']);
    expect((await client.badges({ encodedUrl: AGENT })).badges).toEqual([]);
    expect((await client.revokedBadges({ badge_id })).revoked).toMatchObject([{ badge_id, reason: 'traffic of bots' }]);
    expect((await client.revokedBadges({ badge_id: 'another' })).revoked).toEqual([]);
    const { events } = (await registry.get('/api/registry/feed', acme.token)).json() as { events: object[] };
    expect(events.at(-1)).toMatchObject({
      event_type: 'agent.verification_lost',
      payload: { agent_url: AGENT, reason: 'traffic of bots' },
    });
  });

  it('is verified after a change of keys until it expires, and no more where the key was compromised', async () => {
    await give(['sales-guaranteed']);
    const first = await held();
    await operate('badges/keys', {});
    const second = await held();
    expect([await verify(first.token), await verify(second.token)]).toEqual(['ok', 'ok']);
    expect((await client.badgeKeys()).keys).toHaveLength(2);
    await operate('badges/keys', { compromised: true });
    const third = await held();
    expect([await verify(second.token), await verify(third.token)]).toEqual(['unknown_key', 'ok']);
    await verifyElsewhere(third.token);
  });

  it('goes with its agent', async () => {
    const { token } = await held();
    await registry.request('DELETE', `/api/me/agents/${encodeURIComponent(AGENT)}`, { token: acme.token });
    expect(await verify(token, { registry: client })).toBe('revoked');
  });

  it('is forgotten, and its keys with it, when nothing that was signed can be valid any more', async () => {
    expect((await listed()).length).toBeGreaterThan(2);
    clock.advance(30 * DAY_MS);
    await registry.server().tick();
    expect([await listed(), (await client.badgeKeys()).keys]).toEqual([[], []]);
  });
});

describe('the badges of a registry that starts again', () => {
  it('are signed by the key that it had', async () => {
    const first = await bootRegistry();
    const { token } = await first.member('acme');
    await first.post('/api/me/agents', { url: AGENT, type: 'sales', visibility: 'public' }, token);
    const body = { url: AGENT, role: 'sales', verified_specialisms: ['sales-guaranteed'] };
    await first.server().operate({ path: '/api/admin/badges', body });
    const keys = async ({ get }: Pick<typeof first, 'get'>): Promise<unknown> => {
      await get(`/api/registry/agents/${encodeURIComponent(AGENT)}/verification`);
      return (await get('/api/.well-known/jwks.json')).json();
    };
    const before = await keys(first);
    await first.close();
    expect(await keys(await bootRegistry({ dataDir: first.dataDir, clock: first.clock }))).toEqual(before);
  });
});
