import type {
  AgentBadges,
  AgentDomains,
  AuthorizationRows,
  BrandResolution,
  CatalogAgent,
  CatalogPage,
  CollectionsPage,
  CrawlAccepted,
  CrawlStatus,
  DomainAgents,
  ExpandedIdentifiers,
  FeedPage,
  FoundAgent,
  History,
  ListedBrand,
  ListedProperty,
  ListedPublisher,
  OpenAnswer,
  OperatorView,
  OwnershipChallenge,
  OwnershipProof,
  Page,
  ProductAuthorizationView,
  PropertyAgents,
  PropertyAuthorizationView,
  PropertyResolution,
  PublisherView,
  RevokedBadge,
  Saved,
  SelectorQuestion,
  ToolAnswer,
  Validity,
} from './answers.js';

const MEGABYTE = 1024 * 1024;

/** Whether the token goes along: never, where it shows more, or always; without one an operation of the last kind is not sent. */
export type Access = 'public' | 'optional' | 'bearer';

/** One endpoint. Arguments named in the path go there, the others into the query of a GET and into the body of a POST. */
export type Operation<Args, Answer> = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: Access;
  /** Most bytes of an answer. */
  readonly maxBytes: number;
  /** Lists that are sent as one parameter for each value; the others are joined by commas. */
  readonly repeated: readonly string[];
  /** Never set: carries the types of arguments and answer. */
  readonly types?: (args: Args) => Answer;
};

type Extras = Partial<Pick<Operation<never, never>, 'access' | 'maxBytes' | 'repeated'>>;

const USUAL = { access: 'public', maxBytes: 8 * MEGABYTE, repeated: [] } as const;
/** A page of ten thousand events or rows. */
const BULK = { maxBytes: 48 * MEGABYTE } as const;
const BEARER = { access: 'bearer' } as const;
const OPTIONAL = { access: 'optional' } as const;

function get<Args, Answer>(path: string, extras: Extras = {}): Operation<Args, Answer> {
  return { method: 'GET', path, ...USUAL, ...extras };
}

function post<Args, Answer>(path: string, extras: Extras = {}): Operation<Args, Answer> {
  return { method: 'POST', path, ...USUAL, ...extras };
}

type OfDomain = { readonly domain: string };
type Domains = { readonly domains: readonly string[] };
type Fresh = OfDomain & { readonly fresh?: boolean };
type Listing = Page & { readonly search?: string; readonly source?: string };
type AgentFilters = {
  readonly type?: string;
  readonly health?: boolean;
  readonly capabilities?: boolean;
  readonly properties?: boolean;
  readonly compliance?: boolean;
  readonly metric_id?: readonly string[];
  readonly accreditation?: readonly string[];
  readonly q?: string;
  readonly format_kind?: readonly string[];
  readonly publisher_domain?: readonly string[];
  readonly format_option_id?: readonly string[];
  readonly capability_id?: readonly string[];
  readonly creative_operation?: readonly ('build' | 'validate' | 'preview')[];
  readonly match?: 'any' | 'all';
};
type ReplicaQuestion = {
  readonly cursor?: string | undefined;
  readonly scope?: string;
  readonly limit?: number;
  /** Seconds. */
  readonly wait?: number;
};
type InventoryFilters = {
  readonly channels?: readonly string[];
  readonly property_types?: readonly string[];
  readonly markets?: readonly string[];
  readonly categories?: readonly string[];
  readonly tags?: readonly string[];
  readonly delivery_types?: readonly string[];
  readonly format_kinds?: readonly string[];
  readonly has_tmp?: boolean;
  readonly min_properties?: number;
  readonly cursor?: string;
  readonly limit?: number;
};
type BrandToSave = OfDomain & { readonly brand_name: string; readonly brand_manifest?: object };
type PropertyToSave = {
  readonly publisher_domain: string;
  readonly authorized_agents: readonly { readonly url: string; readonly authorized_for?: string }[];
  readonly properties?: readonly { readonly type: string; readonly name: string }[];
  readonly contact?: { readonly name?: string; readonly email?: string };
};
type FeedQuestion = { readonly cursor?: string; readonly types?: readonly string[]; readonly limit?: number };
type ByUrl = { readonly url: string };

/** The one table of a registry's endpoints. */
export const OPERATIONS = {
  resolveBrand: get<Fresh, BrandResolution>('/api/brands/resolve'),
  resolveBrands: post<Domains, { readonly results: Readonly<Record<string, BrandResolution | null>> }>(
    '/api/brands/resolve/bulk',
  ),
  brandJson: get<Fresh, OpenAnswer & { readonly data?: unknown }>('/api/brands/brand-json'),
  brands: get<Listing, { readonly brands: readonly ListedBrand[]; readonly stats: OpenAnswer }>('/api/brands/registry'),
  findBrands: get<{ readonly q: string; readonly limit?: number }, { readonly results: readonly OpenAnswer[] }>(
    '/api/brands/find',
  ),
  enrichBrand: get<OfDomain, OpenAnswer>('/api/brands/enrich'),
  brandHistory: get<OfDomain & Page, History>('/api/brands/history'),
  saveBrand: post<BrandToSave, Saved>('/api/brands/save', BEARER),
  submitBrand: post<OfDomain & { readonly brand_name?: string }, OpenAnswer>(
    '/api/brands/discovered/community',
    BEARER,
  ),

  resolveProperty: get<OfDomain, PropertyResolution>('/api/properties/resolve'),
  resolveProperties: post<Domains, { readonly results: Readonly<Record<string, PropertyResolution | null>> }>(
    '/api/properties/resolve/bulk',
  ),
  properties: get<Listing, { readonly properties: readonly ListedProperty[]; readonly stats: OpenAnswer }>(
    '/api/properties/registry',
  ),
  validateProperty: get<OfDomain, Validity>('/api/properties/validate'),
  propertyHistory: get<OfDomain & Page, History>('/api/properties/history'),
  saveProperty: post<PropertyToSave, Saved>('/api/properties/save', BEARER),

  agents: get<AgentFilters, { readonly agents: readonly CatalogAgent[]; readonly count: number }>(
    '/api/registry/agents',
    {
      ...OPTIONAL,
      repeated: [
        ...['metric_id', 'accreditation', 'format_kind', 'publisher_domain', 'format_option_id'],
        ...['capability_id', 'creative_operation'],
      ],
    },
  ),
  searchAgents: get<
    InventoryFilters,
    { readonly results: readonly FoundAgent[]; readonly cursor: string | null; readonly has_more: boolean }
  >('/api/registry/agents/search', BEARER),
  operator: get<OfDomain & { readonly scope?: string }, OperatorView>('/api/registry/operator', OPTIONAL),
  publisher: get<OfDomain, PublisherView>('/api/registry/publisher'),
  publishers: get<Page, { readonly publishers: readonly ListedPublisher[]; readonly count: number }>(
    '/api/registry/publishers',
    BULK,
  ),
  stats: get<object, OpenAnswer>('/api/registry/stats'),
  requestCrawl: post<OfDomain, CrawlAccepted>('/api/registry/crawl-request', BEARER),
  crawlStatus: get<{ readonly id: string }, CrawlStatus>('/api/registry/crawl-request/{id}', BEARER),

  feed: get<FeedQuestion, FeedPage>('/api/registry/feed', { ...BEARER, ...BULK }),
  replica: get<ReplicaQuestion, OpenAnswer>('/api/registry/replica', { ...BEARER, ...BULK }),
  catalog: get<{ readonly cursor?: string; readonly limit?: number }, CatalogPage>('/api/registry/catalog', {
    ...BEARER,
    ...BULK,
  }),
  catalogSync: get<{ readonly since?: string; readonly cursor?: string; readonly limit?: number }, CatalogPage>(
    '/api/registry/catalog/sync',
    { ...BEARER, ...BULK },
  ),
  collections: get<Page, CollectionsPage>('/api/registry/collections/sync', { ...BEARER, ...BULK }),
  authorizations: get<{ readonly agent_url: string; readonly evidence?: readonly string[] }, AuthorizationRows>(
    '/api/registry/authorizations',
    { ...BEARER, ...BULK },
  ),

  agentsOfDomain: get<OfDomain, DomainAgents>('/api/registry/lookup/domain/{domain}'),
  agentsOfProperty: get<{ readonly type: string; readonly value: string }, PropertyAgents>(
    '/api/registry/lookup/property',
  ),
  domainsOfAgent: get<{ readonly agentUrl: string }, AgentDomains>('/api/registry/lookup/agent/{agentUrl}/domains'),
  validateProductAuthorization: post<SelectorQuestion, ProductAuthorizationView>(
    '/api/registry/validate/product-authorization',
  ),
  expandProductIdentifiers: post<SelectorQuestion, ExpandedIdentifiers>('/api/registry/expand/product-identifiers'),
  validatePropertyAuthorization: get<
    { readonly agent_url: string; readonly identifier_type: string; readonly identifier_value: string },
    PropertyAuthorizationView
  >('/api/registry/validate/property-authorization'),
  publisherAuthorization: get<OfDomain & { readonly agent: string }, OpenAnswer & { readonly authorized: boolean }>(
    '/api/registry/publisher/authorization',
  ),

  validateAdagents: post<OfDomain, ToolAnswer<{ readonly found: boolean; readonly validation: Validity }>>(
    '/api/adagents/validate',
  ),
  createAdagents: post<
    OpenAnswer & { readonly authorized_agents: readonly object[] },
    ToolAnswer<{ readonly success: boolean; readonly adagents_json: string; readonly validation: Validity }>
  >('/api/adagents/create'),
  badges: get<{ readonly encodedUrl: string }, AgentBadges>('/api/registry/agents/{encodedUrl}/verification'),
  badgeKeys: get<object, { readonly keys: readonly OpenAnswer[] }>('/api/.well-known/jwks.json'),
  revokedBadges: get<{ readonly badge_id?: string }, { readonly revoked: readonly RevokedBadge[] }>(
    '/api/registry/badges/revoked',
    BULK,
  ),
  search: get<{ readonly q: string }, Readonly<Record<'brands' | 'publishers' | 'properties', readonly OpenAnswer[]>>>(
    '/api/search',
  ),
  manifestReference: get<OfDomain & { readonly type?: string }, OpenAnswer & { readonly found: boolean }>(
    '/api/manifest-refs/lookup',
  ),
  discoverAgent: get<ByUrl, OpenAnswer>('/api/public/discover-agent'),
  agentFormats: get<ByUrl, OpenAnswer & { readonly formats: readonly OpenAnswer[] }>('/api/public/agent-formats'),
  agentProducts: get<ByUrl, OpenAnswer & { readonly products: readonly OpenAnswer[] }>('/api/public/agent-products'),
  validatePublisher: get<OfDomain, Validity>('/api/public/validate-publisher'),

  issueOwnership: post<OfDomain, OwnershipChallenge>('/api/ownership/issue', BEARER),
  verifyOwnership: post<OfDomain & { readonly method?: 'dns' | 'http' }, OwnershipProof>(
    '/api/ownership/verify',
    BEARER,
  ),
} as const;

/** A row of the table. */
export type OperationName = keyof typeof OPERATIONS;

type TypesOf<Name extends OperationName> =
  (typeof OPERATIONS)[Name] extends Operation<infer Args, infer Answer>
    ? { readonly args: Args; readonly answer: Answer }
    : never;
/** The arguments of an operation, in the members of the wire. */
export type ArgsOf<Name extends OperationName> = TypesOf<Name>['args'];
/** The answer of an operation. */
export type AnswerOf<Name extends OperationName> = TypesOf<Name>['answer'];
