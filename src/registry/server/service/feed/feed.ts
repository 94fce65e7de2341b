import { type Clock, DAY_MS, isoTime, SECOND_MS } from '../../../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../../../platform/kernel/event-loop.js';
import { isUuid7, uuidAfter } from '../../../../platform/kernel/ids.js';
import { runSlices } from '../../../../platform/kernel/slices.js';
import type { RegistryEvent } from '../../../model/records.js';
import type { StoredEvent } from '../../../store/events.js';
import { EVENT_TYPES, type EventType, fold } from '../../../store/fold.js';
import { REGISTRY_PERIODS_MS } from '../../../store/retention.js';
import type { ServerStore, ServerWriter } from '../../store/server-store.js';
import { RegistryProblem } from '../problem.js';

/** An event before it has its position in the feed. */
export type EventDraft = {
  readonly event_type: EventType;
  readonly entity_id: string;
  /** The required members of the event type, and the whole record besides, so that a mirror needs no second call. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The author of the change: `api:…`, `pipeline:crawler`. */
  readonly actor: string;
};

const RETENTION_MS = REGISTRY_PERIODS_MS.feed;
/** Days that events are kept. */
const RETENTION_DAYS = RETENTION_MS / DAY_MS;

/** The cursor of a feed without events. */
export const FIRST_CURSOR = '00000000-0000-7000-8000-000000000000';

/** How fresh the feed is. */
export type Freshness = {
  readonly generated_at: string;
  readonly latest_event_created_at: string | null;
  readonly lag_seconds: number;
  readonly retention_days: number;
};

/** Where a page of the feed ended. */
type PageEnd = { readonly cursor: string | null; readonly has_more: boolean };

/** The event types that a reader asks for: all, or those of the set. */
export type TypeFilter = ReadonlySet<string> | undefined;

/**
 * Puts an event at the end of the feed, in the transaction of the change that it tells: the one writer makes the order of the
 * identifiers the order of the commits, so that nothing ever appears behind a reader's cursor.
 */
export async function appendEvent(tx: ServerWriter, clock: Clock, draft: EventDraft): Promise<RegistryEvent> {
  const nowMs = clock.now();
  const event: RegistryEvent = {
    event_id: uuidAfter(await tx.events.newest(), nowMs),
    event_type: draft.event_type,
    entity_type: EVENT_TYPES[draft.event_type].entity,
    entity_id: draft.entity_id,
    payload: draft.payload,
    actor: draft.actor,
    created_at: new Date(nowMs).toISOString(),
  };
  await tx.events.append([event]);
  return event;
}

/** Appends an event and changes the records by the rule that every mirror folds it by. */
export async function appendChange(tx: ServerWriter, clock: Clock, draft: EventDraft): Promise<RegistryEvent> {
  const event = await appendEvent(tx, clock, draft);
  const outcome = await fold(tx, event);
  if (outcome !== 'applied') throw new Error(`an event of our own was ${outcome}: ${draft.event_type}`);
  return event;
}

const ALL_TYPES = Object.keys(EVENT_TYPES);

/** Returns a glob for the event types of each kind of thing: `property.*`. */
export function listEventGroups(): readonly string[] {
  return [...new Set(ALL_TYPES.map((type) => `${type.slice(0, type.indexOf('.'))}.*`))];
}

const PATTERN = /^[a-z*][a-z0-9_.*]*$/;

/**
 * Reads the `types` of a request: names and globs, with commas between them. Types that this registry has no events of are none of its
 * faults: mirrors of other versions ask for theirs. Throws invalid_request for what is no name and no glob.
 */
export function readTypeFilter(types: string | undefined): TypeFilter {
  if (types === undefined) return undefined;
  const patterns = [...new Set(types.split(',').map((one) => one.trim()))];
  if (!patterns.every((pattern) => PATTERN.test(pattern))) {
    throw new RegistryProblem('invalid_request', 'types: has an entry that is no event type and no glob', {
      field: 'types',
      suggestion: `Send globs such as property.* or some of ${ALL_TYPES.join(', ')}, with commas between them.`,
    });
  }
  return new Set(ALL_TYPES.filter((type) => patterns.some((pattern) => matchesGlob(type, pattern))));
}

/** Whether a name matches a pattern in which each star stands for any characters. */
function matchesGlob(name: string, pattern: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const begin = name.indexOf(part, at);
    if (begin < 0) return false;
    at = begin + part.length;
  }
  return name.endsWith(last) && name.length - last.length >= at;
}

/** The parts of a registry that its feed is read with. */
export type FeedParts = {
  readonly store: ServerStore;
  readonly clock: Clock;
  /** The registry that is mirrored. */
  readonly mirrors?: string | undefined;
  /** Says how far a mirror is behind. */
  readonly replication: { readonly lag: () => { readonly lag_ms: number | null } | undefined };
};

/** Returns the place behind which a reader goes on. Throws cursor_expired for one that is unknown or older than the retention. */
export async function resolveCursor(
  { clock, mirrors, store }: Pick<FeedParts, 'clock' | 'mirrors' | 'store'>,
  cursor: string | undefined,
): Promise<string> {
  const lost = await store.read.crawl.findFeedFloor();
  // Older events may be there, of what is under a legal hold; the feed does not tell them.
  if (cursor === undefined) return lost ?? '';
  if (cursor === lost) return cursor;
  if (cursor === FIRST_CURSOR && lost === undefined) return '';
  if (isUuid7(cursor) && cursor > (lost ?? '') && (await store.read.events.find(cursor)) !== undefined) {
    const floor = clock.now() - RETENTION_MS;
    if (eventMs(cursor) >= floor) return cursor;
    // A reader of a quiet feed has lost nothing, however long ago the last event was.
    const [next] = await store.read.events.page(cursor, 1);
    if (next === undefined || eventMs(next.event_id) >= floor) return cursor;
  }
  // A reader of the primary that comes to its mirror may have read what the mirror has not: it waits there for what comes then.
  if (mirrors !== undefined && (await isAhead(store, clock, cursor))) return cursor;
  throw new RegistryProblem('cursor_expired', 'The cursor is unknown here, or older than the feed reaches.', {
    suggestion: 'Read agent search, catalog, collections and authorizations again, then the feed without a cursor.',
  });
}

async function isAhead(store: ServerStore, clock: Clock, cursor: string): Promise<boolean> {
  if (!isUuid7(cursor) || eventMs(cursor) > clock.now() + DAY_MS) return false;
  return cursor > ((await store.read.events.head()) ?? FIRST_CURSOR);
}

/** Rows that a filtered page reads before it answers with what it has. */
const MAX_SCANNED_EVENTS = 20_000;
const CHUNK = 500;

/** Some events of a page, as the items of a JSON list. */
type FeedPiece = { readonly items: string; readonly last: string };

/**
 * Yields a page of events after a position, in pieces, so that memory and time between two turns of the event loop are bounded; the last
 * value is the page's end. A page without matches moves the cursor on, so that the reader of a rare type never falls behind the
 * retention.
 */
export function readFeedPage(
  store: ServerStore,
  position: string,
  types: TypeFilter,
  limit: number,
): AsyncGenerator<FeedPiece, PageEnd> {
  return types === undefined ? wholePage(store, position, limit) : chosenPage(store, position, types, limit);
}

async function* wholePage({ read }: ServerStore, position: string, limit: number): AsyncGenerator<FeedPiece, PageEnd> {
  let [after, left] = [position, limit];
  while (left > 0) {
    const wanted = Math.min(CHUNK, left);
    const { count, items, last } = await read.events.joined(after, wanted);
    if (items !== null && last !== null) {
      yield { items, last };
      after = last;
    }
    left -= count;
    if (count < wanted) return { cursor: after === '' ? null : after, has_more: false };
    await yieldToEventLoop();
  }
  const { count } = await read.events.joined(after, 1);
  return { cursor: after, has_more: count > 0 };
}

async function* chosenPage(
  { read }: ServerStore,
  position: string,
  types: ReadonlySet<string>,
  limit: number,
): AsyncGenerator<FeedPiece, PageEnd> {
  let [after, count, scanned] = [position, 0, 0];
  for (;;) {
    const rows = await read.events.texts(after, CHUNK);
    const wanted: StoredEvent[] = [];
    for (const event of rows) {
      const isWanted = types.has(event.event_type);
      if (isWanted && count === limit) {
        if (wanted.length > 0) yield pieceOf(wanted);
        return { cursor: after, has_more: true };
      }
      after = event.event_id;
      if (!isWanted) continue;
      wanted.push(event);
      count += 1;
    }
    scanned += rows.length;
    if (wanted.length > 0) yield pieceOf(wanted);
    if (rows.length < CHUNK) return { cursor: after === '' ? null : after, has_more: false };
    if (scanned >= MAX_SCANNED_EVENTS && count < limit) return { cursor: after, has_more: true };
    await yieldToEventLoop();
  }
}

function pieceOf(events: readonly StoredEvent[]): FeedPiece {
  return { items: events.map(({ doc }) => doc).join(','), last: events.at(-1)?.event_id ?? '' };
}

/** Returns the freshness of the feed: at its primary every event is in it as soon as its change is; a mirror says how far it is behind. */
export async function readFreshness({ clock, replication, store }: Omit<FeedParts, 'mirrors'>): Promise<Freshness> {
  const head = await store.read.events.head();
  return {
    generated_at: isoTime(clock.now()),
    latest_event_created_at: head === undefined ? null : new Date(eventMs(head)).toISOString(),
    lag_seconds: Math.round((replication.lag()?.lag_ms ?? 0) / SECOND_MS),
    retention_days: RETENTION_DAYS,
  };
}

/** Returns the cursor of now, which the feed will know whatever happens (X-Sync-Cursor). */
export async function findFeedHead(store: ServerStore): Promise<string> {
  return (await store.read.events.head()) ?? (await store.read.crawl.findFeedFloor()) ?? FIRST_CURSOR;
}

/** Deletes events that are older than the retention, in bounded slices until `isStopped`; returns how many. */
export async function pruneFeed(
  store: ServerStore,
  clock: Clock,
  isStopped: () => boolean = () => false,
): Promise<number> {
  const before = clock.now() - RETENTION_MS;
  let pruned = 0;
  await runSlices(async (limit) => {
    const floor = (await store.read.crawl.findFeedFloor()) ?? '';
    const [first] = await store.read.events.page(floor, 1);
    if (first === undefined || eventMs(first.event_id) >= before) return false;
    const oldest = await store.read.events.page(floor, limit);
    const last = oldest.findLast(({ event_id }) => eventMs(event_id) < before);
    if (last === undefined) return false;
    pruned += await store.transact(async (tx) => {
      await tx.crawl.setFeedFloor(last.event_id);
      return tx.events.pruneThrough(last.event_id);
    });
    return true;
  }, isStopped);
  return pruned;
}

/** Returns the milliseconds of an event's identifier. */
export function eventMs(eventId: string): number {
  return Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
}
