import { expect } from 'vitest';
import { REGISTRY_ROUTES } from '../../src/registry/server/routes/routes.js';
import { send } from './http.js';

/** What the reads of a registry are asked for: everybody's questions about all that it has. */
export type ReadSubjects = {
  readonly domains: readonly string[];
  readonly agents: readonly string[];
  readonly identifiers: readonly { readonly type: string; readonly value: string }[];
};

/** A registry as its readers have it. */
export type ReadRegistry = { readonly baseUrl: string; readonly token: string };

type Paths = (subjects: ReadSubjects) => readonly string[];

const each =
  (path: string): Paths =>
  ({ domains }) =>
    domains.map((domain) => `${path}${path.includes('?') ? '&' : '?'}domain=${domain}`);
const ofAgent =
  (path: string): Paths =>
  ({ agents }) =>
    agents.map((agent) => path.replace('{agent}', encodeURIComponent(agent)));
const alone =
  (...paths: readonly string[]): Paths =>
  () =>
    paths;

/** The questions of every read, by its operation. Those without one ask somebody else, or say how this process does. */
const QUESTIONS: Readonly<Record<string, Paths>> = {
  resolveBrand: each('/api/brands/resolve'),
  getBrandJson: each('/api/brands/brand-json'),
  listBrands: alone('/api/brands/registry', '/api/brands/registry?search=brand&limit=2&offset=1'),
  findBrand: alone('/api/brands/find?q=brand'),
  getBrandHistory: each('/api/brands/history'),
  resolveProperty: each('/api/properties/resolve'),
  listProperties: alone('/api/properties/registry'),
  getPropertyHistory: each('/api/properties/history?limit=100'),
  listAgents: alone(
    '/api/registry/agents',
    '/api/registry/agents?capabilities=true&health=true&properties=true&compliance=true',
    '/api/registry/agents?type=sales',
  ),
  searchAgentProfiles: alone(
    '/api/registry/agents/search',
    '/api/registry/agents/search?property_types=website&limit=5',
  ),
  lookupOperator: each('/api/registry/operator'),
  lookupPublisher: each('/api/registry/publisher'),
  listPublishers: alone('/api/registry/publishers'),
  getRegistryStats: alone('/api/registry/stats'),
  getRegistryFeed: alone('/api/registry/feed?limit=10000', '/api/registry/feed?types=property.*&limit=7'),
  getRegistryCatalog: alone('/api/registry/catalog?limit=1000'),
  syncRegistryCatalog: alone('/api/registry/catalog/sync?limit=1000'),
  syncCollections: alone('/api/registry/collections/sync'),
  getAgentAuthorizations: ofAgent('/api/registry/authorizations?agent_url={agent}'),
  getAgentAuthorizationsSnapshot: alone('/api/registry/authorizations/snapshot'),
  lookupDomain: ({ domains }) => domains.map((domain) => `/api/registry/lookup/domain/${domain}`),
  lookupProperty: ({ identifiers }) =>
    identifiers.map(({ type, value }) => `/api/registry/lookup/property?type=${type}&value=${value}`),
  getAgentDomains: ofAgent('/api/registry/lookup/agent/{agent}/domains'),
  getPublishersForAgentLegacyApiPrefix: ofAgent('/api/v1/agents/{agent}/publishers?include=properties'),
  getAgentCompliance: ofAgent('/api/registry/agents/{agent}/compliance'),
  getAgentComplianceHistory: ofAgent('/api/registry/agents/{agent}/compliance/history'),
  getAgentVerification: ofAgent('/api/registry/agents/{agent}/verification'),
  getJwks: alone('/api/.well-known/jwks.json'),
  listRevokedBadges: alone('/api/registry/badges/revoked'),
  getAgentBadgeSvg: ofAgent('/api/registry/agents/{agent}/badge/sales.svg'),
  getAgentBadgeEmbed: ofAgent('/api/registry/agents/{agent}/badge/sales/embed'),
  getAgentBadgeVersionedSvg: ofAgent('/api/registry/agents/{agent}/badge/sales/3.0.svg'),
  getAgentBadgeVersionedEmbed: ofAgent('/api/registry/agents/{agent}/badge/sales/3.0/embed'),
  validatePropertyAuthorization: ({ agents, identifiers }) =>
    agents.flatMap((agent) =>
      identifiers.map(
        ({ type, value }) =>
          `/api/registry/validate/property-authorization?agent_url=${encodeURIComponent(agent)}&identifier_type=${type}&identifier_value=${value}`,
      ),
    ),
  lookupPublisherAgentAuthorization: ({ agents, domains }) =>
    agents.flatMap((agent) =>
      domains.map(
        (domain) => `/api/registry/publisher/authorization?domain=${domain}&agent=${encodeURIComponent(agent)}`,
      ),
    ),
  search: alone('/api/search?q=example', '/api/search?q=brand'),
};

/** Reads that ask an agent, a publisher or a provider just now, or tell of a request that a mirror of what is public has not. */
const OTHERS: ReadonlySet<string> = new Set([
  'getPropertyCheckReport',
  'enrichBrand',
  'validateProperty',
  'lookupManifestRef',
  'getCrawlRequest',
  'streamRegistryFeed',
  'getRegistryReplica',
  'discoverAgent',
  'getAgentFormats',
  'getAgentProducts',
  'validatePublisher',
]);

/** Expects that every read of the table of operations has its questions, or its reason to have none. */
export function expectQuestions(): void {
  const reads = REGISTRY_ROUTES.filter(
    ({ auth, hidden, method, path }) =>
      method === 'GET' && hidden !== true && ['none', 'optional', 'bearer'].includes(auth) && path.startsWith('/api/'),
  ).map(({ operation_id }) => operation_id);
  expect([...Object.keys(QUESTIONS), ...OTHERS].toSorted()).toEqual(reads.toSorted());
}

/** Expects that registries answer every question as the first one does, with the same status. */
export async function expectSameReads(
  primary: ReadRegistry,
  mirrors: readonly ReadRegistry[],
  { leftOut = [], ...subjects }: ReadSubjects & { readonly leftOut?: readonly string[] },
): Promise<number> {
  const without = new Set([...OF_PROCESS, ...leftOut]);
  let asked = 0;
  for (const [operation, paths] of Object.entries(QUESTIONS)) {
    for (const path of paths(subjects)) {
      const expected = await read(primary, path, without);
      for (const mirror of mirrors)
        expect([operation, path, await read(mirror, path, without)]).toEqual([operation, path, expected]);
      asked += 1;
    }
  }
  return asked;
}

async function read({ baseUrl, token }: ReadRegistry, path: string, without: ReadonlySet<string>): Promise<object> {
  const { status, text } = await send(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  });
  return { status, body: parseWithout(text.replaceAll(baseUrl, 'https://registry.example'), without) };
}

/** Members that say how a process does at a moment, and what the primary alone signs. */
const OF_PROCESS = ['freshness', 'crawler', 'generated_at', 'token', 'expires_at'];

/** Returns an answer, or the lines of one, without some members. */
function parseWithout(text: string, without: ReadonlySet<string>): unknown {
  const parse = (line: string): unknown =>
    JSON.parse(line, (key, value: unknown) => (without.has(key) ? undefined : value));
  try {
    return parse(text);
  } catch {
    if (!text.startsWith('{')) return text;
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parse(line));
  }
}
