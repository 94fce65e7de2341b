import { isObject } from '../../platform/kernel/json/json.js';
import {
  COLLECTION_KINDS,
  DISTRIBUTION_ID_TYPES,
  GENRE_TAXONOMIES,
  PRODUCTION_QUALITIES,
  RATING_SYSTEMS,
} from '../../protocol/inventory-words.js';
import type { AdagentsFile } from '../../registry/adagents/types.js';
import type { ConfiguredPublisher } from '../../registry/publish/types.js';
import type {
  DistributionId,
  InventorySource,
  PublishedCollection,
  PublishedInventory,
} from '../domain/governance/lists/inventory-list.js';

/** Returns a publisher's file as the copy of a registry has it. */
type FileOf = (domain: string) => AdagentsFile | undefined;

/** Returns what publishers have: those whose files are written here, and others as a copy of a registry tells them. */
export function createInventorySource(
  publishers: () => readonly ConfiguredPublisher[],
  fileOf: FileOf,
): InventorySource {
  return {
    all: () => publishers().map(configuredInventory),
    of: (domain) => {
      const own = publishers().find((publisher) => publisher.domain === domain);
      if (own !== undefined) return configuredInventory(own);
      const file = fileOf(domain);
      return file && publishedInventory(domain, file);
    },
  };
}

function configuredInventory(publisher: ConfiguredPublisher): PublishedInventory {
  const { collections = [], domain, limits, properties } = publisher;
  const site = [{ property_type: 'website' as const, identifiers: [{ type: 'domain' as const, value: domain }] }];
  return {
    properties: properties ?? site,
    collections: collections.flatMap((one) => readCollection(one) ?? []),
    countries: limits?.countries,
  };
}

/** A network's file tells the properties of many; its collections are its own. */
function publishedInventory(domain: string, file: AdagentsFile): PublishedInventory {
  return {
    properties: file.properties.filter((one) => one.publisher_domain === domain),
    collections: file.domain === domain ? file.collections.flatMap(({ object }) => readCollection(object) ?? []) : [],
  };
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
  const known = oneOf(DISTRIBUTION_ID_TYPES, type);
  return known === undefined || typeof value !== 'string' ? [] : [{ type: known, value }];
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
