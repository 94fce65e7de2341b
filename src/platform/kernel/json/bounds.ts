/**
 * The bounds of a JSON text: levels of lists and objects in one another, values in all (each list and object counts, and each item or
 * member but the first of its own), and the items or members of one list or object of a kind.
 */
export type JsonBounds = {
  readonly levels: number;
  readonly values: number;
  /** Most members of one object; unbounded unless set. Objects beyond some hundreds are slow to make and slower to walk. */
  readonly members?: number;
};

/** Returns what is wrong with a JSON text that exceeds a bound, as the rest of a sentence, and what to do. */
export function explainExcess(
  exceeded: keyof JsonBounds,
  { levels, members, values }: JsonBounds,
): { readonly fault: string; readonly suggestion: string } {
  const faults = {
    levels: `is nested more than ${levels} levels deep`,
    values: `holds more than ${values} values`,
    members: `has an object of more than ${members} members`,
  };
  return {
    fault: faults[exceeded],
    suggestion:
      exceeded === 'levels' ? 'Flatten it; nothing here needs more than a dozen levels.' : 'Send less at once.',
  };
}

/** A list or object of many bytes within a JSON text, with the parts that it can be read in. */
export type LargePart = {
  readonly start: number;
  /** The position behind its bracket. */
  readonly end: number;
  readonly isObject: boolean;
  readonly segments: readonly Segment[];
};

/** Whole items or members of a list or object, without the commas around; one alone that holds `large`, or several that do not. */
export type Segment = { readonly from: number; readonly to: number; readonly large: LargePart | undefined };

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** Brackets and braces differ in this bit alone. */
const BRACE = 0x20;
const OPENING = 0x7b;
const OPENING_BRACE = 0x7b;
const CLOSING = 0x7d;

/** Deepest level whose lists and objects are read in parts: a part within each of a hundred thousand others is more than the stack takes. */
const MAX_PART_LEVELS = 1000;

/** Bytes of a list or object, or of its items together, from which on it is read in parts. */
export const LARGE_BYTES = 32 * 1024;

/**
 * Returns the bound that a JSON text in UTF-8 exceeds, if any; of other bytes the answer means nothing. Looks at the bytes alone,
 * which takes some milliseconds for a megabyte: to read a megabyte of brackets takes a hundred.
 */
export function exceededBound(bytes: Uint8Array, bounds: JsonBounds): keyof JsonBounds | undefined {
  const scan = new JsonScan(bytes, bounds);
  scan.advance(bytes.length);
  return scan.exceeded;
}

/** Looks at the bytes of a JSON text from the first to the last, in as many steps as its caller likes; never at what they mean. */
export class JsonScan {
  readonly #bytes: Uint8Array;
  readonly #bounds: JsonBounds;
  readonly #maxMembers: number;
  #at = 0;
  #isInText = false;
  #depth = 0;
  #deepest = 0;
  #values = 0;
  #members = 0;
  #exceeded: keyof JsonBounds | undefined;
  #root: LargePart | undefined;
  /** By level: where the list or object begins, where the part of it begins that is not cut off yet, and its last item. */
  readonly #starts: number[] = [];
  readonly #cuts: number[] = [];
  readonly #items: number[] = [];
  readonly #commas: number[] = [];
  readonly #segments: (Segment[] | undefined)[] = [];
  /** By level: a large list or object that the last item holds. */
  readonly #large: (LargePart | undefined)[] = [];

  constructor(bytes: Uint8Array, bounds: JsonBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#maxMembers = bounds.members ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the bound that was exceeded; nothing is looked at after that. */
  get exceeded(): keyof JsonBounds | undefined {
    return this.#exceeded;
  }

  /** Levels and values so far. */
  get size(): { readonly levels: number; readonly values: number } {
    return { levels: this.#deepest, values: this.#values };
  }

  /** The members of all objects so far, those whose name repeats too. */
  get members(): number {
    return this.#members;
  }

  /** Whether the text has ended with every text, list and object closed. */
  get isBalanced(): boolean {
    return this.#depth === 0 && !this.#isInText;
  }

  /** Returns the last list or object that stands in no other, where it is large. */
  get root(): LargePart | undefined {
    return this.#root;
  }

  /** Looks at `count` further bytes; returns whether there are any left to look at. */
  advance(count: number): boolean {
    const bytes = this.#bytes;
    const end = Math.min(bytes.length, this.#at + count);
    let at = this.#at;
    while (at < end && this.#exceeded === undefined) {
      const byte = bytes[at] ?? 0;
      if (this.#isInText) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === COMMA) this.#separate(at);
      else if (byte === COLON) this.#members += 1;
      else if ((byte | BRACE) === OPENING) this.#open(at);
      else if ((byte | BRACE) === CLOSING) this.#close(at + 1);
      at += 1;
    }
    this.#at = at;
    return this.#exceeded === undefined && at < bytes.length;
  }

  #open(at: number): void {
    this.#depth += 1;
    this.#values += 1;
    const level = this.#depth;
    if (level > this.#deepest) this.#deepest = level;
    if (level > this.#bounds.levels) this.#exceeded = 'levels';
    else if (this.#values > this.#bounds.values) this.#exceeded = 'values';
    if (level <= 0 || this.#exceeded !== undefined) return;
    this.#starts[level] = at;
    this.#cuts[level] = at + 1;
    this.#items[level] = at + 1;
    this.#commas[level] = 0;
    this.#segments[level] = undefined;
    this.#large[level] = undefined;
  }

  #separate(at: number): void {
    this.#values += 1;
    if (this.#values > this.#bounds.values) this.#exceeded = 'values';
    const level = this.#depth;
    if (level <= 0) return;
    const commas = (this.#commas[level] ?? 0) + 1;
    this.#commas[level] = commas;
    if (commas >= this.#maxMembers && this.#bytes[this.#starts[level] ?? 0] === OPENING_BRACE)
      this.#exceeded = 'members';
    this.#cut(level, at);
    this.#items[level] = at + 1;
  }

  /** Cuts the items before `at` off, where there is a large one or they are many bytes. */
  #cut(level: number, at: number): void {
    const from = this.#cuts[level] ?? 0;
    const large = this.#large[level];
    if (large === undefined) {
      if (at - from < LARGE_BYTES) return;
      this.#addSegment(level, { from, to: at, large });
    } else {
      const item = this.#items[level] ?? 0;
      if (item > from) this.#addSegment(level, { from, to: item - 1, large: undefined });
      this.#addSegment(level, { from: item, to: at, large });
      this.#large[level] = undefined;
    }
    this.#cuts[level] = at + 1;
  }

  #addSegment(level: number, segment: Segment): void {
    const segments = this.#segments[level];
    if (segments === undefined) this.#segments[level] = [segment];
    else segments.push(segment);
  }

  #close(end: number): void {
    const level = this.#depth;
    this.#depth -= 1;
    if (level <= 0 || level > MAX_PART_LEVELS) return;
    const start = this.#starts[level] ?? 0;
    if (end - start < LARGE_BYTES) return;
    this.#cut(level, end - 1);
    const from = this.#cuts[level] ?? 0;
    // What follows the last cut, if only nothing behind a comma, which is no JSON and has to be seen.
    if (from < end) this.#addSegment(level, { from, to: end - 1, large: undefined });
    const isObject = this.#bytes[start] === OPENING_BRACE;
    const part: LargePart = { start, end, isObject, segments: this.#segments[level] ?? [] };
    if (level === 1) this.#root = part;
    else this.#large[level - 1] = part;
  }
}
