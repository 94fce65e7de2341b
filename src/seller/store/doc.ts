/** A row of a noun as far as the noun is read: the whole of it as JSON. */
export type DocRow = { readonly doc: string };

/** Returns the noun that a row holds. */
export function parseDoc<Noun>(row: DocRow): Noun {
  return JSON.parse(row.doc) as Noun;
}
