import { readBrief, type SearchTerm } from '../brief.js';
import { isCountry, isWord, type Pointer } from '../lexicon/lexicon.js';
import { joinWords } from '../sentence.js';
import { stem } from '../words.js';
import type { Postings } from './search.js';

/** From this strength on, a word chooses things; below, it only orders them. */
const CHOOSING_WEIGHT = 0.6;

/** How much the words of a brand count beside those of the brief. */
const BRAND_WEIGHT = 0.3;

/** The factor of a thing that is not offered where the brief wants it. */
const ELSEWHERE_FACTOR = 0.5;

/** The match of a brief and a thing, while it is being scored. */
export type Match = {
  score: number;
  factor: number;
  chosen: boolean;
  readonly labels: string[];
  readonly fields: Set<string>;
  readonly models: string[];
  readonly remarks: string[];
};

/** Returns a match that nothing speaks for yet. */
export function emptyMatch(): Match {
  return { score: 0, factor: 1, chosen: false, labels: [], fields: new Set(), models: [], remarks: [] };
}

/** Adds to each thing the best of what a search term points at. */
export function scoreTerm(postings: Postings, searchTerm: SearchTerm, matches: ReadonlyMap<string, Match>): void {
  for (const [id, hit] of listHits(postings, searchTerm.pointers)) {
    const match = matches.get(id);
    if (match !== undefined) addHit(match, searchTerm, hit);
  }
}

/** Moves the things that a brief found by how well they suit a brand. */
export function scoreBrand(postings: Postings, brand: string, matches: ReadonlyMap<string, Match>): void {
  for (const { pointers, isUnwanted } of readBrief(brand).terms) {
    if (isUnwanted) continue;
    for (const [id, { value }] of listHits(postings, pointers)) {
      const match = matches.get(id);
      if (match !== undefined && match.score > 0) match.score += BRAND_WEIGHT * value;
    }
  }
}

/** Halves a match that is in none of the countries that a brief names, and says so. */
export function judgeCountries(match: Match, countries: readonly SearchTerm[], elsewhere: string): void {
  if (countries.length === 0 || match.fields.has('countries')) return;
  match.factor *= ELSEWHERE_FACTOR;
  match.remarks.push(`${elsewhere} ${joinWords(countries.map(({ label }) => label))}`);
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

function addHit(match: Match, { label }: SearchTerm, { value, term, chosen, fields }: Hit): void {
  match.score += value;
  match.chosen ||= chosen;
  match.labels.push(describeTerm(label, term));
  for (const field of fields) match.fields.add(field);
  if (term.startsWith('model:')) match.models.push(term.slice('model:'.length));
}

/** Returns a term for a reason: "video (olv)" where the brief's word and the thing's differ. */
function describeTerm(label: string, term: string): string {
  const value = term.slice(term.indexOf(':') + 1);
  if (isWord(term) || stem(value) === stem(label.toLowerCase())) return label;
  return `${label} (${isCountry([term, 1]) ? value.toUpperCase() : value.replaceAll('_', ' ')})`;
}
