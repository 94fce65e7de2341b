/** The kinds of cells that columns have, as the index file names them. */
export const CELLS = { u8: Uint8Array, u32: Uint32Array, f64: Float64Array } as const;
export type CellKind = keyof typeof CELLS;
export type Cells = { readonly u8: Uint8Array; readonly u32: Uint32Array; readonly f64: Float64Array };

/** How much longer a full column becomes. */
const GROWTH = 1.5;

/** A list of numbers that grows. Hot loops read `cells` themselves; it is another array once the column has grown. */
export class Column<K extends CellKind = 'u32'> {
  readonly kind: K;
  cells: Cells[K];
  length = 0;

  constructor(kind: K, cells?: Cells[K]) {
    this.kind = kind;
    this.cells = cells ?? (new CELLS[kind](0) as Cells[K]);
    this.length = this.cells.length;
  }

  at(index: number): number {
    return this.cells[index] ?? 0;
  }

  /** Writes a cell; those between it and the end are 0. */
  set(index: number, value: number): void {
    if (index >= this.length) this.resize(index + 1);
    this.cells[index] = value;
  }

  resize(length: number): void {
    if (length > this.cells.length) this.reserve(Math.max(length, Math.ceil(this.cells.length * GROWTH), 16));
    this.length = Math.max(this.length, length);
  }

  reserve(capacity: number): void {
    if (capacity <= this.cells.length) return;
    const grown = new CELLS[this.kind](capacity) as Cells[CellKind];
    grown.set(this.cells.subarray(0, this.length));
    this.cells = grown as Cells[K];
  }

  /** The cells that are in use. */
  used(): Cells[K] {
    return this.cells.subarray(0, this.length) as Cells[K];
  }
}

/** A column of 32-bit numbers, which ids and rows are. */
export function ids(cells?: Uint32Array): Column<'u32'> {
  return new Column('u32', cells);
}
