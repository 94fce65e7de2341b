import { type Clock, isoTime } from '../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';
import type { PropertyRecord } from '../../model/records.js';
import { appendChange } from '../service/feed/feed.js';
import type { ServerStore } from '../store/server-store.js';

/** The name of what was removed for good. */
export const ERASED = '(removed)';
/** Properties of one transaction. */
const PAGE_SIZE = 100;

/**
 * Empties the properties of a publisher, some in each transaction, which the feed tells as stale: name, identifiers and tags go. Returns how
 * many events that took.
 */
export async function eraseProperties(
  { clock, store }: { readonly clock: Clock; readonly store: ServerStore },
  domain: string,
  isMeant: (record: PropertyRecord) => boolean = () => true,
): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const page = await store.read.property.ofPublisher(domain, after, PAGE_SIZE);
    const left = page.filter((record) => isMeant(record) && record.name !== ERASED);
    if (left.length > 0) {
      await store.transact(async (tx) => {
        for (const record of left) {
          const payload = emptyRecord(record, isoTime(clock.now()));
          const { property_rid: entity_id } = record;
          await appendChange(tx, clock, { event_type: 'property.stale', entity_id, payload, actor: 'admin:operator' });
        }
      });
      await yieldToEventLoop();
    }
    count += left.length;
    after = page.at(-1)?.property_rid ?? after;
    if (page.length < PAGE_SIZE) return count;
  }
}

function emptyRecord(record: PropertyRecord, updated_at: string): Readonly<Record<string, unknown>> {
  const { classification, property_rid, property_type, publisher_domain, source } = record;
  return {
    property_rid,
    publisher_domain,
    property_id: null,
    property_type,
    name: ERASED,
    classification,
    source,
    identifiers: [{ type: 'domain', value: publisher_domain }],
    tags: [],
    supported_channels: [],
    status: 'stale',
    updated_at,
    reason: 'removed',
  };
}
