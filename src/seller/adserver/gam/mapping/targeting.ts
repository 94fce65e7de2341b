import type { LivePackage } from '../../../domain/booking/live-order.js';
import { list } from '../../../domain/targeting/parts.js';
import type { GamSettings } from '../settings.js';
import { TermsError } from './errors.js';

/** A stretch of hours of a day of the week; the end is not in it, and 24 is midnight. */
type DayPart = { readonly dayOfWeek: string; readonly startHour: number; readonly endHour: number };

/** A line's targeting by Ad Manager's ids. */
export type LineTargeting = {
  readonly geos: Sides;
  readonly devices: Sides;
  readonly dayParts: readonly DayPart[];
};

/** The values that are included, any where there are none, and those that are excluded. */
export type Sides = { readonly included: readonly string[]; readonly excluded: readonly string[] };

/** Whether nothing is targeted. */
export function isAny({ included, excluded }: Sides): boolean {
  return included.length === 0 && excluded.length === 0;
}

/** The time zone of parts of days: that of whoever sees the ad. */
export const DAY_PART_ZONE = 'BROWSER';

/** Returns the parts of days of a line as texts that are the same for the same hours, in one order. */
export function dayPartKeys({ dayParts }: Pick<LineTargeting, 'dayParts'>): readonly string[] {
  return dayParts
    .map(({ dayOfWeek, endHour, startHour }) =>
      dayPartKey({ dayOfWeek, from: `${startHour}:ZERO`, to: `${endHour}:ZERO` }),
    )
    .toSorted();
}

/** A part of a day as the SOAP API tells it: its hours with the names of their quarters, such as `8:ZERO`. */
type SoapDayPart = { readonly dayOfWeek: string; readonly from: string; readonly to: string; readonly zone?: string };

/** Returns a text that is the same for the same hours. */
export function dayPartKey({ dayOfWeek, from, to, zone = DAY_PART_ZONE }: SoapDayPart): string {
  return [dayOfWeek, from, to, zone].join(' ');
}

/** The dimensions of an overlay by the table of the settings that has their ids. */
const GEOGRAPHY = {
  included: ['geo_regions', 'geo_countries'],
  excluded: ['geo_regions_exclude', 'geo_countries_exclude'],
} as const;
const DEVICES = { included: ['device_type'], excluded: ['device_type_exclude'] } as const;

/** Returns the members of an overlay that reach a line under settings. */
export function targetedMembers({ geo_targets, device_categories }: GamSettings): readonly string[] {
  return [
    ...(geo_targets === undefined ? [] : [...GEOGRAPHY.included, ...GEOGRAPHY.excluded]),
    ...(device_categories === undefined ? [] : [...DEVICES.included, ...DEVICES.excluded]),
    'daypart_targets',
    'frequency_cap',
  ];
}

/** Returns the targeting of a package by Ad Manager's ids. Throws TermsError for a member or value that the settings have no id of. */
export function readTargeting({ package_id, targeting }: LivePackage, settings: GamSettings): LineTargeting {
  const reaching = targetedMembers(settings);
  const lost = Object.keys(targeting).find((name) => !reaching.includes(name));
  if (lost !== undefined) {
    throw new TermsError('This targeting does not reach the ad server.', {
      package_id,
      field: `targeting_overlay.${lost}`,
      suggestion: `Leave it out. There is ${reaching.join(', ')}.`,
    });
  }
  const idsOf = (names: readonly string[], table: Readonly<Record<string, string>> = {}): readonly string[] =>
    names.flatMap((name) =>
      list(targeting[name]).map((value) => {
        const id = table[value];
        if (id !== undefined) return id;
        throw new TermsError(`The ad server cannot target ${value}.`, {
          package_id,
          field: `targeting_overlay.${name}`,
          suggestion: `Leave it out. There is ${Object.keys(table).join(', ')}.`,
        });
      }),
    );
  const { geo_targets, device_categories } = settings;
  return {
    geos: {
      // Lists are joined by or there: a country beside its region would be the whole country.
      included: idsOf(list(targeting.geo_regions).length === 0 ? ['geo_countries'] : ['geo_regions'], geo_targets),
      excluded: idsOf(GEOGRAPHY.excluded, geo_targets),
    },
    devices: {
      included: idsOf(DEVICES.included, device_categories),
      excluded: idsOf(DEVICES.excluded, device_categories),
    },
    dayParts: readDayParts(targeting.daypart_targets),
  };
}

type Daypart = { readonly days: readonly string[]; readonly start_hour: number; readonly end_hour: number };

function readDayParts(targets: unknown): readonly DayPart[] {
  const dayparts = (targets ?? []) as readonly Daypart[];
  return dayparts.flatMap(({ days, start_hour: startHour, end_hour: endHour }) =>
    days.map((day) => ({ dayOfWeek: day.toUpperCase(), startHour, endHour })),
  );
}
