import { TaskError, taskErrorOrThrow } from '../../protocol/errors.js';
import { type Brand, chooseLogo, type Offering } from '../compose/brand.js';
import { BANNER_LIMITS, type Copy, type CopyOrder, chooseOffering } from '../compose/copy/copy.js';
import { shortenText } from '../compose/copy/fitting.js';
import { shortenAction } from '../compose/copy/short-action.js';
import { chooseFamily } from '../compose/design/choose-family.js';
import { buildPalettes } from '../compose/design/scheme.js';
import { cleanText } from '../compose/layout/metrics.js';
import type { Ad, AdContent } from '../compose/layout/nodes.js';
import { chooseMotif } from '../compose/layout/parts/motif.js';
import { isDark } from '../compose/pictures/color.js';
import { type Format, isGroup } from '../formats/format.js';
import type { Asset } from '../formats/manifest.js';
import { fileFault } from '../probe/asset-files.js';
import { type Change, directColors, directCopy, directMotif, directPalette, isReadable } from './direction.js';
import { prepareLogo, readSource, type SourcePicture } from './pictures.js';
import { readGivenTexts } from './texts.js';
import { findSourceAsset, isClick, isTracker, type KeyedAsset, listSourceAssets, prepareUrl } from './transform.js';
import type { BuildOrder, BuiltFile } from './types.js';
import { readVastEvent } from './vast-event.js';

/** One build under way: the order, its words, and what is fetched or made at most once. */
export type BuildSession = {
  readonly order: BuildOrder;
  readonly field: string;
  readonly copy: Copy;
  readonly offering?: Offering;
  /** Whether there are words for a layout, more than the brand's name. */
  readonly hasWords: boolean;
  /** Whether these are the buyer's: of the source, of the message, or of what was built before. */
  readonly hasOwnWords: boolean;
  /** Whether the source has a headline or a text beside its picture. */
  readonly hasOwnTexts: boolean;
  /** Where a click leads, macros filled; undefined when nobody said. */
  readonly clickUrl?: string;
  readonly files: BuiltFile[];
  readonly notes: Set<string>;
  /** The ads that were laid out. */
  readonly drawn: Ad[];
  /** Why a part of the direction was not followed. */
  readonly failed: Map<Change['part'], string>;
  /** The content of the ad's layout without a picture; the logo is loaded on first use. */
  readonly content: () => Promise<AdContent>;
  /** A picture, loaded once; undefined when the build goes on without it, which a note says. Throws VALIDATION_ERROR with its field. */
  readonly picture: (source: PictureSource) => Promise<SourcePicture | undefined>;
};

/** Where a picture comes from. Without a `field` it is one that the brand brings along, which never stops a build. */
export type PictureSource = { readonly url: string; readonly asset: Asset; readonly field?: string };

/** Reads the order, has the words written, and finds where a click leads. */
export async function openSession(order: BuildOrder): Promise<BuildSession> {
  const { brand, message = '', sourceManifest, field = 'creative_manifest' } = order;
  const given = readGivenTexts(sourceManifest);
  const { words, copy } = await writeWords(order, { message, brand, given });
  const offering = chooseOffering(message, brand.offerings);
  const notes = new Set(copy.remarks);
  const failed = new Map<Change['part'], string>(listAbsent(order, words, offering).map((part) => [part, ABSENT]));
  const pictures = new Map<string, Promise<SourcePicture | undefined>>();
  const clickUrl = findClickUrl(order, offering, field);
  return {
    order,
    field,
    copy,
    hasWords: copy.headline !== brand.name,
    hasOwnWords: given.headline !== undefined || order.copy !== undefined || isOwn(copy, order, offering),
    hasOwnTexts: given.headline !== undefined || given.body !== undefined,
    files: [],
    notes,
    drawn: [],
    failed,
    content: makeOnce(() => buildContent(order, copy, { notes, failed })),
    picture: (source) => {
      const picture = pictures.get(source.url) ?? loadPicture(order, source, notes);
      pictures.set(source.url, picture);
      return picture;
    },
    offering,
    clickUrl,
  };
}

const UNREADABLE = 'texts of that color would not be read on the ground: their contrast is below 4.5';
const UNKNOWN_LOOK =
  'Nothing says how the brand looks: its colors were chosen here and its name stands for a logo. Send colors and logos with the brand, or publish them in its brand.json.';
const UNKNOWN_COLORS =
  'Nothing says which colors the brand has: they were chosen here. Send colors with the brand, or publish them in its brand.json.';

/** Whether the headline is of what the buyer says, and not the brand's own line or an offering's name. */
function isOwn({ headline }: Copy, { brand, message, direction }: BuildOrder, offering: Offering | undefined): boolean {
  if (message === undefined || direction?.headline !== undefined) return false;
  return ![brand.name, brand.tagline, offering?.name].includes(headline);
}

const ABSENT = 'the ad has none';

/** Returns the parts that are to be taken away and that an ad of these words would not have had. */
function listAbsent(
  { changes = [], brand, sourceManifest }: BuildOrder,
  words: Copy,
  offering?: Offering,
): readonly Change['part'][] {
  const sources = listSourceAssets(sourceManifest);
  const isPicture = ({ key, asset }: KeyedAsset): boolean => asset.asset_type === 'image' && !NO_PICTURE.test(key);
  const has: Partial<Readonly<Record<Change['part'], boolean>>> = {
    body: words.body !== undefined,
    legal: words.legal !== undefined,
    eyebrow: words.eyebrow !== undefined,
    offer: words.offer !== undefined,
    logo: brand.logos.length > 0 || sources.some(({ key }) => key.includes('logo')),
    picture: offering?.imageUrl !== undefined || sources.some(isPicture),
  };
  return changes.flatMap(({ part, isRemoval }) => (isRemoval === true && has[part] === false ? [part] : []));
}

/** Images that are no picture of what is advertised. */
const NO_PICTURE = /logo|icon|avatar/;

/** Returns the words of the writer, or those that were written before; `copy` has those that the direction sets in their place. */
async function writeWords(
  { copyWriter, direction = {}, copy: written, format, language }: BuildOrder,
  wanted: CopyOrder,
): Promise<{ readonly words: Copy; readonly copy: Copy }> {
  const { headlineChars } = direction;
  const inLanguage = direction.language ?? language;
  if (written !== undefined && direction.language === undefined) {
    const words = { ...written, ...wanted.given, remarks: undefined };
    const own = directCopy(words, direction);
    const headline = headlineChars === undefined ? own.headline : shortenText(own.headline, headlineChars);
    return { words, copy: { ...own, headline } };
  }
  const order: CopyOrder = {
    ...wanted,
    limits: headlineChars === undefined ? undefined : { ...BANNER_LIMITS, headline: headlineChars },
    language: inLanguage,
    spokenMs: readSpokenTime(format),
  };
  const words = await copyWriter.write(order);
  return { words, copy: directCopy(words, direction) };
}

/** Returns how long (ms) the sound of an audio format is at most; undefined for what is seen. */
function readSpokenTime({ assets, type }: Format): number | undefined {
  if (type !== 'audio') return undefined;
  const lengths = assets.map((slot) => (isGroup(slot) ? undefined : slot.requirements?.max_duration_ms));
  return lengths.find((length) => typeof length === 'number');
}

/**
 * Loads a picture, and does without one whose host does not answer. Throws for a fault of the address or the file,
 * which is the buyer's to correct.
 */
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

/** Whether an image of the source is an ad already: that of a banner or screen format; of any other it is material. */
export function isFinished({ sourceManifest }: BuildOrder): boolean {
  const { id = '' } = sourceManifest?.format_id ?? {};
  return (
    /^(display|dooh)_/.test(id) ||
    listSourceAssets(sourceManifest).some(({ key }) => /banner|billboard|screen/.test(key))
  );
}

function findClickUrl(order: BuildOrder, offering: Offering | undefined, field: string): string | undefined {
  const { clickUrl } = order.direction ?? {};
  if (clickUrl !== undefined) return prepareUrl(clickUrl, 'message', order.macros ?? {});
  const source = listSourceAssets(order.sourceManifest).find(isClick);
  if (source?.asset.url !== undefined)
    return prepareUrl(source.asset.url, `${field}.assets.${source.key}.url`, order.macros ?? {});
  return offering?.url ?? order.brand.url;
}

/** Where a build writes down what a buyer has to know of it. */
type Remarks = Pick<BuildSession, 'notes' | 'failed'>;

async function buildContent(order: BuildOrder, copy: Copy, { notes, failed }: Remarks): Promise<AdContent> {
  const { brand, message = '', direction = {} } = order;
  const subject = [message, brand.industry, brand.name, copy.headline].join(' ');
  const { tone } = direction;
  const family = chooseFamily({
    industry: tone === undefined ? brand.industry : undefined,
    tone: tone ?? brand.tone,
    words: subject,
  });
  const scheme = direction.ground === undefined ? family.scheme : 'brand';
  const { palette: usual, block } = buildPalettes(directColors(brand.colors, direction), scheme);
  const palette = directPalette(usual, direction);
  if (direction.textColor !== undefined && !isReadable(direction.textColor, usual))
    failed.set('text color', UNREADABLE);
  const { language, headline, callToAction, body, eyebrow, offer, legal } = copy;
  const logo = await loadLogo(order, palette.ground, { notes, failed });
  if (!brand.hasLook) notes.add(logo === undefined ? UNKNOWN_LOOK : UNKNOWN_COLORS);
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
  const shortAction = shortenAction(texts.callToAction, language);
  return { ...texts, shortAction, language, family, palette, block, fonts, motif, logo };
}

/** Loads the logo; where it cannot be had the name is set instead, so that a build never stops for it. */
async function loadLogo(order: BuildOrder, ground: string, { notes, failed }: Remarks): Promise<AdContent['logo']> {
  const { without = [], logoUrl } = order.direction ?? {};
  if (logoUrl === undefined && without.includes('logo')) return undefined;
  const url =
    logoUrl ??
    findSourceAsset(order.sourceManifest, 'logo', ['image'], (key) => key.includes('logo'))?.asset.url ??
    chooseLogo(order.brand.logos, isDark(ground) ? 'dark' : 'light')?.url;
  if (url === undefined) return undefined;
  try {
    return await prepareLogo(order.images, await order.assetBytes(url), ground);
  } catch {
    failed.set('logo', 'it could not be loaded as PNG, JPEG, WebP or GIF');
    notes.add('The logo could not be loaded as PNG, JPEG, WebP or GIF; the name of the brand stands in its place.');
    return undefined;
  }
}

/** Returns the picture that a build is about: the source's image for the slot, else that of the offering. */
export function findPicture({ order, offering, field }: BuildSession, assetId: string): PictureSource | undefined {
  const { pictureUrl, without = [] } = order.direction ?? {};
  if (pictureUrl !== undefined) return { url: pictureUrl, asset: { asset_type: 'image' }, field: 'message' };
  if (without.includes('picture')) return undefined;
  const own = findSourceAsset(order.sourceManifest, assetId, ['image'], (key) => !NO_PICTURE.test(key));
  if (own?.asset.url !== undefined)
    return { url: own.asset.url, asset: own.asset, field: `${field}.assets.${own.key}.url` };
  const url = offering?.imageUrl;
  return url === undefined ? undefined : { url, asset: { asset_type: 'image' } };
}

/**
 * Returns the source's trackers under their own keys: they are carried over whatever the format. Throws VALIDATION_ERROR for one whose
 * address or event is none.
 */
export function listTrackers({ order, field }: BuildSession): readonly KeyedAsset[] {
  return listSourceAssets(order.sourceManifest)
    .filter(isTracker)
    .map(({ key, asset }) => {
      const at = `${field}.assets.${key}`;
      const vast_event = asset.asset_type === 'vast_tracker' ? readVastEvent(asset, at) : asset.vast_event;
      const url = asset.url === undefined ? undefined : prepareUrl(asset.url, `${at}.url`, order.macros ?? {});
      return { key, asset: { ...asset, vast_event, url } };
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
