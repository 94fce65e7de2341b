import type { Reading, Writing } from '../../../platform/database/engine.js';
import { type Builder, createPrepare, type DocRow } from '../../../platform/database/statement.js';
import type { RegistryTables } from '../../store/schema/schema.js';

/** Reports that are stored at most: of more, those that end first go. */
const MAX_REPORTS = 2000;
/** Bytes of all stored reports. */
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** Returns the statements on the reports of property checks, compiled for an engine. */
export function propertyCheckStatements(db: Builder<RegistryTables>) {
  const prepare = createPrepare(db);
  return {
    find: prepare<{ id: string; now: number }, DocRow>((q, slot) =>
      q.selectFrom('property_check').select('doc').where('id', '=', slot('id')).where('until_ms', '>', slot('now')),
    ),
    add: prepare<{ id: string; until_ms: number; bytes: number; doc: string }>((q, slot) =>
      q.insertInto('property_check').values(slot.each('id', 'until_ms', 'bytes', 'doc')),
    ),
    sizes: prepare<object, { id: string; bytes: number }>((q) =>
      q.selectFrom('property_check').select(['id', 'bytes']).orderBy('until_ms', 'desc').orderBy('id'),
    ),
    drop: prepare<{ id: string }>((q, slot) => q.deleteFrom('property_check').where('id', '=', slot('id'))),
  };
}

type PropertyCheckStatements = ReturnType<typeof propertyCheckStatements>;

/** Reads reports of property checks. */
export class PropertyCheckReader {
  readonly #tx: Reading;
  readonly #statements: () => PropertyCheckStatements;

  constructor(tx: Reading, statements: () => PropertyCheckStatements) {
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Returns a report as JSON, unless it has ended. */
  async findDoc(id: string, nowMs: number): Promise<string | undefined> {
    return (await this.#tx.one(this.#statements().find, { id, now: nowMs }))?.doc;
  }
}

/** Reads and writes reports of property checks, in one transaction. */
export class PropertyCheckWriter extends PropertyCheckReader {
  readonly #tx: Writing;
  readonly #statements: () => PropertyCheckStatements;

  constructor(tx: Writing, statements: () => PropertyCheckStatements) {
    super(tx, statements);
    this.#tx = tx;
    this.#statements = statements;
  }

  /** Stores a report as JSON, and drops those that end first where there are more than may be stored. */
  async add(report: { readonly id: string; readonly until_ms: number; readonly doc: string }): Promise<void> {
    await this.#tx.run(this.#statements().add, { ...report, bytes: Buffer.byteLength(report.doc) });
    let count = 0;
    let total = 0;
    for (const { bytes, id } of await this.#tx.all(this.#statements().sizes, {})) {
      count += 1;
      total += bytes;
      if (id !== report.id && (count > MAX_REPORTS || total > MAX_REPORT_BYTES))
        await this.#tx.run(this.#statements().drop, { id });
    }
  }
}
