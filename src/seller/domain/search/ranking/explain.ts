import type { Brief, SearchTerm } from '../brief.js';
import type { Money } from '../budget.js';
import { isCountry } from '../lexicon/lexicon.js';
import { joinWords } from '../sentence.js';
import type { Match } from './score.js';
import type { Description, Ranking } from './search.js';

const MAX_SHOWN_TERMS = 6;

const MAX_SHOWN_COUNTRIES = 5;

/** Says in a sentence why a thing is among what a brief found. */
export function explainMatch<Item>(
  item: Item,
  { labels, fields, models, remarks }: Match,
  description: Description<Item>,
): string {
  const shown = labels.slice(0, MAX_SHOWN_TERMS);
  if (labels.length > shown.length) shown.push(`${labels.length - shown.length} more`);
  const why =
    labels.length === 0
      ? `No term of the brief matched; ${description.general}`
      : `Matches ${joinWords(shown)} in the ${joinWords([...fields])}`;
  const terms = description.terms(item, models).filter((part) => part !== '');
  return [why, terms.join(', '), ...remarks].filter((part) => part !== '').join('; ');
}

/** The words for a list: one of its things, the argument that lists everything, and what each is called. */
export type ListWords<Item> = {
  readonly noun: string;
  readonly everything: string;
  readonly nameOf: (item: Item) => string;
};

/** Explains a search that found nothing: what of the brief was understood, what kept everything out, and the nearest there is. */
export function explainNothing<Item>(
  { understood, failed, nearest }: Ranking<Item>,
  { noun, everything, nameOf }: ListWords<Item>,
): string {
  const parts = [
    understood.length === 0
      ? `No word of the brief says what a ${noun} here is or is about.`
      : `Understood: ${joinWords(understood.slice(0, MAX_SHOWN_TERMS))}.`,
    failed.length === 0
      ? `No ${noun} is about that.`
      : `No ${noun} meets all of it: ${joinWords(failed.slice(0, MAX_SHOWN_TERMS).map(({ what, count }) => `"${what}" keeps out ${count}`))}.`,
    nearest.length === 0 ? '' : `The nearest: ${joinWords(nearest.map(nameOf))}.`,
    `Relax one of these, or list everything with ${everything}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns a sentence on what an answer takes from its brief: the money, the places, and what is left out; undefined where the brief names none. */
export function explainReading({ terms, budget, price }: Brief): string | undefined {
  const places = terms.filter(({ isUnwanted, isHint, pointers }) => !isUnwanted && !isHint && pointers.some(isCountry));
  const refused = terms.filter(({ isUnwanted }) => isUnwanted).map(describeRefusal);
  const parts = [
    budget === undefined ? '' : `a budget of ${describeMoney(budget)}`,
    price === undefined ? '' : `at most ${describeMoney(price)} ${price.model.toUpperCase()}`,
    places.length === 0 ? '' : `in ${joinShown(places.map(({ label }) => label))}`,
    refused.length === 0 ? '' : `without ${joinShown(refused)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : `As the brief says: ${parts.join('; ')}.`;
}

function describeRefusal({ label, within }: SearchTerm): string {
  return within.length === 0 ? label : `${label} in ${joinWords(within.map((place) => place.label))}`;
}

function describeMoney({ amount, currency }: Money): string {
  return currency === undefined ? String(amount) : `${amount} ${currency}`;
}

function joinShown(labels: readonly string[]): string {
  const distinct = [...new Set(labels)];
  const shown = distinct.slice(0, MAX_SHOWN_TERMS);
  if (distinct.length > shown.length) shown.push(`${distinct.length - shown.length} more`);
  return joinWords(shown);
}

/** Explains a search that knew no word of the brief, and found what is sold to everybody. */
export function explainGuess<Item>({ understood }: Ranking<Item>, { noun, everything }: ListWords<Item>): string {
  const words = joinWords(understood.slice(0, MAX_SHOWN_TERMS));
  return `No ${noun} here is about ${words}; these reach the most people. Name a channel, a topic, a country or a price, or list everything with ${everything}.`;
}

/** Returns where a thing is offered, in words after `lead`; empty for everywhere. */
export function offeredIn(lead: string, countries: readonly string[]): string {
  const shown: string[] = countries.slice(0, MAX_SHOWN_COUNTRIES);
  if (countries.length > shown.length) shown.push(`${countries.length - shown.length} more`);
  return shown.length === 0 ? '' : `${lead} ${joinWords(shown)}`;
}
