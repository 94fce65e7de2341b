import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
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
  reportUnknown({ path, draft }, 'property_ids', { noun: 'property', choices: ids }, report);
  reportUnknown({ path, draft }, 'property_tags', { noun: 'property with the tag', choices: tags }, report);
  const placements = draftsAt(draft, 'placements');
  const placementIds = placements.flatMap((one) => textAt(one.draft, 'placement_id') ?? []);
  const placementTags = placements.flatMap((one) => stringsAt(one.draft, 'tags').map(({ value }) => value));
  const limits = { path: [...path, 'limits'], draft: draftAt(draft, 'limits') };
  reportUnknown(limits, 'placement_ids', { noun: 'placement', choices: placementIds }, report);
  reportUnknown(limits, 'placement_tags', { noun: 'placement with the tag', choices: placementTags }, report);
}

function placementsBelong({ path, draft }: Located, report: Report): void {
  const { ids, tags } = namesOf(draft);
  for (const placement of draftsAt(draft, 'placements', path)) {
    if (placement.draft.property_ids === undefined && placement.draft.property_tags === undefined) {
      report(placement.path, 'nothing says which properties have the placement', 'Add property_ids or property_tags.');
    }
    reportUnknown(placement, 'property_ids', { noun: 'property', choices: ids }, report);
    reportUnknown(placement, 'property_tags', { noun: 'property with the tag', choices: tags }, report);
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

/** Returns ids and tags of a publisher's properties; none of one that lists no properties. */
function namesOf(draft: Draft): { readonly ids: readonly string[]; readonly tags: readonly string[] } {
  const properties = draftsAt(draft, 'properties');
  return {
    ids: properties.flatMap((one) => textAt(one.draft, 'property_id') ?? []),
    tags: [...new Set(properties.flatMap((one) => stringsAt(one.draft, 'tags').map(({ value }) => value)))],
  };
}

function suggestChoice(value: string, choices: readonly string[]): string {
  if (choices.length === 0) return 'List it first, under "properties" or "placements".';
  const meant = findNearest(value, choices);
  return meant === undefined ? `Use one of: ${quoteNames(choices)}.` : `Did you mean "${meant}"?`;
}

/** The ids that a list may name, and the word for one of them. */
type Choices = { readonly noun: string; readonly choices: readonly string[] };

function reportUnknown(
  { draft, path }: Pick<Located, 'draft' | 'path'>,
  key: string,
  { noun, choices }: Choices,
  report: Report,
): void {
  for (const { index, value } of stringsAt(draft, key)) {
    if (choices.includes(value)) continue;
    report([...path, key, index], `the publisher has no ${noun} "${value}"`, suggestChoice(value, choices));
  }
}
