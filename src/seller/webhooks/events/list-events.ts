import type { InventoryList } from '../../domain/governance/lists/inventory-list.js';
import { cacheValidUntil, LIST_WORDS } from '../../domain/governance/lists/wire.js';
import { readOwner } from '../../domain/tenant/principal.js';
import type { Writer } from '../../store/store.js';
import { channelOf } from '../delivery/channel.js';
import type { Outbox } from '../outbox.js';
import { listChangeBody } from './payloads.js';

/** A change of what a list holds: how many entries came and went, and when. */
export type ListChange = { readonly added: number; readonly removed: number; readonly nowMs: number };

/** Tells the subscriber of a list that it holds something else, in the transaction that stores it; nothing where there is none. */
export type AnnounceListChange = (tx: Writer, owner: string, list: InventoryList, change: ListChange) => Promise<void>;

/** Makes the events of lists over an outbox. */
export function createListEvents(outbox: Pick<Outbox, 'post'>): AnnounceListChange {
  return async (tx, owner, list, { added, removed, nowMs }) => {
    const { count: total, kind, list_id, name: list_name, resolved_at, subscriber } = list;
    if (subscriber === undefined) return;
    const { event } = LIST_WORDS[kind];
    const change = { list_id, list_name, added, removed, total, resolved_at };
    await outbox.post(tx, {
      owner,
      tenant: readOwner(owner).tenant,
      channel: channelOf({ url: subscriber.url }, subscriber.local),
      notificationType: event,
      body: (key) => listChangeBody(key, event, { ...change, cache_valid_until: cacheValidUntil(list, nowMs) }),
    });
  };
}
