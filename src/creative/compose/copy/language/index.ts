import { glueWordsOf } from './glue.js';
import { type CopyLanguage, compileTable, type LanguageTable, type LanguageWords } from './table.js';
import { GREEK, ROMANIAN } from './words/balkan.js';
import { CHINESE } from './words/chinese.js';
import { ENGLISH } from './words/english.js';
import { FRENCH } from './words/french.js';
import { DUTCH, GERMAN } from './words/germanic.js';
import { ITALIAN } from './words/italian.js';
import { JAPANESE } from './words/japanese.js';
import { KOREAN } from './words/korean.js';
import { DANISH, NORWEGIAN, SWEDISH } from './words/nordic.js';
import { PORTUGUESE } from './words/portuguese.js';
import { ARABIC, HEBREW } from './words/semitic.js';
import { CZECH, POLISH, RUSSIAN, UKRAINIAN } from './words/slavic.js';
import { HINDI, THAI } from './words/southern.js';
import { SPANISH } from './words/spanish.js';
import { TURKISH } from './words/turkish.js';

const WORDS: Readonly<Record<CopyLanguage, LanguageWords>> = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  it: ITALIAN,
  pt: PORTUGUESE,
  nl: DUTCH,
  pl: POLISH,
  tr: TURKISH,
  ru: RUSSIAN,
  ja: JAPANESE,
  zh: CHINESE,
  ko: KOREAN,
  ar: ARABIC,
  he: HEBREW,
  hi: HINDI,
  th: THAI,
  sv: SWEDISH,
  da: DANISH,
  nb: NORWEGIAN,
  el: GREEK,
  uk: UKRAINIAN,
  cs: CZECH,
  ro: ROMANIAN,
};

const compiled = new Map<CopyLanguage, LanguageTable>();

/** Returns the patterns of a language; they are compiled when they are first needed, and there are as many as languages. */
export function tableOf(language: CopyLanguage): LanguageTable {
  const table = compiled.get(language) ?? compileTable(withGlue(WORDS[language]));
  compiled.set(language, table);
  return table;
}

/** Words of a language with those that stand behind what a brief bans, "… must not appear", and before its terms, "at the bottom:". */
function withGlue(words: LanguageWords): LanguageWords {
  const { mustNotAppear, atFoot } = glueWordsOf(words.language);
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.filter((part) => part !== undefined).join('|');
  return {
    ...words,
    never: join(mustNotAppear, words.never),
    labels: { ...words.labels, legal: join(words.labels.legal, atFoot) },
  };
}
