import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isObject, readJson } from '../../kernel/json/json.js';
import { sumOf } from '../../kernel/numbers.js';
import { copyDatabase } from '../backup/snapshot.js';
import type { Engine, Writing } from '../engine.js';
import { FileProblem } from '../file-problem.js';
import { isEmpty, recordedIdentity, recordIdentity } from '../identity.js';
import { openPostgres } from '../postgres/postgres.js';
import { openSqlite } from '../sqlite/sqlite.js';
import { countRows, suspendTriggers } from './bulk-load.js';
import { readTables } from './copy-tables.js';
import { insertRows, type Row, RowDigest, type TableDigest } from './rows.js';
import {
  beginCopy,
  type CopiedKind,
  copiedTables,
  ENDINGS,
  finishCopy,
  notEmpty,
  nothingToCopy,
  type StoreCopyOptions,
} from './store-copy.js';
import { type CopiedEngine, readShapes, type TableShape } from './table-shape.js';
import { requireWhole } from './unfinished-copy.js';

/** A store as a file of lines: where the store is, the file of lines, and who hears how far it is. */
type StoreLinesOptions<Database> = Omit<StoreCopyOptions<Database>, 'direction' | 'url'> & {
  /** The URL of the PostgreSQL database that has the store in place of the file. */
  readonly url: string | undefined;
  readonly lines: string;
};

/** Begins the first line of such a file. */
export const STORE_LINES = '{"store_of":';
/** Rows of one statement, and characters of their lines. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Writes a whole store, as of one moment, as lines of JSON, also while a server runs on it: what it is of, a row to a line, and in the end
 * how many there were. The file takes its place when it is whole.
 */
export async function exportStore<Database>(options: StoreLinesOptions<Database>): Promise<readonly TableDigest[]> {
  const { file, guard, kind, lines, url } = options;
  const { marker, migrations } = kind;
  if (url === undefined && isEmpty(file)) throw nothingToCopy(file);
  const scratch = `${lines}.store`;
  removeDatabase(scratch);
  try {
    if (url === undefined) copyDatabase(file, scratch);
    const sqlite: Engine<Database> = openSqlite<Database>(scratch, { migrations });
    try {
      const shapes = await readShapes(sqlite, copiedTables(kind));
      if (url === undefined) return await writeLines(sqlite, shapes, options);
      const postgres = await openPostgres<Database>(url, { migrations, marker, log: guard.log });
      try {
        await requireWhole(postgres.reading);
        return await postgres.transact((tx) => writeLines(asOf(postgres, tx), shapes, options));
      } finally {
        await postgres.close();
      }
    } finally {
      await sqlite.close();
    }
  } finally {
    removeDatabase(scratch);
  }
}

/** Makes an empty store the one whose lines a file has. Throws FileProblem for lines of another kind or version, or that are not whole. */
export async function importStore<Database>(options: StoreLinesOptions<Database>): Promise<readonly TableDigest[]> {
  return options.url === undefined ? importIntoFile(options) : importIntoDatabase(options, options.url);
}

async function importIntoFile<Database>(options: StoreLinesOptions<Database>): Promise<readonly TableDigest[]> {
  const { file, guard, kind } = options;
  if (existsSync(file) && !isEmpty(file)) throw notEmpty(file);
  const unfinished = `${file}-copy`;
  removeDatabase(unfinished);
  const to: Engine<Database> = openSqlite<Database>(unfinished, { migrations: kind.migrations });
  const id = recordedIdentity(guard) ?? guard.newId();
  let tables: readonly TableDigest[];
  try {
    const shapes = await readShapes(to, copiedTables(kind));
    const resumed = await suspendTriggers(to, shapes);
    tables = await readLines(to, shapes, options);
    await finishCopy({ from: to, to }, shapes, resumed, [{ sql: 'INSERT INTO identity VALUES (?)', parameters: [id] }]);
  } finally {
    await to.close();
  }
  // The count of an earlier file says nothing about this one.
  rmSync(`${file}-commits`, { force: true });
  renameSync(unfinished, file);
  recordIdentity(guard, id);
  return tables;
}

async function importIntoDatabase<Database>(
  options: StoreLinesOptions<Database>,
  url: string,
): Promise<readonly TableDigest[]> {
  const { guard, kind, lines } = options;
  const { marker, migrations } = kind;
  const scratch = `${lines}.store`;
  removeDatabase(scratch);
  const sqlite: Engine<Database> = openSqlite<Database>(scratch, { migrations });
  try {
    const to = await openPostgres<Database>(url, { migrations, marker, log: guard.log });
    try {
      const shapes = await readShapes(sqlite, copiedTables(kind));
      await beginCopy(to, kind);
      const resumed = await suspendTriggers(to, shapes);
      const tables = await readLines(to, shapes, options);
      await finishCopy({ from: to, to }, shapes, resumed, []);
      return tables;
    } finally {
      await to.close();
    }
  } finally {
    await sqlite.close();
    removeDatabase(scratch);
  }
}

function removeDatabase(file: string): void {
  for (const ending of ENDINGS) rmSync(`${file}${ending}`, { force: true });
}

/** Returns a database as one transaction sees it. */
function asOf(engine: CopiedEngine, tx: Writing): CopiedEngine {
  return { name: engine.name, reading: tx, transact: (action) => action(tx) };
}

type Lines = Pick<StoreLinesOptions<never>, 'lines' | 'onProgress'> & {
  readonly kind: Pick<CopiedKind<never>, 'marker' | 'migrations'>;
};

async function writeLines(
  from: CopiedEngine,
  shapes: readonly TableShape[],
  { kind, lines, onProgress }: Lines,
): Promise<readonly TableDigest[]> {
  const counts = await countRows(
    from,
    shapes.map(({ name }) => name),
  );
  const all = sumOf([...counts.values()]);
  const handle = await open(`${lines}.new`, 'w', OWNER_ONLY);
  let digests: readonly TableDigest[];
  try {
    await writeLine(handle, { store_of: kind.marker, migrations: kind.migrations.length, rows: all });
    let done = 0;
    digests = await readTables(from, shapes, async ({ name }, rows) => {
      await handle.write(rows.map((row) => `${JSON.stringify({ table: name, row })}\n`).join(''));
      done += rows.length;
      onProgress(Math.min(done, all), all, name);
    });
    await writeLine(handle, { tables: digests });
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${lines}.new`, lines);
  return digests;
}

const OWNER_ONLY = 0o600;

async function writeLine(handle: FileHandle, value: object): Promise<void> {
  await handle.write(`${JSON.stringify(value)}\n`);
}

/** Inserts the rows of a file of lines; throws where it is none of this kind and version, or ends before its end. */
async function readLines(
  to: CopiedEngine,
  shapes: readonly TableShape[],
  { kind, lines, onProgress }: Lines,
): Promise<readonly TableDigest[]> {
  const loader = new RowLoader(to, shapes);
  let all: number | undefined;
  let written: unknown;
  for await (const text of createInterface({ input: createReadStream(lines, 'utf8') })) {
    const line = readJson(text);
    if (!isObject(line)) throw brokenLines(lines);
    if (all === undefined) {
      if (line.store_of !== kind.marker || line.migrations !== kind.migrations.length) throw otherLines(lines);
      all = Number(line.rows);
    } else if (typeof line.table === 'string' && isObject(line.row)) {
      if (await loader.add(line.table, line.row, text.length)) onProgress(loader.done, all, line.table);
    } else written = line.tables;
  }
  const tables = await loader.end();
  if (JSON.stringify(written) !== JSON.stringify(tables)) throw brokenLines(lines);
  return tables;
}

/** Inserts rows batch by batch, table by table in their order. */
class RowLoader {
  readonly #to: CopiedEngine;
  readonly #shapes: readonly TableShape[];
  readonly #digests: readonly RowDigest[];
  #at = 0;
  #rows: Row[] = [];
  #characters = 0;
  done = 0;

  constructor(to: CopiedEngine, shapes: readonly TableShape[]) {
    this.#to = to;
    this.#shapes = shapes;
    this.#digests = shapes.map((shape) => new RowDigest(shape));
  }

  /** Takes a row up; returns whether rows were inserted. */
  async add(table: string, row: Row, characters: number): Promise<boolean> {
    const at = this.#shapes.findIndex(({ name }) => name === table);
    const isDue = at !== this.#at || this.#rows.length >= MAX_ROWS || this.#characters >= MAX_CHARACTERS;
    if (isDue) await this.#flush();
    this.#at = at;
    this.#rows.push(row);
    this.#characters += characters;
    return isDue;
  }

  /** Inserts what is left, and returns the digests of all. */
  async end(): Promise<readonly TableDigest[]> {
    await this.#flush();
    return this.#digests.map((digest) => digest.end());
  }

  async #flush(): Promise<void> {
    const [shape, digest, rows] = [this.#shapes[this.#at], this.#digests[this.#at], this.#rows];
    [this.#rows, this.#characters] = [[], 0];
    // A table that is not known shows in the digests.
    if (rows.length === 0 || shape === undefined || digest === undefined) return;
    await this.#to.transact((tx) => insertRows(this.#to, tx, shape, rows));
    digest.add(rows);
    this.done += rows.length;
  }
}

function otherLines(file: string): FileProblem {
  return new FileProblem(file, 'it is of another kind of store, or of another version', {
    fix: 'Read it with the version that wrote it, or write it again with this one.',
  });
}

function brokenLines(file: string): FileProblem {
  return new FileProblem(file, 'it is not whole, or was changed', { fix: 'Write it again.' });
}
