import { isDeepStrictEqual } from 'node:util';
import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import type { AuthorizationRecord, CollectionRecord, PropertyRecord } from '../../../model/records.js';
import type { EventDraft } from '../../service/feed/feed.js';
import { matchRecords } from './match-records.js';
import type { AuthorizationDraft, Projection, PropertyDraft } from './projection.js';

/** The records of a publisher. */
export type HeldRecords = {
  readonly properties: readonly PropertyRecord[];
  readonly collections: readonly CollectionRecord[];
  readonly authorizations: readonly AuthorizationRecord[];
};

/** The way from the records of a publisher to those of its file now. */
export type Reconciled = {
  /** In the order in which they are appended; empty when nothing visible changed. */
  readonly events: readonly EventDraft[];
  /** The records afterwards. */
  readonly held: HeldRecords;
};

/** The values that a reconciliation takes from outside. */
type ReconcileOptions = {
  readonly uuid: () => string;
  /** ISO 8601. */
  readonly now: string;
  readonly actor: string;
  /** The reason that properties which the file no longer lists are stale. */
  readonly reason: string;
};

/**
 * Returns the events between the records of a publisher and its file now: an unchanged file makes none. A
 * property that is gone is stale and comes back as itself; two that have become one are merged; a row that stays visible is modified.
 */
export function reconcile(held: HeldRecords, target: Projection, options: ReconcileOptions): Reconciled {
  const properties = reconcileProperties(held.properties, target, options);
  const collections = reconcileCollections(held.collections, target, options);
  const authorizations = reconcileRows(held.authorizations, target, properties, options);
  return {
    events: [...properties.events, ...collections.events, ...authorizations.events],
    held: {
      properties: properties.held,
      collections: collections.held,
      authorizations: authorizations.held,
    },
  };
}

/** The properties of a publisher under reconciliation: the records afterwards, and the events on the way there. */
class PropertyReconciliation {
  readonly #target: Projection;
  readonly #options: ReconcileOptions;
  readonly events: EventDraft[] = [];
  readonly held: PropertyRecord[] = [];
  /** The record of each property of the file. */
  readonly records = new Map<PropertyDraft, PropertyRecord>();
  /** Rids that were merged into others. */
  readonly aliases = new Map<string, string>();

  constructor(target: Projection, options: ReconcileOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Makes a property of the file a record: the one that it was before, or a new one. */
  adopt(draft: PropertyDraft, before: PropertyRecord | undefined): void {
    const { now, uuid } = this.#options;
    const content = { ...draft, source: 'authoritative' } as const;
    const fields = before === undefined ? [] : changedFields(before, content, PROPERTY_FIELDS);
    const isSame = before?.status === 'active' && fields.length === 0;
    const record: PropertyRecord = isSame
      ? before
      : {
          property_rid: before?.property_rid ?? uuid(),
          publisher_domain: this.#target.publisherDomain,
          ...content,
          classification: before?.classification ?? 'property',
          status: 'active',
          created_at: before?.created_at ?? now,
          updated_at: now,
        };
    this.records.set(draft, record);
    this.held.push(record);
    if (isSame) return;
    const property = wireProperty(record);
    if (before === undefined) this.#append('property.created', record, { property });
    else if (before.status === 'stale') this.#append('property.reactivated', record, { property, reactivated_at: now });
    else this.#append('property.updated', record, { property, changed_fields: fields });
  }

  /** Makes the rid of a record an alias of the property that it has become part of. */
  merge(alias: PropertyRecord, into: PropertyDraft): void {
    const canonical_rid = this.records.get(into)?.property_rid;
    if (canonical_rid === undefined) return;
    this.aliases.set(alias.property_rid, canonical_rid);
    const payload = { alias_rid: alias.property_rid, canonical_rid, evidence: 'adagents_json' };
    const { actor } = this.#options;
    this.events.push({ event_type: 'property.merged', entity_id: alias.property_rid, payload, actor });
  }

  /** Makes a record that the file no longer lists stale. */
  retire(record: PropertyRecord): void {
    const { now, reason } = this.#options;
    // A contributed property stays until the publisher speaks for itself, or the operator keeps it out.
    const isOthers = record.source !== 'authoritative' && this.#target.standing === 'none' && reason !== 'blocked';
    if (record.status === 'stale' || isOthers) {
      this.held.push(record);
      return;
    }
    const last_resolved_at = record.updated_at ?? now;
    const stale: PropertyRecord = { ...record, status: 'stale', last_resolved_at, updated_at: now };
    this.held.push(stale);
    this.#append('property.stale', stale, { reason });
  }

  #append(event_type: EventDraft['event_type'], record: PropertyRecord, more: object): void {
    const payload = { ...record, ...more };
    this.events.push({ event_type, entity_id: record.property_rid, payload, actor: this.#options.actor });
  }
}

function reconcileProperties(
  held: readonly PropertyRecord[],
  target: Projection,
  options: ReconcileOptions,
): PropertyReconciliation {
  const { pairs, merged, lost } = matchRecords(held, target.properties, {
    stored: ({ property_rid, property_id, identifiers }) => ({
      rid: property_rid,
      id: property_id,
      keys: keysOf(identifiers),
    }),
    draft: ({ property_id, identifiers }) => ({ id: property_id, keys: keysOf(identifiers) }),
  });
  const properties = new PropertyReconciliation(target, options);
  let room = MAX_HELD_PROPERTIES - held.length;
  for (const { draft, stored } of pairs) {
    if (stored === undefined && room <= 0) continue;
    if (stored === undefined) room -= 1;
    properties.adopt(draft, stored);
  }
  for (const { alias, into } of merged) properties.merge(alias, into);
  for (const record of lost) properties.retire(record);
  return properties;
}

function reconcileCollections(held: readonly CollectionRecord[], target: Projection, options: ReconcileOptions) {
  const { actor, now, uuid } = options;
  const { pairs, merged, lost } = matchCollections(held, target);
  const events: EventDraft[] = [];
  const records: CollectionRecord[] = [];
  const ridOf = new Map<object, string>();
  for (const { draft, stored } of pairs) {
    const fields = stored === undefined ? [] : changedFields(stored, draft, COLLECTION_FIELDS);
    const record: CollectionRecord =
      stored !== undefined && fields.length === 0
        ? stored
        : {
            collection_rid: stored?.collection_rid ?? uuid(),
            publisher_domain: target.publisherDomain,
            ...draft,
            source: 'authoritative',
            status: 'active',
            created_at: stored?.created_at ?? now,
            updated_at: now,
          };
    ridOf.set(draft, record.collection_rid);
    records.push(record);
    if (record === stored) continue;
    const isNew = stored === undefined;
    const event_type = isNew ? 'collection.created' : 'collection.updated';
    const payload = isNew ? record : { ...record, changed_fields: fields };
    events.push({ event_type, entity_id: record.collection_rid, payload, actor });
  }
  for (const { alias, into } of merged) {
    const canonical_rid = ridOf.get(into);
    const entity_id = alias.collection_rid;
    const payload = { alias_rid: entity_id, canonical_rid, evidence: 'adagents_json' };
    events.push({ event_type: 'collection.merged', entity_id, payload, actor });
  }
  for (const record of lost) {
    const payload = { ...record, status: 'removed' };
    events.push({ event_type: 'collection.removed', entity_id: record.collection_rid, payload, actor });
  }
  return { events, held: records };
}

function matchCollections(held: readonly CollectionRecord[], { collections }: Projection) {
  const keys = ({ identifiers }: Pick<CollectionRecord, 'identifiers'>): readonly string[] =>
    identifiers.map(({ publisher_domain, type, value }) => `${publisher_domain} ${type} ${value}`);
  return matchRecords(held, collections, {
    stored: (record) => ({ rid: record.collection_rid, id: record.collection_id, keys: keys(record) }),
    draft: (draft) => ({ id: draft.collection_id, keys: keys(draft) }),
  });
}

/** Matches rows of the same agent, kind and property: those that say the same first, the others in their order. */
function reconcileRows(
  held: readonly AuthorizationRecord[],
  target: Projection,
  { aliases, records: recordOf }: PropertyReconciliation,
  options: ReconcileOptions,
) {
  const { now, uuid } = options;
  const free = groupRows(held, aliases);
  // A row for a property that found no room is for nothing; without its property it would be for all.
  const drafts = target.authorizations.filter(({ property }) => property === undefined || recordOf.has(property));
  const wanted = drafts.map((draft) => {
    const { property, ...row } = draft;
    const record = property && recordOf.get(property);
    const content = {
      ...row,
      property_rid: record?.property_rid ?? null,
      property_id_slug: record?.property_id ?? null,
    };
    const key = rowKey(draft, content.property_rid);
    return { content, key, same: takeFrom(free.get(key), canonicalHash(content)) };
  });
  const events: { readonly rank: number; readonly event: EventDraft }[] = [];
  const append = (rank: number, event_type: EventDraft['event_type'], record: AuthorizationRecord): void => {
    events.push({ rank, event: { event_type, entity_id: record.id, payload: wireRow(record), actor: options.actor } });
  };
  const records = wanted.map(({ content, key, same }) => {
    if (same !== undefined) return same;
    const other = takeFrom(free.get(key));
    const record = { id: other?.id ?? uuid(), ...content, created_at: other?.created_at ?? now, updated_at: now };
    append(
      other === undefined ? 2 : 1,
      other === undefined ? 'authorization.granted' : 'authorization.modified',
      record,
    );
    return record;
  });
  for (const alike of free.values()) {
    for (const record of [...alike.values()].flat()) append(0, 'authorization.revoked', record);
  }
  // Readers that know an agent's rows by their kind alone lose all of them with one: what is there is told after what is gone.
  const ordered = events.sort((one, other) => one.rank - other.rank).map(({ event }) => event);
  return { events: ordered, held: records };
}

/** Returns rows by agent, kind and property, and for each of these by what they say; an alias stands for its property. */
function groupRows(
  held: readonly AuthorizationRecord[],
  aliases: PropertyReconciliation['aliases'],
): Map<string, Map<string, AuthorizationRecord[]>> {
  const groups = new Map<string, Map<string, AuthorizationRecord[]>>();
  for (const record of held) {
    const rid = record.property_rid;
    const key = rowKey(record, rid === null ? null : (aliases.get(rid) ?? rid));
    const alike = groups.get(key) ?? new Map<string, AuthorizationRecord[]>();
    groups.set(key, alike);
    const text = canonicalHash(rowContent(record));
    const same = alike.get(text);
    if (same === undefined) alike.set(text, [record]);
    else same.push(record);
  }
  return groups;
}

/** Properties of one publisher that are held, stale ones among them. What is beyond is authorized for nobody. */
const MAX_HELD_PROPERTIES = 250_000;

const PROPERTY_FIELDS = [
  'property_id',
  'property_type',
  'name',
  'identifiers',
  'tags',
  'supported_channels',
  'inline',
  'source',
] as const;
/** The kind stands in the collection itself. */
const COLLECTION_FIELDS = ['collection_id', 'name', 'identifiers', 'collection'] as const;

function changedFields<K extends string>(
  stored: Readonly<Partial<Record<K, unknown>>>,
  draft: Readonly<Partial<Record<K, unknown>>>,
  fields: readonly K[],
): readonly K[] {
  return fields.filter((field) => !isDeepStrictEqual(stored[field], draft[field]));
}

function keysOf(identifiers: PropertyRecord['identifiers']): readonly string[] {
  return identifiers.map(({ type, value }) => `${type} ${value}`);
}

/** Returns a property as adagents.json writes it, for readers of the payload's `property`. */
function wireProperty(record: PropertyRecord): object {
  const { identifiers, name, property_id, property_type, publisher_domain, supported_channels, tags } = record;
  return {
    ...(property_id === null ? {} : { property_id }),
    property_type,
    name,
    identifiers,
    ...(tags.length > 0 && { tags }),
    ...(supported_channels && { supported_channels }),
    publisher_domain,
  };
}

/** Returns a row with the members that adagents.json has for its kind, beside the selectors of the record. */
function wireRow(record: AuthorizationRecord): Readonly<Record<string, unknown>> {
  const [first] = record.selectors ?? [];
  switch (record.authorization_type) {
    case 'property_ids':
      return first?.selection_type === 'by_id' && first.property_ids.length > 0
        ? { ...record, property_ids: first.property_ids }
        : record;
    case 'property_tags':
      return first?.selection_type === 'by_tag' ? { ...record, property_tags: first.property_tags } : record;
    case 'publisher_properties': {
      const { publisher_domain, selectors = [{ selection_type: 'all' } as const] } = record;
      const meaningful = selectors.filter((one) => one.selection_type !== 'by_id' || one.property_ids.length > 0);
      return meaningful.length === 0
        ? record
        : { ...record, publisher_properties: meaningful.map((one) => ({ publisher_domain, ...one })) };
    }
    default:
      return record;
  }
}

function rowKey(
  { agent_url_canonical, authorization_type }: Pick<AuthorizationDraft, 'agent_url_canonical' | 'authorization_type'>,
  rid: string | null,
): string {
  return `${agent_url_canonical} ${authorization_type} ${rid ?? ''}`;
}

/** Returns the content of a row, without what the registry adds to it. */
function rowContent({ id: _id, created_at: _created, updated_at: _updated, ...content }: AuthorizationRecord): object {
  return content;
}

/** Takes the record that says this, or the first of those that are left. */
function takeFrom(
  alike: Map<string, AuthorizationRecord[]> | undefined,
  text = alike?.keys().next().value,
): AuthorizationRecord | undefined {
  if (alike === undefined || text === undefined) return undefined;
  const records = alike.get(text);
  const record = records?.pop();
  if (records?.length === 0) alike.delete(text);
  return record;
}
