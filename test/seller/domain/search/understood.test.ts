import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBrief, type SearchTerm } from '../../../../src/seller/domain/search/brief.js';
import { readDates } from '../../../../src/seller/domain/search/dates/dates.js';
import { normalizeWord, stem } from '../../../../src/seller/domain/search/words.js';

/** A brief, and what a planner reads from it: the budget and the highest price, the days, where, on what, for whom, and what must not be. */
type Row = {
  readonly brief: string;
  readonly budget?: readonly [amount: number, currency: string];
  readonly price?: readonly [amount: number, currency: string, model: string];
  readonly dates?: readonly [first: string, last: string] | 'unclear';
  readonly channels: readonly string[];
  readonly countries?: readonly string[];
  readonly ages?: readonly string[];
  readonly about?: readonly string[];
  readonly refused?: readonly string[];
  /** What it refuses in a place that it names, and nowhere else. */
  readonly narrowed?: readonly string[];
};

const ROWS = JSON.parse(readFileSync(new URL('./briefs/understood.json', import.meta.url), 'utf8')) as readonly Row[];
const NOW_MS = Date.parse('2026-11-27T10:00:00Z');

/** Returns the terms of a brief's words that point somewhere surely. */
function listTerms(terms: readonly SearchTerm[], least: number): readonly string[] {
  return terms.flatMap(({ pointers }) => pointers.filter(([, weight]) => weight >= least).map(([term]) => term));
}

function listValues(terms: readonly string[], facet: string): readonly string[] {
  return [...new Set(terms.filter((term) => term.startsWith(facet)).map((term) => term.slice(facet.length)))].sort();
}

describe('what a planner reads from a brief', () => {
  test.each(ROWS)('$brief', (row) => {
    const { terms, budget, price } = readBrief(row.brief);
    const dates = readDates(row.brief, NOW_MS);
    const wanted = listTerms(
      terms.filter(({ isUnwanted }) => !isUnwanted),
      0.8,
    );
    const refused = listTerms(
      terms.filter(({ isUnwanted, within }) => isUnwanted && within.length === 0),
      0.8,
    );
    const termsOf = (words: readonly string[] = []): readonly string[] =>
      words.map((word) => (word.includes(':') ? word : stem(normalizeWord(word))));
    expect(budget && [budget.amount, budget.currency]).toEqual(row.budget);
    expect(price && [price.amount, price.currency, price.model]).toEqual(row.price);
    if (row.dates === 'unclear') expect(dates).toMatchObject({ unclear: expect.any(String) });
    else expect(dates?.days && [dates.days.start_date, dates.days.end_date]).toEqual(row.dates);
    expect(listValues(wanted, 'channel:')).toEqual(expect.arrayContaining([...row.channels]));
    if (row.countries !== undefined) expect(listValues(wanted, 'country:')).toEqual([...row.countries].sort());
    expect(listValues(wanted, 'age:')).toEqual(expect.arrayContaining([...(row.ages ?? [])]));
    expect(wanted).toEqual(expect.arrayContaining([...termsOf(row.about)]));
    expect(refused).toEqual(expect.arrayContaining([...termsOf(row.refused)]));
    const narrowed = listTerms(
      terms.filter(({ within }) => within.length > 0),
      0.8,
    );
    expect(narrowed).toEqual(expect.arrayContaining([...(row.narrowed ?? [])]));
    expect(refused.filter((term) => row.narrowed?.includes(term))).toEqual([]);
    const asked = listTerms(
      terms.filter(({ isUnwanted }) => !isUnwanted),
      0.95,
    );
    expect(asked.filter((term) => termsOf(row.refused).includes(term))).toEqual([]);
  });
});
