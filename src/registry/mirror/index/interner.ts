import { Column, ids } from './column.js';

/** Texts that stand for 16 bytes, as most ids of a registry do, are kept as such behind this byte, which begins no text in UTF-8. */
const PACKED = 0xff;
const PACKED_BYTES = 17;
const DASHES: ReadonlySet<number> = new Set([8, 13, 18, 23]);

/** Texts, each kept once under a number from 1 on; 0 is none. A number is never given to another text. */
export class Interner {
  /** The texts in UTF-8, one behind the other; `starts` says where each begins, and has one cell more than there are texts. */
  readonly bytes: Column<'u8'>;
  readonly starts: Column<'u32'>;
  /** Pairs of hash and id, by hash; a power of two of them. */
  slots: Uint32Array;
  readonly #seed: number;

  constructor(seed: number, bytes?: Uint8Array, starts?: Uint32Array, slots?: Uint32Array) {
    this.#seed = seed;
    this.bytes = new Column('u8', bytes);
    this.starts = ids(starts);
    if (this.starts.length === 0) this.starts.set(1, 0);
    this.slots = slots ?? new Uint32Array(32);
  }

  /** How many texts there are; also the largest number. */
  get size(): number {
    return this.starts.length - 2;
  }

  /** The number of a text; 0 when it is not there. */
  find(text: string): number {
    const { slots } = this;
    const hash = hashOf(text, this.#seed);
    const mask = slots.length / 2 - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const id = slots[2 * at + 1] as number;
      if (id === 0) return 0;
      if (slots[2 * at] === hash && this.#isText(id, text)) return id;
    }
  }

  /** The number of a text, which is kept from now on. */
  add(text: string): number {
    const known = this.find(text);
    if (known !== 0) return known;
    const id = this.size + 1;
    const start = this.bytes.length;
    const packed = packedOf(text);
    if (packed === undefined) {
      const written = Buffer.from(text, 'utf8');
      this.bytes.resize(start + written.length);
      this.bytes.cells.set(written, start);
    } else {
      this.bytes.resize(start + PACKED_BYTES);
      this.bytes.cells[start] = PACKED;
      this.bytes.cells.set(packed, start + 1);
    }
    this.starts.set(id + 1, this.bytes.length);
    if ((id + 1) * 8 > this.slots.length * 3) this.#rehash(this.slots.length * 2);
    this.#place(hashOf(text, this.#seed), id);
    return id;
  }

  /** The text of a number; empty for 0. */
  text(id: number): string {
    if (id === 0) return '';
    const start = this.starts.at(id);
    const end = this.starts.at(id + 1);
    const part = Buffer.from(this.bytes.cells.buffer, this.bytes.cells.byteOffset + start, end - start);
    if (part[0] !== PACKED) return part.toString('utf8');
    const hex = part.toString('hex', 1);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  #isText(id: number, text: string): boolean {
    const { cells } = this.bytes;
    const start = this.starts.cells[id] as number;
    const size = (this.starts.cells[id + 1] as number) - start;
    const { length } = text;
    if (cells[start] === PACKED && size === PACKED_BYTES) return length === 36 && this.text(id) === text;
    if (size < length) return false;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 127) return this.text(id) === text;
      if (code !== cells[start + index]) return false;
    }
    return size === length;
  }

  #rehash(length: number): void {
    const before = this.slots;
    this.slots = new Uint32Array(length);
    for (let at = 0; at < before.length; at += 2) {
      const id = before[at + 1] as number;
      if (id !== 0) this.#place(before[at] as number, id);
    }
  }

  #place(hash: number, id: number): void {
    const { slots } = this;
    const mask = slots.length / 2 - 1;
    let at = hash & mask;
    while (slots[2 * at + 1] !== 0) at = (at + 1) & mask;
    slots[2 * at] = hash;
    slots[2 * at + 1] = id;
  }
}

function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The 16 bytes of a UUID in lower case; undefined for any other text. */
function packedOf(text: string): Buffer | undefined {
  if (text.length !== 36) return undefined;
  for (let index = 0; index < 36; index += 1) {
    const code = text.charCodeAt(index);
    const isDigit = (code >= 48 && code <= 57) || (code >= 97 && code <= 102);
    if (DASHES.has(index) ? code !== 45 : !isDigit) return undefined;
  }
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}
