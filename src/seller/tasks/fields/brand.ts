import { beyond, fieldsOf, honored, type Members, unused } from './field.js';
import { ACCOUNT, BARE_ENVELOPE, ENVELOPE, KEYED, NOTIFICATIONS, PAGINATION, UNUSED_REGISTRATION } from './shared.js';

const IDENTITY = 'tasks/brand/get-brand-identity.ts';
const CLAIMS = 'domain/brand/claims.ts';
const FIND = 'domain/brand/search-brands.ts';
const SEARCH = 'tasks/brand/get-rights.ts';
const ACQUIRE = 'tasks/brand/acquire-rights.ts';
const UPDATE = 'tasks/brand/update-rights.ts';
const GRANT = 'domain/brand/grant.ts';

/** The brand that wants rights; its domain says whether it gets them. */
const BUYER: Members = {
  ...fieldsOf(['domain', 'brand_id'], honored(GRANT)),
  ...fieldsOf(
    ['industries', 'data_subject_contestation', 'brand_kit_override'],
    unused('Rights are refused to brands by their domain alone.'),
  ),
};

/** The fields of get_brand_identity. */
export const GET_BRAND_IDENTITY: Members = {
  ...ENVELOPE,
  ...UNUSED_REGISTRATION,
  ...fieldsOf(['brand_id', 'fields'], honored(IDENTITY)),
  use_case: unused('All that the caller may see is answered, whatever it is for; fields narrows it.'),
};

const CLAIM: Members = {
  ...fieldsOf(
    [
      'subsidiary_domain',
      'subsidiary_brand_id',
      'parent_domain',
      'mark',
      'registry',
      'number',
      'countries',
      'use_case',
    ],
    honored(CLAIMS),
  ),
  property: honored(CLAIMS, fieldsOf(['type', 'identifier', 'store', 'region'], honored(CLAIMS))),
  ...fieldsOf(['observed_at', 'claimant_says'], unused('The answer follows from the file of the house alone.')),
};

/** The fields of verify_brand_claim. */
export const VERIFY_BRAND_CLAIM: Members = {
  ...BARE_ENVELOPE,
  ...UNUSED_REGISTRATION,
  claim_type: honored(CLAIMS),
  claim: honored(CLAIMS, CLAIM),
};

/** The fields of verify_brand_claims. */
export const VERIFY_BRAND_CLAIMS: Members = {
  ...BARE_ENVELOPE,
  ...UNUSED_REGISTRATION,
  claims: honored('tasks/brand/verify-brand-claims.ts', {
    claim_type: honored(CLAIMS),
    claim: honored(CLAIMS, CLAIM),
  }),
};

/** The fields of search_brands. */
export const SEARCH_BRANDS: Members = {
  ...ENVELOPE,
  ...beyond(fieldsOf(['proto_version'], honored('~/protocol/releases.ts'))),
  ...UNUSED_REGISTRATION,
  ...fieldsOf(['query', 'industries', 'countries'], honored(FIND)),
  buyer_brand: honored(FIND, BUYER),
  pagination: PAGINATION,
};

/** The fields of get_rights. */
export const GET_RIGHTS: Members = {
  ...ENVELOPE,
  ...UNUSED_REGISTRATION,
  ...fieldsOf(['query', 'uses', 'countries', 'brand_id', 'right_type', 'include_excluded'], honored(SEARCH)),
  buyer_brand: honored('domain/brand/search.ts', BUYER),
  pagination: PAGINATION,
};

/** The fields of acquire_rights. */
export const ACQUIRE_RIGHTS: Members = {
  ...KEYED,
  ...fieldsOf(['rights_id', 'pricing_option_id'], honored(ACQUIRE)),
  buyer: honored(GRANT, BUYER),
  account: ACCOUNT,
  campaign: honored(GRANT, {
    ...fieldsOf(['uses', 'countries', 'estimated_impressions', 'start_date', 'end_date'], honored(GRANT)),
    description: unused('It is for people; a rule that asks one shows who buys what for how much.'),
    format_ids: unused('Rights are licensed by uses, whatever the format.'),
  }),
  revocation_webhook: NOTIFICATIONS,
  push_notification_config: NOTIFICATIONS,
};

/** The fields of update_rights. */
export const UPDATE_RIGHTS: Members = {
  ...KEYED,
  account: ACCOUNT,
  ...fieldsOf(['rights_id', 'end_date', 'impression_cap', 'pricing_option_id', 'paused'], honored(UPDATE)),
  push_notification_config: unused('A change counts with its answer; nothing is left to call a webhook for.'),
};
