import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { KevelApi } from './api.js';
import type { MappedFlight } from './mapping/flight.js';
import type { KevelObject } from './wire.js';

/** Something that hangs on a flight: how it is told apart, what makes it, and what takes it away. */
type Hanging = { readonly key: string; readonly id: number; readonly isExclude: boolean };

/** Says where and when a flight runs that was just made. */
export async function targetNewFlight(api: KevelApi, flightId: number, mapped: MappedFlight): Promise<void> {
  const path = `/flight/${flightId}`;
  for (const area of mapped.geography) await api.add(`${path}/geotargeting`, { ...area });
  for (const site of mapped.sites) await api.add(`${path}/sitezonetargeting`, { ...site });
  for (const part of mapped.dayParts) await api.add(`${path}/dayparting`, { ...part });
}

/** Brings where and when a flight runs to what it should be. A PUT of the flight would add it all once more. */
export async function targetFlight(api: KevelApi, flight: KevelObject, mapped: MappedFlight): Promise<void> {
  const path = `/flight/${flight.Id}`;
  await bring(api, `${path}/geotargeting`, readHanging(flight.GeoTargeting, geoKey, 'LocationId'), {
    wanted: mapped.geography,
    keyOf: geoKey,
  });
  await bring(api, `${path}/sitezonetargeting`, readHanging(flight.SiteZoneTargeting, siteKey, 'Id'), {
    wanted: mapped.sites,
    keyOf: siteKey,
  });
  await bringDayParts(api, `${path}/dayparting`, mapped.dayParts);
}

/** The members of a flight that say how often it is shown to one person. */
const CAPS = ['IsFreqCap', 'FreqCap', 'FreqCapDuration', 'FreqCapType'] as const;

/** Whether a flight runs where, when and how often it was told to; undefined where its hours are not known and the rest is right. */
export function isTargetedAs(
  flight: KevelObject,
  mapped: MappedFlight,
  hours: readonly string[] | undefined,
): boolean | undefined {
  const { dayParts, geography, members, sites } = mapped;
  const isSame = (present: readonly string[], wanted: readonly string[]): boolean =>
    isDeepStrictEqual(new Set(present), new Set(wanted));
  const places = readHanging(flight.GeoTargeting, geoKey, 'LocationId').map(({ key }) => key);
  const zones = readHanging(flight.SiteZoneTargeting, siteKey, 'Id').map(({ key }) => key);
  const isCapped = CAPS.every((name) => (flight[name] || null) === (members[name] || null));
  if (!isCapped || !isSame(places, geography.map(geoKey)) || !isSame(zones, sites.map(siteKey))) return false;
  return hours && isSame(hours, dayParts.map(dayPartKey));
}

type Wanted = {
  readonly wanted: readonly object[];
  readonly keyOf: (entry: object) => string;
};

/** Adds before it takes away: a flight without any entry runs everywhere. */
async function bring(
  api: KevelApi,
  path: string,
  present: readonly Hanging[],
  { wanted, keyOf }: Wanted,
): Promise<void> {
  const keys = new Set(wanted.map(keyOf));
  const there = new Set(present.map(({ key }) => key));
  for (const entry of wanted) if (!there.has(keyOf(entry))) await api.add(path, { ...entry });
  const seen = new Set<string>();
  for (const { key, id } of present) {
    if (!keys.has(key) || seen.has(key)) await api.remove(`${path}/${id}/delete`);
    seen.add(key);
  }
}

function readHanging(value: unknown, keyOf: (entry: object) => string, idName: string): readonly Hanging[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const id = (entry as Readonly<Record<string, unknown>>)[idName];
    return typeof id === 'number' ? [{ key: keyOf(entry), id, isExclude: isExcluded(entry) }] : [];
  });
}

function isExcluded(entry: object): boolean {
  const { IsExclude, IsExcluded } = entry as { readonly IsExclude?: unknown; readonly IsExcluded?: unknown };
  return IsExclude === true || IsExcluded === true;
}

function geoKey(entry: object): string {
  const { CountryCode, Region } = entry as { readonly CountryCode?: unknown; readonly Region?: unknown };
  return [CountryCode, Region ?? '', isExcluded(entry)].join(' ');
}

function siteKey(entry: object): string {
  const { SiteId, ZoneId } = entry as { readonly SiteId?: unknown; readonly ZoneId?: unknown };
  return [SiteId, ZoneId ?? '', isExcluded(entry)].join(' ');
}

async function bringDayParts(api: KevelApi, path: string, wanted: MappedFlight['dayParts']): Promise<void> {
  const present = await readDayParts(api, path);
  const keys = new Set(wanted.map(dayPartKey));
  const extra = present.filter(({ key }) => !keys.has(key));
  for (const { id } of extra) await api.add(`${path}/delete`, { TimepartId: id });
  // Whether that takes one away or all of them is not published.
  const left = new Set((extra.length === 0 ? present : await readDayParts(api, path)).map(({ key }) => key));
  for (const part of wanted) if (!left.has(dayPartKey(part))) await api.add(path, { ...part });
}

/** Returns the hours of a flight, each by a text that is the same for the same hours. */
export async function readDayParts(api: KevelApi, path: string): Promise<readonly Pick<Hanging, 'key' | 'id'>[]> {
  const parts = await api.entries(path);
  return parts.flatMap((part) => {
    const { TimepartId: id } = part;
    return typeof id === 'number' ? [{ id, key: dayPartKey(part) }] : [];
  });
}

/** Returns a text that is the same for the same hours. */
export function dayPartKey(part: object): string {
  const { StartTime, EndTime, WeekDays } = part as Readonly<Record<string, unknown>>;
  return [StartTime, EndTime, ...(Array.isArray(WeekDays) ? WeekDays.map(String).toSorted() : [])].join(' ');
}
