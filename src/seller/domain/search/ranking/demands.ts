import { type Brief, isFacetTerm, type NamedTerm, type SearchTerm } from '../brief.js';
import type { PriceLimit } from '../budget.js';
import { isCountry, isWord } from '../lexicon/lexicon.js';
import { joinWords } from '../sentence.js';
import { type Description, NAMING_WEIGHT, namesChannel, type OfferedPrice, type Search } from './search.js';

/** A condition that a brief puts on everything. */
export type Demand<Item> = { readonly what: string; readonly holds: (item: Item) => boolean };

/** Returns the conditions that a brief puts on everything: what it refuses, where it wants it, what alone will do, and at which price. */
export function listDemands<Item>(brief: Brief, search: Search<Item>): readonly Demand<Item>[] {
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

/**
 * Returns the demand of a refusal: a country or currency keeps out what is offered in no other; anything else keeps out
 * whatever has it.
 */
function refusal<Item>(
  { label, pointers, within }: SearchTerm,
  description: Description<Item>,
  has: Has<Item>,
): readonly Demand<Item>[] {
  const { countries, prices } = description;
  const what = `leave out ${label}`;
  const named = pointers.filter(([term, weight]) => weight >= NAMING_WEIGHT && !term.startsWith('reach:'));
  if (within.length > 0) {
    const isRefused = named.map(([term]) => has(term));
    const isThere = within.map((place) => isSoldOnlyIn(place, description, has));
    return [
      {
        what: `${what} in ${joinLabels(within)}`,
        holds: (item) => !(isRefused.some((test) => test(item)) && isThere.some((test) => test(item))),
      },
    ];
  }
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

/** Returns the test whether a thing is to be had in a place and nowhere else. */
function isSoldOnlyIn<Item>(
  { pointers }: NamedTerm,
  { countries }: Description<Item>,
  has: Has<Item>,
): (item: Item) => boolean {
  const city = pointers.find(([term]) => term.startsWith('place:'));
  if (city !== undefined) return has(city[0]);
  const codes = pointers.filter(isCountry).map(([term]) => term.slice('country:'.length).toUpperCase());
  return (item) => countries(item).length > 0 && countries(item).every((code) => codes.includes(code));
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

function listCodes(terms: readonly SearchTerm[]): readonly string[] {
  return terms.flatMap(({ pointers }) =>
    pointers.filter(isCountry).map(([term]) => term.slice('country:'.length).toUpperCase()),
  );
}

/** Returns the demands of "Only guaranteed" and "auction only". */
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

function joinLabels(terms: readonly NamedTerm[]): string {
  return joinWords([...new Set(terms.map(({ label }) => label))]);
}
