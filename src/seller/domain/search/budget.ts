import { withAsciiDigits } from './digits.js';
import {
  AT_MOST_WORDS,
  CHANGED_WORDS,
  CORRECTION_WORDS,
  CURRENCIES,
  DUAL_WORDS,
  EASTERN_UNITS,
  HALF_WORDS,
  NOW_WORDS,
  REFUSED_AMOUNT_WORDS,
  SCALES,
  SPEND_WORDS,
} from './lexicon/money.js';

/** An amount of money that a brief mentions; `currency` is undefined where it names none. */
export type Money = { readonly amount: number; readonly currency: string | undefined };

/** The highest price that a brief pays; `model` where it names one (a bare small amount is a price per thousand). */
export type PriceLimit = Money & { readonly model: string; readonly label: string };

/** The money of a brief, and its text without the words that speak of it. */
type BriefMoney = {
  readonly budget: Money | undefined;
  readonly price: PriceLimit | undefined;
  readonly rest: string;
};

const NUMBER =
  /(?<!\d|\d[.,])(?:\d{1,3}(?:[.,'’]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,3}(?:[.,]\d{1,2})?|\d{1,2}(?:,\d{2}){1,3},\d{3}(?:\.\d{1,2})?|\d{1,12}(?:[.,]\d{1,2})?)(?!\d|[.,]\d)/gu;

/** Scripts that write a word right behind another. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Returns a pattern of alternatives, the longest first, of which those of spaced scripts end where a word ends. */
function oneOf(words: string): string {
  return words
    .split(', ')
    .toSorted((one, other) => other.length - one.length)
    .map((word) => {
      const escaped = word.replace(/[$.*+?^|()\\]/g, '\\$&').replaceAll(' ', '\\s');
      const isWord = /[\p{L}\p{M}]$/u.test(word) && !UNSPACED.test(word);
      return isWord ? `(?<!\\p{L})${escaped}(?!\\p{L})` : escaped;
    })
    .join('|');
}

const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries(CURRENCIES).flatMap(([code, words]) => words.split(', ').map((word) => [word, code] as const)),
);
const SIGN_WORDS = [...SIGNS.keys()];
const CODE = /^[a-z]{3}$/iu;
/** What stands before an amount: codes, signs, and the words that do so in some language; "we won 500" is no money. */
const SIGNS_BEFORE = SIGN_WORDS.filter(
  (word) =>
    CODE.test(word) ||
    !/^\p{L}/u.test(word) ||
    UNSPACED.test(word) ||
    /\$|^(?:euros?|dollars?|pounds?|rs\.|fr\.)$/u.test(word),
);
const SIGN_BEFORE = new RegExp(`(${oneOf(SIGNS_BEFORE.join(', '))})[\\s:]{0,2}$`, 'iu');
/** Most characters of a sign and what stands between it and its amount. */
const MAX_SIGN_CHARS = Math.max(...SIGNS_BEFORE.map((word) => word.length)) + 3;
const SIGN = oneOf(SIGN_WORDS.join(', '));
const SIGN_AFTER = new RegExp(`^(?:\\s{0,2}|\\s(?:de\\s|of\\s|d[’']))(${SIGN})(?!\\s?\\d)`, 'iu');
/** Codes that are written in small letters too, and words; the others are words of something else, too ("try", "cop", "pen"). */
const SMALL_CODES = new Set(['usd', 'eur', 'gbp', 'jpy', 'cad', 'aud', 'chf', 'sek', 'yen', 'won']);

/** Returns the ISO 4217 code of a currency that was matched, undefined where the word is none. */
function findCurrency(match: RegExpExecArray | null, isBefore: boolean): string | undefined {
  const word = match?.[1];
  if (word === undefined) return undefined;
  const lower = word.toLowerCase().replace(/\s/gu, ' ');
  if (isBefore && lower === 'won') return undefined;
  return CODE.test(word) && word === lower && !SMALL_CODES.has(lower) ? undefined : SIGNS.get(lower);
}

/** A million that is written without a number: "a million dollars", "مليون جنيه". */
const MILLION_WORDS =
  SCALES.find(([factor]) => factor === 1e6)?.[1]
    .split(', ')
    .filter((word) => word.length > 3) ?? [];
const DUALS: ReadonlySet<string> = new Set(DUAL_WORDS.split(', '));
const WORD_MILLION = new RegExp(
  `(?<!\\d\\s?)(?<![\\p{L}\\d])(?:(${oneOf(HALF_WORDS)})[\\s-]?|(?:a|one|un|une|eine|einer|um|bir)\\s)?(${oneOf(MILLION_WORDS.join(', '))})(?=\\s?(?:de\\s|d[’'])?(?:${SIGN}))`,
  'giu',
);

const HAS_MILLION = new RegExp(MILLION_WORDS.join('|'), 'iu');

function spellMillion(_match: string, half: string | undefined, million: string): string {
  if (DUALS.has(million)) return `2 ${million}`;
  return `${half === undefined ? '1' : '0.5'} ${million}`;
}

/** "110 T€", "45 TEUR". */
const GERMAN_THOUSAND = /(\d)\s?T(?=\s?€|EUR(?!\p{L}))/gu;

/** Returns a text with the numbers of its amounts in ASCII digits. */
function withDigits(text: string): string {
  const plain = withAsciiDigits(text);
  const spelled = HAS_MILLION.test(plain) ? plain.replace(WORD_MILLION, spellMillion) : plain;
  return spelled.replace(GERMAN_THOUSAND, '$1k ');
}

const FACTORS: ReadonlyMap<string, number> = new Map(
  SCALES.flatMap(([factor, words]) => words.split(', ').map((word) => [word, factor] as const)),
);
const SCALE = new RegExp(`^\\s?(${oneOf([...FACTORS.keys()].join(', '))})\\.?`, 'iu');
const MAX_SCALES = 2;
/** What the currencies of East Asia begin with. */
const EASTERN_CURRENCY_LETTERS = '원円圓元엔달유위ドユポ美歐欧英人台新港日泰€$';
const SMALL_UNITS = Object.keys(EASTERN_UNITS.small).join('');
const LARGE_UNITS = Object.keys(EASTERN_UNITS.large).join('');
/** The units of a number of East Asia and the digits between them, behind its first digits. */
const EASTERN = new RegExp(
  `^(?:\\s?[${SMALL_UNITS}](?=\\s?[\\d${SMALL_UNITS}${LARGE_UNITS}${EASTERN_CURRENCY_LETTERS}])|\\s?[${LARGE_UNITS}]|(?<=[${SMALL_UNITS}${LARGE_UNITS}])\\s?\\d{1,4}(?=\\s?[${SMALL_UNITS}${LARGE_UNITS}${EASTERN_CURRENCY_LETTERS}]))+`,
  'u',
);
const EASTERN_NEXT = new RegExp(`^\\s?[${SMALL_UNITS}${LARGE_UNITS}]`, 'u');
const EASTERN_PART = new RegExp(`\\d+|[${SMALL_UNITS}${LARGE_UNITS}]`, 'gu');

const MODEL_AFTER = /^\s{0,2}(v?cp[a-z]{1,2})(?![\p{L}\p{N}])/iu;

const SPEND_WORD = new RegExp(SPEND_WORDS.split(', ').join('|'), 'iu');

const SPEND_WORD_REACH_CHARS = 24;

const MIN_BARE_BUDGET = 500;

/** What follows "30k" where that is money, and not "30k readers". */
const AFTER_BARE_MONEY =
  /^\s{0,2}(?:[.,;:!?)\n]|$|(?:for|total|net|gross|all|max|budget|to spend|tops|not|instead|now|please|pls|für|insgesamt|netto|brutto|para|pour|całość)(?!\p{L}))/iu;

/** Words that end just before a highest amount. */
const AT_MOST = new RegExp(`(?:${oneOf(AT_MOST_WORDS.before)})\\.?\\s{0,2}(?:de |von |a )?$`, 'iu');

/** Words that follow a highest amount. */
const OR_LESS = new RegExp(`^\\s{0,2}(?:${oneOf(AT_MOST_WORDS.after)})`, 'iu');

/** Words that say that the amount behind them takes the place of the one before them. */
export const CORRECTS = new RegExp(oneOf(CORRECTION_WORDS), 'iu');
const NOW_BEFORE = new RegExp(`(?:${oneOf(NOW_WORDS)})\\s?(?:is|at|only|nur|sind)?\\s?$`, 'iu');
const CHANGED = new RegExp(`^\\s?(?:${oneOf(CHANGED_WORDS)})`, 'u');
const MAX_CORRECTION_CHARS = 80;

/** Words that say that the amount behind them holds no more. */
const REFUSES = new RegExp(`(?:${oneOf(REFUSED_AMOUNT_WORDS)})\\s{0,2}$`, 'iu');

/** Words behind an amount that say so. */
const REFUSED = /^\s?(?:değil|ではなく|じゃなく|말고|이 아니라|아니라|이 아닌|아닌)/u;

/** What stands between the ends of a range. */
const RANGE = /^\s?(?:-|–|—|〜|~|to|bis|à|a|do)\s?$/iu;

/** A pricing model named just before an amount: "CPM under", "a CPM of". */
const MODEL_BEFORE = /\b(v?cp[a-z]{1,2}|tkp)\b[^.,;!?\d]{0,24}$/iu;

const THOUSAND_AFTER = /^\s{0,2}(?:per (?:thousand|mille)|pro tausend|por mil|pour mille)/iu;

const LEAD_CHARS = 32;

/** Most numbers of a text that are read as money. */
const MAX_AMOUNTS = 200;

/** An amount below this is a price where a brief says "under" before it: no budget is that small. */
const MAX_BARE_PRICE = 100;

/** Returns the largest budget a brief mentions ("$50k", "25,000 EUR", "budget of 5000"), or undefined. Prices ("$12 CPM") are no budgets. */
export function readBudget(brief: string): Money | undefined {
  return readMoney(brief).budget;
}

/** One amount of a brief: where it is written, and whether it is a highest price, a price, or money to spend. */
type Amount = Money & {
  readonly from: number;
  readonly to: number;
  readonly model: string | undefined;
  readonly isLimit: boolean;
  readonly isSpend: boolean;
  /** Whether it takes the place of the amounts before it. */
  readonly isCorrection: boolean;
  /** Whether the words before it say that it holds no more. */
  readonly isRefused: boolean;
};

/** Reads the budget and the highest price of a brief; of amounts of which one corrects the other, the later one counts. */
export function readMoney(brief: string): BriefMoney {
  const text = withDigits(brief);
  let budget: Money | undefined;
  let former: Money | undefined;
  let price: PriceLimit | undefined;
  let rest = '';
  let end = 0;
  for (const { from, to, model, isLimit, isSpend, isCorrection, isRefused, amount, currency } of listAmounts(text)) {
    const isPrice = model !== undefined && isLimit;
    if (isPrice) price = { amount, currency, model: readModel(model), label: text.slice(from, to).trim() };
    if (isPrice || (model === undefined && currency !== undefined)) {
      rest += `${text.slice(end, from)} `;
      end = to;
    }
    if (model !== undefined || !isSpend) continue;
    if (isRefused) {
      former ??= { amount, currency };
      continue;
    }
    if (isCorrection || amount > (budget?.amount ?? 0)) budget = { amount, currency };
  }
  return { budget: budget ?? former, price, rest: rest + text.slice(end) };
}

/** Returns a text with its amounts of money as a number and the code of their currency; what an amount corrects, or takes back, is left out. */
export function spellAmounts(text: string): string {
  const plain = withDigits(text);
  const amounts = listAmounts(plain);
  let spelled = '';
  let end = 0;
  for (const [index, { from, to, amount, currency, isSpend, isRefused }] of amounts.entries()) {
    const next = amounts[index + 1];
    const isTakenBack = isRefused && amounts[index - 1]?.isSpend === true;
    if (!isSpend && !isTakenBack) continue;
    const lead = plain.slice(end, from);
    spelled += isTakenBack ? lead.replace(REFUSES, '').replace(/,\s*$/u, '') : lead;
    if (next?.isCorrection === true) end = next.from;
    else {
      spelled += isTakenBack ? '' : `${amount}${currency === undefined ? '' : ` ${currency}`}`;
      end = to;
    }
  }
  return spelled + plain.slice(end);
}

/** Returns the amounts of a text in its order. */
function listAmounts(text: string): readonly Amount[] {
  const amounts: Amount[] = [];
  let end = 0;
  for (const match of text.matchAll(NUMBER)) {
    if (amounts.length === MAX_AMOUNTS) break;
    if (match.index < end) continue;
    const before = amounts.at(-1);
    const read = readAmount(text, match, end);
    end = read.currency !== undefined || read.isSpend || read.model !== undefined ? read.to : end;
    const lead = text.slice(Math.max(0, read.from - LEAD_CHARS), read.from);
    const amount = {
      ...read,
      isRefused:
        read.model === undefined && (REFUSES.test(lead) || REFUSED.test(text.slice(read.to, read.to + LEAD_CHARS))),
    };
    amounts.push(before === undefined || amount.isRefused ? amount : joinAmount(text, before, amount));
  }
  return amounts;
}

/** Returns an amount with what the one before it says of it: a range has one currency, and a correction is of the same money. */
function joinAmount(text: string, before: Amount, amount: Amount): Amount {
  const between = text.slice(before.to, amount.from);
  if (!before.isSpend || between.length > MAX_CORRECTION_CHARS) return amount;
  const isRange = RANGE.test(between);
  const isCorrection =
    !isRange &&
    (amount.isSpend || amount.amount >= MIN_BARE_BUDGET) &&
    (CORRECTS.test(between) || NOW_BEFORE.test(between) || CHANGED.test(text.slice(amount.to, amount.to + LEAD_CHARS)));
  if (!isRange && !isCorrection) return amount;
  return { ...amount, currency: amount.currency ?? before.currency, isSpend: true, isCorrection };
}

function readAmount(text: string, match: RegExpExecArray, end: number): Amount {
  const at = match.index;
  const lead = text.slice(Math.max(end, at - LEAD_CHARS), at);
  const before = readSign(SIGN_BEFORE.exec(lead.slice(-MAX_SIGN_CHARS)), true);
  const { amount, hasScale, to: scaledTo } = readNumber(text, match);
  const after = readSign(SIGN_AFTER.exec(text.slice(scaledTo, scaledTo + LEAD_CHARS)), false);
  const signedTo = scaledTo + after.chars;
  const modelAfter = MODEL_AFTER.exec(text.slice(signedTo, signedTo + LEAD_CHARS));
  const to = signedTo + (modelAfter?.[0].length ?? 0);
  const own = lead.slice(0, lead.length - before.chars);
  const limit = AT_MOST.exec(own);
  const follows = text.slice(to, to + LEAD_CHARS);
  const isLimit = limit !== null || OR_LESS.test(follows);
  const currency = before.currency ?? after.currency;
  const isBare = isLimit && currency !== undefined && amount < MAX_BARE_PRICE && !SPEND_WORD.test(own);
  const perThousand = isBare || THOUSAND_AFTER.test(follows) ? 'cpm' : undefined;
  const isAboutSpend =
    SPEND_WORD.test(own.slice(-SPEND_WORD_REACH_CHARS)) || (hasScale && AFTER_BARE_MONEY.test(follows));
  return {
    amount,
    currency,
    from: at - before.chars - (limit?.[0].length ?? 0),
    to,
    model: modelAfter?.[1] ?? MODEL_BEFORE.exec(own)?.[1] ?? perThousand,
    isLimit,
    isSpend: currency !== undefined || (isAboutSpend && amount >= MIN_BARE_BUDGET),
    isCorrection: false,
    isRefused: false,
  };
}

/** Returns the currency beside an amount, and how many characters name it. */
function readSign(
  match: RegExpExecArray | null,
  isBefore: boolean,
): { readonly currency?: string; readonly chars: number } {
  const currency = findCurrency(match, isBefore);
  return currency === undefined ? { chars: 0 } : { currency, chars: match?.[0].length ?? 0 };
}

/** Returns a number with the words behind it that scale it, and where it ends. */
function readNumber(
  text: string,
  { 0: digits, index }: RegExpExecArray,
): { readonly amount: number; readonly hasScale: boolean; readonly to: number } {
  let to = index + digits.length;
  to += NO_CENTS.exec(text.slice(to, to + LEAD_CHARS))?.[0].length ?? 0;
  let amount = parseAmount(digits);
  const units = text.slice(to, to + LEAD_CHARS);
  const eastern = EASTERN_NEXT.test(units) ? EASTERN.exec(units)?.[0] : undefined;
  if (eastern !== undefined) return { amount: readEastern(amount, eastern), hasScale: true, to: to + eastern.length };
  let hasScale = false;
  for (let count = 0; count < MAX_SCALES; count += 1) {
    const scale = SCALE.exec(text.slice(to, to + LEAD_CHARS));
    if (scale === null) break;
    amount *= FACTORS.get((scale[1] ?? '').toLowerCase()) ?? 1;
    to += scale[0].length;
    hasScale = true;
  }
  return { amount, hasScale, to };
}

/** Returns a number of East Asia: its first digits, and the units and digits behind them. */
function readEastern(first: number, units: string): number {
  let total = 0;
  let section = 0;
  let digits = first;
  for (const [part] of units.matchAll(EASTERN_PART)) {
    const small = EASTERN_UNITS.small[part];
    const large = EASTERN_UNITS.large[part];
    if (small !== undefined) section += (digits === 0 ? 1 : digits) * small;
    else if (large !== undefined) total += (section + digits) * large;
    digits = small === undefined && large === undefined ? Number(part) : 0;
    if (large !== undefined) section = 0;
  }
  return total + section + digits;
}

/** "12.000,-": an amount without cents. */
const NO_CENTS = /^[.,][-–—]{1,2}/u;

function readModel(word: string): string {
  const lower = word.toLowerCase();
  return lower === 'tkp' ? 'cpm' : lower;
}

/** Returns a number: "50,000", "50.000" and "50 000" are thousands, "1.5" and "1,5" are not. */
function parseAmount(digits: string): number {
  const [, whole = digits, cents] = /^(.*[.,'’\s]\d{3})[.,](\d{1,2})$/u.exec(digits) ?? [];
  const plain = /[.,'’\s]\d{3}$/u.test(whole) ? whole.replace(/[.,'’\s]/gu, '') : whole.replace(',', '.');
  return Number(cents === undefined ? plain : `${plain}.${cents}`);
}
