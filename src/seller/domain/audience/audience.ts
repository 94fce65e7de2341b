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

/** Audience states: what becomes of matching, or what the seller decided about it. */
export const AUDIENCE_STATUSES = ['processing', 'ready', 'too_small', 'suspended'] as const;
export type AudienceStatus = (typeof AUDIENCE_STATUSES)[number];

/** The reasons for which a seller suspends audiences, as impairments name them. */
export const SUSPENSIONS = [
  'policy_violation',
  'consent_expired',
  'ttl_expired',
  'pii_audit_failed',
  'seller_removed',
] as const;

/** A state that the seller put an audience in, in place of the one that follows from its matches. */
export type AudienceHold = {
  readonly status: Exclude<AudienceStatus, 'ready'>;
  /** There with `suspended`. */
  readonly reason_code?: (typeof SUSPENSIONS)[number] | undefined;
  readonly reason?: string | undefined;
};

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
  /** Set where the seller decided about it. */
  readonly hold?: AudienceHold | undefined;
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
