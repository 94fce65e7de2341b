import type { AuthorizationReason } from '../../authorization/reasons.js';
import type { RecordSelector } from '../../model/records.js';
import { EXCLUSIVE, FOR_SIGNALS, HAS_LIMITS, INLINE, type Tables } from './tables.js';

/** What a question is about, as numbers of the tables. */
export type Found = {
  readonly agent: number;
  readonly publisher: number;
  /** Rows of the properties that may be meant, of this and of other publishers. */
  readonly properties: readonly number[];
  /** The property is asked for by its id, which has to be of one property. */
  readonly isNamed: boolean;
  readonly at: number;
  readonly country: string | undefined;
  /** Limits that the question leaves open do not count against a row. */
  readonly reportsOpen: boolean;
};

/** What the rows say: `intricate` when only the whole rule can tell, of some of the properties. */
export type Verdict = {
  readonly reason: AuthorizationReason | 'intricate';
  readonly property: number;
  readonly intricate: readonly number[];
  /** Of a yes to an id that several properties have: which of them the operator lets pass, and which it contradicts. */
  readonly sides?: { readonly agreed: readonly number[]; readonly contradicted: readonly number[] };
};

/** Most that is weighed for one answer, some ten milliseconds of it: what then still speaks for a yes does not count. */
const MOST_WORK = 200_000;
/** What asking the operator costs beside a look at a row. */
const OPERATOR_WORK = 100;
/** Most properties that the whole rule is asked about. */
const MOST_INTRICATE = 100;

/** What a row that grants a property becomes beside the operator's word. */
export type Beside = (property: number, row: number) => AuthorizationReason;

/** What rows come to, the better further down. */
const RANKS = [
  'signals_only',
  'property_not_covered',
  'not_yet_effective',
  'expired',
  'country_open',
  'country_excluded',
  'delegation_mismatch',
  'intricate',
  'granted',
] as const;
type Rank = (typeof RANKS)[number];
const RANK_OF = Object.fromEntries(RANKS.map((rank, index) => [rank, index])) as Record<Rank, number>;

/** Why a publisher's file authorizes nobody, by its standing (`STANDINGS`, from 1 on). */
const CLOSED: readonly (AuthorizationReason | undefined)[] = [
  'no_publisher_file',
  undefined,
  'superseded',
  'nobody_authorized',
  'publisher_revoked',
  'no_publisher_file',
];

/** Why a publisher authorizes nobody at all; undefined when it may authorize somebody (facts 2.4 steps 1 and 2). */
export function closedBy(tables: Tables, publisher: number): AuthorizationReason | undefined {
  return CLOSED[tables.domainStanding.at(publisher)];
}

/** What the rows of an agent at a publisher come to: selectors, instants, countries and the operator's word (facts 2.4 steps 4 to 6). */
export function judgePair(tables: Tables, found: Found, pair: number, beside: Beside): Verdict {
  const { agent, publisher, properties, isNamed } = found;
  let [listed, known, work] = [0, 0, 0];
  let best = RANK_OF.signals_only;
  let granted: { readonly reason: AuthorizationReason; readonly property: number } | undefined;
  const intricate: number[] = [];
  const [agreed, contradicted]: [number[], number[]] = [[], []];
  const weigh = (property: number, row: number, selected: number): void => {
    const rank = rankOf(tables, found, row, selected);
    work += 1;
    if (rank !== RANK_OF.granted) {
      best = Math.max(best, rank);
      if (rank === RANK_OF.intricate && intricate.length < MOST_INTRICATE && intricate.at(-1) !== property) {
        intricate.push(property);
      }
      return;
    }
    work += OPERATOR_WORK;
    const reason = beside(property, row);
    if (reason === 'delegation_mismatch') {
      best = Math.max(best, RANK_OF.delegation_mismatch);
      if (isNamed) contradicted.push(property);
      return;
    }
    if (isNamed) agreed.push(property);
    if (granted === undefined || reason === 'confirmed') granted = { reason, property };
  };
  const refuse = (reason: Verdict['reason']): Verdict => ({ reason, property: 0, intricate });
  for (let index = 0; index < properties.length && work < MOST_WORK; index += 1) {
    const property = properties[index] as number;
    work += 1;
    if (tables.propertyDomain.cells[property] !== publisher) continue;
    const isInline = ((tables.propertyFlags.cells[property] as number) & INLINE) !== 0;
    listed += isInline ? 0 : 1;
    known += isInline ? 0 : 1;
    if (isNamed && listed > 1) return refuse('property_ambiguous');
    const rid = tables.propertyRid.cells[property] as number;
    for (let row = tables.grants.find(agent, rid); row !== 0; row = tables.nextOfKey.cells[row] as number) {
      if (tables.rowDomain.cells[row] !== publisher) continue;
      known += isInline ? 1 : 0;
      weigh(property, row, 0);
    }
    for (
      let row = tables.pairWide.at(pair);
      row !== 0 && work < MOST_WORK;
      row = tables.nextOfKey.cells[row] as number
    ) {
      // Selectors are held against each tag.
      if (!isInline && tables.termSelectors.cells[tables.rowTerm.cells[row] as number] !== 0) {
        work += tagsOf(tables, property).length;
      }
      weigh(property, row, isInline ? NONE : property);
    }
    // Nothing is better, and of an id the other property is still looked for.
    if (!isNamed && granted?.reason === 'confirmed') break;
  }
  if (granted !== undefined) {
    if (isNamed && intricate.length > 0) return refuse('intricate');
    return { ...granted, intricate, ...(contradicted.length > 0 && { sides: { agreed, contradicted } }) };
  }
  if (known === 0) {
    const isElsewhere = properties.some((property) => tables.propertyDomain.at(property) !== publisher);
    return refuse(isElsewhere ? 'other_publisher' : 'property_unknown');
  }
  // Rows for other properties cover nothing here, but they are rows for properties.
  if (best === RANK_OF.signals_only && hasRowsForProperties(tables, found, pair)) best = RANK_OF.property_not_covered;
  const reason = RANKS[best];
  return refuse(reason === undefined || reason === 'granted' ? 'property_not_covered' : reason);
}

/** No property: selectors pick nothing that stands in an entry alone. */
const NONE = -1;

/** What a row comes to for a property; `property` 0 says that the row names it. */
function rankOf(tables: Tables, { at, country, reportsOpen, publisher }: Found, row: number, property: number): number {
  const term = tables.rowTerm.cells[row] as number;
  const flags = tables.termFlags.cells[term] as number;
  if ((flags & FOR_SIGNALS) !== 0) return RANK_OF.signals_only;
  if (property === NONE) return RANK_OF.property_not_covered;
  if (property > 0) {
    const selectors = tables.termSelectors.cells[term] as number;
    if (selectors !== 0 && !isSelected(tables, publisher, selectors, property)) return RANK_OF.property_not_covered;
  }
  if (at < (tables.termFrom.cells[term] as number)) return RANK_OF.not_yet_effective;
  if (at >= (tables.termUntil.cells[term] as number)) return RANK_OF.expired;
  const countries = tables.termCountries.cells[term] as number;
  if (countries !== 0) {
    const among = listOf<string>(tables, countries);
    if (country === undefined ? among.length === 0 : !among.includes(country)) return RANK_OF.country_excluded;
    if (country === undefined && !reportsOpen) return RANK_OF.country_open;
  }
  const isIntricate = (flags & HAS_LIMITS) !== 0 || tables.domainExclusive.at(publisher) !== 0;
  return isIntricate ? RANK_OF.intricate : RANK_OF.granted;
}

function hasRowsForProperties(tables: Tables, { publisher, agent }: Found, pair: number): boolean {
  let wide = 0;
  for (let row = tables.pairWide.at(pair); row !== 0; row = tables.nextOfKey.at(row)) {
    wide += 1;
    if ((tables.termFlags.at(tables.rowTerm.at(row)) & FOR_SIGNALS) === 0) return true;
  }
  return tables.pairRows.at(tables.pairs.find(agent, publisher)) > wide;
}

/** Whether a wide row is for a property, whatever else limits it. */
export function coversProperty(tables: Tables, publisher: number, row: number, property: number): boolean {
  const term = tables.rowTerm.at(row);
  if ((tables.termFlags.at(term) & FOR_SIGNALS) !== 0 || (tables.propertyFlags.at(property) & INLINE) !== 0)
    return false;
  const selectors = tables.termSelectors.at(term);
  return selectors === 0 || isSelected(tables, publisher, selectors, property);
}

/** Whether selectors pick a property of its publisher. An id that stands for two properties stands for none. */
function isSelected(tables: Tables, publisher: number, selectors: number, property: number): boolean {
  const { all, ids, tags } = selectionOf(tables, selectors);
  if (all || (tags.size > 0 && tagsOf(tables, property).some((tag) => tags.has(tag)))) return true;
  return ids.size > 0 && ids.has(slugOf(tables, property)) && hasOwnId(tables, publisher, property);
}

/** What the selectors of a row pick, together. */
type Selection = { readonly all: boolean; readonly ids: ReadonlySet<string>; readonly tags: ReadonlySet<string> };

function selectionOf(tables: Tables, word: number): Selection {
  return readWord(tables, selections, word, (text) => {
    const selectors = JSON.parse(text) as readonly RecordSelector[];
    return {
      all: selectors.some(({ selection_type }) => selection_type === 'all'),
      ids: new Set(selectors.flatMap((one) => (one.selection_type === 'by_id' ? one.property_ids : []))),
      tags: new Set(selectors.flatMap((one) => (one.selection_type === 'by_tag' ? one.property_tags : []))),
    };
  });
}

function tagsOf(tables: Tables, property: number): readonly string[] {
  const word = tables.propertyTags.at(property);
  return word === 0 ? [] : listOf<string>(tables, word);
}

function slugOf(tables: Tables, property: number): string {
  return tables.words.text(tables.propertySlug.at(property));
}

/** Whether no other property that the publisher lists has the id of this one. */
function hasOwnId(tables: Tables, publisher: number, property: number): boolean {
  const slug = tables.propertySlug.at(property);
  if (slug === 0) return false;
  let listed = 0;
  for (let row = tables.slugs.find(publisher, slug); row !== 0 && listed < 2; row = tables.nextOfSlug.at(row)) {
    listed += (tables.propertyFlags.at(row) & INLINE) === 0 ? 1 : 0;
  }
  return listed === 1;
}

/** Words that were read of their text; few, and asked for again and again. */
type WordsRead<T> = WeakMap<Tables, Map<number, T>>;
const MOST_READ = 10_000;
const lists: WordsRead<readonly unknown[]> = new WeakMap();
const selections: WordsRead<Selection> = new WeakMap();

/** The list whose JSON is a word of the tables. */
export function listOf<T>(tables: Tables, word: number): readonly T[] {
  return readWord(tables, lists, word, (text) => JSON.parse(text) as readonly unknown[]) as readonly T[];
}

function readWord<T>(tables: Tables, words: WordsRead<T>, word: number, read: (text: string) => T): T {
  let ofTables = words.get(tables);
  if (ofTables === undefined) {
    ofTables = new Map();
    words.set(tables, ofTables);
  }
  const known = ofTables.get(word);
  if (known !== undefined) return known;
  if (ofTables.size >= MOST_READ) ofTables.clear();
  const value = read(tables.words.text(word));
  ofTables.set(word, value);
  return value;
}

/** Whether anything at a publisher is granted exclusively. */
export function hasExclusive(tables: Tables, term: number): boolean {
  return (tables.termFlags.at(term) & EXCLUSIVE) !== 0;
}
