import { type ExpressionBuilder, sql } from '../../../platform/database/kysely.js';
import type { Builder } from '../../../platform/database/statement.js';
import { sortableTime } from '../../../platform/kernel/clock.js';
import type { SellerTables } from '../schema/schema.js';
import { PURGED } from './rows.js';

/** Narrows the library of every owner; absent means any. */
export type LibraryFilter = { readonly owner?: string | undefined; readonly status?: string | undefined };

/** Narrows a list of creatives; absent means any. Dates are ISO 8601. */
export type CreativeFilter = {
  readonly accountId?: string | undefined;
  readonly accountIds?: readonly string[] | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly creativeIds?: readonly string[] | undefined;
  readonly nameContains?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly tagsAny?: readonly string[] | undefined;
  readonly formats?: readonly string[] | undefined;
  readonly createdAfter?: string | undefined;
  readonly createdBefore?: string | undefined;
  readonly updatedAfter?: string | undefined;
  readonly updatedBefore?: string | undefined;
  readonly packageIds?: readonly string[] | undefined;
  readonly mediaBuyIds?: readonly string[] | undefined;
  readonly unassigned?: boolean | undefined;
  /** Adds the tombstones of what was purged after this; absent means none. The filter on states is not about them. */
  readonly purgedAfter?: string | undefined;
};

/** The order of a list of creatives. */
export type CreativeSort = {
  readonly field: 'created_date' | 'updated_date' | 'name' | 'status' | 'assignment_count';
  readonly direction: 'asc' | 'desc';
};

/** Orders that an index is in. */
export const INDEXED_SORTS: ReadonlySet<CreativeSort['field']> = new Set(['created_date', 'updated_date', 'name']);

/** Whether a filter is about nothing but what totals are kept by, which the indexes of the list hold as well. */
export function isCounted({
  accountId: _account,
  accountIds: _accounts,
  statuses: _statuses,
  ...more
}: CreativeFilter): boolean {
  return Object.values(more).every((value) => value === undefined);
}

/** Returns the creatives of an owner that a filter is about, as a query. */
export function selectCreatives(db: Builder<SellerTables>, owner: string, filter: CreativeFilter) {
  const { accountId, accountIds, creativeIds, formats, nameContains, tags = [], tagsAny } = filter;
  let query = db
    .selectFrom('creative')
    .where('owner', '=', owner)
    .where((eb) => matchesState(eb, filter));
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (accountIds !== undefined) query = query.where('account_id', 'in', [...accountIds]);
  if (creativeIds !== undefined) query = query.where('creative_id', 'in', [...creativeIds]);
  if (formats !== undefined) query = query.where('format', 'in', [...formats]);
  if (nameContains !== undefined) query = query.where(contains('name', nameContains.toLowerCase()));
  for (const tag of tags) query = query.where(hasTag(tag));
  if (tagsAny !== undefined) query = query.where((eb) => eb.or(tagsAny.map(hasTag)));
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = filter;
  if (createdAfter !== undefined) query = query.where('created_date', '>', sortableTime(createdAfter));
  if (createdBefore !== undefined) query = query.where('created_date', '<', sortableTime(createdBefore));
  if (updatedAfter !== undefined) query = query.where('updated_date', '>', sortableTime(updatedAfter));
  if (updatedBefore !== undefined) query = query.where('updated_date', '<', sortableTime(updatedBefore));
  const { packageIds, mediaBuyIds, unassigned } = filter;
  if (packageIds !== undefined)
    query = query.where((eb) => eb.exists(assignmentsOfRow(eb).where('package_id', 'in', [...packageIds])));
  if (mediaBuyIds !== undefined)
    query = query.where((eb) => eb.exists(assignmentsOfRow(eb).where('media_buy_id', 'in', [...mediaBuyIds])));
  if (unassigned === true) query = query.where((eb) => eb.not(eb.exists(assignmentsOfRow(eb))));
  if (unassigned === false) query = query.where((eb) => eb.exists(assignmentsOfRow(eb)));
  return query;
}

type CreativeExpressions = ExpressionBuilder<SellerTables, 'creative'>;

function matchesState(eb: CreativeExpressions, { statuses, purgedAfter }: CreativeFilter) {
  const isWanted = statuses === undefined ? eb('status', '!=', PURGED) : eb('status', 'in', [...statuses]);
  if (purgedAfter === undefined) return isWanted;
  return eb.or([isWanted, eb.and([eb('status', '=', PURGED), eb('updated_date', '>', sortableTime(purgedAfter))])]);
}

/** Returns the assignments of the creative in the row, as a subquery. */
function assignmentsOfRow(eb: CreativeExpressions) {
  return eb
    .selectFrom('assignment')
    .select('assignment.seq')
    .whereRef('assignment.owner', '=', 'creative.owner')
    .whereRef('assignment.account_id', '=', 'creative.account_id')
    .whereRef('assignment.creative_id', '=', 'creative.creative_id');
}

function contains(column: 'name' | 'tags', text: string) {
  return sql<boolean>`instr(${sql.ref(column)}, ${text}) > 0`;
}

function hasTag(tag: string) {
  return contains('tags', `|${tag.toLowerCase()}|`);
}
