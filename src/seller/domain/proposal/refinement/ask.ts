import type { Product } from '../../product/product.js';
import { listFacets } from '../../product/search.js';
import { type Money, readBudget } from '../../search/budget.js';
import { readSearchTerms } from '../../search/search-terms.js';
import { splitWords } from '../../search/words.js';

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

/** Finds the products that a text speaks of: by id, by name, or by what they are ("CTV", "guaranteed", "Germany"). Undefined where it speaks of none. */
export function findSubject(text: string, products: readonly Product[]): Subject | undefined {
  const lower = text.toLowerCase();
  const named = products.filter(
    ({ product_id, name }) => lower.includes(product_id.toLowerCase()) || lower.includes(name.toLowerCase()),
  );
  if (named.length > 0) {
    return { label: named.map(({ name }) => name).join(', '), matches: (product) => named.includes(product) };
  }
  const facets = readFacetTerms(text).filter(({ unwanted }) => !unwanted);
  if (facets.length === 0) return undefined;
  return {
    label: facets.map(({ label }) => label).join(' '),
    matches: (product) => facets.every(({ terms }) => isAmong(terms, product)),
  };
}

/** A condition that an ask puts on every product. */
export type Condition = { readonly label: string; readonly holds: (product: Product) => boolean };

/** An ask for the whole selection: conditions on products, and the notes on what this seller does not do. */
export type SelectionAsk = { readonly conditions: readonly Condition[]; readonly unoffered: readonly string[] };

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
export function readSelectionAsk(ask: string): SelectionAsk {
  const conditions: Condition[] = [];
  let rest = ask;
  for (const [pattern, label, rate] of RATES) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const least = Number(match[1]) / 100;
    conditions.push({ label: `${label} of ${match[1]}% or more`, holds: (product) => (rate(product) ?? 0) >= least });
    rest = rest.replace(match[0], ' ');
  }
  for (const clause of rest.split(CLAUSES)) {
    const refused = AGAINST.has(findVerb(clause)?.what ?? 'add');
    for (const { label, terms, unwanted } of readFacetTerms(clause)) {
      const isOut = unwanted || refused;
      conditions.push({
        label: isOut ? `no ${label}` : label,
        holds: (product) => isAmong(terms, product) !== isOut,
      });
    }
  }
  return {
    conditions,
    unoffered: UNOFFERED.flatMap(([pattern, note]) => (pattern.test(ask) ? [note] : [])),
  };
}

type FacetTerm = { readonly label: string; readonly terms: readonly string[]; readonly unwanted: boolean };

/** Reads the terms of a text that say what a product is, not what it is about. Terms about one facet are alternatives. */
function readFacetTerms(text: string): readonly FacetTerm[] {
  const byFacet = new Map<string, FacetTerm>();
  for (const { label, pointers, unwanted } of readSearchTerms(text)) {
    const terms = pointers.flatMap(([term, weight]) => (weight >= FACET_WEIGHT && term.includes(':') ? [term] : []));
    const facet = terms[0]?.split(':')[0];
    if (facet === undefined) continue;
    const key = `${facet} ${unwanted}`;
    const earlier = byFacet.get(key);
    byFacet.set(
      key,
      earlier === undefined
        ? { label, terms, unwanted }
        : { label: `${earlier.label} or ${label}`, terms: [...earlier.terms, ...terms], unwanted },
    );
  }
  return [...byFacet.values()];
}

function isAmong(terms: readonly string[], product: Product): boolean {
  const facets = listFacets(product);
  return terms.some((term) => facets.has(term));
}

/** The effect of a verb on a plan. */
type Verb = 'drop' | 'add' | 'more' | 'less' | 'give' | 'only';

/** One change that an ask wants in a plan. `share` in percent of the whole budget, `factor` times what it was. */
export type Directive =
  | { readonly do: Verb; readonly text: string }
  | { readonly do: 'set'; readonly share: number; readonly text: string }
  | { readonly do: 'budget'; readonly money: Money }
  | { readonly do: 'scale'; readonly factor: number };

/** The verbs of the trade, each with what it does to a plan; the first that a clause holds counts. */
const VERBS: readonly (readonly [verb: RegExp, what: Verb])[] = [
  [/\b(?:redistribut\w*|reallocat\w*|give (?:it|that|the rest))\b/i, 'give'],
  [/\b(?:only|solely|exclusively)\b/i, 'only'],
  [/\b(?:drop|remove|exclude|omit|cut out|take out|leave out|without|no)\b/i, 'drop'],
  [/\b(?:less|reduce|decrease|fewer|lower)\b/i, 'less'],
  [/\b(?:more|increase|shift|boost|heavier|raise|favou?r|prioriti[sz]e)\b/i, 'more'],
  [/\b(?:add|include)\b/i, 'add'],
];

/** The verbs by which an ask for the selection excludes the products that it names. */
const AGAINST: ReadonlySet<Verb> = new Set(['drop', 'less']);

function findVerb(clause: string): { readonly pattern: RegExp; readonly what: Verb } | undefined {
  const row = VERBS.find(([pattern]) => pattern.test(clause));
  return row === undefined ? undefined : { pattern: row[0], what: row[1] };
}

const SHARE = /(\d{1,3}(?:\.\d+)?)\s?(?:%|percent)/i;
/** "reduce the total by 10%": the budget itself, not a share of it. */
const BY_PERCENT = /\b(?:total|budget|spend)\b[^%]{0,40}\bby\s+(\d{1,3}(?:\.\d+)?)\s?(?:%|percent)/i;
/** The ends of a clause: at the end of a sentence, and where another verb follows. */
const CLAUSES = new RegExp(
  `[;!\\n]+|\\.(?=\\s|$)|(?:,\\s*(?:and |then )?|\\s(?:and|then) )(?=${VERBS.map(([verb]) => verb.source).join('|')})`,
  'i',
);

/** Reads an ask about a plan into the changes it wants, in their order; clauses that say none of them are left out. */
export function readPlanAsk(ask: string): {
  readonly directives: readonly Directive[];
  readonly unread: readonly string[];
} {
  const directives: Directive[] = [];
  const unread: string[] = [];
  for (const clause of ask.split(CLAUSES).map((part) => part.trim())) {
    if (splitWords(clause).length === 0) continue;
    const directive = readDirective(clause);
    if (directive === undefined) unread.push(clause);
    else directives.push(directive);
  }
  return { directives, unread };
}

function readDirective(clause: string): Directive | undefined {
  const verb = findVerb(clause);
  const by = BY_PERCENT.exec(clause);
  if (by !== null) return { do: 'scale', factor: 1 + ((verb?.what === 'less' ? -1 : 1) * Number(by[1])) / 100 };
  const share = SHARE.exec(clause);
  const text = clause.replace(SHARE, ' ').replace(verb?.pattern ?? '', ' ');
  if (share !== null && verb?.what !== 'drop') return { do: 'set', share: Number(share[1]), text };
  const money = readBudget(clause.includes('budget') ? clause : `budget ${clause}`);
  if (money !== undefined) return { do: 'budget', money };
  return verb === undefined ? undefined : { do: verb.what, text };
}
