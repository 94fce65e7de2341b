import { startPace } from '../event-loop.js';
import { readJsonInSlices } from './slices.js';

/** The result of a strict reading of JSON. `names` are those that an object repeats, each once, in the order of the text. */
type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: 'not_json' | 'too_deep' | 'too_many' | 'duplicate_keys';
      readonly names: readonly string[];
    };

/** The deepest nesting of objects and arrays that is read. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;

/**
 * Reads JSON in UTF-8 of which every parser keeps the same: an object that repeats a name is refused, at any depth, however it is
 * escaped. Nothing recurses: a hostile text costs time in proportion to its length and no stack.
 */
export function readStrictJson(source: string | Uint8Array): StrictJson {
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  if (text === undefined) return { ok: false, reason: 'not_json', names: [] };
  const { isTooDeep, repeated } = scanWhole(text);
  if (isTooDeep) return { ok: false, reason: 'too_deep', names: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'not_json', names: [] };
  }
  return repeated.size === 0 ? { ok: true, value } : { ok: false, reason: 'duplicate_keys', names: [...repeated] };
}

/**
 * Returns what `readStrictJson` does, giving way to the event loop in between, so that it may be read from whoever sends it. Of bytes that
 * hold more than `maxValues` values nothing is read.
 */
export async function readStrictJsonInSlices(bytes: Buffer, maxValues: number): Promise<StrictJson> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { ok: false, reason: 'not_json', names: [] };
  const read = await readJsonInSlices(bytes, { levels: MAX_JSON_DEPTH, values: maxValues });
  if (!read.ok) return { ok: false, reason: FAULTS[read.exceeded ?? 'none'], names: [] };
  if (!(await read.hasRepeatedNames())) return { ok: true, value: read.value };
  const { repeated } = await scanInSlices(text, MAX_JSON_DEPTH);
  return { ok: false, reason: 'duplicate_keys', names: [...repeated] };
}

/** Returns the path of the first member of a JSON text whose name its object has already, such as `packages[0].budget`. */
export async function findRepeatedMember(bytes: Buffer): Promise<string | undefined> {
  const { firstRepeated } = await scanInSlices(bytes.toString('utf8'), Number.POSITIVE_INFINITY);
  return firstRepeated;
}

async function scanInSlices(text: string, maxDepth: number): Promise<NameScan> {
  const scan = new NameScan(text, maxDepth);
  const pace = startPace();
  while (scan.advance(SLICE_CHARACTERS)) if (pace.isDue()) await pace.rest();
  return scan;
}

const FAULTS = { none: 'not_json', levels: 'too_deep', values: 'too_many', members: 'too_many' } as const;
/** Characters that are looked at between two looks at the clock. */
const SLICE_CHARACTERS = 16 * 1024;

function scanWhole(text: string): NameScan {
  const scan = new NameScan(text, MAX_JSON_DEPTH);
  scan.advance(text.length);
  return scan;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Looks for names that objects repeat, in as many steps as its caller likes. Of a text that is not JSON what it finds means nothing. */
class NameScan {
  readonly repeated = new Set<string>();
  /** Whether the text nests deeper than is read; nothing is looked at after that. */
  isTooDeep = false;
  /** The path of the first member that repeats a name. */
  firstRepeated: string | undefined;
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #levels: (Set<string> | undefined)[] = [];
  /** By level: the name or the position of what is looked at. */
  readonly #path: (string | number)[] = [];
  #names: Set<string> | undefined;
  #isName = false;
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  /** Looks at `count` further characters and to the end of the string they end in; returns whether there are any left to look at. */
  advance(count: number): boolean {
    const text = this.#text;
    const end = Math.min(text.length, this.#at + count);
    while (this.#at < end && !this.isTooDeep) {
      switch (text.charCodeAt(this.#at)) {
        case QUOTE:
          this.#readString();
          continue;
        case OPEN_OBJECT:
          this.#open(new Set());
          break;
        case OPEN_ARRAY:
          this.#open(undefined);
          break;
        case CLOSE_OBJECT:
        case CLOSE_ARRAY:
          this.#levels.pop();
          this.#path.pop();
          this.#names = this.#levels.at(-1);
          this.#isName = false;
          break;
        case COMMA:
          this.#isName = this.#names !== undefined;
          if (!this.#isName) this.#path.push(Number(this.#path.pop() ?? 0) + 1);
          break;
        default:
      }
      this.#at += 1;
    }
    return !this.isTooDeep && this.#at < text.length;
  }

  #open(names: Set<string> | undefined): void {
    this.isTooDeep = this.#levels.length >= this.#maxDepth;
    this.#names = names;
    this.#levels.push(names);
    this.#path.push(0);
    this.#isName = names !== undefined;
  }

  #readString(): void {
    const end = findStringEnd(this.#text, this.#at);
    if (this.#isName && this.#names !== undefined) {
      const name = unescapeName(this.#text.slice(this.#at, end));
      this.#path[this.#path.length - 1] = name;
      if (this.#names.has(name)) {
        this.repeated.add(name);
        this.firstRepeated ??= writePath(this.#path);
      }
      this.#names.add(name);
      this.#isName = false;
    }
    this.#at = end;
  }
}

function writePath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/** Returns the index after the closing quote of the string that begins at `start`; the length of the text when it never closes. */
function findStringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}

/** Returns a name without its escapes, which would hide that two names are the same. */
function unescapeName(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}
