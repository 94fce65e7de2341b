import { isUtf8 } from 'node:buffer';
import { type Pace, startPace } from '../event-loop.js';
import { type JsonBounds, JsonScan, LARGE_BYTES, type LargePart, type Segment } from './bounds.js';

/** The result of reading a bounded JSON text: its value and size, the bound that it exceeds, or that it is no JSON. */
type JsonReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly levels: number;
      readonly values: number;
      /** Resolves to whether an object repeats a name; the last of them counts in the value. Goes through the whole value. */
      readonly hasRepeatedNames: () => Promise<boolean>;
    }
  | { readonly ok: false; readonly exceeded: keyof JsonBounds | undefined };

/**
 * Reads JSON in UTF-8 as `JSON.parse` does, but nothing that exceeds the bounds, and gives way to the event loop in between. Never throws;
 * the bounds are looked at before anything is read.
 */
export async function readJsonInSlices(bytes: Buffer, bounds: JsonBounds): Promise<JsonReading> {
  const scan = new JsonScan(bytes, bounds);
  const pace = startPace();
  while (scan.advance(LARGE_BYTES)) if (pace.isDue()) await pace.rest();
  const { exceeded, members, root, size } = scan;
  if (exceeded !== undefined) return { ok: false, exceeded };
  // To decode what is no UTF-8 would put other letters in the place of what was sent.
  if (!scan.isBalanced || !isUtf8(bytes)) return NOT_JSON;
  try {
    const value: unknown =
      root === undefined ? JSON.parse(bytes.toString('utf8')) : await new PartReader(bytes, pace).readRoot(root);
    // Whoever asked goes through the value in a run of its own.
    const endRun = async (): Promise<void> => (bytes.length > LARGE_BYTES ? pace.rest() : undefined);
    const hasRepeatedNames = async (): Promise<boolean> => {
      const counted = await countMembers(value, pace);
      await endRun();
      return counted < members;
    };
    await endRun();
    return { ok: true, value, ...size, hasRepeatedNames };
  } catch (error) {
    if (error instanceof SyntaxError) return NOT_JSON;
    throw error;
  }
}

const NOT_JSON: JsonReading = { ok: false, exceeded: undefined };

/** Values that are counted between two looks at the clock. */
const COUNTED_AT_ONCE = 4096;

/** Returns the members of all objects in a value of JSON, which are fewer than its text has where names repeat. */
async function countMembers(value: unknown, pace: Pace): Promise<number> {
  const left = [value];
  let members = 0;
  for (let visited = 1; left.length > 0; visited += 1) {
    const one = left.pop();
    if (typeof one === 'object' && one !== null) {
      const each: readonly unknown[] = Object.values(one);
      if (!Array.isArray(one)) members += each.length;
      for (const inner of each) if (typeof inner === 'object') left.push(inner);
    }
    if (visited % COUNTED_AT_ONCE === 0 && pace.isDue()) await pace.rest();
  }
  return members;
}

/** Reads large lists and objects part by part. Throws SyntaxError as `JSON.parse` does. */
class PartReader {
  readonly #bytes: Buffer;
  readonly #pace: Pace;

  constructor(bytes: Buffer, pace: Pace) {
    this.#bytes = bytes;
    this.#pace = pace;
  }

  readRoot(root: LargePart): Promise<unknown> {
    this.#requireBlank(0, root.start);
    this.#requireBlank(root.end, this.#bytes.length);
    return this.#read(root);
  }

  async #read({ end, isObject, segments, start }: LargePart): Promise<unknown> {
    // An opening bracket and its closing one are two characters apart, and so are braces.
    if ((this.#bytes[start] ?? 0) + 2 !== this.#bytes[end - 1]) throw new SyntaxError('closed by another bracket');
    const members = new Map<string, unknown>();
    const items: unknown[] = [];
    for (const segment of segments) {
      if (this.#pace.isDue()) await this.#pace.rest();
      const read = await (isObject ? this.#readMembers(segment) : this.#readItems(segment));
      if (read.length === 0 && segments.length > 1) throw new SyntaxError('nothing behind a comma');
      if (isObject) for (const [name, value] of read as Members) members.set(name, value);
      else for (const item of read) items.push(item);
    }
    return isObject ? Object.fromEntries(members) : items;
  }

  async #readItems({ from, large, to }: Segment): Promise<readonly unknown[]> {
    if (large === undefined) return JSON.parse(`[${this.#text(from, to)}]`) as unknown[];
    this.#requireBlank(from, large.start);
    this.#requireBlank(large.end, to);
    return [await this.#read(large)];
  }

  async #readMembers({ from, large, to }: Segment): Promise<Members> {
    if (large === undefined) return Object.entries(JSON.parse(`{${this.#text(from, to)}}`) as object);
    const [name = ''] = Object.keys(JSON.parse(`{${this.#text(from, large.start)}null}`) as object);
    this.#requireBlank(large.end, to);
    return [[name, await this.#read(large)]];
  }

  #requireBlank(from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      if (!BLANKS.has(this.#bytes[at])) throw new SyntaxError('more than one value');
    }
  }

  #text(from: number, to: number): string {
    return this.#bytes.toString('utf8', from, to);
  }
}

type Members = readonly (readonly [name: string, value: unknown])[];

/** The white space of JSON. */
const BLANKS: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);
