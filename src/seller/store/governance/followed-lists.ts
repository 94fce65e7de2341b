import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { FollowedList } from '../../domain/targeting/followed-list.js';
import type { ListDimension } from '../../domain/targeting/lists.js';
import type { SellerTables } from '../schema/schema.js';
import type { SealedColumns } from '../sealing/sealed.js';

type Sealed = Pick<SealedColumns, 'followed'>;
type StoredList = Omit<SellerTables['followed_list'], 'seq' | 'next_read_at'> & {
  readonly next_read_at: number | null;
};

/** Returns the statements on the lists that packages target, compiled for an engine. */
export function followedListStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  const COLUMNS = ['owner', 'media_buy_id', 'package_id', 'dimension', 'next_read_at', 'doc'] as const;
  return {
    ofBuy: prepare<{ media_buy_id: string }, StoredList>((q, slot) =>
      q.selectFrom('followed_list').select(COLUMNS).where('media_buy_id', '=', slot('media_buy_id')).orderBy('seq'),
    ),
    earliest: prepare<object, { owner: string; due: number | null }>((q) =>
      q
        .selectFrom('followed_list')
        .select(({ fn }) => ['owner', fn.min('next_read_at').as('due')])
        .where('next_read_at', 'is not', null)
        .groupBy('owner'),
    ),
    due: prepare<{ owner: string; now_ms: number; limit: number }, StoredList>((q, slot) =>
      q
        .selectFrom('followed_list')
        .select(COLUMNS)
        .where('owner', '=', slot('owner'))
        .where('next_read_at', '<=', slot('now_ms'))
        .orderBy('next_read_at')
        .limit(slot('limit')),
    ),
    save: prepare<StoredList>((q, slot) =>
      q
        .insertInto('followed_list')
        .values(slot.each(...COLUMNS))
        .onConflict((c) =>
          c.columns(['media_buy_id', 'package_id', 'dimension']).doUpdateSet(slot.each('next_read_at', 'doc')),
        ),
    ),
    remove: prepare<{ media_buy_id: string; package_id: string; dimension: string }>((q, slot) =>
      q.deleteFrom('followed_list').where((is) => is.and(slot.each('media_buy_id', 'package_id', 'dimension'))),
    ),
  };
}

/** The compiled statements on the lists that packages target. */
type FollowedListStatements = ReturnType<typeof followedListStatements>;

/** Reads the lists that packages target. */
export class FollowedListReader {
  readonly #tx: Reading;
  readonly #statements: FollowedListStatements;
  readonly #sealed: Sealed;

  constructor(tx: Reading, statements: FollowedListStatements, sealed: Sealed) {
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Returns the lists that the packages of a buy target. */
  async ofBuy(media_buy_id: string): Promise<readonly FollowedList[]> {
    const rows = await this.#tx.all(this.#statements.ofBuy, { media_buy_id });
    return rows.map((row) => this.#list(row));
  }

  /** Returns when the first list of each owner is to be read again, ms. */
  async earliest(): Promise<readonly (readonly [owner: string, dueMs: number])[]> {
    const rows = await this.#tx.all(this.#statements.earliest, {});
    return rows.flatMap(({ owner, due }) => (due === null ? [] : [[owner, Number(due)] as const]));
  }

  /** Returns the lists of an owner that are to be read again by a moment, at most `limit`. */
  async due(owner: string, now_ms: number, limit: number): Promise<readonly FollowedList[]> {
    const rows = await this.#tx.all(this.#statements.due, { owner, now_ms, limit });
    return rows.map((row) => this.#list(row));
  }

  #list({ dimension, doc, media_buy_id, next_read_at, package_id }: StoredList): FollowedList {
    const own = { media_buy_id, package_id, dimension: dimension as ListDimension };
    return {
      ...this.#sealed.followed.read(doc),
      ...own,
      nextReadMs: next_read_at === null ? null : Number(next_read_at),
    };
  }
}

/** Reads and writes the lists that packages target in one transaction. */
export class FollowedListWriter extends FollowedListReader {
  readonly #tx: Writing;
  readonly #statements: FollowedListStatements;
  readonly #sealed: Sealed;

  constructor(tx: Writing, statements: FollowedListStatements, sealed: Sealed) {
    super(tx, statements, sealed);
    this.#tx = tx;
    this.#statements = statements;
    this.#sealed = sealed;
  }

  /** Inserts a list of a package, or replaces the one in its dimension. */
  save(owner: string, { dimension, media_buy_id, nextReadMs, package_id, ...doc }: FollowedList): void {
    this.#tx.write(this.#statements.save, {
      owner,
      media_buy_id,
      package_id,
      dimension,
      next_read_at: nextReadMs,
      doc: this.#sealed.followed.write(doc),
    });
  }

  /** Removes the list of a package in a dimension. */
  remove({ dimension, media_buy_id, package_id }: FollowedList): void {
    this.#tx.write(this.#statements.remove, { media_buy_id, package_id, dimension });
  }
}
