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

const SPEND_WORD = /budget|spend|invest/i;

const SPEND_WORD_REACH_CHARS = 24;

const MIN_BARE_BUDGET = 500;

/** Returns the largest budget a brief mentions ("$50k", "25,000 EUR", "budget of 5000"), or undefined. Prices ("$12 CPM") are no budgets. */
export function readBudget(brief: string): Money | undefined {
  let largest: Money | undefined;
  for (const match of brief.matchAll(MONEY)) {
    const [, before, digits = '', scale = '', after, model] = match;
    const sign = (before ?? after)?.toLowerCase();
    const lead = brief.slice(Math.max(0, match.index - SPEND_WORD_REACH_CHARS), match.index);
    if (model !== undefined || (sign === undefined && !SPEND_WORD.test(lead))) continue;
    const amount = parseAmount(digits) * (SCALES[scale.toLowerCase()] ?? 1);
    if (sign === undefined && amount < MIN_BARE_BUDGET) continue;
    if (amount > (largest?.amount ?? 0))
      largest = { amount, currency: sign === undefined ? undefined : CURRENCY_SIGNS[sign] };
  }
  return largest;
}

/** "50,000" and "50.000" are thousands, "1.5" and "1,5" are not. */
function parseAmount(digits: string): number {
  return Number(/[.,]\d{3}$/.test(digits) ? digits.replace(/[.,]/g, '') : digits.replace(',', '.'));
}
