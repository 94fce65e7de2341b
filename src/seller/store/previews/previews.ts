import type { Reading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

/** A preview as a row: `body` is its JSON, empty once it expired; `size` the bytes of the body. Times in ms. */
export type PreviewRow = {
  readonly id: string;
  readonly owner: string;
  readonly expires_at: number;
  readonly size: number;
  readonly body: string;
};

/** How many previews and media files there are, and their bytes. */
export type PreviewUsage = { readonly count: number; readonly bytes: number };

/** Stands for all owners together in the table of usage. */
export const ALL_OWNERS = '';

type ExpiredPreview = { id: string; owner: string; size: number };

/** Returns the statements on previews, compiled for an engine. */
export function previewStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byId: prepare<{ id: string }, PreviewRow>((q, slot) =>
      q.selectFrom('preview').selectAll().where('id', '=', slot('id')),
    ),
    stored: prepare<{ id: string }, Omit<PreviewRow, 'body'>>((q, slot) =>
      q.selectFrom('preview').select(['id', 'owner', 'expires_at', 'size']).where('id', '=', slot('id')),
    ),
    insert: prepare<PreviewRow>((q, slot) =>
      q
        .insertInto('preview')
        .values(slot.each('id', 'owner', 'expires_at', 'size', 'body'))
        .onConflict((c) => c.column('id').doNothing()),
    ),
    replace: prepare<PreviewRow>((q, slot) =>
      q
        .updateTable('preview')
        .set(slot.each('owner', 'expires_at', 'size', 'body'))
        .where('id', '=', slot('id')),
    ),
    expired: prepare<{ now: number; limit: number }, ExpiredPreview>((q, slot) =>
      q
        .selectFrom('preview')
        .select(['id', 'owner', 'size'])
        .where('size', '>', sql.lit(0))
        .where('expires_at', '<=', slot('now'))
        .orderBy('expires_at')
        .limit(slot('limit')),
    ),
    empty: prepare<{ id: string }>((q, slot) =>
      q.updateTable('preview').set({ body: '', size: 0 }).where('id', '=', slot('id')),
    ),
    forget: prepare<{ before: number; limit: number }>((q, slot) =>
      q
        .deleteFrom('preview')
        .where('id', 'in', (from) =>
          from
            .selectFrom('preview')
            .select('id')
            .where('size', '=', sql.lit(0))
            .where('expires_at', '<=', slot('before'))
            .limit(slot('limit')),
        ),
    ),
    usage: prepare<{ owner: string }, PreviewUsage>((q, slot) =>
      q.selectFrom('preview_usage').select(['count', 'bytes']).where('owner', '=', slot('owner')),
    ),
    addUsage: prepare<PreviewUsage & { owner: string }>((q, slot) =>
      q
        .insertInto('preview_usage')
        .values(slot.each('owner', 'count', 'bytes'))
        .onConflict((c) =>
          c.column('owner').doUpdateSet((eb) => ({
            count: eb('preview_usage.count', '+', slot('count')),
            bytes: eb('preview_usage.bytes', '+', slot('bytes')),
          })),
        ),
    ),
  };
}

/** The compiled statements on previews. */
type PreviewStatements = ReturnType<typeof previewStatements>;

/** Reads previews, whoever owns them: an id is all that is needed to look at one. */
export class PreviewReader {
  readonly #tx: Reading;
  readonly #statements: PreviewStatements;

  constructor(tx: Reading, statements: PreviewStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  find(id: string): Promise<PreviewRow | undefined> {
    return this.#tx.one(this.#statements.byId, { id });
  }

  /** Returns a preview's row without its body. */
  findStored(id: string): Promise<Omit<PreviewRow, 'body'> | undefined> {
    return this.#tx.one(this.#statements.stored, { id });
  }

  /** Returns the usage of an owner, or of `ALL_OWNERS`. */
  async usage(owner: string): Promise<PreviewUsage> {
    const { count = 0, bytes = 0 } = (await this.#tx.one(this.#statements.usage, { owner })) ?? {};
    return { count, bytes };
  }

  /** Returns the previews that expired by `now` (ms) and still have their body, the oldest first. */
  expired(now: number, limit: number): Promise<readonly ExpiredPreview[]> {
    return this.#tx.all(this.#statements.expired, { now, limit });
  }
}

/** Reads and writes previews in one transaction. */
export class PreviewWriter extends PreviewReader {
  readonly #tx: Writing;
  readonly #statements: PreviewStatements;

  constructor(tx: Writing, statements: PreviewStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a preview; returns whether there was none with its id. */
  async insert(row: PreviewRow): Promise<boolean> {
    return (await this.#tx.run(this.#statements.insert, row)) === 1;
  }

  /** Replaces the preview with its id. */
  async replace(row: PreviewRow): Promise<void> {
    this.#tx.write(this.#statements.replace, row);
  }

  /** Removes the body of a preview; its id is still known. */
  async empty(id: string): Promise<void> {
    this.#tx.write(this.#statements.empty, { id });
  }

  /** Forgets the ids of previews without a body that expired by `before` (ms); returns how many. */
  forget(before: number, limit: number): Promise<number> {
    return this.#tx.run(this.#statements.forget, { before, limit });
  }

  /** Adds to the usage of an owner and of all. */
  async addUsage(owner: string, { count, bytes }: PreviewUsage): Promise<void> {
    if (count === 0 && bytes === 0) return;
    this.#tx.write(this.#statements.addUsage, { owner: ALL_OWNERS, count, bytes });
    if (owner !== ALL_OWNERS) this.#tx.write(this.#statements.addUsage, { owner, count, bytes });
  }
}
