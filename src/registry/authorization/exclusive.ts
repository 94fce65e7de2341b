import { isInEffect } from '../model/grants.js';
import {
  allowedCollections,
  allowedPlacements,
  askedCollection,
  type Case,
  type Coverage,
  coveredBy,
} from './coverage.js';

/** More rivals or combinations of limits are not looked through; a file that has them is not clear enough for a yes. */
const MAX_RIVALS = 200;
const MAX_COMBINATIONS = 20_000;

/** One value of each limit; undefined where nothing is said. */
type Slice = readonly (string | undefined)[];

/** The limits of an entry: a set for each dimension, undefined where that is open; empty for one without limits. */
type Limits = readonly (ReadonlySet<string> | undefined)[];

/** Another agent that the file grants what is asked for exclusively, at the instant asked for. */
export type Rival = Coverage & { readonly limits: Limits };

/** Returns the rivals in a case. */
export function exclusiveRivals(one: Case): readonly Rival[] {
  const { asked, facts } = one;
  const coverages = facts.exclusive
    .filter((entry) => entry.canonicalUrl !== asked.canonicalAgent && isInEffect(entry, asked.at))
    .map((entry) => ({ entry, covered: coveredBy(entry, one) }))
    .filter(({ covered }) => covered.length > 0);
  const isClear = coverages.length <= MAX_RIVALS;
  return coverages
    .slice(0, MAX_RIVALS)
    .map((coverage) => ({ ...coverage, limits: isClear ? limitsOf(coverage, one) : [] }));
}

/**
 * Returns the rival whose exclusive grant leaves nothing of what an entry grants in the case asked for; undefined when something is left.
 * What the question leaves open counts against the entry, unless it asks whether there is anything left: then one country that no
 * rival has is enough.
 */
export function exclusiveRival(coverage: Coverage, one: Case, rivals: readonly Rival[]): Rival | undefined {
  const [first] = rivals;
  if (first === undefined) return undefined;
  const { asked } = one;
  const named: Slice = [asked.country, askedCollection(one), asked.placement];
  const choices = limitsOf(coverage, one).map((limit, index): Slice => {
    const value = named[index];
    return value !== undefined || limit === undefined ? [value] : [...limit];
  });
  const combinations = choices.reduce((count, values) => count * values.length, rivals.length);
  if (combinations > MAX_COMBINATIONS) return first;
  const mayBe = asked.openLimits !== 'report';
  for (const slice of productOf(choices)) {
    if (!rivals.some(({ limits }) => limits.every((limit, index) => isAllowed(limit, slice[index], mayBe))))
      return undefined;
  }
  return first;
}

/** Whether a rival's limit lets a value through. Where it is limited and nothing is said, it may or may not. */
function isAllowed(limit: ReadonlySet<string> | undefined, value: string | undefined, mayBe: boolean): boolean {
  if (limit === undefined) return true;
  return value === undefined ? mayBe && limit.size > 0 : limit.has(value);
}

function limitsOf(coverage: Coverage, one: Case): Limits {
  return [coverage.entry.countries, allowedCollections(coverage), allowedPlacements(coverage, one)];
}

function productOf([first, ...rest]: readonly Slice[]): readonly Slice[] {
  if (first === undefined) return [[]];
  const tails = productOf(rest);
  return first.flatMap((value) => tails.map((tail) => [value, ...tail]));
}
