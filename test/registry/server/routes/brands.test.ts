import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listenLocally } from '../../../kit/listen.js';
import { serveOrigins } from '../../../kit/origins.js';
import { bootRegistry } from '../../../kit/registry.js';
import { publicContract } from '../../../kit/registry-contract.js';

/** Serves a provider of brand data on this machine; answers its address. */
async function serveProvider(
  answer: (url: string, key: string | undefined) => readonly [number, unknown],
): Promise<string> {
  const server = createServer(({ headers, url = '' }, response) => {
    const [status, body] = answer(url, headers.authorization);
    response
      .writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' })
      .end(JSON.stringify(body));
  });
  const origin = await listenLocally(server);
  return `${origin}/brands`;
}

const PROVEN = { policy: { ownership: 'off' } } as const;

describe('saving a brand', () => {
  it('creates it as revision 1, updates it as revision 2, and shows both in the history', async () => {
    const registry = await bootRegistry({ service: PROVEN });
    const { token } = await registry.member('acme');
    const body = {
      domain: 'https://Acme.example/',
      brand_name: 'Acme',
      brand_manifest: { name: 'Acme', colors: [{ hex: '#fff', type: 'primary' }] },
    };
    const created = await registry.post('/api/brands/save', body, token);
    expect(created.json()).toEqual({
      success: true,
      message: 'Brand "Acme" saved to registry',
      domain: 'acme.example',
      id: expect.stringMatching(/^brand_/),
    });
    const updated = await registry.post('/api/brands/save', { ...body, brand_name: 'Acme 2' }, token);
    expect(updated.json()).toEqual({
      success: true,
      message: 'Brand "Acme 2" updated in registry (revision 2)',
      domain: 'acme.example',
      id: (created.json() as { id: string }).id,
      revision_number: 2,
    });
    const history = (await registry.get('/api/brands/history?domain=acme.example')).json();
    expect(history).toMatchObject({
      domain: 'acme.example',
      total: 2,
      revisions: [
        {
          revision_number: 2,
          editor_name: 'acme GmbH',
          source: 'community',
          is_rollback: false,
          created_at: '2030-01-01T00:00:00Z',
        },
        { revision_number: 1 },
      ],
    });
    expect((await registry.get('/api/brands/resolve?domain=acme.example')).json()).toMatchObject({
      canonical_id: 'acme.example',
      canonical_domain: 'acme.example',
      brand_name: 'Acme 2',
      source: 'community',
      brand_manifest: { name: 'Acme' },
    });
  });
});

describe('the manifest of a save', () => {
  it.each<[string, object]>([
    ['a list', [{ hex: '#ff0000', type: 'primary' }]],
    ['by role, as the public client sends it', { primary: '#FF0000' }],
  ])('takes colors as %s', async (_what, colors) => {
    const registry = await bootRegistry({ service: PROVEN });
    const { token } = await registry.member('acme');
    const body = { domain: 'acme.example', brand_name: 'Acme', brand_manifest: { colors } };
    expect((await registry.post('/api/brands/save', body, token)).status).toBe(200);
    expect((await registry.get('/api/brands/resolve?domain=acme.example')).json()).toMatchObject({
      brand_manifest: { colors },
    });
  });
});

describe('resolving by brand.json', () => {
  const HOUSE = {
    house: { domain: 'house.example', name: 'House' },
    brands: [
      { id: 'house', names: [{ en: 'House' }], keller_type: 'master', url: 'https://house.example' },
      {
        id: 'leaf',
        names: [{ en: 'Leaf' }],
        keller_type: 'sub_brand',
        parent_brand: 'house',
        properties: [{ type: 'website', identifier: 'leaf.example', relationship: 'owned' }],
      },
    ],
  };
  const HOUSE_FILE = 'https://house.example/.well-known/brand.json';
  const LEAF_FILE = 'https://leaf.example/.well-known/brand.json';

  async function scene() {
    const origins = await serveOrigins(['house.example', 'leaf.example', 'acme.example']);
    const registry = await bootRegistry({
      resolve: new Map(Object.entries(origins.resolve)),
      service: { policy: { ownership: 'off', liveLookups: true } },
    });
    return { origins, registry };
  }

  it('follows the pointer of a domain to its house, keeps the copy for a day, and reads anew when asked', async () => {
    const { origins, registry } = await scene();
    origins.put(HOUSE_FILE, HOUSE);
    origins.put(LEAF_FILE, { house: 'house.example' });
    const resolve = async (more = '') => registry.get(`/api/brands/resolve?domain=leaf.example${more}`);
    expect((await resolve()).json()).toMatchObject({
      canonical_id: 'house#leaf',
      canonical_domain: 'leaf.example',
      brand_name: 'Leaf',
      source: 'brand_json',
      house_domain: 'house.example',
      keller_type: 'sub_brand',
      relationship_trust: 'inline',
    });
    const before = origins.asked.length;
    await resolve();
    expect(origins.asked).toHaveLength(before);
    await resolve('&fresh=true');
    expect(origins.asked.length).toBeGreaterThan(before);
    expect((await registry.get('/api/brands/brand-json?domain=leaf.example')).json()).toMatchObject({
      domain: 'leaf.example',
      url: HOUSE_FILE,
      variant: 'house_portfolio',
      data: HOUSE,
    });
    expect((await registry.get('/api/brands/registry?source=brand_json')).json()).toMatchObject({
      brands: [{ domain: 'leaf.example', source: 'brand_json', verified: true, has_manifest: true }],
      stats: { total: 1, brand_json: 1, sub_brands: 1 },
    });
  });

  it('remembers for an hour that there is none, says what the server said, and looks again then', async () => {
    const { origins, registry } = await scene();
    const first = await registry.get('/api/brands/resolve?domain=leaf.example');
    expect([first.status, first.json()]).toEqual([
      404,
      expect.objectContaining({ error: 'Brand not found', domain: 'leaf.example', file_status: 404 }),
    ]);
    const asked = origins.asked.length;
    await registry.get('/api/brands/resolve?domain=leaf.example');
    expect(origins.asked).toHaveLength(asked);
    registry.clock.advance(3_600_000);
    origins.put(LEAF_FILE, { id: 'leaf', names: [{ en: 'Leaf' }] });
    expect((await registry.get('/api/brands/resolve?domain=leaf.example')).json()).toMatchObject({
      brand_name: 'Leaf',
    });
  });

  it('lets the file go before a community entry, which cannot be edited from then on and counts again when the file is gone', async () => {
    const { origins, registry } = await scene();
    const { token } = await registry.member('acme');
    const save = () => registry.post('/api/brands/save', { domain: 'acme.example', brand_name: 'Community' }, token);
    expect((await save()).status).toBe(200);
    const url = 'https://acme.example/.well-known/brand.json';
    origins.put(url, { id: 'acme', names: [{ en: 'Acme itself' }] });
    const fresh = async () => (await registry.get('/api/brands/resolve?domain=acme.example&fresh=true')).json();
    expect(await fresh()).toMatchObject({ brand_name: 'Acme itself', source: 'brand_json' });
    const refused = await save();
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'authoritative', domain: 'acme.example' }),
    ]);
    origins.put(url, { body: 'oops', status: 500 });
    expect(await fresh()).toMatchObject({
      brand_name: 'Acme itself',
      live_brand_json: { valid: false, status_code: 500 },
    });
    origins.put(url, undefined);
    expect(await fresh()).toMatchObject({ brand_name: 'Community', source: 'community' });
    expect((await save()).status).toBe(200);
  });

  it('tells a caller whose look-ups are used up to wait, and never that there is nothing', async () => {
    const origins = await serveOrigins(['leaf.example']);
    const registry = await bootRegistry({
      resolve: new Map(Object.entries(origins.resolve)),
      service: { policy: { liveLookups: true }, limits: { resolve_live: { points: 1, windowMs: 7_200_000 } } },
    });
    expect((await registry.get('/api/brands/resolve?domain=leaf.example')).json()).toMatchObject({ file_status: 404 });
    registry.clock.advance(3_600_000);
    const asked = origins.asked.length;
    for (const path of ['brands/resolve', 'brands/brand-json', 'properties/resolve']) {
      for (const fresh of ['', '&fresh=true']) {
        const refused = await registry.get(`/api/${path}?domain=leaf.example${fresh}`);
        const { code, retry_after } = refused.json() as { code: string; retry_after: number };
        expect([refused.status, code]).toEqual([429, 'rate_limited']);
        expect(refused.headers['retry-after']).toBe(String(retry_after));
      }
    }
    expect(origins.asked).toHaveLength(asked);
  });

  it('looks up as many unknown domains as are asked for where no limit is set', async () => {
    const origins = await serveOrigins(['leaf.example']);
    const registry = await bootRegistry({
      resolve: new Map(Object.entries(origins.resolve)),
      service: { policy: { liveLookups: true }, limits: {} },
    });
    for (let count = 0; count < 70; count += 1) {
      registry.clock.advance(3_600_000);
      expect((await registry.get('/api/properties/resolve?domain=leaf.example')).status).toBe(404);
    }
  });

  it('asks once for many who ask at the same time', async () => {
    const { origins, registry } = await scene();
    origins.put(LEAF_FILE, { id: 'leaf', names: [{ en: 'Leaf' }] });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => registry.get('/api/brands/resolve?domain=leaf.example')),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(origins.asked).toEqual([LEAF_FILE]);
  });
});

describe('a brand-data provider', () => {
  it('answers what it knows', async () => {
    const registry = await bootRegistry({
      enrich: async (domain) =>
        domain === 'acme.example'
          ? { cached: false, manifest: { name: 'Acme', url: 'https://acme.example' } }
          : undefined,
    });
    expect((await registry.get('/api/brands/enrich?domain=acme.example')).json()).toEqual({
      success: true,
      domain: 'acme.example',
      cached: false,
      manifest: { name: 'Acme', url: 'https://acme.example' },
    });
    expect((await registry.get('/api/brands/enrich?domain=other.example')).status).toBe(404);
  });

  describe('of the settings', () => {
    const BRAND = {
      name: 'Acme',
      url: 'https://acme.example',
      logos: [
        { url: 'https://acme.example/l.png', tags: ['icon'] },
        { url: 'http://acme.example/l.png', tags: [] },
      ],
      company: { name: 'Acme Ltd', founded: 1999 },
      secret: 'not for callers',
    };

    it('is asked once a day with its key, is believed where nobody knows better, and outlives a restart', async () => {
      const asked: string[] = [];
      const provider = await serveProvider((url, key) => {
        asked.push(`${url} ${key}`);
        return url.endsWith('=acme.example') ? [200, { manifest: BRAND }] : [404, {}];
      });
      const service = { ...PROVEN, brandData: { url: provider, key: 'k' } };
      const first = await bootRegistry({ service, settings: { development: true } });
      const enrich = async (registry: typeof first, domain = 'acme.example') => {
        const answer = await registry.get(`/api/brands/enrich?domain=${domain}`);
        // The public contract does not describe its 404.
        if (answer.status !== 404) expect(publicContract()?.faultOf('enrichBrand', answer)).toBeUndefined();
        return answer;
      };
      const { secret: _secret, logos: [logo] = [], ...shown } = BRAND;
      const manifest = { ...shown, logos: [logo] };
      const answer = {
        success: true,
        domain: 'acme.example',
        manifest,
        company: BRAND.company,
        source_type: 'enriched',
      };
      expect((await enrich(first)).json()).toEqual({ ...answer, cached: false });
      expect((await enrich(first)).json()).toEqual({ ...answer, cached: true });
      expect([(await enrich(first, 'other.example')).status, (await enrich(first, 'other.example')).status]).toEqual([
        404, 404,
      ]);
      expect((await first.get('/api/brands/resolve?domain=acme.example')).json()).toMatchObject({
        brand_name: 'Acme',
        source: 'enriched',
      });
      await first.close();
      const second = await bootRegistry({ service, settings: { development: true }, dataDir: first.dataDir });
      expect((await enrich(second)).json()).toMatchObject({ cached: true });
      expect(asked).toEqual(['/brands?domain=acme.example Bearer k', '/brands?domain=other.example Bearer k']);
      second.clock.advance(25 * 3_600_000);
      expect((await enrich(second)).json()).toMatchObject({ cached: false });
    });

    it('does not go before what a member saved', async () => {
      const provider = await serveProvider(() => [200, { manifest: BRAND }]);
      const service = { ...PROVEN, brandData: { url: provider, key: undefined } };
      const registry = await bootRegistry({ service, settings: { development: true } });
      const { token } = await registry.member('acme');
      await registry.post('/api/brands/save', { domain: 'acme.example', brand_name: 'Our Acme' }, token);
      expect((await registry.get('/api/brands/enrich?domain=acme.example')).json()).toMatchObject({ cached: false });
      expect((await registry.get('/api/brands/resolve?domain=acme.example')).json()).toMatchObject({
        brand_name: 'Our Acme',
        source: 'community',
      });
    });

    it.each<[string, readonly [number, unknown]]>([
      ['fails', [500, {}]],
      ['redirects', [302, {}]],
      ['answers no brand', [200, { manifest: { name: 'Acme' } }]],
      ['answers more than anybody reads', [200, { manifest: { ...BRAND, description: 'x'.repeat(300_000) } }]],
    ])('that %s is told as that, and asked again', async (_name, reply) => {
      let asked = 0;
      const provider = await serveProvider(() => {
        asked += 1;
        return reply;
      });
      const service = { ...PROVEN, brandData: { url: provider, key: undefined } };
      const registry = await bootRegistry({ service, settings: { development: true } });
      for (const _try of [1, 2]) {
        const answer = await registry.get('/api/brands/enrich?domain=acme.example');
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60']);
        expect(publicContract()?.faultOf('enrichBrand', answer)).toBeUndefined();
      }
      expect(asked).toBe(2);
    });

    it('is asked no more often than it may be, all callers together', async () => {
      const provider = await serveProvider(() => [404, {}]);
      const limits = { brand_data: { points: 2, windowMs: 60_000 } };
      const service = { ...PROVEN, limits, brandData: { url: provider, key: undefined } };
      const registry = await bootRegistry({ service, settings: { development: true } });
      const statuses = [];
      for (const name of ['a', 'b', 'c', 'a'])
        statuses.push((await registry.get(`/api/brands/enrich?domain=${name}.example`)).status);
      expect(statuses).toEqual([404, 404, 429, 404]);
    });
  });
});
