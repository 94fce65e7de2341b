import type { AuthorizationRecord, InventoryProfile, PropertyRecord } from '../../../../model/records.js';
import type { DeclaredOffer } from '../reading.js';
import { Inventory, ValueCounts } from './inventory.js';

/** How often each value stands. */
type Counts = Readonly<Record<string, number>>;

/** The inventory of one publisher that an agent may sell. */
export type InventoryShare = {
  readonly properties: number;
  readonly property_types: Counts;
  readonly channels: Counts;
  readonly markets: Counts;
  readonly tags: Counts;
};

/** The inventory of all publishers that an agent may sell: its shares added up. */
export type InventoryTotals = InventoryShare & { readonly publishers: number };

const DIMENSIONS = ['property_types', 'channels', 'markets', 'tags'] as const;

/** Nothing. */
export const NO_INVENTORY: InventoryTotals = {
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

/** Values of a dimension that a profile shows. */
const MAX_VALUES = 200;

/**
 * Returns what each agent may sell of a publisher, by its canonical URL: every active property that one of its rows
 * covers, whatever else limits the row. An agent with rows that cover nothing has an empty share.
 */
export function countShares(
  rows: readonly AuthorizationRecord[],
  properties: readonly PropertyRecord[],
): Readonly<Record<string, InventoryShare>> {
  const inventory = new Inventory();
  const [types, channels, tags] = [new ValueCounts(), new ValueCounts(), new ValueCounts()];
  for (const property of properties) {
    if (!inventory.add(property)) continue;
    types.add([property.property_type]);
    channels.add(channelsOf(property));
    tags.add(property.tags);
  }
  const byAgent = new Map<string, AuthorizationRecord[]>();
  for (const row of rows) {
    const own = byAgent.get(row.agent_url_canonical);
    if (own === undefined) byAgent.set(row.agent_url_canonical, [row]);
    else own.push(row);
  }
  // Most agents of a large file sell the same of it as others do.
  const counted = new Map<string, Omit<InventoryShare, 'markets'>>();
  const shares = [...byAgent].map(([url, own]): [string, InventoryShare] => {
    const covered = inventory.emptySet();
    for (const row of own) inventory.cover(row, covered);
    const key = covered.key();
    const counts = counted.get(key) ?? {
      properties: covered.count(),
      property_types: types.countAt(covered),
      channels: channels.countAt(covered),
      tags: tags.countAt(covered),
    };
    counted.set(key, counts);
    return [url, { ...counts, markets: countOf(new Set(own.flatMap(({ countries }) => countries ?? []))) }];
  });
  return Object.fromEntries(shares);
}

/** Returns a tally with one publisher's share in the place of another. */
export function replaceShare(
  tally: InventoryTotals,
  before: InventoryShare | undefined,
  after: InventoryShare | undefined,
): InventoryTotals {
  return {
    publishers: tally.publishers + Number(after !== undefined) - Number(before !== undefined),
    properties: tally.properties + (after?.properties ?? 0) - (before?.properties ?? 0),
    ...(Object.fromEntries(
      DIMENSIONS.map((dimension) => [
        dimension,
        mergeCounts(tally[dimension], before?.[dimension], after?.[dimension]),
      ]),
    ) as Pick<InventoryShare, (typeof DIMENSIONS)[number]>),
  };
}

/** Returns the inventory profile of an agent: what publishers authorize, and what it declares itself. */
export function buildProfile(tally: InventoryTotals, offer: DeclaredOffer | undefined): InventoryProfile {
  return {
    channels: valuesOf(tally.channels, offer?.channels),
    property_types: valuesOf(tally.property_types),
    markets: valuesOf(tally.markets, offer?.markets),
    categories: valuesOf({}, offer?.categories),
    category_taxonomy: null,
    tags: valuesOf(tally.tags),
    delivery_types: valuesOf({}, offer?.delivery_types),
    format_ids: offer?.format_ids ?? [],
    format_kinds: offer?.format_kinds ?? [],
    property_count: tally.properties,
    publisher_count: tally.publishers,
    has_tmp: offer?.has_tmp ?? false,
  };
}

function channelsOf({ property_type, supported_channels }: PropertyRecord): readonly string[] {
  const usual = USUAL_CHANNELS[property_type];
  return supported_channels ?? (usual === undefined ? [] : [usual]);
}

function countOf(values: ReadonlySet<string>): Counts {
  return Object.fromEntries([...values].map((value) => [value, 1]));
}

function mergeCounts(counts: Counts, before: Counts = {}, after: Counts = {}): Counts {
  const sums = new Map(Object.entries(counts));
  for (const [value, count] of Object.entries(before)) sums.set(value, (sums.get(value) ?? 0) - count);
  for (const [value, count] of Object.entries(after)) sums.set(value, (sums.get(value) ?? 0) + count);
  return Object.fromEntries([...sums].filter(([, count]) => count > 0));
}

/** Returns the most frequent values, in the order of their names, so that a profile changes only when its content does. */
function valuesOf(counts: Counts, more: readonly string[] = []): readonly string[] {
  const frequent = Object.entries(counts)
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([value]) => value);
  return [...new Set([...frequent, ...more])].sort();
}
