import { isObject } from '../../../platform/kernel/json/json.js';
import { sumOf } from '../../../platform/kernel/numbers.js';
import { agePart } from './ages.js';
import { languageShares, reachableUsers } from './offer.js';
import { DEVICE_DIMENSIONS, list, type Overlay, type Supply, targetedCountries, targetedDevices } from './parts.js';
import { signalPart } from './signals.js';

/** The part of a product's supply that targeting leaves. */
export type Reach = {
  /** Of the supply, 0 to 1. */
  readonly share: number;
  /** The most impressions a day that a frequency cap allows. */
  readonly per_day?: number;
  /** The cap itself: so many impressions to each in so many days, which may be a part of one. */
  readonly cap?: Cap;
  /** The hours of the week in which ads are served, UTC, Monday 0 to Sunday 168: from (in) and to (out), in order, without overlap. */
  readonly hours?: readonly (readonly [from: number, to: number])[];
};

/** So many impressions to each person within so many days. */
export type Cap = { readonly most: number; readonly days: number };

/** The part of a product's audience that one audience of a buyer matches, as the simulator takes it. */
const AUDIENCE_SHARE = 0.15;

const HOURS_OF_WEEK = 168;
/** The minutes of a day, in which pauses were named before they had units. */
export const MINUTES_OF_DAY = 1440;

/** Each returns the part of the supply that one kind of targeting leaves, 0 to 1. */
const PARTS: readonly ((overlay: Overlay, supply: Supply) => number)[] = [
  geoPart,
  devicePart,
  languagePart,
  audiencePart,
  (overlay, { signals }) => signalPart(overlay.signal_targeting_groups, signals),
  (overlay, { ages }) => agePart(overlay.age_restriction, ages),
];

/**
 * Returns what targeting leaves of a product's supply in a flight of so many days; undefined where nothing is targeted. `listed`: the part
 * that its lists leave.
 */
export function computeReach(overlay: Overlay, supply: Supply, flightDays: number, listed = 1): Reach | undefined {
  const geography = PARTS.reduce((share, part) => share * part(overlay, supply), listed);
  const hours = readHours(overlay.daypart_targets);
  const share = Math.min(1, geography);
  const cap = readCap(overlay.frequency_cap, flightDays);
  if (share === 1 && hours === undefined && cap === undefined) return undefined;
  return { share, per_day: cap && (reachableUsers(supply) * share * cap.most) / cap.days, cap, hours };
}

function geoPart(overlay: Overlay, supply: Supply): number {
  return sumOf(Object.values(targetedCountries(overlay, supply)));
}

function devicePart(overlay: Overlay, supply: Supply): number {
  const isTargeted = DEVICE_DIMENSIONS.some((name) => list(overlay[name]).length > 0);
  return isTargeted ? sumOf(Object.values(targetedDevices(overlay, supply))) : 1;
}

function languagePart(overlay: Overlay, supply: Supply): number {
  const languages = list(overlay.language);
  if (languages.length === 0) return 1;
  const shares = languageShares(supply);
  return sumOf(languages.map((language) => shares[language] ?? 0));
}

function audiencePart(overlay: Overlay): number {
  const [include, exclude] = [list(overlay.audience_include), list(overlay.audience_exclude)];
  const wanted = include.length === 0 ? 1 : 1 - (1 - AUDIENCE_SHARE) ** include.length;
  return wanted * (1 - AUDIENCE_SHARE) ** exclude.length;
}

const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Returns the hours of the week of daypart targets; undefined for all of them. */
function readHours(targets: unknown): Reach['hours'] {
  if (!Array.isArray(targets) || targets.length === 0) return undefined;
  const open = new Set<number>();
  for (const target of targets as readonly unknown[]) {
    const { days, start_hour: from, end_hour: to } = isObject(target) ? target : {};
    if (typeof from !== 'number' || typeof to !== 'number') continue;
    for (const day of list(days)) {
      const midnight = DAYS.indexOf(day) * 24;
      for (let hour = from; hour < to && midnight >= 0; hour += 1) open.add(midnight + hour);
    }
  }
  if (open.size === HOURS_OF_WEEK) return undefined;
  const windows: [number, number][] = [];
  for (const hour of [...open].sort((a, b) => a - b)) {
    const last = windows.at(-1);
    if (last?.[1] === hour) last[1] = hour + 1;
    else windows.push([hour, hour + 1]);
  }
  return windows;
}

const UNIT_DAYS: Readonly<Record<string, number>> = { seconds: 1 / 86_400, minutes: 1 / 1440, hours: 1 / 24, days: 1 };

/** The units that a window of a cap can be of; a campaign is the whole flight. */
export const WINDOW_UNITS: readonly string[] = [...Object.keys(UNIT_DAYS), 'campaign'];

/** Returns the tighter of what a frequency cap says; undefined where it caps nothing. */
export function readCap(cap: unknown, flightDays: number): Cap | undefined {
  if (!isObject(cap)) return undefined;
  const { max_impressions: most, window, suppress, suppress_minutes: minutes } = cap;
  const days = windowDays(window, flightDays);
  const pause =
    windowDays(suppress, flightDays) ?? (typeof minutes === 'number' ? minutes / MINUTES_OF_DAY : undefined);
  const caps = [
    ...(typeof most === 'number' && days !== undefined
      ? [{ most, days: Math.min(days, Math.max(1, flightDays)) }]
      : []),
    ...(pause !== undefined && pause > 0 ? [{ most: 1, days: pause }] : []),
  ];
  return caps.toSorted((one, other) => one.most / one.days - other.most / other.days)[0];
}

/** Returns the days of a duration in a flight of so many days; undefined for what is none. */
export function windowDays(window: unknown, flightDays: number): number | undefined {
  const { interval, unit } = isObject(window) ? window : {};
  if (unit === 'campaign') return Math.max(1, flightDays);
  const days = typeof unit === 'string' ? UNIT_DAYS[unit] : undefined;
  return days === undefined || typeof interval !== 'number' ? undefined : days * interval;
}
