import bidiFactory from 'bidi-js';

/** The way that a text is read. */
export type Direction = 'ltr' | 'rtl';

/** The text before and behind a line, not drawn, with which the line reads alone as among the others of its text. */
type LineContext = { readonly before: string; readonly after: string };

/** The context of a line that is a text of its own. */
export const ALONE: LineContext = { before: '', after: '' };

const bidi = bidiFactory();

/** Marks of the three kinds of letters that turn what stands beside them (https://unicode.org/reports/tr9/#Implicit_Directional_Marks). */
const MARKS: Readonly<Record<string, string>> = { L: '\u200e', R: '\u200f', AL: '\u061c' };

/** Languages that are written from right to left, as the first part of a BCP 47 tag. */
const FROM_RIGHT_LANGUAGES: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'iw', 'ps', 'sd', 'ug', 'ur', 'yi']);

/**
 * Returns the direction of a text: that of its language where a letter of it is written so, else that of most of its letters. A
 * name in Latin letters at its beginning turns nothing; what has no letters is read from left to right.
 */
export function readDirection(text: string, language = ''): Direction {
  const kinds = [...text].map(kindOfLetter).filter((kind) => kind !== undefined);
  const fromRight = kinds.filter((kind) => kind !== 'L').length;
  if (fromRight === 0) return 'ltr';
  const isOfLanguage = FROM_RIGHT_LANGUAGES.has(language.toLowerCase().split('-')[0] ?? '');
  return isOfLanguage || fromRight * 2 > kinds.length ? 'rtl' : 'ltr';
}

/** Returns the direction of one text of an ad: that of the ad, but for what is all in letters of the other one. */
export function directText(text: string, around: Direction): Direction {
  const kinds = new Set([...text].map(kindOfLetter));
  return kinds.has('L') && !kinds.has('R') && !kinds.has('AL') ? 'ltr' : around;
}

/** Returns how deep each character of a text is turned round: at odd levels it is read from right to left. */
export function readLevels(text: string, direction: Direction): Uint8Array {
  return bidi.getEmbeddingLevels(text, direction).levels;
}

/**
 * Returns the context of each line of a text: a line that begins or ends with a number or a sign is read as the letters before and
 * behind it say, on other lines too (https://unicode.org/reports/tr9/#L1).
 */
export function readContexts(lines: readonly string[], direction: Direction): readonly LineContext[] {
  const kinds = lines.map((line) => [...line].map(kindOfLetter).filter((kind) => kind !== undefined));
  const isPlain = direction === 'ltr' && kinds.every((line) => line.every((kind) => kind === 'L'));
  return lines.map((_, index) => {
    if (isPlain) return ALONE;
    const before = kinds.slice(0, index).flat().at(-1);
    const after = kinds.slice(index + 1).flat()[0];
    return { before: MARKS[before ?? ''] ?? '', after: MARKS[after ?? ''] ?? '' };
  });
}

function kindOfLetter(character: string): string | undefined {
  const kind = bidi.getBidiCharTypeName(character);
  return kind in MARKS ? kind : undefined;
}
