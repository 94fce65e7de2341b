import { tableOf } from './index.js';
import { COPY_LANGUAGES, type CopyLanguage } from './table.js';
import { detectUnread } from './unread.js';

/** Letters with the languages that are written in them; a syllable or ideograph counts for more than a letter. */
const SCRIPTS: readonly (readonly [RegExp, readonly [CopyLanguage, ...CopyLanguage[]], number])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, ['ja'], 3],
  [/\p{Script=Han}/gu, ['zh'], 2],
  [/\p{Script=Hangul}/gu, ['ko'], 3],
  [/\p{Script=Arabic}/gu, ['ar'], 1],
  [/\p{Script=Hebrew}/gu, ['he'], 1],
  [/\p{Script=Devanagari}/gu, ['hi'], 1],
  [/\p{Script=Thai}/gu, ['th'], 1],
  [/\p{Script=Greek}/gu, ['el'], 1],
  [/\p{Script=Cyrillic}/gu, ['ru', 'uk'], 1],
];
const LATIN = /\p{Script=Latin}/gu;
const LATIN_LANGUAGES = COPY_LANGUAGES.filter(
  (language) => !SCRIPTS.some(([, languages]) => languages.includes(language)),
);
/** Kana among ideographs make them Japanese; that much of the text at least. */
const KANA_SHARE = 0.1;

/** Returns the language of a text by its writing and its frequent words; undefined when nothing tells. */
export function tellLanguage(text: string): CopyLanguage | undefined {
  const counts = SCRIPTS.map(
    ([letters, languages, weight]) => [languages, (text.match(letters)?.length ?? 0) * weight] as const,
  );
  const [kana, han] = [counts[0]?.[1] ?? 0, counts[1]?.[1] ?? 0];
  const [languages, count] = counts.reduce((one, other) => (other[1] > one[1] ? other : one));
  const latin = text.match(LATIN)?.length ?? 0;
  if (count <= latin) return likeliest(text, LATIN_LANGUAGES);
  const [only, ...others] = languages;
  if (others.length > 0) return likeliest(text, languages) ?? only;
  return only === 'zh' && kana > (kana + han) * KANA_SHARE ? 'ja' : only;
}

/** Returns the language of the most words of a text, the first of several; undefined where it has none of theirs. */
function likeliest(text: string, languages: readonly CopyLanguage[]): CopyLanguage | undefined {
  const scores = languages.map((language) => [language, scoreLanguage(text, language)] as const);
  const [language, score] = scores.reduce((one, other) => (other[1] > one[1] ? other : one));
  return score > 0 ? language : undefined;
}

/** Whether two languages are written in the same letters. */
export function shareWriting(one: CopyLanguage, other: CopyLanguage): boolean {
  const groups = [LATIN_LANGUAGES, ...SCRIPTS.map(([, languages]) => languages)];
  return groups.some((languages) => languages.includes(one) && languages.includes(other));
}

/**
 * Returns how much a text looks like a language, by frequent words and by labels, since a brief in lines has few of the
 * former.
 */
function scoreLanguage(text: string, language: CopyLanguage): number {
  const { common, label } = tableOf(language);
  const words = (text.match(common)?.length ?? 0) + countOwnLetters(text, language);
  const head = text.slice(0, MAX_LABELLED_CHARS);
  const colons = head.match(/[:：=]/gu)?.length ?? 0;
  const labels = colons < LEAST_LABELS ? 0 : (head.match(label)?.length ?? 0);
  return words + (labels < LEAST_LABELS ? 0 : labels * LABEL_WEIGHT);
}

/** Letters of one of the languages alone; two of them tell as much as a frequent word. */
const OWN_LETTERS: Readonly<Partial<Record<CopyLanguage, RegExp>>> = {
  pl: /[łńśźż]/giu,
  cs: /[ěřů]/giu,
  pt: /[ãõ]/giu,
  es: /[ñ¿¡]/giu,
  tr: /[ığş]/giu,
  ro: /[ășț]/giu,
  ru: /[ыэёъ]/giu,
  uk: /[іїєґ]/giu,
};

function countOwnLetters(text: string, language: CopyLanguage): number {
  const letters = OWN_LETTERS[language];
  return letters === undefined ? 0 : (text.match(letters)?.length ?? 0) / 2;
}

/** A single one may be any word before a colon. */
const LEAST_LABELS = 3;

/** Labels are looked for in the beginning of a text. */
const MAX_LABELLED_CHARS = 1500;
const LABEL_WEIGHT = 1.5;

/** Returns the language of a text; English when nothing tells. */
export function detectLanguage(text: string): CopyLanguage {
  return tellLanguage(text) ?? 'en';
}

/** Returns the BCP 47 tag of the language of a text that briefs are not read in; undefined where it may be one that they are. */
export function findUnreadLanguage(text: string): string | undefined {
  const unread = detectUnread(text);
  if (unread === undefined) return undefined;
  const read = Math.max(...COPY_LANGUAGES.map((language) => scoreLanguage(text, language)));
  return unread.score > read ? unread.language : undefined;
}

/** What the languages are called in briefs, in their own words and in English, German and French. */
const NAMES: Readonly<Record<CopyLanguage, string>> = {
  en: 'english|englisch|anglais|inglés|inglese|inglês|英語|英语|английск\\w+',
  de: 'german|deutsch|allemand|alemán|tedesco|alemão|ドイツ語|德语',
  fr: 'french|französisch|français|francés|francese|francês|フランス語|法语',
  es: 'spanish|spanisch|espagnol|español|castellano|spagnolo|espanhol|スペイン語|西班牙语',
  it: 'italian|italienisch|italien|italiano',
  pt: 'portuguese|portugiesisch|portugais|portugués|português|portoghese',
  nl: 'dutch|niederländisch|nederlands',
  pl: 'polish|polnisch|polski\\w*',
  tr: 'turkish|türkisch|türkçe',
  ru: 'russian|russisch|русск\\w+',
  ja: 'japanese|japanisch|日本語',
  zh: 'chinese|mandarin|chinesisch|中文|简体中文',
  ko: 'korean|koreanisch|한국어',
  ar: 'arabic|arabisch|arabe|العربية',
  he: 'hebrew|hebräisch|עברית',
  hi: 'hindi|हिंदी|हिन्दी',
  th: 'thai|thailändisch|ภาษาไทย',
  sv: 'swedish|schwedisch|suédois|svenska',
  da: 'danish|dänisch|danois|dansk',
  nb: 'norwegian|norwegisch|norvégien|norsk|bokmål',
  el: 'greek|griechisch|grec|ελληνικά',
  uk: 'ukrainian|ukrainisch|ukrainien|українськ\\p{L}+',
  cs: 'czech|tschechisch|tchèque|česk[yáé]|češtin\\p{L}',
  ro: 'romanian|rumänisch|roumain|română',
};
/** In front of the language that a brief asks for. */
const ASKED =
  '(?:(?<!\\p{L})(?:language|sprache|langue|idioma|lingua|taal|język|språk|sprog|γλώσσα|мова|jazyk|limba)\\s?[:：]\\s?|(?:copy|text|texts|ad|ads|write|written|banner|headline|everything|wording|texte|anzeige|schreib\\p{L}*)(?:\\s\\p{L}+){0,3}\\s(?:in|auf|en)\\s|(?:言語|语言)\\s?[:：]\\s?)';
const NAMED = COPY_LANGUAGES.map(
  (language) => [language, new RegExp(`${ASKED}(?:${NAMES[language]})(?!\\p{L})`, 'iu')] as const,
);
const ANY_NAMED = new RegExp(`${ASKED}(?:${Object.values(NAMES).join('|')})(?!\\p{L})`, 'iu');

const SPOKEN = COPY_LANGUAGES.map((language) => {
  const name = `(?:${NAMES[language]})(?!\\p{L})`;
  return [
    language,
    new RegExp(`(?<!\\p{L})${name}`, 'iu'),
    new RegExp(`(?<!\\p{L})(?:in|into|auf|ins|en|au|al|to)\\s+(?:the\\s+)?${name}`, 'iu'),
  ] as const;
});

/** Returns the first language whose name is in a text, or behind "in" where that is asked; undefined where there is none. */
export function findLanguageName(text: string, isBehindIn = false): CopyLanguage | undefined {
  return SPOKEN.find(([, anywhere, behindIn]) => (isBehindIn ? behindIn : anywhere).test(text))?.[0];
}

/** Returns the language that a brief asks for by its name; undefined where it names none. */
export function namedLanguage(text: string): CopyLanguage | undefined {
  return namesLanguage(text) ? NAMED.find(([, pattern]) => pattern.test(text))?.[0] : undefined;
}

/** Whether a text asks for the language of an ad: "copy must be in Greek". */
export function namesLanguage(text: string): boolean {
  return ANY_NAMED.test(text);
}
