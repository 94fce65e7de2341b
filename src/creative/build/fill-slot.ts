import { TaskError } from '../../protocol/errors.js';
import { composeArtwork, composeMark } from '../compose/layout/artwork.js';
import { layoutHtml } from '../compose/layout/html.js';
import type { OutputFormat, Rendered } from '../compose/pictures/image-processor.js';
import { isDataUrl } from '../data-url.js';
import type { AssetType, GroupSlot } from '../formats/format.js';

import type { Asset } from '../formats/manifest.js';
import { fillHtml } from '../macros/fill.js';
import { probeMedia } from '../probe/probe.js';
import { adaptPicture, layOut } from './adapt.js';
import { isLooks } from './direction.js';
import { classifyImageSlot, type ImageSize, listOutputFormats, maxSlotBytes, measureImageSlot } from './image-slot.js';
import {
  dataUri,
  drawAd,
  EMBEDDED_BYTES,
  nameFile,
  type PictureLimits,
  requireGlyphs,
  type SourcePicture,
} from './pictures.js';
import { findPlacementFault, MAX_ENLARGED, requirePlaceable } from './placement.js';
import { type BuildSession, findPicture, type PictureSource } from './session.js';
import { fillSpot } from './spot/fill-spot.js';
import { fillTag } from './tags.js';
import { chooseText } from './texts.js';
import {
  findSourceAsset,
  isTracker,
  type KeyedAsset,
  prepareUrl,
  readHtmlSize,
  resizeHtml,
  wrapPicture,
} from './transform.js';
import type { FillSlot } from './types.js';

type Fill = FillSlot<BuildSession>;

/** How the asset of a slot is made, by its type. What is not listed is only ever taken from the source. */
const FILLERS: Partial<Readonly<Record<AssetType, Fill>>> = {
  image: fillImage,
  html: fillHtmlSlot,
  javascript: fillJavascript,
  text: fillText,
  markdown: fillMarkdown,
  url: fillUrlSlot,
  video: fillSpot,
  audio: fillSpot,
  vast: fillTag,
  daast: fillTag,
};

/** Returns the asset of a slot; undefined leaves an optional one out. Throws VALIDATION_ERROR naming a required slot that nothing can fill. */
export async function fillSlot(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const fill = FILLERS[slot.asset_type] ?? fillFromSource;
  const asset = await fill(slot, session);
  if (asset === undefined && slot.required) throw missingAsset(slot, session);
  return asset;
}

function missingAsset({ asset_id, asset_type }: GroupSlot, { field, order }: BuildSession): TaskError {
  const advice = ADVICE[asset_type] ?? `Send the asset in ${field}.assets.${asset_id}.`;
  const needsEncoder = NEEDS_ENCODER.has(asset_type) && order.media?.encoder === undefined;
  return new TaskError(
    'VALIDATION_ERROR',
    needsEncoder
      ? `Slot ${asset_id} needs an asset of type ${asset_type}, and this seller's server makes none: it has no ffmpeg.`
      : `Slot ${asset_id} needs an asset of type ${asset_type}, and there is nothing to make it from.`,
    {
      field: `${field}.assets.${asset_id}`,
      details: { slot: asset_id, found: null, wanted: asset_type },
      suggestion: needsEncoder ? `${advice} ${FOR_OPERATOR}` : advice,
    },
  );
}

const NEEDS_ENCODER: ReadonlySet<AssetType> = new Set(['video', 'audio', 'vast']);

const FOR_OPERATOR = 'Whoever runs the server can install ffmpeg, or name it in the setting rendering.ffmpeg.';

const ADVICE: Partial<Readonly<Record<AssetType, string>>> = {
  video: 'Send a finished video in the manifest.',
  audio: 'Send a finished audio file in the manifest.',
  vast: 'Send a VAST tag, or a finished video that a tag can be made around.',
  daast: 'Send a DAAST tag.',
};

async function fillImage(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const part = classifyImageSlot(slot, session.order);
  const source = part === 'mark' ? undefined : findPicture(session, slot.asset_id);
  if (source === undefined && !slot.required && part === 'picture') return undefined;
  const size = measureImageSlot(slot, session.order);
  const picture = source && (await session.picture(source));
  const alt = altText(session);
  const fits = source !== undefined && picture !== undefined && fitsAlready(picture, slot, size);
  const isRedrawn = fits && part === 'ad' && adaptPicture(session, { picture, source }, size).kind === 'layout';
  if (fits && !isRedrawn && !isDataUrl(source.url)) {
    const { width, height } = picture;
    return { alt_text: alt, ...source.asset, asset_type: 'image', url: source.url, width, height };
  }
  const limits = (preferred: OutputFormat): PictureLimits => ({
    formats: listOutputFormats(slot, preferred),
    maxBytes: maxSlotBytes(slot),
  });
  const rendered = await DRAW[part]({ session, picture, source, size, limits });
  return publishImage(slot, session, rendered, alt);
}

function altText({ copy, order }: BuildSession): string {
  return copy.headline === order.brand.name ? copy.headline : `${order.brand.name}: ${copy.headline}`;
}

/** Whether a source image can go out untouched. */
function fitsAlready({ bytes, width, height }: SourcePicture, slot: GroupSlot, size: ImageSize): boolean {
  if (width !== size.width || height !== size.height || bytes.length > maxSlotBytes(slot)) return false;
  const probed = probeMedia(bytes);
  const format = probed.ok ? probed.media.format : '';
  const { formats } = slot.requirements ?? {};
  return !Array.isArray(formats) || formats.some((name) => String(name).replace('jpeg', 'jpg') === format);
}

/** An image to draw: of the picture that the source has for its slot, if any, at a size. */
type Drawing = {
  readonly session: BuildSession;
  readonly picture: SourcePicture | undefined;
  readonly source: PictureSource | undefined;
  readonly size: ImageSize;
  readonly limits: (preferred: OutputFormat) => PictureLimits;
};

type Draw = (drawing: Drawing) => Promise<Rendered>;

const DRAW: Readonly<Record<ReturnType<typeof classifyImageSlot>, Draw>> = {
  mark: async ({ session, size, limits }) =>
    drawAd(
      session.order.images,
      composeMark(await loadDrawableContent(session), size.width / size.scale, size.height / size.scale),
      size,
      limits('png'),
    ),
  picture: async ({ session, picture, size, limits }) => {
    const fit = session.order.direction?.fit === 'contain' ? 'extend' : 'cover';
    if (picture !== undefined) return fitPicture(session, picture, size, { fit, ...limits('jpeg') });
    return drawAd(
      session.order.images,
      composeArtwork(await loadDrawableContent(session), size.width / size.scale, size.height / size.scale),
      size,
      limits('png'),
    );
  },
  ad: async ({ session, picture, source, size, limits }) => {
    const adapted = adaptPicture(session, picture && source && { picture, source }, size);
    if (adapted.kind === 'fit')
      return fitPicture(session, adapted.picture, size, { fit: adapted.fit, ...limits('jpeg') });
    const content = await loadDrawableContent(session);
    const ad = await layOut(session, content, {
      picture: adapted.picture,
      size,
      maxPictureBytes: EMBEDDED_BYTES.image,
    });
    return drawAd(session.order.images, ad, size, limits(adapted.picture === undefined ? 'png' : 'jpeg'));
  },
};

async function loadDrawableContent(session: BuildSession): ReturnType<BuildSession['content']> {
  const content = await session.content();
  requireGlyphs(content, 'message');
  return content;
}

function fitPicture(
  { order }: BuildSession,
  { bytes }: SourcePicture,
  { width, height }: ImageSize,
  { fit, formats, maxBytes: limit }: PictureLimits & { readonly fit: 'cover' | 'extend' },
): Promise<Rendered> {
  const [format, ...others] = formats;
  return order.images.fitImage(bytes, {
    width,
    height,
    fit,
    maxScale: MAX_ENLARGED,
    format,
    others,
    maxBytes: limit,
  });
}

async function publishImage(
  slot: GroupSlot,
  { order, files }: BuildSession,
  rendered: Rendered,
  alt: string,
): Promise<Asset> {
  const { width, height, bytes, mime } = rendered;
  const { format, name } = nameFile(slot, rendered);
  const file = { name, bytes, mime, width, height, asset_id: slot.asset_id };
  files.push(file);
  return { asset_type: 'image', url: await order.publish(file), width, height, format, alt_text: alt };
}

async function fillHtmlSlot(slot: GroupSlot, session: BuildSession): Promise<Asset> {
  return htmlAsset(slot, await adHtml(slot, session), session);
}

/** Returns HTML as the asset of a slot. Throws VALIDATION_ERROR when it is heavier than the slot allows. */
export function htmlAsset(slot: GroupSlot, html: string, session: BuildSession): Asset {
  const most = maxSlotBytes(slot);
  if (Buffer.byteLength(html) > most) {
    throw new TaskError(
      'VALIDATION_ERROR',
      `The HTML for slot ${slot.asset_id} has ${Buffer.byteLength(html)} bytes; at most ${most} are allowed.`,
      {
        field: `${session.field}.assets.${slot.asset_id}`,
        details: { slot: slot.asset_id, found: Buffer.byteLength(html), wanted: most },
        suggestion: 'Send a smaller HTML, or one without the files that it carries in itself.',
      },
    );
  }
  return { asset_type: 'html', content: html };
}

/** Returns the ad as HTML: the source's own at the new size, else its picture, else the layout. */
async function adHtml(slot: GroupSlot, session: BuildSession): Promise<string> {
  const { order } = session;
  const { sourceManifest, macros = {} } = order;
  const size = measureImageSlot({ ...slot, requirements: {} }, order);
  const html = findSourceAsset(sourceManifest, slot.asset_id, ['html']);
  const own = html && resizeSource(session, html, size);
  if (own !== undefined) return own;
  const source = html === undefined ? findPicture(session, slot.asset_id) : undefined;
  const picture = source && (await session.picture(source));
  const adapted = adaptPicture(session, picture && source && { picture, source }, size);
  if (adapted.kind === 'fit') {
    const image = await fitPicture(session, adapted.picture, size, {
      fit: adapted.fit,
      formats: ['jpeg'],
      maxBytes: EMBEDDED_BYTES.html,
    });
    return fillHtml(wrapPicture(dataUri(image), size, altText(session)), macros);
  }
  const content = await session.content();
  const ad = await layOut(session, content, { picture: adapted.picture, size, maxPictureBytes: EMBEDDED_BYTES.html });
  return fillHtml(layoutHtml(ad), macros);
}

/**
 * Returns the source's own HTML at a size; undefined where the ad is laid out anew of the texts beside it. Throws VALIDATION_ERROR where
 * it can be neither.
 */
function resizeSource(session: BuildSession, { key, asset }: KeyedAsset, size: ImageSize): string | undefined {
  const { order, field, hasOwnWords } = session;
  const { content = '' } = asset;
  const from = readHtmlSize(asset, order.sourceManifest);
  const placement = from && { from, to: size, density: 1, isSharp: true };
  const isFit = placement === undefined || findPlacementFault(placement) === undefined;
  const isChanged = (order.changes ?? []).some(isLooks);
  if (hasOwnWords && (isChanged || !isFit)) return undefined;
  if (placement !== undefined) requirePlaceable(placement, `${field}.assets.${key}`);
  return resizeHtml(content, from, size, order.macros ?? {});
}

/** Returns a script that puts the HTML ad where the script stands; no character of it can end the script early. */
async function fillJavascript(slot: GroupSlot, session: BuildSession): Promise<Asset> {
  const source = findSourceAsset(session.order.sourceManifest, slot.asset_id, ['javascript'])?.asset;
  if (source?.content !== undefined) return { ...source, asset_type: 'javascript' };
  const { width, height } = measureImageSlot({ ...slot, requirements: {} }, session.order);
  const text = JSON.stringify(await adHtml(slot, session)).replace(
    /[<>\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const content = `(function(){var s=document.currentScript,f=document.createElement('iframe');f.width=${width};f.height=${height};f.style.border='0';f.scrolling='no';f.title='Advertisement';f.srcdoc=${text};s.parentNode.insertBefore(f,s);})();\n`;
  return { asset_type: 'javascript', content };
}

async function fillText(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const content = chooseSlotText(slot, session);
  return content === undefined ? undefined : { asset_type: 'text', content };
}

async function fillMarkdown(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const given = await fillFromSource(slot, session);
  if (given !== undefined || !slot.required) return given;
  const content = chooseSlotText(slot, session);
  return content === undefined
    ? undefined
    : { asset_type: 'markdown', content: content.replace(/[\\`*_{}[\]<>()#|]/g, '\\$&') };
}

function chooseSlotText(slot: GroupSlot, { copy, order, offering }: BuildSession): string | undefined {
  const { brand, message, sourceManifest } = order;
  return chooseText(slot, {
    copy,
    brand,
    offering,
    message,
    source: sourceManifest,
  });
}

const CLICK_ROLES = ['clickthrough', 'landing_page'];

/**
 * Returns a click-through from the source, the offering or the brand, else left to the ad server; every other URL from the source alone.
 */
async function fillUrlSlot(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const { order, field, clickUrl } = session;
  const own = findSourceAsset(order.sourceManifest, slot.asset_id, ['url', 'unknown', 'pixel_tracker'], () => false);
  if (own?.asset.url !== undefined) {
    const url = prepareUrl(own.asset.url, `${field}.assets.${own.key}.url`, order.macros ?? {});
    return { ...own.asset, asset_type: own.asset.asset_type ?? 'url', url };
  }
  const role = String(slot.requirements?.role ?? slot.asset_role ?? '');
  const isClick = CLICK_ROLES.includes(role) || (role === '' && /click|landing|cta_url/.test(slot.asset_id));
  if (!isClick || isTracker({ key: slot.asset_id, asset: { asset_type: 'url' } })) return undefined;
  if (clickUrl !== undefined) return { asset_type: 'url', url: clickUrl, url_type: 'clickthrough' };
  if (!slot.required) return undefined;
  session.notes.add(
    'Nobody said where a click leads: click-throughs are the macro {CLICK_URL}, filled in when the ad is served.',
  );
  return { asset_type: 'url', url: '{CLICK_URL}', url_type: 'clickthrough' };
}

/** Returns an asset of the same type, as it is. */
async function fillFromSource(slot: GroupSlot, { order }: BuildSession): Promise<Asset | undefined> {
  return findSourceAsset(order.sourceManifest, slot.asset_id, [slot.asset_type])?.asset;
}
