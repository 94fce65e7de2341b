import { escapeHtml } from '../../platform/web/html.js';
import { TaskError } from '../../protocol/errors.js';
import { findUrlFault } from '../asset-url.js';
import { type Asset, isAsset, type Manifest } from '../formats/manifest.js';
import { fillHtml, fillUrl, type MacroValues } from '../macros/fill.js';
import type { Direction } from './direction.js';

/** An asset of a source manifest with its key. */
export type KeyedAsset = { readonly key: string; readonly asset: Asset };

/** Returns the single assets of a source manifest, in its order. */
export function listSourceAssets(source: Manifest | undefined): readonly KeyedAsset[] {
  return Object.entries(source?.assets ?? {}).flatMap(([key, entry]) => {
    const asset = isAsset(entry) ? entry : undefined;
    return asset === undefined || key === 'promoted_offerings' ? [] : [{ key, asset }];
  });
}

/** Returns the source's asset for a slot: of the same name and a fitting type, else the first of the type that `suits`. */
export function findSourceAsset(
  source: Manifest | undefined,
  assetId: string,
  types: readonly string[],
  suits: (key: string) => boolean = () => true,
): KeyedAsset | undefined {
  const fitting = listSourceAssets(source).filter(({ asset }) => types.includes(typeOf(asset)));
  return fitting.find(({ key }) => key === assetId) ?? fitting.find(({ key }) => suits(key));
}

function typeOf({ asset_type, content, url }: Asset): string {
  return asset_type ?? (content !== undefined && url === undefined ? 'text' : 'unknown');
}

/** Returns the share of a picture that is lost when it is cropped to another shape, 0 to 1. */
export function cropLoss(
  from: { readonly width: number; readonly height: number },
  to: { readonly width: number; readonly height: number },
): number {
  const [a, b] = [from.width / from.height, to.width / to.height];
  return 1 - Math.min(a / b, b / a);
}

/** The ways in which a picture is fitted to an ad's size: cropped, as part of a new layout, or whole with its edges continued. */
type Adaptation = 'crop' | 'compose' | 'contain';

/** Above this share lost, a crop destroys the picture. */
const MAX_CROP_LOSS = 0.35;

/** Returns the way that the direction says; without one `crop` while little is lost; else a new layout around the picture where there are words for it; else the whole picture. */
export function chooseAdaptation(loss: number, hasWords: boolean, fit: Direction['fit'] = 'auto'): Adaptation {
  if (fit !== 'auto') return fit;
  if (loss <= MAX_CROP_LOSS) return 'crop';
  return hasWords ? 'compose' : 'contain';
}

const CLICK = /click|landing|destination|cta_url/;
const TRACKER = /tracker|tracking|pixel|impression|viewab/;
const TRACKER_TYPES = ['pixel_tracker', 'vast_tracker', 'daast_tracker'];

/** Whether an asset counts or measures; such assets are kept as they are. */
export function isTracker({ key, asset }: KeyedAsset): boolean {
  const { asset_type = '', url_type = '' } = asset;
  return (
    TRACKER_TYPES.includes(asset_type) || url_type.startsWith('tracker') || (asset_type === 'url' && TRACKER.test(key))
  );
}

/** Whether an asset is where a click leads. */
export function isClick({ key, asset }: KeyedAsset): boolean {
  return (
    asset.url !== undefined && !isTracker({ key, asset }) && (asset.url_type === 'clickthrough' || CLICK.test(key))
  );
}

/**
 * Returns a URL of the source as it may go out, macros filled. Throws VALIDATION_ERROR for what no browser should follow,
 * `javascript:` and `data:` first of all.
 */
export function prepareUrl(url: string, field: string, macros: MacroValues): string {
  const fault = findUrlFault(url);
  if (fault !== undefined) {
    throw new TaskError('VALIDATION_ERROR', `The URL ${fault.message}.`, {
      field,
      details: { found: fault.found, wanted: fault.wanted },
      suggestion: 'Send an absolute https URL.',
    });
  }
  return fillUrl(url, macros);
}

/**
 * Returns HTML of one size shown at another: unchanged when the size is the same or unknown, else scaled to fit inside a frame
 * of the new size. The frame is sandboxed and carries the source literally, its macros with it.
 */
export function resizeHtml(source: string, from: Size | undefined, to: Size, macros: MacroValues): string {
  const filled = fillHtml(source, macros);
  if (from === undefined || (from.width === to.width && from.height === to.height)) return filled;
  const scale = Math.min(to.width / from.width, to.height / from.height);
  const [left, top] = [(to.width - from.width * scale) / 2, (to.height - from.height * scale) / 2];
  const frame = `position:absolute;left:${n(left)}px;top:${n(top)}px;width:${from.width}px;height:${from.height}px;border:0;transform:scale(${n(scale)});transform-origin:0 0`;
  return `<!DOCTYPE html>
<html>
<head><meta charset="utf-8"><meta name="ad.size" content="width=${to.width},height=${to.height}"></head>
<body style="margin:0">
<div style="position:relative;width:${to.width}px;height:${to.height}px;overflow:hidden"><iframe title="Advertisement" scrolling="no" sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" style="${frame}" srcdoc="${escapeHtml(filled)}"></iframe></div>
</body>
</html>
`;
}

type Size = { readonly width: number; readonly height: number };

const AD_SIZE =
  /<meta\s[^>]{0,200}name=["']?ad\.size["']?[^>]{0,200}content=["']?\s*width=(\d{1,5})\s*,\s*height=(\d{1,5})/i;

/** Returns the size that an HTML ad was made for: its own ad.size, what its asset says, or that of its format's id. */
export function readHtmlSize({ content = '', width, height }: Asset, source: Manifest | undefined): Size | undefined {
  const { id = '', width: wide, height: high } = source?.format_id ?? {};
  const own = AD_SIZE.exec(content);
  if (own !== null) return { width: Number(own[1]), height: Number(own[2]) };
  if (width !== undefined && height !== undefined) return { width, height };
  if (wide !== undefined && high !== undefined) return { width: wide, height: high };
  const named = /(\d{2,5})x(\d{2,5})/.exec(id);
  return named === null ? undefined : { width: Number(named[1]), height: Number(named[2]) };
}

/** Returns a picture as one HTML ad that links to the click macro. */
export function wrapPicture(dataUri: string, { width, height }: Size, title: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="ad.size" content="width=${width},height=${height}"><title>${escapeHtml(title)}</title></head>
<body style="margin:0">
<a href="{CLICK_URL}" target="_blank" rel="noopener noreferrer"><img src="${escapeHtml(dataUri)}" width="${width}" height="${height}" alt="${escapeHtml(title)}" style="display:block;border:0"></a>
</body>
</html>
`;
}

function n(value: number): string {
  return String(Math.round(value * 10_000) / 10_000);
}
