import { existsSync, renameSync, rmSync } from 'node:fs';
import { sumOf } from '../../kernel/numbers.js';
import type { Engine } from '../engine.js';
import { FileProblem } from '../file-problem.js';
import { type DatabaseGuard, isEmpty, recordedIdentity, recordIdentity } from '../identity.js';
import { sql } from '../kysely.js';
import { presentMs } from '../leases.js';
import type { Migration } from '../migrations.js';
import { openPostgres } from '../postgres/postgres.js';
import { openSqlite } from '../sqlite/sqlite.js';
import { createBuilder } from '../statement.js';
import { clearTables, continueNumbers, countRows, suspendTriggers } from './bulk-load.js';
import { copyTables, readTables } from './copy-tables.js';
import type { TableDigest } from './rows.js';
import { type CopiedEngine, readShapes, type TableShape } from './table-shape.js';
import { isUnfinished } from './unfinished-copy.js';

/** Tables of one database or process, which are copied of no kind. */
const NEVER_COPIED: ReadonlySet<string> = new Set([
  'migration',
  'identity',
  'probe',
  'unfinished_copy',
  'process',
  'lease',
]);
/** The row that marks a database as half copied. */
const MARK = { sql: 'INSERT INTO unfinished_copy (id) VALUES (1)', parameters: [] };
const UNMARK = { sql: 'DELETE FROM unfinished_copy', parameters: [] };
/** What SQLite has beside a file that it writes. */
export const ENDINGS = ['', '-wal', '-shm', '-commits'] as const;

/** A kind of store that is copied. */
export type CopiedKind<Database> = {
  readonly migrations: readonly Migration[];
  /** A table that only databases of this kind have. */
  readonly marker: string;
  /** Every table of a database. */
  readonly tables: readonly string[];
  /** Tables that stay behind beside those of every kind; in a database that is copied into they are empty. */
  readonly leftOut: readonly string[];
  /** What lies in a file beside the database on one side, and in it on the other. */
  readonly secrets?: CarriedAlong<Database>;
};

/** A statement with its values. */
export type Insert = { readonly sql: string; readonly parameters: readonly unknown[] };

/** The files that are carried along with the tables of a store. */
export type CarriedAlong<Database> = {
  /** Makes sure that it can be read in a store. Throws ConfigError otherwise. */
  check(engine: Engine<Database>): Promise<void>;
  /** Returns the statements that put it into a shared database. */
  toDatabase(to: Engine<Database>): Promise<readonly Insert[]>;
  /** Writes that of a shared database into the data folder. */
  toFolder(from: Engine<Database>): Promise<void>;
};

/** Which way a store is copied. */
type CopyDirection = 'to-postgres' | 'to-sqlite';

/** The source, the target and the guard of a store's copy; the data folder is held by the caller. */
export type StoreCopyOptions<Database = unknown> = {
  readonly kind: CopiedKind<Database>;
  readonly direction: CopyDirection;
  /** The SQLite file, and the URL of the PostgreSQL database. */
  readonly file: string;
  readonly url: string;
  /** The data folder of the file. */
  readonly guard: DatabaseGuard;
  /** Hears how far it is: rows that were read or written, of all that will be, and of which table they are. */
  readonly onProgress: (done: number, all: number, table: string) => void;
};

/** The tables that were copied, with their rows and the digest that both sides have. */
type StoreCopy = { readonly tables: readonly TableDigest[] };

/**
 * Copies a whole store into an empty one of the other engine, with what is carried along, and compares counts and digests of both. Until
 * that is done nothing serves the copy. Throws ConfigError where there is nothing to copy, the other store is not empty, what is carried
 * along cannot be read, or the source was changed meanwhile.
 */
export async function copyStore<Database>(options: StoreCopyOptions<Database>): Promise<StoreCopy> {
  return options.direction === 'to-postgres' ? copyToPostgres(options) : copyToSqlite(options);
}

async function copyToPostgres<Database>(options: StoreCopyOptions<Database>): Promise<StoreCopy> {
  const { file, guard, kind, onProgress, url } = options;
  const { marker, migrations, secrets } = kind;
  if (isEmpty(file)) throw nothingToCopy(file);
  const from: Engine<Database> = openSqlite<Database>(file, { migrations, guard });
  try {
    const to = await openPostgres<Database>(url, { migrations, marker, log: guard.log });
    try {
      await secrets?.check(from);
      await beginCopy(to, kind);
      const shapes = await readShapes(from, copiedTables(kind));
      const resumed = await suspendTriggers(to, shapes);
      const tables = await copyAndCompare({ from, to }, shapes, onProgress);
      await finishCopy({ from, to }, shapes, resumed, (await secrets?.toDatabase(to)) ?? []);
      return { tables };
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Copies into a file of another name, which gets its own once it is whole. */
async function copyToSqlite<Database>(options: StoreCopyOptions<Database>): Promise<StoreCopy> {
  const { file, guard, kind, onProgress, url } = options;
  const { marker, migrations, secrets } = kind;
  if (existsSync(file) && !isEmpty(file)) throw notEmpty(file);
  const unfinished = `${file}-copy`;
  for (const ending of ENDINGS) rmSync(`${unfinished}${ending}`, { force: true });
  const from = await openPostgres<Database>(url, { migrations, marker, log: guard.log });
  try {
    if (await isUnfinished(from.reading)) throw unfinishedSource();
    await refuseServed(from);
    await secrets?.check(from);
    const to: Engine<Database> = openSqlite<Database>(unfinished, { migrations });
    let tables: readonly TableDigest[];
    const id = recordedIdentity(guard) ?? guard.newId();
    try {
      const shapes = await readShapes(to, copiedTables(kind));
      const resumed = await suspendTriggers(to, shapes);
      tables = await copyAndCompare({ from, to }, shapes, onProgress);
      await secrets?.toFolder(from);
      const identify = { sql: 'INSERT INTO identity VALUES (?)', parameters: [id] };
      await finishCopy({ from, to }, shapes, resumed, [identify]);
    } finally {
      await to.close();
    }
    // The count of an earlier file says nothing about this one.
    rmSync(`${file}-commits`, { force: true });
    renameSync(unfinished, file);
    recordIdentity(guard, id);
    return { tables };
  } finally {
    await from.close();
  }
}

type Engines = { readonly from: CopiedEngine; readonly to: CopiedEngine };

/** Returns the tables of a kind of store whose rows are copied. */
export function copiedTables({ leftOut, tables }: Pick<CopiedKind<never>, 'leftOut' | 'tables'>): readonly string[] {
  return tables.filter((table) => !NEVER_COPIED.has(table) && !leftOut.includes(table));
}

/** Marks a database as half copied; what an earlier copy left goes. Throws for one that is in use. */
export async function beginCopy(to: CopiedEngine, { tables: all }: Pick<CopiedKind<never>, 'tables'>): Promise<void> {
  const tables = all.filter((table) => !NEVER_COPIED.has(table));
  if (!(await isUnfinished(to.reading))) {
    const counts = await countRows(to, tables);
    if ([...counts.values()].some((rows) => rows > 0)) throw notEmpty('the PostgreSQL database');
    await to.transact((tx) => tx.run(MARK, {}));
    return;
  }
  const shapes = tables.map((name): TableShape => ({ name, columns: [], key: [] }));
  await suspendTriggers(to, shapes);
  await clearTables(to, tables);
}

/** Copies the rows, then reads both sides again and compares them. Throws where they differ. */
async function copyAndCompare(
  { from, to }: Engines,
  shapes: readonly TableShape[],
  onProgress: StoreCopyOptions['onProgress'],
): Promise<readonly TableDigest[]> {
  const counts = await countRows(
    from,
    shapes.map(({ name }) => name),
  );
  const rows = sumOf([...counts.values()]);
  let done = 0;
  const note = ({ name }: TableShape, { length }: readonly unknown[]): void => {
    done += length;
    onProgress(Math.min(done, 3 * rows), 3 * rows, name);
  };
  const read = await copyTables({ from, to }, shapes, note);
  const written = await readTables(to, shapes, note);
  const again = await readTables(from, shapes, note);
  for (const [index, table] of read.entries()) {
    if (!isSame(table, again[index])) throw changedMeanwhile(table);
    if (!isSame(table, written[index])) throw createMismatch(table);
  }
  return written;
}

/** Makes the copy one that is served: in one transaction it is whole. */
export async function finishCopy(
  { from, to }: Engines,
  shapes: readonly TableShape[],
  resumed: readonly string[],
  last: readonly Insert[],
): Promise<void> {
  await to.transact(async (tx) => {
    await continueNumbers({ from, to }, tx, shapes);
    for (const sql of resumed) await tx.run({ sql, parameters: [] }, {});
    for (const statement of last) await tx.run(statement, {});
    await tx.run(UNMARK, {});
  });
}

/** Throws where a server holds a lease of its jobs. */
async function refuseServed({ name, reading }: CopiedEngine): Promise<void> {
  const held = sql<object>`SELECT name FROM lease WHERE until_ms > ${presentMs(name, 0)}`.compile(createBuilder(name));
  if ((await reading.one<object, object>(held, {})) === undefined) return;
  throw new FileProblem('the PostgreSQL database', 'a seller-agent is running on it', {
    fix: 'Stop every server on the database; one that was killed counts for half a minute more.',
  });
}

function isSame(one: TableDigest, other: TableDigest | undefined): boolean {
  return one.rows === other?.rows && one.digest === other.digest;
}

/** Returns the problem of a store that is not there. */
export function nothingToCopy(file: string): FileProblem {
  return new FileProblem(file, 'there is no store to copy', { fix: 'Name the data folder that has it with --data.' });
}

/** Returns the problem of a store that is there already. */
export function notEmpty(store: string): FileProblem {
  return new FileProblem(store, 'there is a store already', {
    fix: 'A copy goes into an empty database: name another one, or move what is there away.',
  });
}

function unfinishedSource(): FileProblem {
  return new FileProblem('the PostgreSQL database', 'a copy into it never ended, so there is nothing whole to copy', {
    fix: 'Run the copy into it again first.',
  });
}

function changedMeanwhile({ table }: TableDigest): FileProblem {
  return new FileProblem('the store', `the table ${table} was changed while it was copied`, {
    fix: 'Stop every server on the database, then run the copy again.',
  });
}

function createMismatch({ table }: TableDigest): FileProblem {
  return new FileProblem('the store', `the table ${table} is another one in the copy`, {
    fix: 'Run the copy again; if it comes to the same, say so at the address in SECURITY.md.',
  });
}
