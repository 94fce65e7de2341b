/** A row that holds a record as JSON. */
export type DocRow = { readonly doc: string };

/** Returns the record of a row; undefined where there is no row. */
export function parseDoc<T>(row: DocRow): T;
export function parseDoc<T>(row: DocRow | undefined): T | undefined;
export function parseDoc<T>(row: DocRow | undefined): T | undefined {
  return row && (JSON.parse(row.doc) as T);
}
