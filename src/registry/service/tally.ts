import type { AuthorizationRecord, InventoryProfile, PropertyRecord, RecordSelector } from '../records.js';
import type { DeclaredOffer } from './agent-reading.js';

/** How often each value stands. */
type Counts = Readonly<Record<string, number>>;

/** What an agent may sell of one publisher. */
export type Share = {
  readonly properties: number;
  readonly property_types: Counts;
  readonly channels: Counts;
  readonly markets: Counts;
  readonly tags: Counts;
};

/** What an agent may sell over all publishers: its shares added up. */
export type Tally = Share & { readonly publishers: number };

const DIMENSIONS = ['property_types', 'channels', 'markets', 'tags'] as const;

/** Nothing. */
export const NO_TALLY: Tally = {
  publishers: 0,
  properties: 0,
  property_types: {},
  channels: {},
  markets: {},
  tags: {},
};

/** The channel of a property that names none; kinds of properties that are sold on several are left open. */
const USUAL_CHANNELS: Readonly<Partial<Record<PropertyRecord['property_type'], string>>> = {
  ctv_app: 'ctv',
  dooh: 'dooh',
  podcast: 'podcast',
  radio: 'radio',
  linear_tv: 'linear_tv',
  streaming_audio: 'streaming_audio',
};

/** Most values of a dimension that a profile shows. */
const MOST_VALUES = 200;

/**
 * What each agent may sell of a publisher, by its canonical URL: every active property that one of its rows covers, whatever else limits
 * the row. An agent with rows that cover nothing has an empty share.
 */
export function sharesOf(
  rows: readonly AuthorizationRecord[],
  properties: readonly PropertyRecord[],
): Readonly<Record<string, Share>> {
  const active = properties.filter(({ status }) => status === 'active');
  const byRid = new Map(active.map((property) => [property.property_rid, property]));
  const listed = active.filter(({ inline }) => inline !== true);
  const covered = new Map<string, Set<PropertyRecord>>();
  const markets = new Map<string, Set<string>>();
  for (const row of rows) {
    const own = covered.get(row.agent_url_canonical) ?? new Set();
    covered.set(row.agent_url_canonical, own);
    for (const property of coveredBy(row, listed, byRid)) own.add(property);
    const countries = markets.get(row.agent_url_canonical) ?? new Set();
    markets.set(row.agent_url_canonical, countries);
    for (const country of row.countries ?? []) countries.add(country);
  }
  return Object.fromEntries([...covered].map(([url, own]) => [url, shareOf([...own], [...(markets.get(url) ?? [])])]));
}

/** The properties of a publisher that a row covers. */
export function coveredBy(
  { authorization_type, property_rid, selectors }: AuthorizationRecord,
  listed: readonly PropertyRecord[],
  byRid: ReadonlyMap<string, PropertyRecord>,
): readonly PropertyRecord[] {
  if (authorization_type === 'signal_ids' || authorization_type === 'signal_tags') return [];
  if (property_rid !== null) {
    const property = byRid.get(property_rid);
    return property === undefined ? [] : [property];
  }
  if (selectors === undefined) return listed;
  return listed.filter((property) => selectors.some((selector) => picks(selector, property)));
}

/** Whether a selector picks a property. */
export function picks(selector: RecordSelector, { property_id, tags }: Pick<PropertyRecord, 'property_id' | 'tags'>) {
  switch (selector.selection_type) {
    case 'all':
      return true;
    case 'by_id':
      return property_id !== null && selector.property_ids.includes(property_id);
    case 'by_tag':
      return selector.property_tags.some((tag) => tags.includes(tag));
  }
}

/** A tally with one publisher's share in the place of another. */
export function retally(tally: Tally, before: Share | undefined, after: Share | undefined): Tally {
  return {
    publishers: tally.publishers + Number(after !== undefined) - Number(before !== undefined),
    properties: tally.properties + (after?.properties ?? 0) - (before?.properties ?? 0),
    ...(Object.fromEntries(
      DIMENSIONS.map((dimension) => [dimension, merged(tally[dimension], before?.[dimension], after?.[dimension])]),
    ) as Pick<Share, (typeof DIMENSIONS)[number]>),
  };
}

/** The inventory profile of an agent (spec 1, Agent search result): what publishers authorise, and what it declares itself. */
export function profileOf(tally: Tally, offer: DeclaredOffer | undefined): InventoryProfile {
  return {
    channels: valuesOf(tally.channels, offer?.channels),
    property_types: valuesOf(tally.property_types),
    markets: valuesOf(tally.markets, offer?.markets),
    categories: valuesOf({}, offer?.categories),
    category_taxonomy: null,
    tags: valuesOf(tally.tags),
    delivery_types: valuesOf({}, offer?.delivery_types),
    format_ids: offer?.format_ids ?? [],
    property_count: tally.properties,
    publisher_count: tally.publishers,
    has_tmp: offer?.has_tmp ?? false,
  };
}

function shareOf(properties: readonly PropertyRecord[], markets: readonly string[]): Share {
  const channels = properties.map(({ property_type, supported_channels }) => {
    const usual = USUAL_CHANNELS[property_type];
    return supported_channels ?? (usual === undefined ? [] : [usual]);
  });
  return {
    properties: properties.length,
    property_types: countOf(properties.map(({ property_type }) => property_type)),
    channels: countOf(channels.flat()),
    markets: countOf(markets),
    tags: countOf(properties.flatMap(({ tags }) => tags)),
  };
}

function countOf(values: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function merged(counts: Counts, before: Counts = {}, after: Counts = {}): Counts {
  const sums = new Map(Object.entries(counts));
  for (const [value, count] of Object.entries(before)) sums.set(value, (sums.get(value) ?? 0) - count);
  for (const [value, count] of Object.entries(after)) sums.set(value, (sums.get(value) ?? 0) + count);
  return Object.fromEntries([...sums].filter(([, count]) => count > 0));
}

/** The most frequent values, in the order of their names, so that a profile changes only when its content does. */
function valuesOf(counts: Counts, more: readonly string[] = []): readonly string[] {
  const frequent = Object.entries(counts)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, MOST_VALUES)
    .map(([value]) => value);
  return [...new Set([...frequent, ...more])].sort();
}
