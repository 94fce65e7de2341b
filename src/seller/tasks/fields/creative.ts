import { ASSET } from './assets.js';
import { beyond, carried, fieldsOf, honored, type Members, refused, unused } from './field.js';
import { ACCOUNT, CANONICAL_FORMAT, ENVELOPE, FORMAT, KEYED, NOTIFICATIONS, PAGINATION, PROVENANCE } from './shared.js';

const MANIFEST = '~/creative/formats/manifest.ts';

/** The assets of a creative by the slots that they fill. */
const ASSETS = honored(MANIFEST, { '*': honored(MANIFEST, ASSET) });

const SAVE = 'tasks/creative/library/save-creative.ts';

/** A creative as it is brought into the library. */
export const CREATIVE_ASSET: Members = {
  ...fieldsOf(['creative_id', 'name', 'tags'], honored(SAVE)),
  format_id: FORMAT,
  ...CANONICAL_FORMAT,
  assets: ASSETS,
  weight: honored('tasks/creative/library/fill-package.ts'),
  ...fieldsOf(['inputs', 'industry_identifiers'], carried('creative')),
  provenance: PROVENANCE,
  rights: honored('domain/creative/rights.ts', 'whole'),
  status: refused(
    'The state of a creative is for the seller to say.',
    'Leave status out. To archive a creative, send all others with delete_missing; to have one made anew, send it again with other assets.',
    { unless: ['processing', 'pending_review', 'approved'] },
  ),
  ...fieldsOf(
    ['placement_ids', 'placement_refs'],
    refused(
      'A creative runs wherever its package does.',
      'Leave placements out, or buy a product of this placement alone.',
    ),
  ),
};

/** The fields of sync_creatives. */
export const SYNC_CREATIVES: Members = {
  ...KEYED,
  account: ACCOUNT,
  creatives: honored(SAVE, CREATIVE_ASSET),
  assignments: honored('tasks/creative/library/sync-assignments.ts', {
    ...fieldsOf(['creative_id', 'package_id', 'weight'], honored('tasks/creative/library/sync-assignments.ts')),
    placement_ids: refused(
      'A creative runs wherever its package does.',
      'Leave placement_ids out, or buy a product of this placement alone.',
    ),
  }),
  ...fieldsOf(
    ['creative_ids', 'delete_missing', 'dry_run', 'validation_mode'],
    honored('tasks/creative/sync-creatives.ts'),
  ),
  push_notification_config: NOTIFICATIONS,
};

const LIBRARY = 'tasks/creative/list-creatives.ts';

/** The fields of list_creatives. */
export const LIST_CREATIVES: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  filters: honored(LIBRARY, {
    ...fieldsOf(
      [
        'statuses',
        'tags',
        'tags_any',
        'name_contains',
        'creative_ids',
        'created_after',
        'created_before',
        'updated_after',
        'updated_before',
        'assigned_to_packages',
        'media_buy_ids',
        'unassigned',
        'has_variables',
        'concept_ids',
      ],
      honored(LIBRARY),
    ),
    format_ids: FORMAT,
    accounts: ACCOUNT,
    has_served: refused(
      'The library is not searched by delivery.',
      'Leave has_served out; include_snapshot tells what each creative has served.',
    ),
    ext: unused('Extensions belong to their vendor; none is known here.'),
  }),
  sort: honored(LIBRARY, fieldsOf(['field', 'direction'], honored(LIBRARY))),
  ...fieldsOf(
    ['include_assignments', 'include_snapshot', 'include_pricing', 'include_purged', 'fields'],
    honored(LIBRARY),
  ),
  include_items: unused('Items of a creative are among its assets, which are always there.'),
  include_variables: unused('Creatives have no variables here.'),
  ...fieldsOf(
    ['include_webhook_activity', 'webhook_activity_limit'],
    unused('No webhooks are fired for creatives alone, so there is no activity to show.'),
  ),
  pagination: PAGINATION,
};

const DELIVERY = 'tasks/creative/get-creative-delivery.ts';

/** The fields of get_creative_delivery. */
export const GET_CREATIVE_DELIVERY: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['media_buy_ids', 'creative_ids', 'max_variants'], honored(DELIVERY)),
  ...fieldsOf(['start_date', 'end_date'], honored('tasks/media-buy/delivery-window.ts')),
  pagination: PAGINATION,
};

/** A manifest that is previewed or built from. */
export const MANIFEST_MEMBERS: Members = {
  format_id: FORMAT,
  ...CANONICAL_FORMAT,
  assets: ASSETS,
  ...fieldsOf(
    ['rights', 'industry_identifiers', 'provenance', 'brand', 'ext'],
    unused('It says nothing of how the creative looks.'),
  ),
};

const BUILD = 'tasks/creative/build/build.ts';
const BRAND = '~/creative/compose/brand.ts';

/** Variants of a preview. */
const INPUTS: Members = {
  ...fieldsOf(['name', 'macros'], honored('~/creative/preview/variant.ts')),
  context_description: honored('~/creative/preview/variant.ts'),
};

const PLAN = 'tasks/creative/build/plan-build.ts';
const SPEND = 'tasks/creative/build/spend.ts';
const FAN_OUT = 'tasks/creative/build/fan-out/fan-out.ts';
const CONDITION = 'tasks/creative/build/fan-out/signal-condition.ts';
const EVALUATOR = 'tasks/creative/build/judge/evaluator.ts';
const JUDGE = 'tasks/creative/build/judge/remote-judge.ts';
const EVALUATION = 'domain/creative/evaluation.ts';
const BUILD_PRICE = 'domain/creative/build-price.ts';

/** The fields of build_creative. */
export const BUILD_CREATIVE: Members = {
  ...KEYED,
  account: ACCOUNT,
  ...fieldsOf(['message', 'include_preview', 'item_limit'], honored(BUILD)),
  creative_id: honored('tasks/creative/build/libraries.ts'),
  macro_values: honored('tasks/creative/build/leaf.ts'),
  preview_output_format: honored('tasks/creative/build/preview-built.ts'),
  creative_manifest: honored(BUILD, MANIFEST_MEMBERS),
  ...fieldsOf(['target_format_id', 'target_format_ids'], FORMAT),
  preview_inputs: honored(BUILD, INPUTS),
  brand: honored(BRAND, {
    ...fieldsOf(['domain', 'brand_id', 'industries'], honored(BRAND)),
    brand_kit_override: honored(BRAND, {
      ...fieldsOf(['voice', 'tagline'], honored(BRAND)),
      logo: honored(BRAND, {
        url: honored(BRAND),
        ...fieldsOf(
          ['asset_type', 'width', 'height', 'format', 'alt_text', 'provenance'],
          unused('The picture is fetched and says this itself.'),
        ),
      }),
      colors: honored(
        BRAND,
        fieldsOf(['primary', 'secondary', 'accent'], honored('~/creative/compose/pictures/color.ts')),
      ),
    }),
    data_subject_contestation: unused('Nothing of a person is in what is made.'),
  }),
  concept_id: unused('A creative_id names one creative of the library, whatever its concept.'),
  ...fieldsOf(['media_buy_id', 'package_id'], unused('Tags are made per creative, not per package.')),
  ...fieldsOf(['quality', 'preview_quality'], unused('There is one quality: the full one.')),
  transformer_id: honored(PLAN),
  config: honored(PLAN, 'whole'),
  refine_from_build_variant_id: honored('tasks/creative/build/refinement.ts'),
  mode: honored(SPEND),
  max_spend: honored(SPEND, fieldsOf(['amount', 'currency'], honored(BUILD_PRICE))),
  max_creatives: honored(FAN_OUT),
  max_variants: honored(PLAN),
  variant_axis: honored(PLAN, {
    dimension: honored(PLAN),
    field: honored(PLAN),
    values: honored(PLAN, 'whole'),
    label: unused('It says in words what dimension, field and values say.'),
  }),
  keep_mode: honored('tasks/creative/build/answer.ts'),
  selection_strategy: honored(FAN_OUT),
  signal_conditions: honored(FAN_OUT, {
    ...fieldsOf(['signal_ref', 'signal_id'], honored(CONDITION, 'whole')),
    ...fieldsOf(
      ['value_type', 'value', 'values', 'min_value', 'max_value', 'signal_agent_segment_id'],
      honored(CONDITION),
    ),
  }),
  evaluator: honored(EVALUATOR, {
    ...fieldsOf(['evaluator_id', 'agent_url'], honored(EVALUATOR)),
    exemplars: refused(
      'Nothing is learned from examples here.',
      'Send evaluator_id "creative_features" with rank_by, or the agent_url of a judge that knows the examples.',
      { by: EVALUATOR },
    ),
    feature_agent: honored(EVALUATOR, fieldsOf(['agent_url', 'feature_id'], honored(JUDGE))),
    feature_requirement: honored(EVALUATION, {
      ...fieldsOf(['feature_id', 'min_value', 'max_value', 'if_not_covered'], honored(EVALUATION)),
      allowed_values: honored(EVALUATION, 'whole'),
      policy_id: unused('It says why something is required, not what.'),
    }),
    rank_by: honored(EVALUATION, fieldsOf(['feature_id', 'direction'], honored(EVALUATION))),
    eval_budget: honored(JUDGE, fieldsOf(['max_calls', 'max_seconds'], honored(JUDGE))),
    ext: unused('Extensions belong to their vendor; none is known here.'),
  }),
  push_notification_config: NOTIFICATIONS,
};

const PREVIEW = 'tasks/creative/preview/preview.ts';

/** A preview that is asked for, alone or in a batch. */
const ONE_PREVIEW: Members = {
  format_id: FORMAT,
  creative_manifest: honored(PREVIEW, MANIFEST_MEMBERS),
  inputs: honored(PREVIEW, INPUTS),
  output_format: honored(PREVIEW),
  template_id: refused(
    'Formats are drawn by their own templates.',
    'Leave template_id out; format_id says how the creative is drawn.',
  ),
  quality: unused('There is one quality: the full one.'),
  item_limit: refused(
    'A preview shows every item of the creative.',
    'Leave item_limit out, or send only the items that are to be shown.',
  ),
};

/** The fields of preview_creative. */
export const PREVIEW_CREATIVE: Members = {
  ...ENVELOPE,
  ...ONE_PREVIEW,
  request_type: honored(PREVIEW),
  requests: honored(PREVIEW, ONE_PREVIEW),
  variant_id: refused(
    'Variants that were served are not kept to be previewed.',
    'Use request_type "single" with a creative_manifest; inputs shows its variants.',
  ),
  creative_id: unused('What is previewed is the manifest.'),
};

const VALIDATE = 'tasks/creative/validate/choose-format.ts';

/** The fields of validate_input. */
export const VALIDATE_INPUT: Members = {
  ...beyond(ENVELOPE),
  account: ACCOUNT,
  brand: unused('What a product takes does not depend on the brand.'),
  manifest: honored(VALIDATE, MANIFEST_MEMBERS),
  targets: honored(VALIDATE, fieldsOf(['kind', 'id'], honored(VALIDATE))),
};

const FEATURES = 'tasks/creative/features/measure.ts';

/** A manifest that is measured. */
const MEASURED_MANIFEST: Members = {
  assets: honored(MANIFEST, { '*': honored(MANIFEST, ASSET) }),
  provenance: honored('~/creative/features/features.ts', 'whole'),
  ...fieldsOf(
    ['format_id', 'format_kind', 'format_option_ref', 'rights', 'industry_identifiers', 'brand', 'ext'],
    unused('What is measured is in the assets, whatever the format.'),
  ),
};

/** The fields of get_creative_features. */
export const GET_CREATIVE_FEATURES: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  creative_manifest: honored(MANIFEST, MEASURED_MANIFEST),
  feature_ids: honored(FEATURES),
};

const TRANSFORMERS = 'tasks/creative/list-transformers.ts';

/** The fields of list_transformers. */
export const LIST_TRANSFORMERS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['transformer_ids', 'name_search', 'brief', 'include_pricing'], honored(TRANSFORMERS)),
  ...fieldsOf(['input_format_ids', 'output_format_ids'], FORMAT),
  expand_params: unused('Every parameter is shown with all of its values.'),
  expand_pagination: refused(
    'Every parameter is shown with all of its values, which have no further pages.',
    'Leave expand_pagination out, and read allowed_values.',
  ),
  pagination: PAGINATION,
};
