import { isoTime } from '../../../../platform/kernel/clock.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import type { EffectiveAdagents } from '../../../adagents/discovery.js';
import type { AdagentsFile, AuthorizedAgent, Placement, Property, Selection } from '../../../adagents/types.js';
import { publisherProperties, timesOfIds } from '../../../authorization/file-facts.js';
import { authorizationOf } from '../../../model/event-authorization.js';
import type {
  AuthorizationRecord,
  CollectionRecord,
  PlacementRecord,
  PropertyRecord,
  RecordSelector,
  Standing,
} from '../../../model/records.js';

/** A property of a file before the registry gives it a rid. */
export type PropertyDraft = Pick<
  PropertyRecord,
  'property_id' | 'property_type' | 'name' | 'identifiers' | 'tags' | 'supported_channels' | 'inline'
>;

/** A collection of a file before the registry gives it a rid. */
export type CollectionDraft = Pick<CollectionRecord, 'collection_id' | 'name' | 'kind' | 'identifiers' | 'collection'>;

/** A row of the authorization graph before it has an id; for an inline property, the property itself instead of its rid. */
export type AuthorizationDraft = Omit<
  AuthorizationRecord,
  'id' | 'property_rid' | 'property_id_slug' | 'created_at' | 'updated_at'
> & { readonly property?: PropertyDraft };

/** The content of a publisher's file, as the registry stores it. */
export type Projection = {
  readonly publisherDomain: string;
  readonly standing: Standing;
  readonly properties: readonly PropertyDraft[];
  readonly collections: readonly CollectionDraft[];
  readonly authorizations: readonly AuthorizationDraft[];
  readonly placements: readonly PlacementRecord[];
};

/**
 * Projects the file that counts for a publisher into records: its listed properties, those that stand in entries alone, its
 * collections, and one row per entry, or per inline property. What a file that may authorize nobody says of agents is left out.
 */
export function projectAdagents(effective: EffectiveAdagents): Projection {
  const { file, publisherDomain } = effective;
  const standing = standingOf(effective);
  const listed = publisherProperties(effective);
  const properties = new DraftSet();
  for (const property of listed.slice(0, MAX_PROPERTIES)) if (isKeepable(property)) properties.add(draftOf(property));
  const times = timesOfIds(listed);
  const idsInFile = timesOfIds(file.properties);
  const entries = standing === 'open' ? file.agents : [];
  const rows = entries.flatMap((agent) => rowsOf(agent, { effective, listed, times, idsInFile, properties }));
  const placements = placementsOf(file.placements);
  const hasPlacements = sizeOf(placements) <= MAX_RECORD_CHARACTERS;
  // A manager's file tells its own collections, not those of the publishers that it speaks for.
  const collections = file.domain === publisherDomain ? file.collections.filter(isShort).map(collectionDraft) : [];
  return {
    publisherDomain,
    standing,
    properties: properties.all(),
    collections: collections.filter((one) => sizeOf(one) <= MAX_RECORD_CHARACTERS).slice(0, MAX_COLLECTIONS),
    authorizations: dropCovered(rows, hasPlacements),
    placements: hasPlacements ? placements : [],
  };
}

/**
 * Most properties, rows and collections that one publisher may have here: one file must not outgrow all others. What is beyond is
 * authorized for nobody.
 */
const MAX_PROPERTIES = 100_000;
const MAX_ROWS = 10_000;
const MAX_COLLECTIONS = 100_000;
/** Characters of one row or collection, and of all placements: each is written and told in one piece. */
const MAX_RECORD_CHARACTERS = 512 * 1024;

/**
 * Returns the rows that are stored; left out are those too large for readers of the feed, or limited to placements that
 * are not stored. Where an exclusive row is left out the file authorizes nobody, as nobody could tell what is left for
 * others.
 */
function dropCovered(rows: readonly AuthorizationDraft[], hasPlacements: boolean): readonly AuthorizationDraft[] {
  const isNeeded = (row: AuthorizationDraft, index: number): boolean =>
    index < MAX_ROWS &&
    (hasPlacements || (row.placement_ids === undefined && row.placement_tags === undefined)) &&
    sizeOf(row) <= MAX_RECORD_CHARACTERS &&
    authorizationOf({ ...row, property_rid: row.property === undefined ? null : 'rid' }, '') !== undefined;
  const needed = new Set(rows.filter(isNeeded));
  return rows.some((row) => row.exclusive === true && !needed.has(row)) ? [] : [...needed];
}

/** Characters of a value as JSON. */
function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** Returns the projection of a publisher without a file that counts. */
export function emptyProjection(publisherDomain: string): Projection {
  return {
    publisherDomain,
    standing: 'none',
    properties: [],
    collections: [],
    authorizations: [],
    placements: [],
  };
}

function standingOf({ file, isHeldRevoked, publisherDomain }: EffectiveAdagents): Standing {
  if (file.isSuperseded) return 'superseded';
  if (file.isCommunity || file.agents.length === 0) return 'catalogue';
  return file.revoked.has(publisherDomain) || isHeldRevoked === true ? 'revoked' : 'open';
}

/** A file under projection: the publisher's listed properties, how often each of their ids is used, and the drafts so far. */
type ProjectionContext = {
  readonly effective: EffectiveAdagents;
  readonly listed: readonly Property[];
  readonly times: ReadonlyMap<string, number>;
  readonly idsInFile: ReadonlyMap<string, number>;
  readonly properties: DraftSet;
};

function rowsOf(
  agent: AuthorizedAgent,
  { effective, listed, times, idsInFile, properties }: ProjectionContext,
): readonly AuthorizationDraft[] {
  const { file, publisherDomain } = effective;
  const { scope } = agent;
  const row = rowBase(agent, publisherDomain);
  // Entries of a publisher's own file are about the publisher, those of a manager's when they pick something of it.
  const isOwn = file.domain === publisherDomain;
  switch (scope.authorization_type) {
    case 'inline_properties': {
      const own = scope.properties.filter((one) => one.publisher_domain === publisherDomain && isKeepable(one));
      return own.map((property) => ({ ...row, property: properties.add({ ...draftOf(property), inline: true }) }));
    }
    case 'publisher_properties': {
      const selectors = scope.selectors
        .filter(({ domains }) => domains.has(publisherDomain))
        .map(({ selection }) => selectorOf(selection, times));
      return selectors.length === 0 ? [] : [{ ...row, selectors }];
    }
    case 'property_ids': {
      const property_ids = isOwn ? scope.property_ids : new Set([...scope.property_ids].filter((id) => times.has(id)));
      if (!isOwn && property_ids.size === 0) return [];
      return [{ ...row, selectors: [selectorOf({ selection_type: 'by_id', property_ids }, idsInFile)] }];
    }
    case 'property_tags': {
      const { property_tags } = scope;
      if (!isOwn && !listed.some(({ tags }) => tags.some((tag) => property_tags.has(tag)))) return [];
      return [{ ...row, selectors: [selectorOf({ selection_type: 'by_tag', property_tags })] }];
    }
    case 'signal_ids':
    case 'signal_tags':
      return isOwn ? [row] : [];
  }
}

/** Sets are written in one order, so that a file that only turns them round changes nothing. An id that is used twice stands for nothing. */
function selectorOf(selection: Selection, times: ReadonlyMap<string, number> = new Map()): RecordSelector {
  switch (selection.selection_type) {
    case 'all':
      return { selection_type: 'all' };
    case 'by_id': {
      const ids = [...selection.property_ids].filter((id) => (times.get(id) ?? 0) <= 1);
      return { selection_type: 'by_id', property_ids: ids.sort() };
    }
    case 'by_tag':
      return { selection_type: 'by_tag', property_tags: [...selection.property_tags].sort() };
  }
}

function rowBase(agent: AuthorizedAgent, publisher_domain: string): AuthorizationDraft {
  const { collections, countries, delegation_type, effectiveFrom, effectiveUntil, exclusive, signing_keys } = agent;
  const { placement_ids, placement_tags } = agent;
  return {
    agent_url: agent.url,
    agent_url_canonical: agent.canonicalUrl,
    publisher_domain,
    authorization_type: agent.scope.authorization_type,
    authorized_for: agent.authorized_for,
    ...(placement_ids && { placement_ids: [...placement_ids].sort() }),
    ...(placement_tags && { placement_tags: [...placement_tags].sort() }),
    ...(collections && {
      collections: collections.map((one) => ({
        publisher_domain: one.publisher_domain,
        collection_ids: [...one.collection_ids].sort(),
      })),
    }),
    ...(countries && { countries: [...countries].sort() }),
    ...(delegation_type && { delegation_type }),
    ...(exclusive && { exclusive }),
    ...(signing_keys.length > 0 && { signing_keys }),
    ...(effectiveFrom !== undefined && { effective_from: isoTime(effectiveFrom) }),
    ...(effectiveUntil !== undefined && { effective_until: isoTime(effectiveUntil) }),
    evidence: 'adagents_json',
    disputed: false,
    created_by: null,
    expires_at: null,
  };
}

/** Longer texts are in nobody's interest, and mirrors leave them out. */
const MAX_TEXT_CHARACTERS = 2048;
/** Characters of all identifiers of a property, and of all its tags. What is beyond is authorized for nobody. */
const MAX_IDENTIFIERS_CHARACTERS = 128 * 1024;
const MAX_TAGS_CHARACTERS = 64 * 1024;
const ITEM_CHARACTERS = 32;

function isKeepable({ identifiers, property_id = '' }: Property): boolean {
  return (
    property_id.length <= MAX_TEXT_CHARACTERS && identifiers.some(({ value }) => value.length <= MAX_TEXT_CHARACTERS)
  );
}

function draftOf({ identifiers, name, property_id, property_type, supported_channels, tags }: Property): PropertyDraft {
  return {
    property_id: property_id ?? null,
    property_type,
    name: name.slice(0, MAX_TEXT_CHARACTERS),
    identifiers: upTo(
      MAX_IDENTIFIERS_CHARACTERS,
      identifiers.filter(({ value }) => value.length <= MAX_TEXT_CHARACTERS),
      ({ value }) => value.length,
    ),
    tags: upTo(MAX_TAGS_CHARACTERS, [...new Set(tags)].sort(), (tag) => tag.length),
    ...(supported_channels && { supported_channels: [...new Set(supported_channels)] }),
  };
}

/** Returns the first items that are no longer together than so many characters, with what else an item takes. */
function upTo<T>(most: number, items: readonly T[], lengthOf: (item: T) => number): readonly T[] {
  let length = 0;
  const end = items.findIndex((item) => {
    length += lengthOf(item) + ITEM_CHARACTERS;
    return length > most;
  });
  return end < 0 ? items : items.slice(0, end);
}

function isShort({ collection_id, name }: AdagentsFile['collections'][number]): boolean {
  return collection_id.length <= MAX_TEXT_CHARACTERS && name.length <= MAX_TEXT_CHARACTERS;
}

/** Kinds of collections. */
const KINDS: ReadonlySet<unknown> = new Set(['series', 'publication', 'event_series', 'rotation']);

function collectionDraft({ collection_id, name, object }: AdagentsFile['collections'][number]): CollectionDraft {
  return {
    collection_id,
    name,
    ...(KINDS.has(object.kind) && { kind: String(object.kind) }),
    identifiers: distributionOf(object.distribution),
    collection: object,
  };
}

/** Returns where a collection is distributed, platform by platform. */
function distributionOf(distribution: unknown): CollectionDraft['identifiers'] {
  if (!Array.isArray(distribution)) return [];
  return (distribution as readonly unknown[]).flatMap((channel) => {
    if (!isObject(channel) || typeof channel.publisher_domain !== 'string' || !Array.isArray(channel.identifiers))
      return [];
    const { publisher_domain } = channel;
    return (channel.identifiers as readonly unknown[]).flatMap((one) =>
      isObject(one) &&
      typeof one.type === 'string' &&
      typeof one.value === 'string' &&
      one.value.length <= MAX_TEXT_CHARACTERS
        ? [{ publisher_domain, type: one.type, value: one.value }]
        : [],
    );
  });
}

/** Returns the placements as records; one whose id stands for several is none (see `placementsById`). */
function placementsOf(placements: readonly Placement[]): readonly PlacementRecord[] {
  const times = new Map<string, number>();
  for (const { placement_id: id } of placements) times.set(id, (times.get(id) ?? 0) + 1);
  return placements
    .filter(({ placement_id: id }) => times.get(id) === 1)
    .map(({ name, placement_id, property_ids, property_tags, tags }) => ({
      placement_id,
      name,
      tags,
      property_ids,
      property_tags,
    }));
}

/** Properties of a file, each once: the same one may stand in several entries. */
class DraftSet {
  readonly #drafts = new Map<string, PropertyDraft>();

  /** Returns the draft that stands for a property: itself, or the one that says the same. */
  add(draft: PropertyDraft): PropertyDraft {
    const { inline, ...content } = draft;
    const key = JSON.stringify(content);
    const existing = this.#drafts.get(key);
    if (existing !== undefined && inline !== undefined) return existing;
    // Two listed properties that say the same are two: an id that they share stands for none of them.
    const free = existing === undefined ? key : `${key} ${this.#drafts.size}`;
    this.#drafts.set(free, draft);
    return draft;
  }

  all(): readonly PropertyDraft[] {
    return [...this.#drafts.values()];
  }
}
