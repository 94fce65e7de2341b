import { splitWords, stem } from './words.js';

/** BM25: how fast a repeated word stops counting, and how much a long text is discounted. */
const SATURATION = 1.2;
const LENGTH_DISCOUNT = 0.5;

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
};

/** Builds the index of a list. */
export function indexItems<Item>(items: readonly Item[], reading: SearchFields<Item>): SearchIndex<Item> {
  const texts = items.map((item) => ({ item, terms: textTerms(item, reading) }));
  const lengths = texts.map(({ terms }) => sum([...terms.values()].map(({ count }) => count)));
  const meanLength = sum(lengths) / Math.max(1, items.length);
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
  return { items, idOf: reading.id, postings };
}

function textTerms<Item>(
  item: Item,
  { texts }: SearchFields<Item>,
): ReadonlyMap<string, { count: number; fields: string[] }> {
  const terms = new Map<string, { count: number; fields: string[] }>();
  for (const [field, { boost, of }] of Object.entries(texts)) {
    for (const word of of(item).flatMap(splitWords)) {
      const term = stem(word.toLowerCase());
      const seen = terms.get(term) ?? { count: 0, fields: [] };
      seen.count += boost;
      if (!seen.fields.includes(field)) seen.fields.push(field);
      terms.set(term, seen);
    }
  }
  return terms;
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
