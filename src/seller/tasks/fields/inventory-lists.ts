import { beyond, carried, fieldsOf, honored, type Members, refused } from './field.js';
import { ACCOUNT, ENVELOPE, KEYED, PAGINATION, UNUSED_REGISTRATION } from './shared.js';

const JUDGE = 'domain/governance/lists/delivery.ts';
const VALIDATE = 'tasks/governance/lists/validate-property-delivery.ts';
const RESOLVE = 'domain/governance/lists/resolve.ts';
const GET = 'tasks/governance/lists/get-list.ts';
const SUBSCRIBER = 'tasks/governance/lists/subscriber.ts';

const IDS = honored(RESOLVE, fieldsOf(['type', 'value'], honored(RESOLVE)));

const PROPERTY_BASE = honored(RESOLVE, {
  ...fieldsOf(['selection_type', 'publisher_domain', 'tags', 'property_ids'], honored(RESOLVE)),
  identifiers: IDS,
});

const COLLECTION_BASE = honored(RESOLVE, {
  ...fieldsOf(['selection_type', 'publisher_domain', 'collection_ids', 'genres', 'genre_taxonomy'], honored(RESOLVE)),
  identifiers: IDS,
});

const RATINGS = honored(RESOLVE, fieldsOf(['system', 'rating'], honored(RESOLVE)));

const PROPERTY_FILTERS = honored(RESOLVE, {
  ...fieldsOf(['countries_all', 'channels_any', 'property_types'], honored(RESOLVE)),
  exclude_identifiers: IDS,
  feature_requirements: refused(
    'This agent measures no features of properties.',
    'Leave it out, and filter by countries_all, channels_any, property_types and exclude_identifiers.',
  ),
});

const COLLECTION_FILTERS = honored(RESOLVE, {
  ...fieldsOf(['content_ratings_exclude', 'content_ratings_include'], RATINGS),
  ...fieldsOf(['genres_exclude', 'genres_include', 'genre_taxonomy', 'kinds', 'production_quality'], honored(RESOLVE)),
  exclude_distribution_ids: IDS,
});

const DESCRIBED: Members = {
  account: ACCOUNT,
  name: honored('store/governance/inventory-lists.ts'),
  description: honored('domain/governance/lists/wire.ts'),
  brand: carried('store', 'It is shown with the list; this agent has no rules of brands.'),
};

const MADE: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  ...DESCRIBED,
  ...beyond({ webhook_url: honored(SUBSCRIBER) }),
};
const CHANGED: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  ...DESCRIBED,
  list_id: honored('tasks/governance/lists/update-list.ts'),
  webhook_url: honored(SUBSCRIBER),
};

/** The fields of create_property_list. */
export const CREATE_PROPERTY_LIST: Members = { ...MADE, base_properties: PROPERTY_BASE, filters: PROPERTY_FILTERS };
/** The fields of create_collection_list. */
export const CREATE_COLLECTION_LIST: Members = {
  ...MADE,
  base_collections: COLLECTION_BASE,
  filters: COLLECTION_FILTERS,
};
/** The fields of update_property_list. */
export const UPDATE_PROPERTY_LIST: Members = { ...CHANGED, base_properties: PROPERTY_BASE, filters: PROPERTY_FILTERS };
/** The fields of update_collection_list. */
export const UPDATE_COLLECTION_LIST: Members = {
  ...CHANGED,
  base_collections: COLLECTION_BASE,
  filters: COLLECTION_FILTERS,
};

/** The fields of get_property_list and get_collection_list. */
export const GET_LIST: Members = {
  ...ENVELOPE,
  ...fieldsOf(['list_id', 'resolve'], honored(GET)),
  account: ACCOUNT,
  pagination: honored(GET, fieldsOf(['max_results', 'cursor'], honored(GET))),
};

/** The fields of list_property_lists and list_collection_lists. */
export const LIST_LISTS: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  name_contains: honored('tasks/governance/lists/list-lists.ts'),
  pagination: PAGINATION,
};

/** The fields of delete_property_list and delete_collection_list. */
export const DELETE_LIST: Members = {
  ...KEYED,
  ...UNUSED_REGISTRATION,
  list_id: honored('tasks/governance/lists/delete-list.ts'),
  account: ACCOUNT,
};

/** The fields of validate_property_delivery. */
export const VALIDATE_PROPERTY_DELIVERY: Members = {
  ...ENVELOPE,
  account: ACCOUNT,
  ...fieldsOf(['list_id', 'include_compliant'], honored(VALIDATE)),
  records: honored(VALIDATE, {
    identifier: honored(JUDGE, fieldsOf(['type', 'value'], honored(JUDGE))),
    ...fieldsOf(['impressions', 'record_id'], honored(VALIDATE)),
    sales_agent_url: honored('registry/seller-authority.ts'),
    ext: carried(
      'nowhere',
      'A record is judged by its identifier and seller; the record_id tells which record is meant.',
    ),
  }),
};
