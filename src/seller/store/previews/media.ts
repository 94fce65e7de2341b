import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { SellerTables } from '../schema/schema.js';

/** A media file as a row: `name` is the keyed digest of its bytes with an ending, `expires_at` in ms. */
type MediaRow = {
  readonly name: string;
  /** Whose quota it counts for. */
  readonly owner: string;
  readonly type: string;
  readonly size: number;
  readonly expires_at: number;
};
type ExpiredFile = Pick<MediaRow, 'name' | 'owner' | 'size'>;
type StoredFile = { readonly type: string; readonly bytes: Uint8Array };

/** Returns the statements on media files, compiled for an engine. */
export function mediaStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    byName: prepare<{ name: string }, StoredFile>((q, slot) =>
      q
        .selectFrom('media_file')
        .innerJoin('media_bytes', 'media_bytes.name', 'media_file.name')
        .select(['media_file.type', 'media_bytes.bytes'])
        .where('media_file.name', '=', slot('name')),
    ),
    stored: prepare<{ name: string }, MediaRow>((q, slot) =>
      q
        .selectFrom('media_file')
        .select(['name', 'owner', 'type', 'size', 'expires_at'])
        .where('name', '=', slot('name')),
    ),
    insert: prepare<MediaRow>((q, slot) =>
      q.insertInto('media_file').values(slot.each('name', 'owner', 'type', 'size', 'expires_at')),
    ),
    insertBytes: prepare<{ name: string; bytes: Uint8Array }>((q, slot) =>
      q.insertInto('media_bytes').values(slot.each('name', 'bytes')),
    ),
    extend: prepare<{ name: string; expires_at: number }>((q, slot) =>
      q
        .updateTable('media_file')
        .set(slot.each('expires_at'))
        .where('name', '=', slot('name'))
        .where('expires_at', '<', slot('expires_at')),
    ),
    expired: prepare<{ now: number; limit: number }, ExpiredFile>((q, slot) =>
      q
        .selectFrom('media_file')
        .select(['name', 'owner', 'size'])
        .where('expires_at', '<=', slot('now'))
        .orderBy('expires_at')
        .limit(slot('limit')),
    ),
    remove: prepare<{ name: string }>((q, slot) => q.deleteFrom('media_file').where('name', '=', slot('name'))),
    removeBytes: prepare<{ name: string }>((q, slot) => q.deleteFrom('media_bytes').where('name', '=', slot('name'))),
  };
}

/** The compiled statements on media files. */
type MediaStatements = ReturnType<typeof mediaStatements>;

/** Reads media files. */
export class MediaReader {
  readonly #tx: Reading;
  readonly #statements: MediaStatements;

  constructor(tx: Reading, statements: MediaStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  find(name: string): Promise<StoredFile | undefined> {
    return this.#tx.one(this.#statements.byName, { name });
  }

  /** Returns a media file's row without its bytes. */
  findStored(name: string): Promise<MediaRow | undefined> {
    return this.#tx.one(this.#statements.stored, { name });
  }

  /** Returns the files that expired by `now` (ms), the oldest first. */
  expired(now: number, limit: number): Promise<readonly ExpiredFile[]> {
    return this.#tx.all(this.#statements.expired, { now, limit });
  }
}

/** Reads and writes media files in one transaction. */
export class MediaWriter extends MediaReader {
  readonly #tx: Writing;
  readonly #statements: MediaStatements;

  constructor(tx: Writing, statements: MediaStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Inserts a file that is not there. */
  async insert(row: MediaRow, bytes: Uint8Array): Promise<void> {
    this.#tx.write(this.#statements.insert, row);
    this.#tx.write(this.#statements.insertBytes, { name: row.name, bytes });
  }

  /** Lets a file expire no earlier than `expires_at` (ms). */
  async extend(name: string, expires_at: number): Promise<void> {
    this.#tx.write(this.#statements.extend, { name, expires_at });
  }

  async remove(name: string): Promise<void> {
    this.#tx.write(this.#statements.remove, { name });
    this.#tx.write(this.#statements.removeBytes, { name });
  }
}
