import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { type Identifier, isMatchedIdentifier, readIdentifiers } from './identity.js';

/** The purposes of audiences. */
export const AUDIENCE_TYPES = ['crm', 'suppression', 'lookalike_seed'] as const;

/** The fewest matched members that an audience can be targeted with: nobody is to be told from few. */
export const MINIMUM_AUDIENCE_SIZE = 100;

/** Returns the fewest matched members of an audience that is targeted; people of a sandbox are made up, and one may try it with any. */
export function leastMatched(isSandbox: boolean): number {
  return isSandbox ? 0 : MINIMUM_AUDIENCE_SIZE;
}

/** A buyer's list of people on an account. Times are ISO 8601 in UTC. */
export type Audience = {
  readonly audience_id: string;
  readonly seller_id: string;
  readonly name?: string;
  readonly description?: string;
  readonly audience_type?: (typeof AUDIENCE_TYPES)[number];
  readonly tags?: readonly string[];
  readonly consent_basis?: string;
  readonly last_synced_at: string;
};

/** A member as it is stored: which identifiers it came with, and whether each is known here; never the identifiers themselves. */
export type AudienceMember = { readonly external_id: string; readonly identifiers: readonly MatchedType[] };
type MatchedType = { readonly type: Identifier['type']; readonly known: boolean };

/** The members that came with the same types of identifiers and matched alike, counted. */
export type MemberGroup = { readonly identifiers: readonly MatchedType[]; readonly count: number };

/** Reads a member of `add`. Throws VALIDATION_ERROR with the field; a member without any identifier could never be matched. */
export function readMember(value: unknown, field: string): AudienceMember {
  const external_id = readExternalId(value, field);
  const identifiers = readIdentifiers(isObject(value) ? value : {}, field);
  if (identifiers.length === 0) {
    throw new TaskError('VALIDATION_ERROR', 'A member needs an identifier to be matched by.', {
      field,
      suggestion: 'Add hashed_email, hashed_phone or uids.',
    });
  }
  return { external_id, identifiers: identifiers.map((one) => ({ type: one.type, known: isMatchedIdentifier(one) })) };
}

/** Reads the external id of an entry of `add` or `remove`. Throws VALIDATION_ERROR with the field. */
export function readExternalId(value: unknown, field: string): string {
  const id = isObject(value) ? value.external_id : undefined;
  if (typeof id === 'string' && id !== '' && id.length <= 255) return id;
  throw new TaskError('VALIDATION_ERROR', 'A member needs an external_id of 1 to 255 characters.', {
    field: `${field}.external_id`,
    suggestion: 'Send your own stable id of the person.',
  });
}

/** Whether a member can be reached. */
export function isMatched({ identifiers }: Pick<AudienceMember, 'identifiers'>): boolean {
  return identifiers.some(({ known: isMatchedByType }) => isMatchedByType);
}

/** Counts the members of an audience, and those that can be reached. */
export function countMembers(groups: readonly MemberGroup[]): { readonly total: number; readonly matched: number } {
  const sum = (some: readonly MemberGroup[]): number => some.reduce((all, { count }) => all + count, 0);
  return { total: sum(groups), matched: sum(groups.filter(isMatched)) };
}

/** Returns an audience as its buyer sees it. `uploaded` are the members of this call, `least` those that have to be matched. */
export function audienceWire(
  audience: Audience,
  groups: readonly MemberGroup[],
  { uploaded, least }: { readonly uploaded: number; readonly least: number },
): Record<string, unknown> {
  const { audience_id, name, seller_id, last_synced_at } = audience;
  const { total, matched } = countMembers(groups);
  const isReady = matched >= least;
  const breakdown = breakDownMatches(groups);
  return {
    audience_id,
    name,
    seller_id,
    status: isReady ? 'ready' : 'too_small',
    uploaded_count: uploaded,
    total_uploaded_count: total,
    matched_count: matched,
    effective_match_rate: total === 0 ? undefined : rate(matched, total),
    match_breakdown: breakdown.length === 0 ? undefined : breakdown,
    last_synced_at,
    minimum_size: isReady ? undefined : least,
  };
}

/** Counts per type of identifier how many members came with it, and how many of them are known by it. */
function breakDownMatches(groups: readonly MemberGroup[]): readonly object[] {
  const counts = new Map<string, { submitted: number; matched: number }>();
  for (const { identifiers, count } of groups) {
    for (const type of new Set(identifiers.map((one) => one.type))) {
      const before = counts.get(type) ?? { submitted: 0, matched: 0 };
      const isMatched = identifiers.some((one) => one.type === type && one.known);
      counts.set(type, { submitted: before.submitted + count, matched: before.matched + (isMatched ? count : 0) });
    }
  }
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([id_type, { submitted, matched }]) => ({
      id_type,
      submitted,
      matched,
      match_rate: rate(matched, submitted),
    }));
}

function rate(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}

/**
 * Refuses targeting by an audience that is not there or cannot be targeted yet. `groups` is undefined where the account has none of
 * that id. Throws REFERENCE_NOT_FOUND or AUDIENCE_TOO_SMALL with the field.
 */
export function checkTargetable(groups: readonly MemberGroup[] | undefined, least: number, field: string): void {
  if (groups === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'The account has no such audience.', {
      field,
      suggestion: 'Upload it with sync_audiences first; sync_audiences without audiences lists what is there.',
    });
  }
  const { matched } = countMembers(groups);
  if (matched >= least) return;
  throw new TaskError('AUDIENCE_TOO_SMALL', 'Too few members of the audience are known here to target it.', {
    field,
    details: { minimum_size: least, current_size: matched },
    suggestion: `Add members with sync_audiences until matched_count reaches ${least}.`,
  });
}
