import { listed, nearest } from '../../../platform/kernel/nearest.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  type Located,
  type Report,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';

/** A check of the file of the publishers over several fields. It must bear any JSON object. */
type PublisherRule = (publisher: Located, report: Report) => void;

const RULES: readonly PublisherRule[] = [
  idsAreDistinct,
  oneSelection,
  selectionsReach,
  placementsBelong,
  datesAreInOrder,
];

/** Checks everything that the schema of the publishers cannot say. */
export function checkPublishers(draft: Draft, report: Report): void {
  const publishers = draftsAt(draft, 'publishers');
  reportDuplicates(publishers, 'domain', report);
  for (const publisher of publishers) for (const rule of RULES) rule(publisher, report);
}

function idsAreDistinct({ path, draft }: Located, report: Report): void {
  reportDuplicates(draftsAt(draft, 'properties', path), 'property_id', report);
  reportDuplicates(draftsAt(draft, 'placements', path), 'placement_id', report);
  reportDuplicates(draftsAt(draft, 'collections', path), 'collection_id', report);
}

function oneSelection({ path, draft }: Located, report: Report): void {
  if (draft.property_ids === undefined || draft.property_tags === undefined) return;
  report(
    [...path, 'property_tags'],
    'an entry selects by property_ids or by property_tags, not by both',
    'Keep one of the two; without either every property may be sold.',
  );
}

function selectionsReach({ path, draft }: Located, report: Report): void {
  const { ids, tags } = namesOf(draft);
  reportUnknown(draft, 'property_ids', ids, 'property', path, report);
  reportUnknown(draft, 'property_tags', tags, 'property with the tag', path, report);
  const bounds = draftAt(draft, 'limits');
  const placements = draftsAt(draft, 'placements');
  const placementIds = placements.flatMap((one) => textAt(one.draft, 'placement_id') ?? []);
  const placementTags = placements.flatMap((one) => stringsAt(one.draft, 'tags').map(({ value }) => value));
  const at = [...path, 'limits'];
  reportUnknown(bounds, 'placement_ids', placementIds, 'placement', at, report);
  reportUnknown(bounds, 'placement_tags', placementTags, 'placement with the tag', at, report);
}

function placementsBelong({ path, draft }: Located, report: Report): void {
  const { ids, tags } = namesOf(draft);
  for (const placement of draftsAt(draft, 'placements', path)) {
    if (placement.draft.property_ids === undefined && placement.draft.property_tags === undefined) {
      report(placement.path, 'nothing says which properties have the placement', 'Add property_ids or property_tags.');
    }
    reportUnknown(placement.draft, 'property_ids', ids, 'property', placement.path, report);
    reportUnknown(placement.draft, 'property_tags', tags, 'property with the tag', placement.path, report);
  }
}

function datesAreInOrder({ path, draft }: Located, report: Report): void {
  const bounds = draftAt(draft, 'limits');
  const [from, until] = [Date.parse(String(bounds.effective_from)), Date.parse(String(bounds.effective_until))];
  if (!(from >= until)) return;
  report(
    [...path, 'limits', 'effective_until'],
    'the authorization ends before it begins',
    'Put effective_until after effective_from.',
  );
}

/** Ids and tags of a publisher's properties; nothing is known of one that lists none. */
function namesOf(draft: Draft): { readonly ids: readonly string[]; readonly tags: readonly string[] } {
  const properties = draftsAt(draft, 'properties');
  return {
    ids: properties.flatMap((one) => textAt(one.draft, 'property_id') ?? []),
    tags: [...new Set(properties.flatMap((one) => stringsAt(one.draft, 'tags').map(({ value }) => value)))],
  };
}

function suggestChoice(value: string, choices: readonly string[]): string {
  if (choices.length === 0) return 'List it first, under "properties" or "placements".';
  const meant = nearest(value, choices);
  return meant === undefined ? `Use one of: ${listed(choices)}.` : `Did you mean "${meant}"?`;
}

function reportUnknown(
  draft: Draft,
  key: string,
  choices: readonly string[],
  noun: string,
  path: Located['path'],
  report: Report,
): void {
  for (const { index, value } of stringsAt(draft, key)) {
    if (choices.includes(value)) continue;
    report([...path, key, index], `the publisher has no ${noun} "${value}"`, suggestChoice(value, choices));
  }
}
