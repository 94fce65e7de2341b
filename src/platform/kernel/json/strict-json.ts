/** The result of a strict reading of JSON. `names` are those that an object repeats, each once, in the order of the text. */
export type StrictJson =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: 'not_json' | 'too_deep' | 'duplicate_keys';
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
 * Reads JSON of which every parser keeps the same: an object that repeats a name is refused, at any depth, however the name is escaped.
 * Bytes must be UTF-8. Nothing recurses, so a hostile text costs time in proportion to its length and no stack.
 */
export function readStrictJson(source: string | Uint8Array): StrictJson {
  const text = typeof source === 'string' ? source : decodeUtf8(source);
  if (text === undefined) return { ok: false, reason: 'not_json', names: [] };
  const repeated = findRepeatedNames(text);
  if (repeated === undefined) return { ok: false, reason: 'too_deep', names: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: 'not_json', names: [] };
  }
  return repeated.size === 0 ? { ok: true, value } : { ok: false, reason: 'duplicate_keys', names: [...repeated] };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns the names that objects repeat, undefined when the text nests too deep. Of a text that is not JSON the answer means nothing. */
function findRepeatedNames(text: string): ReadonlySet<string> | undefined {
  const repeated = new Set<string>();
  const levels: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = findStringEnd(text, at);
        if (isName && names !== undefined) {
          const name = unescapeName(text.slice(at, end));
          if (names.has(name)) repeated.add(name);
          names.add(name);
          isName = false;
        }
        at = end - 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (levels.length === MAX_JSON_DEPTH) return undefined;
        names = text.charCodeAt(at) === OPEN_OBJECT ? new Set() : undefined;
        levels.push(names);
        isName = names !== undefined;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        levels.pop();
        names = levels.at(-1);
        isName = false;
        break;
      case COMMA:
        isName = names !== undefined;
        break;
      default:
    }
  }
  return repeated;
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
