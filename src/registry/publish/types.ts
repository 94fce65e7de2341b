import type { KeyPin } from '../../platform/signing/keys/jwk.js';
import type { KellerType } from '../../protocol/brand-words.js';
import type { DelegationType, PropertyIdentifier, PropertyType } from '../adagents/types.js';
import type { BrandAgentType } from '../brand/types.js';

/** An agent of this host. */
export type HostedAgent = {
  /** Exactly as buyers call it. */
  readonly url: string;
  /** Where it is served: `/sales/mcp`. */
  readonly path: string;
  readonly name: string;
  /** What it is listed as in brand.json; one that does several things is what it does first. */
  readonly type: BrandAgentType;
  /** Of the host's own list: the protocols and tools that it serves. */
  readonly protocols: readonly string[];
  readonly tools: readonly string[];
  /** The publishers that it sells. */
  readonly publisherDomains: readonly string[];
};

/** A property as the configuration has it; the publisher's domain is filled in. */
export type ConfiguredProperty = {
  readonly property_id?: string;
  readonly property_type: PropertyType;
  readonly name: string;
  readonly identifiers: readonly PropertyIdentifier[];
  readonly tags?: readonly string[];
  readonly supported_channels?: readonly string[];
};

/** The meaning of a tag, for people. */
type TagDescription = { readonly name: string; readonly description: string };

/** A publisher whose adagents.json is written here, for its own domain. Wire names are the file's. */
export type ConfiguredPublisher = {
  readonly domain: string;
  readonly contact?: Readonly<Record<string, unknown>> & { readonly name: string };
  /** Absent: its site alone. */
  readonly properties?: readonly ConfiguredProperty[];
  readonly tags?: Readonly<Record<string, TagDescription>>;
  readonly placements?: readonly Readonly<Record<string, unknown>>[];
  readonly placement_tags?: Readonly<Record<string, TagDescription>>;
  readonly collections?: readonly Readonly<Record<string, unknown>>[];
  /** How the agents of this host come to sell it; both sides state the same. */
  readonly delegation_type: DelegationType;
  /** Which properties they may sell: all unless one of these is given. */
  readonly property_ids?: readonly string[];
  readonly property_tags?: readonly string[];
  /** Limits of every agent of this host. */
  readonly limits?: {
    readonly exclusive?: boolean;
    readonly countries?: readonly string[];
    readonly placement_ids?: readonly string[];
    readonly placement_tags?: readonly string[];
    readonly collections?: readonly { readonly publisher_domain: string; readonly collection_ids: readonly string[] }[];
    readonly effective_from?: string;
    readonly effective_until?: string;
  };
  /** What the agents may do, in words; from their names unless set. */
  readonly authorized_for?: string;
  /** Whether the file pins the keys of the agents; it does unless this is false. */
  readonly pin_signing_keys?: boolean;
  /** Entries of other sellers, which the file has to keep. As written. */
  readonly other_agents?: readonly Readonly<Record<string, unknown>>[];
};

/** A brand of the operator's house, under the names of brand.json. */
export type PublishedBrand = {
  readonly id: string;
  readonly names: readonly Readonly<Record<string, string>>[];
  readonly keller_type?: KellerType;
} & Readonly<Record<string, unknown>>;

/** Everything that is published, in one configuration. */
export type Publication = {
  readonly operator: { readonly domain: string; readonly name: string | undefined };
  readonly agents: readonly HostedAgent[];
  /** Those that a brand agent of this host speaks for, where the operator is their house. */
  readonly brands: readonly PublishedBrand[];
  readonly publishers: readonly ConfiguredPublisher[];
  /** What adagents.json pins: `KeyRing.pins()`. */
  readonly signingKeys: readonly KeyPin[];
  /** Where the public keys of every agent of this host are, and what is there. */
  readonly jwksUri: string;
  readonly jwks: { readonly keys: readonly object[] };
  /** ISO 8601. */
  readonly nowIso: string;
};
