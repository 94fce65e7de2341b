import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import { startDeadline } from '../../platform/kernel/loop.js';
import { callTool, type RemoteAgent } from '../../platform/mcp/client/call.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { type ListRef, MAX_LIST_PAGES } from '../domain/targeting/followed-list.js';
import type { ListEntry, ListKind } from '../domain/targeting/lists.js';

/** The entries of a list, and for how many ms the reading is good. */
export type ListReading = {
  readonly entries: readonly ListEntry[];
  /** Ids of collections that nothing else is told of, and that no registry here knows: at most a few of them. */
  readonly unknown: readonly string[];
  readonly goodForMs: number;
};

/** A reading as it is kept: past the time that it is good for, it stands in for an agent that does not answer. Times in ms since the epoch. */
export type CachedReading = {
  readonly reading: ListReading;
  readonly readMs: number;
  /** When the agent was found not to answer last. */
  readonly failedMs?: number | undefined;
};

/** Returns what a registry knows a collection by, from its id there; undefined for an id that it does not know. */
type CollectionOf = (rid: string) => readonly ListEntry[] | undefined;

/** How a list is read: plain http and loopback may be called, the present, and what collections are known by. */
type ReadingOptions = { readonly local: boolean; readonly nowMs: number; readonly collectionOf: CollectionOf };

/** Why it is not known what is on a list: its agent does not answer, has no such list, or the list is too long to be read. */
export type ListFault = 'unreachable' | 'unknown' | 'too_long';

/** How each kind of list is asked for, and how an entry of it is read. */
const KINDS: Readonly<
  Record<
    ListKind,
    {
      readonly tool: string;
      readonly member: string;
      readonly read: (entry: Readonly<Record<string, unknown>>, collectionOf: CollectionOf) => readonly ListEntry[];
    }
  >
> = {
  property: { tool: 'get_property_list', member: 'identifiers', read: readIdentifier },
  collection: { tool: 'get_collection_list', member: 'collections', read: readCollection },
};

/** All pages of a list are asked for within this time; an agent that needs longer does not answer. */
const READING_MS = 15 * SECOND_MS;

/** Returns what is on a list, page by page, from the agent that keeps it. */
export async function fetchList(
  outbound: Pick<Outbound, 'fetch'>,
  kind: ListKind,
  reference: ListRef,
  options: ReadingOptions,
): Promise<ListReading | ListFault> {
  const deadline = startDeadline(READING_MS);
  const isOver = () => deadline.isOver();
  try {
    return await Promise.race([readPages({ outbound, kind, reference, isOver }, options), deadline.passed]);
  } catch (error) {
    if (deadline.isOver()) return 'unreachable';
    throw error;
  } finally {
    deadline.end();
  }
}

/** The list that is read, and whether its time is over. */
type Errand = {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly kind: ListKind;
  readonly reference: ListRef;
  readonly isOver: () => boolean;
};

async function readPages(
  { isOver, kind, outbound, reference: { agent_url: url, auth_token, list_id } }: Errand,
  { collectionOf, local, nowMs }: ReadingOptions,
): Promise<ListReading | ListFault> {
  const agent: RemoteAgent = auth_token === undefined ? { url, local } : { url, local, credentials: auth_token };
  const { tool, member, read } = KINDS[kind];
  const entries: ListEntry[] = [];
  const unknown: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < MAX_LIST_PAGES && !isOver(); page += 1) {
    const pagination = cursor === undefined ? undefined : { cursor };
    const answer = await callTool(outbound, agent, tool, { list_id, resolve: true, pagination });
    if ('fault' in answer) return answer.fault === 'unreachable' ? 'unreachable' : 'unknown';
    const rows = answer.payload[member];
    if (answer.isError || !Array.isArray(rows)) return 'unknown';
    for (const row of rows.filter(isObject)) {
      const names = read(row, collectionOf);
      entries.push(...names);
      const [only] = names;
      if (names.length === 1 && only?.type === RID && unknown.length < MAX_UNKNOWN) unknown.push(only.value);
    }
    const paging = answer.payload.pagination;
    if (!isObject(paging) || paging.has_more !== true)
      return { entries, unknown, goodForMs: goodFor(answer.payload.cache_valid_until, nowMs) };
    if (paging.cursor === undefined || paging.cursor === cursor) return 'too_long';
    cursor = paging.cursor;
  }
  return 'too_long';
}

/** A reading whose agent does not say how long it is good is good for a day; none is for less than a minute or more than 30 days. */
const USUAL_MS = DAY_MS;
const LEAST_MS = MINUTE_MS;
const MOST_MS = 30 * DAY_MS;

function goodFor(validUntil: unknown, nowMs: number): number {
  const untilMs = typeof validUntil === 'string' ? Date.parse(validUntil) : Number.NaN;
  return Number.isNaN(untilMs) ? USUAL_MS : Math.min(MOST_MS, Math.max(LEAST_MS, untilMs - nowMs));
}

function readIdentifier({ type, value }: Readonly<Record<string, unknown>>): readonly ListEntry[] {
  return typeof type === 'string' && typeof value === 'string' ? [{ type, value: value.toLowerCase() }] : [];
}

/** The type under which an entry is the id of a collection in a registry. */
const RID = 'collection_rid';
/** So many ids that nobody knows are told apart. */
const MAX_UNKNOWN = 20;

/**
 * Reads a collection by its name, by its id in the registry and what that knows it by, and by those under which
 * platforms carry it.
 */
function readCollection(
  { name, collection_rid, distribution_ids }: Readonly<Record<string, unknown>>,
  collectionOf: CollectionOf,
): readonly ListEntry[] {
  const ids = Array.isArray(distribution_ids) ? distribution_ids.filter(isObject) : [];
  const recorded = typeof collection_rid === 'string' ? collectionOf(collection_rid) : undefined;
  const own = [
    ...(name === '' ? [] : [{ type: 'name', value: name }]),
    { type: RID, value: collection_rid },
    ...ids.map(({ type, value }) => ({ type, value })),
  ];
  return [...own, ...(recorded ?? [])].flatMap(readIdentifier);
}
