/**
 * The worst that an anonymous caller may ask of each operation of a registry. Answers a table from the name of the operation to requests
 * `{ path, body? }`; the path begins behind the host, and a body is a value or a text of JSON.
 */
import { FILE_HOSTS, LONG_AGENT } from './holds-origin.mjs';
import { HUGE } from './registry-data.mjs';

const KIB = 1024;
const AGENT = `https://a7.${HUGE}/mcp`;
const query = (path, asked) => ({ path, query: asked });
const of = (path, domains, more = {}) => domains.map((domain) => query(path, { domain, ...more }));

/** A JSON text of so many bytes: a list of as many small values as fit. */
const crowd = (bytes, value) => `[${`${value},`.repeat(Math.floor(bytes / (value.length + 1)) - 1)}${value}]`;
const nested = (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
const members = (bytes) =>
  `{${Array.from({ length: Math.floor(bytes / 14) }, (_, at) => `"k${String(at).padStart(7, '0')}":1`).join(',')}}`;

/** Bodies that are refused, or ought to be: as large as they may be, and as hard to look at. */
const hardBodies = (bytes, member) => [
  `{"${member}":${crowd(bytes - 64, '1')}}`,
  `{"${member}":${crowd(bytes - 64, '[]')}}`,
  `{"${member}":${crowd(bytes - 64, '{}')}}`,
  `{"${member}":${crowd(bytes - 64, '"a"')}}`,
  `{"${member}":${members(bytes - 64)}}`,
  `{"${member}":${nested(bytes - 64)}}`,
  members(bytes),
];

/** Texts that are found nowhere, everywhere, or mean something to a pattern. */
const SEARCHES = [
  'nowhere to be found',
  'e',
  '%',
  '_%_%_%_%',
  '*',
  '.*.*.*.*x',
  'x'.repeat(253),
  'brand',
  'İ'.repeat(120),
];
const FAR = 999_999_999;

const DOMAINS = [HUGE, 'd1.example', 'nothing.files.example', ...FILE_HOSTS];
const bulk = (path) => [
  { path, body: { domains: Array.from({ length: 100 }, (_, at) => `d${at}.example`) } },
  { path, body: { domains: Array.from({ length: 100 }, (_, at) => `heavy${at}.example`) } },
  { path, body: { domains: Array.from({ length: 100 }, (_, at) => `${'x.'.repeat(at)}${HUGE}`) } },
  { path, body: { domains: [HUGE, ...Array.from({ length: 99 }, (_, at) => `${'x'.repeat(60)}.${at}.example`)] } },
  ...hardBodies(64 * KIB, 'domains').map((body) => ({ path, body })),
];

const selectors = [
  [{ publisher_domain: HUGE }],
  [{ publisher_domain: HUGE, selection_type: 'by_tag', property_tags: ['all'] }],
  [
    {
      publisher_domain: HUGE,
      selection_type: 'by_id',
      property_ids: Array.from({ length: 10_000 }, (_, at) => `p${at}`),
    },
  ],
  Array.from({ length: 100 }, (_, at) => ({
    publisher_domain: HUGE,
    selection_type: 'by_tag',
    property_tags: [`t${at % 50}`, 'all'],
  })),
  Array.from({ length: 100 }, () => ({ publisher_domain: HUGE, property_types: ['mobile_app'] })),
  Array.from({ length: 100 }, (_, at) => ({
    publisher_domains: Array.from({ length: 100 }, (_, one) => `d${at * 100 + one}.example`),
  })),
  Array.from({ length: 100 }, () => ({
    publisher_domain: HUGE,
    selection_type: 'by_id',
    property_ids: Array.from({ length: 290 }, (_, at) => `p${at}`),
  })),
];
const products = (path) => [
  ...selectors.map((publisher_properties) => ({ path, body: { agent_url: AGENT, publisher_properties } })),
  ...hardBodies(1024 * KIB, 'publisher_properties').map((body) => ({ path, body })),
  ...hardBodies(1000 * KIB, 'property_ids').map((body) => ({
    path,
    body: `{"agent_url":"${AGENT}","publisher_properties":[${body.slice(0, -1)},"publisher_domain":"${HUGE}"}]}`,
  })),
];

const pairs = [
  ['bundle_id', 'com.big.app7.1'],
  ['domain', HUGE],
  ['bundle_id', 'x'.repeat(2048)],
];

const AGENTS = [AGENT, 'https://enrolled7.example/mcp', 'https://agent7.example/mcp', 'x'.repeat(8000)];
const agentPart = (part, more = {}) =>
  AGENTS.map((agent) => ({
    path: `/api/registry/agents/${encodeURIComponent(agent)}${part}`,
    params: { encodedUrl: agent, ...more },
  }));
const publishersOf = (prefix) =>
  AGENTS.map((agent) => ({
    path: `${prefix}/agents/${encodeURIComponent(agent)}/publishers`,
    params: { encodedUrl: agent },
  }));

export const QUESTIONS = {
  resolveBrand: [...of('/api/brands/resolve', DOMAINS), ...of('/api/brands/resolve', FILE_HOSTS, { fresh: true })],
  resolveBrandsBulk: bulk('/api/brands/resolve/bulk'),
  getBrandJson: [
    ...of('/api/brands/brand-json', DOMAINS),
    ...of('/api/brands/brand-json', FILE_HOSTS, { fresh: true }),
  ],
  listBrands: [
    query('/api/brands/registry', { limit: 5000 }),
    query('/api/brands/registry', { limit: 5000, offset: FAR }),
    ...SEARCHES.map((search) => query('/api/brands/registry', { limit: 5000, search })),
    query('/api/brands/registry', { limit: 5000, source: 'stub' }),
  ],
  findBrand: SEARCHES.filter((q) => q.length > 1).map((q) => query('/api/brands/find', { q, limit: 50 })),
  enrichBrand: of('/api/brands/enrich', [HUGE]),
  getBrandHistory: [
    query('/api/brands/history', { domain: HUGE, limit: 100 }),
    query('/api/brands/history', { domain: HUGE, limit: 100, offset: FAR }),
  ],
  resolveProperty: of('/api/properties/resolve', DOMAINS),
  resolvePropertiesBulk: bulk('/api/properties/resolve/bulk'),
  listProperties: [
    query('/api/properties/registry', { limit: 5000 }),
    query('/api/properties/registry', { limit: 5000, offset: FAR }),
    ...SEARCHES.map((search) => query('/api/properties/registry', { limit: 5000, search })),
  ],
  validateProperty: of('/api/properties/validate', DOMAINS),
  getPropertyHistory: [
    query('/api/properties/history', { domain: HUGE, limit: 100 }),
    query('/api/properties/history', { domain: HUGE, limit: 100, offset: FAR }),
  ],
  listAgents: [
    query('/api/registry/agents', {}),
    query('/api/registry/agents', { properties: true, capabilities: true, health: true, compliance: true }),
    query('/api/registry/agents', { q: 'nowhere' }),
    query('/api/registry/agents', {
      metric_id: Array.from({ length: 20 }, () => 'm'.repeat(256)),
      accreditation: 'MRC',
    }),
    query('/api/registry/agents', { verified: true, verification_mode: ['spec', 'live'] }),
  ],
  lookupOperator: of('/api/registry/operator', [HUGE, 'enrolled7.example', 'agent7.example']),
  lookupPublisher: [
    ...of('/api/registry/publisher', [HUGE, 'd1.example']),
    ...of('/api/registry/publisher', [HUGE], { include: 'placements' }),
  ],
  listPublishers: [query('/api/registry/publishers', {})],
  checkPropertyList: [
    { path: '/api/properties/check', body: { domains: Array.from({ length: 10_000 }, (_, at) => `d${at}.example`) } },
    {
      path: '/api/properties/check',
      body: { domains: Array.from({ length: 10_000 }, (_, at) => `https://www.D${at}.${HUGE}/path?q`) },
    },
    ...hardBodies(64 * KIB, 'domains').map((body) => ({ path: '/api/properties/check', body })),
  ],
  getPropertyCheckReport: [{ path: '/api/properties/check/no-such-report', params: { reportId: 'no-such-report' } }],
  getPublishersForAgent: publishersOf('/v1'),
  getPublishersForAgentLegacyApiPrefix: publishersOf('/api/v1'),
  getAgentCompliance: agentPart('/compliance'),
  getAgentComplianceHistory: agentPart('/compliance/history'),
  getAgentVerification: agentPart('/verification'),
  getAgentBadgeSvg: agentPart('/badge/media-buy.svg', { role: 'media-buy' }),
  getAgentBadgeEmbed: agentPart('/badge/media-buy/embed', { role: 'media-buy' }),
  getAgentBadgeVersionedSvg: agentPart('/badge/media-buy/3.0.svg', { role: 'media-buy', version: '3.0' }),
  getAgentBadgeVersionedEmbed: agentPart('/badge/media-buy/3.0/embed', { role: 'media-buy', version: '3.0' }),
  getJwks: [query('/api/.well-known/jwks.json', {})],
  listRevokedBadges: [
    query('/api/registry/badges/revoked', {}),
    query('/api/registry/badges/revoked', { badge_id: 'b' }),
  ],
  getRegistryStats: [query('/api/registry/stats', {})],
  lookupDomain: [HUGE, 'd1.example', encodeURIComponent('é'.repeat(200))].map((name) => ({
    path: `/api/registry/lookup/domain/${name}`,
    params: { domain: decodeURIComponent(name) },
  })),
  lookupProperty: pairs.map(([type, value]) => query('/api/registry/lookup/property', { type, value })),
  getAgentDomains: [AGENT, 'https://agent7.example/mcp', 'x'.repeat(8000)].map((agentUrl) => ({
    path: `/api/registry/lookup/agent/${encodeURIComponent(agentUrl)}/domains`,
    params: { agentUrl },
  })),
  validateProductAuthorization: products('/api/registry/validate/product-authorization'),
  expandProductIdentifiers: products('/api/registry/expand/product-identifiers'),
  validatePropertyAuthorization: pairs.flatMap(([identifier_type, identifier_value]) =>
    [{}, { explain: true, strict: true, country: 'US' }].map((more) =>
      query('/api/registry/validate/property-authorization', {
        agent_url: AGENT,
        identifier_type,
        identifier_value,
        ...more,
      }),
    ),
  ),
  lookupPublisherAgentAuthorization: [AGENT, 'https://nobody.example/mcp'].map((agent) =>
    query('/api/registry/publisher/authorization', { domain: HUGE, agent }),
  ),
  validateAdagents: [
    ...DOMAINS.map((domain) => ({ path: '/api/adagents/validate', body: { domain } })),
    ...hardBodies(64 * KIB, 'domain').map((body) => ({ path: '/api/adagents/validate', body })),
  ],
  createAdagents: [
    ...hardBodies(250 * KIB, 'authorized_agents').map((body) => ({ path: '/api/adagents/create', body })),
    ...hardBodies(250 * KIB, 'properties').map((body) => ({
      path: '/api/adagents/create',
      body: `{"authorized_agents":[],${body.slice(1)}`,
    })),
    {
      path: '/api/adagents/create',
      body: {
        authorized_agents: [
          { url: AGENT, authorized_for: 'all', authorization_type: 'property_tags', property_tags: ['all'] },
        ],
        properties: Array.from({ length: 1000 }, (_, at) => ({
          property_id: `p${at}`,
          property_type: 'website',
          name: `Site ${at}`,
          identifiers: [{ type: 'domain', value: `s${at}.publisher.example` }],
          tags: ['all'],
          publisher_domain: 'publisher.example',
        })),
      },
    },
    {
      path: '/api/adagents/create',
      body: {
        authorized_agents: Array.from({ length: 200 }, (_, at) => ({
          url: `https://a${at}.example/mcp`,
          authorized_for: 'all',
        })),
        properties: [],
      },
    },
  ],
  search: SEARCHES.filter((q) => q.length > 1).map((q) => query('/api/search', { q })),
  lookupManifestRef: [
    ...of('/api/manifest-refs/lookup', [HUGE], { type: 'brand.json' }),
    ...of('/api/manifest-refs/lookup', [HUGE], { type: 'adagents.json' }),
  ],
  discoverAgent: [LONG_AGENT, 'not a url', `https://${'x.'.repeat(900)}example/`].map((url) =>
    query('/api/public/discover-agent', { url }),
  ),
  getAgentFormats: [query('/api/public/agent-formats', { url: LONG_AGENT })],
  getAgentProducts: [query('/api/public/agent-products', { url: LONG_AGENT })],
  validatePublisher: of('/api/public/validate-publisher', DOMAINS),
  apiResourceMetadata: [query('/.well-known/oauth-protected-resource/api', {})],
  mcpResourceMetadata: [query('/.well-known/oauth-protected-resource/mcp', {})],
  authorizationServerMetadata: [query('/.well-known/oauth-authorization-server', {})],
  registerClient: [members(63 * KIB), `{"redirect_uris":${crowd(63 * KIB, '"a"')}}`].map((body) => ({
    path: '/register',
    body,
  })),
  apiDiscovery: [query('/api', {}), { path: `/api?${'a=1&'.repeat(3500)}` }],
  openApi: [query('/openapi/registry.yaml', {})],
  openApiLocation: [query('/.well-known/openapi.yaml', {})],
  apiPage: [query('/docs', {})],
  apiPageScript: [query('/docs/page.js', {})],
  feedSchema: [
    { path: '/schemas/v3/core/registry-event.json' },
    { path: '/schemas/v3/core/registry-feed-response.json' },
    { path: '/schemas/v3/core/none' },
  ],
  health: [query('/healthz', {})],
  readiness: [query('/readyz', {})],
};

/** Messages to /mcp that are no call of a tool. */
export const MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'resolve_brand', arguments: {} } },
  ...hardBodies(250 * KIB, 'params'),
  ...hardBodies(250 * KIB, 'x').map(
    (body) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_brands","arguments":${body}}}`,
  ),
];
