import { isObject } from '../../../../platform/kernel/json/json.js';
import type { ResolvedCreative } from '../../../domain/booking/creatives.js';
import type { LiveOrder, LivePackage } from '../../../domain/booking/live-order.js';

const MAX_CAMPAIGN_CHARS = 200;
const MAX_FLIGHT_CHARS = 300;
const MAX_TITLE_CHARS = 200;

/** Returns the name of an order's campaign: by its end it is found again. */
export function campaignName({ name, media_buy_id }: LiveOrder): string {
  return withMark(name, campaignMark(media_buy_id), MAX_CAMPAIGN_CHARS);
}

/** Returns the end of the name of an order's campaign. */
export function campaignMark(mediaBuyId: string): string {
  return ` [${mediaBuyId}]`;
}

/** Returns the name of a package's flight: by its end it is found again. */
export function flightName({ media_buy_id }: LiveOrder, { name, package_id }: LivePackage): string {
  return withMark(name, flightMark(media_buy_id, package_id), MAX_FLIGHT_CHARS);
}

/** Returns the end of the name of a package's flight. */
export function flightMark(mediaBuyId: string, packageId: string): string {
  return ` [${mediaBuyId} ${packageId}]`;
}

/** Returns the title of a creative, for people. */
export function creativeTitle({ name, creative_id }: ResolvedCreative): string {
  return withMark(name, ` [${creative_id}]`, MAX_TITLE_CHARS);
}

/** Returns a text with its mark at the end, whole whatever is cut of the text. */
function withMark(text: string, mark: string, maxChars: number): string {
  return `${[...text].slice(0, Math.max(0, maxChars - mark.length)).join('')}${mark}`;
}

/** The package and the creative that an ad is of, as its `ExternalMetadata` says. */
export type AdKey = { readonly package_id: string; readonly creative_id: string; readonly version: number };

/** Returns the `ExternalMetadata` of an ad. */
export function writeAdKey({ package_id, creative_id, version }: AdKey): string {
  return JSON.stringify({ package_id, creative_id, version });
}

/** Returns what of ours an ad is; undefined for an ad of somebody else. */
export function readAdKey(metadata: unknown): AdKey | undefined {
  if (typeof metadata !== 'string') return undefined;
  try {
    const key: unknown = JSON.parse(metadata);
    if (!isObject(key)) return undefined;
    const { package_id, creative_id, version } = key;
    if (typeof package_id !== 'string' || typeof creative_id !== 'string' || typeof version !== 'number')
      return undefined;
    return { package_id, creative_id, version };
  } catch {
    return undefined;
  }
}
