import { isObject } from '../../../platform/kernel/json/json.js';
import { findMeantName, quoteNames } from '../../../platform/kernel/nearest.js';
import { isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import { checkAges } from './ages.js';
import { LISTS } from './lists.js';
import {
  cappedUnits,
  deviceShares,
  languageShares,
  type OfferedKind,
  type OfferingSupply,
  offeredKinds,
} from './offer.js';
import type { Overlay, Supply } from './parts.js';
import { computeReach, MINUTES_OF_DAY, type Reach, readCap, WINDOW_UNITS, windowDays } from './reach.js';
import { checkSignals } from './signals.js';

/** The dimensions of `targeting_overlay`: the kind of targeting that a product offers for each, or undefined where no product here can. */
const DIMENSIONS: Readonly<Record<string, OfferedKind | undefined>> = {
  geo_countries: 'geo_countries',
  geo_countries_exclude: 'geo_countries',
  geo_regions: 'geo_regions',
  geo_regions_exclude: 'geo_regions',
  language: 'language',
  device_type: 'device_type',
  device_type_exclude: 'device_type',
  device_platform: 'device_platform',
  daypart_targets: 'daypart_targets',
  frequency_cap: 'frequency_cap',
  audience_include: 'audience',
  audience_exclude: 'audience',
  property_list: 'property_list',
  collection_list: 'collection_list',
  collection_list_exclude: 'collection_list',
  signal_targeting_groups: 'signals',
  age_restriction: 'ages',
  geo_metros: undefined,
  geo_metros_exclude: undefined,
  geo_postal_areas: undefined,
  geo_postal_areas_exclude: undefined,
  geo_proximity: undefined,
  store_catchments: undefined,
  keyword_targets: undefined,
  negative_keywords: undefined,
  signal_targeting: undefined,
  axe_include_segment: undefined,
  axe_exclude_segment: undefined,
};

/** Returns the kinds of targeting that at least one of these dimensions is of. */
export function kindsOfDimensions(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => DIMENSIONS[name] ?? []));
}

/** Members of an overlay that are the buyer's own, stored and returned as they came. */
const CARRIED: ReadonlySet<string> = new Set(['ext', 'context']);

/** Dimensions that name audiences of the account. */
export const AUDIENCE_DIMENSIONS = ['audience_include', 'audience_exclude'] as const;

const DEVICES = 'desktop mobile tablet ctv dooh unknown'.split(' ');
const PLATFORMS = 'ios android windows macos linux chromeos tvos tizen webos fire_os roku_os unknown'.split(' ');

/** The form that each value of a dimension has, and a list of such values or the words that there are. */
type ValueForm = { readonly pattern: RegExp; readonly example: string };

const AUDIENCES: ValueForm = { pattern: /^.{1,255}$/s, example: 'audience_ids of sync_audiences' };
const COUNTRIES: ValueForm = { pattern: /^[A-Z]{2}$/, example: 'countries in two capitals, such as ["US", "CA"]' };
const SUBDIVISIONS: ValueForm = {
  pattern: /^[A-Z]{2}-[A-Z0-9]{1,3}$/,
  example: 'subdivisions behind their country, such as ["US-CA", "DE-BE"]',
};
const DEVICE_TYPES = wordsForm(DEVICES);

const FORMS: Readonly<Record<string, ValueForm>> = {
  audience_include: AUDIENCES,
  audience_exclude: AUDIENCES,
  geo_countries: COUNTRIES,
  geo_countries_exclude: COUNTRIES,
  geo_regions: SUBDIVISIONS,
  geo_regions_exclude: SUBDIVISIONS,
  language: { pattern: /^[a-z]{2}$/, example: 'languages in two letters, such as ["en", "fr"]' },
  device_type: DEVICE_TYPES,
  device_type_exclude: DEVICE_TYPES,
  device_platform: wordsForm(PLATFORMS),
};

function wordsForm(words: readonly string[]): ValueForm {
  return { pattern: new RegExp(`^(?:${words.join('|')})$`), example: `some of ${quoteNames(words)}` };
}

/** Returns the dimensions that a product can target, by their names on the wire. */
export function listDimensions(supply: OfferingSupply): readonly string[] {
  const offered = offeredKinds(supply);
  return Object.entries(DIMENSIONS).flatMap(([name, kind]) => (kind !== undefined && offered.has(kind) ? [name] : []));
}

/** The context of targeting: the days of the flight, the package's path, and the part of the product that its lists leave. */
type TargetingContext = { readonly flightDays: number; readonly field: string; readonly listed?: number | undefined };

/**
 * Judges targeting of a product in a flight, and returns what it leaves of the supply; undefined where that is everything. Throws
 * UNSUPPORTED_FEATURE for a dimension that the product does not offer, SIGNAL_NOT_FOUND for a signal that it does not have, VALIDATION_ERROR
 * for unknown values and where nothing is left.
 */
export function judgeTargeting(
  overlay: Overlay,
  supply: Supply,
  { flightDays, field, listed }: TargetingContext,
): Reach | undefined {
  const path = `${field}.targeting_overlay`;
  const offered = listDimensions(supply);
  for (const [name, value] of Object.entries(overlay)) {
    if (CARRIED.has(name)) continue;
    if (!offered.includes(name)) throw notOffered(name, offered, path);
    const form = FORMS[name];
    if (form !== undefined) checkValues(value, form, `${path}.${name}`);
  }
  for (const name of LISTS) if (overlay[name] !== undefined) checkList(overlay[name], `${path}.${name}`);
  checkSignals(overlay.signal_targeting_groups, supply.signals, `${path}.signal_targeting_groups`);
  checkAges(overlay.age_restriction, supply.ages, `${path}.age_restriction`);
  checkDayparts(overlay.daypart_targets, `${path}.daypart_targets`);
  checkCap(overlay.frequency_cap, cappedUnits(supply, supply.channels), `${path}.frequency_cap`);
  const { geo_countries: countries } = overlay;
  const sold = supply.countries;
  if (Array.isArray(countries) && countries.length > 0 && !countries.some((country) => sold.includes(country))) {
    throw new TaskError('VALIDATION_ERROR', 'The product does not run in any of these countries.', {
      field: `${path}.geo_countries`,
      suggestion: `The product runs in ${sold.join(', ')}; target one of these, or search with filters.countries.`,
    });
  }
  const reach = computeReach(overlay, supply, flightDays, listed);
  if (reach !== undefined && impressionsLeft(reach, supply, flightDays) < 1) throw nothingLeft(overlay, supply, path);
  return reach;
}

function notOffered(name: string, offered: readonly string[], path: string): TaskError {
  const meant = name in DIMENSIONS ? undefined : findMeantName(name, offered);
  const isUnknown = !(name in DIMENSIONS);
  return new TaskError(
    'UNSUPPORTED_FEATURE',
    isUnknown ? 'There is no such targeting.' : 'This product does not offer this targeting.',
    {
      field: `${path}.${name}`,
      suggestion: `${meant === undefined ? `Leave ${name} out.` : `Did you mean ${meant}?`} Offered: ${offered.join(', ')}.`,
      details: { offered },
    },
  );
}

function impressionsLeft({ share, per_day }: Reach, { daily_impressions }: Supply, flightDays: number): number {
  return Math.min(daily_impressions * share, per_day ?? Number.POSITIVE_INFINITY) * Math.max(flightDays, 1);
}

/** The values of each dimension that a product has, for whoever targeted others. */
const AVAILABLE: readonly (readonly [names: readonly string[], values: (supply: Supply) => readonly string[]])[] = [
  [['geo_countries', 'geo_countries_exclude', 'geo_regions', 'geo_regions_exclude'], (supply) => supply.countries],
  [
    ['device_type', 'device_type_exclude', 'device_platform'],
    (supply) => Object.keys(deviceShares(supply, supply.channels)),
  ],
  [['language'], (supply) => Object.keys(languageShares(supply))],
];

/**
 * Returns the refusal of a targeting that leaves nothing, naming the dimension that alone does so, else all of them.
 */
function nothingLeft(overlay: Overlay, supply: Supply, path: string): TaskError {
  const guilty = AVAILABLE.find(([names]) => {
    const own = Object.fromEntries(names.flatMap((name) => (name in overlay ? [[name, overlay[name]]] : [])));
    return computeReach(own, supply, 1)?.share === 0;
  });
  const [names = [], values] = guilty ?? [];
  const name = names.find((each) => each in overlay);
  return new TaskError('VALIDATION_ERROR', 'The targeting leaves nothing of the product that could be delivered.', {
    field: name === undefined ? path : `${path}.${name}`,
    suggestion:
      values === undefined
        ? 'Target less narrowly, or choose another product.'
        : `The product has ${values(supply).join(', ')}; target some of it, or choose another product.`,
  });
}

/** The parts of a cap, each with what it has to be: one that cannot be read would be passed over beside another that can. */
const CAP_PARTS: readonly (readonly [name: string, isRight: (value: unknown) => boolean])[] = [
  ['max_impressions', isCount],
  ['window', isDuration],
  ['suppress', isDuration],
  ['suppress_minutes', (minutes) => typeof minutes === 'number' && minutes >= 0],
];

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1;
}

/** The parts that count impressions: whoever sends one has to send all. */
const COUNTING = ['max_impressions', 'per', 'window'] as const;

function findMissingCount(cap: Readonly<Record<string, unknown>>): string | undefined {
  const missing = COUNTING.filter((name) => cap[name] === undefined);
  return missing.length === COUNTING.length ? undefined : missing[0];
}

function describeCapFault(wrong: string | undefined, missing: string | undefined): string {
  if (wrong !== undefined || missing === undefined) return 'The frequency cap has the wrong form.';
  return `The frequency cap has no ${missing}: ${COUNTING.join(', ')} go together.`;
}

/** Whether a value is a duration of a whole number of units; a campaign is one. */
function isDuration(value: unknown): boolean {
  if (!isObject(value) || !isCount(value.interval) || windowDays(value, 1) === undefined) return false;
  return value.unit !== 'campaign' || value.interval === 1;
}

/** Checks that a cap counts within a window, or pauses between two ads; without either it would cap nothing. */
function checkCap(cap: unknown, units: readonly string[], field: string): void {
  if (cap === undefined) return;
  const per = isObject(cap) ? cap.per : undefined;
  if (per !== undefined && !units.some((unit) => unit === per)) {
    throw new TaskError('UNSUPPORTED_FEATURE', 'A frequency cap of this product counts something else.', {
      field: `${field}.per`,
      suggestion: `Send per: ${units.map((unit) => `"${unit}"`).join(' or ')}.`,
      details: { allowed_values: units },
    });
  }
  const wrong = isObject(cap)
    ? CAP_PARTS.find(([name, isRight]) => cap[name] !== undefined && !isRight(cap[name]))
    : undefined;
  const missing = isObject(cap) ? findMissingCount(cap) : undefined;
  if (wrong === undefined && missing === undefined && readCap(cap, 1) !== undefined) {
    checkOnePause(cap, field);
    return;
  }
  const [part] = wrong ?? [missing];
  throw new TaskError('VALIDATION_ERROR', describeCapFault(wrong?.[0], missing), {
    field: part === undefined ? field : `${field}.${part}`,
    suggestion: `Send {max_impressions: 3, per: "${units[0]}", window: {interval: 1, unit: "days"}}, or {suppress: {interval: 12, unit: "hours"}}. Units of time: ${WINDOW_UNITS.join(', ')}.`,
  });
}

/** Refuses a cap whose two ways to name a pause name two pauses. */
function checkOnePause(cap: unknown, field: string): void {
  const { suppress, suppress_minutes: minutes } = isObject(cap) ? cap : {};
  if (suppress === undefined || typeof minutes !== 'number') return;
  const sent = (windowDays(suppress, 1) ?? 0) * MINUTES_OF_DAY;
  if (Math.round(sent * 60) === Math.round(minutes * 60)) return;
  throw new TaskError('VALIDATION_ERROR', 'suppress and suppress_minutes name two pauses.', {
    field: `${field}.suppress_minutes`,
    suggestion: 'Leave suppress_minutes out: suppress says the same with a unit.',
  });
}

const WEEKDAYS: ReadonlySet<unknown> = new Set([
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]);

function checkDayparts(targets: unknown, field: string): void {
  if (targets === undefined) return;
  const all: readonly unknown[] | undefined = Array.isArray(targets) ? targets : undefined;
  const wrong = all?.findIndex((target) => !isDaypart(target)) ?? 0;
  if (all !== undefined && wrong < 0) return;
  throw new TaskError('VALIDATION_ERROR', 'The daypart has the wrong form.', {
    field: all === undefined ? field : `${field}[${wrong}]`,
    suggestion:
      'Send [{days: ["monday"], start_hour: 6, end_hour: 10}]: days in English, hours 0 to 24, the end after the start.',
  });
}

function isDaypart(target: unknown): boolean {
  const { days, start_hour: from, end_hour: to } = isObject(target) ? target : {};
  const hasDays = Array.isArray(days) && days.length > 0 && days.every((day) => WEEKDAYS.has(day));
  return hasDays && isHour(from) && isHour(to) && from < to;
}

function isHour(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 24;
}

/** Checks that a reference names a list at an agent. */
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

/** Returns targeting as it is stored and shown: without empty lists, which target nothing, and without the tokens of lists, which are secret. */
export function shownTargeting(overlay: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const hasSecret = LISTS.some((name) => isObject(overlay[name]) && overlay[name].auth_token !== undefined);
  if (!hasSecret && !Object.values(overlay).some(isEmptyList)) return overlay;
  const shown = Object.entries(overlay).filter(([, value]) => !isEmptyList(value));
  return Object.fromEntries(shown.map(([name, value]) => [name, isList(name) ? withoutToken(value) : value]));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isList(name: string): boolean {
  return LISTS.some((list) => list === name);
}

function withoutToken(list: unknown): unknown {
  if (!isObject(list)) return list;
  const { auth_token: _token, ...shown } = list;
  return shown;
}

function checkValues(value: unknown, { pattern, example }: ValueForm, field: string): void {
  const values: readonly unknown[] | undefined = Array.isArray(value) ? value : undefined;
  const wrong = values?.findIndex((item) => typeof item !== 'string' || !pattern.test(item));
  if (wrong === -1) return;
  throw new TaskError('VALIDATION_ERROR', 'The targeting value has the wrong form.', {
    field: wrong === undefined ? field : `${field}[${wrong}]`,
    suggestion: `Send a list of ${example}.`,
  });
}
