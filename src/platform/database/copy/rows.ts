import { createHash } from 'node:crypto';
import type { Writing } from '../engine.js';
import { sql } from '../kysely.js';
import { createBuilder } from '../statement.js';
import type { CopiedEngine, TableShape } from './table-shape.js';

/** A row by its columns. */
export type Row = Readonly<Record<string, unknown>>;

const FIRST_ROWS = 50;
/** Most rows of one batch; an engine takes some 32,000 values in a statement. */
const MAX_ROWS = 1000;
const MAX_VALUES = 30_000;
/** Bytes that a batch comes to at most, but for its growth from one to the next; a row has up to some megabytes. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024;

/** Reads the rows of a table in the order of its key, batch by batch. */
export async function* readRows(engine: CopiedEngine, shape: TableShape): AsyncGenerator<readonly Row[]> {
  const most = Math.min(MAX_ROWS, Math.floor(MAX_VALUES / shape.columns.length));
  let limit = Math.min(FIRST_ROWS, most);
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = await engine.reading.all<object, Row>(selectAfter(engine, shape, limit, after), {});
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = shape.key.map((column) => last[column]);
    const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0);
    limit = Math.max(1, Math.min(most, 2 * limit, Math.floor((limit * MAX_BATCH_BYTES) / bytes)));
  }
}

function selectAfter(engine: CopiedEngine, shape: TableShape, limit: number, after: readonly unknown[] | undefined) {
  const key = sql.join(shape.key.map((column) => sql.ref(column)));
  const columns = sql.join(shape.columns.map((column) => sql.ref(column)));
  const later = after === undefined ? sql`` : sql`WHERE (${key}) > (${sql.join([...after])})`;
  const query = sql<Row>`SELECT ${columns} FROM ${sql.table(shape.name)} ${later} ORDER BY ${key} LIMIT ${limit}`;
  return query.compile(createBuilder(engine.name));
}

/** Inserts rows as they were read. */
export async function insertRows(
  engine: CopiedEngine,
  tx: Writing,
  { columns, name }: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const insert = sql`INSERT INTO ${sql.table(name)} (${names}) VALUES ${sql.join(values)}`;
  await tx.run(insert.compile(createBuilder(engine.name)), {});
}

/** The number of rows of a table, and a digest of all their values in the order of its key. */
export type TableDigest = { readonly table: string; readonly rows: number; readonly digest: string };

/** Digests rows as they come. */
export class RowDigest {
  readonly #shape: TableShape;
  readonly #hash = createHash('sha256');
  #rows = 0;

  constructor(shape: TableShape) {
    this.#shape = shape;
  }

  /** Takes rows up, in the order of the key. */
  add(rows: readonly Row[]): void {
    for (const row of rows)
      this.#hash.update(`${JSON.stringify(this.#shape.columns.map((column) => toDigestible(row[column])))}\n`);
    this.#rows += rows.length;
  }

  /** Returns the digest of all that was taken up. */
  end(): TableDigest {
    return { table: this.#shape.name, rows: this.#rows, digest: this.#hash.digest('hex') };
  }
}

function toDigestible(value: unknown): unknown {
  return value instanceof Uint8Array ? { bytes: createHash('sha256').update(value).digest('hex') } : (value ?? null);
}

function bytesOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8),
    0,
  );
}
