import type { DirectReading, Writing } from '../../../platform/database/engine.js';
import { sql } from '../../../platform/database/kysely.js';
import { type Builder, createPrepare, type Statement } from '../../../platform/database/statement.js';
import type { AliasChange, RecordChange } from '../../model/records.js';
import type { RegistryTables } from '../schema/schema.js';
import { EditionWriter } from './edition-writer.js';
import { LookupReads } from './reads/reads.js';
import { EDITION_TABLES, lookupWriteStatements } from './statements.js';

/** Hears of the numbers of publishers that a transaction on disk has changed something of; without a list, all may be others. */
type LookupListener = (publishers?: ReadonlySet<number>) => void;

/** Rows of an old edition that go in one statement. */
const ROWS_PER_DELETION = 200;

/**
 * The lookups of authorizations, in editions: one is live, answers and follows the records; another can be written
 * beside it and take its place.
 */
export class Lookups {
  readonly read: LookupReads;
  readonly #statements: ReturnType<typeof lookupWriteStatements>;
  readonly #deletions: readonly Statement<{ edition: number }, unknown>[];
  readonly #listeners = new Set<LookupListener>();
  readonly #numbers: { next(): number };
  #live: EditionWriter | undefined;
  #next: EditionWriter | undefined;
  #isFrozen = false;

  constructor(db: Builder<RegistryTables>, direct: DirectReading) {
    this.#statements = lookupWriteStatements(db);
    this.#deletions = deletionStatements(db);
    this.#numbers = startNumbers(db, direct);
    const live = direct.one(this.#statements.live, {});
    if (live !== undefined) this.#live = this.#writerOf(live.edition);
    this.read = new LookupReads(db, direct, () => this.#live?.edition ?? 0);
  }

  /** Whether there is an edition to answer from. */
  get isBuilt(): boolean {
    return this.#live !== undefined;
  }

  /** Calls back when something has changed; returns how to end it. */
  follow(listener: LookupListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Leaves the live edition as it is, whatever happens to the records, until another takes its place. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Begins a transaction, which may be run again. */
  begin(): void {
    for (const writer of this.#writers()) writer.begin();
  }

  /** Writes a change of a record in its transaction. */
  async apply(tx: Writing, change: RecordChange | AliasChange): Promise<void> {
    for (const writer of this.#writers()) await writer.apply(tx, change);
  }

  /** Ends a transaction: the last that it writes. */
  async end(tx: Writing): Promise<void> {
    for (const writer of this.#writers()) {
      const touched = await writer.end(tx);
      if (writer === this.#live && touched.size > 0) tx.onCommit(() => this.#announce(touched));
    }
  }

  /** Begins an edition beside the live one; changes of records are written to it from then on. Returns how records are written to it. */
  async beginEdition(tx: Writing): Promise<(tx: Writing, change: RecordChange) => Promise<void>> {
    const editions = await tx.all(this.#statements.editions, {});
    const edition = Math.max(0, ...editions.map((row) => row.edition)) + 1;
    await tx.run(this.#statements.addEdition, { edition });
    const writer = this.#writerOf(edition);
    writer.begin();
    tx.onCommit(() => {
      this.#next = writer;
    });
    return (writing, change) => writer.apply(writing, change);
  }

  /** Gives up the edition that was begun. */
  abandonEdition(): void {
    this.#next = undefined;
  }

  /** Puts the edition that was begun in the place of the live one. */
  async goLive(tx: Writing): Promise<void> {
    const next = this.#next;
    if (next === undefined) throw new Error('no edition was begun');
    await tx.run(this.#statements.goLive, { edition: next.edition });
    tx.onCommit(() => {
      this.#live = next;
      this.#next = undefined;
      this.#isFrozen = false;
      this.#announce();
    });
  }

  /** Deletes a few rows of editions that are neither live nor being written; false when there are none left. */
  async deleteSome(tx: Writing): Promise<boolean> {
    const used = [this.#live?.edition, this.#next?.edition];
    const editions = await tx.all(this.#statements.editions, {});
    const old = editions.find(({ edition }) => !used.includes(edition));
    if (old === undefined) return false;
    for (const deletion of this.#deletions) if ((await tx.run(deletion, old)) > 0) return true;
    await tx.run(this.#statements.dropEdition, old);
    return true;
  }

  /** Returns what the live edition counts. */
  stats() {
    return this.read.counts();
  }

  #writers(): readonly EditionWriter[] {
    const live = this.#isFrozen ? undefined : this.#live;
    return [live, this.#next].filter((writer) => writer !== undefined);
  }

  #writerOf(edition: number): EditionWriter {
    return new EditionWriter(edition, this.#statements, this.#numbers);
  }

  #announce(publishers?: ReadonlySet<number>): void {
    for (const listener of this.#listeners) listener(publishers);
  }
}

/** Numbers rows from behind the last that the file has. */
function startNumbers(db: Builder<RegistryTables>, direct: DirectReading): { next(): number } {
  const prepare = createPrepare(db);
  const lasts = (['lookup_publisher', 'lookup_agent', 'lookup_property', 'lookup_term'] as const).map((table) =>
    prepare<object, { last: number | null }>((q) =>
      q.selectFrom(table as 'lookup_term').select((e) => e.fn.max<number | null>('id').as('last')),
    ),
  );
  let number = Math.max(...lasts.map((statement) => direct.one(statement, {})?.last ?? 0));
  return {
    next: () => {
      number += 1;
      return number;
    },
  };
}

/** Returns the statements that delete a few rows of an edition, by table. */
function deletionStatements(db: Builder<RegistryTables>): readonly Statement<{ edition: number }, unknown>[] {
  const prepare = createPrepare(db);
  return EDITION_TABLES.map((name) =>
    prepare<{ edition: number }>((q, slot) => {
      // Every table has an edition, so the statements are written once, for one of them.
      const table = name as 'lookup_term';
      const some = (column: string) =>
        q
          .selectFrom(table)
          .select(sql.ref<number>(column).as('key'))
          .where('edition', '=', slot('edition'))
          .limit(sql.lit(ROWS_PER_DELETION));
      const keys = ROW_KEYS[name];
      const rows = q
        .deleteFrom(table)
        .where((e) => e.and((keys ?? ['rowid']).map((column) => e(sql.ref<number>(column), 'in', some(column)))));
      return keys === undefined ? rows : rows.where('edition', '=', slot('edition'));
    }),
  );
}

/** What tells rows of a table without row ids apart, or few enough of them. */
const ROW_KEYS: Partial<Record<(typeof EDITION_TABLES)[number], readonly string[]>> = {
  lookup_identifier: ['value', 'property'],
  lookup_grant: ['row_id'],
};
