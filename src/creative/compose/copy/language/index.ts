import { AN_AD } from './manner.js';
import { greetingOf } from './opening.js';
import { requestsOf } from './requests.js';
import { GLUE, type GlueWords } from './small-words.js';
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

/**
 * Returns words of a language with the small ones that stand around what a brief bans, before its terms, and before the ad that a subject
 * is named for.
 */
function withGlue(words: LanguageWords): LanguageWords {
  const glue = GLUE[words.language];
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.filter((part) => part !== undefined && part !== '').join('|');
  const { mustNotAppear, atFoot, smallPrint, forbids, notWanted, notToDo, button, please, without, not, theWord } =
    glue;
  const withoutWord = theWord && `(?:${join(without, not)})\\s(?:${theWord})`;
  return {
    ...words,
    never: join(mustNotAppear, words.never, withoutWord, forbids && `^(?:${forbids})`, notToDo && `^(?:${notToDo})`),
    greeting: join(words.greeting, greetingOf(words.language)),
    joints: join(words.joints, please),
    labels: {
      // The first of several that begin at one place counts.
      mustNot: join(notWanted, words.labels.mustNot, forbids),
      ...omitBans(words.labels),
      action: join(words.labels.action, button),
      legal: join(
        words.labels.legal,
        atFoot && `(?:${atFoot})(?:[,،]?\\s[\\p{L}\\s]{2,24})?(?=\\s?[:：])`,
        atFoot,
        smallPrint,
      ),
    },
    orders: [
      ...requestsOf(words.language, words.accusative === undefined ? 'subject' : 'accusative'),
      ...words.orders,
      ...orderFromSubject(words, glue),
    ],
  };
}

function omitBans({ mustNot: _, ...labels }: LanguageWords['labels']): LanguageWords['labels'] {
  return labels;
}

/** Returns the order that names its subject first: "For the spring sale we need a banner". */
function orderFromSubject({ genitive, accusative }: LanguageWords, glue: GlueWords): readonly string[] {
  if (glue.for === undefined || glue.weNeed === undefined) return [];
  let subject = 'subject';
  if (accusative !== undefined) subject = 'accusative';
  if (genitive !== undefined) subject = 'genitive';
  return [
    `(?:${glue.for})\\s+(?<${subject}>[^.!?\\n]{3,110}?),?\\s+(?:${glue.weNeed})(?:\\s\\p{L}{1,14}){0,4}?\\s${AN_AD}(?!\\p{L})(?:\\s[^:.!?\\n]{1,40})?(?<rest>[:：].*)?$`,
  ];
}
