import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { DAY_MS, MINUTE_MS } from '../../../platform/kernel/clock.js';
import { isReservedHost } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { type ListRef, MAX_LIST_PAGES } from '../../domain/targeting/followed-list.js';
import type { ListKind } from '../../domain/targeting/lists.js';
import type { CachedReading, ListFault, ListReading } from '../../governance/inventory-list.js';
import { canNameLocal } from '../pipeline/order-context.js';

/** Whether a list is at a name of examples, which a sandbox does not ask. */
export function isExampleList({ seller, principal }: Call, agentUrl: string): boolean {
  const isMapped = Object.hasOwn(seller.tenant.outboundResolve, new URL(agentUrl).host);
  return principal?.sandbox === true && isReservedHost(agentUrl) && !isMapped;
}

/** So long past the time that it is good for, a reading stands in for an agent that does not answer. */
const MAX_STALE_MS = 7 * DAY_MS;
/** An agent that did not answer is asked again after so long. */
const RETRY_MS = MINUTE_MS;

/** Reads a list from the agent that maintains it, and keeps the reading. */
export async function readList(
  app: App,
  call: Call,
  kind: ListKind,
  reference: ListRef,
): Promise<ListReading | ListFault> {
  const { fetchList } = await import('../../governance/inventory-list.js');
  const nowMs = app.clock.now();
  const local = canNameLocal(app, call);
  const reading = await fetchList(app.renderer().outbound, kind, reference, {
    collectionOf: app.registry.collectionOf,
    local,
    nowMs,
  });
  if (typeof reading !== 'string') cacheReading(app, readingKey(call, kind, reference), { reading, readMs: nowMs });
  return reading;
}

/** The entries of a list when it was read; `ageMs` is there where that is past its time, and its agent does not answer. */
type RecalledList = { readonly reading: ListReading; readonly ageMs?: number };

/**
 * Returns what a list held when it was read last, while that is good; else reads it. Where its agent does not answer, what was read last
 * stands in for it, for a week.
 */
export async function recallList(
  app: App,
  call: Call,
  kind: ListKind,
  reference: ListRef,
): Promise<RecalledList | ListFault> {
  const key = readingKey(call, kind, reference);
  const cached = app.listReadings.get(key);
  const nowMs = app.clock.now();
  if (cached !== undefined && nowMs < cached.readMs + cached.reading.goodForMs) return { reading: cached.reading };
  if (cached?.failedMs === undefined || nowMs >= cached.failedMs + RETRY_MS) {
    const read = await readList(app, call, kind, reference);
    if (typeof read !== 'string') return { reading: read };
    // A list that is gone, or closed to this caller, is not shown any more.
    if (read !== 'unreachable') app.listReadings.delete(key);
    if (read !== 'unreachable' || cached === undefined) return read;
    cacheReading(app, key, { ...cached, failedMs: app.clock.now() });
  }
  return { reading: cached.reading, ageMs: app.clock.now() - cached.readMs };
}

function cacheReading({ clock, listReadings }: App, key: string, cached: CachedReading): void {
  listReadings.set(key, cached, cached.readMs + cached.reading.goodForMs + MAX_STALE_MS - clock.now());
}

/** Returns the key of a reading in a cache: a digest of the reference, so that no token stands there. */
function readingKey({ owner }: Call, kind: ListKind, { agent_url, auth_token, list_id }: ListRef): string {
  return sha256Hex(JSON.stringify([owner, kind, agent_url, list_id, auth_token]));
}

/** Returns the error for a list that cannot be read. */
export function unreadableList(why: ListFault, field: string): TaskError {
  if (why === 'unreachable') {
    return new TaskError('SERVICE_UNAVAILABLE', 'The agent that maintains the list does not answer.', {
      field,
      suggestion: 'Try again, or leave the list out.',
    });
  }
  if (why === 'too_long') {
    return new TaskError('UNSUPPORTED_FEATURE', 'The list is longer than is read here.', {
      field,
      suggestion: `Name a list of at most ${MAX_LIST_PAGES} pages, each with the cursor of the next.`,
    });
  }
  return new TaskError('REFERENCE_NOT_FOUND', 'The agent has no such list, or does not say what is on it.', {
    field,
    suggestion: 'Name a list that its agent resolves for this token, or leave it out.',
  });
}

/** Returns the error for a list with a collection that nothing tells of but an id that no registry here knows. */
export function unknownCollection(rid: string, field: string): TaskError {
  return new TaskError(
    'REFERENCE_NOT_FOUND',
    'The list names a collection by an id that the registry here does not know.',
    {
      field,
      suggestion: `Have the list tell the name or the distribution_ids of collection ${rid.slice(0, 100)} too, or take it off.`,
    },
  );
}
