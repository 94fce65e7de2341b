import type { Reading, Writing } from '../../platform/database/engine.js';
import { type ExpressionBuilder, sql } from '../../platform/database/kysely.js';
import { type Builder, createPrepare, type DocRow, once } from '../../platform/database/statement.js';
import { sortableTime } from '../../platform/kernel/clock.js';
import type { Page } from '../../platform/kernel/cursor.js';
import { narrowToScope, ownerOf, type Scope } from '../domain/account/scope.js';
import type { AssignedCreative, Assignment, Creative, Purge } from '../domain/creative/creative.js';
import { listCountStatements, readListCounts } from './list-counts.js';
import type { SellerTables } from './schema/schema.js';

/** A creative with its position in the list. */
type CreativeRow = { readonly seq: number; readonly creative: Creative };
/** A creative with its owner and its position in the list. */
export type OwnedCreative = CreativeRow & { readonly owner: string };

/** An assignment, with the account whose library its creative is in. */
export type LibraryAssignment = Assignment & { readonly account_id: string };

/** A creative that is or was assigned in a buy, with its position in the list of all such pairs. */
export type CreativeUse = {
  readonly seq: number;
  readonly account_id: string;
  readonly creative_id: string;
  readonly media_buy_id: string;
};

/** Narrows a list of uses; absent means any. */
export type UseFilter = {
  readonly accountId?: string | undefined;
  readonly creativeIds?: readonly string[] | undefined;
  readonly mediaBuyIds?: readonly string[] | undefined;
};

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

/** The state of a tombstone: none of a creative, so that nothing but a list which asks for it finds one. */
const PURGED = 'purged';

/** Counts the packages that a creative is in. */
const ASSIGNMENT_COUNT = sql<number>`(select count(*) from assignment where assignment.owner = creative.owner and assignment.account_id = creative.account_id and assignment.creative_id = creative.creative_id)`;

type CreativeId = { owner: string; account_id: string; creative_id: string };
type CreativeColumns = {
  name: string;
  status: string;
  format: string;
  tags: string;
  created_date: string;
  updated_date: string;
  recheck_at: number | null;
  doc: string;
};
type StoredAssignment = CreativeId & {
  media_buy_id: string;
  package_id: string;
  weight: number | null;
  assigned_date: string;
};
type StoredCreative = { seq: number; owner: string; doc: string };

/** Orders that an index is in. */
const INDEXED_SORTS: ReadonlySet<CreativeSort['field']> = new Set(['created_date', 'updated_date', 'name']);

/** Whether a filter is about nothing but what totals are kept by, which the indexes of the list hold as well. */
function isCounted({
  accountId: _account,
  accountIds: _accounts,
  statuses: _statuses,
  ...more
}: CreativeFilter): boolean {
  return Object.values(more).every((value) => value === undefined);
}

/** Returns the statements on creatives and their assignments, compiled for an engine. */
export function creativeStatements(db: Builder<SellerTables>) {
  return {
    ...libraryStatements(db),
    ...listCountStatements(db),
    ...changeStatements(db),
    ...assignmentStatements(db),
    ...useStatements(db),
  };
}

function libraryStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<CreativeId, DocRow>((q, slot) =>
      q
        .selectFrom('creative')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'account_id', 'creative_id')))
        .where('status', '!=', sql.lit(PURGED)),
    ),
    anywhere: prepare<{ owner: string; creative_id: string }, DocRow>((q, slot) =>
      q
        .selectFrom('creative')
        .select('doc')
        .where((is) => is.and(slot.each('owner', 'creative_id')))
        .where('status', '!=', sql.lit(PURGED))
        .orderBy('seq', 'desc')
        .limit(1),
    ),
    bySeq: prepare<{ seq: number }, StoredCreative>((q, slot) =>
      q
        .selectFrom('creative')
        .select(['seq', 'owner', 'doc'])
        .where('seq', '=', slot('seq'))
        .where('status', '!=', sql.lit(PURGED)),
    ),
    waiting: prepare<{ limit: number }, StoredCreative>((q, slot) =>
      q
        .selectFrom('creative')
        .select(['seq', 'owner', 'doc'])
        .where('status', '=', sql.lit('pending_review'))
        .orderBy('updated_date')
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    unread: prepare<{ now: number; limit: number }, StoredCreative>((q, slot) =>
      q
        .selectFrom('creative')
        .select(['seq', 'owner', 'doc'])
        .where('recheck_at', '<=', slot('now'))
        .orderBy('recheck_at')
        .limit(slot('limit')),
    ),
    list: (owner: string, page: Page, filter: CreativeFilter, { field, direction }: CreativeSort) => {
      const key = field === 'assignment_count' ? ASSIGNMENT_COUNT : sql<string>`${sql.ref(`creative.${field}`)}`;
      let query = selectCreatives(db, owner, filter).select(['seq', 'doc']);
      if (page.after !== undefined) {
        const from = sql`(select ${key}, seq from creative where seq = ${page.after})`;
        query = query.where(sql<boolean>`(${key}, seq) ${sql.raw(direction === 'desc' ? '<' : '>')} ${from}`);
      }
      return once(
        query
          .orderBy(key, direction)
          .orderBy('seq', direction)
          .limit(page.limit + 1),
      );
    },
    count: (owner: string, filter: CreativeFilter) =>
      once(selectCreatives(db, owner, filter).select((eb) => eb.fn.countAll<number>().as('total'))),
  };
}

function changeStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    save: prepare<CreativeId & CreativeColumns>((q, slot) => {
      const columns = slot.each(
        'name',
        'status',
        'format',
        'tags',
        'created_date',
        'updated_date',
        'recheck_at',
        'doc',
      );
      return q
        .insertInto('creative')
        .values({ ...slot.each('owner', 'account_id', 'creative_id'), ...columns })
        .onConflict((c) => c.columns(['owner', 'account_id', 'creative_id']).doUpdateSet(columns));
    }),
    remove: prepare<CreativeId>((q, slot) =>
      q.deleteFrom('creative').where((is) => is.and(slot.each('owner', 'account_id', 'creative_id'))),
    ),
    assign: prepare<StoredAssignment>((q, slot) =>
      q
        .insertInto('assignment')
        .values({
          ...slot.each('owner', 'account_id', 'creative_id'),
          ...slot.each('media_buy_id', 'package_id', 'weight', 'assigned_date'),
        })
        .onConflict((c) => c.columns(['media_buy_id', 'package_id', 'creative_id']).doUpdateSet(slot.each('weight'))),
    ),
    addUse: prepare<CreativeId & { media_buy_id: string }>((q, slot) =>
      q
        .insertInto('creative_use')
        .values(slot.each('owner', 'account_id', 'creative_id', 'media_buy_id'))
        .onConflict((c) => c.columns(['media_buy_id', 'creative_id', 'account_id']).doNothing()),
    ),
    releaseCreative: prepare<CreativeId>((q, slot) =>
      q.deleteFrom('assignment').where((is) => is.and(slot.each('owner', 'account_id', 'creative_id'))),
    ),
    releaseBuy: prepare<{ media_buy_id: string }>((q, slot) =>
      q.deleteFrom('assignment').where('media_buy_id', '=', slot('media_buy_id')),
    ),
    releasePackage: prepare<{ media_buy_id: string; package_id: string }>((q, slot) =>
      q.deleteFrom('assignment').where((is) => is.and(slot.each('media_buy_id', 'package_id'))),
    ),
  };
}

function assignmentStatements(db: Builder<SellerTables>) {
  return {
    assignments: (owner: string, creatives: readonly Creative[]) =>
      once(
        db
          .selectFrom('assignment')
          .selectAll()
          .where('owner', '=', owner)
          .where('account_id', 'in', [...new Set(creatives.map((creative) => creative.account_id))])
          .where('creative_id', 'in', [...new Set(creatives.map((creative) => creative.creative_id))])
          .orderBy('seq'),
      ),
    assignedTo: (mediaBuyIds: readonly string[]) =>
      once(
        db
          .selectFrom('assignment')
          .innerJoin('creative', (join) =>
            join
              .onRef('creative.owner', '=', 'assignment.owner')
              .onRef('creative.account_id', '=', 'assignment.account_id')
              .onRef('creative.creative_id', '=', 'assignment.creative_id'),
          )
          .selectAll('assignment')
          .select('creative.status')
          // The reason is in the document, which may be large: it is read where there is one.
          .select((eb) =>
            eb.case().when('creative.status', '=', 'rejected').then(eb.ref('creative.doc')).end().as('doc'),
          )
          .where('assignment.media_buy_id', 'in', [...mediaBuyIds])
          .orderBy('assignment.seq'),
      ),
  };
}

function useStatements(db: Builder<SellerTables>) {
  return {
    uses: (owner: string, page: Page, filter: UseFilter) =>
      once(
        selectUses(db, owner, filter)
          .select(['seq', 'account_id', 'creative_id', 'media_buy_id'])
          .where('seq', '>', page.after ?? 0)
          .orderBy('seq')
          .limit(page.limit + 1),
      ),
    countUses: (owner: string, filter: UseFilter, upTo: number | undefined) => {
      const query = selectUses(db, owner, filter).select((eb) => eb.fn.countAll<number>().as('total'));
      return once(upTo === undefined ? query : query.where('seq', '<=', upTo));
    },
  };
}

function selectUses(db: Builder<SellerTables>, owner: string, { accountId, creativeIds, mediaBuyIds }: UseFilter) {
  let query = db.selectFrom('creative_use').where('owner', '=', owner);
  // Without ids the rows are read in the order of the list: an expression keeps databases from the index by id, whose rows they would have to sort.
  if (accountId !== undefined && creativeIds === undefined)
    query = query.where(sql<boolean>`account_id || '' = ${accountId}`);
  else if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  if (creativeIds !== undefined) query = query.where('creative_id', 'in', [...creativeIds]);
  if (mediaBuyIds !== undefined) query = query.where('media_buy_id', 'in', [...mediaBuyIds]);
  return query;
}

function selectCreatives(db: Builder<SellerTables>, owner: string, filter: CreativeFilter) {
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

/** The compiled statements on creatives. */
type CreativeStatements = ReturnType<typeof creativeStatements>;

/** Reads the creative library of one owner, and where its creatives are assigned. */
export class CreativeReader {
  readonly #tx: Reading;
  readonly #statements: CreativeStatements;

  constructor(tx: Reading, statements: CreativeStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  async find(owner: string, account_id: string, creative_id: string): Promise<Creative | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { owner, account_id, creative_id });
    return row && parseCreative(row.doc);
  }

  /** Returns the newest creative of this id in the accounts of a scope. */
  async findAnywhere(scope: Scope, creative_id: string): Promise<Creative | undefined> {
    if (typeof scope !== 'string') return this.find(scope.owner, scope.accountId, creative_id);
    const row = await this.#tx.one(this.#statements.anywhere, { owner: scope, creative_id });
    return row && parseCreative(row.doc);
  }

  /** Returns one row more than the page asks for, where there is one. */
  async list(scope: Scope, page: Page, filter: CreativeFilter, sort: CreativeSort): Promise<CreativeRow[]> {
    const wanted = this.#statements.list(ownerOf(scope), page, narrowToScope(scope, filter), sort);
    const readsFew = filter.creativeIds !== undefined || (isCounted(filter) && INDEXED_SORTS.has(sort.field));
    const rows = await (readsFew ? this.#tx.all(wanted, {}) : this.#tx.scan(wanted, {}));
    return rows.map((row) => ({ seq: row.seq, creative: parseCreative(row.doc) }));
  }

  async count(scope: Scope, filter: CreativeFilter): Promise<number> {
    const wanted = narrowToScope(scope, filter);
    const owner = ownerOf(scope);
    if (!isCounted(filter)) {
      const rows = this.#statements.count(owner, wanted);
      const [row] = await (filter.creativeIds === undefined ? this.#tx.scan(rows, {}) : this.#tx.all(rows, {}));
      return Number(row?.total ?? 0);
    }
    const counts = await readListCounts(this.#tx, this.#statements, { owner, list: 'creative' }, wanted);
    return counts
      .filter(({ status }) => wanted.statuses?.includes(status) ?? status !== PURGED)
      .reduce((sum, { total }) => sum + total, 0);
  }

  async listAssignments(owner: string, creatives: readonly Creative[]): Promise<LibraryAssignment[]> {
    if (creatives.length === 0) return [];
    const rows = await this.#tx.all(this.#statements.assignments(owner, creatives), {});
    return rows.map((row) => ({ ...parseAssignment(row), account_id: row.account_id }));
  }

  /** Returns every assignment in these buys, with the verdict on its creative. */
  async assignedTo(mediaBuyIds: readonly string[]): Promise<AssignedCreative[]> {
    if (mediaBuyIds.length === 0) return [];
    const rows = await this.#tx.all(this.#statements.assignedTo(mediaBuyIds), {});
    return rows.map((row) => {
      const assigned = { ...parseAssignment(row), status: row.status as Creative['status'] };
      const rejection_reason = row.doc === null ? undefined : parseCreative(row.doc).rejection_reason;
      return rejection_reason === undefined ? assigned : { ...assigned, rejection_reason };
    });
  }

  /** Returns which creatives are or were in which buys, oldest first, one row more than the page asks for where there is one. */
  uses(scope: Scope, page: Page, filter: UseFilter): Promise<CreativeUse[]> {
    return this.#tx.all(this.#statements.uses(ownerOf(scope), page, narrowToScope(scope, filter)), {});
  }

  /** Returns how many uses there are; with `upTo`, of those up to that position in the list. */
  async countUses(scope: Scope, filter: UseFilter, upTo?: number): Promise<number> {
    const wanted = this.#statements.countUses(ownerOf(scope), narrowToScope(scope, filter), upTo);
    const isOfFew = filter.creativeIds !== undefined || filter.mediaBuyIds !== undefined;
    const [row] = await (isOfFew ? this.#tx.all(wanted, {}) : this.#tx.scan(wanted, {}));
    return Number(row?.total ?? 0);
  }

  /** Returns the creatives that wait for a person, across all owners, longest first. */
  async waiting(limit: number): Promise<OwnedCreative[]> {
    return (await this.#tx.all(this.#statements.waiting, { limit })).map(parseOwnedCreative);
  }

  /** Returns the creatives whose files are due to be looked at again, across all owners, longest first. */
  async unread(nowMs: number, limit: number): Promise<OwnedCreative[]> {
    return (await this.#tx.all(this.#statements.unread, { now: nowMs, limit })).map(parseOwnedCreative);
  }

  /** Returns the creative at a position in the list, whoever owns it. */
  async findBySeq(seq: number): Promise<OwnedCreative | undefined> {
    const row = await this.#tx.one(this.#statements.bySeq, { seq });
    return row && parseOwnedCreative(row);
  }
}

/** Reads and writes creatives in one transaction. */
export class CreativeWriter extends CreativeReader {
  readonly #tx: Writing;
  readonly #statements: CreativeStatements;

  constructor(tx: Writing, statements: CreativeStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a creative, or replaces the one with its id. */
  async save(owner: string, creative: Creative): Promise<void> {
    this.#tx.write(this.#statements.save, creativeColumns(owner, creative));
  }

  /** Takes a creative out of every package and out of the library; with a `purge` its tombstone stays. */
  async purge(owner: string, creative: Creative, purge: Purge | undefined): Promise<void> {
    const { account_id, creative_id } = creative;
    const id = { owner, account_id, creative_id };
    this.#tx.write(this.#statements.releaseCreative, id);
    if (purge === undefined) {
      this.#tx.write(this.#statements.remove, id);
      return;
    }
    const tombstone = creativeColumns(owner, { ...creative, purge, updated_date: purge.at });
    this.#tx.write(this.#statements.save, { ...tombstone, status: PURGED });
  }

  async assign(owner: string, account_id: string, assignment: Assignment): Promise<void> {
    const { weight = null } = assignment;
    this.#tx.write(this.#statements.assign, { ...assignment, owner, account_id, weight });
    this.#tx.write(this.#statements.addUse, { ...assignment, owner, account_id });
  }

  /** Takes all creatives out of a package, or (without one) out of a whole buy. */
  async release(media_buy_id: string, package_id?: string): Promise<void> {
    if (package_id === undefined) this.#tx.write(this.#statements.releaseBuy, { media_buy_id });
    else await this.#tx.run(this.#statements.releasePackage, { media_buy_id, package_id });
  }
}

function creativeColumns(owner: string, creative: Creative): CreativeId & CreativeColumns {
  const { account_id, creative_id, name, status, tags, recheck } = creative;
  return {
    owner,
    account_id,
    creative_id,
    name: name.toLowerCase(),
    status,
    format: creative.format_id.id,
    tags: tags.length === 0 ? '' : `|${tags.join('|').toLowerCase()}|`,
    created_date: sortableTime(creative.created_date),
    updated_date: sortableTime(creative.updated_date),
    recheck_at: status === 'processing' && recheck !== undefined ? Date.parse(recheck.at) : null,
    doc: JSON.stringify(creative),
  };
}

/** Returns the creative of a document; one that was stored before versions were counted is at its first. */
function parseCreative(doc: string): Creative {
  const stored = JSON.parse(doc) as Creative | Omit<Creative, 'version'>;
  return { version: 1, ...stored };
}

function parseOwnedCreative({ seq, owner, doc }: StoredCreative): OwnedCreative {
  return { seq, owner, creative: parseCreative(doc) };
}

function parseAssignment(row: Omit<StoredAssignment, 'owner' | 'account_id'>): Assignment {
  const { creative_id, package_id, media_buy_id, weight, assigned_date } = row;
  const assignment = { creative_id, package_id, media_buy_id, assigned_date };
  return weight === null ? assignment : { ...assignment, weight };
}
