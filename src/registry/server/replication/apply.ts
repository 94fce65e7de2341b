import { yieldToEventLoop } from '../../../platform/kernel/event-loop.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { NOUNS, type Noun, type Records, type RegistryEvent } from '../../model/records.js';
import { fold, readEvent } from '../../store/fold.js';
import type { RecordWrites } from '../../store/records.js';
import { SERVICE_RECORD_KINDS, type ServiceRecordKind } from '../../store/schema/schema.js';
import type { AssessmentState } from '../assessment/records.js';
import type { AgentTotals, CrawlRequest, CrawlState, InventoryShare, Visit } from '../crawl/records.js';
import type { Entry, ServiceRecords } from '../service/records.js';
import { CRAWL_KINDS, REPLICATED_KINDS, type ReplicatedKind, readShareKey } from '../store/replication.js';
import type { ServerStore, ServerWriter } from '../store/server-store.js';
import type { ServiceWriter } from '../store/service.js';
import { BEGUN_KINDS, type BegunKind } from './cursor.js';
import { type MirrorState, saveMirror } from './epoch.js';

/** A row as the primary has it: without a record it is gone there. */
type ReplicaRow = {
  readonly kind: ReplicatedKind;
  readonly id: string;
  readonly record: Readonly<Record<string, unknown>> | undefined;
  /** What the row of a noun stands at. */
  readonly position: string | undefined;
};

/** A page of a primary, as far as a mirror needs it. */
type ReplicaPage = {
  readonly range: { readonly kind: BegunKind; readonly after: string; readonly through: string | null } | undefined;
  readonly rows: readonly ReplicaRow[];
  readonly events: readonly RegistryEvent[];
  readonly feedFloor: string | undefined;
};

/** Rows of one transaction: few, so that nobody waits long for it. */
const ROWS_AT_A_TIME = 50;

/** Reads a page that a primary sent. Throws an error for one that is none: nothing of it is taken over. */
export function readReplicaPage({ events, feed_floor, range, rows }: Readonly<Record<string, unknown>>): ReplicaPage {
  if (!Array.isArray(rows) || !Array.isArray(events)) throw createUnreadable('it has no rows');
  return {
    range: range === null ? undefined : readRange(range),
    rows: (rows as readonly unknown[]).map(readRow),
    events: (events as readonly unknown[]).map((one) => {
      const event = readEvent(one);
      if (event === undefined) throw createUnreadable('an event of it cannot be read');
      return event;
    }),
    feedFloor: typeof feed_floor === 'string' ? feed_floor : undefined,
  };
}

function readRange(range: unknown): ReplicaPage['range'] {
  const { after, kind, through } = isObject(range) ? range : {};
  const begunKind = BEGUN_KINDS.find((one) => one === kind);
  if (begunKind === undefined || typeof after !== 'string' || (through !== null && typeof through !== 'string')) {
    throw createUnreadable('its range cannot be read');
  }
  return { kind: begunKind, after, through };
}

function readRow(row: unknown): ReplicaRow {
  const { doc, event_id, id, kind } = isObject(row) ? row : {};
  const replicatedKind = REPLICATED_KINDS.find((one) => one === kind);
  if (replicatedKind === undefined || typeof id !== 'string' || (doc !== null && !isObject(doc))) {
    throw createUnreadable('a row of it cannot be read; both have to be of one version');
  }
  return {
    kind: replicatedKind,
    id,
    record: doc ?? undefined,
    position: typeof event_id === 'string' ? event_id : undefined,
  };
}

function createUnreadable(why: string): Error {
  return new Error(`the primary sent no page: ${why}`);
}

/**
 * Takes a page over, some rows at a time, and in the last transaction where the mirror stands then. What was taken over before a crash
 * is taken over again from the same place, and comes to the same.
 */
export async function applyPage(store: ServerStore, page: ReplicaPage, state: MirrorState): Promise<void> {
  const { events, range, rows } = page;
  const changes: Change[] = [];
  if (range?.kind === 'event') {
    changes.push(
      ...(await eventsToDrop(store, range, events)),
      ...events.map(
        (event): Change =>
          (tx) =>
            append(tx, event),
      ),
    );
  } else {
    if (range !== undefined) changes.push(...(await rowsToDrop(store, { ...range, kind: range.kind }, rows)));
    // A record that stands at an event is not ahead of the feed: the events come first.
    changes.push(
      ...events.map(
        (event): Change =>
          (tx) =>
            appendAndFold(tx, event),
      ),
    );
    changes.push(
      ...rows.map(
        (row): Change =>
          (tx) =>
            writeRow(tx, row),
      ),
    );
  }
  for (let from = 0; from < changes.length; from += ROWS_AT_A_TIME) {
    const part = changes.slice(from, from + ROWS_AT_A_TIME);
    await store.transact(async (tx) => {
      for (const change of part) await change(tx);
    });
    await yieldToEventLoop();
  }
  await store.transact(async (tx) => {
    await moveFloor(tx, page.feedFloor);
    await saveMirror(tx, state);
  });
}

type Change = (tx: ServerWriter) => Promise<void>;

type Between = { readonly after: string; readonly through: string | null };

/** Returns the removal of what a range has here and not at the primary. */
async function rowsToDrop(
  { read }: ServerStore,
  { after, kind, through }: Between & { readonly kind: ReplicatedKind },
  rows: readonly ReplicaRow[],
): Promise<readonly Change[]> {
  const there = new Set(rows.flatMap((row) => (row.kind === kind ? [row.id] : [])));
  const changes: Change[] = [];
  for (let last = after; ; ) {
    const page = await read.replication.page(kind, last, PAGE);
    for (const { id } of page) {
      if (through !== null && id > through) return changes;
      if (!there.has(id)) changes.push((tx) => writeRow(tx, { kind, id, record: undefined, position: undefined }));
    }
    last = page.at(-1)?.id ?? last;
    if (page.length < PAGE) return changes;
  }
}

const PAGE = 500;

async function eventsToDrop(
  { read }: ServerStore,
  { after, through }: Between,
  events: readonly RegistryEvent[],
): Promise<readonly Change[]> {
  const there = new Set(events.map(({ event_id }) => event_id));
  const changes: Change[] = [];
  for (let last = after; ; ) {
    const page = await read.events.texts(last, PAGE);
    for (const { event_id } of page) {
      if (through !== null && event_id > through) return changes;
      if (!there.has(event_id)) changes.push((tx) => tx.events.drop(event_id));
    }
    last = page.at(-1)?.event_id ?? last;
    if (page.length < PAGE) return changes;
  }
}

async function append(tx: ServerWriter, event: RegistryEvent): Promise<void> {
  if ((await tx.events.find(event.event_id)) === undefined) await tx.events.append([event]);
}

async function appendAndFold(tx: ServerWriter, event: RegistryEvent): Promise<void> {
  await append(tx, event);
  await fold(tx, event);
}

/** Forgets of the feed what the primary has forgotten. */
async function moveFloor(tx: ServerWriter, floor: string | undefined): Promise<void> {
  if (floor === undefined || floor === (await tx.crawl.findFeedFloor())) return;
  await tx.events.pruneThrough(floor);
  await tx.crawl.setFeedFloor(floor);
}

const KINDS_OF_NOUNS: ReadonlySet<string> = new Set(NOUNS);
const KINDS_OF_SERVICE: ReadonlySet<string> = new Set(SERVICE_RECORD_KINDS);
const KINDS_OF_CRAWL: ReadonlySet<string> = new Set(CRAWL_KINDS);

async function writeRow(tx: ServerWriter, row: ReplicaRow): Promise<void> {
  const stored = await tx.replication.find(row.kind, row.id);
  if (isSame(stored, row)) return;
  if (KINDS_OF_NOUNS.has(row.kind)) await writeNoun(tx, row.kind as Noun, row);
  else if (KINDS_OF_SERVICE.has(row.kind)) await writeService(tx, row.kind as ServiceRecordKind, row);
  else if (KINDS_OF_CRAWL.has(row.kind)) await writeCrawl(tx, row);
  else if (row.record !== undefined) await tx.links.merge(row.id, String(row.record.canonical));
}

type Stored = Awaited<ReturnType<ServerWriter['replication']['find']>>;

/** Whether a row is here as it is at the primary: then nobody is told that it changed. */
function isSame(stored: Stored, { position, record }: ReplicaRow): boolean {
  if (stored === undefined) return record === undefined && position === undefined;
  if (position !== undefined && stored.event_id !== position) return false;
  const isGone = stored.gone === 1;
  return record === undefined ? isGone && position !== undefined : !isGone && stored.doc === JSON.stringify(record);
}

async function writeNoun<N extends Noun>(
  tx: ServerWriter,
  noun: N,
  { id, position, record }: ReplicaRow,
): Promise<void> {
  const nouns: { readonly [M in Noun]: RecordWrites<M> } = tx;
  const writes = nouns[noun];
  // The primary wrote it as a record of the noun.
  const written = record as object | undefined as Records[N] | undefined;
  if (position !== undefined) await writes.restore(id, written, position);
  else await writes.remove(id);
}

async function writeService<K extends ServiceRecordKind>(
  tx: ServerWriter,
  kind: K,
  { id, record }: ReplicaRow,
): Promise<void> {
  if (kind === 'entry') await announceEntry(tx, id, record);
  const kinds: { readonly [M in ServiceRecordKind]: ServiceWriter<M> } = tx;
  const writes = kinds[kind];
  if (record === undefined) await writes.remove(id);
  // The primary wrote it as a record of the kind.
  else await writes.put(record as object as ServiceRecords[K]);
}

/** Tells the lists of entries, which leave out one that is hidden. */
async function announceEntry(tx: ServerWriter, id: string, record: ReplicaRow['record']): Promise<void> {
  const before = record === undefined ? await tx.entry.find(id) : undefined;
  const entry = record ?? (before && ({ ...before, review_status: 'pending' } satisfies Entry));
  if (entry !== undefined) await tx.announce({ noun: 'entry', id, doc: JSON.stringify(entry) });
}

async function writeCrawl({ crawl }: ServerWriter, { id, kind, record }: ReplicaRow): Promise<void> {
  const [domain, agentUrl] = readShareKey(id);
  if (kind === 'crawl')
    await (record === undefined ? crawl.dropState(id) : crawl.saveState(record as object as CrawlState));
  if (kind === 'visit') await (record === undefined ? crawl.dropVisit(id) : crawl.saveVisit(record as object as Visit));
  if (kind === 'assessment')
    await (record === undefined ? crawl.dropAssessment(id) : crawl.saveAssessment(record as object as AssessmentState));
  if (kind === 'tally')
    await (record === undefined ? crawl.dropTotals(id) : crawl.saveTotals(record as object as AgentTotals));
  if (kind === 'crawl_request' && record !== undefined) await crawl.saveRequest(record as object as CrawlRequest);
  if (kind === 'crawl_share') {
    const share = record as InventoryShare | undefined;
    await (share === undefined ? crawl.dropShare(domain, agentUrl) : crawl.saveShare(domain, agentUrl, share));
  }
}
