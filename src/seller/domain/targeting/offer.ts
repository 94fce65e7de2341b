import type { MediaChannel } from '../../../protocol/media-channel.js';
import type { AgeOffer } from './ages.js';
import type { Shares } from './shares.js';
import type { SignalOffer } from './signals.js';

/** The kinds of targeting a product can offer; a dimension and its `_exclude` are one. */
export const TARGETING_OFFERS = [
  'geo_countries',
  'geo_regions',
  'device_type',
  'device_platform',
  'language',
  'daypart_targets',
  'frequency_cap',
  'audience',
  'property_list',
  'collection_list',
] as const;
type TargetingKind = (typeof TARGETING_OFFERS)[number];

/** The targeting that a product offers: what it holds is offered, with the parts of its supply, or usual ones for `true`. */
type TargetingOffer = Readonly<Partial<Record<TargetingKind, true | Shares>>>;

/** What reach counts. */
export const REACH_UNITS = ['individuals', 'households', 'devices', 'accounts', 'cookies'] as const;
export type ReachUnit = (typeof REACH_UNITS)[number];

/** A product's supply as its file describes it, as far as targeting goes. */
export type TargetedSupply = {
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
  /** Sellable impressions (plays, for dooh) a day. */
  readonly daily_impressions: number;
  /** People, households or screens that a product reaches in a month. */
  readonly unique_users?: number;
  /** What those are; by the channel unless set. */
  readonly reach_unit?: ReachUnit;
  readonly targeting?: TargetingOffer;
  /** Signals that packages can be targeted by; none unless set. */
  readonly signals?: SignalOffer;
  /** What is known of ages; restrictions of age are refused unless set. */
  readonly ages?: AgeOffer;
};

/** What a product offers whose file says nothing of targeting: all but lists of collections, which it may have none of. */
const USUAL: TargetingOffer = Object.fromEntries(
  TARGETING_OFFERS.filter((name) => name !== 'collection_list').map((name) => [name, true as const]),
);

/** Devices that see a channel's ads, where a file does not say. */
const DEVICES: Partial<Record<MediaChannel, Shares>> = {
  ctv: { ctv: 1 },
  linear_tv: { ctv: 1 },
  streaming_audio: { mobile: 0.7, desktop: 0.22, tablet: 0.08 },
  podcast: { mobile: 0.84, desktop: 0.13, tablet: 0.03 },
  dooh: { dooh: 1 },
  ooh: { dooh: 1 },
};
const WEB_DEVICES: Shares = { mobile: 0.6, desktop: 0.34, tablet: 0.06 };

/** Platforms of each kind of device. */
const PLATFORMS: Readonly<Record<string, Shares>> = {
  mobile: { android: 0.54, ios: 0.46 },
  tablet: { ios: 0.58, android: 0.4, windows: 0.02 },
  desktop: { windows: 0.68, macos: 0.24, linux: 0.03, chromeos: 0.05 },
  ctv: { tizen: 0.28, roku_os: 0.24, webos: 0.18, fire_os: 0.16, tvos: 0.14 },
};

/** Languages of a country's audience. */
const LANGUAGES: Readonly<Record<string, Shares>> = {
  US: { en: 0.87, es: 0.13 },
  CA: { en: 0.77, fr: 0.23 },
  GB: { en: 1 },
  IE: { en: 1 },
  AU: { en: 1 },
  NZ: { en: 1 },
  DE: { de: 0.95, en: 0.05 },
  AT: { de: 1 },
  CH: { de: 0.65, fr: 0.25, it: 0.1 },
  FR: { fr: 1 },
  BE: { nl: 0.58, fr: 0.42 },
  NL: { nl: 0.95, en: 0.05 },
  ES: { es: 1 },
  MX: { es: 1 },
  IT: { it: 1 },
  PT: { pt: 1 },
  BR: { pt: 1 },
  JP: { ja: 1 },
  PL: { pl: 1 },
  SE: { sv: 1 },
  DK: { da: 1 },
  NO: { no: 1 },
  FI: { fi: 0.95, sv: 0.05 },
};

/** Regions (ISO 3166-2) that a country has, about; what one has of its country where a file does not say. */
const REGIONS: Readonly<Record<string, number>> = {
  US: 51,
  CA: 13,
  DE: 16,
  AT: 9,
  CH: 26,
  FR: 18,
  ES: 19,
  IT: 20,
  GB: 4,
  BE: 3,
  NL: 12,
  IE: 4,
};
const USUAL_REGIONS = 20;

/** What reach counts where a product's file does not say: televisions and screens of the home are a household's. */
const UNITS: Partial<Record<MediaChannel, ReachUnit>> = { ctv: 'households', linear_tv: 'households' };

/** Returns what reach counts on a product with these channels. */
export function countedUnit(
  { reach_unit }: Pick<TargetedSupply, 'reach_unit'>,
  [channel]: readonly MediaChannel[],
): ReachUnit {
  return reach_unit ?? UNITS[channel ?? 'display'] ?? 'individuals';
}

/** Returns whose impressions a frequency cap can count on a product: of what reach counts, and of people where each has a part in one of those. */
export function cappedUnits(
  supply: Pick<TargetedSupply, 'reach_unit'>,
  channels: readonly MediaChannel[],
): readonly ReachUnit[] {
  const unit = countedUnit(supply, channels);
  return unit === 'households' || unit === 'accounts' ? [unit, 'individuals'] : [unit];
}

/** Targeting that a product offers by what its file says of it, beside `targeting`. */
const DESCRIBED = ['signals', 'ages'] as const;

/** A member of a supply by which it offers a dimension of targeting. */
export type OfferedKind = TargetingKind | (typeof DESCRIBED)[number];

/** The members of a supply that say which targeting it offers. */
export type OfferingSupply = Pick<TargetedSupply, 'targeting' | (typeof DESCRIBED)[number]>;

/** Returns the kinds of targeting that a product offers. */
export function offeredKinds(supply: OfferingSupply): ReadonlySet<string> {
  const described = DESCRIBED.filter((name) => supply[name] !== undefined);
  return new Set<string>([...Object.keys(supply.targeting ?? USUAL), ...described]);
}

/** Returns the parts of a product's supply by country; equal ones where its file does not say. */
export function countryShares({ countries, targeting }: TargetedSupply): Shares {
  const given = targeting?.geo_countries;
  if (typeof given === 'object') return given;
  return Object.fromEntries(countries.map((country) => [country, 1 / countries.length]));
}

/** Returns the part of the supply that a region (`US-CA`) has. */
export function regionShare(supply: TargetedSupply, region: string): number {
  const given = supply.targeting?.geo_regions;
  if (typeof given === 'object') return given[region] ?? 0;
  const country = region.slice(0, 2);
  return (countryShares(supply)[country] ?? 0) / (REGIONS[country] ?? USUAL_REGIONS);
}

/** Returns the parts of a product's supply by device, for its channels. */
export function deviceShares({ targeting }: TargetedSupply, channels: readonly MediaChannel[]): Shares {
  const given = targeting?.device_type;
  if (typeof given === 'object') return given;
  return mean(channels.map((channel) => DEVICES[channel] ?? WEB_DEVICES));
}

/** Returns the parts by platform of what is seen on one kind of device. */
export function platformShares({ targeting }: TargetedSupply, device: string): Shares {
  const given = targeting?.device_platform;
  return typeof given === 'object' ? given : (PLATFORMS[device] ?? { unknown: 1 });
}

/** Returns the parts of a product's supply by language. */
export function languageShares(supply: TargetedSupply): Shares {
  const given = supply.targeting?.language;
  if (typeof given === 'object') return given;
  const shares: Record<string, number> = {};
  for (const [country, part] of Object.entries(countryShares(supply))) {
    for (const [language, own] of Object.entries(LANGUAGES[country] ?? { en: 1 }))
      shares[language] = (shares[language] ?? 0) + part * own;
  }
  return shares;
}

/** Of the impressions of a day, so many see somebody of the month for the first time. */
const USERS_PER_DAILY_IMPRESSION = 0.6;

/** Returns how many people a product reaches in a month. */
export function reachableUsers({ unique_users, daily_impressions }: TargetedSupply): number {
  return unique_users ?? daily_impressions * USERS_PER_DAILY_IMPRESSION;
}

function mean(all: readonly Shares[]): Shares {
  const sums: Record<string, number> = {};
  for (const shares of all)
    for (const [name, share] of Object.entries(shares)) sums[name] = (sums[name] ?? 0) + share / all.length;
  return sums;
}
