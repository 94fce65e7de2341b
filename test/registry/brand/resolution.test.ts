import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../src/platform/kernel/clock.js';
import { discoverBrand } from '../../../src/registry/brand/discovery.js';
import { CLAIM_LASTS_MS, resolveBrand } from '../../../src/registry/brand/resolution.js';
import { BRAND_REASONS } from '../../../src/registry/documents/discovery-reasons.js';
import { NOW, type Page, walk } from '../scripted-web.js';

const at = (domain: string): string => `https://${domain}/.well-known/brand.json`;
const names = (name: string) => [{ en: name }];
const json = (content: object): Page => ({ json: content });

const HOUSE = {
  house: { domain: 'nike.example', name: 'Nike, Inc.' },
  brands: [
    {
      id: 'nike',
      names: names('Nike'),
      keller_type: 'master',
      url: 'https://www.nikeshop.example/home',
      properties: [
        { type: 'website', identifier: 'nike.example' },
        { type: 'website', identifier: 'fanblog.example', relationship: 'delegated' },
      ],
      agents: [{ type: 'brand', url: 'https://brand.nike.example/mcp', id: 'nike_brand' }],
    },
    {
      id: 'jordan',
      names: names('Air Jordan'),
      keller_type: 'endorsed',
      parent_brand: 'nike',
      properties: [{ type: 'website', identifier: 'jordan.example' }],
    },
  ],
  brand_refs: [{ domain: 'converse.example', brand_id: 'converse' }],
};
const CONVERSE = { id: 'converse', names: names('Converse'), house_domain: 'nike.example' };

const discover = (world: Readonly<Record<string, Page>>, domain = 'acme.example') => walk(discoverBrand(domain), world);
const resolve = (world: Readonly<Record<string, Page>>, domain: string) =>
  walk(resolveBrand(domain, NOW), world).result.brand;

describe('a brand.json', () => {
  const agents = { agents: [{ type: 'sales', url: 'https://sales.example/mcp', id: 'sales' }] };

  it.each<[name: string, world: Record<string, Page>, speaker: string]>([
    ['at the domain', { [at('acme.example')]: json(agents) }, 'acme.example'],
    [
      'at an address',
      {
        [at('acme.example')]: json({ authoritative_location: 'https://cdn.example/b.json' }),
        'https://cdn.example/b.json': json(agents),
      },
      'acme.example',
    ],
    [
      'at a house',
      { [at('acme.example')]: json({ house: 'corp.example' }), [at('corp.example')]: json(agents) },
      'corp.example',
    ],
    [
      'three pointers away',
      {
        [at('acme.example')]: json({ house: 'one.example' }),
        [at('one.example')]: json({ house: 'two.example' }),
        [at('two.example')]: json({ authoritative_location: 'https://cdn.example/b.json' }),
        'https://cdn.example/b.json': json(agents),
      },
      'two.example',
    ],
  ])('is found %s', (_name, world, speaker) => {
    expect(discover(world).result).toMatchObject({ reason: 'found', speaker, content: { variant: 'brand_agent' } });
  });

  it('is asked for at the domain itself', () => {
    expect(discover({}, 'https://WWW.Acme.example/x').asked).toMatchObject([
      { url: at('acme.example'), maxBytes: 262_144 },
    ]);
  });

  it.each<[name: string, world: Record<string, Page>, reason: keyof typeof BRAND_REASONS]>([
    ['nothing', {}, 'not_found'],
    ['a page', { [at('acme.example')]: { status: 200, body: '<html>' } }, 'html'],
    ['trouble', { [at('acme.example')]: { status: 503 } }, 'server_error'],
    ['a pointer to nothing', { [at('acme.example')]: json({ house: 'corp.example' }) }, 'location_not_found'],
    ['a pointer to itself', { [at('acme.example')]: json({ house: 'acme.example' }) }, 'location_loop'],
    [
      'a circle',
      { [at('acme.example')]: json({ house: 'corp.example' }), [at('corp.example')]: json({ house: 'acme.example' }) },
      'location_loop',
    ],
    [
      'a fourth pointer',
      {
        [at('acme.example')]: json({ house: 'one.example' }),
        [at('one.example')]: json({ house: 'two.example' }),
        [at('two.example')]: json({ house: 'three.example' }),
        [at('three.example')]: json({ house: 'four.example' }),
      },
      'too_many_hops',
    ],
    [
      'a pointer with credentials',
      { [at('acme.example')]: json({ authoritative_location: 'https://u:p@cdn.example/' }) },
      'location_not_https',
    ],
    [
      'a redirect away',
      { [at('acme.example')]: { status: 301, headers: { location: 'https://other.example/' } } },
      'redirect_off_site',
    ],
    ['nonsense', { [at('acme.example')]: json({}) }, 'invalid'],
  ])('is not found where there is %s', (_name, world, reason) => {
    const { result } = discover(world);
    expect(result.reason).toBe(reason);
    expect(result.content).toBeUndefined();
    expect(result.isTransient).toBe(BRAND_REASONS[reason].isTransient);
  });
});

describe('a domain is', () => {
  const house: Record<string, Page> = { [at('nike.example')]: json(HOUSE) };
  const pointing = (domain: string): Record<string, Page> => ({
    ...house,
    [at(domain)]: json({ house: 'nike.example' }),
  });

  it('the brand of a house that owns it', () => {
    expect(resolve(pointing('jordan.example'), 'www.jordan.example')).toEqual({
      canonical_id: 'nike#jordan',
      canonical_domain: 'jordan.example',
      brand_name: 'Air Jordan',
      source: 'brand_json',
      names: names('Air Jordan'),
      keller_type: 'endorsed',
      parent_brand: 'nike',
      house_domain: 'nike.example',
      house_name: 'Nike, Inc.',
      relationship_trust: 'inline',
    });
  });

  it.each([
    ['nike.example', house],
    ['nikeshop.example', pointing('nikeshop.example')],
  ])('the master brand: %s', (domain, world) => {
    expect(resolve(world, domain)).toMatchObject({
      canonical_id: 'nike',
      relationship_trust: 'inline',
      brand_agent_url: 'https://brand.nike.example/mcp',
    });
  });

  it('the house, when it names no master', () => {
    const [, jordan] = HOUSE.brands;
    const world = { [at('nike.example')]: json({ ...HOUSE, brands: [jordan] }) };
    expect(resolve(world, 'nike.example')).toMatchObject({
      canonical_id: 'nike.example',
      brand_name: 'Nike, Inc.',
      relationship_trust: 'inline',
    });
  });

  it('a claim alone, when the house does not know it or only sells it', () => {
    for (const domain of ['stranger.example', 'fanblog.example']) {
      const brand = resolve(pointing(domain), domain);
      expect(brand).toMatchObject({
        canonical_domain: domain,
        claimed_house_domain: 'nike.example',
        relationship_trust: 'leaf_only',
      });
      expect(brand?.house_domain).toBeUndefined();
    }
  });

  it("nobody's, when a stranger writes the house's name over its own portfolio", () => {
    const fake = {
      ...HOUSE,
      brands: [{ id: 'fake', names: names('Nike'), properties: [{ type: 'website', identifier: 'fake.example' }] }],
    };
    const brand = resolve({ [at('fake.example')]: json(fake) }, 'fake.example');
    expect(brand).toMatchObject({ claimed_house_domain: 'nike.example', relationship_trust: 'leaf_only' });
    expect(brand?.house_domain).toBeUndefined();
  });

  it('a brand of its own, mutual when the house agrees', () => {
    const world = { ...house, [at('converse.example')]: json(CONVERSE) };
    expect(resolve(world, 'converse.example')).toMatchObject({
      canonical_id: 'converse',
      house_domain: 'nike.example',
      house_name: 'Nike, Inc.',
      relationship_trust: 'mutual',
    });
  });

  it.each<[name: string, world: Record<string, Page>, trust: string]>([
    [
      'the house does not list it',
      { ...house, [at('nike.example')]: json({ ...HOUSE, brand_refs: [{ domain: 'x.example', brand_id: 'x' }] }) },
      'leaf_only',
    ],
    ['the house cannot be read', { ...house, [at('nike.example')]: { status: 503 } }, 'unverifiable'],
    ['the house has no file', { ...house, [at('nike.example')]: { status: 404 } }, 'unverifiable'],
    [
      'the house does not yet say so',
      {
        ...house,
        [at('nike.example')]: json({
          ...HOUSE,
          brand_refs: [{ domain: 'converse.example', brand_id: 'converse', effective_at: isoTime(NOW + 1000) }],
        }),
      },
      'leaf_only',
    ],
    [
      'the house said so long ago',
      {
        ...house,
        [at('nike.example')]: json({
          ...HOUSE,
          brand_refs: [
            { domain: 'converse.example', brand_id: 'converse', effective_at: isoTime(NOW - CLAIM_LASTS_MS) },
          ],
        }),
      },
      'leaf_only',
    ],
  ])('a brand of its own with a claim: %s', (_name, world, trust) => {
    const brand = resolve({ ...world, [at('converse.example')]: json(CONVERSE) }, 'converse.example');
    expect(brand).toMatchObject({ claimed_house_domain: 'nike.example', relationship_trust: trust });
    expect(brand?.house_domain).toBeUndefined();
  });

  it('a brand that its house refers to, but that says nothing itself', () => {
    expect(resolve(pointing('converse.example'), 'converse.example')).toMatchObject({
      claimed_house_domain: 'nike.example',
      relationship_trust: 'house_only',
    });
  });

  it('alone', () => {
    const { house_domain: _, ...own } = CONVERSE;
    expect(resolve({ [at('converse.example')]: json(own) }, 'converse.example')?.relationship_trust).toBe('standalone');
    const agents = { agents: [{ type: 'brand', url: 'https://brand.example/mcp', id: 'b' }] };
    expect(resolve({ [at('acme.example')]: json(agents) }, 'acme.example')).toMatchObject({
      canonical_id: 'acme.example',
      relationship_trust: 'standalone',
      brand_agent_url: 'https://brand.example/mcp',
    });
  });

  it('nothing without a file', () => {
    expect(resolve({}, 'acme.example')).toBeUndefined();
  });
});
