import { errorObject } from '../../../../protocol/envelope.js';
import { TaskError, taskErrorOrThrow } from '../../../../protocol/errors.js';
import type { Call } from '../../../context.js';
import type { Scope } from '../../../domain/account/scope.js';
import type { Creative } from '../../../domain/creative/creative.js';
import { isTerminal, type MediaBuy, type Package } from '../../../domain/media-buy/media-buy.js';
import { readMediaBuyId } from '../../../domain/media-buy/order.js';
import type { Writer } from '../../../store/store.js';
import { scopeOf } from '../../pipeline/resolve-account.js';
import { assignCreative, findCreative } from './assign-creative.js';
import type { Library } from './save-creative.js';

/** The outcome of a sync for one creative, as it goes on the wire. */
export type SyncRow = {
  readonly creative_id: string;
  readonly action: 'created' | 'updated' | 'unchanged' | 'failed' | 'deleted';
  readonly status?: Creative['status'];
  readonly changes?: readonly string[];
  readonly errors?: readonly object[];
  readonly warnings?: readonly string[];
  readonly assigned_to?: readonly string[];
  /** By package. */
  readonly assignment_errors?: Readonly<Record<string, string>>;
};

/** A creative that the buyer wants in a package. */
type SyncOptions = {
  readonly creative_id: string;
  readonly package_id: string;
  readonly weight?: number | undefined;
};

const NOT_TAKEN = 'The creative was not taken: see its errors.';

const NO_BUYS = 'This agent manages no media buys; assignments are not for it.';

/**
 * Assigns what can be assigned, notes the outcome in each creative's row, and moves the buys that now have what they need; an agent
 * without media buys passes assignments over. A creative of the library that is only assigned gets a row of its own.
 */
export async function assignAll(
  library: Library,
  saved: readonly SyncRow[],
  wanted: readonly SyncOptions[],
): Promise<SyncRow[]> {
  const { app, call, db } = library;
  const rows = new Map(saved.map((row) => [row.creative_id, row]));
  const touched = new Set<string>();
  const isSales = call.seller.tenant.kinds.includes('sales');
  for (const [index, entry] of wanted.entries()) {
    const row = rows.get(entry.creative_id);
    if (!isSales) {
      if (row !== undefined) rows.set(entry.creative_id, { ...row, warnings: withOnce(row.warnings, NO_BUYS) });
    } else if (row?.action === 'failed' && row.errors !== undefined) {
      rows.set(entry.creative_id, withFailure(row, entry, NOT_TAKEN));
    } else {
      rows.set(entry.creative_id, await assignOne(library, entry, { field: `assignments[${index}]`, row, touched }));
    }
  }
  for (const id of touched) {
    const buy = await db.mediaBuys.find(call.owner, id);
    if (buy !== undefined) await app.lifecycle.follow(db, call.owner, buy, call.now);
  }
  return [...rows.values()];
}

/** Where an assignment stands in the request, the row of its creative, and the buys that assignments have changed. */
type Assigned = { readonly field: string; readonly row: SyncRow | undefined; readonly touched: Set<string> };

async function assignOne(
  { call, db, account }: Library,
  wanted: SyncOptions,
  { field, row, touched }: Assigned,
): Promise<SyncRow> {
  let current = row;
  try {
    const creative = await findCreative({ db, call }, account.account_id, wanted.creative_id, `${field}.creative_id`);
    current ??= { creative_id: wanted.creative_id, action: 'unchanged', status: creative.status };
    const scope = scopeOf(call, account.account_id);
    const { buy, line } = await findPackage({ db, call, scope }, wanted.package_id, `${field}.package_id`);
    await assignCreative({ db, call }, { buy, line }, { creative, weight: wanted.weight }, field);
    touched.add(buy.media_buy_id);
    return { ...current, assigned_to: withOnce(current.assigned_to, wanted.package_id) };
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    const errors = [errorObject(error, call.to.release)];
    return withFailure(current ?? { creative_id: wanted.creative_id, action: 'failed', errors }, wanted, error.message);
  }
}

function withFailure(row: SyncRow, { package_id }: SyncOptions, message: string): SyncRow {
  return { ...row, assignment_errors: { ...row.assignment_errors, [package_id]: message } };
}

function withOnce(list: readonly string[] = [], entry: string): readonly string[] {
  return list.includes(entry) ? list : [...list, entry];
}

/** The context in which a package is looked for. */
type PackageSearch = { readonly db: Writer; readonly call: Call; readonly scope: Scope };

async function findPackage(
  search: PackageSearch,
  packageId: string,
  field: string,
): Promise<{ buy: MediaBuy; line: Package }> {
  const mediaBuyId = readMediaBuyId(packageId);
  const buy =
    mediaBuyId === undefined
      ? await findBuyHolding(search, packageId)
      : await search.db.mediaBuys.find(search.scope, mediaBuyId);
  const line = buy?.packages.find((candidate) => candidate.package_id === packageId);
  if (buy === undefined || line === undefined) {
    throw new TaskError('PACKAGE_NOT_FOUND', 'There is no such package for this caller.', {
      field,
      suggestion: 'Use a package_id from create_media_buy or get_media_buys.',
    });
  }
  if (isTerminal(buy.status) || line.canceled) {
    throw new TaskError('INVALID_STATE', 'The package has ended and takes no more creatives.', {
      field,
      suggestion: 'Assign creatives to packages that have not ended.',
    });
  }
  return { buy, line };
}

/** The newest buys of a sandbox, whose packages may have names that do not tell their buy. */
const MAX_SEARCHED_BUYS = 100;

async function findBuyHolding({ db, call, scope }: PackageSearch, packageId: string): Promise<MediaBuy | undefined> {
  if (call.principal?.sandbox !== true) return undefined;
  const rows = await db.mediaBuys.list(scope, { limit: MAX_SEARCHED_BUYS, after: undefined }, {});
  return rows.map((row) => row.buy).find((buy) => buy.packages.some((candidate) => candidate.package_id === packageId));
}
