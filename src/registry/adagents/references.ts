import { pointerBelow, quoteValue, type Report } from '../documents/finding.js';
import type { AdagentsFile } from './types.js';

/** Checks that what parts of a file name is there. What names nothing covers nothing, so that all of them only warn. */
export const REFERENCE_CHECKS: readonly ((checked: { readonly file: AdagentsFile }, report: Report) => void)[] = [
  entriesReachProperties,
  entriesReachPlacements,
  entriesReachSignals,
  placementsReachProperties,
];

const NO_PROPERTY = { id: 'no property of the file has this id', tag: 'no property of the file has this tag' };
const NO_PLACEMENT = { id: 'no placement of the file has this id', tag: 'no placement of the file has this tag' };
const NO_SIGNAL = { id: 'no signal of the file has this id', tag: 'no signal of the file has this tag' };
const NO_COLLECTION = 'no collection of the file has this id';

type Checked = { readonly file: AdagentsFile };

function entriesReachProperties({ file }: Checked, report: Report): void {
  const { ids, tags } = propertyNames(file);
  const hasOwn = file.properties.some((property) => property.publisher_domain === file.domain);
  for (const { scope, pointer } of file.agents) {
    const at = pointerBelow(pointer, scope.authorization_type);
    if (scope.authorization_type === 'property_ids')
      warnOfMissing(report, at, { names: scope.property_ids, declared: ids, message: NO_PROPERTY.id });
    if (scope.authorization_type === 'property_tags')
      warnOfMissing(report, at, { names: scope.property_tags, declared: tags, message: NO_PROPERTY.tag });
    if (scope.authorization_type !== 'publisher_properties' || hasOwn) continue;
    const picks = scope.selectors.some(
      ({ domains, selection }) => domains.has(file.domain) && domains.size === 1 && selection.selection_type !== 'all',
    );
    if (!picks) continue;
    report.warn(at, 'undefined', `the file lists no properties of ${file.domain} to select from`, 'Add "properties".');
  }
}

function entriesReachPlacements({ file }: Checked, report: Report): void {
  const ids = new Set(file.placements.map((placement) => placement.placement_id));
  const tags = new Set(file.placements.flatMap((placement) => placement.tags));
  const collections = new Set(file.collections.map((collection) => collection.collection_id));
  for (const { placement_ids = [], placement_tags = [], collections: limits = [], pointer } of file.agents) {
    warnOfMissing(report, pointerBelow(pointer, 'placement_ids'), {
      names: placement_ids,
      declared: ids,
      message: NO_PLACEMENT.id,
    });
    warnOfMissing(report, pointerBelow(pointer, 'placement_tags'), {
      names: placement_tags,
      declared: tags,
      message: NO_PLACEMENT.tag,
    });
    const own = limits.filter(({ publisher_domain }) => publisher_domain === file.domain);
    const wanted = own.flatMap(({ collection_ids }) => [...collection_ids]);
    warnOfMissing(report, pointerBelow(pointer, 'collections'), {
      names: wanted,
      declared: collections,
      message: NO_COLLECTION,
    });
  }
}

function entriesReachSignals({ file }: Checked, report: Report): void {
  const ids = new Set(file.signals.map(({ id }) => id));
  const tags = new Set(file.signals.flatMap((signal) => (Array.isArray(signal.tags) ? signal.tags : [])));
  for (const { scope, pointer } of file.agents) {
    const at = pointerBelow(pointer, scope.authorization_type);
    if (scope.authorization_type === 'signal_ids')
      warnOfMissing(report, at, { names: scope.signal_ids, declared: ids, message: NO_SIGNAL.id });
    if (scope.authorization_type === 'signal_tags')
      warnOfMissing(report, at, { names: scope.signal_tags, declared: tags, message: NO_SIGNAL.tag });
  }
}

function placementsReachProperties({ file }: Checked, report: Report): void {
  const { ids, tags } = propertyNames(file);
  for (const { property_ids, property_tags, pointer } of file.placements) {
    warnOfMissing(report, pointerBelow(pointer, 'property_ids'), {
      names: property_ids,
      declared: ids,
      message: NO_PROPERTY.id,
    });
    warnOfMissing(report, pointerBelow(pointer, 'property_tags'), {
      names: property_tags,
      declared: tags,
      message: NO_PROPERTY.tag,
    });
  }
}

function propertyNames({ properties }: AdagentsFile): Readonly<Record<'ids' | 'tags', ReadonlySet<unknown>>> {
  return {
    ids: new Set(properties.map((property) => property.property_id)),
    tags: new Set(properties.flatMap((property) => property.tags)),
  };
}

type References = {
  readonly names: Iterable<string>;
  readonly declared: ReadonlySet<unknown>;
  readonly message: string;
};

/** Warns of each name that the file does not declare. */
function warnOfMissing(report: Report, pointer: string, { names, declared, message }: References): void {
  for (const name of names) {
    if (declared.has(name)) continue;
    report.warn(pointer, 'undefined', `${message}: ${quoteValue(name)}`, 'Correct it, or add what it names.');
  }
}
