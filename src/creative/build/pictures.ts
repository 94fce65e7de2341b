import { TaskError } from '../../protocol/errors.js';
import { findMissingFonts } from '../compose/fonts/packaged-fonts.js';
import { composeAd } from '../compose/layout/layout.js';
import { MIN_LEGAL_PX } from '../compose/layout/measures.js';
import type { Ad, AdContent, PlacedPicture } from '../compose/layout/nodes.js';
import { findOmissions, type OmittedPart } from '../compose/layout/omissions.js';
import { layoutSvg } from '../compose/layout/svg.js';
import { contrast } from '../compose/pictures/color.js';
import type { EdgeUnevenness } from '../compose/pictures/edges.js';
import type { ImageProcessor, OutputFormat, Rendered } from '../compose/pictures/image-processor.js';
import type { GroupSlot } from '../formats/format.js';

import type { ImageSize } from './image-slot.js';

/** A picture of the source or the brand: its bytes, its own size, and how its edges would go on. */
export type SourcePicture = {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly edges: EdgeUnevenness;
};

/** The formats and the weight that a slot allows for a picture. */
export type PictureLimits = { readonly formats: readonly [OutputFormat, ...OutputFormat[]]; readonly maxBytes: number };

/** An ad to lay out around a picture, if there is one. */
type PictureLayout = {
  readonly content: AdContent;
  readonly picture: SourcePicture | undefined;
  readonly size: ImageSize;
  /** Bytes that the picture may take inside the ad. */
  readonly maxPictureBytes: number;
};

/** Lays content out around a picture, if there is one, which is cropped to the very box that the layout gives it. */
export async function composeAround(
  images: ImageProcessor,
  { content, picture, size, maxPictureBytes }: PictureLayout,
): Promise<Ad> {
  const [width, height] = [size.width / size.scale, size.height / size.scale];
  if (picture === undefined) return composeAd(content, width, height);
  const draft = composeAd({ ...content, picture: { dataUri: '', width: 1, height: 1 } }, width, height);
  const box = draft.nodes.find((node) => node.role === 'picture')?.box;
  if (box === undefined) return composeAd(content, width, height);
  const placed = await cropPicture(images, picture.bytes, {
    width: Math.round(box.width * size.scale),
    height: Math.round(box.height * size.scale),
    maxBytes: maxPictureBytes,
  });
  return composeAd({ ...content, picture: placed }, width, height);
}

async function cropPicture(
  images: ImageProcessor,
  bytes: Uint8Array,
  { width, height, maxBytes }: { readonly width: number; readonly height: number; readonly maxBytes: number },
): Promise<PlacedPicture> {
  const fitted = await images.fitImage(bytes, { width, height, fit: 'cover', format: 'jpeg', maxBytes });
  return { dataUri: dataUri(fitted), width, height };
}

/** Most bytes of a picture inside an ad's HTML (a third more as base64, and the whole stays below its limit), inside an image, and of a logo. */
export const EMBEDDED_BYTES = { html: 60_000, image: 4_000_000, logo: 40_000 } as const;

/** How parts without room are called for the buyer. */
const OMITTED: Readonly<Record<OmittedPart, string>> = {
  headline: 'the headline',
  legal: `the terms, in letters of ${MIN_LEGAL_PX} pixels or more`,
  body: 'the text below the headline',
  eyebrow: 'the line above the headline',
  offer: 'the offer',
};

/** Returns what an ad has no room for, as a remark for the buyer; undefined when all is there. `hasPicture` is whether a picture was to be in it. */
export function describeOmissions({ content, nodes, width, height }: Ad, hasPicture: boolean): string | undefined {
  const omissions = findOmissions(content, nodes);
  const gone: string[] = omissions.flatMap(({ part, isCut }) => (isCut ? [] : [OMITTED[part]]));
  if (hasPicture && !nodes.some(({ role }) => role === 'picture')) gone.push('the picture');
  const cut = omissions.flatMap(({ part, isCut }) => (isCut ? [OMITTED[part]] : []));
  const size = `${width}x${height}`;
  const isTerms = omissions.some(({ part }) => part === 'legal');
  const remarks = [
    cut.length === 0 ? '' : `At ${size} ${cut.join(' and ')} is cut: send a shorter text.`,
    gone.length === 0 ? '' : `At ${size} there is no room for ${gone.join(', ')}.`,
    isTerms ? 'Say the terms where the click leads, or shorten them.' : '',
  ].filter((remark) => remark !== '');
  return remarks.length === 0 ? undefined : remarks.join(' ');
}

/** Draws a composed ad as a picture for a slot. */
export function drawAd(
  images: ImageProcessor,
  ad: Ad,
  size: ImageSize,
  { formats, maxBytes }: PictureLimits,
): Promise<Rendered> {
  const [format, ...others] = formats;
  const { width, height, scale } = size;
  return images.renderSvg(layoutSvg(ad, scale), { width, height, format, others, maxBytes });
}

/**
 * Throws UNSUPPORTED_FEATURE when content has characters that no installed font draws, before anything is drawn: an ad never
 * silently lacks words.
 */
export function requireGlyphs(content: AdContent, field: string): void {
  const { brandName, headline, callToAction, body, eyebrow, offer, legal } = content;
  const texts = [brandName, headline, callToAction, body, eyebrow, offer, legal].filter((text) => text !== undefined);
  const missing = findMissingFonts(content.fonts, texts);
  if (missing === undefined) return;
  const { scripts, packages, characters } = missing;
  if (packages.length > 0) {
    throw new TaskError(
      'UNSUPPORTED_FEATURE',
      `No font for ${scripts.join(', ')} is installed here, so the text cannot be drawn.`,
      {
        field,
        details: { scripts, packages },
        suggestion: `Ask for an HTML format or a text in another language; the operator can add it with npm install ${packages.join(' ')}, or with a folder of fonts in rendering.fonts.`,
      },
    );
  }
  throw new TaskError('UNSUPPORTED_FEATURE', `No font has the characters ${characters.join(' ')}.`, {
    field,
    details: { characters },
    suggestion: 'Leave them out, or ask for an HTML format.',
  });
}

const LOGO_SIDE_PX = 400;

/** Returns a logo ready to be placed on a ground: at most 400 pixels a side, with a plate beneath where it would not be seen. */
export async function prepareLogo(images: ImageProcessor, bytes: Uint8Array, ground: string): Promise<PlacedPicture> {
  const facts = await images.readPicture(bytes);
  const scale = Math.min(1, LOGO_SIDE_PX / Math.max(facts.width, facts.height));
  const [width, height] = [Math.max(1, Math.round(facts.width * scale)), Math.max(1, Math.round(facts.height * scale))];
  const fitted = await images.fitImage(bytes, {
    width,
    height,
    fit: 'contain',
    background: '#00000000',
    format: 'png',
    maxBytes: EMBEDDED_BYTES.logo,
  });
  const placed = { dataUri: dataUri(fitted), width, height };
  if (!facts.transparent || contrast(facts.color, ground) >= 3) return placed;
  return { ...placed, plate: contrast(facts.color, '#ffffff') >= 3 ? '#ffffff' : '#16181d' };
}

/** Returns a picture of the source, decoded once for its size. Throws VALIDATION_ERROR for what is none. */
export async function readSource(images: ImageProcessor, bytes: Uint8Array): Promise<SourcePicture> {
  const { width, height, edges } = await images.readPicture(bytes);
  return { bytes, width, height, edges };
}

/** Returns a rendered picture as a data URI. */
export function dataUri({ mime, bytes }: Pick<Rendered, 'mime' | 'bytes'>): string {
  return `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
}

const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

/** Returns the wire name of a picture's format, and the file name that goes with it. */
export function nameFile(
  { asset_id }: Pick<GroupSlot, 'asset_id'>,
  { mime, width, height }: Rendered,
): { readonly format: string; readonly name: string } {
  const format = EXTENSIONS[mime];
  return { format, name: `${asset_id}-${width}x${height}.${format}` };
}
