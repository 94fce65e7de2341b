import { describe, expect, it } from 'vitest';
import { allBrandAgents, readBrandJson } from '../../../src/registry/brand/brand-json.js';
import { isValid } from '../../../src/registry/documents/finding.js';
import { brandOf, short } from '../scripted-web.js';

const AGENT = { type: 'sales', url: 'https://sales.example/mcp', id: 'sales' };
const BRAND = { id: 'acme', names: [{ en: 'Acme' }] };
const HOUSE = { domain: 'acme.example', name: 'Acme Corp' };
const PORTFOLIO = { house: HOUSE, brands: [BRAND] };

const read = (content: unknown) =>
  readBrandJson(typeof content === 'string' ? content : JSON.stringify(content), { file: 'brand.json' });

describe('a document is of the first variant that fits', () => {
  it.each<[variant: string, content: object]>([
    [
      'authoritative_location',
      { authoritative_location: 'https://cdn.example/b.json', house: 'a.example', agents: [AGENT] },
    ],
    ['house_redirect', { house: 'acme.example', agents: [AGENT] }],
    ['house_portfolio', { ...PORTFOLIO, id: 'x', names: [], agents: [AGENT] }],
    ['brand_canonical', { ...BRAND, agents: [AGENT] }],
    ['brand_agent', { agents: [AGENT] }],
    ['brand_agent', { brand_agent: { url: 'https://a.example/mcp', id: 'a' } }],
  ])('%s', (variant, content) => {
    expect(read(content).content?.variant).toBe(variant);
  });

  it.each<[content: unknown, finding: string]>([
    [{}, 'error  required'],
    [{ version: '1.0' }, 'error  required'],
    [[], 'error  type'],
    ['<html>', 'error  html'],
    ['{"house": {}, "house": "a.example"}', 'error  duplicate'],
    [{ authoritative_location: 'http://cdn.example/b.json' }, 'error /authoritative_location pattern'],
    [{ house: 'not a domain' }, 'error /house pattern'],
    [{ house: { name: 'Acme' }, brands: [BRAND] }, 'error /house/domain required'],
    [{ ...PORTFOLIO, brands: [BRAND, BRAND] }, 'error /brands duplicate'],
    [{ ...PORTFOLIO, brand_refs: [{ domain: 'a.example', brand_id: 'acme' }] }, 'error /brands duplicate'],
    [
      {
        house: HOUSE,
        brand_refs: [
          { domain: 'a.example', brand_id: 'a' },
          { domain: 'www.a.example', brand_id: 'b' },
        ],
      },
      'error /brand_refs duplicate',
    ],
    [{ ...BRAND, brand_refs: [] }, 'error /brand_refs conflict'],
    [{ ...BRAND, id: 'Acme!' }, 'error /id pattern'],
    [{ ...BRAND, names: [] }, 'error /names range'],
    [{ ...BRAND, names: ['Acme'] }, 'error /names/0 type'],
  ])('%j holds nothing', (content, finding) => {
    const answer = read(content);
    expect(answer.content).toBeUndefined();
    expect(short(answer.findings)).toContain(finding);
  });
});

describe('what counts of a document', () => {
  it.each<[change: object, finding: string]>([
    [{ url: 'http://sales.example/mcp' }, '/agents/0/url unsafe'],
    [{ url: 'https://localhost/mcp' }, '/agents/0/url unsafe'],
    [{ type: 'seller' }, '/agents/0/type enum'],
    [{ id: 'Sales Agent' }, '/agents/0/id pattern'],
    [{ jwks_uri: 'http://sales.example/jwks.json' }, '/agents/0/jwks_uri pattern'],
  ])('not an agent with %j', (change, finding) => {
    const content = { agents: [{ ...AGENT, ...change }] };
    expect(short(read(content).findings)).toContain(`error ${finding}`);
    expect(brandOf(content).agents).toEqual([]);
  });

  it('no agent whose URL stands twice', () => {
    const content = {
      agents: [
        AGENT,
        { ...AGENT, url: 'https://SALES.example:443/mcp', id: 'b' },
        { ...AGENT, url: 'https://c.example/', id: 'c' },
      ],
    };
    expect(short(read(content).findings)).toEqual(['error /agents/1/url ambiguous']);
    expect(brandOf(content).agents.map(({ id }) => id)).toEqual(['c']);
  });

  it('agents of brands, house and document', () => {
    const agent = (id: string): object => ({ ...AGENT, id, url: `https://${id}.example/mcp` });
    const content = brandOf({
      house: { ...HOUSE, agents: [agent('house')] },
      brands: [{ ...BRAND, agents: [agent('brand')] }],
    });
    expect(allBrandAgents(content).map(({ id }) => id)).toEqual(['brand', 'house']);
    expect(allBrandAgents(brandOf({ agents: [agent('own')] })).map(({ id }) => id)).toEqual(['own']);
  });

  it('properties, owned unless they say otherwise', () => {
    const properties = [
      { type: 'website', identifier: 'acme.example' },
      { type: 'website', identifier: 'blog.example', relationship: 'delegated', region: 'global' },
      { type: 'mobile_app', identifier: 'com.acme', store: 'apple', region: 'US', relationship: 'ad_network' },
      { type: 'website', identifier: 'x.example', relationship: 'reseller' },
      { type: 'website', identifier: 'no domain' },
      { type: 'linear_tv', identifier: 'x' },
    ];
    const content = { house: HOUSE, brands: [{ ...BRAND, properties }] };
    const { findings } = read(content);
    expect(isValid(findings)).toBe(true);
    expect(short(findings)).toEqual([
      'warning /brands/0/properties/3/relationship enum',
      'warning /brands/0/properties/4/identifier pattern',
      'warning /brands/0/properties/5/type enum',
    ]);
    expect(brandOf(content).brands[0]?.properties).toMatchObject([
      { identifier: 'acme.example', relationship: 'owned', host: { covers: 'site' } },
      { identifier: 'blog.example', relationship: 'delegated' },
      { identifier: 'com.acme', store: 'apple', region: 'US', relationship: 'ad_network' },
    ]);
  });

  it('not an operator with a limit that cannot be read', () => {
    const authorized_operators = [
      {
        domain: 'good.example',
        brands: ['*'],
        countries: ['US'],
        scopes: ['media_buying'],
        valid_until: '2027-01-01T00:00:00Z',
      },
      { domain: 'a.example', brands: ['*'], countries: ['usa'] },
      { domain: 'b.example', brands: ['*'], valid_until: 'soon' },
      { domain: 'c.example', brands: ['*'], scopes: ['everything'] },
      { domain: 'd.example', brands: [] },
    ];
    const content = { ...PORTFOLIO, authorized_operators };
    expect(isValid(read(content).findings)).toBe(false);
    expect(brandOf(content).authorized_operators).toEqual([
      {
        domain: 'good.example',
        brands: new Set(['*']),
        countries: new Set(['US']),
        scopes: new Set(['media_buying']),
        validUntil: Date.UTC(2027, 0, 1),
      },
    ]);
  });

  it('not a brand that names its house inside it', () => {
    const content = {
      house: HOUSE,
      brands: [
        { ...BRAND, house_domain: 'acme.example' },
        { ...BRAND, id: 'b' },
      ],
    };
    expect(short(read(content).findings)).toEqual(['error /brands/0/house_domain conflict']);
    expect(brandOf(content).brands.map(({ id }) => id)).toEqual(['b']);
  });
});

describe('what a person should know', () => {
  it.each<[content: object, finding: string]>([
    [BRAND, 'warning  version'],
    [{ house: HOUSE, brand_refs: [{ domain: 'a.example', brand_id: 'a' }] }, 'warning  version'],
    [
      {
        agents: Array.from({ length: 21 }, (_, index) => ({
          ...AGENT,
          id: `a${index}`,
          url: `https://a${index}.example/`,
        })),
      },
      'warning /agents version',
    ],
    [{ brand_agent: { url: 'https://a.example/mcp', id: 'a' } }, 'warning /brand_agent deprecated'],
    [{ agents: [AGENT], tenants: [] }, 'warning /tenants unknown'],
    [{ ...PORTFOLIO, brands: [{ ...BRAND, keller_type: 'main' }] }, 'warning /brands/0/keller_type enum'],
    [{ ...PORTFOLIO, brands: [{ ...BRAND, logos: [{ url: 'logo.png' }] }] }, 'warning /brands/0/logos/0/url pattern'],
    [{ ...PORTFOLIO, brands: [{ ...BRAND, colors: { primary: 'red' } }] }, 'warning /brands/0/colors/primary pattern'],
  ])('%j', (content, finding) => {
    const answer = read(content);
    expect(short(answer.findings)).toContain(finding);
    expect(isValid(answer.findings)).toBe(true);
    expect(answer.content).toBeDefined();
  });
});
