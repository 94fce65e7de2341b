import { isoTime } from '../../../platform/kernel/clock.js';
import { pause } from '../../../platform/kernel/loop.js';
import { FIRST_CURSOR } from '../service/feed/feed.js';
import { RegistryProblem } from '../service/problem.js';
import type { Registry } from '../service/registry.js';
import type { ReplicatedKind, StoredRow } from '../store/replication.js';
import type { ServerReader } from '../store/server-store.js';
import { BEGUN_KINDS, type BegunKind, type ReplicaCursor, readCursor, writeCursor } from './cursor.js';
import type { Epoch } from './epoch.js';
import { isCarried, type Scope, showRow, visitOf } from './scope.js';

/** A request for a page: behind a cursor, or from the beginning. */
type PageRequest = {
  readonly cursor: string | undefined;
  readonly scope: Scope;
  readonly limit: number;
  /** Milliseconds that are waited for something new. */
  readonly waitMs: number;
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
};

/** The rows of a kind that a page has all of, by their ids: what a mirror has between them and the page has not is gone. */
type PageRange = { readonly kind: BegunKind; readonly after: string; readonly through: string | null };

/** A page of records: its range and its rows, as pieces of JSON. */
type Page = {
  readonly range: PageRange | null;
  readonly rows: readonly string[];
  readonly events: readonly string[];
  readonly next: ReplicaCursor;
  readonly has_more: boolean;
};

/** Bytes of rows and events after which a page is ended; a row is at most as large as the document that it was read of. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** How often a reader that waits is looked after, ms. */
const LOOK_MS = 200;

/**
 * Returns a page for a mirror as JSON: rows by their ids while it begins, events and changed rows behind its cursor after that. Throws
 * cursor_expired for a cursor of another epoch or scope, or one that the feed does not reach back to: the mirror begins again.
 */
export async function readReplica(registry: Registry, request: PageRequest): Promise<string> {
  const { clock, store } = registry;
  const { epoch } = registry.replication;
  if (epoch === undefined) throw mirrorItself(registry.mirrors);
  const cursor = await resolveCursor(store.read, epoch, request);
  const page =
    cursor.beginning === undefined
      ? await followChanges(store.read, cursor, request)
      : await beginPages(store.read, cursor, request.limit);
  const floor = await store.read.crawl.findFeedFloor();
  const { events, has_more, next, range, rows } = page;
  const head = JSON.stringify({
    epoch: { id: epoch.id, term: epoch.term },
    scope: cursor.scope,
    as_of: isoTime(clock.now()),
    feed_floor: floor ?? null,
    range,
    cursor: writeCursor(next),
    has_more,
  });
  return `${head.slice(0, -1)},"rows":[${rows.join(',')}],"events":[${events.join(',')}]}`;
}

function mirrorItself(primary: string | undefined): RegistryProblem {
  return new RegistryProblem('conflict', 'This registry is a mirror itself.', {
    suggestion: `Mirror ${primary ?? 'its primary'}.`,
    details: { origin: primary },
  });
}

async function resolveCursor(
  read: ServerReader,
  epoch: Epoch,
  { cursor: text, scope }: PageRequest,
): Promise<ReplicaCursor> {
  if (text === undefined) {
    const seq = await read.replication.findHead();
    const [kind = 'event'] = BEGUN_KINDS;
    // Whatever changes from now on is told again behind what is read.
    return { epoch: epoch.id, scope, event: await headOf(read), seq, beginning: { kind, after: '' } };
  }
  const cursor = readCursor(text);
  const isOurs = cursor !== undefined && cursor.epoch === epoch.id && cursor.scope === scope;
  if (isOurs && cursor.seq <= (await read.replication.findHead()) && (await isReached(read, cursor.event)))
    return cursor;
  throw new RegistryProblem(
    'cursor_expired',
    'The cursor is of another epoch or scope, or older than the feed reaches.',
    {
      suggestion: 'Begin again, without a cursor.',
    },
  );
}

async function headOf(read: ServerReader): Promise<string> {
  return (await read.events.head()) ?? (await read.crawl.findFeedFloor()) ?? FIRST_CURSOR;
}

async function isReached(read: ServerReader, event: string): Promise<boolean> {
  const floor = await read.crawl.findFeedFloor();
  if (event === FIRST_CURSOR) return floor === undefined;
  return event === floor || (event > (floor ?? '') && (await read.events.find(event)) !== undefined);
}

/** Reads the next rows of a mirror that begins. */
async function beginPages(read: ServerReader, cursor: ReplicaCursor, limit: number): Promise<Page> {
  const { kind, after } = cursor.beginning ?? { kind: 'event', after: '' };
  if (kind === 'event') return await beginFeed(read, cursor, after, limit);
  const { rows, through } = await readRange(read, { kind, scope: cursor.scope, after, limit });
  const following = BEGUN_KINDS[BEGUN_KINDS.indexOf(kind) + 1] ?? 'event';
  const beginning = through === null ? { kind: following, after: '' } : { kind, after: through };
  const range = isCarried(cursor.scope, kind) ? { kind, after, through } : null;
  return { range, rows, events: [], next: { ...cursor, beginning }, has_more: true };
}

type RangeRequest = {
  readonly kind: ReplicatedKind;
  readonly scope: Scope;
  readonly after: string;
  readonly limit: number;
};

async function readRange(
  read: ServerReader,
  { after, kind, limit, scope }: RangeRequest,
): Promise<{ readonly rows: readonly string[]; readonly through: string | null }> {
  const rows: string[] = [];
  let [bytes, last] = [0, after];
  const stored = await read.replication.page(kind, after, limit);
  for (const row of stored) {
    for (const text of await textsOf(read, scope, { kind, ...row })) {
      rows.push(text);
      bytes += text.length;
    }
    last = row.id;
    if (bytes > MAX_PAGE_BYTES) return { rows, through: last };
  }
  return { rows, through: stored.length < limit ? null : last };
}

/** Returns the texts of the rows that a mirror is sent for a row that is stored. */
async function textsOf(
  read: ServerReader,
  scope: Scope,
  { doc, event_id, gone, id, kind }: StoredRow & { readonly kind: ReplicatedKind },
): Promise<readonly string[]> {
  if (event_id !== undefined) return [rowText({ kind, id, doc: gone === 1 ? null : doc }, event_id)];
  return (await showRow(read, scope, { kind, id, doc })).map((row) => rowText(row));
}

function rowText(
  { doc, id, kind }: { readonly kind: string; readonly id: string; readonly doc: string | null },
  event?: string,
): string {
  const head = JSON.stringify({ kind, id, event_id: event });
  return `${head.slice(0, -1)},"doc":${doc ?? 'null'}}`;
}

/** Reads the feed as far as the records have come that were read before it: what is behind that is followed. */
async function beginFeed(read: ServerReader, cursor: ReplicaCursor, after: string, limit: number): Promise<Page> {
  const stored = (await read.events.texts(after, limit)).filter(({ event_id }) => event_id <= cursor.event);
  const events = boundedTexts(stored);
  const last = stored[events.length - 1]?.event_id ?? after;
  const isOver = events.length === stored.length && stored.length < limit;
  const { beginning: _over, ...following } = cursor;
  const next = isOver ? following : { ...cursor, beginning: { kind: 'event' as const, after: last } };
  return { range: { kind: 'event', after, through: isOver ? null : last }, rows: [], events, next, has_more: true };
}

function boundedTexts(events: readonly { readonly doc: string }[]): readonly string[] {
  const texts: string[] = [];
  let bytes = 0;
  for (const { doc } of events) {
    texts.push(doc);
    bytes += doc.length;
    if (bytes > MAX_PAGE_BYTES) break;
  }
  return texts;
}

/** Reads what is behind a cursor, as soon as there is something or the time to wait is over. */
async function followChanges(
  read: ServerReader,
  cursor: ReplicaCursor,
  { limit, signal, waitMs }: PageRequest,
): Promise<Page> {
  for (let left = waitMs; ; left -= LOOK_MS) {
    const page = await readNews(read, cursor, limit);
    const isEmpty = page.events.length + page.rows.length === 0 && page.next.seq === cursor.seq;
    if (!isEmpty || left <= 0 || signal.aborted) return page;
    await pause(Math.min(LOOK_MS, left));
  }
}

async function readNews(read: ServerReader, cursor: ReplicaCursor, limit: number): Promise<Page> {
  const changes = await read.replication.listChanges(cursor.seq, limit);
  const stored = await read.events.texts(cursor.event, limit);
  const events = boundedTexts(stored);
  const rows: string[] = [];
  let [bytes, seq] = [0, cursor.seq];
  for (const change of changes) {
    for (const text of await changedTexts(read, cursor.scope, change)) {
      rows.push(text);
      bytes += text.length;
    }
    seq = change.seq;
    if (bytes > MAX_PAGE_BYTES) break;
  }
  if (cursor.scope === 'public') {
    for (const { doc } of stored.slice(0, events.length)) rows.push(...(await visitTexts(read, doc)));
  }
  const event = stored[events.length - 1]?.event_id ?? cursor.event;
  const has_more =
    changes.length === limit || stored.length === limit || bytes > MAX_PAGE_BYTES || events.length < stored.length;
  return { range: null, rows, events, next: { ...cursor, event, seq }, has_more };
}

async function changedTexts(
  read: ServerReader,
  scope: Scope,
  { id, kind }: { readonly id: string; readonly kind: string },
): Promise<readonly string[]> {
  const begunKind = BEGUN_KINDS.find((one): one is ReplicatedKind => one === kind && one !== 'event');
  if (begunKind === undefined) return [];
  const stored = await read.replication.find(begunKind, id);
  if (stored !== undefined) return await textsOf(read, scope, { kind: begunKind, ...stored });
  return (await showRow(read, scope, { kind: begunKind, id, doc: null })).map((row) => rowText(row));
}

/** Returns the visit of an agent that an event is about: it may be told now, or no more. */
async function visitTexts(read: ServerReader, doc: string): Promise<readonly string[]> {
  const { entity_type, entity_id } = JSON.parse(doc) as { readonly entity_type: string; readonly entity_id: string };
  if (entity_type !== 'agent') return [];
  return (await visitOf(read, entity_id)).map((row) => rowText(row));
}

/** Longest time that a mirror may have a page wait, in seconds. */
export const MAX_WAIT_SECONDS = 20;
