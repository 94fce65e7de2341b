import type { ListKind } from '../../targeting/lists.js';
import type {
  CollectionFilters,
  CollectionSource,
  DistributionId,
  InventorySource,
  ListedCollection,
  ListRules,
  PropertyFilters,
  PropertyId,
  PropertySource,
  PublishedCollection,
  PublishedInventory,
  PublishedProperty,
  ResolvedEntry,
} from './inventory-list.js';

/** Returns what a list holds by what publishers declare now, each entry once, in the order of its sources. */
export function resolveList(kind: ListKind, rules: ListRules, source: InventorySource): readonly ResolvedEntry[] {
  return kind === 'property' ? resolveProperties(rules, source) : resolveCollections(rules, source);
}

/** An identifier on its way to the list, with the property and publisher that it is of and the countries of that where these are known. */
export type PropertyCandidate = {
  readonly id: PropertyId;
  readonly property: PublishedProperty | undefined;
  readonly publisher: string | undefined;
  readonly countries: readonly string[] | undefined;
};

function resolveProperties({ base, filters }: ListRules, source: InventorySource): readonly PropertyId[] {
  const candidates =
    base === undefined
      ? source.all().flatMap((inventory) => inventory.properties.flatMap((one) => candidatesOf(one, inventory)))
      : base.flatMap((one) => selectProperties(one as PropertySource, source, indexProperties(source)));
  const excluded = new Set((filters?.exclude_identifiers ?? []).map(propertyKey));
  const entries = new Map<string, PropertyId>();
  for (const candidate of candidates) {
    const key = propertyKey(candidate.id);
    if (excluded.has(key) || entries.has(key) || !passesProperty(candidate, filters)) continue;
    entries.set(key, { type: candidate.id.type, value: candidate.id.value });
  }
  return [...entries.values()];
}

/** Returns the properties of the publishers whose files are here, by their identifiers, when first asked. */
function indexProperties(source: InventorySource): (id: PropertyId) => PropertyCandidate | undefined {
  let index: Map<string, PropertyCandidate> | undefined;
  return (id) => {
    index ??= new Map(
      source
        .all()
        .flatMap((inventory) => inventory.properties.flatMap((property) => candidatesOf(property, inventory)))
        .map((candidate) => [propertyKey(candidate.id), candidate]),
    );
    return index.get(propertyKey(id));
  };
}

/** Returns the identifiers of a property of a publisher. */
export function candidatesOf(
  property: PublishedProperty,
  { countries, domain: publisher }: PublishedInventory,
): readonly PropertyCandidate[] {
  return property.identifiers.map((id) => ({ id, property, publisher, countries }));
}

function selectProperties(
  selection: PropertySource,
  source: InventorySource,
  find: (id: PropertyId) => PropertyCandidate | undefined,
): readonly PropertyCandidate[] {
  if (selection.selection_type === 'identifiers')
    return selection.identifiers.map((id) => ({
      property: undefined,
      publisher: undefined,
      countries: undefined,
      ...find(id),
      id,
    }));
  const inventory = source.of(selection.publisher_domain);
  if (inventory === undefined) return [];
  const isSelected =
    selection.selection_type === 'publisher_ids'
      ? isAmong(selection.property_ids, ({ property_id }: PublishedProperty) => property_id)
      : ({ tags = [] }: PublishedProperty) => tags.some((tag) => selection.tags.includes(tag));
  return inventory.properties.filter(isSelected).flatMap((property) => candidatesOf(property, inventory));
}

function isAmong<Noun>(ids: readonly string[], idOf: (noun: Noun) => string | undefined): (noun: Noun) => boolean {
  const wanted = new Set(ids);
  return (noun) => wanted.has(idOf(noun) ?? '');
}

/** Whether filters ask for something that an identifier alone does not tell. */
export function hasMetadataFilter({ countries_all, channels_any, property_types }: PropertyFilters = {}): boolean {
  return countries_all !== undefined || channels_any !== undefined || property_types !== undefined;
}

/** Whether a property passes the filters; one of which nothing is known passes none that asks for something. */
function passesProperty({ property, countries }: PropertyCandidate, filters: PropertyFilters = {}): boolean {
  const { countries_all: markets, channels_any: channels, property_types: types } = filters;
  if (property === undefined) return !hasMetadataFilter(filters);
  if (types !== undefined && !types.includes(property.property_type)) return false;
  if (channels !== undefined && !(property.supported_channels ?? []).some((one) => channels.includes(one)))
    return false;
  return markets === undefined || countries === undefined || markets.every((one) => countries.includes(one));
}

/** Returns what an identifier is compared by. Domains and subdomains are hosts alike; `www.` and `m.` stand for the host itself. */
export function propertyKey({ type, value }: PropertyId): string {
  const text = value.toLowerCase();
  return type === 'domain' || type === 'subdomain' ? `host ${text.replace(/^(www|m)\./, '')}` : `${type} ${text}`;
}

function resolveCollections({ base, filters }: ListRules, source: InventorySource): readonly ListedCollection[] {
  const selected =
    base === undefined
      ? source.all().flatMap(({ collections }) => collections)
      : base.flatMap((one) => selectCollections(one as CollectionSource, source));
  const entries = new Map<string, ListedCollection>();
  for (const collection of selected) {
    if (!passesCollection(collection, filters)) continue;
    const { collection_rid, name, distribution_ids, content_rating, genre, genre_taxonomy, kind } = collection;
    const key =
      distribution_ids?.[0] === undefined ? `name ${name.toLowerCase()}` : distributionKey(distribution_ids[0]);
    if (entries.has(key)) continue;
    entries.set(key, { collection_rid, name, distribution_ids, content_rating, genre, genre_taxonomy, kind });
  }
  return [...entries.values()];
}

type CollectionCandidate = ListedCollection & Pick<Partial<PublishedCollection>, 'production_quality'>;

function selectCollections(selection: CollectionSource, source: InventorySource): readonly CollectionCandidate[] {
  if (selection.selection_type === 'distribution_ids') return selectByDistribution(selection.identifiers, source);
  const collections = source.of(selection.publisher_domain)?.collections ?? [];
  if (selection.selection_type === 'publisher_collections')
    return collections.filter(isAmong(selection.collection_ids, ({ collection_id }) => collection_id));
  const { genres, genre_taxonomy } = selection;
  return collections.filter((one) => hasGenre(one, genres, genre_taxonomy));
}

/** Returns the collections of identifiers; one that nobody here declares is listed under the identifier alone. */
function selectByDistribution(
  identifiers: readonly DistributionId[],
  source: InventorySource,
): readonly CollectionCandidate[] {
  const byId = new Map(
    source
      .all()
      .flatMap(({ collections }) => collections)
      .flatMap((one) => (one.distribution_ids ?? []).map((id) => [distributionKey(id), one] as const)),
  );
  return identifiers.map((id) => byId.get(distributionKey(id)) ?? { name: id.value, distribution_ids: [id] });
}

function distributionKey({ type, value }: DistributionId): string {
  return `${type} ${value.toLowerCase()}`;
}

/** Includes come first: what lacks the metadata is out. Excludes then take out what is known to match. */
function passesCollection(collection: CollectionCandidate, filters: CollectionFilters = {}): boolean {
  const { content_ratings_include: ratings, genres_include: genres, genre_taxonomy: taxonomy } = filters;
  if (filters.kinds !== undefined && (collection.kind === undefined || !filters.kinds.includes(collection.kind)))
    return false;
  const { production_quality: quality } = collection;
  if (
    filters.production_quality !== undefined &&
    (quality === undefined || !filters.production_quality.includes(quality))
  )
    return false;
  if (ratings !== undefined && !hasRating(collection, ratings)) return false;
  if (genres !== undefined && !hasGenre(collection, genres, taxonomy)) return false;
  if (hasRating(collection, filters.content_ratings_exclude ?? [])) return false;
  if (hasGenre(collection, filters.genres_exclude ?? [], taxonomy)) return false;
  const excluded = new Set((filters.exclude_distribution_ids ?? []).map(distributionKey));
  return !(collection.distribution_ids ?? []).some((id) => excluded.has(distributionKey(id)));
}

function hasRating(
  { content_rating: own }: ListedCollection,
  ratings: NonNullable<CollectionFilters['content_ratings_include']>,
): boolean {
  return ratings.some(
    ({ system, rating }) => own?.system === system && own.rating.toLowerCase() === rating.toLowerCase(),
  );
}

/** Genres are compared in one vocabulary; without one they are words, whatever their vocabulary. `custom` is that of a publisher who names none. */
function hasGenre(
  { genre = [], genre_taxonomy = 'custom' }: ListedCollection,
  genres: readonly string[],
  taxonomy: ListedCollection['genre_taxonomy'],
): boolean {
  if (taxonomy !== undefined && genre_taxonomy !== taxonomy) return false;
  const own = genre.map((one) => one.toLowerCase());
  return genres.some((one) => own.includes(one.toLowerCase()));
}

/** Returns the collections among some that are listed although a filter could not judge them, by the dimension that they say nothing of. */
export function findCoverageGaps(
  entries: readonly ListedCollection[],
  filters: CollectionFilters = {},
): Readonly<Record<string, readonly DistributionId[]>> | undefined {
  const { genres_exclude, content_ratings_exclude } = filters;
  const lacking = (isLacking: (entry: ListedCollection) => boolean): readonly DistributionId[] =>
    entries.filter(isLacking).flatMap(({ distribution_ids = [] }) => distribution_ids);
  const gaps = {
    genre: genres_exclude === undefined ? [] : lacking(({ genre }) => genre === undefined || genre.length === 0),
    content_rating: content_ratings_exclude === undefined ? [] : lacking((one) => one.content_rating === undefined),
  };
  const filled = Object.entries(gaps).filter(([, ids]) => ids.length > 0);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** Returns how many entries of a list came and went; undefined where it holds what it held. */
export function compareEntries(
  before: readonly ResolvedEntry[],
  after: readonly ResolvedEntry[],
): { readonly added: number; readonly removed: number } | undefined {
  const [old, now] = [before, after].map((entries) => new Set(entries.map((entry) => JSON.stringify(entry))));
  const added = [...(now ?? [])].filter((one) => old?.has(one) !== true).length;
  const removed = [...(old ?? [])].filter((one) => now?.has(one) !== true).length;
  return added + removed === 0 ? undefined : { added, removed };
}
