import { GLUE, type GlueWords } from './small-words.js';
import { COPY_LANGUAGES, type CopyLanguage } from './table.js';

/** Returns the words of one sort in all languages, as alternatives. */
export function gluesOf(...sorts: readonly (keyof GlueWords)[]): string {
  const words = COPY_LANGUAGES.flatMap((language) => sorts.map((sort) => GLUE[language][sort]));
  return words.filter((one) => one !== undefined).join('|');
}

/** The small words of a language as patterns; those that mean something else in others. */
type Glue = {
  /** What joins a clause to the one before it, at its beginning. */
  readonly conjunction: RegExp;
  /** A conjunction at the end of a text that went on with what was taken off. */
  readonly dangling: RegExp;
  /** Between the things of a list. */
  readonly separators: RegExp;
  /** Words of a subject and a verb of being in front of its offer. */
  readonly being: RegExp;
  readonly speaker: RegExp;
};

const compiled = new Map<CopyLanguage, Glue>();
const NOTHING = '(?!)';

/** Returns the small words of a language, with those of English, which are in briefs of every language; there are as many as languages. */
export function glueOf(language: CopyLanguage): Glue {
  const cached = compiled.get(language);
  if (cached !== undefined) return cached;
  const join = (...sorts: readonly (keyof GlueWords)[]): string => {
    const rows = language === 'en' ? [GLUE.en] : [GLUE[language], GLUE.en];
    const words = sorts.flatMap((sort) => rows.map((row) => row[sort]));
    return words.filter((one) => one !== undefined).join('|');
  };
  const { and, but } = GLUE[language];
  const own = [and, but].filter((one) => one !== undefined).join('|');
  const glue: Glue = {
    conjunction: new RegExp(`^(?:و(?=ال)|(?:${own || NOTHING}|and|but) (?:also )?(?=[\\p{L}\\p{N}]))`, 'iu'),
    dangling: new RegExp(`[\\s,;–—-]+(?:${join('and', 'but')})?\\s*$`, 'iu'),
    separators: new RegExp(`[,;/、，،;]|\\s(?:${join('and', 'or')})\\s`, 'iu'),
    being: new RegExp(`^(.{3,60}?)\\s+(?:${join('is')})(?:\\s(?:${join('now')}))?\\s+$`, 'iu'),
    speaker: new RegExp(`^(?:${join('speaker')})\\s`, 'iu'),
  };
  compiled.set(language, glue);
  return glue;
}
