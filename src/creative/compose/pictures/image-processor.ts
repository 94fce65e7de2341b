import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import type { Sharp, SharpOptions } from 'sharp';
import { TaskError } from '../../../protocol/errors.js';
import { probeMedia } from '../../probe/probe.js';
import { MAX_PIXELS } from '../../probe/types.js';
import { PackagedFonts } from '../fonts/packaged-fonts.js';
import { type EdgeUnevenness, measureEdges } from './edges.js';
import { extendEdges, type SharpFactory } from './extend.js';

/** The formats that pictures are written in. */
export type OutputFormat = 'png' | 'jpeg' | 'webp';

const INPUT_FORMATS = ['png', 'jpg', 'webp', 'gif'] as const;
/** The formats that pictures from outside are taken in. */
type InputFormat = (typeof INPUT_FORMATS)[number];

/** A finished picture. */
export type Rendered = {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly mime: 'image/png' | 'image/jpeg' | 'image/webp';
};

/** How a picture leaves. `others` are formats that may be taken instead when `format` does not get below `maxBytes`. */
type OutputOrder = {
  readonly format: OutputFormat;
  readonly others?: readonly OutputFormat[];
  readonly maxBytes?: number;
};

/**
 * A box in pixels and how a picture comes to fill it: `cover` crops around what draws attention; `contain` shows all of it upon `background`,
 * a color; `extend` shows all of it, at most `maxScale` times as large, and its edges go on to those of the box.
 */
type FitOrder = OutputOrder & {
  readonly width: number;
  readonly height: number;
  readonly fit: 'cover' | 'contain' | 'extend';
  readonly background?: string;
  readonly maxScale?: number;
};

const DECODE_SECONDS = 20;

const MIMES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** Threads that the process has for everything that would block, files and host names too; drawing leaves one of them free. */
const POOL_THREADS = 4;

/**
 * Sets how many pictures are drawn at once, and on how many threads each: together at most all cores but one, which the
 * event loop keeps.
 */
export function limitDrawing(cores: number): { readonly pictures: number; readonly threadsEach: number } {
  const spare = Math.max(1, cores - 1);
  const pictures = Math.min(spare, POOL_THREADS - 1);
  return { pictures, threadsEach: Math.floor(spare / pictures) };
}

/** A picture as its decoded pixels show it. */
type PictureFacts = {
  readonly width: number;
  readonly height: number;
  readonly format: InputFormat;
  /** Whether some of it is see-through. */
  readonly transparent: boolean;
  /** Average color of what is not see-through, `#rrggbb`. */
  readonly color: string;
  readonly edges: EdgeUnevenness;
};

/** An SVG as a picture of exactly this size; `density` in dots per inch. */
type SvgOrder = OutputOrder & { readonly width: number; readonly height: number; readonly density?: number };

/** Draws and decodes pictures, a bounded number at once; one per process, made in its composition root. */
export class ImageProcessor {
  /** The fonts that texts are measured and drawn with. */
  readonly fonts: PackagedFonts;
  readonly #limits = limitDrawing(availableParallelism());
  readonly #queue = new PQueue({ concurrency: this.#limits.pictures });
  #sharp: Promise<SharpFactory> | undefined;

  /** Loads nothing yet: what is drawn with comes with the first picture. */
  constructor(fonts = new PackagedFonts()) {
    this.fonts = fonts;
  }

  /** Draws an SVG of our own making (never one from outside) at exactly this size. Same SVG, same bytes. Throws VALIDATION_ERROR when the weight limit cannot be met. */
  renderSvg(svg: string, order: SvgOrder): Promise<Rendered> {
    const { width, height, density } = order;
    return this.#enqueue(async (sharp) => {
      const input = Buffer.from(svg);
      const options: SharpOptions = { limitInputPixels: MAX_PIXELS, density };
      const draw = (): Sharp => {
        const drawn = sharp(input, options);
        return density === undefined ? drawn : drawn.resize(width, height, { fit: 'fill' });
      };
      return encodePicture(draw, { ...order, graphic: true });
    });
  }

  /**
   * Returns a picture from outside (PNG, JPEG, WebP, GIF by its bytes; SVG is refused) in exactly this size, metadata dropped, turned
   * as its EXIF says. Throws VALIDATION_ERROR: not a picture, damaged, more than 40 megapixels, or the weight limit cannot be met.
   */
  async fitImage(bytes: Uint8Array, order: FitOrder): Promise<Rendered> {
    acceptPicture(bytes);
    return this.#enqueue((sharp) =>
      runDecoding(fitPicture(sharp, bytes, order).then((draw) => encodePicture(draw, { ...order, graphic: false }))),
    );
  }

  /** Decodes a picture and returns its facts; throws VALIDATION_ERROR as `fitImage` does. */
  async readPicture(bytes: Uint8Array): Promise<PictureFacts> {
    const format = acceptPicture(bytes);
    return this.#enqueue(async (sharp) => {
      const { autoOrient } = await runDecoding(sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata());
      const sample = openPicture(sharp, bytes)
        .resize(SAMPLE_SIDE_PX, SAMPLE_SIDE_PX, { fit: 'inside', kernel: 'nearest' })
        .ensureAlpha()
        .raw();
      const { data, info } = await runDecoding(sample.toBuffer({ resolveWithObject: true }));
      return {
        width: autoOrient.width,
        height: autoOrient.height,
        format,
        ...averageColor(data),
        edges: measureEdges({ rgba: data, width: info.width, height: info.height }),
      };
    });
  }

  async #enqueue<T>(draw: (sharp: SharpFactory) => Promise<T>): Promise<T> {
    this.#sharp ??= this.#loadSharp();
    const sharp = await this.#sharp;
    return this.#queue.add(() => draw(sharp));
  }

  /** Loads sharp with the first picture, so that a server that never draws does not pay for it. */
  async #loadSharp(): Promise<SharpFactory> {
    const { default: sharp } = await import('sharp').catch((error: unknown) => {
      throw withoutSharp(error);
    });
    sharp.cache(false);
    sharp.concurrency(this.#limits.threadsEach);
    return sharp;
  }
}

/** Sellers who make and check no pictures do without the library; whoever needs it hears which one it is. */
function withoutSharp(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return error;
  return new TaskError(
    'UNSUPPORTED_FEATURE',
    'This seller draws and reads no pictures: its package sharp is not installed.',
    {
      suggestion: 'Send creatives that need no picture to be drawn; the operator installs it with "npm install sharp".',
    },
  );
}

const SAMPLE_SIDE_PX = 64;

function averageColor(rgba: Buffer): Pick<PictureFacts, 'transparent' | 'color'> {
  const sums = [0, 0, 0];
  let weight = 0;
  let clear = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = rgba[at + 3] ?? 0;
    if (alpha < 128) clear += 1;
    for (let channel = 0; channel < 3; channel += 1)
      sums[channel] = (sums[channel] ?? 0) + (rgba[at + channel] ?? 0) * alpha;
    weight += alpha;
  }
  const color = sums
    .map((sum) =>
      Math.round(weight === 0 ? 255 : sum / weight)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('');
  return { transparent: clear > 0, color: `#${color}` };
}

/** Judges by the header alone, before anything is decoded. SVG is refused: it can name files and expand entities. */
function acceptPicture(bytes: Uint8Array): InputFormat {
  const probed = probeMedia(bytes);
  if (!probed.ok) throw refused(`cannot be used: ${probed.message}`);
  const { format: name, width = 0, height = 0 } = probed.media;
  const format = INPUT_FORMATS.find((one) => one === name);
  if (format === undefined) throw refused(`is ${name.toUpperCase()}; PNG, JPEG, WebP and GIF are taken`);
  if (width * height > MAX_PIXELS) {
    throw refused(`has ${width}x${height} pixels; at most ${MAX_PIXELS / 1e6} megapixels are taken`);
  }
  return format;
}

/** Returns a decoder that gives up on damage, on too many pixels and after a time; turned upright. */
function openPicture(sharp: SharpFactory, bytes: Uint8Array): Sharp {
  return sharp(bytes, { failOn: 'truncated', limitInputPixels: MAX_PIXELS, autoOrient: true })
    .timeout({ seconds: DECODE_SECONDS })
    .toColorspace('srgb');
}

async function fitPicture(sharp: SharpFactory, bytes: Uint8Array, order: FitOrder): Promise<() => Sharp> {
  const { width, height, background = '#ffffff' } = order;
  if (order.fit === 'cover') {
    return () => openPicture(sharp, bytes).resize(width, height, { fit: 'cover', position: 'attention' });
  }
  if (order.fit === 'extend') return extendEdges(sharp, await openPicture(sharp, bytes).png().toBuffer(), order);
  return () => openPicture(sharp, bytes).resize(width, height, { fit: 'contain', background });
}

type Step = { readonly format: OutputFormat; readonly write: (image: Sharp) => Sharp };

const PNG_FULL: Step = { format: 'png', write: (image) => image.png() };

/** From the best to the smallest, per format; the first is what is sent when there is no limit. */
const STEPS: Readonly<Record<OutputFormat, readonly Step[]>> = {
  png: [
    PNG_FULL,
    { format: 'png', write: (image) => image.png({ palette: true, colors: 256, effort: 7 }) },
    { format: 'png', write: (image) => image.png({ palette: true, colors: 64, dither: 0.6, effort: 7 }) },
    { format: 'png', write: (image) => image.png({ palette: true, colors: 16, dither: 0.3, effort: 7 }) },
  ],
  jpeg: [90, 80, 68, 55, 40, 25].map((quality) => ({
    format: 'jpeg',
    write: (image) =>
      image
        .flatten({ background: '#ffffff' })
        .jpeg({ quality, mozjpeg: true, chromaSubsampling: quality > 60 ? '4:4:4' : '4:2:0' }),
  })),
  webp: [90, 80, 65, 50, 35, 20].map((quality) => ({ format: 'webp', write: (image) => image.webp({ quality }) })),
};

/**
 * Returns every step of the formats: first what is not seen, then what costs colors (a graphic) or sharpness (a photograph) before the
 * other.
 */
function listSteps(formats: readonly OutputFormat[], graphic: boolean): readonly Step[] {
  const isGentle = (step: Step, index: number): boolean =>
    index === 0 || (graphic && step.format === 'png' && index === 1);
  const isFirst = (step: Step): boolean => (step.format === 'png') === graphic;
  const gentle = formats.flatMap((format) => STEPS[format].filter(isGentle));
  const harsh = formats.flatMap((format) => STEPS[format].filter((step, index) => !isGentle(step, index)));
  return [...gentle, ...harsh.filter(isFirst), ...harsh.filter((step) => !isFirst(step))];
}

/** Walks down the ladder until the weight limit is met. */
async function encodePicture(draw: () => Sharp, order: OutputOrder & { readonly graphic: boolean }): Promise<Rendered> {
  const { format, others = [], maxBytes = Number.POSITIVE_INFINITY, graphic } = order;
  const ladder = listSteps([format, ...others.filter((other) => other !== format)], graphic);
  let smallest = Number.POSITIVE_INFINITY;
  for (const step of ladder) {
    const { data, info } = await step.write(draw()).toBuffer({ resolveWithObject: true });
    if (data.length <= maxBytes)
      return { bytes: data, width: info.width, height: info.height, mime: MIMES[step.format] };
    smallest = Math.min(smallest, data.length);
  }
  throw new TaskError(
    'VALIDATION_ERROR',
    `The picture cannot be brought below ${maxBytes} bytes; ${smallest} is the least.`,
    {
      details: { wanted: { max_bytes: maxBytes }, found: { bytes: smallest } },
      suggestion: 'Send a plainer picture, or ask for a format that takes heavier files.',
    },
  );
}

/** Runs the decoding of a picture from outside; what fails there is the picture's fault. */
async function runDecoding<T>(decoded: Promise<T>): Promise<T> {
  try {
    return await decoded;
  } catch (error) {
    if (error instanceof TaskError) throw error;
    throw refused('cannot be decoded: it is damaged, cut short or too large');
  }
}

function refused(why: string): TaskError {
  return new TaskError('VALIDATION_ERROR', `The image ${why}.`, {
    suggestion: `Send a whole PNG, JPEG, WebP or GIF of at most ${MAX_PIXELS / 1e6} megapixels.`,
  });
}
