import { parseDateTime } from '../../../platform/kernel/clock.js';
import type { AuthorizationRecord } from '../../model/records.js';

/** What an authorization's row says beside whom and what it names. */
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

/** Returns the terms of a row; its two ends are one, the earlier. */
export function grantTerms(record: AuthorizationRecord): GrantTerms {
  const { authorization_type, delegation_type, selectors, countries } = record;
  const { placement_ids, placement_tags, collections } = record;
  const ends = [record.effective_until, record.expires_at].flatMap((text) => instantOf(text) ?? []);
  return {
    authorization_type,
    delegation_type,
    selectors,
    countries,
    placement_ids,
    placement_tags,
    collections,
    exclusive: record.exclusive === true ? true : undefined,
    from: instantOf(record.effective_from),
    until: ends.length === 0 ? undefined : Math.min(...ends),
  };
}

function instantOf(text: string | null | undefined): number | undefined {
  return text === undefined || text === null ? undefined : parseDateTime(text);
}
