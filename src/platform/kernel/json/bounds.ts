/** The bounds of a JSON text: levels of lists and objects in one another, and values in all. */
export type JsonBounds = { readonly levels: number; readonly values: number };

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
/** Brackets and braces differ in this bit alone. */
const BRACE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Returns the bound that a JSON text in UTF-8 exceeds, if any; of other bytes the answer means nothing. Looks at the bytes alone,
 * which takes some milliseconds for a megabyte: to read a megabyte of brackets takes a hundred.
 */
export function exceededBound(bytes: Uint8Array, { levels, values }: JsonBounds): keyof JsonBounds | undefined {
  let [depth, count] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) count += 1;
    else if ((byte | BRACE) === OPENING) {
      depth += 1;
      count += 1;
      if (depth > levels) return 'levels';
    } else if ((byte | BRACE) === CLOSING) depth -= 1;
    if (count > values) return 'values';
  }
  return undefined;
}

/** Returns the position of the second quotation mark of the text that begins at `start`, or the end of all. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
