import { startPace } from '../../../../platform/kernel/event-loop.js';

/** Rows by their key in the order of the keys, of which a page can be cut without reading the rest from disk. */
export type Listing<Row> = {
  readonly put: (key: string, row: Row) => void;
  readonly remove: (key: string) => void;
  readonly get: (key: string) => Row | undefined;
  /** At most `limit` rows that fit, `offset` of them passed over. A long look gives way to others; what changes meanwhile may be missed. */
  readonly page: (fits: (row: Row) => boolean, offset: number, limit: number) => Promise<readonly Row[]>;
  /** How many rows there are of each kind that the listing counts; a kind without rows is left out. */
  readonly counts: () => Readonly<Record<string, number>>;
};

/** Opens an empty listing; `kindsOf` says what a row is counted as. */
export function createListing<Row>(kindsOf: (row: Row) => readonly string[] = () => []): Listing<Row> {
  const rows = new Map<string, Row>();
  const keys = createSortedKeys();
  const counts = new Map<string, number>();
  const count = (row: Row, by: number): void => {
    for (const kind of kindsOf(row)) {
      const now = (counts.get(kind) ?? 0) + by;
      if (now === 0) counts.delete(kind);
      else counts.set(kind, now);
    }
  };
  return {
    put: (key, row) => {
      const before = rows.get(key);
      if (before === undefined) keys.add(key);
      else count(before, -1);
      rows.set(key, row);
      count(row, 1);
    },
    remove: (key) => {
      const before = rows.get(key);
      if (before === undefined) return;
      count(before, -1);
      rows.delete(key);
      keys.remove(key);
    },
    get: (key) => rows.get(key),
    page: async (fits, offset, limit) => {
      const pace = startPace();
      const found: Row[] = [];
      let passed = 0;
      const next = keys.walk();
      for (let key = next(); key !== undefined && found.length < limit; key = next()) {
        const row = rows.get(key);
        if (row !== undefined && fits(row)) {
          if (passed < offset) passed += 1;
          else found.push(row);
        }
        if (pace.isDue()) await pace.rest();
      }
      return found;
    },
    counts: () => Object.fromEntries(counts),
  };
}

/** Keys in their order, in blocks, so that a change moves few of them however many there are. */
type SortedKeys = {
  /** Adds a key that is not there. */
  readonly add: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Begins a walk: each call answers the next key, also when keys come and go meanwhile; undefined behind the last one. */
  readonly walk: () => () => string | undefined;
};

/** Most keys of a block. */
const MOST_OF_BLOCK = 512;

function createSortedKeys(): SortedKeys {
  const blocks: string[][] = [[]];
  let changes = 0;
  /** The block that a key is in or belongs to. */
  const blockOf = (key: string): number =>
    Math.max(0, firstAt(blocks.length, (at) => (blocks[at]?.[0] ?? '') > key) - 1);

  return {
    add: (key) => {
      changes += 1;
      const block = blockOf(key);
      const of = blocks[block];
      if (of === undefined) return;
      of.splice(placeBehind(of, key), 0, key);
      // The larger half stays: keys that come in their order fill their blocks.
      if (of.length > MOST_OF_BLOCK) blocks.splice(block + 1, 0, of.splice(-MOST_OF_BLOCK / 4));
    },
    remove: (key) => {
      changes += 1;
      const block = blockOf(key);
      const of = blocks[block];
      const at = of?.indexOf(key) ?? -1;
      if (of === undefined || at < 0) return;
      of.splice(at, 1);
      if (of.length === 0 && blocks.length > 1) blocks.splice(block, 1);
    },
    walk: () => {
      let [block, at, seen] = [0, 0, changes];
      let last: string | undefined;
      return () => {
        if (seen !== changes && last !== undefined) {
          block = blockOf(last);
          at = placeBehind(blocks[block] ?? [], last);
        }
        seen = changes;
        if (at >= (blocks[block]?.length ?? 0)) [block, at] = [block + 1, 0];
        last = blocks[block]?.[at];
        at += 1;
        return last;
      };
    },
  };
}

function placeBehind(block: readonly string[], key: string): number {
  return firstAt(block.length, (at) => (block[at] ?? '') > key);
}

/** The first of so many places of which something is true that is true of all behind it too; their number when it is of none. */
function firstAt(count: number, isTrue: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
