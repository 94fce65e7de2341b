import { isClick, isTracker, type KeyedAsset } from '../../../creative/build/transform.js';
import type { FormatId } from '../../../creative/formats/format.js';
import type { Asset } from '../../../creative/formats/manifest.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { type AssignedCreative, type Creative, isUsable } from '../creative/creative.js';

/** A creative as an ad server takes it: what it is made of, and the package that it runs in. */
export type ResolvedCreative = {
  readonly creative_id: string;
  readonly package_id: string;
  /** Counts what the buyer has sent under this id: another number is other material. */
  readonly version: number;
  readonly name: string;
  readonly format_id: FormatId;
  /** 0 to 100; absent where the creatives of a package take equal turns. */
  readonly weight?: number | undefined;
  /** By the slots of the format, as the protocol has them. */
  readonly assets: Readonly<Record<string, unknown>>;
  /** Where clicks lead. */
  readonly click_urls: readonly string[];
  /** Addresses that count or measure. */
  readonly tracker_urls: readonly string[];
};

/** Returns the creatives that may run in the packages of a buy, with what they are made of; `library` has them by their id. */
export function resolveCreatives(
  assigned: readonly AssignedCreative[],
  library: ReadonlyMap<string, Creative>,
): readonly ResolvedCreative[] {
  return assigned.flatMap(({ creative_id, package_id, status, weight }) => {
    const creative = library.get(creative_id);
    if (creative === undefined || !isUsable(status)) return [];
    const { version, name, format_id, assets } = creative;
    const listed = Object.entries(assets).flatMap(([key, entry]) => listAssets(key, entry));
    return [
      {
        ...{ creative_id, package_id, version, name, format_id, weight, assets },
        click_urls: urlsOf(listed.filter(isClick)),
        tracker_urls: urlsOf(listed.filter(isTracker)),
      },
    ];
  });
}

/** Returns the assets of an entry: one, several, or those of the repetitions of a group. */
function listAssets(key: string, entry: unknown): readonly KeyedAsset[] {
  if (Array.isArray(entry)) return entry.flatMap((one) => listAssets(key, one));
  if (!isObject(entry)) return [];
  if (isSingle(entry)) return [{ key, asset: entry }];
  return Object.entries(entry).flatMap(([slot, one]) =>
    isObject(one) && isSingle(one) ? [{ key: slot, asset: one }] : [],
  );
}

function isSingle(entry: object): entry is Asset {
  return 'asset_type' in entry || 'url' in entry || 'content' in entry;
}

function urlsOf(listed: readonly KeyedAsset[]): readonly string[] {
  return [...new Set(listed.flatMap(({ asset: { url } }) => (typeof url === 'string' ? [url] : [])))];
}
