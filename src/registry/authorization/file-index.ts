import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { AdagentsFile, AuthorizedAgent, Placement, Property, Selection } from '../adagents/types.js';
import { hostPattern } from '../model/domains.js';

/** What a file says, by what is asked of it. */
export type FileIndex = {
  readonly entries: ReadonlyMap<string, readonly AuthorizedAgent[]>;
  /** Entries that grant exclusively. */
  readonly exclusive: readonly AuthorizedAgent[];
  readonly properties: ReadonlyMap<string, readonly Property[]>;
  /** How many properties of the whole file have an id. */
  readonly idsInFile: ReadonlyMap<string, number>;
  /** By id; one whose id stands for several is left out. */
  readonly placements: ReadonlyMap<string, Placement>;
};

const indexes = new WeakMap<AdagentsFile, FileIndex>();

/** The index of a file, worked out when it is first asked for. */
export function fileIndex(file: AdagentsFile): FileIndex {
  const known = indexes.get(file);
  if (known !== undefined) return known;
  const index = {
    entries: groups(file.agents, ({ canonicalUrl }) => canonicalUrl),
    exclusive: file.agents.filter(({ exclusive }) => exclusive),
    properties: groups(file.properties, ({ publisher_domain }) => publisher_domain),
    idsInFile: timesOfIds(file.properties),
    placements: placementsById(file.placements),
  };
  indexes.set(file, index);
  return index;
}

/**
 * The properties of the publisher that a file lists. A file of the publisher's own that lists none of them means its site: the one
 * property that needs no listing.
 */
export function publisherProperties({ file, publisherDomain }: EffectiveAdagents): readonly Property[] {
  const listed = fileIndex(file).properties.get(publisherDomain) ?? [];
  if (listed.length > 0 || file.unreadProperties > 0 || file.domain !== publisherDomain) return listed;
  const host = hostPattern(publisherDomain);
  if (host === undefined) return listed;
  return [
    {
      property_type: 'website',
      name: publisherDomain,
      identifiers: [{ type: 'domain', value: publisherDomain }],
      tags: [],
      publisher_domain: publisherDomain,
      hosts: [host],
      pointer: '',
    },
  ];
}

/** What a selector picks of a publisher's properties. An id that stands for two properties stands for none. */
export function selectProperties(properties: readonly Property[], selection: Selection): readonly Property[] {
  switch (selection.selection_type) {
    case 'all':
      return properties;
    case 'by_id': {
      const times = timesOfIds(properties);
      return properties.filter(
        ({ property_id: id }) => id !== undefined && selection.property_ids.has(id) && times.get(id) === 1,
      );
    }
    case 'by_tag':
      return properties.filter(({ tags }) => tags.some((tag) => selection.property_tags.has(tag)));
  }
}

/** How many of the properties have each id. */
export function timesOfIds(properties: readonly Property[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { property_id: id } of properties) if (id !== undefined) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) {
    const list = found.get(keyOf(item));
    if (list === undefined) found.set(keyOf(item), [item]);
    else list.push(item);
  }
  return found;
}

function placementsById(placements: readonly Placement[]): ReadonlyMap<string, Placement> {
  const [found, twice] = [new Map<string, Placement>(), new Set<string>()];
  for (const placement of placements) {
    const { placement_id: id } = placement;
    if (found.has(id)) twice.add(id);
    found.set(id, placement);
  }
  for (const id of twice) found.delete(id);
  return found;
}
