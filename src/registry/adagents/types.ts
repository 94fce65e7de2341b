import type { IdentifierType, PropertyType } from '../../protocol/inventory-words.js';
import type { HostPattern } from '../model/domains.js';
import type { PinnedKey } from './pins.js';

export {
  IDENTIFIER_TYPES,
  type IdentifierType,
  PROPERTY_TYPES,
  type PropertyType,
} from '../../protocol/inventory-words.js';

/** How an agent comes to sell a publisher's inventory. */
export const DELEGATION_TYPES = ['direct', 'delegated', 'ad_network'] as const;
export type DelegationType = (typeof DELEGATION_TYPES)[number];

/** What an entry of authorized_agents says it is for. */
export const AUTHORIZATION_TYPES = [
  'property_ids',
  'property_tags',
  'inline_properties',
  'publisher_properties',
  'signal_ids',
  'signal_tags',
] as const;
export type AuthorizationType = (typeof AUTHORIZATION_TYPES)[number];

/** One identifier of a property, as written. */
export type PropertyIdentifier = { readonly type: IdentifierType; readonly value: string };

/** A property of a file. Wire members as written; those that could not be read are left out. */
export type Property = {
  readonly property_id?: string;
  readonly property_type: PropertyType;
  readonly name: string;
  readonly identifiers: readonly PropertyIdentifier[];
  readonly tags: readonly string[];
  readonly supported_channels?: readonly string[];
  /** Whose property it is: its own `publisher_domain`, else the domain of the file. Without www. and m. */
  readonly publisher_domain: string;
  /** The hosts that its identifiers of type domain and subdomain stand for. */
  readonly hosts: readonly HostPattern[];
  readonly pointer: string;
};

/** A placement of a file. */
export type Placement = {
  readonly placement_id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly property_ids: readonly string[];
  readonly property_tags: readonly string[];
  readonly collection_ids?: readonly string[];
  readonly pointer: string;
};

/** A collection of a file: a programme, a publication, a series. */
export type Collection = {
  readonly collection_id: string;
  readonly name: string;
  /** All of it as written. */
  readonly object: Readonly<Record<string, unknown>>;
  readonly pointer: string;
};

/** Collections that an entry is limited to. */
export type CollectionSelector = { readonly publisher_domain: string; readonly collection_ids: ReadonlySet<string> };

/** A selector's choice among the properties of each publisher that it addresses. */
export type Selection =
  | { readonly selection_type: 'all' }
  | { readonly selection_type: 'by_id'; readonly property_ids: ReadonlySet<string> }
  | { readonly selection_type: 'by_tag'; readonly property_tags: ReadonlySet<string> };

/** One of `publisher_properties`: publisher_domain and publisher_domains are read alike. */
export type PublisherSelector = { readonly domains: ReadonlySet<string>; readonly selection: Selection };

/** The properties that an entry is for, in one of the ways to name them. */
export type Scope =
  | { readonly authorization_type: 'property_ids'; readonly property_ids: ReadonlySet<string> }
  | { readonly authorization_type: 'property_tags'; readonly property_tags: ReadonlySet<string> }
  | { readonly authorization_type: 'inline_properties'; readonly properties: readonly Property[] }
  | { readonly authorization_type: 'publisher_properties'; readonly selectors: readonly PublisherSelector[] }
  | { readonly authorization_type: 'signal_ids'; readonly signal_ids: ReadonlySet<string> }
  | { readonly authorization_type: 'signal_tags'; readonly signal_tags: ReadonlySet<string> };

/** An entry of authorized_agents without faults. */
export type AuthorizedAgent = {
  /** As written. */
  readonly url: string;
  /** By which it is compared. */
  readonly canonicalUrl: string;
  readonly authorized_for: string;
  readonly scope: Scope;
  /** Absent: all of them. */
  readonly collections?: readonly CollectionSelector[];
  readonly placement_ids?: ReadonlySet<string>;
  readonly placement_tags?: ReadonlySet<string>;
  readonly countries?: ReadonlySet<string>;
  readonly delegation_type?: DelegationType;
  readonly exclusive: boolean;
  /** Milliseconds; in effect from the first on and before the second. */
  readonly effectiveFrom?: number;
  readonly effectiveUntil?: number;
  /** Pins: when there are any, no other key of the agent counts. */
  readonly signing_keys: readonly PinnedKey[];
  readonly pointer: string;
};

/** An adagents.json that carries its content itself, as far as it can be read. */
export type AdagentsFile = {
  /** Whose file it is, and whose properties are that name no publisher. */
  readonly domain: string;
  readonly contact?: Readonly<Record<string, unknown>>;
  readonly catalog_etag?: string;
  /** Milliseconds. */
  readonly lastUpdated?: number;
  /** Another file took its place; this one authorizes nobody any more. */
  readonly isSuperseded: boolean;
  readonly superseded_by?: string;
  /** A catalog that others wrote down for a platform; it authorizes nobody. */
  readonly isCommunity: boolean;
  readonly properties: readonly Property[];
  /** Properties that stand in the file and could not be read. */
  readonly unreadProperties: number;
  readonly collections: readonly Collection[];
  readonly placements: readonly Placement[];
  readonly agents: readonly AuthorizedAgent[];
  /** Publishers that the file no longer speaks for, with milliseconds where they are given. */
  readonly revoked: ReadonlyMap<string, number | undefined>;
  /** As written: the catalog of formats and of signals. */
  readonly formats: readonly Readonly<Record<string, unknown>>[];
  readonly signals: readonly Readonly<Record<string, unknown>>[];
};
