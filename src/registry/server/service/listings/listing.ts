import { startPace } from '../../../../platform/kernel/event-loop.js';

/** Rows by their key in the order of the keys, of which a page can be cut without reading the rest from disk. */
export class Listing<Row> {
  readonly #kindsOf: (row: Row) => readonly string[];
  readonly #rows = new Map<string, Row>();
  readonly #keys = new SortedKeys();
  readonly #counts = new Map<string, number>();

  /** `kindsOf` returns the kinds that a row is counted as. */
  constructor(kindsOf: (row: Row) => readonly string[] = () => []) {
    this.#kindsOf = kindsOf;
  }

  put(key: string, row: Row): void {
    const before = this.#rows.get(key);
    if (before === undefined) this.#keys.add(key);
    else this.#count(before, -1);
    this.#rows.set(key, row);
    this.#count(row, 1);
  }

  remove(key: string): void {
    const before = this.#rows.get(key);
    if (before === undefined) return;
    this.#count(before, -1);
    this.#rows.delete(key);
    this.#keys.remove(key);
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** Returns at most `limit` rows that fit, `offset` of them passed over. A long look yields to others; what changes meanwhile may be missed. */
  async page(fits: (row: Row) => boolean, offset: number, limit: number): Promise<readonly Row[]> {
    const pace = startPace();
    const page: Row[] = [];
    let passed = 0;
    const next = this.#keys.walk();
    for (let key = next(); key !== undefined && page.length < limit; key = next()) {
      const row = this.#rows.get(key);
      if (row !== undefined && fits(row)) {
        if (passed < offset) passed += 1;
        else page.push(row);
      }
      if (pace.isDue()) await pace.rest();
    }
    return page;
  }

  /** Returns how many rows there are of each kind; a kind without rows is left out. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  #count(row: Row, by: number): void {
    for (const kind of this.#kindsOf(row)) {
      const count = (this.#counts.get(kind) ?? 0) + by;
      if (count === 0) this.#counts.delete(kind);
      else this.#counts.set(kind, count);
    }
  }
}

const MAX_BLOCK_KEYS = 512;

/** Keys in their order, in blocks, so that a change moves few of them however many there are. */
class SortedKeys {
  readonly #blocks: string[][] = [[]];
  #changes = 0;

  /** Adds a key that is not there. */
  add(key: string): void {
    this.#changes += 1;
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    if (block === undefined) return;
    block.splice(positionBehind(block, key), 0, key);
    // The larger half stays: keys that come in their order fill their blocks.
    if (block.length > MAX_BLOCK_KEYS) this.#blocks.splice(at + 1, 0, block.splice(-MAX_BLOCK_KEYS / 4));
  }

  remove(key: string): void {
    this.#changes += 1;
    const at = this.#blockOf(key);
    const block = this.#blocks[at];
    const position = block?.indexOf(key) ?? -1;
    if (block === undefined || position < 0) return;
    block.splice(position, 1);
    if (block.length === 0 && this.#blocks.length > 1) this.#blocks.splice(at, 1);
  }

  /** Begins a walk: each call returns the next key, also when keys come and go meanwhile; undefined behind the last one. */
  walk(): () => string | undefined {
    let [block, at, seen] = [0, 0, this.#changes];
    let last: string | undefined;
    return () => {
      if (seen !== this.#changes && last !== undefined) {
        block = this.#blockOf(last);
        at = positionBehind(this.#blocks[block] ?? [], last);
      }
      seen = this.#changes;
      if (at >= (this.#blocks[block]?.length ?? 0)) [block, at] = [block + 1, 0];
      last = this.#blocks[block]?.[at];
      at += 1;
      return last;
    };
  }

  /** Returns the block that a key is in or belongs to. */
  #blockOf(key: string): number {
    return Math.max(0, findFirst(this.#blocks.length, (at) => (this.#blocks[at]?.[0] ?? '') > key) - 1);
  }
}

function positionBehind(block: readonly string[], key: string): number {
  return findFirst(block.length, (at) => (block[at] ?? '') > key);
}

/** Returns the first of `count` positions of which something is true that is true of all behind it too; `count` when it is of none. */
function findFirst(count: number, isTrue: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
