import type { Product } from '../../product/product.js';
import { listFacets } from '../../product/search.js';
import { readSearchTerms } from '../../search/brief.js';
import { isWord } from '../../search/lexicon/lexicon.js';
import { scanText } from '../../search/lexicon/scan.js';
import { joinWords } from '../../search/sentence.js';
import { translateAsk } from './language/translate.js';
import { splitClauses } from './plan-ask.js';

/** The outcome of one entry of `refine`. */
export type Applied = { readonly status: 'applied' | 'partial' | 'unable'; readonly notes?: string };

/** Which products a text speaks of. */
export type Subject = {
  /** The words it was said in. */
  readonly label: string;
  readonly matches: (product: Product) => boolean;
};

/** From this strength on a word says what a product is; below, it only hints at it. */
const FACET_WEIGHT = 0.6;

/**
 * Finds the products that a text speaks of: by id or name, by what they are about, each part of it ("sports and podcasts") those that say the most of
 * it, of the first list among equals; else by what they are ("CTV", "guaranteed", "Germany"). Undefined where it speaks of none.
 */
export function findSubject(text: string, ...lists: readonly (readonly Product[])[]): Subject | undefined {
  for (const products of lists) {
    const named = findNamed(text, products);
    if (named !== undefined) return named;
  }
  const about = text.split(PARTS).flatMap((part) => findByWords(part, lists) ?? []);
  if (about.length > 0) {
    return {
      label: about.map(({ label }) => label).join(' and '),
      matches: (product) => about.some(({ matches }) => matches(product)),
    };
  }
  const facets = readFacetTerms(text).filter(({ isUnwanted }) => !isUnwanted);
  if (facets.length === 0) return undefined;
  return {
    label: facets.map(({ label }) => label).join(' '),
    matches: (product) => facets.every(({ terms }) => isAmong(terms, product)),
  };
}

const PARTS = /,|&|\+|\b(?:and|or)\b/i;

function findNamed(text: string, products: readonly Product[]): Subject | undefined {
  const lower = text.toLowerCase();
  const named = products.filter(
    ({ product_id, name }) => lower.includes(product_id.toLowerCase()) || lower.includes(name.toLowerCase()),
  );
  if (named.length > 0) {
    return { label: named.map(({ name }) => name).join(', '), matches: (product) => named.includes(product) };
  }
  return undefined;
}

/** From this strength on a word names what a product is about. */
const NAMING_WEIGHT = 0.9;

/** How much more a word in the name of a product says than one among its keywords, where they say equally many. */
const NAME_BONUS = 0.01;

/** Finds the products whose names and keywords say most of what a text says ("sports", "connected TV drama"). */
function findByWords(text: string, lists: readonly (readonly Product[])[]): Subject | undefined {
  const named = readSearchTerms(text).flatMap(({ label, pointers, isUnwanted }) => {
    const words = pointers.filter(([term, weight]) => isWord(term) && weight >= NAMING_WEIGHT).map(([term]) => term);
    return isUnwanted || words.length === 0 ? [] : [{ label, words }];
  });
  if (named.length === 0) return undefined;
  const count = (own: ReadonlySet<string>): number =>
    named.filter(({ words }) => words.some((word) => own.has(word))).length;
  let best: { readonly score: number; readonly products: readonly Product[] } = { score: 0, products: [] };
  for (const products of lists) {
    const scores = products.map((product) => {
      const inName = listNameWords(product);
      return count(new Set([...inName, ...listKeywordWords(product)])) + NAME_BONUS * count(inName);
    });
    const score = Math.max(0, ...scores);
    if (score > best.score) best = { score, products: products.filter((_product, index) => scores[index] === score) };
  }
  if (best.score === 0) return undefined;
  return {
    label: named.map(({ label }) => label).join(' '),
    matches: (product) => best.products.includes(product),
  };
}

const MAX_NAME_WORDS = 100;

function listNameWords({ name }: Product): ReadonlySet<string> {
  return listWords([name]);
}

function listKeywordWords({ inventory }: Product): ReadonlySet<string> {
  return listWords(inventory.keywords);
}

function listWords(texts: readonly string[]): ReadonlySet<string> {
  const units = texts.flatMap((text) => scanText(text, MAX_NAME_WORDS));
  return new Set(units.flatMap(({ pointers }) => pointers.filter(([term]) => isWord(term)).map(([term]) => term)));
}

/** A condition that an ask puts on every product. */
type Condition = { readonly label: string; readonly holds: (product: Product) => boolean };

/** An ask for the whole selection: conditions on products, and the notes on what this seller does not do. */
type SelectionAsk = { readonly conditions: readonly Condition[]; readonly unoffered: readonly string[] };

/** What buyers ask for and this seller does not do, each with its note. */
const UNOFFERED: readonly (readonly [pattern: RegExp, note: string])[] = [
  [/frequency|\bcap(?:ping|ped)?\b/i, 'Frequency capping is not offered.'],
  [/discount|cheaper|lower (?:the )?price|reduce (?:the )?(?:price|cpm)|negotiat/i, 'Prices are as listed.'],
  [/added value|bonus|makegood|free (?:impressions|inventory)/i, 'Added value is not offered.'],
];

/** Rates that a product is expected to reach, and how an ask may call each. */
const RATES: readonly (readonly [pattern: RegExp, label: string, rate: (product: Product) => number | undefined])[] = [
  [
    /(?:completion|vcr|complete[ds]?)[^.%\d]{0,40}(\d{1,3}(?:\.\d+)?)\s?%/i,
    'completion rate',
    ({ inventory }) => inventory.completion_rate,
  ],
  [
    /view(?:able|ability)[^.%\d]{0,40}(\d{1,3}(?:\.\d+)?)\s?%/i,
    'viewability',
    ({ inventory }) => inventory.viewable_rate,
  ],
  [/(?:click|ctr)[^.%\d]{0,40}(\d{1,3}(?:\.\d+)?)\s?%/i, 'click rate', ({ inventory }) => inventory.click_rate],
];

/** Reads an ask about the selection as a whole. */
export function readSelectionAsk(given: string): SelectionAsk {
  const ask = translateAsk(given);
  const conditions: Condition[] = [];
  const unoffered: string[] = [];
  let rest = ask;
  for (const [pattern, label, rate] of RATES) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const least = Number(match[1]) / 100;
    conditions.push({ label: `${label} of ${match[1]}% or more`, holds: (product) => (rate(product) ?? 0) >= least });
    rest = rest.replace(match[0], ' ');
  }
  for (const clause of splitClauses(rest)) {
    const refused = AGAINST.test(clause);
    for (const { label, within } of readSearchTerms(clause))
      if (within.length > 0)
        unoffered.push(
          `To leave out ${label} in ${joinWords(within.map((place) => place.label))} alone, say it in a brief.`,
        );
    for (const { label, terms, isUnwanted } of readFacetTerms(clause)) {
      const isOut = isUnwanted || refused;
      conditions.push({
        label: isOut ? `no ${label}` : label,
        holds: (product) => isAmong(terms, product) !== isOut,
      });
    }
  }
  unoffered.push(...UNOFFERED.flatMap(([pattern, note]) => (pattern.test(ask) ? [note] : [])));
  return { conditions, unoffered };
}

type FacetTerm = { readonly label: string; readonly terms: readonly string[]; readonly isUnwanted: boolean };

/**
 * Reads the terms of a text that say what a product is everywhere, not what it is about. Terms about one facet are
 * alternatives.
 */
function readFacetTerms(text: string): readonly FacetTerm[] {
  const byFacet = new Map<string, FacetTerm>();
  for (const { label, pointers, isUnwanted, within } of readSearchTerms(text)) {
    if (within.length > 0) continue;
    const terms = pointers.flatMap(([term, weight]) => (weight >= FACET_WEIGHT && term.includes(':') ? [term] : []));
    const facet = terms[0]?.split(':')[0];
    if (facet === undefined) continue;
    const key = `${facet} ${isUnwanted}`;
    const earlier = byFacet.get(key);
    byFacet.set(
      key,
      earlier === undefined
        ? { label, terms, isUnwanted }
        : { label: `${earlier.label} or ${label}`, terms: [...earlier.terms, ...terms], isUnwanted },
    );
  }
  return [...byFacet.values()];
}

function isAmong(terms: readonly string[], product: Product): boolean {
  const facets = listFacets(product);
  return terms.some((term) => facets.has(term));
}

/** The verbs by which an ask for the selection excludes the products that it names. */
const AGAINST =
  /\b(?:drop|remove|exclude|omit|cut out|take out|leave out|without|no|less|reduce|decrease|fewer|lower)\b/i;
