import { pointerBelow, quoteValue, type Report } from '../documents/finding.js';
import type { AdagentsFile } from './types.js';

type Checked = { readonly file: AdagentsFile };

/** Checks that what parts of a file name is there. What names nothing covers nothing, so that all of them only warn. */
export const REFERENCE_CHECKS: readonly ((checked: Checked, report: Report) => void)[] = [
  selectorsReachProperties,
  namesAreDeclared,
];

/** A kind of names in an adagents.json, and where those are declared. */
type ReferenceKind = { readonly means: string; readonly declared: (file: AdagentsFile) => Iterable<unknown> };

/** The members that name other parts of the file. */
const REFERENCES = {
  property_ids: {
    means: 'property of the file has this id',
    declared: ({ properties }) => properties.map(({ property_id }) => property_id),
  },
  property_tags: {
    means: 'property of the file has this tag',
    declared: ({ properties }) => properties.flatMap(({ tags }) => tags),
  },
  placement_ids: {
    means: 'placement of the file has this id',
    declared: ({ placements }) => placements.map(({ placement_id }) => placement_id),
  },
  placement_tags: {
    means: 'placement of the file has this tag',
    declared: ({ placements }) => placements.flatMap(({ tags }) => tags),
  },
  signal_ids: { means: 'signal of the file has this id', declared: ({ signals }) => signals.map(({ id }) => id) },
  signal_tags: {
    means: 'signal of the file has this tag',
    declared: ({ signals }) => signals.flatMap(({ tags }) => (Array.isArray(tags) ? tags : [])),
  },
  collections: {
    means: 'collection of the file has this id',
    declared: ({ collections }) => collections.map(({ collection_id }) => collection_id),
  },
} as const satisfies Readonly<Record<string, ReferenceKind>>;

type Member = keyof typeof REFERENCES;

/** An entry or a placement, with the names that each of its members has. */
type Referring = {
  readonly pointer: string;
  readonly names: { readonly [M in Member]?: Iterable<string> | undefined };
};

const MEMBERS = Object.keys(REFERENCES) as readonly Member[];

function namesAreDeclared({ file }: Checked, report: Report): void {
  const declared = new Map<Member, ReadonlySet<unknown>>();
  for (const { names, pointer } of listReferring(file)) {
    for (const member of MEMBERS) {
      for (const name of names[member] ?? []) {
        const there = declared.get(member) ?? new Set<unknown>(REFERENCES[member].declared(file));
        declared.set(member, there);
        if (there.has(name)) continue;
        const message = `no ${REFERENCES[member].means}: ${quoteValue(name)}`;
        report.warn(pointerBelow(pointer, member), 'undefined', message, 'Correct it, or add what it names.');
      }
    }
  }
}

function* listReferring(file: AdagentsFile): Generator<Referring> {
  for (const { collections = [], placement_ids, placement_tags, pointer, scope } of file.agents) {
    const own = collections.filter(({ publisher_domain }) => publisher_domain === file.domain);
    const limits = {
      placement_ids,
      placement_tags,
      collections: own.flatMap(({ collection_ids }) => [...collection_ids]),
    };
    yield { pointer, names: { ...limits, ...scope } };
  }
  for (const { pointer, property_ids, property_tags } of file.placements)
    yield { pointer, names: { property_ids, property_tags } };
}

function selectorsReachProperties({ file }: Checked, report: Report): void {
  if (file.properties.some(({ publisher_domain }) => publisher_domain === file.domain)) return;
  for (const { pointer, scope } of file.agents) {
    if (scope.authorization_type !== 'publisher_properties') continue;
    const picks = scope.selectors.some(
      ({ domains, selection }) => domains.has(file.domain) && domains.size === 1 && selection.selection_type !== 'all',
    );
    if (!picks) continue;
    const at = pointerBelow(pointer, scope.authorization_type);
    report.warn(at, 'undefined', `the file lists no properties of ${file.domain} to select from`, 'Add "properties".');
  }
}
