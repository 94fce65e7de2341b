/** Bits of a word. */
const WORD = 32;

/** A set of the numbers 0 to `length` - 1: a bit for each, so that joining and counting take one step for 32 of them. */
export class BitSet {
  readonly #words: Uint32Array;

  constructor(length: number) {
    this.#words = new Uint32Array(Math.ceil(length / WORD));
  }

  add(position: number): void {
    this.#words[position >>> 5] = (this.#words[position >>> 5] ?? 0) | (1 << (position & 31));
  }

  delete(position: number): void {
    this.#words[position >>> 5] = (this.#words[position >>> 5] ?? 0) & ~(1 << (position & 31));
  }

  has(position: number): boolean {
    return ((this.#words[position >>> 5] ?? 0) & (1 << (position & 31))) !== 0;
  }

  /** Returns a set with the same members. */
  copy(): BitSet {
    const copy = new BitSet(this.#words.length * WORD);
    copy.#words.set(this.#words);
    return copy;
  }

  /** Adds the members of `others`, or those of them that are also in `among`. */
  join(others: BitSet, among: BitSet = others): void {
    const [words, more, mask] = [this.#words, others.#words, among.#words];
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) | ((more[at] ?? 0) & (mask[at] ?? 0));
  }

  /** Removes the members that are not in `others`. */
  intersect(others: BitSet): void {
    const [words, more] = [this.#words, others.#words];
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) & (more[at] ?? 0);
  }

  /** Removes the members that are in `others`. */
  subtract(others: BitSet): void {
    const [words, more] = [this.#words, others.#words];
    for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) & ~(more[at] ?? 0);
  }

  /** Visits the members in their order. */
  each(visit: (position: number) => void): void {
    for (let at = 0; at < this.#words.length; at += 1) {
      // The lowest bit that is left goes first.
      for (let left = this.#words[at] ?? 0; left !== 0; left &= left - 1) {
        visit(at * WORD + WORD - 1 - Math.clz32(left & -left));
      }
    }
  }

  /** Returns the members in their order, from the first that is not below `from`. */
  *from(from: number): Generator<number> {
    for (let at = from >>> 5; at < this.#words.length; at += 1) {
      let left = this.#words[at] ?? 0;
      if (at === from >>> 5) left &= -1 << (from & 31);
      for (; left !== 0; left &= left - 1) yield at * WORD + WORD - 1 - Math.clz32(left & -left);
    }
  }

  /** Returns a text that is the same for the same members of one length, and for no others. */
  key(): string {
    return Buffer.from(this.#words.buffer).toString('latin1');
  }

  count(): number {
    let count = 0;
    for (const word of this.#words) count += countBits(word);
    return count;
  }
}

/** Returns how many bits of a word are set, added up pairwise. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
