import { isObject } from '../../../../platform/kernel/json/json.js';
import { sumOf } from '../../../../platform/kernel/numbers.js';
import { escapeHtml } from '../../../../platform/web/html.js';
import type { ResolvedCreative } from '../../../domain/booking/creatives.js';
import type { LivePackage } from '../../../domain/booking/live-order.js';
import { MappingRefusal } from '../refusal.js';
import { DISTRIBUTION, type Members } from '../wire.js';
import { productOf } from './flight.js';
import { creativeTitle, writeAdKey } from './names.js';

/** The formats that a creative of Kevel can be made of. */
export const FORMATS = ['display_*', 'display_image', 'display_static', 'display_html', 'display_js'] as const;

/** Kevel refuses longer addresses. */
const MAX_URL_CHARS = 2000;

/** A creative of a package as an ad of its flight: the creative, its part of the flight, and the ad's own name for it. */
export type MappedAd = {
  readonly creative: ResolvedCreative;
  readonly key: string;
  readonly members: Members;
  /** What the creative is made of; of no concern to an ad that is there already. */
  readonly content: Members;
};

/** Returns the creatives of a package as ads. Throws MappingRefusal for a creative that Kevel cannot show. */
export function mapAds(line: LivePackage): readonly MappedAd[] {
  const shares = shareOut(line.creatives);
  return line.creatives.map((creative, index) => ({
    creative,
    key: writeAdKey(creative),
    members: shares === undefined ? BALANCED : mapShare(shares[index] ?? 0),
    content: mapContent(line, creative),
  }));
}

const BALANCED: Members = { IsActive: true, DistributionType: DISTRIBUTION.balanced, Percentage: null };

function mapShare(Percentage: number): Members {
  return { IsActive: Percentage > 0, DistributionType: DISTRIBUTION.percentage, Percentage };
}

/**
 * Returns whole percents by weight that sum up to 100, the largest remainders first; undefined where no creative has a
 * weight.
 */
function shareOut(creatives: readonly ResolvedCreative[]): readonly number[] | undefined {
  if (creatives.every(({ weight }) => weight === undefined)) return undefined;
  const weights = creatives.map(({ weight = 0 }) => weight);
  const total = sumOf(weights);
  if (total === 0) return weights;
  const exact = weights.map((weight) => (weight * 100) / total);
  const whole = exact.map(Math.floor);
  const left = 100 - sumOf(whole);
  const byRemainder = exact
    .map((part, index) => ({ index, rest: part - Math.floor(part) }))
    .sort((one, other) => other.rest - one.rest)
    .slice(0, left);
  const raised = new Set(byRemainder.map(({ index }) => index));
  return whole.map((part, index) => (raised.has(index) ? part + 1 : part));
}

function mapContent(line: LivePackage, creative: ResolvedCreative): Members {
  const body = mapBody(line, creative);
  return { Title: creativeTitle(creative), AdTypeId: findAdType(line, creative), IsActive: true, ...body };
}

function findAdType(line: LivePackage, creative: ResolvedCreative): number {
  const { ad_types } = productOf(line);
  const size = sizeOf(creative);
  const type = size === undefined ? undefined : ad_types[size];
  if (type !== undefined) return type;
  throw new MappingRefusal({
    package_id: line.package_id,
    field: `creatives.${creative.creative_id}`,
    message: `The product has no ads of ${size ?? 'a size that the creative does not tell'}.`,
    suggestion: `Send a creative of ${Object.keys(ad_types).join(', ')}.`,
  });
}

const SIZE = /(?:^|_)(\d{1,5}x\d{1,5})(?:_|$)/;

/** Returns a size by the format's parameters, by its id, else by what the first asset says. */
function sizeOf({ format_id, assets }: ResolvedCreative): string | undefined {
  const { id, width, height } = format_id;
  if (width !== undefined && height !== undefined) return `${width}x${height}`;
  const named = SIZE.exec(id)?.[1];
  if (named !== undefined) return named;
  const sized = listAssets(assets).find((asset) => typeof asset.width === 'number' && typeof asset.height === 'number');
  return sized && `${sized.width}x${sized.height}`;
}

type AssetMembers = Readonly<Record<string, unknown>>;

function listAssets(assets: ResolvedCreative['assets']): readonly AssetMembers[] {
  return Object.values(assets).flatMap((entry) => (isObject(entry) ? [entry as AssetMembers] : []));
}

function mapBody(line: LivePackage, creative: ResolvedCreative): Members {
  const assets = listAssets(creative.assets);
  const ofType = (type: string): AssetMembers | undefined => assets.find(({ asset_type }) => asset_type === type);
  const html = ofType('html');
  const script = ofType('javascript');
  if (html !== undefined)
    return tagOf(
      line,
      creative,
      markupOf(html, (url) => `<iframe src="${url}"></iframe>`),
    );
  if (script !== undefined) {
    const inline = typeof script.content === 'string' ? { content: `<script>${script.content}</script>` } : script;
    return tagOf(
      line,
      creative,
      markupOf(inline, (url) => `<script src="${url}"></script>`),
    );
  }
  const image = ofType('image');
  if (image === undefined || typeof image.url !== 'string') {
    throw creativeRefused(line, creative, 'Kevel shows pictures, HTML and scripts alone.', 'Send one of these.');
  }
  return mapImage(line, creative, image);
}

function mapImage(line: LivePackage, creative: ResolvedCreative, image: AssetMembers): Members {
  const [click] = creative.click_urls;
  if (click === undefined) {
    throw creativeRefused(line, creative, 'A picture leads nowhere without a click URL.', 'Send its click URL.');
  }
  const tooLong = [click, `${image.url}`].find((url) => url.length > MAX_URL_CHARS);
  if (tooLong !== undefined) {
    const message = `Kevel takes addresses of at most ${MAX_URL_CHARS} characters.`;
    throw creativeRefused(line, creative, message, 'Send shorter URLs.');
  }
  const alt = typeof image.alt_text === 'string' ? image.alt_text : creative.name;
  if (creative.tracker_urls.length === 0) {
    return { IsHTMLJS: false, Url: click, ImageLink: image.url, Alt: alt, Body: '' };
  }
  const picture = `<a href="${escapeHtml(click)}" target="_blank"><img src="${escapeHtml(`${image.url}`)}" alt="${escapeHtml(alt)}"></a>`;
  return tagOf(line, creative, picture);
}

/** Returns the members of a tag. Throws where the package is paid by clicks, which Kevel counts for pictures alone. */
function tagOf(line: LivePackage, creative: ResolvedCreative, markup: string | undefined): Members {
  if (markup === undefined) throw creativeRefused(line, creative, 'The creative is empty.', 'Send its content or URL.');
  if (line.price.model === 'cpc' || line.goal?.unit === 'clicks') {
    const message = 'Kevel counts clicks of pictures without trackers alone, and the package is paid by clicks.';
    throw creativeRefused(line, creative, message, 'Send a picture without trackers.');
  }
  const pixels = creative.tracker_urls.map(
    (url) => `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="display:none">`,
  );
  return { IsHTMLJS: true, ScriptBody: [markup, ...pixels].join('\n'), Url: creative.click_urls[0] ?? null, Body: '' };
}

function markupOf({ content, url }: AssetMembers, frame: (url: string) => string): string | undefined {
  if (typeof content === 'string' && content !== '') return content;
  return typeof url === 'string' ? frame(escapeHtml(url)) : undefined;
}

function creativeRefused(
  { package_id }: LivePackage,
  { creative_id }: ResolvedCreative,
  message: string,
  suggestion: string,
): MappingRefusal {
  return new MappingRefusal({ package_id, field: `creatives.${creative_id}`, message, suggestion });
}
