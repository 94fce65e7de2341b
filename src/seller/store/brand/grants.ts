import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow } from '../../../platform/database/statement.js';
import { isWithin, ownerOf, type Scope } from '../../domain/account/scope.js';
import { endMs, type Grant } from '../../domain/brand/grant.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

type Sealed = Pick<SealedColumns, 'grants'>;
type StoredGrant = Omit<SellerTables['rights_grant'], 'seq'>;

/** A grant, and who has it. */
export type OwnedGrant = { readonly owner: string; readonly grant: Grant };

/** The books that a grant is in, as `bookScope` has them: live buyers of a tenant share them, a sandbox has its own. */
type Books = { readonly scope: string; readonly rightsId: string };

/** Returns the statements on rights that were granted, compiled for an engine. */
export function grantStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ grant_id: string }, DocRow & { owner: string }>((q, slot) =>
      q.selectFrom('rights_grant').select(['owner', 'doc']).where('grant_id', '=', slot('grant_id')),
    ),
    inForce: prepare<{ scope: string; rights_id: string; from_ms: number; limit: number }, DocRow>((q, slot) =>
      q
        .selectFrom('rights_grant')
        .select('doc')
        .where((is) => is.and(slot.each('scope', 'rights_id')))
        .where('status', '=', 'active')
        .where('ends_at', '>', slot('from_ms'))
        .orderBy('seq')
        .limit(slot('limit')),
    ),
    exclusive: prepare<{ scope: string; rights_id: string; from_ms: number }, DocRow>((q, slot) =>
      q
        .selectFrom('rights_grant')
        .select('doc')
        .where((is) => is.and(slot.each('scope', 'rights_id')))
        .where('status', '=', 'active')
        .where('is_exclusive', '=', 1)
        .where('ends_at', '>', slot('from_ms')),
    ),
    toFollow: prepare<{ limit: number }, DocRow & { owner: string }>((q, slot) =>
      q
        .selectFrom('rights_grant')
        .select(['owner', 'doc'])
        .where('follow_at', 'is not', null)
        .orderBy('follow_at')
        .limit(slot('limit')),
    ),
    newest: prepare<{ limit: number }, DocRow & { owner: string }>((q, slot) =>
      q.selectFrom('rights_grant').select(['owner', 'doc']).orderBy('seq', 'desc').limit(slot('limit')),
    ),
    insert: prepare<StoredGrant>((q, slot) =>
      q
        .insertInto('rights_grant')
        .values(
          slot.each('owner', 'grant_id', 'scope', 'rights_id', 'status', 'is_exclusive', 'ends_at', 'follow_at', 'doc'),
        ),
    ),
    replace: prepare<Pick<StoredGrant, 'grant_id' | 'status' | 'is_exclusive' | 'ends_at' | 'follow_at' | 'doc'>>(
      (q, slot) =>
        q
          .updateTable('rights_grant')
          .set(slot.each('status', 'is_exclusive', 'ends_at', 'follow_at', 'doc'))
          .where('grant_id', '=', slot('grant_id')),
    ),
  };
}

/** The compiled statements on rights that were granted. */
type GrantStatements = ReturnType<typeof grantStatements>;

/** Reads rights that were granted. */
export class GrantReader {
  readonly #tx: Reading;
  readonly #statements: GrantStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: GrantStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  async find(scope: Scope, grantId: string): Promise<Grant | undefined> {
    const owned = await this.findAnywhere(grantId);
    if (owned?.owner !== ownerOf(scope) || !isWithin(scope, owned.grant.account_id)) return undefined;
    return owned.grant;
  }

  /** Returns a grant of whatever owner; for the operator alone. */
  async findAnywhere(grant_id: string): Promise<OwnedGrant | undefined> {
    const row = await this.#tx.one(this.#statements.byId, { grant_id });
    return row && { owner: row.owner, grant: this.#sealed.grants.read(row.doc) };
  }

  /** Returns the first `limit` grants of rights that end after a moment (ms), oldest first; a revoked one is none. */
  async inForce({ scope, rightsId: rights_id }: Books, fromMs: number, limit: number): Promise<readonly Grant[]> {
    const rows = await this.#tx.all(this.#statements.inForce, { scope, rights_id, from_ms: fromMs, limit });
    return rows.map(({ doc }) => this.#sealed.grants.read(doc));
  }

  /** Returns the exclusive ones of them. */
  async exclusives({ scope, rightsId: rights_id }: Books, fromMs: number): Promise<readonly Grant[]> {
    const rows = await this.#tx.all(this.#statements.exclusive, { scope, rights_id, from_ms: fromMs });
    return rows.map(({ doc }) => this.#sealed.grants.read(doc));
  }

  /** Returns grants of which something was taken back, across all owners, the soonest first. */
  async toFollow(limit: number): Promise<readonly OwnedGrant[]> {
    const rows = await this.#tx.all(this.#statements.toFollow, { limit });
    return rows.map(({ owner, doc }) => ({ owner, grant: this.#sealed.grants.read(doc) }));
  }

  /** Returns the newest grants of all owners; for the operator alone. */
  async newest(limit: number): Promise<readonly OwnedGrant[]> {
    const rows = await this.#tx.all(this.#statements.newest, { limit });
    return rows.map(({ owner, doc }) => ({ owner, grant: this.#sealed.grants.read(doc) }));
  }
}

/** Reads and writes rights that were granted, in one transaction. */
export class GrantWriter extends GrantReader {
  readonly #tx: Writing;
  readonly #statements: GrantStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: GrantStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  insert(owner: string, scope: string, grant: Grant): void {
    const { rights_id } = grant;
    this.#tx.write(this.#statements.insert, { owner, scope, rights_id, ...this.#columns(grant) });
  }

  replace(grant: Grant): void {
    this.#tx.write(this.#statements.replace, this.#columns(grant));
  }

  #columns(grant: Grant) {
    return {
      grant_id: grant.grant_id,
      status: grant.status,
      is_exclusive: grant.price.exclusive ? 1 : 0,
      ends_at: grant.end_date === undefined ? NEVER_MS : endMs(grant.end_date),
      follow_at: grant.follow_at === undefined ? null : Date.parse(grant.follow_at),
      doc: this.#sealed.grants.write(grant),
    };
  }
}

/** When a grant without an end ends: the last moment that a date can be. */
const NEVER_MS = 8_640_000_000_000_000;
