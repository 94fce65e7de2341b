import type { Reading, Writing } from '../engine.js';
import { sql } from '../kysely.js';
import { createBuilder } from '../statement.js';
import { type CopiedEngine, isNumbered, type TableShape } from './table-shape.js';

/** The statements by which an engine loads rows together with all that triggers made of them. */
type BulkLoad = {
  /** Suspends the triggers of the tables, and returns the statements that bring them back. */
  readonly suspendTriggers: (tx: Writing, tables: readonly string[]) => Promise<readonly string[]>;
  /** Returns the highest number that a row of a table ever had, 0 where there was none. */
  readonly highestNumber: (reading: Reading, table: string) => Promise<number>;
  /** Makes the next row of a table come after a number. */
  readonly continueAfter: (tx: Writing, table: string, number: number) => Promise<void>;
};

const quoteName = (name: string): string => `"${name}"`;

const BULK_LOADS: Readonly<Record<CopiedEngine['name'], BulkLoad>> = {
  sqlite: {
    suspendTriggers: async (tx) => {
      const statement = { sql: `SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`, parameters: [] };
      const triggers = await tx.all<object, { name: string; sql: string }>(statement, {});
      for (const { name } of triggers) await tx.run({ sql: `DROP TRIGGER ${quoteName(name)}`, parameters: [] }, {});
      return triggers.map((trigger) => trigger.sql);
    },
    highestNumber: async (reading, table) => {
      const statement = { sql: 'SELECT seq FROM sqlite_sequence WHERE name = ?', parameters: [table] };
      return (await reading.one<object, { seq: number }>(statement, {}))?.seq ?? 0;
    },
    continueAfter: async (tx, table, number) => {
      await tx.run({ sql: 'DELETE FROM sqlite_sequence WHERE name = ?', parameters: [table] }, {});
      await tx.run({ sql: 'INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', parameters: [table, number] }, {});
    },
  },
  postgres: {
    suspendTriggers: async (tx, tables) => {
      for (const table of tables)
        await tx.run({ sql: `ALTER TABLE ${quoteName(table)} DISABLE TRIGGER USER`, parameters: [] }, {});
      return tables.map((table) => `ALTER TABLE ${quoteName(table)} ENABLE TRIGGER USER`);
    },
    highestNumber: async (reading, table) => {
      const named = { sql: `SELECT pg_get_serial_sequence($1, 'seq') AS name`, parameters: [quoteName(table)] };
      const sequence = await reading.one<object, { name: string }>(named, {});
      const value = { sql: `SELECT last_value, is_called FROM ${sequence?.name}`, parameters: [] };
      const row = await reading.one<object, { last_value: number; is_called: boolean }>(value, {});
      return row?.is_called === true ? row.last_value : 0;
    },
    continueAfter: async (tx, table, number) => {
      const statement = {
        sql: `SELECT setval(pg_get_serial_sequence($1, 'seq'), $2)`,
        parameters: [quoteName(table), number],
      };
      await tx.all(statement, {});
    },
  },
};

/** Suspends the triggers of a database's tables; returns the statements that bring them back. */
export function suspendTriggers(engine: CopiedEngine, shapes: readonly TableShape[]): Promise<readonly string[]> {
  return engine.transact((tx) =>
    BULK_LOADS[engine.name].suspendTriggers(
      tx,
      shapes.map(({ name }) => name),
    ),
  );
}

/** Lets the rows of the tables be numbered on from where those of another database are. */
export async function continueNumbers(
  { from, to }: { readonly from: CopiedEngine; readonly to: CopiedEngine },
  tx: Writing,
  shapes: readonly TableShape[],
): Promise<void> {
  for (const { name } of shapes.filter(isNumbered)) {
    const highest = await BULK_LOADS[from.name].highestNumber(from.reading, name);
    if (highest > 0) await BULK_LOADS[to.name].continueAfter(tx, name, highest);
  }
}

/** Returns the number of rows of tables. */
export async function countRows(engine: CopiedEngine, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of tables) {
    const query = sql<{ rows: number }>`SELECT count(*) AS rows FROM ${sql.table(table)}`.compile(
      createBuilder(engine.name),
    );
    counts.set(table, (await engine.reading.one<object, { rows: number }>(query, {}))?.rows ?? 0);
  }
  return counts;
}

/** Removes the rows of tables. */
export async function clearTables(engine: CopiedEngine, tables: readonly string[]): Promise<void> {
  for (const table of tables)
    await engine.transact((tx) => tx.run(sql`DELETE FROM ${sql.table(table)}`.compile(createBuilder(engine.name)), {}));
}
