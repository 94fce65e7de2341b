import { isObject } from '../../platform/kernel/json/json.js';
import { IDENTIFIER_TYPES, type PropertyIdentifier } from '../adagents/types.js';
import { canonicalAgentUrl } from './agent-url.js';
import { publisherDomain, typedDomain } from './domains.js';
import {
  type AgentRecord,
  type Badge,
  CLASSIFICATIONS,
  type CollectionRecord,
  type Compliance,
  EMPTY_PROFILE,
  type PlacementRecord,
  type PropertyRecord,
  type PublisherRecord,
  STANDINGS,
  VERIFICATION_MODES,
} from './records.js';

/** A JSON object of another registry: it is read member by member, and nothing of it is believed to have a shape. */
export type Bag = Readonly<Record<string, unknown>>;

/** Most characters of a text, and most items of a list, that are taken from another registry. */
export const MAX_CHARACTERS = 2048;
export const MAX_ITEMS = 50_000;

/** Returns a text that is there and not endless. */
export function textOf(bag: Bag, key: string): string | undefined {
  const value = bag[key];
  return typeof value === 'string' && value !== '' && value.length <= MAX_CHARACTERS ? value : undefined;
}

/** Returns a domain in the form that records have. */
export function domainOf(bag: Bag, key: string): string | undefined {
  const text = textOf(bag, key);
  return text === undefined ? undefined : cacheReading(domains, text, readDomain);
}

function readDomain(text: string): string | undefined {
  const domain = typedDomain(text);
  return domain === undefined ? undefined : publisherDomain(domain);
}

/** A feed names the same few domains and agents over and over. */
const MAX_REMEMBERED = 1000;
const MAX_REMEMBERED_CHARACTERS = 2048;
const domains = new Map<string, string | undefined>();
const agents = new Map<string, string | undefined>();

function cacheReading(
  cache: Map<string, string | undefined>,
  text: string,
  read: typeof readDomain,
): string | undefined {
  if (text.length > MAX_REMEMBERED_CHARACTERS) return read(text);
  if (cache.has(text)) return cache.get(text);
  if (cache.size >= MAX_REMEMBERED) cache.clear();
  const value = read(text);
  cache.set(text, value);
  return value;
}

/** Returns the agent that a payload is about, in its canonical form. */
export function agentUrlOf(bag: Bag): string | undefined {
  const url = textOf(bag, 'agent_url') ?? textOf(bag, 'url');
  return url === undefined ? undefined : cacheReading(agents, url, canonicalAgentUrl);
}

/** Returns the texts of a list of hints; what is no text is left out. */
function hintsOf(bag: Bag, key: string): readonly string[] | undefined {
  const value = bag[key];
  return Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string').slice(0, MAX_ITEMS)
    : undefined;
}

/**
 * Returns the property that a payload or a row of the catalog tells, on top of what is known of it; undefined as long as it is not known
 * whose it is and what identifies it.
 */
export function propertyOf(bag: Bag, before: PropertyRecord | undefined, now: string): PropertyRecord | undefined {
  const rid = textOf(bag, 'property_rid') ?? before?.property_rid;
  const inner = isObject(bag.property) ? bag.property : {};
  const at: Bag = { ...inner, ...bag };
  const domain = domainOf(at, 'publisher_domain') ?? before?.publisher_domain;
  const identifiers = identifiersOf(at) ?? before?.identifiers;
  if (rid === undefined || domain === undefined || identifiers === undefined) return undefined;
  const channels = hintsOf(at, 'supported_channels') ?? before?.supported_channels;
  const isInline = at.inline === true || (at.inline === undefined && before?.inline === true);
  return {
    property_rid: rid,
    publisher_domain: domain,
    property_id: textOf(at, 'property_id') ?? before?.property_id ?? null,
    property_type: textOf(at, 'property_type') ?? before?.property_type ?? 'website',
    name: textOf(at, 'name') ?? before?.name ?? domain,
    classification:
      CLASSIFICATIONS.find((one) => one === at.classification) ?? before?.classification ?? 'unclassified',
    source: SOURCES.find((one) => one === at.source) ?? before?.source ?? 'contributed',
    identifiers,
    tags: hintsOf(at, 'tags') ?? before?.tags ?? [],
    ...(channels === undefined ? {} : { supported_channels: channels }),
    ...(isInline ? { inline: true } : {}),
    status: at.status === 'stale' || at.status === 'active' ? at.status : (before?.status ?? 'active'),
    ...latestTexts(at, before, ['last_resolved_at', 'created_at']),
    updated_at: textOf(at, 'updated_at') ?? now,
  };
}

const SOURCES = ['authoritative', 'enriched', 'contributed'] as const;

function identifiersOf(bag: Bag): readonly PropertyIdentifier[] | undefined {
  if (!Array.isArray(bag.identifiers) || bag.identifiers.length === 0) return undefined;
  return bag.identifiers.slice(0, MAX_ITEMS).flatMap((one): PropertyIdentifier[] => {
    const value = isObject(one) ? textOf(one, 'value') : undefined;
    const type = isObject(one) ? IDENTIFIER_TYPES.find((type) => type === one.type) : undefined;
    return value === undefined || type === undefined ? [] : [{ type, value }];
  });
}

/** Returns the collection that a payload or a row of the catalog tells, on top of what is known of it. */
export function collectionOf(
  bag: Bag,
  before: CollectionRecord | undefined,
  now: string,
): CollectionRecord | undefined {
  const rid = textOf(bag, 'collection_rid') ?? before?.collection_rid;
  const domain = domainOf(bag, 'publisher_domain') ?? before?.publisher_domain;
  if (rid === undefined || domain === undefined) return undefined;
  const identifiers = Array.isArray(bag.identifiers)
    ? bag.identifiers.slice(0, MAX_ITEMS).flatMap(distributionOf)
    : undefined;
  const source = SOURCES.find((one) => one === bag.source) ?? before?.source;
  const collection = isObject(bag.collection) ? bag.collection : before?.collection;
  const kind = textOf(bag, 'kind') ?? before?.kind;
  return {
    collection_rid: rid,
    publisher_domain: domain,
    collection_id: textOf(bag, 'collection_id') ?? before?.collection_id ?? null,
    name: textOf(bag, 'name') ?? before?.name ?? null,
    ...(kind === undefined ? {} : { kind }),
    ...(source === undefined ? {} : { source }),
    status: bag.status === 'stale' ? 'stale' : 'active',
    identifiers: identifiers ?? before?.identifiers ?? [],
    ...(collection === undefined ? {} : { collection }),
    ...latestTexts(bag, before, ['created_at']),
    updated_at: textOf(bag, 'updated_at') ?? now,
  };
}

function distributionOf(one: unknown): CollectionRecord['identifiers'] {
  if (!isObject(one)) return [];
  const [publisher_domain, type, value] = [textOf(one, 'publisher_domain'), textOf(one, 'type'), textOf(one, 'value')];
  if (publisher_domain === undefined || type === undefined || value === undefined) return [];
  return [{ publisher_domain, type, value }];
}

/** Returns the agent that a payload or a result of the search tells, on top of what is known of it. */
export function agentOf(bag: Bag, before: AgentRecord | undefined, now: string): AgentRecord | undefined {
  const url = agentUrlOf(bag) ?? before?.agent_url;
  if (url === undefined) return undefined;
  const inner = isObject(bag.inventory_profile) ? bag.inventory_profile : {};
  const at: Bag = { ...inner, ...bag };
  const base = before ?? EMPTY_PROFILE;
  const list = (key: 'channels' | 'property_types' | 'markets' | 'categories' | 'tags' | 'delivery_types') =>
    hintsOf(at, key) ?? base[key];
  const number = (key: 'property_count' | 'publisher_count'): number => {
    const value = at[key];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : base[key];
  };
  const name = textOf(at, 'name') ?? before?.name;
  const compliance = isObject(at.compliance) ? complianceOf(at.compliance, now) : before?.compliance;
  const badges = Array.isArray(at.badges)
    ? at.badges.filter(isObject).flatMap((one) => badgeOf(one) ?? [])
    : before?.badges;
  return {
    agent_url: url,
    ...(name === undefined ? {} : { name }),
    type: textOf(at, 'type') ?? before?.type ?? 'unknown',
    channels: list('channels'),
    property_types: list('property_types'),
    markets: list('markets'),
    categories: list('categories'),
    category_taxonomy: textOf(at, 'category_taxonomy') ?? base.category_taxonomy,
    tags: list('tags'),
    delivery_types: list('delivery_types'),
    format_ids: Array.isArray(at.format_ids) ? at.format_ids.slice(0, MAX_ITEMS) : base.format_ids,
    format_kinds: hintsOf(at, 'format_kinds') ?? base.format_kinds,
    property_count: number('property_count'),
    publisher_count: number('publisher_count'),
    has_tmp: typeof at.has_tmp === 'boolean' ? at.has_tmp : base.has_tmp,
    ...(compliance === undefined ? {} : { compliance }),
    ...(badges === undefined ? {} : { badges }),
    ...latestTexts(at, before, ['created_at']),
    updated_at: textOf(at, 'updated_at') ?? now,
  };
}

const COMPLIANCE_STATES = ['passing', 'degraded', 'failing', 'unknown'] as const;

/** Returns how an agent did, of an event (`current_status`) or of a record (`status`); undefined for an unknown status. */
export function complianceOf(bag: Bag, now: string): Compliance | undefined {
  const given = bag.current_status ?? bag.status;
  const status = COMPLIANCE_STATES.find((one) => one === given);
  if (status === undefined) return undefined;
  const tracks = Object.entries(isObject(bag.tracks) ? bag.tracks : {}).filter(
    ([, state]) => typeof state === 'string',
  );
  const headline = textOf(bag, 'headline');
  return {
    status,
    tracks: Object.fromEntries(tracks) as Record<string, string>,
    storyboards_passing: Number(bag.storyboards_passing) || 0,
    storyboards_total: Number(bag.storyboards_total) || 0,
    ...(headline === undefined ? {} : { headline }),
    last_checked_at: textOf(bag, 'last_checked_at') ?? now,
  };
}

/** Returns a badge; undefined when it names no role. */
export function badgeOf(bag: Bag): Badge | undefined {
  const role = textOf(bag, 'role');
  if (role === undefined) return undefined;
  const id = textOf(bag, 'badge_id');
  const earned = textOf(bag, 'earned_at');
  const version = textOf(bag, 'adcp_version');
  const given = hintsOf(bag, 'verification_modes') ?? [];
  const modes = VERIFICATION_MODES.filter((mode) => given.includes(mode));
  return {
    ...(id !== undefined && { badge_id: id }),
    role,
    verified_specialisms: hintsOf(bag, 'verified_specialisms') ?? [],
    ...(version !== undefined && { adcp_version: version }),
    ...(modes.length > 0 && { verification_modes: modes }),
    ...(earned === undefined ? {} : { earned_at: earned }),
  };
}

const COUNTS = ['agent_count', 'property_count', 'collection_count', 'format_count', 'placement_count'] as const;

/**
 * Returns the publisher that a payload tells, on top of what is known of it. Without a word on its standing, a file that is valid is
 * open.
 */
export function publisherOf(bag: Bag, before: PublisherRecord | undefined, now: string): PublisherRecord | undefined {
  const domain = domainOf(bag, 'publisher_domain') ?? domainOf(bag, 'domain') ?? before?.domain;
  if (domain === undefined) return undefined;
  const valid = bag.adagents_valid === undefined ? (before?.adagents_valid ?? true) : bag.adagents_valid;
  const standing =
    STANDINGS.find((one) => one === bag.standing) ?? (valid === true ? (before?.standing ?? 'open') : 'none');
  const placements = Array.isArray(bag.placements) ? bag.placements.flatMap(placementOf) : before?.placements;
  const counts = COUNTS.flatMap((key) => {
    const value = bag[key] ?? before?.[key];
    return typeof value === 'number' ? [[key, value] as const] : [];
  });
  return {
    domain,
    standing,
    adagents_valid: valid === true || valid === false ? valid : null,
    ...latestTexts(bag, before, ['adagents_url', 'discovery_method', 'manager_domain', 'last_validated']),
    ...(placements === undefined ? {} : { placements }),
    ...Object.fromEntries(counts),
    updated_at: textOf(bag, 'updated_at') ?? now,
  };
}

function placementOf(one: unknown): PlacementRecord[] {
  const id = isObject(one) ? textOf(one, 'placement_id') : undefined;
  if (id === undefined || !isObject(one)) return [];
  const texts = (key: string): readonly string[] => hintsOf(one, key) ?? [];
  return [
    {
      placement_id: id,
      name: textOf(one, 'name') ?? id,
      tags: texts('tags'),
      property_ids: texts('property_ids'),
      property_tags: texts('property_tags'),
    },
  ];
}

/** Returns texts that are told now, else those that were known; null takes one back. */
function latestTexts<K extends string>(
  bag: Bag,
  before: Readonly<Partial<Record<K, string | null | undefined>>> | undefined,
  keys: readonly K[],
): Partial<Record<K, string>> {
  const texts = keys.flatMap((key) => {
    const text = bag[key] === null ? undefined : (textOf(bag, key) ?? before?.[key] ?? undefined);
    return text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(texts) as Partial<Record<K, string>>;
}
