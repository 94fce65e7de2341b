import { isRepeated } from './body.js';
import { findForbidden } from './brief/forbidden.js';
import type { Copy, CopyOrder } from './copy.js';
import { shareWriting, tellLanguage } from './language/detect.js';
import type { CopyLanguage, LanguageTable } from './language/table.js';
import type { Material } from './material.js';
import { hasWords, plainText } from './text.js';

/** Words of an ad that somebody else than the built-in writer wrote. */
type Written = Pick<Copy, 'headline' | 'callToAction'> & { readonly body: string };

/**
 * Returns what words say that their brief does not allow, in a sentence for the buyer; undefined where all is well. Numbers, offers and dates
 * are allowed that the brief, the brand or the offering states.
 */
export function findCopyFault(written: Written, material: Material): string | undefined {
  const { headline, body, callToAction } = written;
  const texts = [headline, body, callToAction].filter((text) => text !== '');
  const source = readSources(material.order, material);
  const language = tellLanguage(`${headline} ${body}`);
  if (language !== undefined && writesOtherwise(language, material.brief.language))
    return 'They are in another language.';
  if (body !== '' && isRepeated(body, headline)) return 'They say the same twice.';
  for (const text of texts) {
    const fault = findForbiddenIn(text, material) ?? findInvention(text, source, material);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Returns all that an ad may state. */
function readSources({ message = '', brand, given = {} }: CopyOrder, { offering, brief }: Material): string {
  const { name, tagline } = brand;
  const texts = [message, name, tagline, offering?.name, offering?.description, offering?.price, brief.offer?.offer];
  return plainText([...texts, given.headline, given.body, given.callToAction].filter(Boolean).join('\n')).toLowerCase();
}

/** Languages that share a writing are too alike in a few words for a test. */
function writesOtherwise(language: CopyLanguage, wanted: CopyLanguage): boolean {
  return language !== wanted && !shareWriting(language, wanted);
}

function findForbiddenIn(text: string, { brief, reading, words }: Material): string | undefined {
  const forbidden = findForbidden(text, brief.forbidden, reading) ?? findForbidden(text, brief.forbidden, words);
  return forbidden === undefined ? undefined : `They say what the brief forbids: "${forbidden}".`;
}

const NUMBER = /\p{Nd}+(?:[.,:]\p{Nd}+)*/gu;

/** Returns a number, an offer or a date that no source states. */
function findInvention(text: string, source: string, { brief, words }: Material): string | undefined {
  const given = new Set((source.match(NUMBER) ?? []).map(plainNumber));
  const number = (text.match(NUMBER) ?? []).find((one) => !given.has(plainNumber(one)));
  if (number !== undefined) return `They state the number ${number.slice(0, MAX_NUMBER_CHARS)}, which nobody gave.`;
  const hasDiscount = brief.offer?.isDiscount === true;
  const isTranslated = brief.language !== brief.readIn;
  const offers = listGains(text, words).filter((word) => !source.includes(word.toLowerCase()));
  const isInvented = isTranslated
    ? offers.length > 0 && brief.offer === undefined
    : offers.some((word) => !(hasDiscount && isDiscountWord(word, words)));
  if (isInvented) return 'They offer what nobody offers.';
  const date = words.deadline.exec(text)?.[0];
  const isDated = isTranslated ? brief.deadline !== undefined : hasWords(source, date?.split(/\s/u).at(-1));
  return date === undefined || isDated ? undefined : 'They set a date that nobody set.';
}

const MAX_NUMBER_CHARS = 20;

/** Returns a number in one writing: in the digits of ASCII, without the signs between thousands. */
function plainNumber(number: string): string {
  const ascii = number.replace(/[^\x20-\x7e]/gu, (digit) => {
    // Digits of every writing are ten in a row, and each row begins at a multiple of 16 or six behind one.
    const offset = (digit.codePointAt(0) ?? 0) % 16;
    return String(offset >= 6 ? offset - 6 : offset);
  });
  return ascii.replace(/[.,](?=\d{3}(?!\d))/gu, '').replace(',', '.');
}

/** Numbers are judged apart. */
const AMOUNT = /[\p{Nd}\p{Sc}.,%٪\s]+/gu;

/** Returns the words of a text that promise something. */
function listGains(text: string, { gains, offers }: LanguageTable): readonly string[] {
  return [gains, offers].flatMap((pattern) =>
    [...text.matchAll(new RegExp(pattern, 'giu'))]
      .map(([word]) => word.replace(AMOUNT, ' ').trim())
      .filter((word) => word !== ''),
  );
}

/** Whether a word of an offer says that something costs less. */
function isDiscountWord(word: string, { sale, topics }: LanguageTable): boolean {
  const isOnSale =
    sale !== undefined && (sale.onSale.test(word) || sale.off.test(word) || sale.saving.test(`${word} `));
  return isOnSale || topics.discount.test(word);
}
