import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { DirectReading, EmbeddedEngine, EngineStats, Reading, Writing } from '../engine.js';
import { type Migration, type MigrationTarget, migrate } from '../migrations.js';
import { type Builder, createBuilder, type EngineName } from '../statement.js';
import { Connection } from './connection.js';
import { GroupCommit } from './group-commit.js';
import { SqliteDirectReading, SqliteReading, SqliteWriting } from './transaction.js';

/**
 * How a file is written. An `original` is on disk before a transaction is answered. A `copy` can be read again from elsewhere: after a
 * power cut it is whole, as of a moment before, and nobody waits for the disk; a process that is killed loses nothing.
 */
const DURABILITY_PRAGMAS = {
  original: ['PRAGMA synchronous=FULL', 'PRAGMA wal_autocheckpoint=4000'],
  copy: ['PRAGMA synchronous=NORMAL', 'PRAGMA wal_autocheckpoint=500'],
} as const;

/** Whether a file is the only one of its content (`original`), or can be read again from elsewhere (`copy`). */
export type Durability = keyof typeof DURABILITY_PRAGMAS;

/** How an SQLite file is opened; an `original` unless told otherwise. */
export type SqliteOptions = { readonly migrations: readonly Migration[]; readonly durability?: Durability };

/**
 * Opens one SQLite file as an engine, creating and migrating it as needed: write-ahead log, fsync before a transaction is answered,
 * one writer, one reader.
 */
export function openSqlite<Database>(file: string, options: SqliteOptions): EmbeddedEngine<Database> {
  return new SqliteEngine<Database>(file, options);
}

class SqliteEngine<Database> implements EmbeddedEngine<Database> {
  readonly name: EngineName = 'sqlite';
  readonly queries: Builder<Database> = createBuilder(this.name);
  readonly reading: Reading;
  readonly direct: DirectReading;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #commits: GroupCommit;

  constructor(file: string, { migrations, durability = 'original' }: SqliteOptions) {
    mkdirSync(path.dirname(file), { recursive: true });
    const pragmas = ['PRAGMA journal_mode=WAL', 'PRAGMA cache_size=-12288', ...DURABILITY_PRAGMAS[durability]];
    const writer = new Connection(file, pragmas);
    const target: MigrationTarget = {
      engine: this.name,
      schema: this.queries.schema,
      exec: (sql) => writer.exec(sql),
      countRows: (table) => writer.prepare(`SELECT 1 FROM ${table}`).all([]).length,
    };
    migrate(target, migrations);
    this.#writer = writer;
    this.#reader = new Connection(file, ['PRAGMA query_only=ON', 'PRAGMA cache_size=-6144']);
    this.#commits = new GroupCommit(new SqliteWriting(writer));
    this.reading = new SqliteReading(this.#reader);
    this.direct = new SqliteDirectReading(this.#reader);
  }

  transact<T>(action: (tx: Writing) => Promise<T>): Promise<T> {
    return this.#commits.transact(action);
  }

  async ping(): Promise<void> {
    this.#reader.prepare('select 1').all([]);
  }

  stats(): EngineStats {
    return this.#commits.stats();
  }

  async close(): Promise<void> {
    await this.#commits.close();
    this.#reader.close();
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
  }
}
