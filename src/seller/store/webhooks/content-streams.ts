import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../platform/database/statement.js';
import type { ContentFrequency } from '../../domain/content/records.js';
import type { SellerTables } from '../schema/schema.js';

/** How far the content of a buy was pushed. Times in ms since the epoch. */
export type ContentStream = {
  readonly media_buy_id: string;
  readonly owner: string;
  readonly frequency: ContentFrequency;
  /** Where the next batch begins. */
  readonly next_from: number;
  /** When it is looked at again. */
  readonly due_at: number;
};

const STREAM = ['media_buy_id', 'owner', 'frequency', 'next_from', 'due_at'] as const;

/** Returns the statements on content streams, compiled for an engine. */
export function contentStreamStatements(db: Builder<SellerTables>) {
  const prepare = createPrepare(db);
  return {
    due: prepare<{ now: number; limit: number }, ContentStream>((q, slot) =>
      q
        .selectFrom('content_stream')
        .select([...STREAM])
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<ContentStream>(),
    ),
    dueOfOwner: prepare<{ owner: string; now: number; limit: number }, ContentStream>((q, slot) =>
      q
        .selectFrom('content_stream')
        .select([...STREAM])
        .where('owner', '=', slot('owner'))
        .where('due_at', '<=', slot('now'))
        .orderBy('due_at')
        .limit(slot('limit'))
        .$castTo<ContentStream>(),
    ),
    byId: prepare<{ id: string }, ContentStream>((q, slot) =>
      q
        .selectFrom('content_stream')
        .select([...STREAM])
        .where('media_buy_id', '=', slot('id'))
        .$castTo<ContentStream>(),
    ),
    save: prepare<ContentStream>((q, slot) => {
      const values = slot.each(...STREAM);
      return q
        .insertInto('content_stream')
        .values(values)
        .onConflict((c) => c.column('media_buy_id').doUpdateSet(values));
    }),
    end: prepare<{ id: string }>((q, slot) => q.deleteFrom('content_stream').where('media_buy_id', '=', slot('id'))),
  };
}

/** The compiled statements on content streams. */
type ContentStreamStatements = ReturnType<typeof contentStreamStatements>;

/** Reads how far the content of buys was pushed. */
export class ContentStreamReader {
  readonly #tx: Reading;
  readonly #statements: ContentStreamStatements;

  constructor(tx: Reading, statements: ContentStreamStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns the streams that are due by `now`, of one owner where it is named, the longest due first. */
  async due(now: number, limit: number, owner?: string): Promise<readonly ContentStream[]> {
    return owner === undefined
      ? this.#tx.all(this.#statements.due, { now, limit })
      : this.#tx.all(this.#statements.dueOfOwner, { owner, now, limit });
  }

  async find(id: string): Promise<ContentStream | undefined> {
    return this.#tx.one(this.#statements.byId, { id });
  }
}

/** Reads and writes how far the content of buys was pushed, in one transaction. */
export class ContentStreamWriter extends ContentStreamReader {
  readonly #tx: Writing;
  readonly #statements: ContentStreamStatements;

  constructor(tx: Writing, statements: ContentStreamStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  save(stream: ContentStream): void {
    this.#tx.write(this.#statements.save, stream);
  }

  end(id: string): void {
    this.#tx.write(this.#statements.end, { id });
  }
}
