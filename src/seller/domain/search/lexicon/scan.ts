import { isStopWord, normalizeWord } from '../words.js';
import { CODE_MARKS, markCountryCodes, readCountryCode } from './country-codes.js';
import {
  findPhrase,
  findUnspaced,
  isCountry,
  isUnspaced,
  isWord,
  type Meaning,
  type Pointer,
  wordKey,
} from './lexicon.js';

/** A piece of a text: a phrase with what it points at, a cue, or the end of a clause. `isPlain`: grammar and trade noise, which points at nothing. */
export type Unit = {
  readonly label: string;
  readonly pointers: readonly Pointer[];
  readonly cue?: Meaning['cue'];
  readonly isHint?: boolean;
  /** `label`: what stands before a colon is over. `item`: another item of a list begins. */
  readonly ends?: Ending;
  readonly isPlain: boolean;
};

/** The way in which a piece of a sentence ends. */
export type Ending = 'clause' | 'comma' | 'label' | 'item' | 'line';

const MAX_LABEL_CHARS = 30;

/** How much a word counts beside a meaning that it has as a facet. */
const ORDERING_WEIGHT = 0.5;

const [CODE_BEGINS] = CODE_MARKS;

/** Words, codes of countries that are marked, signs, and the signs that items of a list begin with. */
const PIECE =
  /[\p{L}\p{N}\p{M}]+|\ue000[A-Z]{2}|\n[ \t]{0,8}[-*•·▪◦–](?=\s)|\|[ \t]*(?=\n|$)|[|\t]|[,،、，]|[.;:!?…。！？；：؛\n()—–]/gu;

const COMMAS = ',،、，';
const COLONS = ':：|\t';
const PUNCTUATION = `${COMMAS}${COLONS}.;!?…。！？；؛\n()—–`;

/** What stands in the middle of a number or a name. */
const INSIDE = '.,:';
const WORD_NEXT = /^[\p{L}\p{N}]/u;

/** Reads a text into units; a phrase of the trade is one unit, as a whole. Linear in the text. */
export function scanText(given: string, maxWords: number): readonly Unit[] {
  const text = markCountryCodes(given);
  const pieces = [...text.matchAll(PIECE)].slice(0, 2 * maxWords);
  const units: Unit[] = [];
  let run: string[] = [];
  let words = 0;
  const flush = () => {
    units.push(...scanWords(run));
    run = [];
  };
  for (const [piece, offset] of pieces.map((match) => [match[0], match.index] as const)) {
    if (!PUNCTUATION.includes(piece.charAt(0))) {
      words += 1;
      if (words > maxWords) break;
      if (piece.startsWith(CODE_BEGINS)) {
        flush();
        units.push(countryUnit(piece.slice(1)));
      } else if (isUnspaced(piece)) {
        flush();
        units.push(...scanUnspaced(piece));
      } else run.push(piece);
      continue;
    }
    // "1,000.50" and "example.com" end no clause.
    const isInside = INSIDE.includes(piece) && WORD_NEXT.test(text.charAt(offset + 1));
    if (isInside) continue;
    flush();
    units.push({
      label: piece,
      pointers: [],
      ends: readEnding(piece, isLineEnd(text, offset + piece.length)),
      isPlain: true,
    });
  }
  flush();
  return units;
}

function isLineEnd(text: string, at: number): boolean {
  return at >= text.length || text.charAt(at) === '\n';
}

/** Returns how a sign ends what stands before it; `isLast`: it is the last of its line. */
function readEnding(piece: string, isLast: boolean): Ending {
  if (piece.startsWith('\n') && piece.length > 1) return 'item';
  if (piece.startsWith('|') && isLast) return 'clause';
  if (piece === '\n') return 'line';
  if (COMMAS.includes(piece)) return 'comma';
  return COLONS.includes(piece) ? 'label' : 'clause';
}

function countryUnit(code: string): Unit {
  const country = readCountryCode(code);
  return { label: code, pointers: country === undefined ? [] : [[`country:${country}`, 1]], isPlain: false };
}

function scanWords(words: readonly string[]): readonly Unit[] {
  const keys = words.map(wordKey);
  const units: Unit[] = [];
  for (let at = 0; at < words.length; ) {
    const match = findPhrase(keys, at);
    const length = match?.words ?? 1;
    const phrase = length === 1 ? (words[at] ?? '') : words.slice(at, at + length).join(' ');
    const label = phrase.slice(0, MAX_LABEL_CHARS);
    if (match !== undefined) units.push(phraseUnit(label, match.meaning, length === 1 ? keys[at] : undefined));
    else units.push(wordUnit(label, keys[at] ?? ''));
    at += length;
  }
  return units;
}

/** Reads text without blanks: phrases of the table wherever they begin; what lies between is found by its pairs of characters. */
function scanUnspaced(piece: string): readonly Unit[] {
  const text = normalizeWord(piece);
  const units: Unit[] = [];
  let rest = '';
  const flush = () => {
    if (rest.length > 1) units.push(...pairUnits(rest));
    rest = '';
  };
  for (let at = 0; at < text.length; ) {
    const match = findUnspaced(text, at);
    if (match === undefined) {
      rest += text[at];
      at += 1;
      continue;
    }
    flush();
    units.push(phraseUnit(text.slice(at, at + match.chars), match.meaning, undefined));
    at += match.chars;
  }
  flush();
  return units;
}

/** Returns words of Latin letters as they are, other unknown text as its pairs of characters, each of which orders and none chooses. */
function pairUnits(text: string): readonly Unit[] {
  const latin = text.match(/[\p{Script=Latin}\p{N}]{2,}/gu) ?? [];
  if (latin.length > 0) return scanWords(latin);
  if (/^[\p{Script=Hiragana}ー]*$/u.test(text)) return [];
  const pairs = Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));
  return pairs.map((label) => ({ label, pointers: [[label, ORDERING_WEIGHT]], isPlain: false }));
}

/** Whether a pointer says what something is about or whom it is for, not what it is. */
function isAbout([term, weight]: Pointer): boolean {
  return term.startsWith('reach:') || (isWord(term) && weight > ORDERING_WEIGHT);
}

/**
 * Returns the unit of a phrase: a word counts literally beside its meaning, so that a thing that says it comes first.
 */
function phraseUnit(label: string, meaning: Meaning, word: string | undefined): Unit {
  const { pointers, cue, isHint } = meaning;
  const isLiteral = word !== undefined && cue === undefined && pointers.length > 0;
  const literal: readonly Pointer[] =
    !isLiteral || pointers.some((pointer) => pointer[0] === word || isCountry(pointer))
      ? []
      : [[word, pointers.some(isAbout) ? 1 : ORDERING_WEIGHT]];
  return {
    label,
    pointers: [...literal, ...pointers],
    cue,
    isHint,
    isPlain: cue !== undefined || pointers.length === 0,
  };
}

function wordUnit(label: string, key: string): Unit {
  const isPlain = isStopWord(key) || isStopWord(normalizeWord(label));
  return { label, pointers: isPlain ? [] : [[key, 1]], isPlain };
}
