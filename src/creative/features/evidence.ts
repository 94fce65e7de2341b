import { declaredFacts } from '../check/facts.js';
import { type AssetProbe, examine } from '../check/file.js';
import type { Facts } from '../check/finding.js';
import { SLOT_ASSET_TYPES } from '../formats/format.js';
import type { Asset, AssetEntry, Manifest } from '../formats/manifest.js';

/** An asset of a manifest, and what its file really is. */
export type MeasuredAsset = {
  /** Its name in the manifest; of one in a group, its name there. */
  readonly key: string;
  /** Its path in the manifest, such as `assets.cards[0].photo`. */
  readonly path: string;
  readonly asset: Asset;
  readonly type: string;
  /** The facts of its file; of text, code and trackers those that they declare. */
  readonly facts: Facts;
  /** Whether its file, or the text in its place, could be looked at. */
  readonly isSeen: boolean;
};

/** Everything that features are measured on. */
export type Evidence = { readonly manifest: Manifest; readonly assets: readonly MeasuredAsset[] };

const FILES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'vast', 'daast']);

/** An asset of a manifest, before its file was looked at. */
type ListedAsset = Pick<MeasuredAsset, 'key' | 'path' | 'asset'>;

/** Returns every asset of a manifest, those of groups with them. */
export function listAssets({ assets }: Manifest): readonly ListedAsset[] {
  return Object.entries(assets).flatMap(([key, entry]) => listEntry(key, entry));
}

function listEntry(key: string, entry: AssetEntry): readonly ListedAsset[] {
  const path = `assets.${key}`;
  if (!Array.isArray(entry)) return [{ key, path, asset: entry as Asset }];
  return (entry as readonly Asset[]).flatMap((item, index) => {
    const at = `${path}[${index}]`;
    if (isOneAsset(item)) return [{ key, path: at, asset: item }];
    return Object.entries(item).map(([name, asset]) => ({ key: name, path: `${at}.${name}`, asset: asset as Asset }));
  });
}

function isOneAsset(item: Asset): boolean {
  return item.asset_type !== undefined || item.url !== undefined || item.content !== undefined;
}

/** Looks at every asset of a manifest by its file. */
export async function gatherEvidence(manifest: Manifest, probe: AssetProbe): Promise<Evidence> {
  const assets = listAssets(manifest).map(async (listed): Promise<MeasuredAsset> => {
    const { asset } = listed;
    const named = asset.asset_type ?? (asset.content === undefined ? 'unknown' : 'text');
    const type = SLOT_ASSET_TYPES.find((one) => one === named);
    if (type === undefined) return { ...listed, type: named, facts: {}, isSeen: true };
    if (!FILES.has(type)) return { ...listed, type, facts: declaredFacts(asset, type), isSeen: true };
    const { facts, seen } = await examine(asset, type, probe);
    return { ...listed, type, facts, isSeen: seen };
  });
  return { manifest, assets: await Promise.all(assets) };
}
