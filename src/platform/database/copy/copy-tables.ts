import { insertRows, type Row, RowDigest, readRows, type TableDigest } from './rows.js';
import type { CopiedEngine, TableShape } from './table-shape.js';

/** Takes the next rows of a table. */
type OnRows = (shape: TableShape, rows: readonly Row[]) => Promise<void> | void;

/** Reads tables whole; returns their digests. */
export async function readTables(
  engine: CopiedEngine,
  shapes: readonly TableShape[],
  onRows: OnRows,
): Promise<readonly TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const shape of shapes) {
    const digest = new RowDigest(shape);
    for await (const rows of readRows(engine, shape)) {
      digest.add(rows);
      await onRows(shape, rows);
    }
    digests.push(digest.end());
  }
  return digests;
}

/** Copies the rows of tables into empty ones, batch by batch; returns the digests of what was read. */
export function copyTables(
  { from, to }: { readonly from: CopiedEngine; readonly to: CopiedEngine },
  shapes: readonly TableShape[],
  onRows: OnRows,
): Promise<readonly TableDigest[]> {
  return readTables(from, shapes, async (shape, rows) => {
    await to.transact((tx) => insertRows(to, tx, shape, rows));
    await onRows(shape, rows);
  });
}
