import type { LanguageTable, SalePatterns } from '../language/table.js';

/** An amount of money in any of the usual writings. */
export const MONEY =
  /[$€£¥₹₩₪฿₽₺]\s?\d[\d.,]*|(?<![\d.,])\d[\d., {2}]{0,12}\s?(?:[€£¥₹₩₪฿₽₺]|円|元|块|원|บาท|(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|RON|UAH|Euro|euros?|dollars?|reais|zł|kr|kronor|kroner|Kč|lei|грн|грив(?:ень|ні|ня)|ευρώ|TL|lira|ريال|درهم|جنيه|دينار|שקל|ש["״]ח|रुपये|रु|руб(?:лей|\.)?)(?![\p{L}]))|R\$\s?\d[\d.,]*|(?:Rs\.?|INR|USD|EUR|AED|SAR|CHF|PLN|NOK|SEK|DKK|kr\.?)\s?\d[\d.,]*|(?<![\d.,])\d[\d., ]{0,9}(?:[:,]-|,–)(?!\d)/iu;

/** A discount in its shortest form, and the words of the sentence that say it. */
export type Offer = { readonly text: string; readonly source: string };

const PERCENT =
  /(?<![\d.,])(?<value>\d{1,2}(?:[.,]\d)?|100)\s?(?:%|percent\b|prozent\b|pour ?cent\b|por ciento\b|por cento\b|per cento\b|pro[cs]ent\b|la sută|τοις εκατό|відсотк(?:ів|и)(?!\p{L}))/giu;
const AMOUNT =
  /(?<value>[$€£]\s?\d[\d.,]*\d|(?<!\p{L})kr\.?\s?\d[\d.,]*\d|[$€£]\s?\d|R\$\s?\d[\d.,]*|(?<![\d.,])\d[\d.,]*\s?(?:€|£|EUR|USD|SEK|NOK|DKK|RON|Euro|euros|dollars|reais|kr|kronor|kroner|Kč|lei|грн|ευρώ)(?![\p{L}]))/giu;

/** What stands before a number, at most so much of it, says whether it is a discount. */
const LEAD_CHARS = 40;

/**
 * Returns the discount of a clause of a sentence: one that the language's words say outright, as it stands; a percentage or an amount only where
 * the words beside it make it a discount: "20% recycled" and "5% interest" are none.
 */
export function readOffer(clause: string, sentence: string, table: LanguageTable): Offer | undefined {
  const { offers, sale } = table;
  const literal = offers.exec(clause)?.[0].trim();
  if (literal !== undefined && literal !== '') return { text: literal, source: literal };
  return sale === undefined
    ? undefined
    : (findDiscount(clause, sentence, PERCENT, sale) ?? findDiscount(clause, sentence, AMOUNT, sale));
}

function findDiscount(clause: string, sentence: string, pattern: RegExp, sale: SalePatterns): Offer | undefined {
  const isReduced = pattern === PERCENT && sale.onSale.test(sentence);
  for (const match of clause.matchAll(pattern)) {
    const { index } = match;
    const before = clause.slice(Math.max(0, index - LEAD_CHARS), index);
    const behind = clause.slice(index + match[0].length, index + match[0].length + LEAD_CHARS);
    const off = sale.off.exec(behind)?.[0];
    const saving = sale.saving.exec(before)?.[0];
    if (off === undefined && saving === undefined && !(isReduced && sale.reduces.test(behind))) continue;
    const upTo = sale.upTo.exec(before)?.[0];
    const value = match.groups?.value?.trim() ?? '';
    const isUpTo = upTo !== undefined;
    const text = pattern === PERCENT ? sale.percentOff(value, isUpTo) : sale.amountOff(value, isUpTo);
    return { text, source: `${saving ?? upTo ?? ''}${match[0]}${off ?? ''}` };
  }
  return undefined;
}
