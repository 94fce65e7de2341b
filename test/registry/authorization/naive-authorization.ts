import type { Circumstances } from '../../../src/registry/authorization/question.js';

/** A property as a file has it. */
export type RawProperty = {
  readonly property_id?: string;
  readonly identifiers: readonly { readonly type: string; readonly value: string }[];
  readonly tags?: readonly string[];
  readonly publisher_domain?: string;
};

/** An entry as a file has it. */
export type RawEntry = {
  readonly url: string;
  readonly authorization_type: string;
  readonly property_ids?: readonly string[];
  readonly property_tags?: readonly string[];
  readonly properties?: readonly RawProperty[];
  readonly publisher_properties?: readonly {
    readonly publisher_domain?: string;
    readonly publisher_domains?: readonly string[];
    readonly selection_type: string;
    readonly property_ids?: readonly string[];
    readonly property_tags?: readonly string[];
  }[];
  readonly countries?: readonly string[];
  readonly collections?: readonly { readonly publisher_domain: string; readonly collection_ids: readonly string[] }[];
  readonly placement_ids?: readonly string[];
  readonly placement_tags?: readonly string[];
  readonly effective_from?: string;
  readonly effective_until?: string;
  readonly exclusive?: boolean;
  readonly delegation_type?: string;
};

/** A file as it is served, with the entries that are faulty named by their place. */
export type RawFile = {
  readonly properties?: readonly RawProperty[];
  readonly placements: readonly {
    readonly placement_id: string;
    readonly tags?: readonly string[];
    readonly property_ids?: readonly string[];
    readonly property_tags?: readonly string[];
  }[];
  readonly authorized_agents: readonly RawEntry[];
  readonly revoked_publisher_domains?: readonly { readonly publisher_domain: string }[];
};

/** What is asked of the naive judge. */
export type RawQuestion = Circumstances & {
  readonly agent: string;
  readonly domain?: string;
  readonly property?: { readonly property_id: string } | { readonly type: string; readonly value: string };
};

/** A case with nothing left open. */
type Concrete = { readonly country: string; readonly collection: string; readonly placement: string };

/** Values beyond those of any file: what a case may be when nobody says. */
const ELSEWHERE = { country: 'ZZ', collection: 'elsewhere', placement: 'elsewhere' };

/**
 * The entries that authorize, by the letter of the rule and by brute force: every case that a question leaves open is written out and
 * judged by itself. `publisher` is whose properties are asked for, `owner` whose file it is.
 */
export function naiveEntries(
  file: RawFile,
  faulty: ReadonlySet<number>,
  publisher: string,
  owner: string,
  question: RawQuestion,
): readonly RawEntry[] {
  if ((file.revoked_publisher_domains ?? []).some((one) => one.publisher_domain === publisher)) return [];
  const entries = file.authorized_agents.filter((_, index) => !faulty.has(index));
  const listed = (file.properties ?? []).map((one) => ({ publisher_domain: owner, ...one }));
  const { property } = question;
  const isById = property !== undefined && 'property_id' in property;
  const own = listed.filter((one) => one.publisher_domain === publisher);
  if (isById && own.filter((one) => one.property_id === property.property_id).length > 1) return [];
  const host =
    question.domain ??
    (property !== undefined && 'type' in property && property.type === 'domain' ? property.value : undefined);
  if (host !== undefined && host !== publisher && !host.endsWith(`.${publisher}`)) return [];

  const isAsked = (one: RawProperty): boolean => {
    if (host !== undefined) return one.identifiers.some((identifier) => isHostOf(identifier, host));
    if (isById) return one.property_id === property.property_id;
    return one.identifiers.some(
      ({ type, value }) =>
        property !== undefined && 'type' in property && type === property.type && value === property.value,
    );
  };
  const covered = (entry: RawEntry): readonly RawProperty[] =>
    coverage(entry, listed, publisher, owner).filter(isAsked);
  const grants = (entry: RawEntry, one: Concrete): boolean => {
    const properties = covered(entry);
    return (
      properties.length > 0 &&
      (entry.effective_from === undefined || Date.parse(entry.effective_from) <= question.at) &&
      (entry.effective_until === undefined || question.at < Date.parse(entry.effective_until)) &&
      (entry.countries === undefined || entry.countries.includes(one.country)) &&
      (entry.collections === undefined ||
        entry.collections.some(({ publisher_domain, collection_ids }) =>
          collection_ids.some((id) => `${publisher_domain} ${id}` === one.collection),
        )) &&
      allowsPlacement(file, entry, properties, one.placement)
    );
  };
  const isFree = (one: Concrete): boolean =>
    !entries.some((entry) => entry.exclusive === true && !isAgent(entry.url, question.agent) && grants(entry, one));

  const cases = concreteCases({ ...file, authorized_agents: entries }, publisher, question);
  const isGranted = (entry: RawEntry, one: Concrete): boolean => grants(entry, one) && isFree(one);
  return entries
    .filter(({ url }) => isAgent(url, question.agent))
    .filter((entry) =>
      question.openLimits === 'report'
        ? cases.some((one) => isGranted(entry, one))
        : cases.every((one) => isGranted(entry, one)),
    );
}

function coverage(
  entry: RawEntry,
  listed: readonly RawProperty[],
  publisher: string,
  owner: string,
): readonly RawProperty[] {
  const own = listed.filter((one) => one.publisher_domain === publisher);
  const once = (among: readonly RawProperty[], id: string | undefined): boolean =>
    among.filter((one) => one.property_id === id).length === 1;
  const tagged = (tags: readonly string[] = []): readonly RawProperty[] =>
    own.filter((one) => (one.tags ?? []).some((tag) => tags.includes(tag)));
  const named = (among: readonly RawProperty[], ids: readonly string[] = []): readonly RawProperty[] =>
    own.filter((one) => one.property_id !== undefined && ids.includes(one.property_id) && once(among, one.property_id));
  switch (entry.authorization_type) {
    case 'property_ids':
      return named(listed, entry.property_ids);
    case 'property_tags':
      return tagged(entry.property_tags);
    case 'inline_properties':
      return (entry.properties ?? []).filter((one) => (one.publisher_domain ?? owner) === publisher);
    case 'publisher_properties': {
      const selectors = (entry.publisher_properties ?? []).filter(({ publisher_domain, publisher_domains = [] }) =>
        [publisher_domain, ...publisher_domains].includes(publisher),
      );
      return selectors.flatMap(({ selection_type, property_ids, property_tags }) => {
        if (selection_type === 'by_id') return named(own, property_ids);
        if (selection_type === 'by_tag') return tagged(property_tags);
        const isBare = own.length === 0 && owner === publisher;
        return isBare ? [{ identifiers: [{ type: 'domain', value: publisher }] }] : own;
      });
    }
    default:
      return [];
  }
}

/** `news.example` is itself, www and m; a deeper name itself; a star all below. Registrable domains have two labels here. */
function isHostOf({ type, value }: { readonly type: string; readonly value: string }, host: string): boolean {
  if (type !== 'domain') return false;
  if (value.startsWith('*.')) return host.endsWith(value.slice(1));
  const hosts = value.split('.').length === 2 ? [value, `www.${value}`, `m.${value}`] : [value];
  return hosts.includes(host);
}

function allowsPlacement(
  file: RawFile,
  { placement_ids, placement_tags }: RawEntry,
  properties: readonly RawProperty[],
  id: string,
): boolean {
  if (placement_ids === undefined && placement_tags === undefined) return true;
  const [placement, twin] = file.placements.filter((one) => one.placement_id === id);
  if (placement === undefined || twin !== undefined) return false;
  const { property_ids = [], property_tags = [], tags = [] } = placement;
  return (
    (placement_ids === undefined || placement_ids.includes(id)) &&
    (placement_tags === undefined || tags.some((tag) => placement_tags.includes(tag))) &&
    properties.some(
      (one) =>
        (one.property_id !== undefined && property_ids.includes(one.property_id)) ||
        (one.tags ?? []).some((tag) => property_tags.includes(tag)),
    )
  );
}

function concreteCases(file: RawFile, publisher: string, question: RawQuestion): readonly Concrete[] {
  const entries = file.authorized_agents;
  const { collection } = question;
  const asked = collection && `${collection.publisher_domain ?? publisher} ${collection.collection_id}`;
  const all = (list: readonly string[], other: string): readonly string[] => [...new Set([...list, other])];
  const countries = all(
    entries.flatMap((entry) => entry.countries ?? []),
    ELSEWHERE.country,
  );
  const collections = all(
    entries.flatMap(({ collections: limits = [] }) =>
      limits.flatMap((one) => one.collection_ids.map((id) => `${one.publisher_domain} ${id}`)),
    ),
    ELSEWHERE.collection,
  );
  const placements = all(
    file.placements.map(({ placement_id }) => placement_id),
    ELSEWHERE.placement,
  );
  return (question.country === undefined ? countries : [question.country]).flatMap((country) =>
    (asked === undefined ? collections : [asked]).flatMap((each) =>
      (question.placement === undefined ? placements : [question.placement]).map((placement) => ({
        country,
        collection: each,
        placement,
      })),
    ),
  );
}

/** The spellings that the generator uses: case of the host, the default port, an encoded letter. */
function isAgent(url: string, agent: string): boolean {
  const plain = (text: string): string =>
    text.replace(/^https:\/\/[^/]+/i, (origin) => origin.toLowerCase().replace(/:443$/, '')).replace('%6Dcp', 'mcp');
  return plain(url) === plain(agent);
}
