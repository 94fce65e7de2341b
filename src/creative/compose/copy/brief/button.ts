import { gluesOf } from '../language/glue.js';

const BUTTON = `(?:${gluesOf('button')})`;
const SAYS = `(?:${gluesOf('buttonSays')})`;
const EXISTS = `(?:${gluesOf('hasButton')})`;
const WORDS = '(?<words>\\p{Lu}[^.!?\\n"“”«»:,]{1,30})';
const PATTERNS = [
  new RegExp(`^(?:[\\p{L}’']{1,14}\\s){1,6}${BUTTON}\\s?:\\s+${WORDS}[.!]?$`, 'iu'),
  new RegExp(`^${BUTTON}\\s+(?:[-–—]\\s+)?${WORDS}[.!]?$`, 'iu'),
  new RegExp(`(?<!\\p{L})${BUTTON}\\s+${SAYS}\\s*:?\\s+${WORDS}[.!]?$`, 'iu'),
  new RegExp(`^${EXISTS}\\s+(?:(?:${gluesOf('article')})\\s+)?${BUTTON}\\s+${WORDS}[.!]?$`, 'iu'),
];

/** Returns the words that a sentence gives a button without quotation marks, which begin with a capital letter; undefined where it gives none. */
export function readButtonWords(sentence: string): string | undefined {
  const words = PATTERNS.map((pattern) => pattern.exec(sentence.trim())?.groups?.words).find(
    (one) => one !== undefined && /^\p{Lu}/u.test(one),
  );
  return words?.trim();
}
