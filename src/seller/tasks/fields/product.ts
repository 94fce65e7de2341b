import { UNDECLARED_FILTERS } from '../../domain/product/filters.js';
import { fieldsOf, honored, type Members, refused, unused } from './field.js';
import { ACCOUNT, ENVELOPE, FORMAT, NOTIFICATIONS, PAGINATION } from './shared.js';

const FILTERS = 'domain/product/filters.ts';

/** Filters that a product passes by what its file declares. */
const DECLARED = honored(FILTERS);

/** The fields of get_products. */
export const GET_PRODUCTS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['buying_mode', 'brief'], honored('tasks/product/get-products.ts')),
  refine: honored(
    'tasks/product/refine.ts',
    fieldsOf(['scope', 'ask', 'product_id', 'action', 'proposal_id'], honored('tasks/product/refine.ts')),
  ),
  brand: honored('tasks/product/get-products.ts', {
    ...fieldsOf(['domain', 'industries'], honored('tasks/product/get-products.ts')),
    brand_id: honored('tasks/product/brand-industries.ts'),
    ...fieldsOf(
      ['data_subject_contestation', 'brand_kit_override'],
      unused('Products are found by the domain and the industries of a brand.'),
    ),
  }),
  catalog: refused(
    'Products are not matched against catalogs.',
    'Leave catalog out, and say in brief what is advertised.',
  ),
  property_list: honored('tasks/product/listed-products.ts', {
    ...fieldsOf(['agent_url', 'list_id', 'auth_token'], honored('tasks/inventory-list/read-list.ts')),
  }),
  preferred_delivery_types: honored('tasks/product/get-products.ts'),
  filters: honored(FILTERS, {
    ...fieldsOf(
      [
        'delivery_type',
        'exclusivity',
        'is_fixed_price',
        'pricing_currencies',
        'standard_formats_only',
        'min_exposures',
        'start_date',
        'end_date',
        'countries',
        'regions',
        'channels',
        'required_metrics',
      ],
      DECLARED,
    ),
    format_ids: FORMAT,
    budget_range: honored(FILTERS, fieldsOf(['currency', 'min', 'max'], DECLARED)),
    ...fieldsOf(['required_features', 'required_vendor_metrics', 'signal_targeting'], honored(FILTERS, 'whole')),
    required_geo_targeting: honored(FILTERS, {
      ...fieldsOf(['level', 'system'], DECLARED),
      country: unused('It is a part of postal areas, which no product is targeted by.'),
    }),
    // No product declares these: whatever they ask for, no product passes, and filter_diagnostics says why.
    ...fieldsOf(UNDECLARED_FILTERS, honored(FILTERS, 'whole')),
    ext: unused('Extensions belong to their vendor; none is known here.'),
  }),
  fields: honored('tasks/product/get-products.ts'),
  time_budget: unused('Every search is answered within the shortest time that can be named.'),
  pagination: PAGINATION,
  required_policies: refused(
    'Products do not say which policies of the registry they keep.',
    'Leave required_policies out; the capabilities tell the advertising policies of the seller.',
  ),
  push_notification_config: NOTIFICATIONS,
  if_wholesale_feed_version: honored('domain/feed/feed.ts'),
  if_pricing_version: honored('domain/feed/feed.ts'),
};

/** The fields of list_creative_formats. */
export const LIST_CREATIVE_FORMATS: Members = {
  ...ENVELOPE,
  ...fieldsOf(['format_ids', 'output_format_ids', 'input_format_ids'], FORMAT),
  ...fieldsOf(
    [
      'asset_types',
      'max_width',
      'max_height',
      'min_width',
      'min_height',
      'is_responsive',
      'name_search',
      'wcag_level',
      'disclosure_positions',
      'disclosure_persistence',
      'type',
    ],
    honored('~/creative/formats/filters.ts'),
  ),
  publisher_domain: honored('tasks/creative/list-creative-formats.ts'),
  property_id: unused('No format here is bound to single properties: every one applies to all of them.'),
  pagination: PAGINATION,
  account: ACCOUNT,
  include_pricing: refused('Formats have no prices here.', 'Leave include_pricing out.', { unless: [false] }),
};
