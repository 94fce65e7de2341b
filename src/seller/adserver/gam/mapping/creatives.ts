import { fillText, type MacroValues } from '../../../../creative/macros/fill.js';
import { sha256Hex } from '../../../../platform/kernel/canonical.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import { escapeHtml } from '../../../../platform/web/html.js';
import type { ResolvedCreative } from '../../../domain/booking/creatives.js';
import { readSize, type Size } from '../settings.js';
import type { SoapObject } from '../soap/envelope.js';
import { TermsError } from './errors.js';
import { nameWithId } from './names.js';

/** A creative in the terms of Ad Manager. */
export type CreativeTerms = {
  readonly creative_id: string;
  readonly package_id: string;
  /** Ours, in its name: of another version of it another one. */
  readonly mark: string;
  readonly weight: number | undefined;
  readonly size: Size;
  /** As the SOAP API takes it, without the advertiser. */
  readonly soap: SoapObject;
};

/** Macros of the protocol as Ad Manager writes them, https://support.google.com/admanager/answer/2376981. */
const MACROS: MacroValues = {
  CLICK_URL: '%%CLICK_URL_UNESC%%',
  CACHEBUSTER: '%%CACHEBUSTER%%',
};

/** The longest address that an image may have there. */
const MAX_IMAGE_URL_CHARS = 1024;

type Content = { readonly type: string; readonly members: SoapObject };

/** Returns a creative in the terms of Ad Manager, for one of the sizes of its line. Throws TermsError for what it cannot show. */
export function creativeTerms(mediaBuyId: string, creative: ResolvedCreative, sizes: readonly Size[]): CreativeTerms {
  const { creative_id, name, package_id, version, weight } = creative;
  const mark = sha256Hex(JSON.stringify([mediaBuyId, creative_id, version])).slice(0, MARK_CHARS);
  const size = readCreativeSize(creative);
  const isFitting =
    size !== undefined && sizes.some(({ width, height }) => width === size.width && height === size.height);
  if (!isFitting) {
    throw new TermsError(`The creative ${creative_id} has none of the sizes that its package runs in.`, {
      package_id,
      field: 'creative_assignments',
      suggestion: `Send one of ${sizes.map(({ width, height }) => `${width}x${height}`).join(', ')}.`,
    });
  }
  const { members, type } = contentOf(creative);
  return {
    creative_id,
    package_id,
    mark,
    weight,
    size,
    soap: {
      '@type': type,
      advertiserId: undefined,
      name: nameWithId(name, mark),
      size: { ...size, isAspectRatio: false },
      ...members,
    },
  };
}

const MARK_CHARS = 24;

type WireObject = Readonly<Record<string, unknown>>;

function listObjects(value: unknown): readonly WireObject[] {
  if (Array.isArray(value)) return value.flatMap(listObjects);
  return isObject(value) ? [value] : [];
}

function findAsset({ assets }: ResolvedCreative, type: string): WireObject | undefined {
  return Object.values(assets)
    .flatMap(listObjects)
    .find(({ asset_type }) => asset_type === type);
}

/** Returns the size that the format's id names, else that of the picture, else the one in the name of the format. */
function readCreativeSize(creative: ResolvedCreative): Size | undefined {
  const { height, id, width } = creative.format_id;
  if (width !== undefined && height !== undefined) return { width, height };
  const image = findAsset(creative, 'image');
  if (typeof image?.width === 'number' && typeof image.height === 'number')
    return { width: image.width, height: image.height };
  return readSize(/\d+x\d+/.exec(id)?.[0] ?? '');
}

function contentOf(creative: ResolvedCreative): Content {
  const image = findAsset(creative, 'image');
  const [destinationUrl = ''] = creative.click_urls;
  const html = findAsset(creative, 'html');
  if (typeof html?.content === 'string') return snippetOf(creative, fillText(html.content, MACROS));
  if (typeof html?.url === 'string')
    return snippetOf(
      creative,
      `<iframe src="${escapeAttribute(html.url)}" width="100%" height="100%" frameborder="0"></iframe>`,
    );
  const script = findAsset(creative, 'javascript');
  if (typeof script?.content === 'string')
    return snippetOf(creative, `<script>${fillText(script.content, MACROS)}</script>`);
  if (typeof script?.url === 'string')
    return snippetOf(creative, `<script src="${escapeAttribute(script.url)}"></script>`);
  if (typeof image?.url !== 'string') throw notShown(creative);
  const isPlain =
    creative.tracker_urls.length === 0 && image.url.length <= MAX_IMAGE_URL_CHARS && destinationUrl !== '';
  if (isPlain) return { type: 'ImageRedirectCreative', members: { destinationUrl, imageUrl: image.url } };
  const picture = `<img src="${escapeAttribute(image.url)}" alt="${escapeHtml(String(image.alt_text ?? ''))}">`;
  return snippetOf(
    creative,
    destinationUrl === ''
      ? picture
      : `<a href="%%CLICK_URL_UNESC%%${escapeAttribute(destinationUrl)}" target="_blank">${picture}</a>`,
  );
}

/** Returns HTML with what counts beside it. */
function snippetOf({ tracker_urls }: ResolvedCreative, html: string): Content {
  const pixels = tracker_urls.map(
    (url) => `<img src="${escapeAttribute(url)}" width="1" height="1" alt="" style="display:none">`,
  );
  return { type: 'ThirdPartyCreative', members: { snippet: [html, ...pixels].join('') } };
}

function escapeAttribute(url: string): string {
  return escapeHtml(fillText(url, MACROS));
}

function notShown({ creative_id, format_id, package_id }: ResolvedCreative): TermsError {
  return new TermsError(`The creative ${creative_id} of format ${format_id.id} is none that the ad server is given.`, {
    package_id,
    field: 'creative_assignments',
    suggestion: 'Send an image, HTML or a script.',
  });
}
