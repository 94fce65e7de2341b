import { normalizeWord, stem } from '../words.js';
import { CONCEPTS, CUES, type Cue, PLAIN_PHRASES } from './concepts.js';
import {
  CITIES_OF,
  FURTHER_CUES,
  FURTHER_FORMS,
  FURTHER_PLACES,
  FURTHER_PLAIN,
  FURTHER_WORDS,
} from './further-languages.js';
import { CITIES, COUNTRIES, REGIONS } from './places.js';

/** A term of the index that a word of a brief points at, and how strongly, 0 to 1. Facets look like `channel:ctv`; the rest are word stems. */
export type Pointer = readonly [term: string, weight: number];

/** The meaning of a phrase: what it points at, or the part it plays in its sentence. `isHint`: it suggests more than it asks ("Swiss" for Switzerland). */
export type Meaning = { readonly pointers: readonly Pointer[]; readonly cue?: Cue; readonly isHint?: boolean };

/** Whether a text is written without blanks between its words, or, as in Korean, with what they govern; phrases are found anywhere in it. */
export function isUnspaced(text: string): boolean {
  return NON_ASCII.test(text) && UNSPACED.test(text);
}

const NON_ASCII = /[^\p{ASCII}]/u;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const entries: readonly (readonly [phrases: string, meaning: Meaning])[] = [
  ...CONCEPTS.flatMap(([pointers, ...languages]) =>
    languages.flatMap((phrases = '') =>
      phrases === '' ? [] : [[phrases, { pointers: pointers.split(' ').map(parsePointer) }] as const],
    ),
  ),
  ...COUNTRIES.flatMap(([code, names, adjectives]) => [
    [names, { pointers: [[`country:${code}`, 1]] }] as const,
    ...(adjectives === undefined ? [] : [[adjectives, { pointers: [[`country:${code}`, 1]], isHint: true }] as const]),
  ]),
  ...REGIONS.map(([codes, names]) => [names, { pointers: codes.split(' ').map(countryPointer) }] as const),
  ...CITIES.map(
    ([city, country, names]) => [names, { pointers: [[`place:${city}`, 1], countryPointer(country)] }] as const,
  ),
  ...Object.entries(CUES).map(([cue, phrases]) => [phrases, { pointers: [], cue: cue as Cue }] as const),
  [PLAIN_PHRASES, { pointers: [] }],
];

function countryPointer(code: string): Pointer {
  return [`country:${code}`, 1];
}

function parsePointer(text: string): Pointer {
  const [term = '', weight = '1'] = text.split('*');
  return [term.includes(':') ? term : stem(term), Number(weight)];
}

/** The phrases of spaced languages by their words' stems; those of one word may have several meanings in several languages, which are joined. */
const SPACED = new Map<string, Meaning>();
const UNSPACED_PHRASES = new Map<string, Meaning>();

/** Words with a star, by what stands before it: they may end as they like. */
const BEGINNINGS = new Map<string, Meaning>();
const MIN_BEGINNING_CHARS = 4;

for (const [phrases, meaning] of entries) addPhrases(phrases, meaning);
for (const [english, ...languages] of FURTHER_WORDS)
  for (const phrases of languages) if (phrases !== undefined) addPhrases(phrases, meaningOf(english));
for (const [english, phrases] of [...FURTHER_FORMS, ...FURTHER_PLACES, ...CITIES_OF])
  addPhrases(phrases, meaningOf(english));
for (const [cue, phrases] of Object.entries(FURTHER_CUES)) addPhrases(phrases, { pointers: [], cue: cue as Cue });
addPhrases(FURTHER_PLAIN, { pointers: [] });

function addPhrases(phrases: string, meaning: Meaning): void {
  for (const phrase of phrases.split(', ')) {
    const own = isUnspaced(phrase);
    const isBeginning = phrase.endsWith('*');
    const key = own ? normalizeWord(phrase) : phrase.split(' ').map(wordKey).join(' ');
    if (isBeginning) addMeaning(BEGINNINGS, normalizeWord(phrase.slice(0, -1)), meaning);
    else addMeaning(own ? UNSPACED_PHRASES : SPACED, key, meaning);
  }
}

function addMeaning(table: Map<string, Meaning>, key: string, meaning: Meaning): void {
  table.set(key, joinMeanings(table.get(key), meaning));
}

/** Returns the meaning of an English phrase of the tables. */
function meaningOf(english: string): Meaning {
  const meaning = SPACED.get(english.split(' ').map(wordKey).join(' '));
  if (meaning === undefined) throw new Error(`The lexicon has no phrase "${english}".`);
  return meaning;
}

/**
 * Joins the meanings of several languages: a cue stays a cue; all their pointers count, each with its stronger weight.
 */
function joinMeanings(before: Meaning | undefined, next: Meaning): Meaning {
  if (before === undefined || before.cue !== undefined) return before ?? next;
  if (next.cue !== undefined) return next;
  const weights = new Map(before.pointers);
  for (const [term, weight] of next.pointers) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  return { pointers: [...weights], isHint: before.isHint === true && next.isHint === true };
}

/** The most words of a phrase, by the word it begins with. */
const MOST_WORDS: ReadonlyMap<string, number> = countWords([...SPACED.keys()]);
/** The most characters of a phrase without blanks, by the character it begins with. */
const MOST_CHARS = new Map<string, number>();
for (const phrase of UNSPACED_PHRASES.keys()) {
  const first = phrase.charAt(0);
  MOST_CHARS.set(first, Math.max(phrase.length, MOST_CHARS.get(first) ?? 0));
}

function countWords(phrases: readonly string[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>();
  for (const phrase of phrases) {
    const words = phrase.split(' ');
    const [first = ''] = words;
    most.set(first, Math.max(words.length, most.get(first) ?? 0));
  }
  return most;
}

/** Returns the form by which a word is looked up: without accents and case, its stem, an Arabic one without its article. */
export function wordKey(word: string): string {
  const plain = normalizeWord(word);
  const hasArticle = plain.length > 4 && plain.startsWith('ال');
  return stem(hasArticle ? plain.slice(2) : plain);
}

/** Returns the longest phrase that begins at `at`, and how many of the words it takes; undefined where there is none. `keys`: `wordKey` of each word. */
export function findPhrase(
  keys: readonly string[],
  at: number,
): { readonly meaning: Meaning; readonly words: number } | undefined {
  const first = keys[at] ?? '';
  for (let words = Math.min(MOST_WORDS.get(first) ?? 0, keys.length - at); words > 0; words -= 1) {
    const meaning = SPACED.get(words === 1 ? first : keys.slice(at, at + words).join(' '));
    if (meaning !== undefined) return { meaning, words };
  }
  const meaning = findPrefixed(first) ?? findCompound(first) ?? findBeginning(first);
  return meaning === undefined ? undefined : { meaning, words: 1 };
}

/** Returns the meaning of a word by the longest beginning of it that the tables have with a star. */
function findBeginning(word: string): Meaning | undefined {
  for (let end = Math.min(word.length, MAX_COMPOUND_CHARS); end >= MIN_BEGINNING_CHARS; end -= 1) {
    const meaning = BEGINNINGS.get(word.slice(0, end));
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

const ARABIC = /^\p{Script=Arabic}/u;
const ARABIC_PREFIXES = ['وال', 'بال', 'لل', 'فال', 'كال', 'و', 'ب', 'ل', 'ف', 'ك'];

/** Returns an Arabic word with "and", "in" or "for" written to it. */
function findPrefixed(word: string): Meaning | undefined {
  if (!NON_ASCII.test(word) || !ARABIC.test(word)) return undefined;
  for (const prefix of ARABIC_PREFIXES) {
    const rest = word.startsWith(prefix) ? word.slice(prefix.length) : '';
    const meaning = SPACED.get(rest) ?? findBeginning(rest);
    if (meaning !== undefined) return meaning;
  }
  return undefined;
}

/** The second halves of compounds that add nothing to the first. */
const PLAIN_ENDINGS = new Set(
  'werbung spot spots seite seiten anzeige anzeigen sendung sendungen kampagne kampagnen format formate platz platze programm fan fans nutzer kanal kanale publikum umfeld umfelder umfeldern veranstalter anbieter handler hersteller marke marken inhalt inhalte inhalten screen screens ads flache flachen platzierung platzierungen paket pakete interessierte interessierten begeisterte begeisterten liebhaber freunde affine affinen'
    .split(' ')
    .map(stem),
);
const MIN_COMPOUND_CHARS = 8;
const MAX_COMPOUND_CHARS = 40;
const MIN_HALF_CHARS = 3;

/**
 * Returns a German or Dutch compound of two words, each of the table, or the second a plain ending ("Kochsendungen",
 * "Wirtschaftspodcasts").
 */
function findCompound(word: string): Meaning | undefined {
  if (word.length < MIN_COMPOUND_CHARS || word.length > MAX_COMPOUND_CHARS) return undefined;
  for (let cut = word.length - MIN_HALF_CHARS; cut >= MIN_HALF_CHARS; cut -= 1) {
    const tail = word.slice(cut);
    const isPlain = PLAIN_ENDINGS.has(tail);
    const second = isPlain ? undefined : SPACED.get(tail);
    if (!isPlain && !canEndCompound(second)) continue;
    const first = findHead(word.slice(0, cut));
    if (first !== undefined) return second === undefined ? first : joinMeanings(first, second);
  }
  return undefined;
}

/** Whether a word can be the second half of a compound: "parisien" is no yen ("iene"). */
function canEndCompound(meaning: Meaning | undefined): boolean {
  if (meaning === undefined || meaning.cue !== undefined) return false;
  return meaning.pointers.length > 0 && !meaning.pointers.some(([term]) => term.startsWith('currency:'));
}

/** Returns the first half of a compound, with or without the sound that links it to the second. */
function findHead(head: string): Meaning | undefined {
  return [head, head.endsWith('s') ? head.slice(0, -1) : `${head}en`, `${head}e`]
    .map((each) => SPACED.get(stem(each)))
    .find((each) => each !== undefined && each.cue === undefined && each.pointers.length > 0);
}

/** Returns the longest phrase of an unspaced text that begins at `at`, and how many characters it takes. */
export function findUnspaced(
  text: string,
  at: number,
): { readonly meaning: Meaning; readonly chars: number } | undefined {
  for (let chars = Math.min(MOST_CHARS.get(text.charAt(at)) ?? 0, text.length - at); chars > 0; chars -= 1) {
    const meaning = UNSPACED_PHRASES.get(text.slice(at, at + chars));
    if (meaning !== undefined) return { meaning, chars };
  }
  return undefined;
}

/** Whether a pointer names a country. */
export function isCountry([term]: Pointer): boolean {
  return term.startsWith('country:');
}

/** Whether a term of the index is the stem of a word, and not a facet. */
export function isWord(term: string): boolean {
  return !term.includes(':');
}
