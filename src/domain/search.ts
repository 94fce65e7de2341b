import { leastSpend } from './pricing.js';
import type { PricingOption, Product } from './product.js';
import type { ProductIndex } from './search-index.js';
import {
  budgetOf,
  countryCodeAt,
  longestPhraseFrom,
  type Money,
  meaningOf,
  NEGATIONS,
  type Pointer,
  saysNothing,
  stem,
  wordsOf,
} from './search-words.js';

export { buildIndex, type ProductIndex } from './search-index.js';

const MAX_BRIEF_CHARS = 4000;
const MAX_BRIEF_WORDS = 200;
const MAX_SHOWN_TERMS = 6;
const MAX_SHOWN_COUNTRIES = 5;
const MAX_LABEL_CHARS = 30;

/** From this strength on, a word chooses products; below, it only orders them. */
const CHOOSING_WEIGHT = 0.6;
const ORDERING_WEIGHT = 0.5;

/** One product of an answer and, in a sentence, why it is there. */
export type Ranked = { readonly product: Product; readonly relevance: string };

/** One thing a brief asks for, or asks to leave out. */
type Wish = { readonly label: string; readonly pointers: readonly Pointer[]; readonly unwanted: boolean };

/** Reads a brief into wishes; a phrase of the trade counts once, as a whole. */
function wishesOf(brief: string): readonly Wish[] {
  const words = wordsOf(brief).slice(0, MAX_BRIEF_WORDS);
  const lower = words.map((word) => word.toLowerCase());
  const stems = lower.map(stem);
  const shouted = words.length > 4 && !/\p{Ll}/u.test(brief);
  const wishes = new Map<string, Wish>();
  let unwanted = false;
  for (let at = 0; at < words.length; ) {
    const country = shouted ? undefined : countryCodeAt(words, at);
    const { pointers, length } =
      country === undefined
        ? readPhrase(lower, stems, at)
        : { pointers: [[`country:${country}`, 1] as const], length: 1 };
    if (pointers.length > 0) {
      const label = words
        .slice(at, at + length)
        .join(' ')
        .slice(0, MAX_LABEL_CHARS);
      const key = `${unwanted}${pointers.join()}`;
      if (!wishes.has(key)) wishes.set(key, { label, pointers, unwanted });
      unwanted = false;
    } else if (NEGATIONS.has(lower[at] ?? '')) unwanted = true;
    else if (lower[at] === 'only' || lower[at] === 'just') unwanted = false;
    at += length;
  }
  return [...wishes.values()];
}

function readPhrase(
  lower: readonly string[],
  stems: readonly string[],
  at: number,
): { pointers: readonly Pointer[]; length: number } {
  const word = stems[at] ?? '';
  for (let length = Math.min(longestPhraseFrom(word), stems.length - at); length > 1; length -= 1) {
    const pointers = meaningOf(stems.slice(at, at + length).join(' '));
    if (pointers !== undefined) return { pointers, length };
  }
  const known = meaningOf(word);
  if (known === undefined && (saysNothing(lower[at] ?? '') || NEGATIONS.has(word))) return { pointers: [], length: 1 };
  if (known === undefined) return { pointers: [[word, 1]], length: 1 };
  const literal: readonly Pointer[] = known.some((pointer) => pointer[0] === word || isCountry(pointer))
    ? []
    : [[word, known.some(([term]) => isWord(term)) ? 1 : ORDERING_WEIGHT]];
  return { pointers: [...literal, ...known], length: 1 };
}

/** What a brief and a product have in common, while it is being found out. */
type Match = {
  score: number;
  factor: number;
  chosen: boolean;
  readonly labels: string[];
  readonly fields: Set<string>;
  readonly models: string[];
  readonly remarks: string[];
};

const UNWANTED_FACTOR = 0.1;
const NOT_SOLD_THERE_FACTOR = 0.5;
const TOO_DEAR_FACTOR = 0.5;
const OTHER_CURRENCY_FACTOR = 0.8;

/**
 * The products that match a brief, best first, each with a sentence that says why; equals in the order of `among`.
 * Where nothing matches, all of `among`, said so. `among`: what filters left of the catalogue (by default all of it).
 */
export function rankProducts(
  index: ProductIndex,
  brief: string,
  among: readonly Product[] = index.products,
): readonly Ranked[] {
  const text = brief.slice(0, MAX_BRIEF_CHARS);
  const budget = budgetOf(text);
  const wishes = wishesOf(text);
  const rows = among.map((product) => ({ product, match: noMatch() }));
  const matches = new Map(rows.map(({ product, match }) => [product.product_id, match]));
  for (const wish of wishes) weigh(index, wish, matches);
  const places = wishes.filter(({ pointers, unwanted }) => !unwanted && pointers.every(isCountry));
  for (const { product, match } of rows) {
    judgePlaces(match, places);
    if (budget !== undefined) judgeBudget(match, product, budget);
  }
  const chosen = rows.filter(({ match }) => match.chosen);
  const touched = rows.filter(({ match }) => match.score > 0);
  const best = chosen.length > 0 ? chosen : touched.length > 0 ? touched : rows;
  return best
    .toSorted(
      (a, b) => b.match.score * b.match.factor - a.match.score * a.match.factor || b.match.factor - a.match.factor,
    )
    .map(({ product, match }) => ({ product, relevance: relevanceOf(product, match) }));
}

function noMatch(): Match {
  return { score: 0, factor: 1, chosen: false, labels: [], fields: new Set(), models: [], remarks: [] };
}

function isCountry([term]: Pointer): boolean {
  return term.startsWith('country:');
}

function isWord(term: string): boolean {
  return !term.includes(':');
}

function chooses([term, weight]: Pointer): boolean {
  return weight >= CHOOSING_WEIGHT && (term.startsWith('channel:') || isWord(term));
}

type Hit = {
  readonly value: number;
  readonly term: string;
  readonly chosen: boolean;
  readonly fields: readonly string[];
};

/** Adds to each product the best of what a wish points at. */
function weigh(index: ProductIndex, wish: Wish, matches: ReadonlyMap<string, Match>): void {
  const hits = new Map<string, Hit>();
  for (const pointer of wish.pointers) {
    const [term, weight] = pointer;
    for (const posting of index.postings.get(term) ?? []) {
      const before = hits.get(posting.product_id);
      const chosen = chooses(pointer) || before?.chosen === true;
      const value = weight * posting.weight;
      if (before === undefined || value > before.value) {
        hits.set(posting.product_id, { value, term, chosen, fields: posting.fields });
      } else if (chosen !== before.chosen) hits.set(posting.product_id, { ...before, chosen });
    }
  }
  for (const [product_id, hit] of hits) {
    const match = matches.get(product_id);
    if (match !== undefined) take(match, wish, hit);
  }
}

function take(match: Match, { label, unwanted }: Wish, { value, term, chosen, fields }: Hit): void {
  if (unwanted) {
    if (!chosen && !isCountry([term, 1])) return;
    match.factor *= UNWANTED_FACTOR;
    match.remarks.push(`although the brief asks to leave out ${label}`);
    return;
  }
  match.score += value;
  match.chosen ||= chosen;
  match.labels.push(labelOf(label, term));
  for (const field of fields) match.fields.add(field);
  if (term.startsWith('model:')) match.models.push(term.slice('model:'.length));
}

/** "video (olv)" where the brief's word and the product's differ. */
function labelOf(label: string, term: string): string {
  const value = term.slice(term.indexOf(':') + 1);
  if (isWord(term) || stem(value) === stem(label.toLowerCase())) return label;
  return `${label} (${isCountry([term, 1]) ? value.toUpperCase() : value})`;
}

function judgePlaces(match: Match, places: readonly Wish[]): void {
  if (places.length === 0 || match.fields.has('countries')) return;
  match.factor *= NOT_SOLD_THERE_FACTOR;
  match.remarks.push(`not sold in ${inWords(places.map(({ label }) => label))}`);
}

function judgeBudget(match: Match, product: Product, { amount, currency }: Money): void {
  const payable = product.pricing_options.filter((option) => currency === undefined || option.currency === currency);
  if (payable.length === 0) {
    match.factor *= OTHER_CURRENCY_FACTOR;
    match.remarks.push(`not priced in ${currency}`);
    return;
  }
  const least = Math.min(...payable.map(leastSpend));
  if (least === 0) return;
  const fits = least <= amount;
  if (!fits) match.factor *= TOO_DEAR_FACTOR;
  match.remarks.push(
    `its minimum spend of ${least} ${currency ?? payable[0]?.currency} ${fits ? 'is within' : 'exceeds'} the budget`,
  );
}

function relevanceOf(product: Product, { labels, fields, models, remarks }: Match): string {
  const shown = labels.slice(0, MAX_SHOWN_TERMS);
  if (labels.length > shown.length) shown.push(`${labels.length - shown.length} more`);
  const why =
    labels.length === 0
      ? 'No term of the brief matched; this is general inventory'
      : `Matches ${inWords(shown)} in the ${inWords([...fields])}`;
  const option =
    product.pricing_options.find(({ pricing_model }) => models.includes(pricing_model)) ?? product.pricing_options[0];
  const terms = [soldIn(product.inventory.countries), option === undefined ? '' : priceOf(option)].filter(
    (part) => part !== '',
  );
  return [why, terms.join(', '), ...remarks].filter((part) => part !== '').join('; ');
}

function soldIn(countries: readonly string[]): string {
  const shown: string[] = countries.slice(0, MAX_SHOWN_COUNTRIES);
  if (countries.length > shown.length) shown.push(`${countries.length - shown.length} more`);
  return shown.length === 0 ? '' : `sold in ${inWords(shown)}`;
}

function priceOf({ fixed_price, floor_price, currency, pricing_model }: PricingOption): string {
  if (fixed_price !== undefined) return `from ${fixed_price} ${currency} ${pricing_model}`;
  return floor_price === undefined
    ? `auction in ${currency} ${pricing_model}`
    : `auction from ${floor_price} ${currency} ${pricing_model}`;
}

function inWords(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
