import { type Clock, isoTime } from '../../../../platform/kernel/clock.js';
import type { Ids } from '../../../../platform/kernel/ids.js';
import type { PropertyIdentifier } from '../../../adagents/types.js';
import type { PropertyRecord } from '../../../model/records.js';
import type { EventType } from '../../../store/fold.js';
import type { ServerReader, ServerWriter } from '../../store/server-store.js';
import { appendChange } from '../feed/feed.js';
import type { Entry, HostedProperty, PropertyEntry } from '../records.js';

/** The parts of the registry that are needed to apply an entry. */
type ApplyContext = { readonly clock: Clock; readonly ids: Ids };

/** Properties of one publisher that are read at a time. */
const PAGE_SIZE = 500;

/**
 * Brings the records of a hosted property in line with what was saved, and returns how many events were appended; what it says of agents
 * is a claim, and no authorization. `contributed` are the publisher's properties that members have contributed, where they are read
 * already.
 */
export async function applyHostedProperties(
  tx: ServerWriter,
  registry: ApplyContext,
  entry: Entry,
  actor: string,
  contributed?: readonly PropertyRecord[],
): Promise<number> {
  let count = 0;
  const at = isoTime(registry.clock.now());
  const append = async (event_type: EventType, record: PropertyRecord, more: object = {}): Promise<void> => {
    const payload = { ...record, ...more };
    await appendChange(tx, registry.clock, { event_type, entity_id: record.property_rid, payload, actor });
    count += 1;
  };
  // Entries of properties hold properties; the kind in the key says so.
  const { properties } = entry.content as PropertyEntry;
  const before =
    contributed ?? (await listProperties(tx, entry.domain)).filter(({ source }) => source === 'contributed');
  const { pairs, rest } = pairProperties(properties, entry.domain, before);
  for (const { before, property } of pairs) {
    const rid = before?.property_rid ?? registry.ids.uuid();
    const record = recordOf(property, { domain: entry.domain, created_at: before?.created_at ?? at, rid, at });
    if (before === undefined) await append('property.created', record);
    else {
      const changed_fields = CHANGING.filter(
        (field) => JSON.stringify(before[field]) !== JSON.stringify(record[field]),
      );
      if (changed_fields.length > 0) {
        const type =
          before.status === 'stale' && changed_fields.length === 1 ? 'property.reactivated' : 'property.updated';
        await append(type, record, { changed_fields });
      }
    }
  }
  for (const record of rest) {
    if (record.status === 'stale') continue;
    const gone: PropertyRecord = { ...record, status: 'stale', updated_at: at };
    await append('property.stale', gone, { reason: 'removed_from_entry' });
  }
  return count;
}

/** Returns every property of a publisher. */
async function listProperties(read: ServerReader, domain: string): Promise<readonly PropertyRecord[]> {
  const properties: PropertyRecord[] = [];
  for (;;) {
    const page = await read.property.ofPublisher(domain, properties.at(-1)?.property_rid ?? '', PAGE_SIZE);
    properties.push(...page);
    if (page.length < PAGE_SIZE) return properties;
  }
}

/** Properties as they were saved, each with the record that it goes on, and the records that none goes on. */
type Pairing = {
  readonly pairs: readonly { readonly property: HostedProperty; readonly before: PropertyRecord | undefined }[];
  readonly rest: readonly PropertyRecord[];
};

/** Pairs properties with records: by type, name and identifiers first, then by type and name in their order; active records first. */
function pairProperties(
  properties: readonly HostedProperty[],
  domain: string,
  records: readonly PropertyRecord[],
): Pairing {
  const left = new Set([...records].sort((one, other) => one.status.localeCompare(other.status)));
  const paired = new Map<number, PropertyRecord>();
  for (const isWhole of [true, false]) {
    const byKey = new Map<string, PropertyRecord[]>();
    for (const record of left) {
      const { identifiers, name, property_type } = record;
      const key = likenessOf(property_type, name, isWhole ? identifiers : []);
      byKey.set(key, [...(byKey.get(key) ?? []), record]);
    }
    for (const [at, { identifiers, name, type }] of properties.entries()) {
      if (paired.has(at)) continue;
      const whole = identifiers ?? ownIdentifiers(domain);
      const record = byKey.get(likenessOf(type, name, isWhole ? whole : []))?.shift();
      if (record === undefined) continue;
      paired.set(at, record);
      left.delete(record);
    }
  }
  return { pairs: properties.map((property, at) => ({ property, before: paired.get(at) })), rest: [...left] };
}

/** Returns the identifiers of a property that was saved without any. */
function ownIdentifiers(domain: string): readonly PropertyIdentifier[] {
  return [{ type: 'domain', value: domain }];
}

/** The members that an edit may change of a property that stays the same one. */
const CHANGING = ['identifiers', 'tags', 'status'] as const satisfies readonly (keyof PropertyRecord)[];

function likenessOf(type: string, name: string, identifiers: HostedProperty['identifiers'] = []): string {
  return JSON.stringify([type, name, identifiers.map(({ type: kind, value }) => [kind, value])]);
}

/** Whose a record is, and when it was written first and last. */
type RecordOrigin = {
  readonly domain: string;
  readonly rid: string;
  readonly created_at: string;
  readonly at: string;
};

function recordOf(
  { type, name, identifiers, tags = [] }: HostedProperty,
  { domain, rid, created_at, at }: RecordOrigin,
): PropertyRecord {
  return {
    property_rid: rid,
    publisher_domain: domain,
    property_id: null,
    property_type: type,
    name,
    classification: 'property',
    source: 'contributed',
    // The route has checked their types against the words of adagents.json.
    identifiers: (identifiers as readonly PropertyIdentifier[] | undefined) ?? ownIdentifiers(domain),
    tags,
    status: 'active',
    created_at,
    updated_at: at,
  };
}
