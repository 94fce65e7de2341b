import { withAsciiDigits } from '../digits.js';
import { type CalendarPart, findCalendarWord } from '../lexicon/calendar.js';
import { EASTERN_PERIOD, findPeriodWord, type PeriodWord, readEasternPeriod } from '../lexicon/periods.js';

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
  /** Whether it is a month behind a day alone. */
  readonly needsDay?: boolean | undefined;
};

const MAX_TOKENS = 2000;

const THAI_LETTER = /[\u0e01-\u0e4e]/u;
/** Years that the Buddhist calendar is ahead. */
const BUDDHIST_ERA = 543;

/** Words that Thai writes without blanks before and behind them. */
const THAI =
  'เป็นเวลา|เริ่มวันที่|เริ่ม|ตั้งแต่วันที่|ตั้งแต่|จนถึง|ถึง|(?:มกรา|มีนา|พฤษภา|กรกฎา|สิงหา|ตุลา|ธันวา)คม|(?:เมษา|มิถุนา|กันยา|พฤศจิกา)ยน|กุมภาพันธ์|(?:เดือน|สัปดาห์|ไตรมาส|ปี)(?:หน้า|นี้)';

const EAST_ASIAN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー';

const PIECE = new RegExp(
  [
    '(?<iso>\\d{4}-\\d{1,2}-\\d{1,2})(?!\\d)',
    '(?<slashed>\\d{1,4}[./]\\d{1,2}[./]\\d{2,4})(?!\\d)',
    '(?<year>\\d{4})\\s?[年년]',
    '第?(?<quarterOf>[1-4])(?:四半期|季度|\\s?분기)',
    `(?<eastern>${EASTERN_PERIOD})`,
    '(?<month>\\d{1,2})\\s?[月월]',
    '(?<day>\\d{1,2})\\s?[日號号일]',
    '(?<![\\p{L}\\p{N}])(?:[qt](?<q>[1-4])|h(?<half>[12]))(?![\\p{L}\\p{N}])',
    '(?<![$€£¥]\\s?|[\\p{L}\\p{N}][.,]?)(?<number>\\d{1,4})(?:st|nd|rd|th|er|[ºª.])?(?![\\p{L}\\p{N}%]|[.,]\\d|\\s?(?:k|%|€|\\$|eur|usd|gbp|million|cpm)\\b)',
    'から|まで|または|부터|까지|에서|起至|[起至到止自從从]|[为為]止',
    THAI,
    `[\\u0e01-\\u0e4e]+?(?=${THAI}|[^\\u0e01-\\u0e4e]|$)`,
    '(?<!\\p{L})rio de janeiro(?!\\p{L})',
    `[${EAST_ASIAN}]+?(?=${EASTERN_PERIOD}|[^${EAST_ASIAN}]|$)`,
    '[\\p{L}\\p{M}]+',
    '[-–—~〜～&/]|(?<comma>[,，])|[.;:!?\\n、。]|\\d+',
  ].join('|'),
  'giu',
);

/** Returns the tokens of a text as far as dates need them, at most 2000. */
export function tokenize(text: string): readonly Token[] {
  const plain = withAsciiDigits(text);
  const tokens: Token[] = [];
  const hasBuddhistYears = THAI_LETTER.test(text);
  for (const match of plain.matchAll(PIECE)) {
    if (tokens.length === MAX_TOKENS) break;
    const [whole] = match;
    const span = { text: whole, from: match.index, to: match.index + whole.length };
    tokens.push({ ...span, ...classify(whole, match.groups ?? {}, hasBuddhistYears) });
  }
  return tokens;
}

function classify(
  text: string,
  groups: Readonly<Record<string, string | undefined>>,
  hasBuddhistYears: boolean,
): Pick<Token, 'part' | 'value' | 'isUnsure' | 'needsDay' | 'period'> {
  const isEastern = groups.eastern !== undefined || THAI_LETTER.test(text);
  const period = (isEastern ? readEasternPeriod(text) : undefined) ?? findPeriodWord(text);
  const read = classifyPart(text, groups);
  const year = read.value - BUDDHIST_ERA;
  if (hasBuddhistYears && read.part === 'number' && isYear(year)) return { ...read, part: 'year', value: year, period };
  return { ...read, period };
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
    eastern,
  }: Readonly<Record<string, string | undefined>>,
): Pick<Token, 'part' | 'value' | 'isUnsure' | 'needsDay'> {
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
  if (eastern !== undefined) return sure('other');
  const word = findCalendarWord(text);
  return word === undefined ? sure('other') : { value: 0, isUnsure: false, ...word };
}

function isYear(number: number): boolean {
  return number >= 2000 && number < 2100;
}
