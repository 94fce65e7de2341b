import { type CalendarPart, findCalendarWord } from '../lexicon/calendar.js';
import { findPeriodWord, type PeriodWord, readJapanesePeriod } from '../lexicon/periods.js';

/** A word, number or sign of a text, by the part that it may play in a date. */
export type Token = {
  readonly part:
    | CalendarPart
    | 'iso'
    | 'slashed'
    | 'number'
    | 'day'
    | 'year'
    | 'quarterOf'
    | 'halfOf'
    | 'comma'
    | 'other';
  readonly value: number;
  /** The part that it plays in a time that is told from today on, or in a span. */
  readonly period?: PeriodWord | undefined;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isUnsure: boolean;
};

const MAX_TOKENS = 2000;

const PIECE =
  /(?<iso>\d{4}-\d{1,2}-\d{1,2})(?!\d)|(?<slashed>\d{1,4}[./]\d{1,2}[./]\d{2,4})(?!\d)|(?<year>\d{4})年|第?(?<quarterOf>[1-4])四半期|(?<japanese>[来今](?:四半期|週|月|年)|\d{1,3}(?:週間|日間|[かヶカヵケ]月間?|年間))|(?<month>\d{1,2})月|(?<day>\d{1,2})日|(?<![\p{L}\p{N}])(?:[qt](?<q>[1-4])|h(?<half>[12]))(?![\p{L}\p{N}])|(?<![$€£¥]\s?|[\p{L}\p{N}][.,]?)(?<number>\d{1,4})(?:st|nd|rd|th|er|[ºª.])?(?![\p{L}\p{N}%]|[.,]\d|\s?(?:k|%|€|\$|eur|usd|gbp|million|cpm)\b)|から|まで|または|[\p{L}\p{M}]+|[-–—~〜～&/]|(?<comma>,)|[.;:!?\n、。]|\d+/giu;

const FOREIGN_DIGITS = /[٠-٩０-９]/gu;

function asciiDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  return String(code - (code >= 0xff10 ? 0xff10 : 0x0660));
}

/** Returns the tokens of a text as far as dates need them, at most 2000. */
export function tokenize(text: string): readonly Token[] {
  const plain = text.replace(FOREIGN_DIGITS, asciiDigit);
  const tokens: Token[] = [];
  for (const match of plain.matchAll(PIECE)) {
    if (tokens.length === MAX_TOKENS) break;
    const [whole] = match;
    const span = { text: whole, from: match.index, to: match.index + whole.length };
    tokens.push({ ...span, ...classify(whole, match.groups ?? {}) });
  }
  return tokens;
}

function classify(
  text: string,
  groups: Readonly<Record<string, string | undefined>>,
): Pick<Token, 'part' | 'value' | 'isUnsure' | 'period'> {
  const period = groups.japanese === undefined ? findPeriodWord(text) : readJapanesePeriod(text);
  return { ...classifyPart(text, groups), period };
}

function classifyPart(
  text: string,
  {
    iso,
    slashed,
    year,
    quarterOf,
    q,
    half,
    month,
    day,
    number,
    comma,
    japanese,
  }: Readonly<Record<string, string | undefined>>,
): Pick<Token, 'part' | 'value' | 'isUnsure'> {
  const sure = (part: Token['part'], value: string | number = 0) => ({ part, value: Number(value), isUnsure: false });
  if (iso !== undefined) return sure('iso');
  if (slashed !== undefined) return sure('slashed');
  if (year !== undefined) return sure('year', year);
  if (quarterOf !== undefined || q !== undefined) return sure('quarterOf', quarterOf ?? q);
  if (half !== undefined) return sure('halfOf', half);
  if (month !== undefined) return sure(Number(month) <= 12 ? 'month' : 'other', month);
  if (day !== undefined) return sure('day', day);
  if (number !== undefined) return sure(isYear(Number(number)) ? 'year' : 'number', number);
  if (comma !== undefined) return sure('comma');
  if (japanese !== undefined) return sure('other');
  const word = findCalendarWord(text);
  return word === undefined ? sure('other') : { value: 0, isUnsure: false, ...word };
}

function isYear(number: number): boolean {
  return number >= 2000 && number < 2100;
}
