/** Rows by their key in the order of the keys, of which a page can be cut without reading the rest from disk. */
export type Listing<Row> = {
  readonly put: (key: string, row: Row) => void;
  readonly remove: (key: string) => void;
  readonly get: (key: string) => Row | undefined;
  /** The rows that fit, `offset` of them passed over; and how many fit in all. */
  readonly page: (
    fits: (row: Row) => boolean,
    offset: number,
    limit: number,
  ) => { rows: readonly Row[]; total: number };
  readonly rows: () => Iterable<Row>;
  readonly size: () => number;
};

/** Opens an empty listing. */
export function createListing<Row>(): Listing<Row> {
  const rows = new Map<string, Row>();
  let keys: string[] = [];
  let isSorted = true;
  const sorted = (): readonly string[] => {
    if (!isSorted) keys.sort();
    isSorted = true;
    return keys;
  };
  return {
    put: (key, row) => {
      if (!rows.has(key)) {
        const last = keys.at(-1);
        if (!isSorted || last === undefined || key > last) keys.push(key);
        else if (keys.length < FEW) keys.splice(placeOf(keys, key), 0, key);
        else {
          // Many that come at once are put in order together, when somebody asks.
          keys.push(key);
          isSorted = false;
        }
      }
      rows.set(key, row);
    },
    remove: (key) => {
      if (!rows.delete(key)) return;
      keys = keys.filter((one) => one !== key);
    },
    get: (key) => rows.get(key),
    page: (fits, offset, limit) => {
      const found: Row[] = [];
      let total = 0;
      for (const key of sorted()) {
        const row = rows.get(key);
        if (row === undefined || !fits(row)) continue;
        if (total >= offset && found.length < limit) found.push(row);
        total += 1;
      }
      return { rows: found, total };
    },
    rows: () => rows.values(),
    size: () => rows.size,
  };
}

/** Up to so many keys a new one is put in its place at once. */
const FEW = 10_000;

function placeOf(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
