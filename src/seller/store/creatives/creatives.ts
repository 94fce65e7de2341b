import type { Reading, Writing } from '../../../platform/database/engine.js';
import type { Builder } from '../../../platform/database/statement.js';
import type { Page } from '../../../platform/kernel/cursor.js';
import { narrowToScope, ownerOf, type Scope } from '../../domain/account/scope.js';
import type { AssignedCreative, Assignment, Creative, Purge } from '../../domain/creative/creative.js';
import { listCountStatements, readListCounts } from '../list-counts.js';
import { listOwners } from '../owners.js';
import type { SellerTables } from '../schema/schema.js';
import { changeStatements } from './changes.js';
import { type CreativeFilter, type CreativeSort, INDEXED_SORTS, isCounted, type LibraryFilter } from './filter.js';
import { libraryStatements } from './library.js';
import {
  type CreativeRow,
  creativeColumns,
  type OwnedCreative,
  PURGED,
  parseAssignment,
  parseCreative,
  parseOwnedCreative,
} from './rows.js';
import {
  assignmentStatements,
  type CreativeUse,
  type LibraryAssignment,
  type UseFilter,
  useStatements,
} from './uses.js';

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
    const isNarrow = filter.creativeIds !== undefined || (isCounted(filter) && INDEXED_SORTS.has(sort.field));
    const rows = await (isNarrow ? this.#tx.all(wanted, {}) : this.#tx.scan(wanted, {}));
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
      const { rejection_reason, revoked_right } = row.doc === null ? {} : parseCreative(row.doc);
      return rejection_reason === undefined ? assigned : { ...assigned, rejection_reason, revoked_right };
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

  /** Returns the newest creatives of every owner, or of one, before a position; for the operator alone. */
  async newest(filter: LibraryFilter, before: number | undefined, limit: number): Promise<OwnedCreative[]> {
    const rows = await this.#tx.scan(this.#statements.newest(filter, before, limit), {});
    return rows.map(parseOwnedCreative);
  }

  /** Returns the owners of creatives. */
  owners(): Promise<string[]> {
    return listOwners(this.#tx, this.#statements.ownerAfter);
  }

  /** Returns the creatives that wait for a person, across all owners, longest first. */
  async waiting(limit: number): Promise<OwnedCreative[]> {
    return (await this.#tx.all(this.#statements.waiting, { limit })).map(parseOwnedCreative);
  }

  /** Returns the creatives whose files are due to be looked at again, across all owners, longest first. */
  async unread(nowMs: number, limit: number): Promise<OwnedCreative[]> {
    return (await this.#tx.all(this.#statements.unread, { now: nowMs, limit })).map(parseOwnedCreative);
  }

  /** Returns creatives that rely on a right, across all owners, in the order of the list after a position in it. */
  async relyingOn(rightsId: string, after: number, limit: number): Promise<OwnedCreative[]> {
    return (await this.#tx.all(this.#statements.relyingOn(rightsId, after, limit), {})).map(parseOwnedCreative);
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
