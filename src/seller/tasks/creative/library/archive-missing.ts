import { startPace } from '../../../../platform/kernel/event-loop.js';
import { errorObject } from '../../../../protocol/envelope.js';
import {
  type Assignment,
  CREATIVE_MOVES,
  CREATIVE_STATUSES,
  type Creative,
} from '../../../domain/creative/creative.js';
import type { Reader } from '../../../store/store.js';
import { isRunning, stillRunning } from './running.js';
import type { Library } from './save-creative.js';
import type { SyncRow } from './sync-assignments.js';

/** How many creatives of the library are read together. */
const BATCH = 500;
/** One sync archives so many creatives at most: each is a row of its answer, and nobody else writes meanwhile. */
const MAX_ARCHIVED = 5000;

const LIVE = CREATIVE_STATUSES.filter((status) => status !== 'archived');
/** The states that a legal move leads from to the archive. */
const ARCHIVABLE = LIVE.filter((status) => CREATIVE_MOVES[status].includes('archived'));
const OLDEST_FIRST = { field: 'created_date', direction: 'asc' } as const;

/** The library that a sync is about. */
type Target = { readonly owner: string; readonly accountId: string };

/** The creatives that a sync left out: their rows, and a text where not all have one. */
type Archived = { readonly rows: readonly SyncRow[]; readonly message?: string };

/**
 * Returns the ids of the oldest creatives that can be archived where a sync leaves out more than one sync archives; undefined where it
 * does not. Read before the transaction, since the whole library may have to be looked at.
 */
export async function findOldestMissing(
  db: Reader,
  { accountId, owner }: Target,
  sent: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  if ((await db.creatives.count(owner, { accountId, statuses: LIVE })) - sent.size <= MAX_ARCHIVED) return undefined;
  const oldest: string[] = [];
  const filter = { accountId, statuses: ARCHIVABLE, unassigned: true };
  for (let after: number | undefined; ; ) {
    const page = await db.creatives.list(owner, { limit: BATCH, after }, filter, OLDEST_FIRST);
    const batch = page.slice(0, BATCH).map((row) => row.creative.creative_id);
    oldest.push(...batch.filter((id) => !sent.has(id)));
    if (page.length <= BATCH || oldest.length >= MAX_ARCHIVED) return oldest.slice(0, MAX_ARCHIVED);
    after = page[BATCH - 1]?.seq;
  }
}

/**
 * Archives what a sync of the whole library leaves out, of very many the `oldest`; what is assigned, or may not move to the archive,
 * stays, and its row says so. A running creative is an error: of the sync, or where it is lenient of its own row.
 */
export async function archiveMissing(
  library: Library,
  sent: ReadonlySet<string>,
  { lenient, oldest }: { readonly lenient: boolean; readonly oldest: readonly string[] | undefined },
): Promise<Archived> {
  const { account, call, db } = library;
  const filter = { accountId: account.account_id, statuses: LIVE };
  const rows: SyncRow[] = [];
  if (oldest === undefined) {
    for (let after: number | undefined; ; ) {
      const page = await db.creatives.list(call.owner, { limit: BATCH, after }, filter, OLDEST_FIRST);
      const batch = page.slice(0, BATCH).map((row) => row.creative);
      const missing = batch.filter((creative) => !sent.has(creative.creative_id));
      rows.push(...(await archiveBatch(library, missing, lenient)));
      if (page.length <= BATCH) return { rows };
      // There were fewer before the transaction.
      if (rows.length >= MAX_ARCHIVED) break;
      after = page[BATCH - 1]?.seq;
    }
  }
  for (let at = 0; at < (oldest?.length ?? 0); at += BATCH) {
    const creativeIds = oldest?.slice(at, at + BATCH);
    const page = await db.creatives.list(
      call.owner,
      { limit: BATCH, after: undefined },
      { ...filter, creativeIds },
      OLDEST_FIRST,
    );
    rows.push(
      ...(await archiveBatch(
        library,
        page.map((row) => row.creative),
        lenient,
      )),
    );
  }
  const left = (await db.creatives.count(call.owner, filter)) - sent.size;
  return { rows, message: leftMessage(rows.length, left) };
}

function leftMessage(archived: number, left: number): string {
  if (archived < MAX_ARCHIVED)
    return `${left} creatives that this sync leaves out stay: they are assigned to packages, or are not approved.`;
  return `One sync archives at most ${MAX_ARCHIVED} creatives, the oldest first. ${left} more were left out: send the sync again, with a new idempotency_key, to archive the next.`;
}

async function archiveBatch(
  library: Library,
  missing: readonly Creative[],
  lenient: boolean,
): Promise<readonly SyncRow[]> {
  const { call, db } = library;
  const rows: SyncRow[] = [];
  const assigned = await db.creatives.listAssignments(call.owner, missing);
  const pace = startPace();
  for (const creative of missing) {
    const own = assigned.filter((entry) => entry.creative_id === creative.creative_id);
    rows.push(await archiveOne(library, creative, own, lenient));
    if (pace.isDue()) await pace.rest();
  }
  return rows;
}

async function archiveOne(
  { call, db }: Library,
  creative: Creative,
  assignments: readonly Assignment[],
  lenient: boolean,
): Promise<SyncRow> {
  const { creative_id, status } = creative;
  const stays = (warning: string): SyncRow => ({ creative_id, action: 'unchanged', status, warnings: [warning] });
  if (assignments.length > 0) {
    if (!(await isRunning(db, call, assignments))) return stays('It is assigned to a package and is not archived.');
    const error = stillRunning('deleted', 'delete_missing');
    if (!lenient) throw error;
    return { creative_id, action: 'failed', errors: [errorObject(error, call.to.release)] };
  }
  if (!CREATIVE_MOVES[status].includes('archived')) return stays(`A creative that is ${status} is not archived.`);
  await db.creatives.save(call.owner, { ...creative, status: 'archived', updated_date: call.now.iso });
  return { creative_id, action: 'deleted' };
}
