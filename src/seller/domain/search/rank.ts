import { type Brief, isFacetTerm, readBrief, type SearchTerm } from './brief.js';
import type { Money, PriceLimit } from './budget.js';
import { isCountry, isWord, type Pointer } from './lexicon/lexicon.js';
import { joinWords } from './sentence.js';
import type { Posting, SearchIndex } from './term-index.js';
import { stem } from './words.js';

const MAX_SHOWN_TERMS = 6;

const MAX_SHOWN_COUNTRIES = 5;

/** The most things that a brief gets which names an audience and nothing that any of them is about. */
const MAX_BROAD = 5;

const MAX_NEAREST = 3;

/** A brief that names no channel gets at least this many things, if so many are sold to everybody. */
const MIN_MATCHES = 3;

/** From this strength on, a word chooses things; below, it only orders them. */
const CHOOSING_WEIGHT = 0.6;

/** From this strength on, a word says what a thing is; it can be asked for, and refused. */
const NAMING_WEIGHT = 0.9;

/** One thing of an answer and, in a sentence, why it is there. */
export type Ranked<Item> = { readonly item: Item; readonly relevance: string };

/** A demand of a brief that a thing did not meet, in the brief's words. */
export type Failure = { readonly what: string; readonly count: number };

/** What a brief found. `failed` says which demands kept things out, the hardest first; `nearest` is what meets most of a brief that found nothing. */
export type Ranking<Item> = {
  readonly matches: readonly Ranked<Item>[];
  readonly understood: readonly string[];
  readonly failed: readonly Failure[];
  readonly nearest: readonly Item[];
  /** Whether no word of the brief was known, so that what was found is sold to everybody and no more. */
  readonly isGuess: boolean;
};

/** A remark on a match, and the factor by which it makes the match better or worse. */
export type Remark = { readonly factor: number; readonly text: string };

/** A price of a thing, as a brief may limit it: its model, ISO 4217 currency in lower case, and the least it can cost per unit of the model. */
export type OfferedPrice = { readonly model: string; readonly currency: string; readonly least: number };

/** How the things of a list are judged beside their words, and how an answer describes them. */
export type Description<Item> = {
  /** The words where no term of the brief matched. */
  readonly general: string;
  /** The words before the countries that a brief names and a thing is not offered in. */
  readonly elsewhere: string;
  /** Whether a channel, country or place that a brief names keeps out what is elsewhere; otherwise it only comes later. */
  readonly isBound: boolean;
  /** The countries that a thing is offered in, ISO 3166-1 alpha-2; empty for everywhere. */
  readonly countries: (item: Item) => readonly string[];
  readonly prices?: (item: Item) => readonly OfferedPrice[];
  /** How much of it there is, to order what nothing else orders. */
  readonly supply?: (item: Item) => number;
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

const ELSEWHERE_FACTOR = 0.5;

/** How much the words of a brand count beside those of the brief. */
const BRAND_WEIGHT = 0.3;

/** A search: the list's index, how its things are judged, and what is left of the list after filters. */
export type Search<Item> = {
  readonly index: SearchIndex<Item>;
  readonly description: Description<Item>;
  readonly among: readonly Item[];
  /** Words about the buyer's brand, which move the order and choose nothing. */
  readonly brand?: string | undefined;
};

/**
 * Returns the things that answer a brief, best first, each with a sentence that says why; equals in the order of the list. What the brief
 * refuses, or cannot use, is never among them. A brief that says nothing finds everything; one that nothing answers finds nothing.
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
    matches,
    understood: brief.terms.filter(({ isUnwanted }) => !isUnwanted).map(({ label }) => label),
    failed: [...counts].map(([what, count]) => ({ what, count })).sort((a, b) => b.count - a.count),
    nearest: matches.length > 0 ? [] : listNearest(search, brief, demands),
    isGuess: matches.length > 0 && isUnknown(brief, search.index.postings),
  };
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
 * What the brief is about; else what it only describes; else everything, where it asks for nothing in particular; else, where none of its
 * words is known, what is sold to everybody.
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
  const isNarrow = terms.some((term) => term.isOnly || namesChannel(term) || term.pointers.some(isPlaceOrAge));
  if (isNarrow || chosen.length >= MIN_MATCHES) return chosen;
  return [...chosen, ...broad.filter((row) => !chosen.includes(row)).slice(0, MIN_MATCHES - chosen.length)];
}

function isPlaceOrAge([term]: Pointer): boolean {
  return term.startsWith('place:') || term.startsWith('age:');
}

function emptyMatch(): Match {
  return { score: 0, factor: 1, chosen: false, labels: [], fields: new Set(), models: [], remarks: [] };
}

/** A condition that a brief puts on everything. */
type Demand<Item> = { readonly what: string; readonly holds: (item: Item) => boolean };

function listDemands<Item>(brief: Brief, search: Search<Item>): readonly Demand<Item>[] {
  const { index, description } = search;
  const has = (term: string): ((item: Item) => boolean) => {
    const ids = new Set(index.postings.get(term)?.map(({ id }) => id));
    return (item) => ids.has(index.idOf(item));
  };
  const refused = brief.terms.filter(({ isUnwanted }) => isUnwanted);
  return [
    ...refused.flatMap((term) => refusal(term, description, has)),
    ...(description.isBound ? boundDemands(brief, search, has) : []),
    ...onlyDemands(brief, has),
    ...priceDemands(brief, description),
  ];
}

type Has<Item> = (term: string) => (item: Item) => boolean;

/** A refused country or currency keeps out what is offered in no other; anything else keeps out whatever has it. */
function refusal<Item>(
  { label, pointers }: SearchTerm,
  { countries, prices }: Description<Item>,
  has: Has<Item>,
): readonly Demand<Item>[] {
  const what = `leave out ${label}`;
  const named = pointers.filter(([term, weight]) => weight >= NAMING_WEIGHT && !term.startsWith('reach:'));
  const places = named.filter(([term]) => term.startsWith('place:'));
  if (places.length > 0) return places.map(([term]) => ({ what, holds: not(has(term)) }));
  const codes = named.filter(isCountry).map(([term]) => term.slice('country:'.length).toUpperCase());
  if (codes.length > 0) {
    return [
      {
        what,
        holds: (item) => countries(item).length === 0 || countries(item).some((code) => !codes.includes(code)),
      },
    ];
  }
  const terms = named.filter(([term]) => /^(?:model|currency):/.test(term)).map(([term]) => term);
  if (terms.length > 0 && prices !== undefined) {
    return [
      {
        what,
        holds: (item) =>
          prices(item).some(
            (one) => !terms.includes(`model:${one.model}`) && !terms.includes(`currency:${one.currency}`),
          ),
      },
    ];
  }
  return named.map(([term]) => ({ what, holds: not(has(term)) }));
}

function not<Item>(test: (item: Item) => boolean): (item: Item) => boolean {
  return (item) => !test(item);
}

/** Channels, countries and places that a brief names; any of those of one kind will do. */
function boundDemands<Item>(
  brief: Brief,
  { index, description, among }: Search<Item>,
  has: Has<Item>,
): readonly Demand<Item>[] {
  const wanted = brief.terms.filter(({ isUnwanted }) => !isUnwanted);
  const channels = wanted.filter(namesChannel);
  const channelTerms = channels.flatMap(({ pointers }) =>
    pointers.filter(([term, weight]) => term.startsWith('channel:') && weight > 0.5).map(([term]) => term),
  );
  const demands: Demand<Item>[] = [];
  if (channels.length > 0) {
    const tests = channelTerms.map((term) => has(term));
    demands.push({ what: joinLabels(channels), holds: (item) => tests.some((test) => test(item)) });
  }
  const isOfferedIn = (codes: readonly string[]) => (item: Item) => {
    const own = description.countries(item);
    return own.length === 0 || own.some((code) => codes.includes(code));
  };
  const geo = wanted.filter(({ pointers }) => pointers.some(isCountry));
  const sure = geo.filter(({ isHint }) => !isHint);
  const hinted = geo.filter((term) => term.isHint && among.some(isOfferedIn(listCodes([term]))));
  const named = [...sure, ...hinted];
  if (named.length > 0) demands.push({ what: `in ${joinLabels(named)}`, holds: isOfferedIn(listCodes(named)) });
  const places = geo.flatMap(({ pointers }) =>
    pointers.filter(([term]) => term.startsWith('place:')).map(([term]) => term),
  );
  if (places.length > 0 && sure.every(({ pointers }) => pointers.some(([term]) => term.startsWith('place:')))) {
    const here = places.map((term) => has(term));
    demands.push({
      what: `in ${joinLabels(geo)}`,
      holds: (item) => here.some((test) => test(item)) || !index.placed.has(index.idOf(item)),
    });
  }
  return demands;
}

function namesChannel({ pointers }: SearchTerm): boolean {
  const facet = pointers.find(([term]) => !isWord(term));
  return facet?.[0].startsWith('channel:') === true && facet[1] >= NAMING_WEIGHT;
}

function listCodes(terms: readonly SearchTerm[]): readonly string[] {
  return terms.flatMap(({ pointers }) =>
    pointers.filter(isCountry).map(([term]) => term.slice('country:'.length).toUpperCase()),
  );
}

/** "Only guaranteed", "auction only". */
function onlyDemands<Item>(brief: Brief, has: Has<Item>): readonly Demand<Item>[] {
  return brief.terms
    .filter((term) => term.isOnly && isFacetTerm(term) && !term.pointers.some(isCountry))
    .map(({ label, pointers }) => {
      const tests = pointers
        .filter(([term, weight]) => !isWord(term) && weight >= NAMING_WEIGHT)
        .map(([term]) => has(term));
      return { what: `only ${label}`, holds: (item: Item) => tests.some((test) => test(item)) };
    });
}

function priceDemands<Item>({ price, currencies }: Brief, { prices }: Description<Item>): readonly Demand<Item>[] {
  if (prices === undefined) return [];
  const demands: Demand<Item>[] = [];
  if (price !== undefined)
    demands.push({ what: price.label, holds: (item) => prices(item).some((one) => isWithin(one, price)) });
  if (currencies.length > 0) {
    const what = `in ${joinWords(currencies.map((code) => code.toUpperCase()))}`;
    demands.push({ what, holds: (item) => prices(item).some(({ currency }) => currencies.includes(currency)) });
  }
  return demands;
}

function isWithin({ model, currency, least }: OfferedPrice, price: PriceLimit): boolean {
  const isSame = price.currency === undefined || price.currency.toLowerCase() === currency;
  return isSame && price.model === model && least <= price.amount;
}

function joinLabels(terms: readonly SearchTerm[]): string {
  return joinWords([...new Set(terms.map(({ label }) => label))]);
}

/** The things that break the fewest demands, those that the brief's words find first. */
function listNearest<Item>(search: Search<Item>, brief: Brief, demands: readonly Demand<Item>[]): readonly Item[] {
  const broken = new Map(search.among.map((item) => [item, demands.filter(({ holds }) => !holds(item)).length]));
  const least = Math.min(...broken.values());
  const near = search.among.filter((item) => broken.get(item) === least);
  const matches = orderMatches(search, brief, near).map(({ item }) => item);
  const { supply } = search.description;
  const rest = supply === undefined ? near : near.toSorted((a, b) => supply(b) - supply(a));
  return [...new Set([...matches, ...rest])].slice(0, MAX_NEAREST);
}

function isChoosing([term, weight]: Pointer): boolean {
  return weight >= CHOOSING_WEIGHT && (/^(?:channel|place|age):/.test(term) || isWord(term));
}

type Hit = {
  readonly value: number;
  readonly term: string;
  readonly chosen: boolean;
  readonly fields: readonly string[];
};

type Postings = ReadonlyMap<string, readonly Posting[]>;

/** Adds to each thing the best of what a search term points at. */
function scoreTerm(postings: Postings, searchTerm: SearchTerm, matches: ReadonlyMap<string, Match>): void {
  for (const [id, hit] of listHits(postings, searchTerm.pointers)) {
    const match = matches.get(id);
    if (match !== undefined) addHit(match, searchTerm, hit);
  }
}

function listHits(postings: Postings, pointers: readonly Pointer[]): ReadonlyMap<string, Hit> {
  const hits = new Map<string, Hit>();
  for (const pointer of pointers) {
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
  return hits;
}

function scoreBrand(postings: Postings, brand: string, matches: ReadonlyMap<string, Match>): void {
  for (const { pointers, isUnwanted } of readBrief(brand).terms) {
    if (isUnwanted) continue;
    for (const [id, { value }] of listHits(postings, pointers)) {
      const match = matches.get(id);
      if (match !== undefined && match.score > 0) match.score += BRAND_WEIGHT * value;
    }
  }
}

function addHit(match: Match, { label }: SearchTerm, { value, term, chosen, fields }: Hit): void {
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
  return `${label} (${isCountry([term, 1]) ? value.toUpperCase() : value.replaceAll('_', ' ')})`;
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
