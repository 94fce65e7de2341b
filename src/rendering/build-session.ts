import type { Brand, Offering } from './brand.js';
import { EMBEDDED_BYTES, placeLogo, readSource, type SourcePicture } from './build-pictures.js';
import { givenTexts } from './build-texts.js';
import type { BuildOrder, BuiltFile } from './build-types.js';
import { paletteOf } from './color.js';
import { type Copy, offeringOf } from './copy.js';
import { fitImage } from './image.js';
import { motifFor } from './layout-motif.js';
import type { AdContent } from './layout-nodes.js';
import { isClick, isTracker, type Keyed, keptUrl, sourceAssets, sourceFor } from './transform.js';

/** One build under way: the order, its words, and what is fetched or made at most once. */
export type BuildSession = {
  readonly order: BuildOrder;
  readonly field: string;
  readonly copy: Copy;
  readonly offering?: Offering;
  /** Whether there are words for a layout, more than the brand's name. */
  readonly hasWords: boolean;
  /** Whether the source says words that its picture does not show yet. */
  readonly isRaw: boolean;
  /** Where a click leads, macros filled; undefined when nobody said. */
  readonly clickUrl?: string;
  readonly files: BuiltFile[];
  readonly notes: Set<string>;
  /** The content of the ad's layout without a picture; the logo is loaded on first use. */
  readonly content: () => Promise<AdContent>;
  /** A picture by its URL, loaded once. Errors name `field`. */
  readonly picture: (url: string, field: string) => Promise<SourcePicture>;
};

/** Reads the order, has the words written, and finds where a click leads. */
export async function openSession(order: BuildOrder): Promise<BuildSession> {
  const { brand, message = '', sourceManifest, copyWriter, field = 'creative_manifest' } = order;
  const given = givenTexts(sourceManifest);
  const copy = await copyWriter.write({ message, brand, given });
  const offering = offeringOf(message, brand.offerings);
  const notes = new Set<string>();
  const pictures = new Map<string, Promise<SourcePicture>>();
  const clickUrl = findClickUrl(order, offering, field);
  return {
    order,
    field,
    copy,
    hasWords: copy.headline !== brand.name,
    isRaw: given.headline !== undefined && !isFinished(order),
    files: [],
    notes,
    content: once(() => contentOf(order, copy, notes)),
    picture: (url, at) => {
      const known = pictures.get(url) ?? order.assetBytes(url).then((bytes) => readSource(bytes, at));
      pictures.set(url, known);
      return known;
    },
    ...(offering === undefined ? {} : { offering }),
    ...(clickUrl === undefined ? {} : { clickUrl }),
  };
}

/** An image of a banner or screen format is an ad already; of any other it is material. */
function isFinished({ sourceManifest }: BuildOrder): boolean {
  const { id = '' } = sourceManifest?.format_id ?? {};
  return (
    /^(display|dooh)_/.test(id) || sourceAssets(sourceManifest).some(({ key }) => /banner|billboard|screen/.test(key))
  );
}

function findClickUrl(order: BuildOrder, offering: Offering | undefined, field: string): string | undefined {
  const source = sourceAssets(order.sourceManifest).find(isClick);
  if (source?.asset.url !== undefined)
    return keptUrl(source.asset.url, `${field}.assets.${source.key}.url`, order.macros ?? {});
  return offering?.url ?? order.brand.url;
}

async function contentOf(order: BuildOrder, copy: Copy, notes: Set<string>): Promise<AdContent> {
  const { brand, message = '' } = order;
  const palette = paletteOf(brand.colors);
  const subject = [message, brand.industry, brand.name, copy.headline].join(' ');
  const { language, headline, callToAction, body, eyebrow, offer } = copy;
  const logo = await loadLogo(order, palette.ground, notes);
  return {
    brandName: brand.name,
    headline,
    callToAction,
    language,
    palette,
    motif: motifFor(brand.name, subject),
    ...(body === undefined ? {} : { body }),
    ...(eyebrow === undefined ? {} : { eyebrow }),
    ...(offer === undefined ? {} : { offer }),
    ...(logo === undefined ? {} : { logo }),
  };
}

/** A logo that cannot be had never stops a build: the name is set instead. */
async function loadLogo(order: BuildOrder, ground: string, notes: Set<string>): Promise<AdContent['logo']> {
  const url =
    sourceFor(order.sourceManifest, 'logo', ['image'], (key) => key.includes('logo'))?.asset.url ?? order.brand.logoUrl;
  if (url === undefined) return undefined;
  try {
    return await placeLogo(await order.assetBytes(url), ground);
  } catch {
    notes.add('The logo could not be loaded as PNG, JPEG, WebP or GIF; the name of the brand stands in its place.');
    return undefined;
  }
}

/** The picture that a build is about: the source's image for the slot, else that of the offering. */
export function pictureSource(session: BuildSession, assetId: string): Keyed | undefined {
  const { order, offering } = session;
  const own = sourceFor(order.sourceManifest, assetId, ['image'], (key) => !/logo|icon|avatar/.test(key));
  if (own?.asset.url !== undefined) return own;
  const url = offering?.imageUrl;
  return url === undefined ? undefined : { key: assetId, asset: { asset_type: 'image', url } };
}

/** The source's trackers under their own keys: they are carried over whatever the format. */
export function carriedTrackers({ order, field }: BuildSession): readonly Keyed[] {
  return sourceAssets(order.sourceManifest)
    .filter(isTracker)
    .map(({ key, asset }) => {
      if (asset.url === undefined) return { key, asset };
      return { key, asset: { ...asset, url: keptUrl(asset.url, `${field}.assets.${key}.url`, order.macros ?? {}) } };
    });
}

/** The brand with one offering alone: for one card of several. */
export function brandWith(brand: Brand, offering: Offering | undefined): Brand {
  return { ...brand, offerings: offering === undefined ? [] : [offering] };
}

/** A picture cropped to a size, small enough to stand inside HTML. */
export function embeddable(
  bytes: Uint8Array,
  width: number,
  height: number,
  fit: 'cover' | 'contain',
): ReturnType<typeof fitImage> {
  return fitImage(bytes, { width, height, fit, background: 'blur', format: 'jpeg', maxBytes: EMBEDDED_BYTES.html });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
