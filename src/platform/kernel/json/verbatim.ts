import { type Pace, startPace } from '../event-loop.js';
import { Written } from './json.js';

/** Holds the text that an object was read from. */
const TEXT = Symbol('text');

type Step = string | number;

/** Notes the text that an object was read from, for `verbatim`; copies of the object do not have it. */
export function attachText(value: object, text: string): void {
  Object.defineProperty(value, TEXT, { value: text, configurable: true });
}

/** Returns an object as it was sent, to the digit, where its text was noted; else the object. */
export function verbatim(value: object): object {
  const text: unknown = Reflect.get(value, TEXT);
  return typeof text === 'string' ? new Written(text) : value;
}

/** Whether an object holds a number, which may be written otherwise than it was sent. Never recurses. */
export function hasNumber(value: object): boolean {
  const left: unknown[] = [value];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one === 'number') return true;
    if (typeof one === 'object' && one !== null) {
      for (const member of Object.values(one)) if (member !== null) left.push(member);
    }
  }
  return false;
}

/** A valid JSON text that is read piece by piece. */
type Reading = { readonly json: string; readonly pace: Pace; pieces: number };

/** After so many pieces the pace is asked. */
const PIECES_AT_ONCE = 4096;

/**
 * Returns the parts of a valid JSON text that its values at `path` are written as, undefined where there is none; of names that repeat
 * the last counts. With `each`, the text is a list and the path is that in its n-th item.
 */
export async function textsAt(
  json: string,
  paths: readonly (readonly Step[])[],
  { each = false }: { readonly each?: boolean } = {},
): Promise<readonly (string | undefined)[]> {
  const reading = { json, pace: startPace(), pieces: 0 };
  const texts: (string | undefined)[] = [];
  let at = skipSpace(json, each ? skipSpace(json, 0) + 1 : 0);
  for (const path of paths) {
    texts.push(await textOf(reading, at, path));
    if (each) at = await skipItem(reading, at);
  }
  return texts;
}

async function textOf(reading: Reading, from: number, path: readonly Step[]): Promise<string | undefined> {
  let at = from;
  for (const step of path) {
    const memberAt = await findMember(reading, at, step);
    if (memberAt === undefined) return undefined;
    at = memberAt;
  }
  return reading.json.slice(at, await skipValue(reading, at));
}

/** Returns where the value of a member begins, in the list or object that begins at `from`. */
async function findMember(reading: Reading, from: number, step: Step): Promise<number | undefined> {
  const { json } = reading;
  const isList = json[from] === '[';
  if (!isList && json[from] !== '{') return undefined;
  let last: number | undefined;
  let at = skipSpace(json, from + 1);
  for (let index = 0; json[at] !== ']' && json[at] !== '}'; index += 1) {
    let name: Step = index;
    if (!isList) {
      const end = skipString(json, at);
      name = String(JSON.parse(json.slice(at, end)));
      at = skipSpace(json, skipSpace(json, end) + 1);
    }
    if (name === step) last = at;
    at = await skipItem(reading, at);
  }
  return last;
}

/** Returns where the item or member after the value at `from` begins, or the list or object ends. */
async function skipItem(reading: Reading, from: number): Promise<number> {
  const { json } = reading;
  const at = skipSpace(json, await skipValue(reading, from));
  return json[at] === ',' ? skipSpace(json, at + 1) : at;
}

/** Returns where the value that begins at `from` ends. */
async function skipValue(reading: Reading, from: number): Promise<number> {
  const { json, pace } = reading;
  if (json[from] === '"') return skipString(json, from);
  if (json[from] !== '{' && json[from] !== '[') return endOf(SCALAR, json, from);
  let depth = 0;
  for (let at = from; ; ) {
    reading.pieces += 1;
    if (reading.pieces % PIECES_AT_ONCE === 0 && pace.isDue()) await pace.rest();
    const sign = json[at];
    if (sign === '"') {
      at = skipString(json, at);
      continue;
    }
    at += 1;
    if (sign === '{' || sign === '[') depth += 1;
    if (sign === '}' || sign === ']') depth -= 1;
    if (depth === 0) return at;
    at = endOf(DULL, json, at);
  }
}

/** Returns the end of a string, sign by sign: a pattern would remember each of millions of escapes. */
function skipString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at += 1) {
    const sign = json.charCodeAt(at);
    if (sign === QUOTE) return at + 1;
    if (sign === BACKSLASH) at += 1;
  }
  return json.length;
}

function skipSpace(json: string, from: number): number {
  return endOf(SPACE, json, from);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[\w.+-]*/y;
/** What neither opens nor closes anything. */
const DULL = /[^"[\]{}]*/y;

function endOf(pattern: RegExp, json: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(json) ? pattern.lastIndex : json.length;
}
