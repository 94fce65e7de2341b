import type { BRAND_PROPERTY_TYPES, KellerType, Relationship } from '../../protocol/brand-words.js';
import type { AgentUrl } from '../model/agent-url.js';
import type { HostPattern } from '../model/domains.js';

/** What an agent of a brand.json does. */
export const BRAND_AGENT_TYPES = [
  'brand',
  'rights',
  'measurement',
  'governance',
  'creative',
  'sales',
  'buying',
  'signals',
] as const;
export type BrandAgentType = (typeof BRAND_AGENT_TYPES)[number];

/** What an operator may do for a brand. */
export const OPERATOR_SCOPES = [
  'all',
  'media_buying',
  'creative_generation',
  'rights_clearance',
  'governance',
  'measurement',
  'agent_operations',
] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** An agent that a document lists. */
export type BrandAgent = AgentUrl & {
  readonly type: BrandAgentType;
  readonly id: string;
  readonly description?: string;
  /** Absent: `/.well-known/jwks.json` on the agent's origin. */
  readonly jwks_uri?: string;
  readonly pointer: string;
};

/** A property that a brand says it owns, sells or represents. */
export type BrandProperty = {
  readonly type: (typeof BRAND_PROPERTY_TYPES)[number];
  readonly identifier: string;
  readonly store?: string;
  /** ISO 3166-1 alpha-2; absent for everywhere. */
  readonly region?: string;
  readonly primary: boolean;
  readonly relationship: Relationship;
  /** Of a website: the hosts that it stands for. */
  readonly host?: HostPattern;
  readonly pointer: string;
};

/** A brand, as far as authorization and resolution need it; `object` is all of it as written. */
export type Brand = {
  readonly id: string;
  /** The first of its names. */
  readonly name: string;
  readonly names: readonly Readonly<Record<string, string>>[];
  readonly url?: string;
  readonly keller_type?: KellerType;
  readonly parent_brand?: string;
  readonly properties: readonly BrandProperty[];
  readonly agents: readonly BrandAgent[];
  readonly object: Readonly<Record<string, unknown>>;
  readonly pointer: string;
};

/** A brand of a house that publishes its own document elsewhere. */
export type BrandRef = {
  readonly domain: string;
  readonly brand_id: string;
  readonly managed_by?: string;
  /** Milliseconds. */
  readonly effectiveAt?: number;
};

/** Somebody who may act for brands of a house. */
export type AuthorizedOperator = {
  readonly domain: string;
  /** Brand ids; `*` is all of them. */
  readonly brands: ReadonlySet<string>;
  readonly countries?: ReadonlySet<string>;
  /** Absent: everything. */
  readonly scopes?: ReadonlySet<OperatorScope>;
  /** Milliseconds; from the first on and before the second. */
  readonly validFrom?: number;
  readonly validUntil?: number;
};

/** A document that has content, in one shape for its three variants. */
export type BrandContent = {
  readonly variant: 'house_portfolio' | 'brand_canonical' | 'brand_agent';
  readonly house?: { readonly domain: string; readonly name: string; readonly agents: readonly BrandAgent[] };
  /** Of a canonical document: the house that it says it belongs to. */
  readonly house_domain?: string;
  /** Of a canonical document the one brand. */
  readonly brands: readonly Brand[];
  readonly brand_refs: readonly BrandRef[];
  readonly authorized_operators: readonly AuthorizedOperator[];
  /** Agents of the document itself; those of the house and of brands stand there. */
  readonly agents: readonly BrandAgent[];
};

/** A brand.json in one of its five variants: two point elsewhere, three have content. */
export type BrandDocument =
  | { readonly variant: 'authoritative_location'; readonly location: string }
  | { readonly variant: 'house_redirect'; readonly house: string; readonly region?: string }
  | BrandContent;
