import { systemIds } from '../../../../platform/kernel/ids.js';
import type { AuthorizationRecord, CollectionRecord, PropertyRecord } from '../../../model/records.js';
import type { EventDraft } from '../../service/feed/feed.js';
import { type CrawledRows, unpackCrawledRows } from '../files/crawled-file.js';
import { type PackedRows, packRows, unpackRows } from '../files/packed-rows.js';
import { type HeldRecords, reconcile } from './reconcile.js';

/** Every record of a publisher, packed. */
export type PackedRecords = {
  readonly properties: PackedRows<PropertyRecord>;
  readonly collections: PackedRows<CollectionRecord>;
  readonly authorizations: PackedRows<AuthorizationRecord>;
};

/** The changes that make the records of a publisher those of its file, computed in another thread: plain data. */
export type FileChanges = {
  /** In the order in which they are appended. */
  readonly events: PackedRows<EventDraft>;
  /** How many active properties and collections there are afterwards. */
  readonly propertyCount: number;
  readonly collectionCount: number;
  readonly propertiesAdded: number;
  readonly propertiesRemoved: number;
  /** Canonical URLs of the agents that rows name: before and afterwards. */
  readonly agentsBefore: readonly string[];
  readonly agentsAfter: readonly string[];
  /** The properties that members have contributed of the publisher, where it has no file of its own. */
  readonly contributed: readonly PropertyRecord[];
};

/** The values that the computation takes from outside. */
export type FileChangesOptions = {
  /** Milliseconds. */
  readonly nowMs: number;
  readonly actor: string;
  /** Why properties that the file no longer lists are stale. */
  readonly reason: string;
};

/** Computes the changes that make the records of a publisher those of its file. */
export function computeFileChanges(
  crawled: CrawledRows,
  packed: PackedRecords,
  options: FileChangesOptions,
): FileChanges {
  const { actor, nowMs, reason } = options;
  const held: HeldRecords = {
    properties: unpackRows(packed.properties),
    collections: unpackRows(packed.collections),
    authorizations: unpackRows(packed.authorizations),
  };
  const target = unpackCrawledRows(crawled);
  const now = new Date(nowMs).toISOString();
  const { events, held: next } = reconcile(held, target, { uuid: systemIds.uuid7, now, actor, reason });
  const [before, after] = [activeRids(held), activeRids(next)];
  const isNone = target.standing === 'none';
  return {
    events: packRows(events),
    propertyCount: after.size,
    collectionCount: next.collections.length,
    propertiesAdded: countMissing(after, before),
    propertiesRemoved: countMissing(before, after),
    agentsBefore: urlsOf(held),
    agentsAfter: urlsOf(next),
    contributed: isNone ? next.properties.filter(({ source }) => source === 'contributed') : [],
  };
}

function activeRids({ properties }: HeldRecords): ReadonlySet<string> {
  return new Set(properties.filter(({ status }) => status === 'active').map(({ property_rid }) => property_rid));
}

/** Returns how many of the ones are not among the others. */
function countMissing(ones: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...ones].filter((one) => !others.has(one)).length;
}

function urlsOf({ authorizations }: HeldRecords): readonly string[] {
  return [...new Set(authorizations.map(({ agent_url_canonical }) => agent_url_canonical))];
}
