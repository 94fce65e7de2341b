import { sumOf } from '../../../platform/kernel/numbers.js';
import { isWord, type Pointer } from './lexicon/lexicon.js';
import { scanText } from './lexicon/scan.js';

/** BM25: how fast a repeated word stops counting, and how much a long text is discounted. */
const SATURATION = 1.2;
const LENGTH_DISCOUNT = 0.5;

const MAX_TEXT_WORDS = 2000;

/** A meaning weaker than this is no reason to find a thing by the word. */
const MIN_TEXT_WEIGHT = 0.5;

/** The fields by which the things of a list are searched. */
export type SearchFields<Item> = {
  readonly id: (item: Item) => string;
  /** The texts that a thing is found by, by the name of their field, and how much a word of each counts. */
  readonly texts: Readonly<Record<string, { readonly boost: number; readonly of: (item: Item) => readonly string[] }>>;
  /** Attributes of a thing as terms of their own: the name of their field, and how much they count. */
  readonly facets: Readonly<
    Record<
      string,
      { readonly field: string; readonly boost: number; readonly values: (item: Item) => readonly string[] }
    >
  >;
};

/** One thing under a term: how much the term says about it, and the fields that have it. */
export type Posting = { readonly id: string; readonly weight: number; readonly fields: readonly string[] };

/** The index that a brief is searched in; build it once per list. */
export type SearchIndex<Item> = {
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  /** The ids of things that name a city, and are bound to it. */
  readonly placed: ReadonlySet<string>;
};

/** Builds the index of a list. */
export function indexItems<Item>(items: readonly Item[], reading: SearchFields<Item>): SearchIndex<Item> {
  const texts = items.map((item) => ({ item, terms: textTerms(item, reading) }));
  const lengths = texts.map(({ terms }) => sumOf([...terms.values()].map(({ count }) => count)));
  const meanLength = sumOf(lengths) / Math.max(1, items.length);
  const raw = new Map<string, Posting[]>();
  for (const [position, { item, terms }] of texts.entries()) {
    const id = reading.id(item);
    const discount = 1 - LENGTH_DISCOUNT + LENGTH_DISCOUNT * ((lengths[position] ?? 0) / (meanLength || 1));
    for (const [term, { count, fields }] of terms) {
      const weight = (count * (SATURATION + 1)) / (count + SATURATION * discount);
      addPosting(raw, term, { id, weight, fields });
    }
    for (const [term, { boost, field }] of facetTerms(item, reading)) {
      addPosting(raw, term, { id, weight: boost, fields: [field] });
    }
  }
  const postings = new Map<string, readonly Posting[]>();
  for (const [term, list] of raw) {
    const rarity = Math.log(1 + (items.length - list.length + 0.5) / (list.length + 0.5)) + 0.1;
    postings.set(
      term,
      list.map((posting) => ({ ...posting, weight: posting.weight * rarity })),
    );
  }
  const places = [...postings].filter(([term]) => term.startsWith('place:'));
  const placed = new Set(places.flatMap(([, list]) => list.map(({ id }) => id)));
  return { items, idOf: reading.id, postings, placed };
}

/** How often the texts of a thing say a term, and in which fields. */
type TextTerm = { count: number; readonly fields: string[] };

function textTerms<Item>(item: Item, { texts }: SearchFields<Item>): ReadonlyMap<string, TextTerm> {
  const terms = new Map<string, TextTerm>();
  for (const [field, { boost, of }] of Object.entries(texts)) {
    for (const { pointers, isPlain } of of(item).flatMap((text) => scanText(text, MAX_TEXT_WORDS))) {
      if (!isPlain) addTextTerms(terms, pointers, field, boost);
    }
  }
  return terms;
}

function addTextTerms(terms: Map<string, TextTerm>, pointers: readonly Pointer[], field: string, boost: number): void {
  const isAlone = pointers.length === 1;
  for (const pointer of pointers) {
    if (!isTextTerm(pointer, isAlone)) continue;
    const [term, weight] = pointer;
    const seen = terms.get(term) ?? { count: 0, fields: [] };
    terms.set(term, seen);
    seen.count += boost * (isAlone ? 1 : weight);
    if (!seen.fields.includes(field)) seen.fields.push(field);
  }
}

/**
 * Whether a term is looked for in texts, which say what a thing is about, for whom and where; what it is, its
 * attributes say.
 */
function isTextTerm([term, weight]: Pointer, isAlone: boolean): boolean {
  if (term.startsWith('place:') || term.startsWith('age:')) return true;
  return isWord(term) && (isAlone || weight >= MIN_TEXT_WEIGHT);
}

function facetTerms<Item>(
  item: Item,
  { facets }: SearchFields<Item>,
): ReadonlyMap<string, { readonly boost: number; readonly field: string }> {
  return new Map(
    Object.entries(facets).flatMap(([facet, row]) =>
      row.values(item).map((value) => [`${facet}:${value}`, row] as const),
    ),
  );
}

function addPosting(postings: Map<string, Posting[]>, term: string, posting: Posting): void {
  const list = postings.get(term);
  if (list === undefined) postings.set(term, [posting]);
  else list.push(posting);
}
