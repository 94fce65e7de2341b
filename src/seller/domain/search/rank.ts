import { type Money, readBudget } from './budget.js';
import { isCountry, isWord, type Pointer } from './meanings.js';
import { readSearchTerms, type SearchTerm } from './search-terms.js';
import { joinWords } from './sentence.js';
import type { SearchIndex } from './term-index.js';
import { stem } from './words.js';

const MAX_BRIEF_CHARS = 4000;

const MAX_SHOWN_TERMS = 6;

const MAX_SHOWN_COUNTRIES = 5;

/** From this strength on, a word chooses things; below, it only orders them. */
const CHOOSING_WEIGHT = 0.6;

/** One thing of an answer and, in a sentence, why it is there. */
export type Ranked<Item> = { readonly item: Item; readonly relevance: string };

/** A remark on a match, and the factor by which it makes the match better or worse. */
export type Remark = { readonly factor: number; readonly text: string };

/** How the things of a list are judged beside their words, and how an answer describes them. */
export type Description<Item> = {
  /** The words where no term of the brief matched. */
  readonly general: string;
  /** The words before the countries that a brief names and a thing is not offered in. */
  readonly elsewhere: string;
  /** The countries that a thing is offered in, ISO 3166-1 alpha-2; empty for everywhere. */
  readonly countries: (item: Item) => readonly string[];
  /** The remark on the brief's budget; undefined where there is none to make. */
  readonly budget?: (item: Item, budget: Money) => Remark | undefined;
  /** The countries and the price of a thing, in parts; `models` are the pricing models that the brief asks for. */
  readonly terms: (item: Item, models: readonly string[]) => readonly string[];
};

/** The match of a brief and a thing, while it is being scored. */
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

const ELSEWHERE_FACTOR = 0.5;

/**
 * Returns the things that match a brief, best first, each with a sentence that says why; equals in the order of `among`.
 * Where nothing matches, all of `among`, said so. `among`: what filters left of the catalog.
 */
export function rank<Item>(
  index: SearchIndex<Item>,
  description: Description<Item>,
  brief: string,
  among: readonly Item[],
): readonly Ranked<Item>[] {
  const text = brief.slice(0, MAX_BRIEF_CHARS);
  const budget = readBudget(text);
  const terms = readSearchTerms(text);
  const rows = among.map((item) => ({ item, match: emptyMatch() }));
  const matches = new Map(rows.map(({ item, match }) => [index.idOf(item), match]));
  for (const term of terms) scoreTerm(index.postings, term, matches);
  const countries = terms.filter(({ pointers, unwanted }) => !unwanted && pointers.every(isCountry));
  for (const { item, match } of rows) {
    if (description.countries(item).length > 0) judgeCountries(match, countries, description.elsewhere);
    const remark = budget === undefined ? undefined : description.budget?.(item, budget);
    if (remark === undefined) continue;
    match.factor *= remark.factor;
    match.remarks.push(remark.text);
  }
  const chosen = rows.filter(({ match }) => match.chosen);
  const touched = rows.filter(({ match }) => match.score > 0);
  const best = [chosen, touched].find((some) => some.length > 0) ?? rows;
  return best
    .toSorted(
      (a, b) => b.match.score * b.match.factor - a.match.score * a.match.factor || b.match.factor - a.match.factor,
    )
    .map(({ item, match }) => ({ item, relevance: explainMatch(item, match, description) }));
}

function emptyMatch(): Match {
  return { score: 0, factor: 1, chosen: false, labels: [], fields: new Set(), models: [], remarks: [] };
}

function isChoosing([term, weight]: Pointer): boolean {
  return weight >= CHOOSING_WEIGHT && (term.startsWith('channel:') || isWord(term));
}

type Hit = {
  readonly value: number;
  readonly term: string;
  readonly chosen: boolean;
  readonly fields: readonly string[];
};

/** Adds to each thing the best of what a search term points at. */
function scoreTerm(
  postings: SearchIndex<unknown>['postings'],
  searchTerm: SearchTerm,
  matches: ReadonlyMap<string, Match>,
): void {
  const hits = new Map<string, Hit>();
  for (const pointer of searchTerm.pointers) {
    const [term, weight] = pointer;
    for (const posting of postings.get(term) ?? []) {
      const before = hits.get(posting.id);
      const chosen = isChoosing(pointer) || before?.chosen === true;
      const value = weight * posting.weight;
      if (before === undefined || value > before.value) {
        hits.set(posting.id, { value, term, chosen, fields: posting.fields });
      } else if (chosen !== before.chosen) hits.set(posting.id, { ...before, chosen });
    }
  }
  for (const [id, hit] of hits) {
    const match = matches.get(id);
    if (match !== undefined) addHit(match, searchTerm, hit);
  }
}

function addHit(match: Match, { label, unwanted }: SearchTerm, { value, term, chosen, fields }: Hit): void {
  if (unwanted) {
    if (!chosen && !isCountry([term, 1])) return;
    match.factor *= UNWANTED_FACTOR;
    match.remarks.push(`although the brief asks to leave out ${label}`);
    return;
  }
  match.score += value;
  match.chosen ||= chosen;
  match.labels.push(describeTerm(label, term));
  for (const field of fields) match.fields.add(field);
  if (term.startsWith('model:')) match.models.push(term.slice('model:'.length));
}

/** "video (olv)" where the brief's word and the thing's differ. */
function describeTerm(label: string, term: string): string {
  const value = term.slice(term.indexOf(':') + 1);
  if (isWord(term) || stem(value) === stem(label.toLowerCase())) return label;
  return `${label} (${isCountry([term, 1]) ? value.toUpperCase() : value})`;
}

function judgeCountries(match: Match, countries: readonly SearchTerm[], elsewhere: string): void {
  if (countries.length === 0 || match.fields.has('countries')) return;
  match.factor *= ELSEWHERE_FACTOR;
  match.remarks.push(`${elsewhere} ${joinWords(countries.map(({ label }) => label))}`);
}

function explainMatch<Item>(
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

/** Returns where a thing is offered, in words after `lead`; empty for everywhere. */
export function offeredIn(lead: string, countries: readonly string[]): string {
  const shown: string[] = countries.slice(0, MAX_SHOWN_COUNTRIES);
  if (countries.length > shown.length) shown.push(`${countries.length - shown.length} more`);
  return shown.length === 0 ? '' : `${lead} ${joinWords(shown)}`;
}
