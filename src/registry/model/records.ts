import type { AuthorizationType, DelegationType, PropertyIdentifier } from '../adagents/types.js';

/** The stored record of each noun, in the members of the wire. Instants are ISO 8601 texts in UTC. */
export type Records = {
  readonly publisher: PublisherRecord;
  readonly property: PropertyRecord;
  readonly collection: CollectionRecord;
  readonly agent: AgentRecord;
  readonly authorization: AuthorizationRecord;
  readonly brand: BrandRecord;
};
export type Noun = keyof Records;

/** The nouns in the order in which they are written and read: none before what it refers to. */
export const NOUNS = ['publisher', 'property', 'collection', 'agent', 'authorization', 'brand'] as const;

/**
 * Whether a publisher's file may authorize anybody: `open`, it may; `superseded` and `catalog` and `revoked`
 * (step 2, with the week that a revocation is remembered), it may not; `none`, there is no file that counts.
 */
export const STANDINGS = ['open', 'superseded', 'catalogue', 'revoked', 'none'] as const;
export type Standing = (typeof STANDINGS)[number];

/** A placement of a publisher, as far as authorizations need it. One whose id stands for several is left out. */
export type PlacementRecord = {
  readonly placement_id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly property_ids: readonly string[];
  readonly property_tags: readonly string[];
};

/** A publisher by its domain, in the form that `publisherDomain` answers. */
export type PublisherRecord = {
  readonly domain: string;
  readonly standing: Standing;
  /** null: never crawled. */
  readonly adagents_valid: boolean | null;
  /** Where the file that counts was read. */
  readonly adagents_url?: string;
  readonly discovery_method?: string | null;
  readonly manager_domain?: string | null;
  readonly placements?: readonly PlacementRecord[];
  readonly agent_count?: number;
  readonly property_count?: number;
  readonly collection_count?: number;
  readonly format_count?: number;
  readonly placement_count?: number;
  readonly last_validated?: string;
  readonly updated_at?: string;
};

/** What a property is to the registry. */
export const CLASSIFICATIONS = ['property', 'ad_infra', 'publisher_mask', 'network', 'unclassified'] as const;
type Classification = (typeof CLASSIFICATIONS)[number];

/**
 * A property of one publisher; a file that lists none of its own is recorded with the one that `publisherProperties` answers. An `inline`
 * one stands in an entry only (`inline_properties`): rows that name its rid reach it, selectors do not.
 */
export type PropertyRecord = {
  readonly property_rid: string;
  readonly publisher_domain: string;
  /** The publisher's own id. */
  readonly property_id: string | null;
  /** A type of adagents.json, or whatever else a member calls it. */
  readonly property_type: string;
  readonly name: string;
  readonly classification: Classification;
  readonly source: 'authoritative' | 'enriched' | 'contributed';
  readonly identifiers: readonly PropertyIdentifier[];
  readonly tags: readonly string[];
  readonly supported_channels?: readonly string[];
  readonly inline?: true;
  /** A stale property is not counted as listed: nobody is authorized for it. */
  readonly status: 'active' | 'stale';
  readonly last_resolved_at?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
};

/** A collection of a publisher: a programme, a publication, a series. */
export type CollectionRecord = {
  readonly collection_rid: string;
  readonly publisher_domain: string;
  readonly collection_id: string | null;
  readonly name: string | null;
  readonly kind?: string | null;
  readonly source?: 'authoritative' | 'enriched' | 'contributed';
  readonly status: 'active' | 'stale';
  /** Where it is distributed: platform domain, type and value. */
  readonly identifiers: readonly { readonly publisher_domain: string; readonly type: string; readonly value: string }[];
  readonly collection?: Readonly<Record<string, unknown>>;
  readonly created_at?: string;
  readonly updated_at?: string;
};

/** An agent's inventory in the words that agent search filters by. */
export type InventoryProfile = {
  readonly channels: readonly string[];
  readonly property_types: readonly string[];
  readonly markets: readonly string[];
  readonly categories: readonly string[];
  readonly category_taxonomy: string | null;
  readonly tags: readonly string[];
  readonly delivery_types: readonly string[];
  readonly format_ids: readonly unknown[];
  /** Absent of agents that were recorded before it was known. */
  readonly format_kinds?: readonly string[];
  readonly property_count: number;
  readonly publisher_count: number;
  readonly has_tmp: boolean;
};

/** A profile that says nothing. */
export const EMPTY_PROFILE: InventoryProfile = {
  channels: [],
  property_types: [],
  markets: [],
  categories: [],
  category_taxonomy: null,
  tags: [],
  delivery_types: [],
  format_ids: [],
  property_count: 0,
  publisher_count: 0,
  has_tmp: false,
};

/** How an agent did in the registry's checks. */
export type Compliance = {
  readonly status: 'passing' | 'degraded' | 'failing' | 'unknown';
  readonly tracks: Readonly<Record<string, string>>;
  readonly storyboards_passing: number;
  readonly storyboards_total: number;
  readonly headline?: string | null;
  readonly last_checked_at?: string;
};

/** What a badge rests on: storyboards that pass, or production traffic that was watched. */
export const VERIFICATION_MODES = ['spec', 'live'] as const;
export type VerificationMode = (typeof VERIFICATION_MODES)[number];

/** A badge that an agent earned for a role. */
export type Badge = {
  /** Stays as long as the badge is held unchanged; absent of older ones, which are not signed. */
  readonly badge_id?: string;
  /** A protocol, such as `media-buy`; a type of agent of older ones. */
  readonly role: string;
  /** The release that it was given for, such as "3.1"; absent of older ones. */
  readonly adcp_version?: string;
  readonly verified_specialisms: readonly string[];
  /** `spec` alone where it says nothing. */
  readonly verification_modes?: readonly VerificationMode[];
  readonly earned_at?: string;
};

/** An agent by its URL: what publishers' files and its own answers say of it. */
export type AgentRecord = InventoryProfile & {
  /** In its canonical form (`canonicalAgentUrl`). */
  readonly agent_url: string;
  readonly name?: string;
  readonly type: string;
  readonly compliance?: Compliance;
  readonly badges?: readonly Badge[];
  readonly created_at?: string;
  readonly updated_at?: string;
};

/** Whose word a row rests on. Only `adagents_json`, `adagents_authoritative` and `override` authorize. */
export const EVIDENCES = ['adagents_json', 'adagents_authoritative', 'override', 'community', 'agent_claim'] as const;
export type Evidence = (typeof EVIDENCES)[number];

/** Which of a publisher's properties a row is for: the wire's selector without the domain, which the row names. */
export type RecordSelector =
  | { readonly selection_type: 'all' }
  | { readonly selection_type: 'by_id'; readonly property_ids: readonly string[] }
  | { readonly selection_type: 'by_tag'; readonly property_tags: readonly string[] };

/**
 * One row of the authorization graph: an entry of a file for one publisher, and for one property (`property_rid`) or, with a null rid,
 * for what `selectors` pick of its listed properties, all without them. Rows of signal_ids and signal_tags have a null rid and cover no
 * property; the writer leaves out an id that a file uses twice.
 */
export type AuthorizationRecord = {
  readonly id: string;
  readonly agent_url: string;
  readonly agent_url_canonical: string;
  readonly publisher_domain: string;
  readonly authorization_type: AuthorizationType;
  readonly authorized_for: string | null;
  readonly property_rid: string | null;
  readonly property_id_slug: string | null;
  readonly selectors?: readonly RecordSelector[];
  readonly placement_ids?: readonly string[];
  readonly placement_tags?: readonly string[];
  readonly collections?: readonly {
    readonly publisher_domain: string;
    readonly collection_ids: readonly string[];
  }[];
  readonly countries?: readonly string[];
  readonly delegation_type?: DelegationType;
  readonly exclusive?: boolean;
  /** What the file pins. Of a feed they are hearsay: they count once the file itself was read. */
  readonly signing_keys?: readonly Readonly<Record<string, unknown>>[];
  readonly effective_from?: string;
  readonly effective_until?: string;
  readonly evidence: Evidence;
  readonly disputed: boolean;
  readonly created_by: string | null;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** A brand by its domain. */
export type BrandRecord = {
  readonly domain: string;
  readonly canonical_id: string;
  readonly canonical_domain: string;
  readonly brand_name: string;
  readonly keller_type?: string;
  readonly house_domain?: string;
  readonly parent_brand?: string;
  readonly source: 'hosted' | 'brand_json' | 'enriched' | 'community' | 'stub';
  /** The brand.json as it was read, for a brand that has one. */
  readonly brand_json?: Readonly<Record<string, unknown>>;
  readonly brand_manifest?: Readonly<Record<string, unknown>>;
  readonly created_at?: string;
  readonly updated_at?: string;
};

/** An entry of the change feed, which a cursor points at. */
export type RegistryEvent = {
  /** UUID v7: the order of events. */
  readonly event_id: string;
  readonly event_type: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Who caused it; it tells and authorizes nothing. */
  readonly actor: string;
  readonly created_at: string;
};

/** A change of a record, as those who follow the tables hear of it. Without `record` it is gone. */
export type RecordChange = {
  readonly [N in Noun]: { readonly noun: N; readonly id: string; readonly record: Records[N] | undefined };
}[Noun];

/** Two rids that are one: what named the alias means the other. */
export type AliasChange = { readonly noun: 'alias'; readonly id: string; readonly canonical: string };

/** An entry that a member of the service saved, as JSON. */
export type EntryChange = { readonly noun: 'entry'; readonly id: string; readonly doc: string };

/** A change of a store, as those who follow it hear of it. */
export type StoreChange = RecordChange | AliasChange | EntryChange;
