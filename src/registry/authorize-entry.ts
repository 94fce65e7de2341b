import { isoTime } from '../kernel/clock.js';
import type { AuthorizedAgent, Placement, Property } from './adagents-types.js';
import { type Case, coveredBy, letsPlacement } from './authorize-case.js';
import { exclusiveRival } from './authorize-exclusive.js';
import type { Asked } from './authorize-question.js';
import type { AuthorizationReason } from './authorize-reasons.js';

/** An entry under judgement, with the properties asked for that it covers. */
export type Candidate = Case & {
  readonly entry: AuthorizedAgent;
  readonly covered: readonly Property[];
  readonly rivals: readonly AuthorizedAgent[];
};

/** What one check of an entry found: nothing against it, or why not. `says` is a sentence without the entry's name. */
export type Judgement =
  | { readonly ok: true; readonly says: string }
  | { readonly ok: false; readonly reason: AuthorizationReason; readonly says: string };

/** A check of an entry; undefined when the entry says nothing that it could be about. */
export type EntryCheck = (candidate: Candidate) => Judgement | undefined;

/** What an entry has to pass, in this order: the further one comes, the better its reason explains the answer (facts 2.4). */
export const ENTRY_CHECKS: readonly EntryCheck[] = [
  isForProperties,
  coversTheProperty,
  hasBegun,
  hasNotEnded,
  coversTheCountry,
  coversTheCollection,
  coversThePlacement,
  isNotExcluded,
];

const pass = (says: string): Judgement => ({ ok: true, says });
const fail = (reason: AuthorizationReason, says: string): Judgement => ({ ok: false, reason, says });

/** Opens an entry for judgement. */
export function candidateOf(entry: AuthorizedAgent, one: Case, rivals: readonly AuthorizedAgent[]): Candidate {
  return { ...one, entry, covered: coveredBy(entry, one), rivals };
}

function isForProperties({ entry: { scope } }: Candidate): Judgement | undefined {
  const type = scope.authorization_type;
  if (type !== 'signal_ids' && type !== 'signal_tags') return undefined;
  return fail('signals_only', `it is for signals (${type})`);
}

function coversTheProperty({ entry: { scope }, covered, asked, effective }: Candidate): Judgement {
  const by = scope.authorization_type;
  const [property] = covered;
  if (property !== undefined) return pass(`it covers ${asked.subject} (${property.name}) by ${by}`);
  return fail(
    'property_not_covered',
    `what it selects by ${by} of ${effective.publisherDomain} is not ${asked.subject}`,
  );
}

function hasBegun({ entry: { effectiveFrom }, asked: { at } }: Candidate): Judgement | undefined {
  if (effectiveFrom === undefined) return undefined;
  const when = `effective_from is ${isoTime(effectiveFrom)}`;
  return at < effectiveFrom ? fail('not_yet_effective', `${when}, later than ${isoTime(at)}`) : pass(when);
}

function hasNotEnded({ entry: { effectiveUntil }, asked: { at } }: Candidate): Judgement | undefined {
  if (effectiveUntil === undefined) return undefined;
  const when = `effective_until is ${isoTime(effectiveUntil)}`;
  return at >= effectiveUntil ? fail('expired', `${when}, not later than ${isoTime(at)}`) : pass(when);
}

function coversTheCountry({ entry: { countries }, asked }: Candidate): Judgement | undefined {
  if (countries === undefined) return undefined;
  const limits = `it is limited to ${listed(countries)}`;
  if (asked.country === undefined) return open(asked, 'country_open', limits);
  return countries.has(asked.country)
    ? pass(`${limits}, ${asked.country} among them`)
    : fail('country_excluded', limits);
}

function coversTheCollection({ entry: { collections }, asked, effective }: Candidate): Judgement | undefined {
  if (collections === undefined) return undefined;
  const ids = collections.flatMap(({ collection_ids }) => [...collection_ids]);
  const limits = `it is limited to the collections ${listed(ids)}`;
  if (asked.collection === undefined) return open(asked, 'collection_open', limits);
  const { publisher_domain = effective.publisherDomain, collection_id } = asked.collection;
  const isAmong = collections.some(
    (one) => one.publisher_domain === publisher_domain && one.collection_ids.has(collection_id),
  );
  return isAmong ? pass(`${limits}, ${collection_id} among them`) : fail('collection_excluded', limits);
}

function coversThePlacement(candidate: Candidate): Judgement | undefined {
  const { entry, covered, asked, effective } = candidate;
  const { placement_ids: ids, placement_tags: tags } = entry;
  if (ids === undefined && tags === undefined) return undefined;
  const byTag = tags === undefined ? '' : ` with a tag of ${listed(tags)}`;
  const limits = `it is limited to the placements ${ids === undefined ? 'of the file' : listed(ids)}${byTag}`;
  if (asked.placement === undefined) return open(asked, 'placement_open', limits);
  const [placement, twin] = effective.file.placements.filter(({ placement_id }) => placement_id === asked.placement);
  if (placement === undefined || twin !== undefined) {
    return fail('placement_excluded', `${limits}, and the file declares no one placement ${asked.placement}`);
  }
  const isAmong = letsPlacement(entry, placement) && covered.some((property) => isOn(placement, property));
  return isAmong ? pass(`${limits}, ${asked.placement} among them`) : fail('placement_excluded', limits);
}

function isNotExcluded(candidate: Candidate): Judgement | undefined {
  const rival = exclusiveRival(candidate.entry, candidate, candidate.rivals);
  if (rival === undefined) return undefined;
  return fail('exclusive_elsewhere', `${rival.pointer} grants the same to ${rival.url} exclusively`);
}

function isOn({ property_ids, property_tags }: Placement, { property_id, tags }: Property): boolean {
  return (
    (property_id !== undefined && property_ids.includes(property_id)) || property_tags.some((tag) => tags.includes(tag))
  );
}

function open({ openLimits = 'refuse' }: Asked, reason: AuthorizationReason, limits: string): Judgement {
  return openLimits === 'report' ? pass(`${limits}, which the question leaves open`) : fail(reason, limits);
}

const MOST_LISTED = 5;

function listed(values: Iterable<string>): string {
  const all = [...values];
  const more = all.length - MOST_LISTED;
  return `${all.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}` || 'none';
}
