import { FileProblem } from './file-problem.js';
import { type Compilable, CompiledQuery, type SchemaModule } from './kysely.js';
import type { EngineName } from './statement.js';

/** Makes tables and indexes. */
type SchemaBuilder = SchemaModule;

/** One step in the making of a database: the statements that it runs, in order. */
export type Migration = (schema: SchemaBuilder, engine: EngineName) => readonly Compilable[];

/** Begins a table whose `seq` numbers its rows in the order they came; lists page by it. */
export function table(schema: SchemaBuilder, engine: EngineName, name: string) {
  return schema
    .createTable(name)
    .addColumn('seq', 'integer', (c) =>
      engine === 'sqlite' ? c.primaryKey().autoIncrement() : c.autoIncrement().primaryKey(),
    );
}

/** Begins the table of leases, see `leases.ts`. */
export function leaseTable(schema: SchemaBuilder) {
  return schema
    .createTable('lease')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('fence', 'bigint', (c) => c.notNull())
    .addColumn('until_ms', 'bigint', (c) => c.notNull())
    .addColumn('idle_ms', 'bigint');
}

/** Begins the table of the processes that share a database, see `postgres/processes.ts`. */
export function processTable(schema: SchemaBuilder) {
  return schema
    .createTable('process')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('version', 'text', (c) => c.notNull())
    .addColumn('ahead_ms', 'bigint', (c) => c.notNull())
    .addColumn('started_ms', 'bigint', (c) => c.notNull())
    .addColumn('seen_ms', 'bigint', (c) => c.notNull());
}

/** Returns a step that is written as SQL. */
export function plainSql(text: string): Compilable {
  return { compile: () => CompiledQuery.raw(text) };
}

/** The engine and the schema builder that migrations are compiled for. */
type MigrationTarget = { readonly engine: EngineName; readonly schema: SchemaBuilder };

/** How many migrations a database has had, and how it is called in messages. */
type MigrationState = { readonly done: number; readonly label: string };

/**
 * Returns the statements of each migration that a database has not had yet, each list for a transaction of its own. Throws ConfigError
 * when it has had more than there are.
 */
export function pendingMigrations(
  { engine, schema }: MigrationTarget,
  migrations: readonly Migration[],
  { done, label }: MigrationState,
): readonly (readonly string[])[] {
  requireNotNewer({ done, label }, migrations.length);
  return migrations
    .slice(done)
    .map((migration, index) => [
      ...migration(schema, engine).map((step) => step.compile().sql),
      `INSERT INTO migration VALUES (${done + index + 1})`,
    ]);
}

/** Throws FileProblem for a database that has had more migrations than there are. */
export function requireNotNewer({ done, label }: MigrationState, migrations: number): void {
  if (done <= migrations) return;
  const message = `the database was written by a newer version of seller-agent: it has had ${done} migrations, this version knows ${migrations}`;
  throw new FileProblem(label, message, {
    fix: 'Run that version or a newer one; to go back, restore a backup that this version wrote.',
  });
}
