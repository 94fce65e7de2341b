/** Returns an amount of money, without cents where it is large or has none. */
export function money(amount: number | undefined, currency = 'USD'): string {
  if (amount === undefined) return '–';
  const digits = Number.isInteger(amount) || Math.abs(amount) >= 1000 ? 0 : 2;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** Returns a count, with its thousands told apart. */
export function count(value: number | undefined): string {
  return value === undefined ? '–' : new Intl.NumberFormat('en').format(value);
}

/** Returns a count in few letters, such as `2.5M`. */
export function short(value: number | undefined): string {
  if (value === undefined) return '–';
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

/** Returns a part of a whole, such as `0.14%`. */
export function percent(share: number | undefined): string {
  if (share === undefined) return '–';
  return new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 }).format(share);
}

/** Returns a day, in UTC as the seller counts it. */
export function day(time: string | undefined): string {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  if (Number.isNaN(at)) return time ?? '–';
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(at);
}

/** Returns a word of the protocol as people write it: `non_guaranteed` becomes `Non guaranteed`. */
export function plain(word: string | undefined): string {
  if (word === undefined) return '';
  const text = word.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns `1 product` or `3 products`. */
export function several(many: number, one: string, more = `${one}s`): string {
  return `${count(many)} ${many === 1 ? one : more}`;
}
