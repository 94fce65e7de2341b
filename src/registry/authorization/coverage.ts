import type { AuthorizedAgent, Placement, Property } from '../adagents/types.js';
import type { BrandProperty } from '../brand/types.js';
import type { Listed, PublisherFacts } from './facts.js';
import type { Asked } from './question.js';

/** A question before the facts that answer it. */
export type Case = {
  readonly asked: Asked;
  readonly facts: PublisherFacts;
  readonly listed: ListedProperties;
  /** Returns what the operator declares of a property. */
  readonly declaredOf: (property: Property) => readonly BrandProperty[];
};

/** An entry with the properties asked for that it covers. */
export type Coverage = { readonly entry: AuthorizedAgent; readonly covered: readonly Property[] };

/** Puts a question before facts. */
export function openCase(asked: Asked, facts: PublisherFacts): Case {
  const declared = new Map<Property, readonly BrandProperty[]>();
  // Each of an agent's entries may cover the same thousands of properties.
  const declaredOf = (property: Property): readonly BrandProperty[] => {
    const cached = declared.get(property);
    if (cached !== undefined) return cached;
    const matches = facts.operator?.declared(property, asked) ?? [];
    declared.set(property, matches);
    return matches;
  };
  return { asked, facts, listed: new ListedProperties(facts.listed), declaredOf };
}

/** So few properties are looked through one by one. */
const MAX_LOOKED_THROUGH = 8;

/** The properties asked for, by what entries select them by: a host may have thousands of them, and an agent as many entries. */
class ListedProperties {
  readonly #listed: readonly Listed[];
  #all: readonly Property[] | undefined;
  #byTag: ReadonlyMap<string, readonly number[]> | undefined;
  #byId: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(listed: readonly Listed[]) {
    this.#listed = listed;
  }

  /** Returns all of them: the same array each time. */
  all(): readonly Property[] {
    this.#all ??= this.#listed.map(({ property }) => property);
    return this.#all;
  }

  /** Adds the positions of those with one of the tags. */
  addTagged(tags: ReadonlySet<string>, into: Set<number>): void {
    if (this.#listed.length <= MAX_LOOKED_THROUGH) {
      for (const [at, { property }] of this.#listed.entries())
        if (property.tags.some((tag) => tags.has(tag))) into.add(at);
      return;
    }
    this.#byTag ??= positionsBy(this.#listed, ({ property }) => property.tags);
    addPositions(this.#byTag, tags, into);
  }

  /** Adds the positions of those with one of the ids, where it stands for one property alone. */
  addNamed(ids: ReadonlySet<string>, isOwn: (one: Listed) => boolean, into: Set<number>): void {
    this.#byId ??= positionsBy(this.#listed, ({ property: { property_id } }) =>
      property_id === undefined ? [] : [property_id],
    );
    const positions = new Set<number>();
    addPositions(this.#byId, ids, positions);
    for (const at of positions) {
      const one = this.#listed[at];
      if (one !== undefined && isOwn(one)) into.add(at);
    }
  }

  /** Returns the properties at these positions, in their order. */
  at(positions: ReadonlySet<number>): readonly Property[] {
    return [...positions].sort((one, other) => one - other).flatMap((at) => this.#listed[at]?.property ?? []);
  }
}

function positionsBy(
  listed: readonly Listed[],
  keysOf: (one: Listed) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, one] of listed.entries()) {
    for (const key of keysOf(one)) {
      const others = positions.get(key);
      if (others === undefined) positions.set(key, [at]);
      else others.push(at);
    }
  }
  return positions;
}

/** Goes through whichever is shorter. */
function addPositions(
  positions: ReadonlyMap<string, readonly number[]>,
  keys: ReadonlySet<string>,
  into: Set<number>,
): void {
  const shared = keys.size < positions.size ? keys : positions.keys();
  for (const key of shared) {
    if (!keys.has(key)) continue;
    for (const at of positions.get(key) ?? []) into.add(at);
  }
}

/** Returns the properties asked for that an entry covers, whatever else limits it. */
export function coveredBy({ scope }: AuthorizedAgent, { asked, facts, listed }: Case): readonly Property[] {
  const positions = new Set<number>();
  switch (scope.authorization_type) {
    case 'property_ids':
      listed.addNamed(scope.property_ids, ({ hasOwnIdInFile }) => hasOwnIdInFile, positions);
      return listed.at(positions);
    case 'property_tags':
      listed.addTagged(scope.property_tags, positions);
      return listed.at(positions);
    case 'inline_properties':
      return scope.properties.filter((one) => one.publisher_domain === facts.publisherDomain && asked.matches(one));
    case 'publisher_properties':
      for (const { domains, selection } of scope.selectors) {
        if (!domains.has(facts.publisherDomain)) continue;
        if (selection.selection_type === 'all') return listed.all();
        if (selection.selection_type === 'by_tag') listed.addTagged(selection.property_tags, positions);
        else listed.addNamed(selection.property_ids, ({ hasOwnId }) => hasOwnId, positions);
      }
      return listed.at(positions);
    case 'signal_ids':
    case 'signal_tags':
      return [];
  }
}

/**
 * Returns the placements that an entry is limited to and that are on a property that it covers; undefined for one without such limits.
 * A placement that the file does not declare is none.
 */
export function allowedPlacements(
  { entry: { placement_ids: ids, placement_tags: tags }, covered }: Coverage,
  { facts }: Case,
): ReadonlySet<string> | undefined {
  if (ids === undefined && tags === undefined) return undefined;
  const { placements } = facts;
  const named = ids === undefined ? [...placements.values()] : [...ids].map((id) => placements.get(id));
  const allowed = named.filter(
    (placement) =>
      placement !== undefined &&
      (tags === undefined || placement.tags.some((tag) => tags.has(tag))) &&
      covered.some((property) => isOn(placement, property)),
  );
  return new Set(allowed.flatMap((placement) => placement?.placement_id ?? []));
}

/** Returns the collections that an entry is limited to, as keys; undefined for one without such limits. */
export function allowedCollections({ entry: { collections } }: Coverage): ReadonlySet<string> | undefined {
  if (collections === undefined) return undefined;
  return new Set(
    collections.flatMap(({ publisher_domain, collection_ids }) =>
      [...collection_ids].map((id) => collectionKey(publisher_domain, id)),
    ),
  );
}

/** Returns the key of a collection, whose id is its publisher's own. */
function collectionKey(domain: string, id: string): string {
  return `${domain} ${id}`;
}

/** Returns the collection that is asked for, as a key. */
export function askedCollection({ asked: { collection }, facts }: Case): string | undefined {
  if (collection === undefined) return undefined;
  return collectionKey(collection.publisher_domain ?? facts.publisherDomain, collection.collection_id);
}

function isOn({ property_ids, property_tags }: Placement, { property_id, tags }: Property): boolean {
  return (
    (property_id !== undefined && property_ids.includes(property_id)) || property_tags.some((tag) => tags.includes(tag))
  );
}
