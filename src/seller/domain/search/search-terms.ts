import { countryCodeAt, findMeaning, isCountry, isWord, longestPhraseFrom, type Pointer } from './meanings.js';
import { isStopWord, NEGATIONS, splitWords, stem } from './words.js';

const MAX_BRIEF_WORDS = 200;

const MAX_LABEL_CHARS = 30;

const ORDERING_WEIGHT = 0.5;

/** One thing a brief asks for, or asks to leave out: the words it was said in, and the terms of an index that they point at. */
export type SearchTerm = { readonly label: string; readonly pointers: readonly Pointer[]; readonly unwanted: boolean };

/** Reads a brief into search terms; a phrase of the trade counts once, as a whole. */
export function readSearchTerms(brief: string): readonly SearchTerm[] {
  const words = splitWords(brief).slice(0, MAX_BRIEF_WORDS);
  const lower = words.map((word) => word.toLowerCase());
  const stems = lower.map(stem);
  const shouted = words.length > 4 && !/\p{Ll}/u.test(brief);
  const terms = new Map<string, SearchTerm>();
  let unwanted = false;
  for (let at = 0; at < words.length; ) {
    const country = shouted ? undefined : countryCodeAt(words, at);
    const { pointers, length } =
      country === undefined
        ? readPhrase(lower, stems, at)
        : { pointers: [[`country:${country}`, 1] as const], length: 1 };
    if (pointers.length > 0) {
      const label = words
        .slice(at, at + length)
        .join(' ')
        .slice(0, MAX_LABEL_CHARS);
      const key = `${unwanted}${pointers.join()}`;
      if (!terms.has(key)) terms.set(key, { label, pointers, unwanted });
      unwanted = false;
    } else if (NEGATIONS.has(lower[at] ?? '')) unwanted = true;
    else if (lower[at] === 'only' || lower[at] === 'just') unwanted = false;
    at += length;
  }
  return [...terms.values()];
}

function readPhrase(
  lower: readonly string[],
  stems: readonly string[],
  at: number,
): { pointers: readonly Pointer[]; length: number } {
  const word = stems[at] ?? '';
  for (let length = Math.min(longestPhraseFrom(word), stems.length - at); length > 1; length -= 1) {
    const pointers = findMeaning(stems.slice(at, at + length).join(' '));
    if (pointers !== undefined) return { pointers, length };
  }
  const meaning = findMeaning(word);
  if (meaning === undefined && (isStopWord(lower[at] ?? '') || NEGATIONS.has(word))) return { pointers: [], length: 1 };
  if (meaning === undefined) return { pointers: [[word, 1]], length: 1 };
  const literal: readonly Pointer[] = meaning.some((pointer) => pointer[0] === word || isCountry(pointer))
    ? []
    : [[word, meaning.some(([term]) => isWord(term)) ? 1 : ORDERING_WEIGHT]];
  return { pointers: [...literal, ...meaning], length: 1 };
}
