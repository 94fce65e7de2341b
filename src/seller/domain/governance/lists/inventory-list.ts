import { TaskError } from '../../../../protocol/errors.js';
import type {
  COLLECTION_KINDS,
  DISTRIBUTION_ID_TYPES,
  GENRE_TAXONOMIES,
  IdentifierType,
  PRODUCTION_QUALITIES,
  PropertyType,
  RATING_SYSTEMS,
} from '../../../../protocol/inventory-words.js';
import type { BrandRef } from '../../account/account.js';
import type { ListKind } from '../../targeting/lists.js';

/** An identifier of a property. */
export type PropertyId = { readonly type: IdentifierType; readonly value: string };
/** A platform's identifier of a collection. */
export type DistributionId = { readonly type: (typeof DISTRIBUTION_ID_TYPES)[number]; readonly value: string };
/** The rating of a collection's content. */
type ContentRating = { readonly system: (typeof RATING_SYSTEMS)[number]; readonly rating: string };
type GenreTaxonomy = (typeof GENRE_TAXONOMIES)[number];
type CollectionKind = (typeof COLLECTION_KINDS)[number];
type ProductionQuality = (typeof PRODUCTION_QUALITIES)[number];

/** A collection as a resolved list shows it. */
export type ListedCollection = {
  /** Its id in a registry, where one knows it. */
  readonly collection_rid?: string | undefined;
  readonly name: string;
  readonly distribution_ids?: readonly DistributionId[] | undefined;
  readonly content_rating?: ContentRating | undefined;
  readonly genre?: readonly string[] | undefined;
  readonly genre_taxonomy?: GenreTaxonomy | undefined;
  readonly kind?: CollectionKind | undefined;
};

/** A property that a publisher's file declares. */
export type PublishedProperty = {
  readonly property_id?: string | undefined;
  readonly property_type: PropertyType;
  readonly identifiers: readonly PropertyId[];
  readonly tags?: readonly string[] | undefined;
  readonly supported_channels?: readonly string[] | undefined;
};

/** A collection that a publisher's file declares. */
export type PublishedCollection = ListedCollection & {
  readonly collection_id: string;
  readonly production_quality?: ProductionQuality | undefined;
};

/** A publisher's file, as far as lists go; `countries` are those that it is limited to. */
export type PublishedInventory = {
  readonly domain: string;
  readonly properties: readonly PublishedProperty[];
  readonly collections: readonly PublishedCollection[];
  readonly countries?: readonly string[] | undefined;
};

/** Where the agent looks up what publishers have. */
export type InventorySource = {
  /** The publishers whose files are written here: all that is known without being named. */
  readonly all: () => readonly PublishedInventory[];
  /** Returns the file of a publisher; undefined where none is known. */
  readonly of: (domain: string) => PublishedInventory | undefined;
  /** Returns the publishers that a copy of a registry knows an identifier of. */
  readonly publishersOf: (id: PropertyId) => readonly string[];
};

/** A source of properties. */
export type PropertySource =
  | { readonly selection_type: 'publisher_tags'; readonly publisher_domain: string; readonly tags: readonly string[] }
  | {
      readonly selection_type: 'publisher_ids';
      readonly publisher_domain: string;
      readonly property_ids: readonly string[];
    }
  | { readonly selection_type: 'identifiers'; readonly identifiers: readonly PropertyId[] };

/** A source of collections. */
export type CollectionSource =
  | { readonly selection_type: 'distribution_ids'; readonly identifiers: readonly DistributionId[] }
  | {
      readonly selection_type: 'publisher_collections';
      readonly publisher_domain: string;
      readonly collection_ids: readonly string[];
    }
  | {
      readonly selection_type: 'publisher_genres';
      readonly publisher_domain: string;
      readonly genres: readonly string[];
      readonly genre_taxonomy: GenreTaxonomy;
    };

/** The conditions under which a property stays on its list. */
export type PropertyFilters = {
  readonly countries_all?: readonly string[] | undefined;
  readonly channels_any?: readonly string[] | undefined;
  readonly property_types?: readonly PropertyType[] | undefined;
  readonly exclude_identifiers?: readonly PropertyId[] | undefined;
};

/** The conditions under which a collection stays on its list. */
export type CollectionFilters = {
  readonly content_ratings_exclude?: readonly ContentRating[] | undefined;
  readonly content_ratings_include?: readonly ContentRating[] | undefined;
  readonly genres_exclude?: readonly string[] | undefined;
  readonly genres_include?: readonly string[] | undefined;
  readonly genre_taxonomy?: GenreTaxonomy | undefined;
  readonly kinds?: readonly CollectionKind[] | undefined;
  readonly exclude_distribution_ids?: readonly DistributionId[] | undefined;
  readonly production_quality?: readonly ProductionQuality[] | undefined;
};

/** The rules of a list: its sources, all that is known where there are none, and its filters. */
export type ListRules = {
  readonly base?: readonly (PropertySource | CollectionSource)[] | undefined;
  readonly filters?: (PropertyFilters & CollectionFilters) | undefined;
};

/** An entry of a resolved list. */
export type ResolvedEntry = PropertyId | ListedCollection;

/** Who hears that a list has changed; `local`: plain http and loopback may be called. */
export type ListSubscriber = { readonly url: string; readonly local: boolean };

/** A list that this agent maintains; its rules and entries are stored beside it. Instants are ISO 8601. */
export type InventoryList = {
  readonly kind: ListKind;
  readonly list_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly brand?: BrandRef | undefined;
  readonly subscriber?: ListSubscriber | undefined;
  readonly created_at: string;
  readonly updated_at: string;
  /** When what it holds changed last, and how many entries that is. */
  readonly resolved_at: string;
  readonly count: number;
};

/** Most ids, tags, genres and identifiers that the sources of a list name together. */
export const MAX_NAMED = 10_000;
/** Most entries of a resolved list; a seller reads as many. */
export const MAX_ENTRIES = 20_000;

/** Hours for which a reading of a list is good, by its kind. */
export const CACHE_HOURS: Readonly<Record<ListKind, number>> = { property: 24, collection: 168 };

/** Refuses sources that name more than is stored of one list. Throws INVALID_REQUEST with the field. */
export function checkRules({ base = [] }: ListRules, field: string): void {
  const named = base.reduce((sum, source) => sum + countNamed(source), 0);
  if (named <= MAX_NAMED) return;
  throw new TaskError('INVALID_REQUEST', `${field}: names ${named} things, and a list names at most ${MAX_NAMED}.`, {
    field,
    suggestion: `Name at most ${MAX_NAMED} in one list; select by publisher and tag, or make several lists.`,
    details: { max_named: MAX_NAMED },
  });
}

function countNamed(source: PropertySource | CollectionSource): number {
  if ('identifiers' in source) return source.identifiers.length;
  if ('tags' in source) return source.tags.length;
  if ('genres' in source) return source.genres.length;
  return 'property_ids' in source ? source.property_ids.length : source.collection_ids.length;
}

/** Refuses a list that holds more than is served of one. Throws INVALID_REQUEST with the field. */
export function checkSize(entries: readonly ResolvedEntry[], field: string): void {
  if (entries.length <= MAX_ENTRIES) return;
  throw new TaskError(
    'INVALID_REQUEST',
    `The list resolves to ${entries.length} entries, and at most ${MAX_ENTRIES} are served.`,
    {
      field,
      suggestion: 'Narrow it by its sources or filters, or make several lists.',
      details: { max_entries: MAX_ENTRIES },
    },
  );
}

/** Returns the error for a list that is not there for whoever asks. */
export function listNotFound(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no such list here.', {
    field: 'list_id',
    suggestion:
      'Send the list_id of a list that this agent has made for you, with the credential of its buyer or the token of the list.',
  });
}
