import { carried, fieldsOf, honored, type Members, refused } from './field.js';
import { ACCOUNT, ENVELOPE, KEYED, PAGINATION, UNUSED_REGISTRATION } from './shared.js';

const RULES = 'domain/content/rules.ts';
const JUDGE = 'domain/content/judge.ts';
const STANDARD = 'domain/content/standard.ts';
const MODEL = 'governance/content-model.ts';
const VALIDATE = 'tasks/content/validate-content-delivery.ts';

const OF_THE_STANDARD = carried('store', 'get_content_standards shows it, and nothing is judged by it.');

const REGISTRY = refused(
  'This agent knows no registry of policies.',
  'Leave it out, and write what is to be held to as policies.',
);

/** A piece of content; its texts and metadata are read. */
const ARTIFACT = honored('domain/content/artifact.ts', 'whole');

const SCOPE = honored(STANDARD, {
  ...fieldsOf(['countries_all', 'channels_any', 'languages_any'], honored(STANDARD)),
  description: honored(STANDARD),
});

const POLICIES = honored(RULES, {
  ...fieldsOf(['policy_id', 'policy'], honored(RULES)),
  ...fieldsOf(
    [
      'enforcement',
      'requires_human_review',
      'jurisdictions',
      'policy_categories',
      'channels',
      'governance_domains',
      'effective_date',
      'sunset_date',
    ],
    honored(JUDGE),
  ),
  region_aliases: honored(JUDGE, 'whole'),
  exemplars: honored(MODEL, 'whole'),
  ext: honored(RULES, 'whole'),
  source: refused('A policy of a registry is not sent with a standard.', 'Leave source out, or send "inline".', {
    code: 'INVALID_REQUEST',
    unless: ['inline'],
  }),
  ...fieldsOf(['version', 'name', 'description', 'category', 'source_url', 'source_name', 'guidance'], OF_THE_STANDARD),
});

const EXEMPLARS = honored(JUDGE, fieldsOf(['pass', 'fail'], honored(JUDGE, 'whole')));

/** The fields of create_content_standards. */
export const CREATE_CONTENT_STANDARDS: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  scope: SCOPE,
  policies: POLICIES,
  calibration_exemplars: EXEMPLARS,
  registry_policy_ids: REGISTRY,
};

/** The fields of update_content_standards. */
export const UPDATE_CONTENT_STANDARDS: Members = {
  ...CREATE_CONTENT_STANDARDS,
  standards_id: honored('tasks/content/update-content-standards.ts'),
};

/** The fields of get_content_standards. */
export const GET_CONTENT_STANDARDS: Members = {
  ...ENVELOPE,
  standards_id: honored('tasks/content/get-content-standards.ts'),
};

/** The fields of list_content_standards. */
export const LIST_CONTENT_STANDARDS: Members = {
  ...ENVELOPE,
  ...fieldsOf(['channels', 'languages', 'countries'], honored(STANDARD)),
  pagination: PAGINATION,
};

/** The fields of calibrate_content. */
export const CALIBRATE_CONTENT: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  standards_id: honored('tasks/content/calibrate-content.ts'),
  artifact: ARTIFACT,
};

/** The fields of validate_content_delivery. */
export const VALIDATE_CONTENT_DELIVERY: Members = {
  ...ENVELOPE,
  ...fieldsOf(['standards_id', 'feature_ids', 'include_passed'], honored(VALIDATE)),
  records: honored(VALIDATE, {
    record_id: honored(VALIDATE),
    artifact: ARTIFACT,
    ...fieldsOf(['country', 'channel'], honored(JUDGE)),
    media_buy_id: carried(
      'nowhere',
      'A standard does not depend on the buy; the record_id tells which record is meant.',
    ),
    timestamp: carried('nowhere', 'A record is judged by the standard as it is now.'),
    brand_context: carried('nowhere', 'The public schema has no meaning for it yet.'),
  }),
};

const ARTIFACTS = 'tasks/media-buy/get-media-buy-artifacts.ts';

/** The fields of get_media_buy_artifacts. */
export const GET_MEDIA_BUY_ARTIFACTS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['media_buy_id', 'package_ids', 'failures_only'], honored(ARTIFACTS)),
  time_range: honored(ARTIFACTS, fieldsOf(['start', 'end'], honored(ARTIFACTS))),
  pagination: honored(ARTIFACTS, fieldsOf(['max_results', 'cursor'], honored(ARTIFACTS))),
};
