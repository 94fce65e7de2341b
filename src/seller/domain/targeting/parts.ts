import { sumOf } from '../../../platform/kernel/numbers.js';
import type { MediaChannel } from '../../../protocol/media-channel.js';
import { countryShares, deviceShares, platformShares, regionShare, type TargetedSupply } from './offer.js';
import type { Shares } from './shares.js';

/** A targeting overlay as buyers send it; its members were checked. */
export type Overlay = Readonly<Record<string, unknown>>;

/** The supply that is targeted: what a product's file says of it, and its channels. */
export type Supply = TargetedSupply & { readonly channels: readonly MediaChannel[] };

/** The dimensions that choose devices. */
export const DEVICE_DIMENSIONS = ['device_type', 'device_type_exclude', 'device_platform'] as const;

/** Parts of a whole that differ by less are the whole. */
const ROUNDING = 1e-6;

/** Returns the part of a supply that targeting leaves in each country: of the regions that are included, less those that are excluded. */
export function targetedCountries(overlay: Overlay, supply: Supply): Shares {
  const excluded = list(overlay.geo_regions_exclude);
  const wanted = list(overlay.geo_regions).filter((region) => !excluded.includes(region));
  const partsOf = (country: string, regions: readonly string[]) =>
    sumOf([...new Set(regions)].filter((one) => one.startsWith(`${country}-`)).map((one) => regionShare(supply, one)));
  const open = Object.entries(countryShares(supply)).filter(([country]) => isCountryIn(overlay, country));
  return Object.fromEntries(
    open.map(([country, share]) => [
      country,
      list(overlay.geo_regions).length > 0 ? partsOf(country, wanted) : Math.max(0, share - partsOf(country, excluded)),
    ]),
  );
}

/** Returns the part of a supply that targeting leaves in each region; undefined where what lies in which region is not known. */
export function targetedRegions(overlay: Overlay, supply: Supply): Shares | undefined {
  const given = supply.targeting?.geo_regions;
  const [regions, excluded] = [list(overlay.geo_regions), list(overlay.geo_regions_exclude)];
  const all = regions.length > 0 ? regions : Object.keys(typeof given === 'object' ? given : {});
  const open = all.filter((region) => isCountryIn(overlay, region.slice(0, 2)) && !excluded.includes(region));
  const shares = Object.fromEntries(open.map((region) => [region, regionShare(supply, region)]));
  const whole = sumOf(Object.values(targetedCountries(overlay, supply)));
  return Math.abs(sumOf(Object.values(shares)) - whole) < ROUNDING ? shares : undefined;
}

/** Returns the part of a supply that targeting leaves on each kind of device. */
export function targetedDevices(overlay: Overlay, supply: Supply): Shares {
  const [types, without, platforms] = DEVICE_DIMENSIONS.map((name) => list(overlay[name]));
  const isOpen = (device: string) =>
    (types?.length === 0 || types?.includes(device) === true) && without?.includes(device) !== true;
  return Object.fromEntries(
    Object.entries(deviceShares(supply, supply.channels))
      .filter(([device]) => isOpen(device))
      .map(([device, share]) => {
        if (platforms === undefined || platforms.length === 0) return [device, share];
        const own = platformShares(supply, device);
        return [device, share * sumOf(platforms.map((platform) => own[platform] ?? 0))];
      }),
  );
}

/** Returns the part of a supply that targeting leaves on each platform. */
export function targetedPlatforms(overlay: Overlay, supply: Supply): Shares {
  const platforms = list(overlay.device_platform);
  const shares: Record<string, number> = {};
  for (const [device, share] of Object.entries(targetedDevices({ ...overlay, device_platform: [] }, supply))) {
    for (const [platform, part] of Object.entries(platformShares(supply, device))) {
      if (platforms.length === 0 || platforms.includes(platform))
        shares[platform] = (shares[platform] ?? 0) + share * part;
    }
  }
  return shares;
}

/** Returns the strings of a list; none of anything else. */
export function list(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function isCountryIn({ geo_countries, geo_countries_exclude }: Overlay, country: string): boolean {
  const countries = list(geo_countries);
  return (countries.length === 0 || countries.includes(country)) && !list(geo_countries_exclude).includes(country);
}
