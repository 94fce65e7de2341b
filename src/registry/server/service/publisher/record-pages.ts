import { startPace, startStopwatch } from '../../../../platform/kernel/event-loop.js';
import { isOpenGrant } from '../../../model/grants.js';
import type { AuthorizationRecord, PropertyRecord } from '../../../model/records.js';
import type { ServerReader } from '../../store/server-store.js';
import type { Registry } from '../registry.js';

/** Records that are read at a time: at first, and at most. Nobody waits longer than they take. */
const FIRST_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/** Returns the properties of a publisher, page by page in the order of their rids, giving way to the event loop in between. */
export function readPropertyPages(
  { property }: ServerReader,
  domain: string,
): AsyncGenerator<readonly PropertyRecord[]> {
  return pagesOf(
    (after, limit) => property.ofPublisher(domain, after, limit),
    ({ property_rid }) => property_rid,
  );
}

/** Returns the rows of a publisher in the authorization graph, likewise in the order of their ids. */
export function readAuthorizationPages(
  { authorization }: ServerReader,
  domain: string,
): AsyncGenerator<readonly AuthorizationRecord[]> {
  return pagesOf(
    (after, limit) => authorization.ofPublisher(domain, after, limit),
    ({ id }) => id,
  );
}

/**
 * Returns the rows of a publisher that let an agent sell something just now, page by page; there are none of one whose file does not count.
 * At most `maxRows` rows are looked at, with those that do not.
 */
export async function* readGrantPages(
  { clock, store: { read } }: Registry,
  domain: string,
  maxRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly AuthorizationRecord[]> {
  const nowMs = clock.now();
  if ((await read.publisher.find(domain))?.standing !== 'open') return;
  let left = maxRows;
  for await (const page of readAuthorizationPages(read, domain)) {
    yield page.slice(0, left).filter((row) => isOpenGrant(row, nowMs));
    left -= page.length;
    if (left <= 0) return;
  }
}

async function* pagesOf<T>(
  read: (after: string, limit: number) => Promise<readonly T[]>,
  idOf: (record: T) => string,
): AsyncGenerator<readonly T[]> {
  const pace = startPace();
  for (let [after, limit] = ['', FIRST_PAGE_SIZE]; ; ) {
    const isLong = startStopwatch();
    const page = await read(after, limit);
    const isHeavy = isLong();
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < limit) return;
    after = idOf(last);
    // A record may be as large as thousands of others.
    limit = isHeavy ? Math.ceil(limit / 4) : Math.min(limit * 2, MAX_PAGE_SIZE);
    if (pace.isDue()) await pace.rest();
  }
}
