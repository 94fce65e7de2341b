import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { REGISTRY_ROUTES } from '../../../../src/registry/server/routes/routes.js';
import { type HttpAnswer, send } from '../../../kit/http.js';
import { type BootedRegistry, bootRegistry } from '../../../kit/registry.js';
import { type Contract, contractOf, publicContract } from '../../../kit/registry-contract.js';
import { PROJECT } from '../../../kit/surroundings.js';

type Who = 'member' | 'admin' | 'stranger' | 'wrong';
type Case = readonly [
  operation: string,
  method: string,
  path: string,
  status: number,
  options?: { body?: unknown; as?: Who },
];

const DOMAIN = 'acme.example';
const AGENT = 'https://ads.acme.example/mcp';
const ofAgent = (rest: string): string => `/api/registry/agents/${encodeURIComponent(AGENT)}/${rest}`;
const MANY = { domains: Array.from({ length: 101 }, (_, index) => `d${index}.example`) };
const FOUR = { domains: ['d1.example', 'd2.example', 'd3.example', 'd4.example'] };
const BRAND = {
  domain: DOMAIN,
  brand_name: 'Acme',
  brand_manifest: { name: 'Acme', logos: [{ url: 'https://acme.example/l.png', tags: ['icon'] }] },
};
const PROPERTY = {
  publisher_domain: DOMAIN,
  authorized_agents: [{ url: AGENT, authorized_for: 'all' }],
  properties: [{ type: 'website', name: 'Acme News' }],
  contact: { name: 'A', email: 'a@acme.example' },
};

/** In this order, for later ones rest on earlier ones. */
const CASES: readonly Case[] = [
  ['apiDiscovery', 'GET', '/api', 200],
  ['resolveBrand', 'GET', `/api/brands/resolve?domain=${DOMAIN}`, 404],
  ['resolveBrand', 'GET', '/api/brands/resolve', 400],
  ['getBrandHistory', 'GET', `/api/brands/history?domain=${DOMAIN}`, 404],
  ['saveBrand', 'POST', '/api/brands/save', 401, { body: BRAND }],
  ['saveBrand', 'POST', '/api/brands/save', 401, { body: BRAND, as: 'wrong' }],
  ['saveBrand', 'POST', '/api/brands/save', 400, { body: { domain: DOMAIN }, as: 'member' }],
  ['saveBrand', 'POST', '/api/brands/save', 400, { body: { domain: 'not a domain', brand_name: 'A' }, as: 'member' }],
  ['saveBrand', 'POST', '/api/brands/save', 200, { body: BRAND, as: 'member' }],
  ['saveBrand', 'POST', '/api/brands/save', 200, { body: BRAND, as: 'member' }],
  ['resolveBrand', 'GET', `/api/brands/resolve?domain=${DOMAIN}`, 200],
  ['resolveBrandsBulk', 'POST', '/api/brands/resolve/bulk', 200, { body: { domains: [DOMAIN] } }],
  ['getBrandJson', 'GET', `/api/brands/brand-json?domain=${DOMAIN}`, 404],
  ['listBrands', 'GET', '/api/brands/registry?search=acm&limit=5', 200],
  ['listBrands', 'GET', '/api/brands/registry?source=nonsense', 400],
  ['findBrand', 'GET', '/api/brands/find?q=a', 400],
  ['enrichBrand', 'GET', `/api/brands/enrich?domain=${DOMAIN}`, 503],
  ['getBrandHistory', 'GET', `/api/brands/history?domain=${DOMAIN}&limit=1`, 200],
  ['getBrandHistory', 'GET', `/api/brands/history?domain=${DOMAIN}&limit=101`, 400],
  ['requestBrandCrawl', 'POST', '/api/registry/brand-crawl-request', 401, { body: { domain: DOMAIN } }],
  ['requestBrandCrawl', 'POST', '/api/registry/brand-crawl-request', 400, { body: {}, as: 'member' }],
  ['resolveProperty', 'GET', `/api/properties/resolve?domain=${DOMAIN}`, 404],
  ['getPropertyHistory', 'GET', `/api/properties/history?domain=${DOMAIN}`, 404],
  ['getPropertyHistory', 'GET', '/api/properties/history', 400],
  ['saveProperty', 'POST', '/api/properties/save', 401, { body: PROPERTY }],
  ['saveProperty', 'POST', '/api/properties/save', 400, { body: { publisher_domain: DOMAIN }, as: 'member' }],
  ['saveProperty', 'POST', '/api/properties/save', 200, { body: PROPERTY, as: 'member' }],
  ['saveProperty', 'POST', '/api/properties/save', 200, { body: PROPERTY, as: 'member' }],
  ['resolveProperty', 'GET', `/api/properties/resolve?domain=${DOMAIN}`, 200],
  ['resolvePropertiesBulk', 'POST', '/api/properties/resolve/bulk', 200, { body: { domains: [DOMAIN] } }],
  ['listProperties', 'GET', '/api/properties/registry?source=community', 200],
  ['getPropertyHistory', 'GET', `/api/properties/history?domain=${DOMAIN}`, 200],
  ['validateProperty', 'GET', `/api/properties/validate?domain=${DOMAIN}`, 200],
  [
    'checkPropertyList',
    'POST',
    '/api/properties/check',
    200,
    { body: { domains: [DOMAIN, 'www.acme.example', 'https://WWW.Other.example/page', 'ads.doubleclick.net', 'x y'] } },
  ],
  ['checkPropertyList', 'POST', '/api/properties/check', 400, { body: {} }],
  ['getPropertyCheckReport', 'GET', '/api/properties/check/none', 404],
  ['registerMemberAgent', 'POST', '/api/me/agents', 401, { body: { url: AGENT, type: 'sales' } }],
  ['registerMemberAgent', 'POST', '/api/me/agents', 400, { body: { url: AGENT }, as: 'member' }],
  [
    'registerMemberAgent',
    'POST',
    '/api/me/agents',
    201,
    { body: { url: AGENT, type: 'sales', visibility: 'public' }, as: 'member' },
  ],
  [
    'registerMemberAgent',
    'POST',
    '/api/me/agents',
    200,
    { body: { url: AGENT, type: 'sales', visibility: 'public' }, as: 'member' },
  ],
  ['listMemberAgents', 'GET', '/api/me/agents', 200, { as: 'member' }],
  ['listMemberAgents', 'GET', '/api/me/agents', 401],
  [
    'updateMemberAgent',
    'PATCH',
    `/api/me/agents/${encodeURIComponent(AGENT)}`,
    200,
    { body: { name: 'Ads' }, as: 'member' },
  ],
  [
    'updateMemberAgent',
    'PATCH',
    `/api/me/agents/${encodeURIComponent('https://x.example/mcp')}`,
    404,
    { body: {}, as: 'member' },
  ],
  ['removeMemberAgent', 'DELETE', `/api/me/agents/${encodeURIComponent(AGENT)}`, 404, { as: 'stranger' }],
  ['removeMemberAgent', 'DELETE', `/api/me/agents/${encodeURIComponent(AGENT)}`, 204, { as: 'member' }],
];

/** What the public contract does not know, or says less about; judged by our own description alone. */
const OWN_CASES: readonly Case[] = [
  // The public contract wraps these results twice, and its schema of a bulk answer shuts out the null that it means to allow.
  ['findBrand', 'GET', '/api/brands/find?q=acm', 200],
  ['resolveBrandsBulk', 'POST', '/api/brands/resolve/bulk', 200, { body: { domains: [DOMAIN, 'unknown.example'] } }],
  ['resolvePropertiesBulk', 'POST', '/api/properties/resolve/bulk', 200, { body: { domains: ['unknown.example'] } }],
  ['resolveBrandsBulk', 'POST', '/api/brands/resolve/bulk', 400, { body: MANY }],
  // The settings of this registry allow fewer than the public contract.
  ['resolveBrandsBulk', 'POST', '/api/brands/resolve/bulk', 400, { body: FOUR }],
  ['resolvePropertiesBulk', 'POST', '/api/properties/resolve/bulk', 400, { body: FOUR }],
  ['resolveBrandsBulk', 'POST', '/api/brands/resolve/bulk', 413, { body: { domains: ['x'.repeat(70_000)] } }],
  [
    'submitCommunityBrand',
    'POST',
    '/api/brands/discovered/community',
    200,
    { body: { domain: 'new.example' }, as: 'member' },
  ],
  [
    'submitCommunityBrand',
    'POST',
    '/api/brands/discovered/community',
    409,
    { body: { domain: 'new.example' }, as: 'member' },
  ],
  ['examineAgent', 'POST', '/api/agents/doctor', 401, { body: { url: AGENT } }],
  ['examineAgent', 'POST', '/api/agents/doctor', 400, { body: { url: 'http://10.0.0.1/mcp' }, as: 'member' }],
  ['examineAgent', 'POST', '/api/agents/doctor', 200, { body: { url: 'http://127.0.0.1:1/mcp' }, as: 'member' }],
  ['issueOwnershipChallenge', 'POST', '/api/ownership/issue', 200, { body: { domain: DOMAIN }, as: 'member' }],
  ['verifyOwnership', 'POST', '/api/ownership/verify', 400, { body: { domain: DOMAIN, method: 'dns' }, as: 'member' }],
  ['verifyOwnership', 'POST', '/api/ownership/verify', 404, { body: { domain: DOMAIN }, as: 'member' }],
  ['adminListOrganizations', 'GET', '/api/admin/organizations', 200, { as: 'admin' }],
  ['adminListOrganizations', 'GET', '/api/admin/organizations', 403, { as: 'member' }],
  ['adminListOrganizations', 'GET', '/api/admin/organizations', 401],
  [
    'adminCreateOrganization',
    'POST',
    '/api/admin/organizations',
    200,
    { body: { slug: 'third', name: 'Third' }, as: 'admin' },
  ],
  [
    'adminCreateOrganization',
    'POST',
    '/api/admin/organizations',
    409,
    { body: { slug: 'third', name: 'Third' }, as: 'admin' },
  ],
  ['adminListKeys', 'GET', '/api/admin/keys', 200, { as: 'admin' }],
  ['adminCreateKey', 'POST', '/api/admin/keys', 200, { body: { organization: 'third' }, as: 'admin' }],
  ['adminCreateKey', 'POST', '/api/admin/keys', 404, { body: { organization: 'nobody' }, as: 'admin' }],
  ['adminRevokeKey', 'POST', '/api/admin/keys/revoke', 404, { body: { key_id: 'key_0' }, as: 'admin' }],
  [
    'adminPutMember',
    'POST',
    '/api/admin/members',
    200,
    { body: { organization: 'third', subject: 'user-1' }, as: 'admin' },
  ],
  [
    'adminEnrolAgent',
    'POST',
    '/api/admin/agents',
    200,
    { body: { organization: 'third', url: AGENT, type: 'sales', visibility: 'public' }, as: 'admin' },
  ],
  [
    'adminSetBadge',
    'POST',
    '/api/admin/badges',
    200,
    { body: { url: AGENT, role: 'sales', verified_specialisms: ['sales-broadcast-tv'] }, as: 'admin' },
  ],
  [
    'adminSetBadge',
    'POST',
    '/api/admin/badges',
    404,
    { body: { url: 'https://x.example/mcp', role: 'sales' }, as: 'admin' },
  ],
  ['adminListAssessments', 'GET', '/api/admin/assessments', 200, { as: 'admin' }],
  ['adminListAssessments', 'GET', '/api/admin/assessments', 403, { as: 'member' }],
  ['adminAssess', 'POST', '/api/admin/assessments', 404, { body: { url: AGENT }, as: 'admin' }],
  ['getJwks', 'GET', '/api/.well-known/jwks.json', 200],
  ['listRevokedBadges', 'GET', '/api/registry/badges/revoked', 200],
  ['listRevokedBadges', 'GET', '/api/registry/badges/revoked?badge_id=', 400],
  ['adminReplaceBadgeKey', 'POST', '/api/admin/badges/keys', 200, { body: {}, as: 'admin' }],
  ['adminReplaceBadgeKey', 'POST', '/api/admin/badges/keys', 400, { body: { compromised: 'no' }, as: 'admin' }],
  [
    'adminSetCompliance',
    'POST',
    '/api/admin/compliance',
    200,
    { body: { url: AGENT, status: 'passing' }, as: 'admin' },
  ],
  ['adminRemoveAgent', 'POST', '/api/admin/agents/remove', 200, { body: { url: AGENT }, as: 'admin' }],
  ['adminListFailingCrawls', 'GET', '/api/admin/crawls', 200, { as: 'admin' }],
  ['adminListFailingCrawls', 'GET', '/api/admin/crawls', 403, { as: 'member' }],
  ['adminCrawl', 'POST', '/api/admin/crawls', 200, { body: { domains: ['unread.example'] }, as: 'admin' }],
  ['adminCrawl', 'POST', '/api/admin/crawls', 400, { body: { domains: [] }, as: 'admin' }],
  [
    'adminImport',
    'POST',
    '/api/admin/import',
    200,
    { body: { files: [{ domain: 'imported.example', text: '{"authorized_agents": []}' }] }, as: 'admin' },
  ],
  ['adminImport', 'POST', '/api/admin/import', 400, { body: { files: [] }, as: 'admin' }],
  ['adminImportSnapshot', 'POST', '/api/admin/import/snapshot', 200, { body: { properties: ['{}'] }, as: 'admin' }],
  ['adminImportSnapshot', 'POST', '/api/admin/import/snapshot', 400, { body: { domains: ['-'] }, as: 'admin' }],
  [
    'adminBlock',
    'POST',
    '/api/admin/blocked',
    200,
    { body: { kind: 'domain', name: 'imported.example', reason: 'a fraud' }, as: 'admin' },
  ],
  [
    'adminBlock',
    'POST',
    '/api/admin/blocked',
    404,
    { body: { kind: 'organization', name: 'nobody', reason: 'a fraud' }, as: 'admin' },
  ],
  ['adminListBlocked', 'GET', '/api/admin/blocked', 200, { as: 'admin' }],
  ['adminListBlocked', 'GET', '/api/admin/blocked', 403, { as: 'member' }],
  [
    'adminHold',
    'POST',
    '/api/admin/holds',
    200,
    { body: { kind: 'domain', name: 'held.example', reason: 'case 1' }, as: 'admin' },
  ],
  ['adminHold', 'POST', '/api/admin/holds', 400, { body: { kind: 'domain', name: 'held.example' }, as: 'admin' }],
  ['adminListHolds', 'GET', '/api/admin/holds', 200, { as: 'admin' }],
  ['adminListHolds', 'GET', '/api/admin/holds', 403, { as: 'member' }],
  [
    'adminRemove',
    'POST',
    '/api/admin/removed',
    409,
    { body: { kind: 'domain', name: 'held.example', reason: 'a fraud' }, as: 'admin' },
  ],
  [
    'adminEndHold',
    'POST',
    '/api/admin/holds/end',
    200,
    { body: { kind: 'domain', name: 'held.example', reason: 'settled' }, as: 'admin' },
  ],
  [
    'adminEndHold',
    'POST',
    '/api/admin/holds/end',
    404,
    { body: { kind: 'domain', name: 'held.example', reason: 'settled' }, as: 'admin' },
  ],
  [
    'adminRemove',
    'POST',
    '/api/admin/removed',
    404,
    { body: { kind: 'domain', name: 'held.example', reason: 'a fraud' }, as: 'admin' },
  ],
  [
    'adminRemove',
    'POST',
    '/api/admin/removed',
    200,
    { body: { kind: 'domain', name: 'imported.example', reason: 'a fraud' }, as: 'admin' },
  ],
  ['adminListActs', 'GET', '/api/admin/acts', 200, { as: 'admin' }],
  ['adminListActs', 'GET', '/api/admin/acts?offset=-1', 400, { as: 'admin' }],
  ['adminListActs', 'GET', '/api/admin/acts', 403, { as: 'member' }],
  [
    'adminUnblock',
    'POST',
    '/api/admin/blocked/end',
    200,
    { body: { kind: 'domain', name: 'imported.example' }, as: 'admin' },
  ],
  [
    'adminUnblock',
    'POST',
    '/api/admin/blocked/end',
    404,
    { body: { kind: 'domain', name: 'imported.example' }, as: 'admin' },
  ],
  ['adminListFailingVisits', 'GET', '/api/admin/visits', 200, { as: 'admin' }],
  ['adminListFailingVisits', 'GET', '/api/admin/visits', 403, { as: 'member' }],
  ['adminVisit', 'POST', '/api/admin/visits', 404, { body: { url: 'https://nobody.example/mcp' }, as: 'admin' }],
  ['adminReplication', 'GET', '/api/admin/replication', 200, { as: 'admin' }],
  ['adminPromote', 'POST', '/api/admin/promote', 409, { body: {}, as: 'admin' }],
  ['adminPromote', 'POST', '/api/admin/promote', 403, { body: {}, as: 'member' }],
  ['adminListReviews', 'GET', '/api/admin/reviews', 200, { as: 'admin' }],
  [
    'adminDecideReview',
    'POST',
    '/api/admin/reviews/decide',
    404,
    { body: { review_id: 'r', decision: 'approve' }, as: 'admin' },
  ],
  [
    'adminRollBack',
    'POST',
    '/api/admin/rollback',
    200,
    { body: { kind: 'brand', domain: DOMAIN, revision_number: 1 }, as: 'admin' },
  ],
  [
    'adminRollBack',
    'POST',
    '/api/admin/rollback',
    404,
    { body: { kind: 'brand', domain: DOMAIN, revision_number: 99 }, as: 'admin' },
  ],
  ['apiResourceMetadata', 'GET', '/.well-known/oauth-protected-resource/api', 200],
  ['mcpResourceMetadata', 'GET', '/.well-known/oauth-protected-resource/mcp', 200],
  ['authorizationServerMetadata', 'GET', '/.well-known/oauth-authorization-server', 404],
  ['registerClient', 'POST', '/register', 404, { body: {} }],
];

/** The operations that other files try at length, each once at least. */
const OTHER_CASES: readonly Case[] = [
  [
    'registerMemberAgent',
    'POST',
    '/api/me/agents',
    201,
    { body: { url: AGENT, type: 'sales', visibility: 'public', assessments: true }, as: 'member' },
  ],
  ['getAgentMonitoringSettings', 'GET', ofAgent('monitoring/settings'), 200, { as: 'member' }],
  ['updateAgentMonitoringPause', 'PUT', ofAgent('monitoring/pause'), 200, { body: { paused: true }, as: 'member' }],
  ['updateAgentMonitoringInterval', 'PUT', ofAgent('monitoring/interval'), 400, { body: {}, as: 'member' }],
  ['requeueAgentForHeartbeat', 'POST', ofAgent('monitoring/requeue'), 404, { as: 'stranger' }],
  ['updateAgentComplianceOptOut', 'PUT', ofAgent('compliance/opt-out'), 200, { body: { opt_out: true }, as: 'member' }],
  ['getAgentCompliance', 'GET', ofAgent('compliance'), 200],
  ['getAgentComplianceHistory', 'GET', ofAgent('compliance/history'), 200],
  ['getAgentVerification', 'GET', ofAgent('verification'), 200],
  ['getAgentBadgeSvg', 'GET', ofAgent('badge/media-buy.svg'), 200],
  ['getAgentBadgeEmbed', 'GET', ofAgent('badge/media-buy/embed'), 200],
  ['getAgentBadgeVersionedSvg', 'GET', ofAgent('badge/media-buy/3.1.svg'), 200],
  ['getAgentBadgeVersionedEmbed', 'GET', ofAgent('badge/media-buy/3.1/embed'), 200],
  ['listAgents', 'GET', '/api/registry/agents?capabilities=true&compliance=true&health=true&properties=true', 200],
  ['searchAgentProfiles', 'GET', '/api/registry/agents/search', 200, { as: 'member' }],
  ['lookupOperator', 'GET', `/api/registry/operator?domain=${DOMAIN}`, 200],
  ['lookupPublisher', 'GET', `/api/registry/publisher?domain=${DOMAIN}`, 200],
  ['listPublishers', 'GET', '/api/registry/publishers', 200],
  ['getRegistryStats', 'GET', '/api/registry/stats', 200],
  ['requestCrawl', 'POST', '/api/registry/crawl-request', 400, { body: {}, as: 'member' }],
  ['getCrawlRequest', 'GET', '/api/registry/crawl-request/none', 404, { as: 'member' }],
  ['requestManagerRevalidation', 'POST', '/api/registry/manager-revalidation-request', 400, { body: {}, as: 'member' }],
  [
    'revalidatePublisherAdagents',
    'POST',
    `/api/registry/publisher/${DOMAIN}/adagents/revalidate`,
    403,
    { body: {}, as: 'member' },
  ],
  ['getRegistryFeed', 'GET', '/api/registry/feed', 200, { as: 'member' }],
  ['streamRegistryFeed', 'GET', '/api/registry/feed/stream', 401],
  ['getRegistryCatalog', 'GET', '/api/registry/catalog', 200, { as: 'member' }],
  ['syncRegistryCatalog', 'GET', '/api/registry/catalog/sync', 200, { as: 'member' }],
  ['syncCollections', 'GET', '/api/registry/collections/sync', 200, { as: 'member' }],
  ['getAgentAuthorizations', 'GET', `/api/registry/authorizations?agent_url=${AGENT}`, 200, { as: 'member' }],
  ['getAgentAuthorizationsSnapshot', 'GET', '/api/registry/authorizations/snapshot', 200, { as: 'member' }],
  ['getRegistryReplica', 'GET', '/api/registry/replica', 200, { as: 'member' }],
  ['lookupDomain', 'GET', `/api/registry/lookup/domain/${DOMAIN}`, 200],
  ['lookupProperty', 'GET', `/api/registry/lookup/property?type=domain&value=${DOMAIN}`, 200],
  ['getAgentDomains', 'GET', `/api/registry/lookup/agent/${encodeURIComponent(AGENT)}/domains`, 200],
  ['validateProductAuthorization', 'POST', '/api/registry/validate/product-authorization', 400, { body: {} }],
  ['expandProductIdentifiers', 'POST', '/api/registry/expand/product-identifiers', 400, { body: {} }],
  [
    'validatePropertyAuthorization',
    'GET',
    `/api/registry/validate/property-authorization?agent_url=${AGENT}&identifier_type=domain&identifier_value=${DOMAIN}`,
    200,
  ],
  [
    'lookupPublisherAgentAuthorization',
    'GET',
    `/api/registry/publisher/authorization?domain=${DOMAIN}&agent=${AGENT}`,
    404,
  ],
  ['getPublishersForAgent', 'GET', `/v1/agents/${encodeURIComponent(AGENT)}/publishers`, 404],
  ['getPublishersForAgentLegacyApiPrefix', 'GET', `/api/v1/agents/${encodeURIComponent(AGENT)}/publishers`, 404],
  ['validateAdagents', 'POST', '/api/adagents/validate', 400, { body: {} }],
  [
    'createAdagents',
    'POST',
    '/api/adagents/create',
    200,
    {
      body: {
        authorized_agents: [
          {
            url: AGENT,
            authorized_for: 'all',
            authorization_type: 'publisher_properties',
            publisher_properties: [{ publisher_domain: DOMAIN, selection_type: 'all' }],
          },
        ],
      },
    },
  ],
  ['search', 'GET', '/api/search?q=acme', 200],
  ['lookupManifestRef', 'GET', '/api/manifest-refs/lookup', 400],
  ['discoverAgent', 'GET', '/api/public/discover-agent?url=nonsense', 400],
  ['getAgentFormats', 'GET', '/api/public/agent-formats?url=nonsense', 400],
  ['getAgentProducts', 'GET', '/api/public/agent-products?url=nonsense', 400],
  ['validatePublisher', 'GET', '/api/public/validate-publisher', 400],
  ['health', 'GET', '/healthz', 200],
  ['readiness', 'GET', '/readyz', 200],
  ['openApi', 'GET', '/openapi/registry.yaml', 200],
  ['openApiLocation', 'GET', '/.well-known/openapi.yaml', 302],
  ['apiPage', 'GET', '/docs', 200],
  ['apiPageScript', 'GET', '/docs/page.js', 200],
  ['feedSchema', 'GET', '/schemas/v3/core/registry-event.json', 200],
];

/** Every endpoint of the public contract. */
const SPEC_PATHS = [
  ...[
    'GET /api/brands/resolve',
    'POST /api/brands/resolve/bulk',
    'GET /api/brands/brand-json',
    'GET /api/brands/registry',
  ],
  ...[
    'GET /api/brands/enrich',
    'GET /api/brands/history',
    'POST /api/brands/save',
    'POST /api/brands/discovered/community',
  ],
  ...['GET /api/properties/resolve', 'POST /api/properties/resolve/bulk', 'GET /api/properties/registry'],
  ...['GET /api/properties/validate', 'GET /api/properties/history', 'POST /api/properties/save'],
  ...['GET /api/registry/agents', 'GET /api/registry/agents/search', 'GET /api/registry/operator'],
  ...['GET /api/registry/publisher', 'GET /api/registry/publishers', 'GET /api/registry/stats'],
  ...['POST /api/registry/crawl-request', 'GET /api/registry/feed', 'GET /api/registry/lookup/domain/{domain}'],
  ...['GET /api/registry/lookup/property', 'GET /api/registry/lookup/agent/{agentUrl}/domains'],
  ...['POST /api/registry/validate/product-authorization', 'POST /api/registry/expand/product-identifiers'],
  ...['GET /api/registry/validate/property-authorization', 'POST /api/adagents/validate', 'POST /api/adagents/create'],
  ...[
    'GET /api/search',
    'GET /api/manifest-refs/lookup',
    'GET /api/public/discover-agent',
    'GET /api/public/agent-formats',
  ],
  ...[
    'GET /api/public/agent-products',
    'GET /api/public/validate-publisher',
    'POST /register',
    'GET /openapi/registry.yaml',
  ],
  ...['GET /.well-known/openapi.yaml', 'GET /.well-known/oauth-authorization-server'],
  ...['GET /.well-known/oauth-protected-resource/api', 'GET /.well-known/oauth-protected-resource/mcp'],
];

/** The endpoints that need a token; the rest is for everybody. */
const SPEC_BEARER = [
  ...['POST /api/brands/save', 'POST /api/brands/discovered/community', 'POST /api/properties/save'],
  ...['GET /api/registry/agents/search', 'POST /api/registry/crawl-request', 'GET /api/registry/feed'],
];

describe('the table of routes', () => {
  const rows = new Map(REGISTRY_ROUTES.map((route) => [`${route.method} ${route.path}`, route]));

  it('has every endpoint of the public contract, each once', () => {
    expect(SPEC_PATHS.filter((path) => !rows.has(path))).toEqual([]);
    expect(rows.size).toBe(REGISTRY_ROUTES.length);
  });

  it('wants a token exactly where the public contract does', () => {
    const closed = SPEC_PATHS.filter((path) => !['none', 'optional'].includes(rows.get(path)?.auth ?? ''));
    expect(closed.sort()).toEqual([...SPEC_BEARER].sort());
  });
});

describe('every operation against its description', () => {
  let registry: BootedRegistry;
  let own: Contract;
  const shared = publicContract();
  const answers: {
    readonly operation: string;
    readonly isShared: boolean;
    readonly wanted: number;
    readonly answer: HttpAnswer;
  }[] = [];

  beforeAll(async () => {
    registry = await bootRegistry({ service: { policy: { ownership: 'off', bulkDomains: 3 } } });
    const tokens: Record<Who, string> = {
      member: (await registry.member('acme')).token,
      admin: (await registry.member('operators', 'admin')).token,
      stranger: (await registry.member('other')).token,
      wrong: 'sk_nonsense',
    };
    for (const [isShared, cases] of [
      [true, CASES],
      [false, OWN_CASES],
      [false, OTHER_CASES],
    ] as const) {
      for (const [operation, method, path, wanted, { as, body } = {}] of cases) {
        const answer = await registry.request(method, path, {
          ...(as === undefined ? {} : { token: tokens[as] }),
          ...(body === undefined ? {} : { body }),
        });
        answers.push({ operation, isShared, wanted, answer });
      }
    }
    const checked = answers.filter(({ operation, wanted }) => operation === 'checkPropertyList' && wanted === 200);
    const [report_id] = checked.map(({ answer }) => (answer.json() as { report_id: string }).report_id);
    const report = await registry.get(`/api/properties/check/${report_id}`);
    answers.push({ operation: 'getPropertyCheckReport', isShared: true, wanted: 200, answer: report });
    own = contractOf((await registry.get('/openapi/registry.yaml')).text);
  });

  it('has the status that is wanted', () => {
    const wrong = answers.filter(({ wanted, answer }) => answer.status !== wanted);
    expect(
      wrong.map(({ operation, wanted, answer }) => `${operation} ${wanted}: ${answer.status} ${answer.text}`),
    ).toEqual([]);
  });

  it('is as our own description says', () => {
    // What the description leaves out is no part of the API: its own place, pages, and health.
    const hidden = new Set(
      REGISTRY_ROUTES.filter((one) => one.hidden === true).map(({ operation_id }) => operation_id),
    );
    expect(
      answers
        .filter(({ operation }) => !hidden.has(operation))
        .flatMap(({ operation, answer }) => own.faultOf(operation, answer) ?? []),
    ).toEqual([]);
  });

  it.runIf(shared !== undefined)('is as the public contract says, where it describes the status', () => {
    const faults = answers
      .filter(({ isShared }) => isShared)
      .map(({ operation, answer }) => shared?.faultOf(operation, answer))
      .filter((fault) => fault !== undefined && !fault.includes('does not describe status'));
    expect(faults).toEqual([]);
  });

  it('refuses a compressed body wherever it takes one, and says so in our own description', async () => {
    const { token } = await registry.member('packers', 'admin');
    const takers = REGISTRY_ROUTES.filter((one) => one.body !== undefined && one.hidden !== true);
    for (const { form, method, operation_id, path } of takers) {
      const answer = await send(`${registry.baseUrl}${path.replaceAll(/\{\w+\}/g, DOMAIN)}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': form === true ? 'application/x-www-form-urlencoded' : 'application/json',
          'content-encoding': 'gzip',
        },
        body: gzipSync('{}'),
      });
      expect([answer.status, own.faultOf(operation_id, answer)], `${method} ${path}`).toEqual([415, undefined]);
    }
    expect(takers.length).toBeGreaterThan(10);
  });

  it('refuses a body that cannot be used wherever it takes one, as our own description says: plainly, with the place and a step to take', async () => {
    const { token } = await registry.member('fumblers', 'admin');
    const takers = REGISTRY_ROUTES.filter((one) => one.body !== undefined && one.hidden !== true);
    const places = new Set<string>();
    for (const { method, operation_id, path } of takers) {
      for (const body of ['{', 'null', '[1]', '{}', `${'['.repeat(40)}${']'.repeat(40)}`]) {
        const answer = await registry.request(method, path.replaceAll(/\{\w+\}/g, 'agent.example'), { token, body });
        if (answer.status < 300 || answer.status === 404) continue;
        const { field, ...said } = answer.json() as { readonly field?: string };
        const what = `${operation_id} ${body.slice(0, 9)}: ${answer.text}`;
        expect(own.faultOf(operation_id, answer), what).toBeUndefined();
        expect(said, what).toMatchObject({ error: expect.any(String), suggestion: expect.any(String) });
        expect(answer.text, what).not.toMatch(/Invalid input|undefined|Too (?:big|small)/);
        expect(field === undefined && answer.status === 400, what).toBe(false);
        if (field !== undefined) places.add(field);
        expect(field === undefined || /^(?:\/|$)/.test(field) || path.includes(`{${field}}`), what).toBe(true);
      }
    }
    expect(places.size).toBeGreaterThan(10);
  });

  it('says what is wrong and what to do in every error', () => {
    for (const { answer } of answers.filter(({ wanted }) => wanted >= 400)) {
      expect(answer.json()).toMatchObject({
        error: expect.any(String),
        code: expect.any(String),
        suggestion: expect.any(String),
      });
      expect(answer.text).not.toMatch(/\bat .*\.(ts|js):\d+/);
    }
    expect(registry.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('has a call of every operation that docs/registry.md lists', () => {
    const driven = new Set(answers.map(({ operation }) => operation));
    const listed = readFileSync(path.join(PROJECT, 'docs/registry.md'), 'utf8');
    const rows = REGISTRY_ROUTES.filter((one) => listed.includes(`| \`${one.method} ${one.path}\` |`));
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.map(({ operation_id }) => operation_id).filter((operation) => !driven.has(operation))).toEqual([]);
  });

  it('describes itself as a valid OpenAPI document of unique operations', () => {
    expect(new Set(own.operations).size).toBe(own.operations.length);
    expect(own.operations).toEqual(
      expect.arrayContaining(
        REGISTRY_ROUTES.filter(({ hidden }) => hidden !== true).map(({ operation_id }) => operation_id),
      ),
    );
  });
});
