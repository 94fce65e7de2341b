/** Returns the parts of a word between which a line may break with a hyphen; the word alone where it has none. */
export type Hyphenate = (word: string) => readonly string[];

type Patterns = { readonly default: { readonly hyphenateSync: (text: string, options: object) => string } };

/** Patterns of the languages in which long words are frequent enough to break (https://www.hyphenation.org); loaded when a text is in one. */
const PATTERNS: Readonly<Record<string, () => Promise<Patterns>>> = {
  cs: () => import('hyphen/cs/index.js'),
  da: () => import('hyphen/da/index.js'),
  de: () => import('hyphen/de/index.js'),
  el: () => import('hyphen/el/index.js'),
  en: () => import('hyphen/en/index.js'),
  es: () => import('hyphen/es/index.js'),
  fi: () => import('hyphen/fi/index.js'),
  fr: () => import('hyphen/fr/index.js'),
  hu: () => import('hyphen/hu/index.js'),
  it: () => import('hyphen/it/index.js'),
  nl: () => import('hyphen/nl/index.js'),
  no: () => import('hyphen/nb/index.js'),
  pl: () => import('hyphen/pl/index.js'),
  pt: () => import('hyphen/pt/index.js'),
  ru: () => import('hyphen/ru/index.js'),
  sv: () => import('hyphen/sv/index.js'),
  tr: () => import('hyphen/tr/index.js'),
  uk: () => import('hyphen/uk/index.js'),
};

const SOFT_HYPHEN = '\u00ad';
const MIN_HYPHENATED_LETTERS = 10;
/** A longer one is no word. */
const MAX_HYPHENATED_LETTERS = 80;

/** Returns what breaks long words of a language (BCP 47); of one without patterns it leaves words whole. */
export async function loadHyphenation(language = ''): Promise<Hyphenate> {
  const primary = language.toLowerCase().split('-')[0] ?? '';
  const load = PATTERNS[primary === 'nb' || primary === 'nn' ? 'no' : primary];
  if (load === undefined) return (word) => [word];
  const { hyphenateSync } = (await load()).default;
  return (word) =>
    word.length < MIN_HYPHENATED_LETTERS || word.length > MAX_HYPHENATED_LETTERS
      ? [word]
      : hyphenateSync(word, { hyphenChar: SOFT_HYPHEN, minWordLength: MIN_HYPHENATED_LETTERS }).split(SOFT_HYPHEN);
}
