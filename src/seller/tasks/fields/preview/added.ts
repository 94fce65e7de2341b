import { each, type Members, refused } from '../field.js';

const NOT_OFFERED = refused('No product offers this targeting.', 'Target by what the product offers.');

/** The dimensions of targeting that came with 3.2. */
export const NEW_TARGETING: Members = each(
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
