import { carried, fieldsOf, honored, type Members, refused, unused } from '../field.js';

const NOT_OFFERED = refused('No product offers this targeting.', 'Target by what the product offers.');

/** The dimensions of targeting that came with 3.2. */
export const NEW_TARGETING: Members = fieldsOf(
  [
    'demographics',
    'geo_places',
    'geo_places_exclude',
    'property_list_exclude',
    'placement_selection',
    'device_platform_exclude',
    'browser',
    'browser_exclude',
  ],
  NOT_OFFERED,
);

const UNIT = 'tasks/pipeline/resolve-account.ts';
const NEW_KEY: Members = {
  brand: honored(UNIT, { countries: unused('An account is told by the domain and the brand_id of its brand.') }),
  ...fieldsOf(
    ['operator_unit', 'currency', 'timezone'],
    refused(
      'Accounts are told apart by brand and operator alone.',
      'Leave it out, or name the account by its account_id.',
    ),
  ),
};
const ACCOUNT: Members = { account: honored(UNIT, NEW_KEY) };

const SCALE = fieldsOf(['pixel_ratio'], unused('Sizes are in CSS pixels, whatever the density of the screen.'));
const FORMAT = honored('~/creative/formats/format-id.ts', SCALE);
const CAPABILITY = refused('Formats are named by format_id.', 'Send a format_id of list_creative_formats.');
const NOT_YET = refused('This is not served in the preview.', 'Leave it out.');
const COMPACT_ALONE = refused(
  'This is done by the compact tasks of 3.2.',
  'Leave it out, or call buy_products, accept_proposal or control_media_buy.',
);

const CREATIVE: Members = {
  format_id: FORMAT,
  assets: honored('~/creative/check', { '*': honored('~/creative/check', SCALE) }),
  localization: NOT_YET,
};

const TERMS: Members = {
  ...fieldsOf(
    ['bidding', 'min_spend_target', 'daily_budget_cap', 'audience_evidence_requirements', 'audience_evidence_pins'],
    COMPACT_ALONE,
  ),
  targeting_overlay: honored('domain/targeting/check.ts', NEW_TARGETING),
  creative_assignments: honored(
    'tasks/creative/library/fill-package.ts',
    fieldsOf(
      ['rotation_mode', 'group_id', 'sequence_position'],
      refused('Creatives rotate by weight.', 'Leave it out, and send weights.'),
    ),
  ),
  creatives: honored('tasks/creative/library/fill-package.ts', CREATIVE),
};
const LINES = honored('domain/media-buy/order.ts', { ...TERMS, format_ids: FORMAT });

const BUY: Members = {
  ...ACCOUNT,
  governance_context: honored('tasks/pipeline/consult-governance.ts'),
  ...fieldsOf(['name', 'pacing', 'bidding', 'daily_budget_cap', 'budget_cap_timezone', 'opportunity'], COMPACT_ALONE),
  budget_allocation: refused('Budgets are not shared among packages.', 'Send a budget with each package.', {
    unless: [{ mode: 'fixed' }],
  }),
};

const MANIFEST = honored('~/creative/check', CREATIVE);

/** The fields that 3.2 adds to the tasks of older releases, for callers of the preview: most are refused, none is passed over. */
export const ADDED_FIELDS: Readonly<Record<string, Members>> = {
  get_products: {
    ...ACCOUNT,
    idempotency_key: unused('The answer of a reading task is not stored.'),
    brand: honored('tasks/product/get-products.ts', {
      countries: unused('Products are found by the domain of a brand.'),
    }),
    filters: honored('domain/product/filters.ts', {
      format_ids: FORMAT,
      ...fieldsOf(
        ['pricing_structures', 'format_kinds', 'format_option_refs', 'audience_evidence_requirements'],
        refused('get_products does not filter by this.', 'Leave it out, or list_products with format_kinds.'),
      ),
    }),
    ...fieldsOf(['targeting_overlay', 'required_overlay_support'], NOT_YET),
  },
  list_creative_formats: { ...ACCOUNT, ...fieldsOf(['format_ids', 'output_format_ids', 'input_format_ids'], FORMAT) },
  create_media_buy: {
    ...BUY,
    packages: LINES,
    brand: honored('domain/media-buy/order.ts', { countries: carried('media buy') }),
  },
  update_media_buy: { ...BUY, total_budget: COMPACT_ALONE, packages: LINES, new_packages: LINES },
  get_media_buys: { ...ACCOUNT, indicator_types: NOT_YET },
  get_media_buy_delivery: {
    ...ACCOUNT,
    reporting_dimensions: honored('tasks/media-buy/breakdowns.ts', fieldsOf(['demographic', 'spot'], NOT_YET)),
  },
  provide_performance_feedback: fieldsOf(
    [
      'baseline',
      'metric',
      'producer',
      'vendor',
      'methodology',
      'methodology_version',
      'study_ref',
      'evidence',
      'evidence_ref',
      'as_of',
      'final',
      'supersedes_feedback_id',
    ],
    NOT_YET,
  ),
  sync_creatives: { ...ACCOUNT, assignment_operations: NOT_YET, creatives: MANIFEST },
  list_creatives: {
    ...ACCOUNT,
    ...fieldsOf(['assignment_projection', 'assignment_limit'], NOT_YET),
    filters: honored('tasks/creative/list-creatives.ts', {
      accounts: honored(UNIT, NEW_KEY),
      format_ids: FORMAT,
      ...fieldsOf(['indicator_types', 'format_kinds', 'asset_types'], NOT_YET),
    }),
  },
  get_creative_delivery: ACCOUNT,
  build_creative: {
    ...ACCOUNT,
    governance_context: unused('Nothing is committed by this call, so no governance agent is asked.'),
    creative_manifest: MANIFEST,
    ...fieldsOf(['target_format_id', 'target_format_ids'], FORMAT),
    ...fieldsOf(['target_capability_id', 'target_capability_ids'], CAPABILITY),
    brand: honored('tasks/creative/build-creative.ts', {
      countries: unused('A brand is told by its domain.'),
      brand_kit_override: honored('tasks/creative/build-creative.ts', {
        logo: honored('tasks/creative/build-creative.ts', {
          ...SCALE,
          file_size_bytes: unused('The file is read as it is.'),
        }),
      }),
    }),
  },
  preview_creative: {
    creative_manifest: MANIFEST,
    format_id: FORMAT,
    ...fieldsOf(['target_capability_id', 'creative_id'], CAPABILITY),
    requests: honored('tasks/creative/preview-creative.ts', {
      target_capability_id: CAPABILITY,
      creative_id: carried('nowhere', 'An answer numbers its previews itself.'),
      format_id: FORMAT,
      creative_manifest: MANIFEST,
    }),
    allow_async: unused('A preview is answered at once.'),
    push_notification_config: unused('The task is over when it is answered; nothing is left to call a webhook for.'),
  },
  get_signals: ACCOUNT,
  activate_signal: ACCOUNT,
  list_accounts: { ...ACCOUNT, ...fieldsOf(['include_webhook_activity', 'webhook_activity_limit'], NOT_YET) },
  sync_accounts: {
    accounts: honored('tasks/account/sync-accounts.ts', {
      ...NEW_KEY,
      account: honored(UNIT, NEW_KEY),
      ...fieldsOf(['revision', 'operator_identity', 'destination_billing_entity'], NOT_YET),
      notification_configs: honored('tasks/account/subscribers.ts', { product_payload_view: NOT_YET }),
    }),
  },
  search_brands: {
    buyer_brand: honored('domain/brand/search-brands.ts', {
      countries: unused('Rights are refused to brands by their domain alone.'),
    }),
  },
  get_rights: {
    buyer_brand: honored('domain/brand/search.ts', {
      countries: unused('Rights are refused to brands by their domain alone.'),
    }),
  },
  get_account_financials: ACCOUNT,
  sync_governance: { accounts: honored('tasks/account/sync-governance.ts', { account: honored(UNIT, NEW_KEY) }) },
  report_usage: {
    usage: honored('tasks/account/report-usage.ts', {
      account: honored(UNIT, NEW_KEY),
      ...fieldsOf(['conversions', 'conversion_value', 'commissionable_value'], NOT_YET),
    }),
  },
  sync_audiences: ACCOUNT,
  sync_event_sources: {
    ...ACCOUNT,
    event_sources: honored('tasks/event/sync-event-sources.ts', { value_currencies: NOT_YET }),
  },
  sync_catalogs: { ...ACCOUNT, ...fieldsOf(['item_availability_updates', 'item_availability_queries'], NOT_YET) },
  get_task_status: ACCOUNT,
  list_tasks: ACCOUNT,
  validate_property_delivery: ACCOUNT,
  get_media_buy_artifacts: ACCOUNT,
  validate_input: { ...ACCOUNT, manifest: MANIFEST },
  list_transformers: {
    ...ACCOUNT,
    ...fieldsOf(['input_format_ids', 'output_format_ids'], FORMAT),
    ...fieldsOf(['input_format_kinds', 'output_capability_ids'], NOT_YET),
  },
  get_creative_features: { ...ACCOUNT, creative_manifest: MANIFEST },
  ...Object.fromEntries(
    ['property', 'collection'].flatMap((kind) =>
      [
        `create_${kind}_list`,
        `get_${kind}_list`,
        `update_${kind}_list`,
        `list_${kind}_lists`,
        `delete_${kind}_list`,
      ].map((task) => [task, ACCOUNT] as const),
    ),
  ),
};
