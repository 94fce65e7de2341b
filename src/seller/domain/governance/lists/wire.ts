import { HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import { projectMembers } from '../../../../protocol/members.js';
import type { Release } from '../../../../protocol/releases.js';
import type { ListKind } from '../../targeting/lists.js';
import { CACHE_HOURS, type InventoryList, type ListRules } from './inventory-list.js';

/** How each kind of list is written: the list itself, what it is made of, what it holds, and how many. */
export const LIST_WORDS = {
  property: {
    noun: 'property_list',
    base: 'base_properties',
    entries: 'identifiers',
    count: 'property_count',
    event: 'property_list_changed',
  },
  collection: {
    noun: 'collection_list',
    base: 'base_collections',
    entries: 'collections',
    count: 'collection_count',
    event: 'collection_list_changed',
  },
} as const satisfies Readonly<Record<ListKind, object>>;

/** Returns a list as whoever reads it by its token sees it: nothing of its owner. */
export function sharedListWire(list: InventoryList): object {
  const { count, created_at, description, kind, list_id, name, updated_at } = list;
  const cache_duration_hours = CACHE_HOURS[kind];
  return { list_id, name, description, cache_duration_hours, created_at, updated_at, [LIST_WORDS[kind].count]: count };
}

/** Returns a list as its owner sees it in a release, with what it is made of where that is given. */
export function listWire(list: InventoryList, release: Release, rules: ListRules = {}): object {
  const { account_id, brand, kind, subscriber } = list;
  return {
    ...sharedListWire(list),
    account: { account_id },
    [LIST_WORDS[kind].base]: rules.base,
    filters: rules.filters,
    brand: brand && projectMembers('brand', brand, release),
    webhook_url: subscriber?.url,
  };
}

/** Returns until when a reading of a list is good. */
export function cacheValidUntil({ kind }: Pick<InventoryList, 'kind'>, nowMs: number): string {
  return isoTime(nowMs + CACHE_HOURS[kind] * HOUR_MS);
}
