import type { Sharp, SharpOptions } from 'sharp';

/** Makes an image of bytes or of raw pixels. */
export type SharpFactory = (input: Uint8Array, options?: SharpOptions) => Sharp;

/** A box in pixels, and how many times as large as it is a picture may become in it. */
type Room = { readonly width: number; readonly height: number; readonly maxScale?: number };

/** How much of a picture's side is averaged for what goes on beyond it. */
const EDGE_SHARE = 0.012;
/** An edge of letters or of a photograph is smoothed along itself, over this share of it; one of a single color stays what it is. */
const SMOOTHED_SHARE = 0.08;

/** Returns what draws a whole picture, sharp, in the middle of a box, whose remainder goes on from the picture's edges. */
export async function extendEdges(sharp: SharpFactory, bytes: Uint8Array, room: Room): Promise<() => Sharp> {
  const { width, height, maxScale = Number.POSITIVE_INFINITY } = room;
  const { width: wide = 1, height: high = 1 } = await sharp(bytes).metadata();
  const scale = Math.min(width / wide, height / high, maxScale);
  const [inner, tall] = [Math.min(width, Math.round(wide * scale)), Math.min(height, Math.round(high * scale))];
  const placed = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .resize(Math.max(1, inner), Math.max(1, tall), { fit: 'fill' })
    .png()
    .toBuffer();
  const beside = await extendSides(sharp, placed, { width, height: Math.max(1, tall) }, 'x');
  const whole = await extendSides(sharp, beside, { width, height }, 'y');
  return () => sharp(whole);
}

/** Returns the picture with its two edges of one axis continued to a box. */
async function extendSides(
  sharp: SharpFactory,
  bytes: Uint8Array,
  box: { readonly width: number; readonly height: number },
  axis: 'x' | 'y',
): Promise<Uint8Array> {
  const { width: wide = 1, height: high = 1 } = await sharp(bytes).metadata();
  const [own, room] = axis === 'x' ? [wide, box.width] : [high, box.height];
  if (room <= own) return bytes;
  const before = Math.floor((room - own) / 2);
  const strip = Math.max(1, Math.round(own * EDGE_SHARE));
  const edge = (from: number, length: number): Promise<Uint8Array> => {
    const cut =
      axis === 'x'
        ? { left: from, top: 0, width: strip, height: high }
        : { left: 0, top: from, width: wide, height: strip };
    return continueEdge(sharp, bytes, { cut, length, axis });
  };
  const [first, last] = [before, room - own - before];
  const sides = [
    { from: 0, length: first, at: 0 },
    { from: own - strip, length: last, at: first + own },
  ].filter(({ length }) => length > 0);
  // One after the other: how many pictures are drawn at once is bounded elsewhere.
  const drawn: Uint8Array[] = [];
  for (const { from, length } of sides) drawn.push(await edge(from, length));
  const at = (offset: number): { readonly left: number; readonly top: number } =>
    axis === 'x' ? { left: offset, top: 0 } : { left: 0, top: offset };
  return sharp(bytes)
    .extend({
      [axis === 'x' ? 'left' : 'top']: first,
      [axis === 'x' ? 'right' : 'bottom']: last,
      background: '#ffffff',
    })
    .composite(sides.map((side, index) => ({ input: Buffer.from(drawn[index] ?? bytes), ...at(side.at) })))
    .png()
    .toBuffer();
}

type Cut = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
type EdgeOrder = { readonly cut: Cut; readonly length: number; readonly axis: 'x' | 'y' };

/**
 * Returns the pixels of an edge, each as a line across what is beyond it; where they differ much, they run into each other along the
 * edge.
 */
async function continueEdge(
  sharp: SharpFactory,
  bytes: Uint8Array,
  { cut, length, axis }: EdgeOrder,
): Promise<Uint8Array> {
  const along = axis === 'x' ? cut.height : cut.width;
  const line = axis === 'x' ? { width: 1, height: along } : { width: along, height: 1 };
  const strip = await sharp(bytes).extract(cut).png().toBuffer();
  const thin = await sharp(strip).resize(line.width, line.height, { fit: 'fill' }).removeAlpha().png().toBuffer();
  const isUneven = hasSteps(await sharp(thin).toColorspace('srgb').raw().toBuffer());
  const wide = axis === 'x' ? { width: length, height: along } : { width: along, height: length };
  const continued = sharp(thin).resize(wide.width, wide.height, { fit: 'fill', kernel: 'nearest' });
  const sigma = Math.max(1, along * SMOOTHED_SHARE);
  return (isUneven ? sharp(await continued.png().toBuffer()).blur(sigma) : continued).png().toBuffer();
}

/** Whether the colors of a line of pixels jump: a ground of one color and a slow gradient do not. */
function hasSteps(rgb: Uint8Array): boolean {
  for (let at = 3; at < rgb.length; at += 1) if (Math.abs((rgb[at] ?? 0) - (rgb[at - 3] ?? 0)) > MAX_STEP) return true;
  return false;
}

/** Most that a channel, 0 to 255, changes from one pixel of a ground to the next. */
const MAX_STEP = 12;
