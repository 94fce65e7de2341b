import { DAY_MS } from '../../platform/kernel/clock.js';
import { yieldToEventLoop } from '../../platform/kernel/event-loop.js';
import { isUuid7 } from '../../platform/kernel/ids.js';
import type { RegistryEvent } from '../model/records.js';
import { type FoldOutcome, fold, readEvent } from '../store/fold.js';
import type { RegistryStore, RegistryWriter } from '../store/registry-store.js';
import { type FeedSource, isTooLarge } from './source.js';

/** The number of a feed's events by their effect. */
export type EventCounts = Record<FoldOutcome | 'unreadable' | 'from_the_future', number>;

/** Returns counts of zero. */
export function noEvents(): EventCounts {
  return { applied: 0, repeated: 0, ignored: 0, broken: 0, partial: 0, unreadable: 0, from_the_future: 0 };
}

/** The store, the source and the counts of a mirror that polls. */
type PollOptions = {
  readonly store: RegistryStore;
  readonly source: FeedSource;
  /** Milliseconds. */
  readonly nowMs: number;
  readonly counts: EventCounts;
  /** Takes events that are not to be folded: a mirror of publishers' views reads those again instead. */
  readonly divert?: Divert;
};

/**
 * Says which events are to be folded, and reads what the others are about; `put` writes that, in the transaction that moves the cursor
 * past them. What it throws ends the poll before them.
 */
export type Divert = (
  events: readonly RegistryEvent[],
) => Promise<{ readonly meant: readonly RegistryEvent[]; readonly put: (tx: RegistryWriter) => Promise<void> }>;

/** Events of a page, and of a transaction: a few, so that nobody waits long for it. */
const EVENTS_OF_A_PAGE = 1000;
const EVENTS_AT_A_TIME = 100;
/** Most events of one page that are read, whatever the registry sends. */
const MAX_EVENTS = 10_000;
/** Most pages of one round: a registry that always has more is asked on in the next. */
const MAX_PAGES = 200;
/** An event that is told from so far ahead would keep its record from ever changing again. */
const MAX_AHEAD_MS = DAY_MS;

/**
 * Reads the feed from a cursor to its end, or for one round, and folds it, events and cursor in one transaction; returns the new cursor
 * and whether the end was reached. A registry that repeats, reorders, goes back or claims more than it has moves nothing.
 */
export async function pollFeed(
  cursor: string,
  options: PollOptions,
): Promise<{ readonly cursor: string; readonly isAtEnd: boolean }> {
  let at = cursor;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await readPage(options.source, at);
    const next = await foldPage(at, page, options);
    if (page.has_more !== true) return { cursor: next, isAtEnd: true };
    if (next === at) throw new Error('the registry says that there is more, and its cursor does not move');
    at = next;
  }
  return { cursor: at, isAtEnd: false };
}

/** Events can be as large as their author likes: a page that is too large is asked for in smaller ones. */
async function readPage(source: FeedSource, at: string): ReturnType<FeedSource['feed']> {
  for (let limit = EVENTS_OF_A_PAGE; ; limit = Math.floor(limit / 10)) {
    try {
      return await source.feed({ cursor: at === '' ? undefined : at, limit });
    } catch (error) {
      if (limit < 10 || !isTooLarge(error)) throw error;
    }
  }
}

async function foldPage(
  at: string,
  page: Awaited<ReturnType<FeedSource['feed']>>,
  options: PollOptions,
): Promise<string> {
  const { counts, nowMs } = options;
  if (!Array.isArray(page.events)) throw new Error('the registry sent no page of events');
  const sent: readonly unknown[] = page.events.slice(0, MAX_EVENTS);
  const events: RegistryEvent[] = [];
  for (const one of sent) {
    const event = readEvent(one);
    if (event === undefined) counts.unreadable += 1;
    else if (!isPast(event.event_id, nowMs)) counts.from_the_future += 1;
    else events.push(event);
  }
  events.sort((one, other) => (one.event_id < other.event_id ? -1 : 1));
  const given = typeof page.cursor === 'string' ? page.cursor.toLowerCase() : '';
  const last = [at, events.at(-1)?.event_id ?? '', isUuid7(given) && isPast(given, nowMs) ? given : ''];
  const end = last.sort().at(-1) ?? at;
  for (let from = 0; from < events.length; from += EVENTS_AT_A_TIME) {
    const part = events.slice(from, from + EVENTS_AT_A_TIME);
    const isLast = from + EVENTS_AT_A_TIME >= events.length;
    const outcomes = await foldPart(part, { from: at, to: isLast ? end : (part.at(-1)?.event_id ?? at) }, options);
    for (const outcome of outcomes) counts[outcome] += 1;
    await yieldToEventLoop();
  }
  if (events.length === 0 && end !== at) await foldPart([], { from: at, to: end }, options);
  return end;
}

async function foldPart(
  events: readonly RegistryEvent[],
  { from, to }: { readonly from: string; readonly to: string },
  { divert, source, store }: PollOptions,
): Promise<readonly FoldOutcome[]> {
  const { meant, put } = (await divert?.(events)) ?? { meant: events, put: undefined };
  return await store.transact(async (tx) => {
    const outcomes: FoldOutcome[] = [];
    for (const event of meant) outcomes.push(await fold(tx, event));
    await put?.(tx);
    const before = await tx.events.cursorOf(source.url);
    const cursor = to > from ? to : from;
    await tx.events.saveCursor(source.url, { syncedAt: 0, basis: 'records', ...before, cursor });
    return outcomes;
  });
}

/** Whether an event's id is from no later than a day ahead. */
export function isPast(eventId: string, nowMs: number): boolean {
  return Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16) <= nowMs + MAX_AHEAD_MS;
}
