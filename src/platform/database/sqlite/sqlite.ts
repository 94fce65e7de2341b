import { statSync } from 'node:fs';
import type { DirectReading, EmbeddedEngine, EngineStats, Reading, Writing } from '../engine.js';
import { FileProblem, RESTORE } from '../file-problem.js';
import { type DatabaseGuard, isEmpty, recordIdentity, requireDatabase, requireSame } from '../identity.js';
import { type Migration, pendingMigrations } from '../migrations.js';
import { makePrivateDatabase } from '../private-files.js';
import { type Builder, createBuilder, type EngineName } from '../statement.js';
import { Checkpoints } from './checkpoints.js';
import { CommitCount } from './commit-count.js';
import { Connection, SqliteDirectReading, SqliteReading, SqliteWriting } from './connection.js';
import { GroupCommit } from './group-commit.js';
import { Scans } from './scans.js';

/**
 * How a file is written: an `original` is on disk before a transaction is answered. A `copy` can be read again from elsewhere, so nobody
 * waits for the disk: a power cut costs its last moment, a killed process nothing.
 */
const DURABILITY_PRAGMAS = {
  original: ['PRAGMA synchronous=FULL', 'PRAGMA wal_autocheckpoint=8000'],
  copy: ['PRAGMA synchronous=NORMAL', 'PRAGMA wal_autocheckpoint=500'],
} as const;

/** The row that tells this database from every other. */
const IDENTITY_TABLE = 'CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL)';
/** A file of at most this size is checked when it is opened, which takes some tenths of a second. */
const MAX_CHECKED_BYTES = 128 * 1024 * 1024;
/** A write-ahead log that outgrew this, since a reader held it for long, is cut back to it when it begins anew. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
/** A file of an earlier version cannot give room back until it is rewritten, which is done at its opening while it is small. */
const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;
/** Free pages that a file keeps: giving each back at once would move others for nothing. */
const MAX_FREE_PAGES = 1024;
/** `PRAGMA auto_vacuum`: free pages are given back when they are asked for. */
const INCREMENTAL = 2;

/** Whether a file is the only one of its content (`original`), or can be read again from elsewhere (`copy`). */
type Durability = keyof typeof DURABILITY_PRAGMAS;

/** How an SQLite file is opened; an `original` unless told otherwise. */
type SqliteOptions = {
  readonly migrations: readonly Migration[];
  readonly durability?: Durability;
  /** Without a guard any file is taken, and a new one is made where there is none. */
  readonly guard?: DatabaseGuard | undefined;
};

/**
 * Opens one SQLite file as an engine, creating and migrating it as needed: write-ahead log, fsync before a transaction is answered,
 * one writer, one reader. Throws ConfigError for a file that is lost, foreign, damaged, no database, or a newer version's.
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
  readonly #count: CommitCount;
  readonly #writing: SqliteWriting;
  readonly #commits: GroupCommit;
  readonly #checkpoints: Checkpoints;
  readonly #scans: Scans;

  constructor(file: string, { migrations, durability = 'original', guard }: SqliteOptions) {
    if (guard !== undefined) requireDatabase(guard, file);
    const isNew = isEmpty(file);
    makePrivateDatabase(file);
    const writer = openWriter(file, [
      // Before the log, which writes the first page.
      `PRAGMA auto_vacuum=${INCREMENTAL}`,
      'PRAGMA journal_mode=WAL',
      `PRAGMA journal_size_limit=${MAX_LOG_BYTES}`,
      'PRAGMA cache_size=-12288',
      ...DURABILITY_PRAGMAS[durability],
    ]);
    try {
      if (guard !== undefined) inspectFile(writer, guard, file);
      this.#migrate(writer, migrations, file);
      writer.exec(IDENTITY_TABLE);
      this.#count = new CommitCount(writer, file, {
        isMarked: guard !== undefined && durability === 'original',
        isNew,
      });
      if (guard !== undefined) identify(writer, guard);
    } catch (error) {
      writer.close();
      throw error;
    }
    const [vacuum] = writer.prepare('PRAGMA auto_vacuum').all([]) as { auto_vacuum: number }[];
    if (vacuum?.auto_vacuum !== INCREMENTAL && statSync(file).size <= MAX_REWRITTEN_BYTES) writer.exec('VACUUM');
    this.#writer = writer;
    this.#reader = new Connection(file, ['PRAGMA query_only=ON', 'PRAGMA cache_size=-6144']);
    this.#checkpoints = new Checkpoints(file);
    this.#scans = new Scans(file);
    this.#writing = new SqliteWriting(writer);
    this.#commits = new GroupCommit(this.#writing, this.#count, this.#checkpoints);
    this.reading = new SqliteReading(this.#reader, this.#scans);
    this.direct = new SqliteDirectReading(this.#reader);
  }

  #migrate(writer: Connection, migrations: readonly Migration[], file: string): void {
    writer.exec('CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)');
    const done = writer.prepare('SELECT 1 FROM migration').all([]).length;
    const target = { engine: this.name, schema: this.queries.schema };
    for (const statements of pendingMigrations(target, migrations, { done, label: file })) {
      writer.exec('BEGIN IMMEDIATE');
      for (const sql of statements) writer.exec(sql);
      writer.exec('COMMIT');
    }
  }

  transact<T>(action: (tx: Writing) => Promise<T>): Promise<T> {
    return this.#commits.transact(action);
  }

  async ping(): Promise<void> {
    await this.#commits.transact((tx) => this.#count.count(tx));
  }

  async giveBack(pages: number): Promise<number> {
    const [row] = this.#reader.prepare('PRAGMA freelist_count').all([]) as { freelist_count: number }[];
    if ((row?.freelist_count ?? 0) <= MAX_FREE_PAGES) return 0;
    return this.#commits.transact(async () => this.#writing.giveBack(pages));
  }

  async compact(): Promise<void> {
    await this.#checkpoints.settle();
    this.#writer.exec('VACUUM');
    this.#writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all([]);
  }

  stats(): EngineStats {
    return this.#commits.stats();
  }

  async close(): Promise<void> {
    await this.#commits.close();
    this.#count.close();
    await this.#checkpoints.close();
    await this.#scans.close();
    this.#reader.close();
    this.#writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#writer.close();
  }
}

/** Opens the connection that writes. Throws ConfigError for a file that is no database. */
function openWriter(file: string, pragmas: readonly string[]): Connection {
  try {
    return new Connection(file, pragmas);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'SQLITE_NOTADB') {
      throw new FileProblem(file, 'this file is no database, or its beginning was overwritten', { fix: RESTORE });
    }
    if (error.code === 'SQLITE_CORRUPT') {
      throw new FileProblem(file, `the database is damaged: ${error.message}`, { fix: RESTORE });
    }
    throw new FileProblem(file, `the database cannot be opened: ${error.message}`, {
      fix: 'Make the file, those beside it (-wal, -shm) and their folder readable and writable for the user that runs the server, and see that the disk has room.',
    });
  }
}

/** Looks at a database before anything is written to it. Throws ConfigError for a damaged one, and for another data folder's. */
function inspectFile(writer: Connection, guard: DatabaseGuard, file: string): void {
  const [{ bytes }] = writer.prepare(FILE_BYTES).all([]) as [{ bytes: number }];
  if (bytes > MAX_CHECKED_BYTES) {
    guard.log.info(
      { file, bytes },
      'the database is too large to be checked at the start; "backup verify" checks a backup of it',
    );
  } else {
    const [first] = writer.prepare('PRAGMA quick_check(1)').all([]) as { quick_check: string }[];
    if (first?.quick_check !== 'ok')
      throw new FileProblem(file, `the database is damaged: ${first?.quick_check}`, { fix: RESTORE });
  }
  const tables = writer.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all([]) as { name: string }[];
  if (tables.length === 0) return;
  requireSame(guard, file, tables.some(({ name }) => name === 'identity') ? readId(writer) : '');
}

const FILE_BYTES = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()';

/** Gives a database an id where it has none, and takes it down beside the keys. */
function identify(writer: Connection, guard: DatabaseGuard): void {
  if (readId(writer) === '') writer.prepare('INSERT INTO identity VALUES (?)').run([guard.newId()]);
  recordIdentity(guard, readId(writer));
}

/** Returns the id of a database; empty where it has none. */
function readId(writer: Connection): string {
  const [row] = writer.prepare('SELECT id FROM identity').all([]) as { id: string }[];
  return row?.id ?? '';
}
