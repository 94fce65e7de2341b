import { isoTime } from '../../../../platform/kernel/clock.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { publisherDomain } from '../../../model/domains.js';
import { propertyOf } from '../../../model/event-payloads.js';
import type { PropertyRecord } from '../../../model/records.js';
import { unreadState } from '../../crawl/operate.js';
import type { ServerWriter } from '../../store/server-store.js';
import { isBlocked } from '../blocks/find.js';
import { appendChange } from '../feed/feed.js';
import { entryKey } from '../records.js';
import type { Registry } from '../registry.js';

/** Rows of another registry's snapshot: domains that it names as publishers, and its properties as JSON texts. */
type SnapshotRows = { readonly domains: readonly string[]; readonly properties: readonly string[] };

/** The outcome of taking rows in. */
type SnapshotOutcome = {
  /** Properties that are listed as contributed, not verified, from now on. */
  readonly held: number;
  /** Properties of publishers of which this registry has a better word: their file, a member's entry, or the property itself. */
  readonly present: number;
  /** Publishers that are read with the next rounds. */
  readonly due: number;
  readonly refused: readonly { readonly subject: string; readonly reason: 'blocked' | 'stale' | 'unreadable' }[];
};

const MAX_SUBJECT_CHARACTERS = 100;
const RID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Takes rows of another registry's snapshot in, as hearsay: a property is listed as contributed until its publisher's own file is read, which
 * is due with the next rounds, and nothing of them authorizes anybody. What this registry knows already is not changed.
 */
export async function importSnapshot(
  { clock, ids, store }: Registry,
  { domains, properties }: SnapshotRows,
  actor: string,
): Promise<SnapshotOutcome> {
  const nowMs = clock.now();
  const now = isoTime(nowMs);
  return store.transact(async (tx) => {
    const refused: SnapshotOutcome['refused'][number][] = [];
    const publishers = new Set(domains.map(publisherDomain));
    let [held, present, due] = [0, 0, 0];
    for (const text of properties) {
      const record = readProperty(text, now);
      const reason = await findFault(tx, record);
      if (record === undefined || reason !== undefined) {
        const subject = record?.property_rid ?? text.slice(0, MAX_SUBJECT_CHARACTERS);
        refused.push({ subject, reason: reason ?? 'unreadable' });
        continue;
      }
      publishers.add(record.publisher_domain);
      const property_rid = RID.test(record.property_rid) ? record.property_rid : ids.uuid();
      if (await isPresent(tx, record.publisher_domain, property_rid)) {
        present += 1;
        continue;
      }
      const dates = { created_at: now, updated_at: now };
      const payload = { ...record, property_rid, ...HEARSAY, ...dates };
      await appendChange(tx, clock, { event_type: 'property.created', entity_id: property_rid, payload, actor });
      held += 1;
    }
    for (const domain of publishers) {
      if (await isBlocked(tx, 'domain', domain)) refused.push({ subject: domain, reason: 'blocked' });
      else if ((await tx.crawl.findState(domain)) === undefined) {
        await tx.crawl.saveState({ ...unreadState(domain), dueAt: nowMs });
        due += 1;
      }
    }
    return { held, present, due, refused };
  });
}

/** The members of a property that another registry does not decide here. */
const HEARSAY = { source: 'contributed', classification: 'property' } as const satisfies Partial<PropertyRecord>;

/** Returns the property of a row; undefined for one that cannot be read. */
function readProperty(text: string, now: string): PropertyRecord | undefined {
  try {
    const row: unknown = JSON.parse(text);
    const record = isObject(row) ? propertyOf(row, undefined, now) : undefined;
    return record !== undefined && record.identifiers.length > 0 ? record : undefined;
  } catch {
    return undefined;
  }
}

async function findFault(
  tx: ServerWriter,
  record: PropertyRecord | undefined,
): Promise<SnapshotOutcome['refused'][number]['reason'] | undefined> {
  if (record === undefined) return 'unreadable';
  if (record.status === 'stale') return 'stale';
  return (await isBlocked(tx, 'domain', record.publisher_domain)) ? 'blocked' : undefined;
}

async function isPresent(tx: ServerWriter, domain: string, rid: string): Promise<boolean> {
  if ((await tx.publisher.find(domain))?.adagents_valid === true) return true;
  if ((await tx.entry.find(entryKey('property', domain))) !== undefined) return true;
  return (await tx.property.find(rid)) !== undefined || (await tx.links.canonicalOf(rid)) !== undefined;
}
