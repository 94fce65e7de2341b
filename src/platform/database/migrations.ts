import type { Compilable, SchemaModule } from './kysely.js';
import type { EngineName } from './statement.js';

/** Makes tables and indexes. */
export type SchemaBuilder = SchemaModule;

/** One step in the making of a database: the statements that it runs, in order. */
export type Migration = (schema: SchemaBuilder, engine: EngineName) => readonly Compilable[];

/** Begins a table whose `seq` numbers its rows in the order they came; lists page by it. */
export function table(schema: SchemaBuilder, _engine: EngineName, name: string) {
  return schema.createTable(name).addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement());
}

/** A connection as far as migrations need it. */
export type MigrationTarget = {
  readonly engine: EngineName;
  readonly schema: SchemaBuilder;
  exec(sql: string): void;
  /** Returns how many rows a table has. */
  countRows(table: string): number;
};

/** Runs the migrations that a database has not had yet, each in a transaction. Throws when it has had more than there are. */
export function migrate(target: MigrationTarget, migrations: readonly Migration[]): void {
  target.exec('CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)');
  const done = target.countRows('migration');
  if (done > migrations.length) throw new Error('this store was written by a newer version of seller-agent');
  migrations.slice(done).forEach((migration, index) => {
    target.exec('BEGIN IMMEDIATE');
    for (const step of migration(target.schema, target.engine)) target.exec(step.compile().sql);
    target.exec(`INSERT INTO migration VALUES (${done + index + 1})`);
    target.exec('COMMIT');
  });
}
