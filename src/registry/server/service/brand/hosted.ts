import { type Clock, isoTime } from '../../../../platform/kernel/clock.js';
import type { Ids } from '../../../../platform/kernel/ids.js';
import type { PropertyIdentifier, PropertyType } from '../../../adagents/types.js';
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
 * Brings the records of a hosted property in line with what was saved, and tells what has changed. What it says of agents is a claim:
 * it is kept with the entry and becomes no authorization. Returns how many events were appended. `contributed` are the properties that members
 * have contributed of the publisher, where they are known already.
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
  // Entries of properties hold properties; the kind in the key says so.
  const { properties } = entry.content as PropertyEntry;
  const before =
    contributed ?? (await listProperties(tx, entry.domain)).filter(({ source }) => source === 'contributed');
  const left = new Map(before.map((record) => [likeness(record.property_type, record.name), record]));
  for (const property of properties) {
    const key = likeness(property.type, property.name);
    const before = left.get(key);
    left.delete(key);
    const record = recordOf(property, entry.domain, before, before?.property_rid ?? registry.ids.uuid(), at);
    if (before === undefined) count += await append(tx, registry, 'property.created', record, actor, {});
    else {
      const changed_fields = CHANGING.filter(
        (field) => JSON.stringify(before[field]) !== JSON.stringify(record[field]),
      );
      if (changed_fields.length > 0) {
        const type =
          before.status === 'stale' && changed_fields.length === 1 ? 'property.reactivated' : 'property.updated';
        count += await append(tx, registry, type, record, actor, { changed_fields });
      }
    }
  }
  for (const record of left.values()) {
    if (record.status === 'stale') continue;
    const gone: PropertyRecord = { ...record, status: 'stale', updated_at: at };
    count += await append(tx, registry, 'property.stale', gone, actor, { reason: 'removed_from_entry' });
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

/** The members that an edit may change of a property that stays the same one. */
const CHANGING = ['identifiers', 'tags', 'status'] as const satisfies readonly (keyof PropertyRecord)[];

function likeness(type: string, name: string): string {
  return JSON.stringify([type, name]);
}

function recordOf(
  { type, name, identifiers, tags = [] }: HostedProperty,
  domain: string,
  before: PropertyRecord | undefined,
  rid: string,
  at: string,
): PropertyRecord {
  return {
    property_rid: rid,
    publisher_domain: domain,
    property_id: null,
    // The route has checked both against the words of adagents.json.
    property_type: type as PropertyType,
    name,
    classification: 'property',
    source: 'contributed',
    identifiers: (identifiers as readonly PropertyIdentifier[] | undefined) ?? [{ type: 'domain', value: domain }],
    tags,
    status: 'active',
    created_at: before?.created_at ?? at,
    updated_at: at,
  };
}

async function append(
  tx: ServerWriter,
  registry: ApplyContext,
  event_type: EventType,
  record: PropertyRecord,
  actor: string,
  more: Readonly<Record<string, unknown>>,
): Promise<number> {
  const payload = { ...record, ...more };
  await appendChange(tx, registry.clock, { event_type, entity_id: record.property_rid, payload, actor });
  return 1;
}
