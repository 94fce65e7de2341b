import type { DirectReading } from '../../../../platform/database/engine.js';
import { type Builder, createPrepare } from '../../../../platform/database/statement.js';
import type { CollectionRecord } from '../../../model/records.js';
import type { RegistryTables } from '../../schema/schema.js';

/** So many times an id is followed to the one that it was merged into. */
const MAX_MERGES = 8;

/** Reads the collections of the records, at once. */
export class CollectionReads {
  readonly #direct: DirectReading;
  readonly #statements: ReturnType<typeof collectionStatements>;

  constructor(db: Builder<RegistryTables>, direct: DirectReading) {
    this.#direct = direct;
    this.#statements = collectionStatements(db);
  }

  /** Returns the collection with an id of the registry, or the one that it was merged into. */
  find(rid: string): CollectionRecord | undefined {
    let id: string | undefined = rid;
    for (let merges = 0; id !== undefined && merges <= MAX_MERGES; merges += 1) {
      const row = this.#direct.one(this.#statements.byRid, { id });
      if (row !== undefined) return JSON.parse(row.doc) as CollectionRecord;
      id = this.#direct.one(this.#statements.merged, { id })?.canonical;
    }
    return undefined;
  }

  /** Returns the collections of a publisher, at most so many. */
  ofPublisher(domain: string, limit: number): readonly CollectionRecord[] {
    const rows = this.#direct.all(this.#statements.ofPublisher, { domain, limit });
    return rows.map(({ doc }) => JSON.parse(doc) as CollectionRecord);
  }
}

function collectionStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    byRid: prepare<{ id: string }, { doc: string }>((q, slot) =>
      q.selectFrom('collection').select('doc').where('id', '=', slot('id')).where('gone', '=', 0),
    ),
    merged: prepare<{ id: string }, { canonical: string }>((q, slot) =>
      q.selectFrom('alias').select('canonical').where('id', '=', slot('id')),
    ),
    ofPublisher: prepare<{ domain: string; limit: number }, { doc: string }>((q, slot) =>
      q
        .selectFrom('collection')
        .select('doc')
        .where('publisher_domain', '=', slot('domain'))
        .where('gone', '=', 0)
        .orderBy('id')
        .limit(slot('limit')),
    ),
  };
}
