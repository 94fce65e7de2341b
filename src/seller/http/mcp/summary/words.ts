import { isObject } from '../../../../platform/kernel/json/json.js';

/** An object of an answer, as a client reads it. */
export type Facts = Readonly<Record<string, unknown>>;

/** Longest text of somebody else's within a sentence, in characters. */
const MAX_QUOTED = 60;
/** Longest line, in characters. */
const MAX_LINE = 400;
/** Most things of a list that have a line of their own. */
const MAX_ROWS = 4;
/** Most ids or words within one line. */
const MAX_NAMED = 6;

/** Returns a text on one line and cut, without characters that cannot be seen. */
export function oneLine(text: string, most = MAX_LINE): string {
  // Cut before it is looked through: it may be as long as an answer.
  const plain = text
    .slice(0, most * 2)
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim();
  const characters = [...plain];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
}

/** Returns a text that a buyer or publisher wrote, cut and in quotation marks that it cannot leave; nothing for what is no text. */
export function quoteText(value: unknown): string {
  return typeof value === 'string' ? `"${oneLine(value, MAX_QUOTED).replaceAll(/["“”„]/g, "'")}"` : '';
}

/** Returns an id as it is to be sent again; one of other characters than ids have is quoted and cut. */
export function idText(value: unknown): string {
  return typeof value === 'string' && /^[\w.:@-]{1,120}$/.test(value) ? value : quoteText(value);
}

/** Returns an amount with its currency, `1,250.5 EUR`; nothing for what is no amount. */
export function amountText(amount: unknown, currency: unknown): string {
  if (typeof amount !== 'number') return '';
  const figure = amount.toLocaleString('en-US', { maximumFractionDigits: 6 });
  return typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? `${figure} ${currency}` : figure;
}

/** Returns a number and what it counts, `1 product` and `2 products`. */
export function countNoun(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns the day of a time (ISO 8601), `2026-11-26`. */
export function dayText(value: unknown): string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : '';
}

/** Returns an address whole; nothing for one that would have to be cut. */
export function urlText(value: unknown): string {
  return typeof value === 'string' && /^https?:\/\/[\w.:/?&=%#~+-]{1,300}$/.test(value) ? value : '';
}

/** Returns the parts that say something, with commas between them. */
export function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

/** Returns some ids or words, and how many more there are. */
export function nameSome(values: readonly unknown[]): string {
  const rest = values.length - MAX_NAMED;
  const shown = joinParts(values.slice(0, MAX_NAMED).map(idText));
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** Returns a line for each of the first things of a list, and one for how many more the answer holds. */
export function rowsOf(list: readonly Facts[], describe: (each: Facts) => string): readonly string[] {
  const rest = list.length - MAX_ROWS;
  const rows = list.slice(0, MAX_ROWS).map((each) => `- ${describe(each)}`);
  return rest > 0 ? [...rows, `- and ${rest} more in the JSON above`] : rows;
}

/** Returns the objects of a list member; none where it is no list. */
export function listOf(facts: Facts, member: string): readonly Facts[] {
  return valuesOf(facts, member).filter(isObject);
}

/** Returns the values of a list member; none where it is no list. */
export function valuesOf(facts: Facts, member: string): readonly unknown[] {
  const value = facts[member];
  return Array.isArray(value) ? value : [];
}

/** Returns an object member; an empty one where it is none. */
export function objectOf(facts: Facts, member: string): Facts {
  const value = facts[member];
  return isObject(value) ? value : {};
}
