import type { Engine } from '../engine.js';
import { sql } from '../kysely.js';
import { createBuilder } from '../statement.js';

/** A database as far as its rows are copied. */
export type CopiedEngine = Pick<Engine<unknown>, 'name' | 'reading' | 'transact'>;

/** The columns of a table, and those of its primary key in their order. */
export type TableShape = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
};

type Column = { readonly name: string; readonly pk: number };

/** Returns the shapes of tables as an SQLite engine has them; both engines make them by the same migrations. Throws for one without a key. */
export async function readShapes(sqlite: CopiedEngine, tables: readonly string[]): Promise<readonly TableShape[]> {
  return Promise.all(
    tables.map(async (name) => {
      const query = sql<Column>`SELECT name, pk FROM pragma_table_info(${name}) ORDER BY cid`.compile(
        createBuilder(sqlite.name),
      );
      const columns = await sqlite.reading.all<object, Column>(query, {});
      const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
      if (key.length === 0) throw new Error(`the table ${name} has no primary key`);
      return { name, columns: columns.map((column) => column.name), key: key.map((column) => column.name) };
    }),
  );
}

/** Whether the database numbers the rows of a table by itself. */
export function isNumbered({ key }: TableShape): boolean {
  return key.length === 1 && key[0] === 'seq';
}
