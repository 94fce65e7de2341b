import { effectiveSpan } from '../../model/grants.js';
import type { AuthorizationRecord } from '../../model/records.js';

/** The limits of an authorization's row, beside the agent and what the row names. */
export type GrantTerms = Pick<
  AuthorizationRecord,
  | 'authorization_type'
  | 'delegation_type'
  | 'selectors'
  | 'countries'
  | 'placement_ids'
  | 'placement_tags'
  | 'collections'
> & {
  readonly exclusive?: true;
  /** Milliseconds; in effect from the first on and before the second. */
  readonly from?: number;
  readonly until?: number;
};

/** Returns the terms of a row. */
export function grantTerms(record: AuthorizationRecord): GrantTerms {
  const { authorization_type, delegation_type, selectors, countries } = record;
  const { placement_ids, placement_tags, collections } = record;
  const { effectiveFrom, effectiveUntil } = effectiveSpan(record);
  return {
    authorization_type,
    delegation_type,
    selectors,
    countries,
    placement_ids,
    placement_tags,
    collections,
    exclusive: record.exclusive === true ? true : undefined,
    from: effectiveFrom,
    until: effectiveUntil,
  };
}
