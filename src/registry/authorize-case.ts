import type { EffectiveAdagents } from './adagents-discovery.js';
import type { AuthorizedAgent, Placement, Property } from './adagents-types.js';
import { publisherProperties } from './authorize-properties.js';
import type { Asked } from './authorize-question.js';

/** A property that is asked for, and whether its id stands for it alone. */
type Listed = {
  readonly property: Property;
  /** Among the publisher's properties, as selectors count them. */
  readonly hasOwnId: boolean;
  /** In the whole file, as property_ids count them. */
  readonly hasOwnIdInFile: boolean;
};

/** A question before the file that answers it. Built once a question, so that every entry is judged in the time that its own scope takes. */
export type Case = {
  readonly asked: Asked;
  readonly effective: EffectiveAdagents;
  /** The properties asked for that the file lists at its top. */
  readonly listed: readonly Listed[];
};

/** Puts a question before a file. */
export function openCase(asked: Asked, effective: EffectiveAdagents): Case {
  const { file, publisherDomain } = effective;
  const matching = publisherProperties(effective).filter(asked.matches);
  const ids = new Set(matching.map(({ property_id }) => property_id));
  const [here, inFile] = [new Map<string, number>(), new Map<string, number>()];
  for (const { property_id: id, publisher_domain } of file.properties) {
    if (id === undefined || !ids.has(id)) continue;
    inFile.set(id, (inFile.get(id) ?? 0) + 1);
    if (publisher_domain === publisherDomain) here.set(id, (here.get(id) ?? 0) + 1);
  }
  const isOne = (times: ReadonlyMap<string, number>, id: string | undefined): boolean =>
    id !== undefined && times.get(id) === 1;
  const listed = matching.map((property) => ({
    property,
    hasOwnId: isOne(here, property.property_id),
    hasOwnIdInFile: isOne(inFile, property.property_id),
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

/** Whether an entry's limits let a placement through. */
export function letsPlacement({ placement_ids, placement_tags }: AuthorizedAgent, placement: Placement): boolean {
  const byId = placement_ids === undefined || placement_ids.has(placement.placement_id);
  const byTag = placement_tags === undefined || placement.tags.some((tag) => placement_tags.has(tag));
  return byId && byTag;
}
