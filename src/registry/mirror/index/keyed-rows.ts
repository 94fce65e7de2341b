import type { Column } from './column.js';

/** A slot whose row is gone; the search goes on behind it. */
const DELETED = 0xffffffff;

/** Rows found by two of their columns. The slots hold rows alone, the key is read in the columns; row 0 is none. */
export class KeyedRows {
  slots: Uint32Array;
  /** Slots that hold a row, or did. */
  filled: number;
  readonly #first: Column<'u32'>;
  readonly #second: Column<'u32'>;

  constructor(first: Column<'u32'>, second: Column<'u32'>, slots?: Uint32Array, filled = 0) {
    this.#first = first;
    this.#second = second;
    this.slots = slots ?? new Uint32Array(16);
    this.filled = filled;
  }

  /** The row of a key; 0 when there is none. */
  find(one: number, two: number): number {
    const { slots } = this;
    const first = this.#first.cells;
    const second = this.#second.cells;
    const mask = slots.length - 1;
    for (let at = hashOf(one, two) & mask; ; at = (at + 1) & mask) {
      const row = slots[at] as number;
      if (row === 0) return 0;
      if (row !== DELETED && first[row] === one && second[row] === two) return row;
    }
  }

  /** Makes a row the one of its key, instead of the one that was; 0 as `instead` says that there was none. */
  put(row: number, instead: number): void {
    if (instead !== 0) {
      this.#replace(instead, row);
      return;
    }
    if ((this.filled + 1) * 3 > this.slots.length * 2) this.#rehash();
    this.#place(row);
  }

  /** Takes out the row of a key; nothing stands under it any more. */
  drop(row: number): void {
    this.#replace(row, DELETED);
  }

  #replace(row: number, by: number): void {
    const mask = this.slots.length - 1;
    let at = hashOf(this.#first.at(row), this.#second.at(row)) & mask;
    while (this.slots[at] !== row) {
      if (this.slots[at] === 0) throw new Error('a row that is not there was replaced');
      at = (at + 1) & mask;
    }
    this.slots[at] = by;
  }

  #place(row: number): void {
    const mask = this.slots.length - 1;
    let at = hashOf(this.#first.at(row), this.#second.at(row)) & mask;
    while (this.slots[at] !== 0) at = (at + 1) & mask;
    this.slots[at] = row;
    this.filled += 1;
  }

  #rehash(): void {
    const before = this.slots;
    const rows = before.filter((row) => row !== 0 && row !== DELETED);
    let length = 16;
    while (rows.length * 2 >= length) length *= 2;
    this.slots = new Uint32Array(length);
    this.filled = 0;
    for (const row of rows) this.#place(row);
  }
}

function hashOf(one: number, two: number): number {
  let hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(two, 0x85ebca77);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
