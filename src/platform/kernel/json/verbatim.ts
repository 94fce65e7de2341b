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

/** Returns the part of a valid JSON text that its value at `path` is written as; undefined where there is none. Of names that repeat the last counts. */
export function textAt(json: string, path: readonly Step[]): string | undefined {
  let from = skipSpace(json, 0);
  for (const step of path) {
    const found = findMember(json, from, step);
    if (found === undefined) return undefined;
    from = found;
  }
  return json.slice(from, skipValue(json, from));
}

/** Returns where the value of a member begins, in the list or object that begins at `from`. */
function findMember(json: string, from: number, step: Step): number | undefined {
  const isList = json[from] === '[';
  if (!isList && json[from] !== '{') return undefined;
  let found: number | undefined;
  let at = skipSpace(json, from + 1);
  for (let index = 0; json[at] !== ']' && json[at] !== '}'; index += 1) {
    let name: Step = index;
    if (!isList) {
      const end = skipValue(json, at);
      name = String(JSON.parse(json.slice(at, end)));
      at = skipSpace(json, skipSpace(json, end) + 1);
    }
    if (name === step) found = at;
    at = skipSpace(json, skipValue(json, at));
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

/** Returns where the value that begins at `from` ends. */
function skipValue(json: string, from: number): number {
  if (json[from] === '"') return skipString(json, from);
  if (json[from] !== '{' && json[from] !== '[') return endOf(SCALAR, json, from);
  let depth = 0;
  for (let at = from; ; ) {
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

function skipString(json: string, from: number): number {
  return endOf(STRING, json, from);
}

function skipSpace(json: string, from: number): number {
  return endOf(SPACE, json, from);
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[\w.+-]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
/** What neither opens nor closes anything. */
const DULL = /[^"[\]{}]*/y;

function endOf(pattern: RegExp, json: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(json) ? pattern.lastIndex : json.length;
}
