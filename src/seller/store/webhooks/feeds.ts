import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { FeedEntry } from '../../domain/feed/changes.js';
import type { FeedNoun } from '../../domain/feed/feed.js';
import type { SellerTables } from '../schema/schema.js';

/** The state of a feed that its subscribers were told of last, and the version that it is replaced under. */
export type FeedState = { readonly version: string; readonly entries: readonly FeedEntry[] };

type FeedKey = { tenant: string; feed: string };
type StoredFeed = { version: string; doc: string };

/** Returns the statements on the states of feeds, compiled for an engine. */
export function feedStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    find: prepare<FeedKey, StoredFeed>((q, slot) =>
      q
        .selectFrom('wholesale_feed')
        .select(['version', 'doc'])
        .where((is) => is.and(slot.each('tenant', 'feed'))),
    ),
    open: prepare<FeedKey & StoredFeed>((q, slot) =>
      q
        .insertInto('wholesale_feed')
        .values(slot.each('tenant', 'feed', 'version', 'doc'))
        .onConflict((c) => c.columns(['tenant', 'feed']).doNothing()),
    ),
    replace: prepare<FeedKey & StoredFeed & { before: string }>((q, slot) =>
      q
        .updateTable('wholesale_feed')
        .set(slot.each('version', 'doc'))
        .where((is) => is.and([is.and(slot.each('tenant', 'feed')), is('version', '=', slot('before'))])),
    ),
  };
}

/** The compiled statements on the states of feeds. */
type FeedStatements = ReturnType<typeof feedStatements>;

/** Reads the states of a tenant's feeds. */
export class FeedReader {
  readonly #tx: Reading;
  readonly #statements: FeedStatements;

  constructor(tx: Reading, statements: FeedStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the state that was told last; undefined before the first. */
  async find(tenant: string, feed: FeedNoun): Promise<FeedState | undefined> {
    const row = await this.#tx.one(this.#statements.find, { tenant, feed });
    return row && { version: row.version, entries: JSON.parse(row.doc) as FeedEntry[] };
  }
}

/** Reads and writes the states of feeds in one transaction. */
export class FeedWriter extends FeedReader {
  readonly #tx: Writing;
  readonly #statements: FeedStatements;

  constructor(tx: Writing, statements: FeedStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Puts a state in the place of the one of the version `before`, or of none; false where another process has put one there. */
  async replace(tenant: string, feed: FeedNoun, before: string | undefined, { version, entries }: FeedState) {
    const row = { tenant, feed, version, doc: JSON.stringify(entries) };
    const written =
      before === undefined
        ? await this.#tx.run(this.#statements.open, row)
        : await this.#tx.run(this.#statements.replace, { ...row, before });
    return written > 0;
  }
}
