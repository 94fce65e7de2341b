import { isObject } from '../../platform/kernel/json/json.js';
import {
  COLLECTION_KINDS,
  DISTRIBUTION_ID_TYPES,
  GENRE_TAXONOMIES,
  PRODUCTION_QUALITIES,
  RATING_SYSTEMS,
} from '../../protocol/inventory-words.js';
import type { CollectionRecord } from '../../registry/model/records.js';
import type { ConfiguredPublisher } from '../../registry/publish/types.js';
import type {
  DistributionId,
  InventorySource,
  PublishedCollection,
  PublishedInventory,
} from '../domain/governance/lists/inventory-list.js';
import type { ListEntry } from '../domain/targeting/lists.js';
import type { RegistryUse } from './registry-use.js';

/** The lookups of publishers in a copy of a registry. */
type Copy = Pick<RegistryUse, 'effectiveOf' | 'identified' | 'collectionsOf'>;

/** Returns what publishers have: those whose files are written here, and others as a copy of a registry tells them. */
export function createInventorySource(publishers: () => readonly ConfiguredPublisher[], copy: Copy): InventorySource {
  return {
    all: () => publishers().map((publisher) => configuredInventory(publisher, copy)),
    of: (domain) => {
      const own = publishers().find((publisher) => publisher.domain === domain);
      return own === undefined ? publishedInventory(domain, copy) : configuredInventory(own, copy);
    },
    publishersOf: ({ type, value }) => [
      ...new Set(copy.identified(type, value).map(({ publisher_domain }) => publisher_domain)),
    ],
  };
}

function configuredInventory(publisher: ConfiguredPublisher, copy: Copy): PublishedInventory {
  const { collections = [], domain, limits, properties } = publisher;
  const site = [{ property_type: 'website' as const, identifiers: [{ type: 'domain' as const, value: domain }] }];
  const own = collections.flatMap((one) => readCollection(one) ?? []);
  return {
    domain,
    properties: properties ?? site,
    collections: own.length === 0 ? own : withRids(own, copy.collectionsOf(domain)),
    countries: limits?.countries,
  };
}

/** Gives a publisher's collections the ids under which a registry knows them. */
function withRids(
  own: readonly PublishedCollection[],
  records: readonly CollectionRecord[],
): readonly PublishedCollection[] {
  const rids = new Map(records.map(({ collection_id, collection_rid }) => [collection_id, collection_rid]));
  return own.map((one) => ({ ...one, collection_rid: rids.get(one.collection_id) }));
}

/** Returns what a domain publishes: a network's file tells the properties of many, its collections are its own. */
function publishedInventory(domain: string, copy: Copy): PublishedInventory | undefined {
  const file = copy.effectiveOf(domain)?.file;
  return (
    file && {
      domain,
      properties: file.properties.filter((one) => one.publisher_domain === domain),
      collections: copy.collectionsOf(domain).flatMap((record) => recordedCollection(record) ?? []),
    }
  );
}

/** Returns what a collection of a registry is known by: its id at its publisher, its name, and the ids of platforms. */
export function collectionNames({ collection_id, identifiers, name }: CollectionRecord): readonly ListEntry[] {
  const own = [
    { type: 'name', value: name },
    { type: 'collection_id', value: collection_id },
  ];
  return [...own, ...identifiers].flatMap(({ type, value }) =>
    value === null ? [] : [{ type, value: value.toLowerCase() }],
  );
}

/** Returns a collection as a registry records it: as its publisher's file had it, else by what the record says. */
function recordedCollection(record: CollectionRecord): PublishedCollection | undefined {
  const { collection, collection_id, collection_rid, identifiers, kind, name } = record;
  const read = readCollection({ collection_id, name, kind: kind ?? undefined, ...collection });
  if (read === undefined || record.status === 'stale') return undefined;
  const ids = read.distribution_ids ?? identifiers.flatMap(readDistributionId);
  return { ...read, collection_rid, distribution_ids: ids.length === 0 ? undefined : ids };
}

/** Returns a collection as a file has it; what is not in the protocol's words is left out. */
function readCollection(collection: Readonly<Record<string, unknown>>): PublishedCollection | undefined {
  const { collection_id, content_rating, distribution, genre, name } = collection;
  if (typeof collection_id !== 'string' || typeof name !== 'string') return undefined;
  const { system, rating } = isObject(content_rating) ? content_rating : {};
  const ratingSystem = oneOf(RATING_SYSTEMS, system);
  const ids = (Array.isArray(distribution) ? distribution : [])
    .filter(isObject)
    .flatMap(({ identifiers }) => (Array.isArray(identifiers) ? identifiers : []))
    .flatMap(readDistributionId);
  return {
    collection_id,
    name,
    distribution_ids: ids.length === 0 ? undefined : ids,
    content_rating: ratingSystem && typeof rating === 'string' ? { system: ratingSystem, rating } : undefined,
    genre: Array.isArray(genre) ? genre.filter((one): one is string => typeof one === 'string') : undefined,
    genre_taxonomy: oneOf(GENRE_TAXONOMIES, collection.genre_taxonomy),
    // A collection is a series unless its publisher says otherwise.
    kind: collection.kind === undefined ? 'series' : oneOf(COLLECTION_KINDS, collection.kind),
    production_quality: oneOf(PRODUCTION_QUALITIES, collection.production_quality),
  };
}

function readDistributionId(id: unknown): readonly DistributionId[] {
  const { type, value } = isObject(id) ? id : {};
  const valid = oneOf(DISTRIBUTION_ID_TYPES, type);
  return valid === undefined || typeof value !== 'string' ? [] : [{ type: valid, value }];
}

function oneOf<Word extends string>(words: readonly Word[], value: unknown): Word | undefined {
  return words.find((word) => word === value);
}

/** Returns what changes with an edit of the publishers' file, which replaces the list. */
export function stampPublishers(publishers: () => readonly ConfiguredPublisher[]): () => string {
  let seen: readonly ConfiguredPublisher[] | undefined;
  let edits = 0;
  return () => {
    const now = publishers();
    if (now !== seen) edits += 1;
    seen = now;
    return `${edits}`;
  };
}
