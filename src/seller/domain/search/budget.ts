/** An amount of money that a brief mentions; `currency` is undefined where it names none. */
export type Money = { readonly amount: number; readonly currency: string | undefined };

const CURRENCY_SIGNS: Readonly<Record<string, string>> = {
  $: 'USD',
  us$: 'USD',
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  '€': 'EUR',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  '£': 'GBP',
  gbp: 'GBP',
  pound: 'GBP',
  pounds: 'GBP',
  '¥': 'JPY',
  jpy: 'JPY',
  yen: 'JPY',
  cad: 'CAD',
  aud: 'AUD',
  chf: 'CHF',
  sek: 'SEK',
};

const SIGN = 'us\\$|[$€£¥]|usd|dollars?|eur|euros?|gbp|pounds?|jpy|yen|cad|aud|chf|sek';

const MONEY = new RegExp(
  `(${SIGN})?\\s{0,2}(\\d{1,3}(?:[.,]\\d{3}){1,3}|\\d{1,12}(?:[.,]\\d{1,2})?)\\s?(k|thousand|m|mn|mio|million)?(?![\\p{L}\\p{N}])\\s{0,2}(?:(${SIGN})(?!\\s?\\d))?(?:\\s{0,2}(v?cp[a-z]{1,2}))?`,
  'giu',
);

const SCALES: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, mio: 1e6, million: 1e6 };

const SPEND_WORD = /budget|spend|invest|presupuesto|gastar|orçamento|ausgeben|dépenser|予算|ميزانية/i;

const SPEND_WORD_REACH_CHARS = 24;

const MIN_BARE_BUDGET = 500;

/** The highest price that a brief pays; `model` where it names one (a bare small amount is a price per thousand). */
export type PriceLimit = Money & { readonly model: string; readonly label: string };

/** The money of a brief, and its text without the words that speak of it. */
type BriefMoney = {
  readonly budget: Money | undefined;
  readonly price: PriceLimit | undefined;
  readonly rest: string;
};

/** Words that end just before a highest amount. */
const AT_MOST =
  /(?:under|below|less than|lower than|cheaper than|no more than|not more than|not over|not above|at most|up to|max(?:imum)?(?: of)?|maximal|<=?|≤|unter|höchstens|bis zu|weniger als|nicht mehr als|menos de|por debajo de|máximo|hasta|no más de|moins de|au plus|pas plus de|jusqu[’']à|até|abaixo de|no máximo|não mais de|最大|上限|أقل من|لا يزيد عن|حتى|تحت)\s{0,2}(?:de |von |a )?$/iu;

/** Words that follow a highest amount. */
const OR_LESS =
  /^\s{0,2}(?:or less|or below|or under|max(?:imum)?\b|以下|未満|まで|oder weniger|o menos|ou moins|ou menos|أو أقل)/iu;

/** A pricing model named just before an amount: "CPM under", "a CPM of". */
const MODEL_BEFORE = /\b(v?cp[a-z]{1,2}|tkp)\b[^.,;!?\d]{0,24}$/iu;

const THOUSAND_AFTER = /^\s{0,2}(?:per (?:thousand|mille)|pro tausend|por mil|pour mille)/iu;

const LEAD_CHARS = 32;

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
};

/** Reads the budget and the highest price of a brief. */
export function readMoney(brief: string): BriefMoney {
  let budget: Money | undefined;
  let price: PriceLimit | undefined;
  let rest = '';
  let end = 0;
  for (const match of brief.matchAll(MONEY)) {
    const { from, to, model, isLimit, isSpend, amount, currency } = readAmount(brief, match, end);
    const isPrice = model !== undefined && isLimit;
    if (isPrice) price = { amount, currency, model: readModel(model), label: brief.slice(from, to).trim() };
    if (isPrice || (model === undefined && currency !== undefined)) {
      rest += `${brief.slice(end, from)} `;
      end = to;
    }
    if (model === undefined && isSpend && amount > (budget?.amount ?? 0)) budget = { amount, currency };
  }
  return { budget, price, rest: rest + brief.slice(end) };
}

function readAmount(brief: string, match: RegExpMatchArray, end: number): Amount {
  const [whole, before, digits = '', scale = '', after, modelAfter] = match;
  const at = match.index ?? 0;
  const to = at + whole.length;
  const sign = (before ?? after)?.toLowerCase();
  const lead = brief.slice(Math.max(end, at - LEAD_CHARS), at);
  const follows = brief.slice(to, to + LEAD_CHARS);
  const amount = parseAmount(digits) * (SCALES[scale.toLowerCase()] ?? 1);
  const limit = AT_MOST.exec(lead);
  const isLimit = limit !== null || OR_LESS.test(follows);
  const isBare = isLimit && sign !== undefined && amount < MAX_BARE_PRICE && !SPEND_WORD.test(lead);
  const perThousand = isBare || THOUSAND_AFTER.test(follows) ? 'cpm' : undefined;
  return {
    amount,
    currency: sign === undefined ? undefined : CURRENCY_SIGNS[sign],
    from: at - (limit?.[0].length ?? 0),
    to,
    model: modelAfter ?? MODEL_BEFORE.exec(lead)?.[1] ?? perThousand,
    isLimit,
    isSpend: sign !== undefined || (SPEND_WORD.test(lead.slice(-SPEND_WORD_REACH_CHARS)) && amount >= MIN_BARE_BUDGET),
  };
}

function readModel(word: string): string {
  const lower = word.toLowerCase();
  return lower === 'tkp' ? 'cpm' : lower;
}

/** Returns a number: "50,000" and "50.000" are thousands, "1.5" and "1,5" are not. */
function parseAmount(digits: string): number {
  return Number(/[.,]\d{3}$/.test(digits) ? digits.replace(/[.,]/g, '') : digits.replace(',', '.'));
}
