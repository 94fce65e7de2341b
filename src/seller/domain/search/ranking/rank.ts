import { type Brief, readBrief, type SearchTerm } from '../brief.js';
import { isCountry, isWord, type Pointer } from '../lexicon/lexicon.js';
import { type Demand, listDemands } from './demands.js';
import { explainMatch } from './explain.js';
import { emptyMatch, judgeCountries, type Match, scoreBrand, scoreTerm } from './score.js';
import { namesChannel, type Postings, type Ranked, type Ranking, type Search } from './search.js';

/** The most things that a brief gets which names an audience and nothing that any of them is about. */
const MAX_BROAD = 5;

const MAX_NEAREST = 3;

/** A brief that names no channel gets at least this many things, if so many are sold to everybody. */
const MIN_MATCHES = 3;

/**
 * Returns the things that answer a brief, best first, equals in the order of the list, each with a sentence that says why. What the brief
 * refuses, or cannot use, is never among them; a brief that says nothing gets everything.
 */
export function rank<Item>(search: Search<Item>, text: string): Ranking<Item> {
  const brief = readBrief(text);
  const demands = listDemands(brief, search);
  const counts = new Map<string, number>();
  const left = search.among.filter((item) => {
    const broken = demands.filter(({ holds }) => !holds(item));
    for (const { what } of broken) counts.set(what, (counts.get(what) ?? 0) + 1);
    return broken.length === 0;
  });
  const matches = orderMatches(search, brief, left);
  return {
    brief,
    matches,
    understood: brief.terms.filter(({ isUnwanted }) => !isUnwanted).map(({ label }) => label),
    failed: [...counts].map(([what, count]) => ({ what, count })).sort((a, b) => b.count - a.count),
    nearest: matches.length > 0 ? [] : listNearest(search, brief, demands),
    isGuess: matches.length > 0 && isUnknown(brief, search.index.postings),
  };
}

/** Returns the demands of a brief that each thing does not meet, in the brief's words; a thing that meets all of them is not among the keys. */
export function listUnmet<Item>(search: Search<Item>, text: string): ReadonlyMap<Item, readonly string[]> {
  const demands = listDemands(readBrief(text), search);
  const unmet = search.among.map((item) => {
    const broken = demands.filter(({ holds }) => !holds(item)).map(({ what }) => what);
    return [item, [...new Set(broken)]] as const;
  });
  return new Map(unmet.filter(([, broken]) => broken.length > 0));
}

/** Whether a brief wants something, and none of what it wants is known here. */
function isUnknown({ terms, price, currencies }: Brief, postings: Postings): boolean {
  if (terms.length === 0 || price !== undefined || currencies.length > 0) return false;
  return terms.every(
    ({ isUnwanted, pointers }) => !isUnwanted && pointers.every(([term]) => !postings.has(term) && isWord(term)),
  );
}

function orderMatches<Item>(search: Search<Item>, brief: Brief, left: readonly Item[]): readonly Ranked<Item>[] {
  const { index, description } = search;
  const rows = left.map((item) => ({ item, match: emptyMatch() }));
  const matches = new Map(rows.map(({ item, match }) => [index.idOf(item), match]));
  const wanted = brief.terms.filter(({ isUnwanted }) => !isUnwanted);
  for (const term of wanted) scoreTerm(index.postings, term, matches);
  if (search.brand !== undefined) scoreBrand(index.postings, search.brand, matches);
  const countries = wanted.filter(({ pointers }) => pointers.every(isCountry));
  for (const { item, match } of rows) {
    if (description.countries(item).length > 0) judgeCountries(match, countries, description.elsewhere);
    const remark = brief.budget === undefined ? undefined : description.budget?.(item, brief.budget);
    if (remark === undefined) continue;
    match.factor *= remark.factor;
    match.remarks.push(remark.text);
  }
  return chooseRows(rows, brief, search)
    .toSorted(
      (a, b) => b.match.score * b.match.factor - a.match.score * a.match.factor || b.match.factor - a.match.factor,
    )
    .map(({ item, match }) => ({ item, relevance: explainMatch(item, match, description) }));
}

type Row<Item> = { readonly item: Item; readonly match: Match };

/**
 * Returns what the brief is about; else what it only describes; else everything, where it asks for nothing in particular; else, where
 * none of its words is known, what is sold to everybody.
 */
function chooseRows<Item>(
  rows: readonly Row<Item>[],
  { terms, price, currencies }: Brief,
  { index, description }: Search<Item>,
): readonly Row<Item>[] {
  const chosen = rows.filter(({ match }) => match.chosen);
  const broadIds = new Set(index.postings.get('reach:broad')?.map(({ id }) => id));
  const supplied = rows.toSorted((a, b) => (description.supply?.(b.item) ?? 0) - (description.supply?.(a.item) ?? 0));
  const broad = supplied.filter(({ item }) => broadIds.has(index.idOf(item)));
  if (chosen.length > 0) return withBroad(chosen, broad, terms);
  const isAudience = terms.some(({ pointers }) => pointers.some(([term]) => term.startsWith('reach:')));
  const touched = rows.filter(({ match }) => match.score > 0);
  if (isAudience && (broad.length > 0 || touched.length === 0))
    return (broad.length > 0 ? broad : supplied).slice(0, MAX_BROAD);
  if (touched.length > 0) return touched;
  // "No audio, the rest is fine" asks for the rest.
  const isOpen = terms.some(({ isUnwanted }) => isUnwanted) || price !== undefined || currencies.length > 0;
  if (terms.length === 0 || isOpen) return rows;
  return rows.filter(({ item }) => broadIds.has(index.idOf(item))).slice(0, MAX_BROAD);
}

/** Adds what is sold to everybody where few things are about what a brief names, and it names no channel, place or age. */
function withBroad<Item>(
  chosen: readonly Row<Item>[],
  broad: readonly Row<Item>[],
  terms: readonly SearchTerm[],
): readonly Row<Item>[] {
  const isNarrow = terms.some((term) => term.isOnly || namesChannel(term) || term.pointers.some(isGeoOrAge));
  if (isNarrow || chosen.length >= MIN_MATCHES) return chosen;
  return [...chosen, ...broad.filter((row) => !chosen.includes(row)).slice(0, MIN_MATCHES - chosen.length)];
}

function isGeoOrAge([term]: Pointer): boolean {
  return term.startsWith('place:') || term.startsWith('age:');
}

/** Returns the things that break the fewest demands, those that the brief's words find first. */
function listNearest<Item>(search: Search<Item>, brief: Brief, demands: readonly Demand<Item>[]): readonly Item[] {
  const broken = new Map(search.among.map((item) => [item, demands.filter(({ holds }) => !holds(item)).length]));
  const least = Math.min(...broken.values());
  const near = search.among.filter((item) => broken.get(item) === least);
  const matches = orderMatches(search, brief, near).map(({ item }) => item);
  const { supply } = search.description;
  const rest = supply === undefined ? near : near.toSorted((a, b) => supply(b) - supply(a));
  return [...new Set([...matches, ...rest])].slice(0, MAX_NEAREST);
}
