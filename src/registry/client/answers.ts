import type { InventoryProfile, RegistryEvent } from '../model/records.js';

/** The place of a page in a list. Every object of an answer may hold more members than are written here. */
export type Page = { readonly limit?: number; readonly offset?: number };

/** A domain resolved to its brand. */
export type BrandResolution = {
  readonly canonical_id: string;
  readonly canonical_domain: string;
  readonly brand_name: string;
  readonly source: string;
  readonly keller_type?: string;
  readonly parent_brand?: string;
  readonly house_domain?: string;
  readonly house_name?: string;
  readonly relationship_trust?: string;
  readonly brand_agent_url?: string;
  readonly brand_manifest?: Readonly<Record<string, unknown>>;
};
/** A row of the list of brands. */
export type ListedBrand = {
  readonly domain: string;
  readonly brand_name?: string;
  readonly source: string;
  readonly has_manifest: boolean;
  readonly verified: boolean;
};
/** One edit of an entry; the newest comes first. */
export type Revision = {
  readonly revision_number: number;
  /** `system` for what nobody did by hand. */
  readonly editor_name: string;
  readonly edit_summary: string;
  readonly source: string;
  readonly is_rollback: boolean;
  readonly rolled_back_to?: number;
  readonly created_at: string;
};
/** The edits of an entry. */
export type History = { readonly domain: string; readonly total: number; readonly revisions: readonly Revision[] };
/** The result of a save; `revision_number` is there when something was updated. */
export type Saved = {
  readonly success: boolean;
  readonly message: string;
  readonly id: string;
  readonly domain?: string;
  readonly revision_number?: number;
};

/** A property as lookups show it. */
type ShownProperty = {
  readonly id?: string;
  readonly type: string;
  readonly name: string;
  readonly identifiers?: readonly Identifier[];
  readonly tags?: readonly string[];
};
/** An identifier of a property. */
export type Identifier = { readonly type: string; readonly value: string };
/** An agent that a publisher names. */
type NamedAgent = { readonly url: string; readonly authorized_for?: string };
/** A publisher's inventory. */
export type PropertyResolution = {
  readonly publisher_domain: string;
  readonly source: string;
  readonly verified: boolean;
  readonly authorized_agents: readonly NamedAgent[];
  readonly properties: readonly ShownProperty[];
};
/** A row of the list of properties. */
export type ListedProperty = {
  readonly domain: string;
  readonly source: string;
  readonly property_count: number;
  readonly agent_count: number;
  readonly verified: boolean;
};
/** The faults of a publisher's adagents.json; a registry says them as sentences or as objects. */
export type Validity = {
  readonly valid: boolean;
  readonly domain?: string;
  readonly url?: string;
  readonly errors?: readonly (string | ValidityRemark)[];
  readonly warnings?: readonly (string | ValidityRemark)[];
  readonly status_code?: number;
};
/** One remark of a validation. */
type ValidityRemark = { readonly field?: string; readonly message: string; readonly suggestion?: string };

/** An agent of the catalog. */
export type CatalogAgent = {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly protocol?: string;
  readonly description?: string;
};
/** The badges of an agent; `token` is what `verifyBadge` takes. */
export type AgentBadges = {
  readonly agent_url: string;
  readonly verified: boolean;
  readonly badges: readonly {
    readonly role: string;
    readonly verified_specialisms: readonly string[];
    readonly badge_id?: string;
    readonly token?: string;
    readonly expires_at?: string;
  }[];
};
/** A badge that counts no more. */
export type RevokedBadge = { readonly badge_id: string; readonly reason: string; readonly revoked_at: string };
/** An agent by what it sells. */
export type FoundAgent = InventoryProfile & {
  readonly agent_url: string;
  readonly relevance_score: number;
  readonly matched_filters: readonly string[];
  readonly updated_at: string;
};
/** A row of the list of publishers. */
export type ListedPublisher = {
  readonly domain: string;
  readonly agent_count: number;
  readonly last_validated?: string | null;
  readonly has_valid_adagents?: boolean;
};
/** A publisher with its inventory and who may sell it. */
export type PublisherView = {
  readonly domain: string;
  readonly adagents_valid: boolean | null;
  readonly discovery_method?: string | null;
  readonly manager_domain?: string | null;
  readonly properties: readonly ShownProperty[];
  readonly authorized_agents: readonly (NamedAgent & { readonly source?: string; readonly publisher_wide?: boolean })[];
};
/** The agents that somebody operates. */
export type OperatorView = {
  readonly domain: string;
  readonly agents: readonly {
    readonly url: string;
    readonly name?: string;
    readonly type?: string;
    readonly authorized_by?: readonly { readonly publisher_domain: string; readonly source: string }[];
  }[];
};
/** A crawl that was asked for. */
export type CrawlAccepted = { readonly message: string; readonly domain: string; readonly crawl_request_id?: string };
/** How far it is. */
export type CrawlStatus = {
  readonly crawl_request_id: string;
  readonly domain: string;
  readonly status: 'queued' | 'running' | 'deferred' | 'retrying' | 'completed' | 'invalid' | 'failed';
  readonly attempts?: number;
  readonly last_error_code?: string | null;
};

/** How far the feed is behind what happened. */
export type Freshness = {
  readonly generated_at: string;
  readonly latest_event_created_at: string | null;
  readonly lag_seconds: number | null;
  readonly retention_days: number;
};
/** A page of changes. */
export type FeedPage = {
  readonly events: readonly RegistryEvent[];
  readonly cursor: string | null;
  readonly has_more: boolean;
  readonly freshness?: Freshness;
};
/** Rows of the catalog that a mirror starts from; what they hold is the mirror's to read. */
export type CatalogPage = Readonly<Record<string, unknown>> & { readonly next_cursor?: string | null };
/** Collections that a mirror starts from. */
export type CollectionsPage = {
  readonly collections: readonly Readonly<Record<string, unknown>>[];
  readonly total?: number;
  readonly next_offset?: number | null;
};
/** An agent's authorizations. */
export type AuthorizationRows = {
  readonly agent_url: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly count: number;
};

/** Selectors of a product that a registry checks or expands. */
export type SelectorQuestion = { readonly agent_url: string; readonly publisher_properties: readonly object[] };
/** Whether a product's properties may be sold. */
export type ProductAuthorizationView = {
  readonly agent_url: string;
  readonly authorized: boolean;
  readonly coverage_percentage: number;
  readonly total_requested: number;
  readonly total_authorized: number;
  readonly selectors: readonly Readonly<Record<string, unknown>>[];
  readonly checked_at: string;
};
/** The properties and identifiers that selectors stand for. */
export type ExpandedIdentifiers = {
  readonly properties: readonly Readonly<Record<string, unknown>>[];
  readonly identifiers: readonly (Identifier & { readonly property_id?: string; readonly publisher_domain: string })[];
  readonly property_count: number;
  readonly identifier_count: number;
  readonly generated_at: string;
};
/** Whether one property may be sold. */
export type PropertyAuthorizationView = {
  readonly authorized: boolean;
  readonly property_id?: string;
  readonly publisher_domain?: string;
  readonly reason?: string;
  readonly mutual?: boolean;
  readonly checked_at: string;
};
/** The agents that may sell a domain, and those that say so themselves. */
export type DomainAgents = {
  readonly domain: string;
  readonly authorized_agents: readonly NamedAgent[];
  readonly sales_agents_claiming: readonly { readonly url: string }[];
};
/** The agents that may sell what an identifier stands for. */
export type PropertyAgents = {
  readonly type: string;
  readonly value: string;
  readonly agents: readonly { readonly agent_url: string; readonly publisher_domain: string }[];
  readonly count: number;
};
/** The domains that an agent may sell. */
export type AgentDomains = { readonly agent_url: string; readonly domains: readonly string[]; readonly count: number };
/** One envelope of the adagents tools. */
export type ToolAnswer<Data> = { readonly success: boolean; readonly data: Data; readonly timestamp: string };

/** A challenge that proves whose a domain is: publish one of the two, then verify. */
export type OwnershipChallenge = {
  readonly domain: string;
  readonly nonce: string;
  readonly expires_at: string;
  readonly dns_record_name: string;
  readonly dns_record_type: string;
  readonly dns_record_value: string;
  readonly http_url: string;
  readonly http_body: string;
};
/** The result of a verification. */
export type OwnershipProof = {
  readonly domain: string;
  readonly verified: boolean;
  readonly method?: 'dns' | 'http';
  readonly verified_at?: string;
  readonly reproof_after?: string;
};
/** An answer of which no more is said than that it is an object. */
export type OpenAnswer = Readonly<Record<string, unknown>>;
