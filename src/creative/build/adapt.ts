import type { Ad } from '../compose/layout/nodes.js';
import { isLooks } from './direction.js';
import type { ImageSize } from './image-slot.js';
import { composeAround, describeOmissions, type SourcePicture } from './pictures.js';
import { findPlacementFault, type Placement, requirePlaceable } from './placement.js';
import { type BuildSession, isFinished, type PictureSource } from './session.js';
import { listUnslottedParts } from './texts.js';
import { chooseAdaptation, cropLoss, findSourceAsset } from './transform.js';

/** The picture of an ad, cropped to its size or whole in it, or a layout around a picture, if there is one. */
type Adapted =
  | { readonly kind: 'fit'; readonly picture: SourcePicture; readonly fit: 'cover' | 'extend' }
  | { readonly kind: 'layout'; readonly picture: SourcePicture | undefined };

/** A picture with where it comes from. */
type LocatedPicture = { readonly source: PictureSource; readonly picture: SourcePicture };

/**
 * Returns how an ad of a size is made of a picture. A finished ad is never cropped into a layout: it stands whole where it can, else the ad is
 * laid out anew of the parts beside it. Throws VALIDATION_ERROR where neither can be.
 */
export function adaptPicture(session: BuildSession, found: LocatedPicture | undefined, size: ImageSize): Adapted {
  if (found === undefined) return { kind: 'layout', picture: undefined };
  const { picture } = found;
  const { fit = 'auto', pictureUrl } = session.order.direction ?? {};
  if (fit === 'compose' || pictureUrl !== undefined) return { kind: 'layout', picture };
  const adapted = isFinishedPicture(session, found)
    ? adaptFinished(session, found, size)
    : adaptMaterial(session, found, size);
  const left = adapted.kind === 'fit' ? listUnslottedParts(session.order.sourceManifest, session.order.format) : [];
  if (left.length > 0)
    session.notes.add(
      `The picture was taken as the whole ad, so ${left.join(', ')} of the manifest ${left.length === 1 ? 'is' : 'are'} not set in it. To have the ad laid out of its parts, send the picture as main_image, or set fit to "compose".`,
    );
  return adapted;
}

function adaptMaterial(session: BuildSession, { picture, source }: LocatedPicture, size: ImageSize): Adapted {
  const { fit = 'auto' } = session.order.direction ?? {};
  const adaptation = chooseAdaptation(cropLoss(picture, size), session.hasWords, fit);
  const isPart = fit === 'auto' && (session.hasOwnTexts || isOfOffering(session, source));
  if (adaptation === 'compose' || isPart) return { kind: 'layout', picture };
  return { kind: 'fit', picture, fit: adaptation === 'crop' ? 'cover' : 'extend' };
}

/**
 * Whether a picture is an ad with its letters: that of a banner or screen format, in the shape of that format. One that is larger than its
 * format, and not made for dense screens, is a part where texts stand beside it.
 */
function isFinishedPicture({ order, hasOwnTexts }: BuildSession, { source, picture }: LocatedPicture): boolean {
  const isOwn = source.field !== undefined && source.field !== 'message' && isFinished(order);
  const size = formatSize(order);
  if (!isOwn || size === undefined) return isOwn;
  const { fit = 'auto' } = order.direction ?? {};
  const isPart = fit === 'auto' && hasOwnTexts && picture.width > size.width && !isDense(picture, size);
  return !isPart && cropLoss(picture, size) <= SAME_SHAPE;
}

const SAME_SHAPE = 0.03;

/** Whether a picture has two or three pixels for each of its format's, as banners for dense screens have. */
function isDense(
  picture: SourcePicture,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  return DENSITIES.some((times) => picture.width === width * times && picture.height === height * times);
}

const DENSITIES = [2, 3] as const;

/** Returns the size that the source's format has by its id. */
function formatSize({
  sourceManifest,
}: BuildSession['order']): { readonly width: number; readonly height: number } | undefined {
  const { id = '', width, height } = sourceManifest?.format_id ?? {};
  if (width !== undefined && height !== undefined) return { width, height };
  const named = /(\d{2,5})x(\d{2,5})/.exec(id);
  return named === null ? undefined : { width: Number(named[1]), height: Number(named[2]) };
}

function adaptFinished(session: BuildSession, { picture, source }: LocatedPicture, size: ImageSize): Adapted {
  const { order, notes, hasOwnWords } = session;
  const { fit = 'auto' } = order.direction ?? {};
  if (fit === 'crop') return { kind: 'fit', picture, fit: 'cover' };
  const own = formatSize(order);
  const density = own === undefined ? 1 : picture.width / own.width;
  const placement: Placement = {
    from: picture,
    to: size,
    density: density / size.scale,
    isSharp: false,
    edges: picture.edges,
  };
  const loss = cropLoss(picture, size);
  const isFit = findPlacementFault(placement) === undefined;
  const isChanged = (order.changes ?? []).some(isLooks);
  const isNear = loss <= MAX_PLACED_LOSS || fit === 'contain';
  if (hasOwnWords && (isChanged || !isFit || !isNear)) {
    notes.add(RELAID);
    return { kind: 'layout', picture: undefined };
  }
  requirePlaceable(placement, source.field ?? 'creative_manifest');
  return { kind: 'fit', picture, fit: loss <= MAX_TRIMMED_LOSS ? 'cover' : 'extend' };
}

/** With words to lay out anew, a finished ad stands whole only where little ground has to be added. */
const MAX_PLACED_LOSS = 0.3;
/** Of so little more than the ground is cut off; it is no more than the rounding of sizes. */
const MAX_TRIMMED_LOSS = 0.01;

const RELAID =
  'The finished picture was not taken over, since its letters would be cut or unreadable: the ad is laid out anew from the texts, the logo and the colors. A picture without letters can be sent as main_image.';

/** Whether the picture is an offering's and the source brings none of its own. */
function isOfOffering({ order, offering }: BuildSession, { field }: PictureSource): boolean {
  if (field !== undefined || offering?.imageUrl === undefined) return false;
  const isSource = (key: string): boolean => !/logo|icon|avatar/.test(key);
  return findSourceAsset(order.sourceManifest, '', ['image'], isSource) === undefined;
}

/** Lays out an ad around a picture, if there is one, and writes down what it has no room for. */
export async function layOut(
  session: BuildSession,
  content: Awaited<ReturnType<BuildSession['content']>>,
  {
    picture,
    size,
    maxPictureBytes,
  }: { readonly picture: SourcePicture | undefined; readonly size: ImageSize; readonly maxPictureBytes: number },
): Promise<Ad> {
  const { order, drawn, notes } = session;
  const whole = await composeAround(order.images, { content, picture, size, maxPictureBytes });
  const isPlain = order.direction?.without?.includes('motif') === true;
  const ad = isPlain ? { ...whole, nodes: whole.nodes.filter(({ role }) => role !== 'motif') } : whole;
  drawn.push(ad);
  const omission = describeOmissions(ad, picture !== undefined);
  if (omission !== undefined) notes.add(omission);
  return ad;
}
