import { errorObject } from '../../../../protocol/envelope.js';
import type { Call } from '../../../context.js';
import {
  type Assignment,
  CREATIVE_MOVES,
  CREATIVE_STATUSES,
  type Creative,
} from '../../../domain/creative/creative.js';
import type { Writer } from '../../../store/store.js';
import { isRunning, stillRunning } from './running.js';
import type { Library } from './save-creative.js';
import type { SyncRow } from './sync-assignments.js';

/** How many creatives of the library are read together. */
const BATCH = 500;

const LIVE = CREATIVE_STATUSES.filter((status) => status !== 'archived');

/**
 * Archives what a sync of the whole library leaves out. What is assigned stays, and so does what no legal move leads from to the
 * archive; their rows say so. A running creative is an error: of the sync, or where it is lenient of its own row.
 */
export async function archiveMissing(
  { call, db, account }: Library,
  sent: ReadonlySet<string>,
  lenient: boolean,
): Promise<readonly SyncRow[]> {
  const rows: SyncRow[] = [];
  const filter = { accountId: account.account_id, statuses: LIVE };
  const sort = { field: 'created_date', direction: 'asc' } as const;
  for (let after: number | undefined; ; ) {
    const page = await db.creatives.list(call.owner, { limit: BATCH, after }, filter, sort);
    const batch = page.slice(0, BATCH).map((row) => row.creative);
    const missing = batch.filter((creative) => !sent.has(creative.creative_id));
    const assigned = await db.creatives.listAssignments(call.owner, missing);
    for (const creative of missing) {
      const own = assigned.filter((entry) => entry.creative_id === creative.creative_id);
      rows.push(await archiveOne(db, call, creative, own, lenient));
    }
    if (page.length <= BATCH) return rows;
    after = page[BATCH - 1]?.seq;
  }
}

async function archiveOne(
  db: Writer,
  call: Call,
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
