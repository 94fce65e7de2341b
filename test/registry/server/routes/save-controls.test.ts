import { describe, expect, it } from 'vitest';
import { serveOrigins } from '../../../kit/origins.js';
import { bootRegistry } from '../../../kit/registry.js';
import { temporaryFolder } from '../../../kit/surroundings.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const BRAND = { domain: 'acme.example', brand_name: 'Acme' };

type Challenge = {
  nonce: string;
  dns_record_name: string;
  dns_record_value: string;
  http_url: string;
  expires_at: string;
};

describe('proof of ownership', () => {
  it('refuses a save without a proof, takes it with one, and wants a new one after 90 days', async () => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const { token } = await registry.member('acme');
    const refused = await registry.post('/api/brands/save', BRAND, token);
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'ownership_proof_required', domain: 'acme.example' });
    const challenge = (
      await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token)
    ).json() as Challenge;
    expect(challenge).toMatchObject({
      dns_record_name: '_adcp-owner.acme.example',
      http_url: 'https://acme.example/.well-known/adcp-ownership.txt',
      expires_at: '2030-01-01T00:15:00Z',
    });
    txt.set(challenge.dns_record_name, ['v=spf1 -all', challenge.nonce]);
    const verified = await registry.post('/api/ownership/verify', { domain: 'acme.example' }, token);
    expect(verified.json()).toMatchObject({ verified: true, method: 'dns', reproof_after: '2030-04-01T00:00:00Z' });
    expect((await registry.post('/api/brands/save', BRAND, token)).status).toBe(200);
    registry.clock.advance(89 * DAY);
    expect((await registry.post('/api/brands/save', BRAND, token)).status).toBe(200);
    registry.clock.advance(2 * DAY);
    expect((await registry.post('/api/brands/save', BRAND, token)).status).toBe(403);
  });

  it('is scoped to the organization: what one has proven says nothing about another', async () => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const [one, other] = [await registry.member('one'), await registry.member('other')];
    const { nonce } = (
      await registry.post('/api/ownership/issue', { domain: 'acme.example' }, one.token)
    ).json() as Challenge;
    txt.set('_adcp-owner.acme.example', [nonce]);
    expect((await registry.post('/api/ownership/verify', { domain: 'acme.example' }, other.token)).status).toBe(404);
    await registry.post('/api/ownership/issue', { domain: 'acme.example' }, other.token);
    expect((await registry.post('/api/ownership/verify', { domain: 'acme.example' }, other.token)).status).toBe(400);
    expect((await registry.post('/api/ownership/verify', { domain: 'acme.example' }, one.token)).status).toBe(200);
    expect((await registry.post('/api/brands/save', BRAND, other.token)).status).toBe(403);
    expect((await registry.post('/api/brands/save', BRAND, one.token)).status).toBe(200);
  });

  it.each(['adcp', 'proto'])('takes the nonce under the name %s, by DNS', async (protocol) => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const { token } = await registry.member('acme');
    const { nonce } = (
      await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token)
    ).json() as Challenge;
    txt.set(`_${protocol}-owner.acme.example`, [nonce]);
    expect((await registry.post('/api/ownership/verify', { domain: 'acme.example' }, token)).status).toBe(200);
  });

  it('uses a nonce up: after a failure, after a success, and when another is issued', async () => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const { token } = await registry.member('acme');
    const issue = async (): Promise<string> =>
      ((await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token)).json() as Challenge).nonce;
    const verify = async (): Promise<number> =>
      (await registry.post('/api/ownership/verify', { domain: 'acme.example' }, token)).status;
    const first = await issue();
    expect(await verify()).toBe(400);
    txt.set('_adcp-owner.acme.example', [first]);
    expect(await verify()).toBe(404);
    const second = await issue();
    expect(await verify()).toBe(400);
    const third = await issue();
    txt.set('_adcp-owner.acme.example', [second, third]);
    expect(await verify()).toBe(200);
    expect(await verify()).toBe(404);
  });

  it('ends what another organization has proven when a domain is proven anew', async () => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const [acme, other] = [await registry.member('acme'), await registry.member('other')];
    const prove = async (token: string): Promise<void> => {
      const issued = await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token);
      txt.set('_adcp-owner.acme.example', [(issued.json() as Challenge).nonce]);
      expect((await registry.post('/api/ownership/verify', { domain: 'acme.example' }, token)).status).toBe(200);
    };
    const save = async (token: string): Promise<number> =>
      (await registry.post('/api/brands/save', BRAND, token)).status;
    await prove(acme.token);
    expect([await save(acme.token), await save(other.token)]).toEqual([200, 403]);
    await prove(other.token);
    expect([await save(acme.token), await save(other.token)]).toEqual([403, 200]);
  });

  it('lets one of many that race with a nonce through', async () => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const { token } = await registry.member('acme');
    const { nonce } = (
      await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token)
    ).json() as Challenge;
    txt.set('_adcp-owner.acme.example', [nonce]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => registry.post('/api/ownership/verify', { domain: 'acme.example' }, token)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
  });

  it('lets a nonce die after 15 minutes', async () => {
    const txt = new Map<string, string[]>();
    const registry = await bootRegistry({ txt });
    const { token } = await registry.member('acme');
    const { nonce } = (
      await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token)
    ).json() as Challenge;
    txt.set('_adcp-owner.acme.example', [nonce]);
    registry.clock.advance(15 * MINUTE);
    const late = await registry.post('/api/ownership/verify', { domain: 'acme.example' }, token);
    expect([late.status, late.json()]).toEqual([410, expect.objectContaining({ code: 'nonce_expired' })]);
    expect((await registry.post('/api/ownership/verify', { domain: 'acme.example' }, token)).status).toBe(404);
  });

  it('reads the file of the domain, and follows no redirect away from it', async () => {
    const origins = await serveOrigins(['acme.example', 'elsewhere.example']);
    const registry = await bootRegistry({ resolve: new Map(Object.entries(origins.resolve)) });
    const { token } = await registry.member('acme');
    const issue = async (): Promise<Challenge> =>
      (await registry.post('/api/ownership/issue', { domain: 'acme.example' }, token)).json() as Challenge;
    const verify = () => registry.post('/api/ownership/verify', { domain: 'acme.example', method: 'http' }, token);
    const first = await issue();
    origins.put(first.http_url, { body: '', status: 302, headers: { location: 'https://elsewhere.example/nonce' } });
    origins.put('https://elsewhere.example/nonce', { body: first.nonce });
    expect((await verify()).status).toBe(400);
    const second = await issue();
    origins.put(second.http_url, { body: `${second.nonce}\n` });
    expect((await verify()).json()).toMatchObject({ verified: true, method: 'http' });
  });
});

describe('names that read like others', () => {
  const PROVEN = { ownership: 'off' } as const;

  it.each([
    ['a look-alike of an entry', 'acrne.example'],
    ['mixed scripts', 'аcme.example'],
    ['punycode of mixed scripts', 'xn--cme-5cd.example'],
    ['a protected name under another suffix', 'g00gle.example'],
    ['a protected name with another suffix', 'google.example'],
  ])('refuses %s', async (_what, domain) => {
    const registry = await bootRegistry({ service: { policy: PROVEN, protectedNames: ['google.com'] } });
    const { token } = await registry.member('acme');
    expect((await registry.post('/api/brands/save', BRAND, token)).status).toBe(200);
    const refused = await registry.post('/api/brands/save', { domain, brand_name: 'X' }, token);
    expect([refused.status, refused.json()]).toEqual([400, expect.objectContaining({ code: 'look_alike' })]);
    const list = (await registry.get('/api/brands/registry')).json() as { brands: { domain: string }[] };
    expect(list.brands.map((brand) => brand.domain)).toEqual(['acme.example']);
  });

  it('refuses a look-alike of a publisher that was crawled, which has no entry', async () => {
    const origins = await serveOrigins(['northlight.example']);
    origins.put('https://northlight.example/.well-known/adagents.json', {
      properties: [{ property_type: 'website', name: 'N', identifiers: [{ type: 'domain', value: 'n.example' }] }],
      authorized_agents: [],
    });
    const registry = await bootRegistry({
      service: { policy: PROVEN },
      resolve: new Map(Object.entries(origins.resolve)),
    });
    const { token } = await registry.member('acme');
    await registry.server().registry.crawler.crawl('northlight.example');
    await registry.server().registry.crawler.crawl('nobody.example');
    const save = (domain: string) => registry.post('/api/brands/save', { domain, brand_name: 'X' }, token);
    const refused = await save('north1ight.example');
    expect([refused.status, refused.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'look_alike', resembles: 'northlight.example' }),
    ]);
    expect((await save('northlight.example')).status).toBe(200);
    expect((await save('n0body.example')).status).toBe(200);
  });

  it.each(['ab--cd.example', '☕.example'])('refuses %s, which nobody can register', async (domain) => {
    const registry = await bootRegistry({ service: { policy: PROVEN } });
    const { token } = await registry.member('acme');
    const refused = await registry.post('/api/brands/save', { domain, brand_name: 'X' }, token);
    expect([refused.status, refused.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_domain', field: '/domain' }),
    ]);
  });

  it('lets the protected name itself be saved, and a name of one script that reads like nobody', async () => {
    const registry = await bootRegistry({ service: { policy: PROVEN, protectedNames: ['google.com'] } });
    const { token } = await registry.member('acme');
    for (const domain of ['google.com', 'bücher.example', 'пример.example']) {
      expect((await registry.post('/api/brands/save', { domain, brand_name: 'X' }, token)).status).toBe(200);
    }
  });

  it('holds it for a moderator where the policy says so, and saves it when one approves', async () => {
    const registry = await bootRegistry({ service: { policy: { ...PROVEN, lookAlikes: 'review' } } });
    const [{ token }, moderator] = [await registry.member('acme'), await registry.member('mods', 'moderator')];
    await registry.post('/api/brands/save', BRAND, token);
    const held = await registry.post('/api/brands/save', { domain: 'acrne.example', brand_name: 'Acrne' }, token);
    expect(held.json()).toMatchObject({ success: true, review_status: 'pending' });
    const again = await registry.post('/api/brands/save', { domain: 'acrne.example', brand_name: 'Acrne' }, token);
    expect([again.status, again.json()]).toEqual([409, expect.objectContaining({ code: 'pending_review' })]);
    expect((await registry.get('/api/brands/resolve?domain=acrne.example')).status).toBe(404);
    const { reviews } = (await registry.get('/api/admin/reviews', moderator.token)).json() as {
      reviews: { review_id: string }[];
    };
    const decision = { review_id: reviews[0]?.review_id, decision: 'approve', reason: 'Another company' };
    expect((await registry.post('/api/admin/reviews/decide', decision, token)).status).toBe(403);
    expect((await registry.post('/api/admin/reviews/decide', decision, moderator.token)).status).toBe(200);
    expect((await registry.post('/api/admin/reviews/decide', decision, moderator.token)).status).toBe(409);
    const listDecided = async (query: string) =>
      (await registry.get(`/api/admin/reviews?${query}`, moderator.token)).json() as { reviews: object[] };
    expect(await listDecided('state=approved')).toMatchObject({
      reviews: [{ domain: 'acrne.example', decided_by: expect.any(String), decided_why: 'Another company' }],
    });
    expect(await listDecided('state=approved&offset=1')).toEqual({ reviews: [] });
    expect(await listDecided('')).toEqual({ reviews: [] });
    expect((await registry.get('/api/brands/resolve?domain=acrne.example')).json()).toMatchObject({
      brand_name: 'Acrne',
    });
  });
});

describe('a hosted property', () => {
  it('has the type that its member calls it, in every answer and event', async () => {
    const registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    const { token } = await registry.member('acme');
    const body = {
      publisher_domain: 'acme.example',
      authorized_agents: [],
      properties: [{ type: 'cinema', name: 'A' }],
    };
    expect((await registry.post('/api/properties/save', body, token)).status).toBe(200);
    expect((await registry.get('/api/properties/resolve?domain=acme.example')).json()).toMatchObject({
      properties: [{ type: 'cinema', name: 'A' }],
    });
    expect((await registry.get('/api/registry/catalog', token)).text).toContain('cinema');
    expect((await registry.get('/api/registry/feed', token)).text).toContain('"property_type":"cinema"');
    const long = { ...body, properties: [{ type: 'x'.repeat(65), name: 'A' }] };
    expect((await registry.post('/api/properties/save', long, token)).status).toBe(400);
  });
});

describe('what a domain serves just now', () => {
  it('goes before a save that nobody has crawled it for: 409, and it is crawled', async () => {
    const origins = await serveOrigins(['acme.example', 'empty.example']);
    const resolve = new Map(Object.entries(origins.resolve));
    const registry = await bootRegistry({ resolve, service: { policy: { ownership: 'off', liveLookups: true } } });
    const { token } = await registry.member('acme');
    const property = (publisher_domain: string) => ({ publisher_domain, authorized_agents: [] });
    expect((await registry.post('/api/properties/save', property('acme.example'), token)).status).toBe(200);
    origins.put('https://acme.example/.well-known/adagents.json', {
      properties: [{ property_type: 'website', name: 'A', identifiers: [{ type: 'domain', value: 'acme.example' }] }],
      authorized_agents: [],
    });
    origins.put('https://acme.example/.well-known/brand.json', {
      house: { domain: 'acme.example', name: 'Acme' },
      brands: [{ id: 'acme', names: [{ en: 'Acme itself' }], keller_type: 'master' }],
    });
    const saves = [
      ['/api/properties/save', property('acme.example')],
      ['/api/brands/save', BRAND],
    ] as const;
    for (const [path, body] of saves) {
      const refused = await registry.post(path, body, token);
      expect([refused.status, refused.json()]).toEqual([409, expect.objectContaining({ code: 'authoritative' })]);
    }
    expect((await registry.get('/api/brands/resolve?domain=acme.example')).json()).toMatchObject({
      brand_name: 'Acme itself',
      source: 'brand_json',
    });
    await expect
      .poll(async () => (await registry.get('/api/properties/resolve?domain=acme.example')).json())
      .toMatchObject({ source: 'adagents_json' });
    expect((await registry.post('/api/properties/save', property('empty.example'), token)).status).toBe(200);
  });
});

describe('limits of saves', () => {
  it('takes 60 saves an hour of a user and says when the next may come', async () => {
    const registry = await bootRegistry({ service: { policy: { ownership: 'off' }, limits: {} } });
    const { token } = await registry.member('acme');
    for (let count = 0; count < 60; count += 1) {
      expect((await registry.post('/api/brands/save', BRAND, token)).status).toBe(200);
    }
    const refused = await registry.post('/api/brands/save', BRAND, token);
    const { retry_after, retryAfter, error } = refused.json() as Record<string, unknown>;
    expect([refused.status, error, retryAfter]).toEqual([429, 'Too many requests', retry_after]);
    expect(refused.headers['retry-after']).toBe(String(retry_after));
    expect((await registry.get('/api/brands/history?domain=acme.example')).json()).toMatchObject({ total: 60 });
  });

  it('counts on after a restart, and anew in the next window', async () => {
    const dataDir = temporaryFolder('seller-registry-limits-');
    const service = {
      policy: { ownership: 'off' },
      limits: { save_user: { points: 2, windowMs: 60 * MINUTE } },
    } as const;
    const first = await bootRegistry({ dataDir, service });
    const { token } = await first.member('acme');
    expect((await first.post('/api/brands/save', BRAND, token)).status).toBe(200);
    first.clock.advance(MINUTE);
    expect((await first.post('/api/brands/save', BRAND, token)).status).toBe(200);
    await first.close();
    const second = await bootRegistry({ dataDir, service, at: '2030-01-01T00:30:00Z' });
    const refused = await second.post('/api/brands/save', BRAND, token);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1800']);
    second.clock.advance(30 * MINUTE);
    expect((await second.post('/api/brands/save', BRAND, token)).status).toBe(200);
  });

  it('takes 20 bulk requests a minute of an address', async () => {
    const registry = await bootRegistry({ service: { limits: {} } });
    const statuses: number[] = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await registry.post('/api/brands/resolve/bulk', { domains: ['acme.example'] })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('rollback', () => {
  it('is a revision of its own that names the restored one', async () => {
    const registry = await bootRegistry({ service: { policy: { ownership: 'off' } } });
    const [{ token }, moderator] = [await registry.member('acme'), await registry.member('mods', 'moderator')];
    await registry.post('/api/brands/save', BRAND, token);
    await registry.post('/api/brands/save', { ...BRAND, brand_name: 'Vandal' }, token);
    const rolled = await registry.post(
      '/api/admin/rollback',
      { kind: 'brand', domain: 'acme.example', revision_number: 1 },
      moderator.token,
    );
    expect(rolled.json()).toEqual({ domain: 'acme.example', revision_number: 3, rolled_back_to: 1 });
    expect((await registry.get('/api/brands/history?domain=acme.example')).json()).toMatchObject({
      total: 3,
      revisions: [{ revision_number: 3, is_rollback: true, rolled_back_to: 1 }, { is_rollback: false }, {}],
    });
    expect((await registry.get('/api/brands/resolve?domain=acme.example')).json()).toMatchObject({
      brand_name: 'Acme',
    });
  });
});
