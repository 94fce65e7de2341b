import { createHash } from 'node:crypto';
import type { Direction } from '../../../creative/build/direction.js';
import type { Copy } from '../../../creative/compose/copy/copy.js';
import type { FormatId } from '../../../creative/formats/format.js';
import { type AssetEntry, isAsset, type Manifest } from '../../../creative/formats/manifest.js';
import type { TransformerConfig } from '../../../creative/transformers/transformers.js';
import { DAY_MS } from '../../../platform/kernel/clock.js';

/** How long a creative that was built can be refined, in milliseconds. */
export const REFINABLE_MS = 7 * DAY_MS;

/** A creative that was built, and all that another is refined from. */
export type BuildVariant = {
  readonly build_variant_id: string;
  readonly parent_build_variant_id?: string | undefined;
  readonly transformer_id: string;
  /** The values of the transformer's parameters that it was built with. */
  readonly config: TransformerConfig;
  /** What earlier refinements asked for. */
  readonly direction: Direction;
  /** The format that was asked for. */
  readonly target: FormatId;
  readonly message?: string | undefined;
  /** The brand as it was named. */
  readonly brand?: unknown;
  readonly macros?: Readonly<Record<string, string>> | undefined;
  /** The manifest that it was built from. */
  readonly source?: Manifest | undefined;
  /** The manifest that came of it. */
  readonly manifest: Manifest;
  /** Its words; absent of variants that an earlier version stored. */
  readonly copy?: Copy | undefined;
};

/** Assets that show a whole ad, by their types. */
const DRAWN: ReadonlySet<string> = new Set(['image', 'html', 'javascript']);

/** Returns what an asset shows, where that is a whole ad; undefined of all others, logos among them. */
function readDrawn(key: string, entry: AssetEntry | undefined): string | undefined {
  const asset = isAsset(entry) ? entry : undefined;
  if (asset === undefined || !DRAWN.has(asset.asset_type ?? '') || /logo|icon|avatar/.test(key)) return undefined;
  return asset.url ?? asset.content;
}

/** Returns a digest of the first picture or page of a manifest that is not in its `source`; undefined where there is none. */
export function digestDrawn(manifest: Manifest, source: Manifest | undefined): string | undefined {
  const before = new Set(Object.entries(source?.assets ?? {}).map(([key, entry]) => readDrawn(key, entry)));
  const [drawn] = Object.entries(manifest.assets)
    .map(([key, entry]) => readDrawn(key, entry))
    .filter((one) => one !== undefined && !before.has(one));
  return drawn === undefined ? undefined : createHash('sha256').update(drawn).digest('base64url');
}

/**
 * Returns what a creative that was built is built of again: the source that it was built of, with what its manifest has that was not made
 * from it, such as another logo, a text that was edited, or a tracker.
 */
export function restoreSource({ manifest, source, target }: BuildVariant, sent: Manifest): Manifest | undefined {
  const made = new Map(Object.entries(manifest.assets).map(([key, entry]) => [key, JSON.stringify(entry)]));
  const isOwn = (key: string, entry: AssetEntry): boolean => made.get(key) === JSON.stringify(entry);
  const isSame = (key: string, entry: AssetEntry): boolean => {
    const [own, other] = [manifest.assets[key], entry];
    return isAsset(own) && isAsset(other) && own.content === other.content && own.url === other.url;
  };
  const added = Object.entries(sent.assets).filter(([key, entry]) => !isOwn(key, entry) && !isSame(key, entry));
  const assets = { ...source?.assets, ...Object.fromEntries(added) };
  const { assets: _assets, format_id: _format, ...carried } = sent;
  return { ...carried, format_id: source?.format_id ?? { ...target, id: 'source_master' }, assets };
}
