import { carried, fieldsOf, honored, type Members, refused } from './field.js';
import { duration } from './shared.js';

const CHECK = 'domain/targeting/check.ts';
const REACH = 'domain/targeting/reach.ts';
const PARTS = 'domain/targeting/parts.ts';

const LIST = honored(CHECK, {
  ...fieldsOf(['agent_url', 'list_id'], honored(CHECK)),
  auth_token: honored('tasks/media-buy/targeting-references.ts'),
});

const AGES = 'domain/targeting/ages.ts';

const NOT_OFFERED = refused(
  'No product offers this targeting.',
  'Target by what the product offers; the error lists it.',
  { by: CHECK },
);

/** `targeting_overlay` of a package. Whether a product offers what is honored here, its file says. */
export const TARGETING: Members = {
  ...fieldsOf(
    [
      'geo_countries',
      'geo_countries_exclude',
      'geo_regions',
      'geo_regions_exclude',
      'device_type',
      'device_type_exclude',
      'device_platform',
    ],
    honored(PARTS),
  ),
  ...fieldsOf(['language', 'audience_include', 'audience_exclude'], honored(REACH)),
  daypart_targets: honored(REACH, {
    ...fieldsOf(['days', 'start_hour', 'end_hour'], honored(REACH)),
    label: carried('package'),
  }),
  frequency_cap: honored(REACH, {
    suppress: honored(REACH, duration(REACH)),
    suppress_minutes: honored(REACH),
    max_impressions: honored(REACH),
    per: honored(CHECK),
    window: honored(REACH, duration(REACH)),
  }),
  ...fieldsOf(['property_list', 'collection_list', 'collection_list_exclude'], LIST),
  signal_targeting_groups: honored(REACH, 'whole'),
  age_restriction: honored(AGES, fieldsOf(['min', 'verification_required', 'accepted_methods'], honored(AGES))),
  ...fieldsOf(
    [
      'geo_metros',
      'geo_metros_exclude',
      'geo_postal_areas',
      'geo_postal_areas_exclude',
      'geo_proximity',
      'store_catchments',
      'keyword_targets',
      'negative_keywords',
      'signal_targeting',
      'axe_include_segment',
      'axe_exclude_segment',
    ],
    NOT_OFFERED,
  ),
};
