import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';

/** The dimensions of `targeting_overlay` that the protocol knows, and whether this seller's ad server takes them. */
const DIMENSIONS: Readonly<Record<string, boolean>> = {
  geo_countries: true,
  geo_countries_exclude: true,
  geo_regions: true,
  geo_regions_exclude: true,
  language: true,
  device_type: true,
  device_type_exclude: true,
  device_platform: true,
  daypart_targets: true,
  frequency_cap: true,
  audience_include: true,
  audience_exclude: true,
  property_list: true,
  collection_list: true,
  collection_list_exclude: true,
  geo_metros: false,
  geo_metros_exclude: false,
  geo_postal_areas: false,
  geo_postal_areas_exclude: false,
  geo_proximity: false,
  age_restriction: false,
  store_catchments: false,
  keyword_targets: false,
  negative_keywords: false,
  signal_targeting: false,
  signal_targeting_groups: false,
  axe_include_segment: false,
  axe_exclude_segment: false,
};

/** References to lists of inventory that another agent maintains. */
const LISTS = ['property_list', 'collection_list', 'collection_list_exclude'] as const;

/** Dimensions that name audiences of the account. */
export const AUDIENCE_DIMENSIONS = ['audience_include', 'audience_exclude'] as const;

const PATTERNS: Readonly<Record<string, RegExp>> = {
  audience_include: /^.{1,255}$/s,
  audience_exclude: /^.{1,255}$/s,
  geo_countries: /^[A-Z]{2}$/,
  geo_countries_exclude: /^[A-Z]{2}$/,
  geo_regions: /^[A-Z]{2}-[A-Z0-9]{1,3}$/,
  geo_regions_exclude: /^[A-Z]{2}-[A-Z0-9]{1,3}$/,
  language: /^[a-z]{2}$/,
};

/**
 * Refuses targeting that would be ignored: UNSUPPORTED_FEATURE for a dimension that is not offered, VALIDATION_ERROR for
 * unknown values and for countries outside `sold`, where the product runs. Members the protocol does not know pass. `field` is the package's path.
 */
export function checkTargeting(
  overlay: Readonly<Record<string, unknown>>,
  sold: readonly string[],
  field: string,
): void {
  const path = `${field}.targeting_overlay`;
  for (const [name, value] of Object.entries(overlay)) {
    if (DIMENSIONS[name] === false) {
      const offered = Object.keys(DIMENSIONS).filter((dimension) => DIMENSIONS[dimension]);
      throw new TaskError('UNSUPPORTED_FEATURE', 'This seller does not offer this targeting.', {
        field: `${path}.${name}`,
        suggestion: `Leave ${name} out. Offered: ${offered.join(', ')}.`,
      });
    }
    const pattern = PATTERNS[name];
    if (pattern !== undefined) checkValues(value, pattern, `${path}.${name}`);
  }
  for (const name of LISTS) if (overlay[name] !== undefined) checkList(overlay[name], `${path}.${name}`);
  const { geo_countries: countries } = overlay;
  if (Array.isArray(countries) && countries.length > 0 && !countries.some((country) => sold.includes(country))) {
    throw new TaskError('VALIDATION_ERROR', 'The product does not run in any of these countries.', {
      field: `${path}.geo_countries`,
      suggestion: `The product runs in ${sold.join(', ')}; target one of these, or search with filters.countries.`,
    });
  }
}

/** A reference names a list at an agent; what is on it is looked up when ads are served. */
function checkList(value: unknown, field: string): void {
  const { agent_url: agent, list_id: id } = isObject(value) ? value : {};
  if (typeof agent !== 'string' || !isUrl(agent)) throw invalidList(`${field}.agent_url`);
  if (typeof id !== 'string' || id === '' || id.length > 255) throw invalidList(`${field}.list_id`);
}

function invalidList(field: string): TaskError {
  return new TaskError('VALIDATION_ERROR', 'The reference does not name a list at an agent.', {
    field,
    suggestion: 'Send {agent_url, list_id}: the URL of the agent that keeps the list, and its id there.',
  });
}

/** Returns targeting as it is stored and shown: without the tokens that lead to lists, which are nobody else's to see. */
export function shownTargeting(overlay: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const lists = LISTS.flatMap((name) => {
    const value = overlay[name];
    if (!isObject(value) || value.auth_token === undefined) return [];
    const { auth_token: _token, ...shown } = value;
    return [[name, shown]];
  });
  return lists.length === 0 ? overlay : { ...overlay, ...Object.fromEntries(lists) };
}

function checkValues(value: unknown, pattern: RegExp, field: string): void {
  if (!Array.isArray(value)) {
    throw new TaskError('VALIDATION_ERROR', 'The targeting value has the wrong form.', {
      field,
      suggestion: `Send a list of values that match ${pattern.source}.`,
    });
  }
  const values: readonly unknown[] = value;
  const wrong = values.findIndex((item) => typeof item !== 'string' || !pattern.test(item));
  if (wrong < 0) return;
  throw new TaskError('VALIDATION_ERROR', 'The targeting value has the wrong form.', {
    field: `${field}[${wrong}]`,
    suggestion: `Values must match ${pattern.source}.`,
  });
}
