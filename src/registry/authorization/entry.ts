import { isoTime } from '../../platform/kernel/clock.js';
import type { AuthorizedAgent } from '../adagents/types.js';
import {
  allowedCollections,
  allowedPlacements,
  askedCollection,
  type Case,
  type Coverage,
  coveredBy,
} from './coverage.js';
import { exclusiveRival, type Rival } from './exclusive.js';
import type { Asked } from './question.js';
import type { AuthorizationReason } from './reasons.js';

/** An entry under judgement, with the properties asked for that it covers. */
export type Candidate = Case & Coverage & { readonly rivals: readonly Rival[] };

/**
 * The result of one check of an entry: nothing against it, or why not. `says` is a sentence without the entry's name.
 */
export type Judgement =
  | { readonly ok: true; readonly says: string }
  | { readonly ok: false; readonly reason: AuthorizationReason; readonly says: string };

/** A check of an entry; undefined when the entry says nothing that it could be about. */
type EntryCheck = (candidate: Candidate) => Judgement | undefined;

/** What an entry has to pass, in this order: the further one comes, the better its reason explains the answer. */
export const ENTRY_CHECKS: readonly EntryCheck[] = [
  checkScopeType,
  checkProperty,
  checkBegin,
  checkEnd,
  checkCountry,
  checkCollection,
  checkPlacement,
  checkExclusivity,
];

const pass = (says: string): Judgement => ({ ok: true, says });
const fail = (reason: AuthorizationReason, says: string): Judgement => ({ ok: false, reason, says });

/** Opens an entry for judgement: member by member, as a spread costs more than the judgement. */
export function candidateOf(entry: AuthorizedAgent, one: Case, rivals: readonly Rival[]): Candidate {
  const { asked, declaredOf, facts, listed } = one;
  return { asked, facts, listed, declaredOf, entry, covered: coveredBy(entry, one), rivals };
}

function checkScopeType({ entry: { scope } }: Candidate): Judgement | undefined {
  const type = scope.authorization_type;
  if (type !== 'signal_ids' && type !== 'signal_tags') return undefined;
  return fail('signals_only', `it is for signals (${type})`);
}

function checkProperty({ entry: { scope }, covered, asked, facts }: Candidate): Judgement {
  const by = scope.authorization_type;
  const [property] = covered;
  if (property !== undefined) return pass(`it covers ${asked.subject} (${property.name}) by ${by}`);
  return fail('property_not_covered', `what it selects by ${by} of ${facts.publisherDomain} is not ${asked.subject}`);
}

function checkBegin({ entry: { effectiveFrom }, asked: { at } }: Candidate): Judgement | undefined {
  if (effectiveFrom === undefined) return undefined;
  const when = `effective_from is ${isoTime(effectiveFrom)}`;
  return at < effectiveFrom ? fail('not_yet_effective', `${when}, later than ${isoTime(at)}`) : pass(when);
}

function checkEnd({ entry: { effectiveUntil }, asked: { at } }: Candidate): Judgement | undefined {
  if (effectiveUntil === undefined) return undefined;
  const when = `effective_until is ${isoTime(effectiveUntil)}`;
  return at >= effectiveUntil ? fail('expired', `${when}, not later than ${isoTime(at)}`) : pass(when);
}

function checkCountry({ entry: { countries }, asked }: Candidate): Judgement | undefined {
  return judgeLimit(asked, 'country', { limit: countries, value: asked.country });
}

function checkCollection(candidate: Candidate): Judgement | undefined {
  const ids = (candidate.entry.collections ?? []).flatMap(({ collection_ids }) => [...collection_ids]);
  return judgeLimit(candidate.asked, 'collection', {
    limit: allowedCollections(candidate),
    value: askedCollection(candidate),
    shown: ids,
  });
}

function checkPlacement(candidate: Candidate): Judgement | undefined {
  const { asked } = candidate;
  return judgeLimit(asked, 'placement', { limit: allowedPlacements(candidate, candidate), value: asked.placement });
}

function checkExclusivity(candidate: Candidate): Judgement | undefined {
  const rival = exclusiveRival(candidate, candidate, candidate.rivals);
  if (rival === undefined) return undefined;
  const { pointer, url } = rival.entry;
  return fail('exclusive_elsewhere', `${pointer} grants the same to ${url} exclusively`);
}

type Limit = {
  readonly limit: ReadonlySet<string> | undefined;
  readonly value: string | undefined;
  /** Its values for people, where they are others. */
  readonly shown?: Iterable<string>;
};

/** Returns the judgement of a limit on a value; undefined where there is no limit. */
function judgeLimit(
  { openLimits = 'refuse' }: Asked,
  dimension: 'country' | 'collection' | 'placement',
  { limit, value, shown = limit ?? [] }: Limit,
): Judgement | undefined {
  if (limit === undefined) return undefined;
  const says = `it is limited by ${dimension} to ${listValues(shown)}`;
  if (value !== undefined && limit.has(value)) return pass(`${says}, which is met`);
  if (value !== undefined || limit.size === 0) return fail(`${dimension}_excluded`, says);
  return openLimits === 'report' ? pass(`${says}, which the question leaves open`) : fail(`${dimension}_open`, says);
}

const MAX_LISTED_VALUES = 5;

function listValues(values: Iterable<string>): string {
  const all = [...values];
  const more = all.length - MAX_LISTED_VALUES;
  return `${all.slice(0, MAX_LISTED_VALUES).join(', ')}${more > 0 ? ` and ${more} more` : ''}` || 'nothing';
}
