import { createRequire } from 'node:module';
import path from 'node:path';
import { NetworkConsistencyChecker } from '@adcp/sdk/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { KeyPin } from '../../../src/platform/signing/keys/jwk.js';
import { isAuthorized } from '../../../src/registry/authorization/authorize.js';
import { isValid } from '../../../src/registry/documents/finding.js';
import { hostAdagents } from '../../../src/registry/publish/adagents.js';
import { operatorBrandJson } from '../../../src/registry/publish/brand.js';
import { checkPublished, type PublishedFile, publishedFiles } from '../../../src/registry/publish/publish.js';
import type { ConfiguredPublisher, HostedAgent, Publication } from '../../../src/registry/publish/types.js';
import { schemaJudge } from '../../kit/schemas.js';
import { PROJECT } from '../../kit/surroundings.js';
import { brandOf, effectiveOf, fileOf, NOW, RELEASES } from '../scripted-web.js';

const PIN: KeyPin = {
  kid: 'k1',
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  alg: 'EdDSA',
  use: 'sig',
  key_ops: ['verify'],
  adcp_use: 'request-signing',
};
const SALES: HostedAgent = {
  url: 'https://ads.seller.example/sales/mcp',
  path: '/sales/mcp',
  name: 'Seller',
  type: 'sales',
  protocols: ['media_buy'],
  tools: ['get_products', 'create_media_buy'],
  publisherDomains: ['news.example', 'radio.example', 'seller.example'],
};
const CREATIVE: HostedAgent = {
  url: 'https://ads.seller.example/creative/mcp',
  path: '/creative/mcp',
  name: 'Renderer',
  type: 'creative',
  protocols: ['creative'],
  tools: ['build_creative'],
  publisherDomains: [],
};
const NEWS: ConfiguredPublisher = {
  domain: 'news.example',
  contact: { name: 'News', email: 'ads@news.example', domain: 'news.example' },
  properties: [
    {
      property_id: 'site',
      property_type: 'website',
      name: 'News',
      identifiers: [
        { type: 'domain', value: 'news.example' },
        { type: 'domain', value: '*.regions.news.example' },
      ],
      tags: ['news'],
      supported_channels: ['display', 'olv'],
    },
    {
      property_id: 'app',
      property_type: 'mobile_app',
      name: 'News app',
      identifiers: [
        { type: 'ios_bundle', value: 'example.news.ios' },
        { type: 'android_package', value: 'example.news' },
      ],
    },
    {
      property_id: 'tv',
      property_type: 'linear_tv',
      name: 'News TV',
      identifiers: [{ type: 'station_id', value: 'NEWS1' }],
    },
  ],
  tags: { news: { name: 'News', description: 'News and weather' } },
  placements: [{ placement_id: 'top', name: 'Top', tags: ['premium'], property_ids: ['site'] }],
  placement_tags: { premium: { name: 'Premium', description: 'First screen' } },
  collections: [{ collection_id: 'evening', name: 'The evening news' }],
  delegation_type: 'delegated',
  limits: { countries: ['US', 'CA'], effective_from: '2026-01-01T00:00:00Z', effective_until: '2027-01-01T00:00:00Z' },
  other_agents: [
    {
      url: 'https://rival.example/mcp',
      authorized_for: 'The app',
      authorization_type: 'property_ids',
      property_ids: ['app'],
      delegation_type: 'ad_network',
    },
  ],
};
const RADIO: ConfiguredPublisher = {
  domain: 'radio.example',
  properties: [
    {
      property_id: 'stream',
      property_type: 'streaming_audio',
      name: 'Radio',
      identifiers: [{ type: 'domain', value: 'radio.example' }],
      tags: ['audio'],
    },
  ],
  tags: { audio: { name: 'Audio', description: 'Streams' } },
  delegation_type: 'ad_network',
  property_tags: ['audio'],
};
const OWN: ConfiguredPublisher = { domain: 'seller.example', delegation_type: 'direct' };
const PUBLICATION: Publication = {
  operator: { domain: 'seller.example', name: 'Seller Inc.' },
  agents: [SALES, CREATIVE],
  brands: [],
  publishers: [NEWS, RADIO, OWN],
  signingKeys: [PIN],
  jwksUri: 'https://ads.seller.example/.well-known/jwks.json',
  jwks: { keys: [PIN] },
  nowIso: '2026-02-01T00:00:00Z',
};
const BRANDS: Publication['brands'] = [
  { id: 'seller', names: [{ en_US: 'Seller' }], keller_type: 'master', colors: { primary: '#0D47A1' } },
  { id: 'seller_play', names: [{ en_US: 'Seller Play' }, { de_DE: 'Seller Spiel' }] },
];
/** The ways in which a host may be configured, down to nothing. */
const PUBLICATIONS: readonly (readonly [name: string, publication: Publication])[] = [
  ['everything', PUBLICATION],
  ['no publishers', { ...PUBLICATION, publishers: [] }],
  ['brands of its own', { ...PUBLICATION, brands: BRANDS }],
  ['brands and no publishers', { ...PUBLICATION, brands: BRANDS, publishers: [] }],
  ['brands of which none is its master', { ...PUBLICATION, brands: BRANDS.slice(1) }],
  ['no keys', { ...PUBLICATION, signingKeys: [] }],
  ['a creative agent alone', { ...PUBLICATION, agents: [CREATIVE], publishers: [] }],
  ['no name', { ...PUBLICATION, operator: { domain: 'seller.example', name: undefined } }],
  ['a revoked key', { ...PUBLICATION, signingKeys: [PIN, { ...PIN, kid: 'k0', revoked_at: '2026-01-31T00:00:00Z' }] }],
  ['long names', { ...PUBLICATION, agents: [{ ...SALES, name: 'S'.repeat(700) }] }],
  [
    'two agents of one path',
    {
      ...PUBLICATION,
      agents: [
        SALES,
        { ...SALES, url: 'https://ads.seller.example/a/b/mcp', path: '/a/b/mcp' },
        { ...SALES, url: 'https://ads.seller.example/a_b/mcp', path: '/a_b/mcp' },
      ],
    },
  ],
];

const schemaOf = ({ kind }: PublishedFile): string => (kind === 'brand_json' ? 'brand' : 'adagents');
const fileFor = (domain: string, kind: PublishedFile['kind'] = 'publisher_adagents'): object => {
  const found = publishedFiles(PUBLICATION).find((file) => file.domain === domain && file.kind === kind);
  if (found === undefined) throw new Error(`nothing is published for ${domain}`);
  return found.content;
};

describe.each(PUBLICATIONS)('with %s, what is published', (_name, publication) => {
  const files = publishedFiles(publication).filter(({ kind }) => kind !== 'jwks');

  it.each(RELEASES)('is valid by the schemas of %s', (release) => {
    const judge = schemaJudge(release);
    for (const file of files) expect([file.url, judge(schemaOf(file), file.content)]).toEqual([file.url, []]);
  });

  it("is valid by the public SDK's own schemas", () => {
    const schemas = sdkSchemas();
    for (const file of files) {
      const schema = file.kind === 'brand_json' ? schemas.BrandJsonSchema : schemas.AdagentsJsonSchema;
      expect([file.url, schema.safeParse(file.content).error?.message]).toEqual([file.url, undefined]);
    }
  });

  it('is valid by our own rules', () => {
    for (const file of files) {
      const findings = checkPublished(file, NOW);
      expect([
        file.url,
        isValid(findings),
        findings.filter(({ keyword }) => keyword !== 'truncated' && keyword !== 'version'),
      ]).toEqual([file.url, true, []]);
    }
  });
});

describe('the files', () => {
  it('are one for the host, one of the operator and one for each publisher', () => {
    expect(publishedFiles(PUBLICATION).map(({ kind, url }) => [kind, url])).toEqual([
      ['host_adagents', 'https://ads.seller.example/.well-known/adagents.json'],
      ['jwks', 'https://ads.seller.example/.well-known/jwks.json'],
      ['brand_json', 'https://seller.example/.well-known/brand.json'],
      ['publisher_adagents', 'https://news.example/.well-known/adagents.json'],
      ['publisher_adagents', 'https://radio.example/.well-known/adagents.json'],
      ['publisher_adagents', 'https://seller.example/.well-known/adagents.json'],
    ]);
  });

  it('of the host list its agents with their tools', () => {
    expect(hostAdagents(PUBLICATION)).toMatchObject({
      contact: { name: 'Seller Inc.' },
      authorized_agents: [
        {
          url: SALES.url,
          publisher_properties: [
            { publisher_domain: 'news.example', selection_type: 'all' },
            { publisher_domain: 'radio.example', selection_type: 'all' },
            { publisher_domain: 'seller.example', selection_type: 'all' },
          ],
          signing_keys: [PIN],
        },
        { url: CREATIVE.url, publisher_properties: [{ publisher_domain: 'seller.example', selection_type: 'all' }] },
      ],
      tenants: [
        { path: '/sales/mcp', url: SALES.url, protocols: ['media_buy'], tools: SALES.tools },
        { path: '/creative/mcp', url: CREATIVE.url, protocols: ['creative'], tools: CREATIVE.tools },
      ],
    });
  });

  it('of a publisher keep its other sellers, and pin the keys of ours', () => {
    const { agents } = fileOf(fileFor('news.example'));
    expect(agents).toMatchObject([
      { url: SALES.url, delegation_type: 'delegated', signing_keys: [{ kid: 'k1', x: PIN.x }] },
      { url: 'https://rival.example/mcp', delegation_type: 'ad_network', signing_keys: [] },
    ]);
  });

  it('of a publisher without properties list its site', () => {
    expect(fileOf(fileFor('seller.example'), 'seller.example').properties).toMatchObject([
      {
        property_id: 'seller_example',
        property_type: 'website',
        identifiers: [{ type: 'domain', value: 'seller.example' }],
      },
    ]);
  });

  it('of the operator declare what the publishers state, and list every agent once with the place of its keys', () => {
    const brand = brandOf(fileFor('seller.example', 'brand_json'));
    expect(brand.variant).toBe('house_portfolio');
    expect(brand.house?.agents.map(({ id, jwks_uri, type, url }) => [id, type, url, jwks_uri])).toEqual([
      ['sales', 'sales', SALES.url, PUBLICATION.jwksUri],
      ['creative', 'creative', CREATIVE.url, PUBLICATION.jwksUri],
    ]);
    expect(
      brand.brands[0]?.properties.map(({ identifier, relationship, store }) => [identifier, relationship, store]),
    ).toEqual([
      ['news.example', 'delegated', undefined],
      ['example.news.ios', 'delegated', 'apple'],
      ['example.news', 'delegated', 'google'],
      ['radio.example', 'ad_network', undefined],
      ['seller.example', 'owned', undefined],
    ]);
  });

  it('of a host that is a publisher itself are one: its own file, with the tools of the agents', () => {
    const own = { ...PUBLICATION, jwksUri: 'https://news.example/.well-known/jwks.json' };
    const files = publishedFiles(own).filter(({ domain }) => domain === 'news.example');
    expect(files.map(({ kind }) => kind)).toEqual(['host_adagents', 'jwks']);
    expect(files[0]?.content).toMatchObject({ ...fileFor('news.example'), tenants: [{ path: '/sales/mcp' }, {}] });
    expect(files[0] && checkPublished(files[0], NOW).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('of a publisher pin no keys that it does not want', () => {
    const unpinned = publishedFiles({ ...PUBLICATION, publishers: [{ ...NEWS, pin_signing_keys: false }] }).at(-1);
    expect(fileOf(unpinned?.content).agents.map(({ signing_keys }) => signing_keys)).toEqual([[], []]);
  });

  it('of a host that is no domain are valid all the same', () => {
    const operator = { domain: '[::1]', name: undefined };
    const local = {
      ...PUBLICATION,
      agents: [CREATIVE],
      publishers: [],
      operator,
      jwksUri: 'http://[::1]:3000/jwks.json',
    };
    for (const release of RELEASES) expect(schemaJudge(release)('adagents', hostAdagents(local))).toEqual([]);
  });

  it('of an operator without publishers list its agents alone', () => {
    expect(brandOf(operatorBrandJson({ ...PUBLICATION, publishers: [] })).variant).toBe('brand_agent');
  });

  it('have the properties at the master of the brands, at the operator where there is none', () => {
    const idsWithProperties = (brands: Publication['brands']) => {
      const { brands: shown } = operatorBrandJson({ ...PUBLICATION, brands }) as { brands: { id: string }[] };
      return shown.map((brand) => `${brand.id}${'properties' in brand ? ' has them' : ''}`);
    };
    expect(idsWithProperties(BRANDS)).toEqual(['seller has them', 'seller_play']);
    expect(idsWithProperties(BRANDS.slice(1))).toEqual(['seller_example has them', 'seller_play']);
    expect(idsWithProperties([])).toEqual(['seller_example has them']);
  });

  it('are checked before they go out', () => {
    const wrong = { ...NEWS, limits: { countries: ['usa'] } };
    const file = publishedFiles({ ...PUBLICATION, publishers: [wrong] }).at(-1);
    expect(file && isValid(checkPublished(file, NOW))).toBe(false);
  });
});

describe('what both sides publish', () => {
  const operator = brandOf(fileFor('seller.example', 'brand_json'));

  it.each<[domain: string, asked: string, country: string, relationship: string]>([
    ['news.example', 'www.news.example', 'US', 'delegated'],
    ['radio.example', 'radio.example', 'DE', 'ad_network'],
    ['seller.example', 'seller.example', 'DE', 'owned'],
  ])('confirms our agent for %s', (domain, asked, country, relationship) => {
    const effective = effectiveOf(fileFor(domain), domain);
    const answer = isAuthorized(
      { agent: SALES.url, domain: asked, at: NOW, country, strict: true },
      effective,
      operator,
    );
    expect(answer).toMatchObject({
      authorized: true,
      mutual: true,
      reason: 'confirmed',
      operator_side: { relationship },
    });
    expect(isAuthorized({ agent: CREATIVE.url, domain: asked, at: NOW, country }, effective, operator).authorized).toBe(
      false,
    );
  });

  it('confirms apps by their identifiers, within the limits', () => {
    const effective = effectiveOf(fileFor('news.example'));
    const app = { agent: SALES.url, property: { type: 'android_package', value: 'example.news' }, at: NOW } as const;
    expect(isAuthorized({ ...app, country: 'US' }, effective, operator).mutual).toBe(true);
    expect(isAuthorized({ ...app, country: 'DE' }, effective, operator).reason).toBe('country_excluded');
    expect(isAuthorized({ ...app, at: Date.UTC(2027, 0, 1), country: 'US' }, effective, operator).reason).toBe(
      'expired',
    );
  });

  it("the host's own list authorizes for nobody's inventory", () => {
    const own = effectiveOf(hostAdagents(PUBLICATION), 'seller.example');
    expect(isAuthorized({ agent: SALES.url, domain: 'news.example', at: NOW }, own).reason).toBe('other_publisher');
  });
});

describe('the public SDK', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('finds no fault with a publisher that is published so', async () => {
    const files = new Map(publishedFiles(PUBLICATION).map(({ content, url }) => [url, content]));
    vi.stubGlobal('fetch', async (url: string) => {
      const content = files.get(url);
      return content === undefined ? new Response('', { status: 405 }) : new Response(JSON.stringify(content));
    });
    const report = await new NetworkConsistencyChecker({
      authoritativeUrl: 'https://news.example/.well-known/adagents.json',
    }).check();
    expect(report.schemaErrors).toEqual([]);
    expect(report.agentHealth.map(({ reachable, url }) => [url, reachable])).toEqual([
      [SALES.url, true],
      ['https://rival.example/mcp', true],
    ]);
    expect(report.domains).toContainEqual(expect.objectContaining({ domain: 'news.example', status: 'ok' }));
  });
});

type Parses = { readonly safeParse: (value: unknown) => { readonly error?: Error } };

/** The schemas that the SDK generates and does not export. */
function sdkSchemas(): Readonly<Record<'AdagentsJsonSchema' | 'BrandJsonSchema', Parses>> {
  const file = path.join(PROJECT, 'node_modules/@adcp/sdk/dist/lib/types/wellknown-schemas.generated.js');
  return createRequire(import.meta.url)(file) as ReturnType<typeof sdkSchemas>;
}
