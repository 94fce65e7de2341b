import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { AuthorizedAgent, Placement, Property, Selection } from '../adagents/types.js';
import { carelessSpelling } from '../model/agent-url.js';
import { hostPattern } from '../model/domains.js';
import type { FactSource, Facts, Listed, PublisherFacts } from './facts.js';
import type { Operator } from './operator.js';
import type { Asked } from './question.js';

/** Brings facts from a publisher's file in memory, for one question or for many. */
export class FileFacts implements FactSource {
  readonly #publisher: EffectiveAdagents | undefined;
  readonly #operator: Operator | undefined;
  #index: FileIndex | undefined;

  constructor(publisher: EffectiveAdagents | undefined, operator?: Operator) {
    this.#publisher = publisher;
    this.#operator = operator;
  }

  factsFor(asked: Asked): readonly [Facts] {
    const operator = this.#operator;
    const publisher = this.#publisher;
    if (publisher === undefined) {
      return [{ missing: 'no_publisher_file', says: 'There is no adagents.json to ask.', operator }];
    }
    const { file, publisherDomain, method, url } = publisher;
    this.#index ??= indexFile(publisher);
    const { entriesByAgent, exclusive, placements } = this.#index;
    const entries = entriesByAgent.get(asked.canonicalAgent) ?? [];
    const listed = listedFor(asked, this.#index);
    return [
      {
        publisherDomain,
        origin: `The adagents.json of ${publisherDomain} was read at ${url} (${method}).`,
        closed: closedFile(publisher),
        isUnclear: publisher.isUnclear === true,
        entries,
        nearest: entries.length > 0 ? undefined : nearestEntry(file.agents, asked.canonicalAgent),
        listed,
        elsewhere: listed.length > 0 ? undefined : file.properties.find(asked.matches),
        exclusive,
        placements,
        operator,
      },
    ];
  }
}

/** A file's content by what is asked of it. */
type FileIndex = {
  readonly entriesByAgent: ReadonlyMap<string, readonly AuthorizedAgent[]>;
  readonly exclusive: readonly AuthorizedAgent[];
  /** Properties of the publisher that is asked about. */
  readonly properties: readonly Property[];
  /** How many properties have each id: of the whole file, and of the publisher. */
  readonly idsInFile: ReadonlyMap<string, number>;
  readonly idsOfPublisher: ReadonlyMap<string, number>;
  readonly placements: ReadonlyMap<string, Placement>;
};

function indexFile(publisher: EffectiveAdagents): FileIndex {
  const { file } = publisher;
  const entriesByAgent = new Map<string, AuthorizedAgent[]>();
  for (const entry of file.agents) {
    const others = entriesByAgent.get(entry.canonicalUrl);
    if (others === undefined) entriesByAgent.set(entry.canonicalUrl, [entry]);
    else others.push(entry);
  }
  const properties = publisherProperties(publisher);
  return {
    entriesByAgent,
    exclusive: file.agents.filter(({ exclusive }) => exclusive),
    properties,
    idsInFile: timesOfIds(file.properties),
    idsOfPublisher: timesOfIds(properties),
    placements: placementsById(file.placements),
  };
}

function listedFor(asked: Asked, { idsInFile, idsOfPublisher, properties }: FileIndex): readonly Listed[] {
  const matching = asked.property === undefined ? properties.filter(asked.matches) : [asked.property];
  const isOne = (times: ReadonlyMap<string, number>, id: string | undefined): boolean =>
    id !== undefined && times.get(id) === 1;
  return matching.map((property) => ({
    property,
    hasOwnId: isOne(idsOfPublisher, property.property_id),
    hasOwnIdInFile: isOne(idsInFile, property.property_id),
  }));
}

function closedFile({ file, publisherDomain: domain, isHeldRevoked }: EffectiveAdagents): PublisherFacts['closed'] {
  if (file.isSuperseded) return { reason: 'superseded', says: 'The file says that another one took its place.' };
  if (file.isCommunity || file.agents.length === 0) {
    return { reason: 'nobody_authorized', says: 'The file is a catalog and names no agent that may sell.' };
  }
  if (!file.revoked.has(domain) && isHeldRevoked !== true) return undefined;
  return { reason: 'publisher_revoked', says: `${domain} is among its revoked publishers.` };
}

function nearestEntry(agents: readonly AuthorizedAgent[], agent: string): AuthorizedAgent | undefined {
  const careless = carelessSpelling(agent);
  return agents.find(({ canonicalUrl }) => carelessSpelling(canonicalUrl) === careless);
}

/**
 * Returns the properties of the publisher that a file lists. A file of the publisher's own that lists none of them means its site: the
 * one property that needs no listing.
 */
export function publisherProperties({ file, publisherDomain }: EffectiveAdagents): readonly Property[] {
  const listed = file.properties.filter(({ publisher_domain }) => publisher_domain === publisherDomain);
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

/** Returns what a selector picks of a publisher's properties. An id that stands for two properties stands for none. */
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

/** Returns how many of the properties have each id. */
export function timesOfIds(properties: readonly Property[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { property_id: id } of properties) if (id !== undefined) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

/** Returns placements by their ids; one whose id stands for several is left out. */
export function placementsById(placements: readonly Placement[]): ReadonlyMap<string, Placement> {
  const [byId, twice] = [new Map<string, Placement>(), new Set<string>()];
  for (const placement of placements) {
    const { placement_id: id } = placement;
    if (byId.has(id)) twice.add(id);
    byId.set(id, placement);
  }
  for (const id of twice) byId.delete(id);
  return byId;
}
