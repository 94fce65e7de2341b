import { isObject } from '../../../platform/kernel/json/json.js';

/** Returns targeting as people read it, a sentence for each dimension, such as `Countries: US, DE`; empty where everybody is meant. */
export function describeTargeting(targeting: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(targeting).map(([name, value]) => {
    const describe = WORDS[name];
    return describe === undefined ? `${sentence(name)}: ${valueText(value)}` : describe(value);
  });
}

/** The dimensions that read better in words of their own. */
const WORDS: Readonly<Record<string, (value: unknown) => string>> = {
  geo_countries: (value) => `Countries: ${valueText(value)}`,
  geo_countries_exclude: (value) => `Not in the countries: ${valueText(value)}`,
  geo_regions: (value) => `Regions: ${valueText(value)}`,
  geo_regions_exclude: (value) => `Not in the regions: ${valueText(value)}`,
  language: (value) => `Languages: ${valueText(value)}`,
  device_type: (value) => `Devices: ${valueText(value)}`,
  device_type_exclude: (value) => `Not on devices: ${valueText(value)}`,
  device_platform: (value) => `Systems: ${valueText(value)}`,
  audience_include: (value) => `Audiences, any of: ${valueText(value)}`,
  audience_exclude: (value) => `Not the audiences: ${valueText(value)}`,
  daypart_targets: describeDayparts,
  frequency_cap: describeCap,
  age_restriction: describeAges,
  property_list: (value) => `Properties of the list: ${listText(value)}`,
  collection_list: (value) => `Collections of the list: ${listText(value)}`,
  collection_list_exclude: (value) => `Not the collections of the list: ${listText(value)}`,
};

function describeDayparts(value: unknown): string {
  const parts = asList(value).map((part) => {
    const { days, start_hour: from, end_hour: to } = isObject(part) ? part : {};
    return `${asList(days).join(', ')} from ${hourText(from)} to ${hourText(to)}`;
  });
  return `Hours: ${parts.join('; ')} (in the time of whoever sees the ad)`;
}

function hourText(hour: unknown): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

function describeCap(value: unknown): string {
  const { max_impressions: most, per, window, suppress, suppress_minutes: minutes } = isObject(value) ? value : {};
  const counted =
    most === undefined
      ? []
      : [`at most ${most} impressions in ${spanText(window)}${per === undefined ? '' : ` for each of ${per}`}`];
  const paused = [
    ...(suppress === undefined ? [] : [`then nothing for ${spanText(suppress)}`]),
    ...(minutes === undefined ? [] : [`then nothing for ${minutes} minutes`]),
  ];
  return `Frequency cap: ${[...counted, ...paused].join('; ')}`;
}

function spanText(span: unknown): string {
  const { interval = 1, unit = 'days' } = isObject(span) ? span : {};
  if (unit === 'campaign') return 'the campaign';
  return interval === 1 ? `1 ${String(unit).replace(/s$/, '')}` : `${interval} ${unit}`;
}

function describeAges(value: unknown): string {
  const { accepted_methods: methods, min, verification_required: isRequired } = isObject(value) ? value : {};
  const verified = isRequired === true || methods !== undefined ? ', verified' : '';
  const how = methods === undefined ? '' : ` by ${valueText(methods)}`;
  return `Age: ${min} or older${verified}${how}`;
}

function listText(value: unknown): string {
  const { agent_url: agent, list_id: id } = isObject(value) ? value : {};
  return `${id} at ${agent}`;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function sentence(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return isObject(value) ? JSON.stringify(value) : String(value);
}
