import type { Product } from './product.js';
import { stem, wordsOf } from './search-words.js';

/** BM25: how fast a repeated word stops counting, and how much a long text is discounted. */
const SATURATION = 1.2;
const LENGTH_DISCOUNT = 0.5;

/** What a product is read by: the words of each field, and how much one of them counts. */
const FIELDS: Readonly<
  Record<string, { readonly boost: number; readonly words: (product: Product) => readonly string[] }>
> = {
  name: { boost: 3, words: ({ name }) => wordsOf(name) },
  keywords: { boost: 2.5, words: ({ inventory }) => inventory.keywords.flatMap(wordsOf) },
  description: { boost: 1, words: ({ description }) => wordsOf(description) },
  publisher: {
    boost: 1.5,
    words: ({ publisher_properties }) => publisher_properties.flatMap((each) => wordsOf(each.publisher_domain)),
  },
  formats: { boost: 0.5, words: ({ format_ids }) => format_ids.flatMap(({ id }) => wordsOf(id.replaceAll('_', ' '))) },
};

/** What a product is, as terms of its own: the field they are told by, how much they count, whether they choose a product. */
const FACETS: Readonly<
  Record<
    string,
    { readonly field: string; readonly boost: number; readonly values: (product: Product) => readonly string[] }
  >
> = {
  channel: { field: 'channels', boost: 3, values: ({ channels }) => channels },
  country: {
    field: 'countries',
    boost: 0.8,
    values: ({ inventory }) => inventory.countries.map((code) => code.toLowerCase()),
  },
  model: {
    field: 'prices',
    boost: 1,
    values: ({ pricing_options }) => pricing_options.map((option) => option.pricing_model),
  },
  currency: {
    field: 'prices',
    boost: 0.8,
    values: ({ pricing_options }) => pricing_options.map(({ currency }) => currency.toLowerCase()),
  },
  price: {
    field: 'prices',
    boost: 1,
    values: ({ pricing_options }) =>
      pricing_options.map((option) => (option.fixed_price === undefined ? 'auction' : 'fixed')),
  },
  delivery: { field: 'delivery type', boost: 1, values: ({ delivery_type }) => [delivery_type] },
  exclusivity: { field: 'exclusivity', boost: 1, values: ({ exclusivity = 'none' }) => [exclusivity] },
};

/** One product under a term: how much the term says about it, and the fields it stands in. */
export type Posting = { readonly product_id: string; readonly weight: number; readonly fields: readonly string[] };

/** What rankProducts searches; build it once per catalogue. */
export type ProductIndex = {
  readonly products: readonly Product[];
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
};

/** Reads a catalogue into an index. */
export function buildIndex(products: readonly Product[]): ProductIndex {
  const texts = products.map((product) => ({ product, terms: textTerms(product) }));
  const lengths = texts.map(({ terms }) => sum([...terms.values()].map(({ count }) => count)));
  const meanLength = sum(lengths) / Math.max(1, products.length);
  const raw = new Map<string, Posting[]>();
  for (const [position, { product, terms }] of texts.entries()) {
    const discount = 1 - LENGTH_DISCOUNT + LENGTH_DISCOUNT * ((lengths[position] ?? 0) / (meanLength || 1));
    for (const [term, { count, fields }] of terms) {
      const weight = (count * (SATURATION + 1)) / (count + SATURATION * discount);
      add(raw, term, { product_id: product.product_id, weight, fields });
    }
    for (const [term, { boost, field }] of facetTerms(product)) {
      add(raw, term, { product_id: product.product_id, weight: boost, fields: [field] });
    }
  }
  const postings = new Map<string, readonly Posting[]>();
  for (const [term, list] of raw) {
    const rarity = Math.log(1 + (products.length - list.length + 0.5) / (list.length + 0.5)) + 0.1;
    postings.set(
      term,
      list.map((posting) => ({ ...posting, weight: posting.weight * rarity })),
    );
  }
  return { products, postings };
}

function textTerms(product: Product): ReadonlyMap<string, { count: number; fields: string[] }> {
  const terms = new Map<string, { count: number; fields: string[] }>();
  for (const [field, { boost, words }] of Object.entries(FIELDS)) {
    for (const word of words(product)) {
      const term = stem(word.toLowerCase());
      const seen = terms.get(term) ?? { count: 0, fields: [] };
      seen.count += boost;
      if (!seen.fields.includes(field)) seen.fields.push(field);
      terms.set(term, seen);
    }
  }
  return terms;
}

function facetTerms(product: Product): ReadonlyMap<string, { readonly boost: number; readonly field: string }> {
  return new Map(
    Object.entries(FACETS).flatMap(([facet, row]) =>
      row.values(product).map((value) => [`${facet}:${value}`, row] as const),
    ),
  );
}

function add(postings: Map<string, Posting[]>, term: string, posting: Posting): void {
  const list = postings.get(term);
  if (list === undefined) postings.set(term, [posting]);
  else list.push(posting);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
