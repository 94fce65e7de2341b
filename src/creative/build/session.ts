import { TaskError, taskErrorOrThrow } from '../../protocol/errors.js';
import { type Brand, chooseLogo, type Offering } from '../compose/brand.js';
import { BANNER_LIMITS, type Copy, type CopyOrder, chooseOffering } from '../compose/copy/copy.js';
import { chooseFamily } from '../compose/design/choose-family.js';
import { buildPalettes } from '../compose/design/scheme.js';
import { cleanText } from '../compose/layout/metrics.js';
import type { AdContent } from '../compose/layout/nodes.js';
import { chooseMotif } from '../compose/layout/parts/motif.js';
import { isDark } from '../compose/pictures/color.js';
import type { Asset } from '../formats/manifest.js';
import { fileFault } from '../probe/asset-files.js';
import { directColors, directMotif } from './direction.js';
import { prepareLogo, readSource, type SourcePicture } from './pictures.js';
import { readGivenTexts } from './texts.js';
import { findSourceAsset, isClick, isTracker, type KeyedAsset, listSourceAssets, prepareUrl } from './transform.js';
import type { BuildOrder, BuiltFile } from './types.js';

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
  /** A picture, loaded once; undefined when the build goes on without it, which a note says. Throws VALIDATION_ERROR with its field. */
  readonly picture: (source: PictureSource) => Promise<SourcePicture | undefined>;
};

/** Where a picture comes from. Without a `field` it is one that the brand brings along, which never stops a build. */
type PictureSource = { readonly url: string; readonly asset: Asset; readonly field?: string };

/** Reads the order, has the words written, and finds where a click leads. */
export async function openSession(order: BuildOrder): Promise<BuildSession> {
  const { brand, message = '', sourceManifest, field = 'creative_manifest' } = order;
  const given = readGivenTexts(sourceManifest);
  const copy = await writeWords(order, { message, brand, given });
  const offering = chooseOffering(message, brand.offerings);
  const notes = new Set(copy.remarks);
  if (!brand.hasLook) notes.add(UNKNOWN_LOOK);
  const pictures = new Map<string, Promise<SourcePicture | undefined>>();
  const clickUrl = findClickUrl(order, offering, field);
  return {
    order,
    field,
    copy,
    hasWords: copy.headline !== brand.name,
    isRaw: given.headline !== undefined && !isFinished(order),
    files: [],
    notes,
    content: makeOnce(() => buildContent(order, copy, notes)),
    picture: (source) => {
      const picture = pictures.get(source.url) ?? loadPicture(order, source, notes);
      pictures.set(source.url, picture);
      return picture;
    },
    offering,
    clickUrl,
  };
}

const UNKNOWN_LOOK =
  'Nothing says how the brand looks: its colors were chosen here and its name stands for a logo. Send colors and logos with the brand, or publish them in its brand.json.';

/** The words of the writer, but for those that the direction sets. */
async function writeWords({ copyWriter, direction = {} }: BuildOrder, wanted: CopyOrder): Promise<Copy> {
  const { headline, callToAction, headlineChars } = direction;
  const limits = headlineChars === undefined ? undefined : { ...BANNER_LIMITS, headline: headlineChars };
  const copy = await copyWriter.write(limits === undefined ? wanted : { ...wanted, limits });
  return { ...copy, headline: headline ?? copy.headline, callToAction: callToAction ?? copy.callToAction };
}

/** A picture whose host nobody answers for is done without; what is wrong with the address or the file is the buyer's to correct. */
async function loadPicture(
  { assetBytes, images }: BuildOrder,
  { url, field }: PictureSource,
  notes: Set<string>,
): Promise<SourcePicture | undefined> {
  try {
    return await readSource(images, await assetBytes(url));
  } catch (thrown) {
    const error = taskErrorOrThrow(thrown);
    if (field !== undefined && fileFault(thrown) !== 'later')
      throw new TaskError(error.code, error.message, { ...error.extras, field });
    notes.add(
      field === undefined
        ? 'A picture of the offering could not be used; a new one was made in its place.'
        : 'An image of the source could not be reached; a new one was made in its place.',
    );
    return undefined;
  }
}

/** An image of a banner or screen format is an ad already; of any other it is material. */
function isFinished({ sourceManifest }: BuildOrder): boolean {
  const { id = '' } = sourceManifest?.format_id ?? {};
  return (
    /^(display|dooh)_/.test(id) ||
    listSourceAssets(sourceManifest).some(({ key }) => /banner|billboard|screen/.test(key))
  );
}

function findClickUrl(order: BuildOrder, offering: Offering | undefined, field: string): string | undefined {
  const source = listSourceAssets(order.sourceManifest).find(isClick);
  if (source?.asset.url !== undefined)
    return prepareUrl(source.asset.url, `${field}.assets.${source.key}.url`, order.macros ?? {});
  return offering?.url ?? order.brand.url;
}

async function buildContent(order: BuildOrder, copy: Copy, notes: Set<string>): Promise<AdContent> {
  const { brand, message = '', direction = {} } = order;
  const subject = [message, brand.industry, brand.name, copy.headline].join(' ');
  const family = chooseFamily({ industry: brand.industry, tone: brand.tone, words: subject });
  const scheme = direction.ground === undefined ? family.scheme : 'brand';
  const { palette, block } = buildPalettes(directColors(brand.colors, direction), scheme);
  const { language, headline, callToAction, body, eyebrow, offer, legal } = copy;
  const logo = await loadLogo(order, palette.ground, notes);
  const texts = {
    brandName: cleanText(brand.name),
    headline: cleanText(headline),
    callToAction: cleanText(callToAction),
    body: body === undefined ? undefined : cleanText(body),
    eyebrow: eyebrow === undefined ? undefined : cleanText(eyebrow),
    offer: offer === undefined ? undefined : cleanText(offer),
    legal: legal === undefined ? undefined : cleanText(legal),
  };
  const fonts = await order.images.fonts.open(
    Object.values(texts).filter((text) => text !== undefined),
    language,
  );
  const motif = directMotif(chooseMotif(brand.name, subject), direction);
  return { ...texts, language, family, palette, block, fonts, motif, logo };
}

/** A logo that cannot be had never stops a build: the name is set instead. */
async function loadLogo(order: BuildOrder, ground: string, notes: Set<string>): Promise<AdContent['logo']> {
  const url =
    findSourceAsset(order.sourceManifest, 'logo', ['image'], (key) => key.includes('logo'))?.asset.url ??
    chooseLogo(order.brand.logos, isDark(ground) ? 'dark' : 'light')?.url;
  if (url === undefined) return undefined;
  try {
    return await prepareLogo(order.images, await order.assetBytes(url), ground);
  } catch {
    notes.add('The logo could not be loaded as PNG, JPEG, WebP or GIF; the name of the brand stands in its place.');
    return undefined;
  }
}

/** Returns the picture that a build is about: the source's image for the slot, else that of the offering. */
export function findPicture({ order, offering, field }: BuildSession, assetId: string): PictureSource | undefined {
  const own = findSourceAsset(order.sourceManifest, assetId, ['image'], (key) => !/logo|icon|avatar/.test(key));
  if (own?.asset.url !== undefined)
    return { url: own.asset.url, asset: own.asset, field: `${field}.assets.${own.key}.url` };
  const url = offering?.imageUrl;
  return url === undefined ? undefined : { url, asset: { asset_type: 'image' } };
}

/** Returns the source's trackers under their own keys: they are carried over whatever the format. */
export function listTrackers({ order, field }: BuildSession): readonly KeyedAsset[] {
  return listSourceAssets(order.sourceManifest)
    .filter(isTracker)
    .map(({ key, asset }) => {
      if (asset.url === undefined) return { key, asset };
      return { key, asset: { ...asset, url: prepareUrl(asset.url, `${field}.assets.${key}.url`, order.macros ?? {}) } };
    });
}

/** Returns the brand with one offering alone: for one card of several. */
export function narrowBrand(brand: Brand, offering: Offering | undefined): Brand {
  return { ...brand, offerings: offering === undefined ? [] : [offering] };
}

function makeOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
