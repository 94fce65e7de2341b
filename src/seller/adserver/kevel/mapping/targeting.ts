import { isObject } from '../../../../platform/kernel/json/json.js';
import type { LivePackage } from '../../../domain/booking/live-order.js';
import { list } from '../../../domain/targeting/parts.js';
import { MappingRefusal } from '../refusal.js';
import { type DayPart, FREQUENCY_UNITS, type GeoTarget, type Members } from '../wire.js';

/** The members of `targeting_overlay` that Kevel carries out. */
export const TARGETING = [
  'geo_countries',
  'geo_countries_exclude',
  'geo_regions',
  'geo_regions_exclude',
  'daypart_targets',
  'frequency_cap',
] as const;

/** Returns where a package runs. Regions narrow the countries; what is excluded wins. */
export function mapGeography({ targeting, package_id }: LivePackage): readonly GeoTarget[] {
  const { geo_countries, geo_countries_exclude, geo_regions, geo_regions_exclude } = targeting;
  const [countries, regions] = [list(geo_countries), list(geo_regions)];
  const open = regions.filter((region) => countries.length === 0 || countries.includes(region.slice(0, 2)));
  if (regions.length > 0 && open.length === 0) {
    throw new MappingRefusal({
      package_id,
      field: 'targeting_overlay.geo_regions',
      message: 'None of the regions lies in the countries that are targeted.',
      suggestion: 'Leave geo_countries out, or send regions of these countries.',
    });
  }
  const areas = regions.length > 0 ? open : countries;
  return [
    ...areas.map((area) => geoTarget(area, false)),
    ...[...list(geo_countries_exclude), ...list(geo_regions_exclude)].map((area) => geoTarget(area, true)),
  ];
}

/** Returns the target of a country or of a region in ISO 3166-2: `US` or `US-CA`. */
function geoTarget(area: string, IsExclude: boolean): GeoTarget {
  const [CountryCode = '', Region] = area.split('-');
  return { CountryCode, Region, IsExclude };
}

const WEEK_DAYS: Readonly<Record<string, string>> = {
  sunday: 'SU',
  monday: 'MO',
  tuesday: 'TU',
  wednesday: 'WE',
  thursday: 'TH',
  friday: 'FR',
  saturday: 'SA',
};

/** Returns the hours in which a package runs; none where it runs in all. */
export function mapDayParts({ targeting }: LivePackage): readonly DayPart[] {
  const targets: readonly unknown[] = Array.isArray(targeting.daypart_targets) ? targeting.daypart_targets : [];
  return targets.flatMap((target) => {
    if (!isObject(target)) return [];
    const days = new Set(list(target.days).flatMap((day) => WEEK_DAYS[day] ?? []));
    const WeekDays = Object.values(WEEK_DAYS).filter((day) => days.has(day));
    return [{ StartTime: timeOf(target.start_hour), EndTime: timeOf(target.end_hour), WeekDays }];
  });
}

/** Returns the time of an hour; midnight at the end of a day is its last second. */
function timeOf(hour: unknown): string {
  return hour === 24 ? '23:59:59' : `${String(hour).padStart(2, '0')}:00:00`;
}

/** Kevel counts by the user key of a request, which is one browser or one account. */
const COUNTED: readonly unknown[] = ['individuals', 'cookies', 'devices', 'accounts'];

/** Returns the frequency cap of a package as members of its flight; null takes one away. */
export function mapFrequencyCap(line: LivePackage): Members {
  const cap = line.targeting.frequency_cap;
  if (!isObject(cap)) return { IsFreqCap: null, FreqCap: null, FreqCapDuration: null, FreqCapType: null };
  const { max_impressions: most, per, suppress, suppress_minutes: minutes, window } = cap;
  const pause = suppress ?? (typeof minutes === 'number' ? { interval: minutes, unit: 'minutes' } : undefined);
  if (pause !== undefined && most !== undefined) {
    throw capRefused(
      line,
      '',
      'Kevel keeps one frequency cap for a flight.',
      'Send max_impressions or suppress alone.',
    );
  }
  if (most !== undefined && !COUNTED.includes(per)) {
    throw capRefused(line, '.per', `Kevel does not count ${String(per)}.`, 'Send per: "devices".');
  }
  const [FreqCapDuration, FreqCapType] = mapDuration(line, pause === undefined ? window : pause);
  return { IsFreqCap: true, FreqCap: most ?? 1, FreqCapDuration, FreqCapType };
}

const MINUTES: Readonly<Record<string, number>> = { seconds: 1 / 60, minutes: 1, hours: 60, days: 1440 };

/** Returns a span in the smallest unit of Kevel that holds it as it is. */
function mapDuration(line: LivePackage, span: unknown): readonly [duration: number, type: number] {
  const { interval, unit } = isObject(span) ? span : {};
  const isCampaign = unit === 'campaign';
  const flightDays = Math.ceil((Date.parse(line.end_time) - Date.parse(line.start_time)) / 86_400_000);
  const minutes = isCampaign ? flightDays * 1440 : Number(interval) * (MINUTES[String(unit)] ?? Number.NaN);
  const units = [
    [minutes, FREQUENCY_UNITS.minutes],
    [minutes / 60, FREQUENCY_UNITS.hours],
    [minutes / 1440, FREQUENCY_UNITS.days],
  ] as const;
  const fitting = units.find(([count, { most }]) => Number.isInteger(count) && count >= 1 && count <= most);
  if (fitting !== undefined) return [fitting[0], fitting[1].type];
  const message = 'Kevel counts whole minutes (4400 at most), hours (168 at most) or days (180 at most).';
  throw capRefused(line, '', message, 'Send a window such as {interval: 7, unit: "days"}.');
}

function capRefused({ package_id }: LivePackage, member: string, message: string, suggestion: string): MappingRefusal {
  return new MappingRefusal({ package_id, field: `targeting_overlay.frequency_cap${member}`, message, suggestion });
}
