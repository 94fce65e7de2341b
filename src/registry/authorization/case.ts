import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { AuthorizedAgent, Placement, Property } from '../adagents/types.js';
import { fileIndex, publisherProperties, timesOfIds } from './file-index.js';
import type { Asked } from './question.js';

/** A property that is asked for, and whether its id stands for it alone. */
type Listed = {
  readonly property: Property;
  /** Among the publisher's properties, as selectors count them. */
  readonly hasOwnId: boolean;
  /** In the whole file, as property_ids count them. */
  readonly hasOwnIdInFile: boolean;
};

/** A question before the file that answers it. */
export type Case = {
  readonly asked: Asked;
  readonly effective: EffectiveAdagents;
  /** The properties asked for that the file lists at its top. */
  readonly listed: readonly Listed[];
};

/** An entry with the properties asked for that it covers. */
export type Coverage = { readonly entry: AuthorizedAgent; readonly covered: readonly Property[] };

/** Puts a question before a file. */
export function openCase(asked: Asked, effective: EffectiveAdagents): Case {
  const own = publisherProperties(effective);
  const matching = asked.property === undefined ? own.filter(asked.matches) : [asked.property];
  const { idsInFile } = fileIndex(effective.file);
  const idsHere = matching.length === 0 ? idsInFile : timesOfIds(own);
  const isOne = (times: ReadonlyMap<string, number>, id: string | undefined): boolean =>
    id !== undefined && times.get(id) === 1;
  const listed = matching.map((property) => ({
    property,
    hasOwnId: isOne(idsHere, property.property_id),
    hasOwnIdInFile: isOne(idsInFile, property.property_id),
  }));
  return { asked, effective, listed };
}

/** The properties asked for that an entry covers, whatever else limits it (facts 2.4 step 5). */
export function coveredBy({ scope }: AuthorizedAgent, { asked, effective, listed }: Case): readonly Property[] {
  const pick = (isCovered: (one: Listed) => boolean): readonly Property[] =>
    listed.filter(isCovered).map(({ property }) => property);
  const hasTag = ({ property }: Listed, tags: ReadonlySet<string>): boolean =>
    property.tags.some((tag) => tags.has(tag));
  const hasId = ({ property: { property_id } }: Listed, ids: ReadonlySet<string>): boolean =>
    property_id !== undefined && ids.has(property_id);
  switch (scope.authorization_type) {
    case 'property_ids':
      return pick((one) => one.hasOwnIdInFile && hasId(one, scope.property_ids));
    case 'property_tags':
      return pick((one) => hasTag(one, scope.property_tags));
    case 'inline_properties':
      return scope.properties.filter((one) => one.publisher_domain === effective.publisherDomain && asked.matches(one));
    case 'publisher_properties': {
      const selections = scope.selectors
        .filter(({ domains }) => domains.has(effective.publisherDomain))
        .map(({ selection }) => selection);
      return pick((one) =>
        selections.some((selection) => {
          if (selection.selection_type === 'by_id') return one.hasOwnId && hasId(one, selection.property_ids);
          return selection.selection_type === 'all' || hasTag(one, selection.property_tags);
        }),
      );
    }
    case 'signal_ids':
    case 'signal_tags':
      return [];
  }
}

/** Whether an entry is in effect at the instant asked for. */
export function isInEffect({ effectiveFrom, effectiveUntil }: AuthorizedAgent, at: number): boolean {
  return (effectiveFrom === undefined || effectiveFrom <= at) && (effectiveUntil === undefined || at < effectiveUntil);
}

/**
 * The placements that an entry is limited to and that are on a property that it covers; undefined for one without such limits. A
 * placement that the file does not declare is none.
 */
export function allowedPlacements(
  { entry: { placement_ids: ids, placement_tags: tags }, covered }: Coverage,
  { effective }: Case,
): ReadonlySet<string> | undefined {
  if (ids === undefined && tags === undefined) return undefined;
  const { placements } = fileIndex(effective.file);
  const named = ids === undefined ? [...placements.values()] : [...ids].map((id) => placements.get(id));
  const allowed = named.filter(
    (placement) =>
      placement !== undefined &&
      (tags === undefined || placement.tags.some((tag) => tags.has(tag))) &&
      covered.some((property) => isOn(placement, property)),
  );
  return new Set(allowed.flatMap((placement) => placement?.placement_id ?? []));
}

/** The collections that an entry is limited to, as keys; undefined for one without such limits. */
export function allowedCollections({ entry: { collections } }: Coverage): ReadonlySet<string> | undefined {
  if (collections === undefined) return undefined;
  return new Set(
    collections.flatMap(({ publisher_domain, collection_ids }) =>
      [...collection_ids].map((id) => collectionKey(publisher_domain, id)),
    ),
  );
}

/** A collection of a publisher: ids are each publisher's own. */
function collectionKey(domain: string, id: string): string {
  return `${domain} ${id}`;
}

/** The collection that is asked for, as a key. */
export function askedCollection({ asked: { collection }, effective }: Case): string | undefined {
  if (collection === undefined) return undefined;
  return collectionKey(collection.publisher_domain ?? effective.publisherDomain, collection.collection_id);
}

function isOn({ property_ids, property_tags }: Placement, { property_id, tags }: Property): boolean {
  return (
    (property_id !== undefined && property_ids.includes(property_id)) || property_tags.some((tag) => tags.includes(tag))
  );
}
