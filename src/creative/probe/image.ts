import { type ByteReader, hasAt } from './bytes.js';
import { MalformedMedia, type Media } from './types.js';

/** Reads one kind of file. `complete` false: the bytes are only the beginning, so a missing end is no fault. */
export type MediaReader = (file: ByteReader, complete: boolean) => Media;

type Size = { readonly width: number; readonly height: number };

function requireSize(width: number, height: number): Size {
  if (width === 0 || height === 0) throw new MalformedMedia('the picture has no width or no height');
  return { width, height };
}

/** Returns a file that is known to end too early. */
export function tooShort(): RangeError {
  return new RangeError('the file ends too early');
}

const PNG_COLORS: Readonly<Record<number, 'rgb' | 'grayscale'>> = {
  0: 'grayscale',
  2: 'rgb',
  3: 'rgb',
  4: 'grayscale',
  6: 'rgb',
};
const INCH_IN_METRES = 0.0254;

/** Reads PNG and animated PNG, chunk by chunk. */
export const readPng: MediaReader = (file, complete) => {
  if (file.name(12, 4) !== 'IHDR') throw new MalformedMedia('a PNG begins with IHDR');
  const size = requireSize(file.u32(16), file.u32(20));
  const color = file.u8(25);
  const header = { frames: 1, alpha: color === 4 || color === 6, dpi: undefined as number | undefined, ms: 0 };
  let at = 8;
  let isEnded = false;
  while (!isEnded && (complete || at + 12 <= file.length)) {
    const length = file.u32(at);
    const type = file.name(at + 4, 4);
    if (at + 12 + length > file.length) {
      if (complete) throw tooShort();
      break;
    }
    const body = at + 8;
    if (type === 'tRNS') header.alpha = true;
    if (type === 'acTL') header.frames = file.u32(body);
    if (type === 'fcTL') header.ms += (file.u16(body + 20) * 1000) / (file.u16(body + 22) || 100);
    if (type === 'pHYs' && file.u8(body + 8) === 1) header.dpi = Math.round(file.u32(body) * INCH_IN_METRES);
    isEnded = type === 'IEND';
    at += 12 + length;
  }
  const colorSpace = PNG_COLORS[color];
  return {
    kind: 'image',
    format: 'png',
    mime: 'image/png',
    ...size,
    frames: header.frames,
    hasAlpha: header.alpha,
    colorSpace,
    dpi: header.dpi,
    durationMs: header.frames > 1 ? Math.round(header.ms) : undefined,
  };
};

const JPEG_COLORS: Readonly<Record<number, 'rgb' | 'cmyk' | 'grayscale'>> = { 1: 'grayscale', 3: 'rgb', 4: 'cmyk' };
/** Markers of the start of a frame are C0 to CF without these. */
const NOT_FRAMES: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);
const START_OF_SCAN = 0xda;

/** Reads a JPEG: segments up to the first scan, and the end marker. */
export const readJpeg: MediaReader = (file, complete) => {
  let at = 2;
  let header: Partial<Media> = {};
  let marker = 0;
  while (marker !== START_OF_SCAN) {
    if (file.u8(at) !== 0xff) throw new MalformedMedia('a JPEG segment begins with FF');
    marker = file.u8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = file.u16(at + 2);
    if (length < 2) throw new MalformedMedia('a JPEG segment has at least 2 bytes');
    if (marker === 0xe0 && hasAt(file.bytes, at + 4, 'JFIF\0') && file.u8(at + 11) === 1) {
      header = { ...header, dpi: file.u16(at + 12) };
    }
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker)) {
      const colorSpace = JPEG_COLORS[file.u8(at + 9)] ?? header.colorSpace;
      header = { ...header, ...requireSize(file.u16(at + 7), file.u16(at + 5)), colorSpace };
    }
    at += 2 + length;
  }
  if (header.width === undefined) throw new MalformedMedia('a JPEG has a frame before its first scan');
  const end = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.length).lastIndexOf(Buffer.of(0xff, 0xd9));
  if (complete && end < at) throw tooShort();
  return { kind: 'image', format: 'jpg', mime: 'image/jpeg', frames: 1, hasAlpha: false, ...header };
};

/** Reads a GIF, block by block up to the trailer. */
export const readGif: MediaReader = (file, complete) => {
  const size = requireSize(file.u16le(6), file.u16le(8));
  let at = 13 + colorTable(file.u8(10));
  const header = { frames: 0, alpha: false, ms: 0 };
  while (complete || at + 20 < file.length) {
    const block = file.u8(at);
    if (block === 0x3b) break;
    if (block === 0x21) {
      if (file.u8(at + 1) === 0xf9) {
        header.alpha ||= (file.u8(at + 3) & 1) === 1;
        header.ms += file.u16le(at + 4) * 10;
      }
      at = afterSubBlocks(file, at + 2, complete);
    } else if (block === 0x2c) {
      header.frames += 1;
      at = afterSubBlocks(file, at + 11 + colorTable(file.u8(at + 9)), complete);
    } else throw new MalformedMedia('a GIF is made of images and extensions');
  }
  if (complete && header.frames === 0) throw new MalformedMedia('the GIF has no picture');
  return {
    kind: 'image',
    format: 'gif',
    mime: 'image/gif',
    ...size,
    frames: Math.max(1, header.frames),
    hasAlpha: header.alpha,
    colorSpace: 'rgb',
    durationMs: header.frames > 1 ? header.ms : undefined,
  };
};

function colorTable(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(file: ByteReader, from: number, complete: boolean): number {
  let at = from;
  while (complete || at < file.length) {
    const length = file.u8(at);
    at += 1 + length;
    if (length === 0) break;
  }
  return at;
}

/** Reads a WebP: lossy, lossless and extended. */
export const readWebp: MediaReader = (file, complete) => {
  if (complete && 8 + file.u32le(4) > file.length) throw tooShort();
  const header = { frames: 0, ms: 0, alpha: false };
  let size: Size | undefined;
  let at = 12;
  while (at + 8 <= file.length) {
    const type = file.name(at, 4);
    const length = file.u32le(at + 4);
    const body = at + 8;
    if (type === 'VP8X') {
      header.alpha = (file.u8(body) & 0x10) !== 0;
      size = { width: file.u24le(body + 4) + 1, height: file.u24le(body + 7) + 1 };
    } else if (type === 'VP8 ') {
      if (file.u24(body + 3) !== 0x9d012a) throw new MalformedMedia('a lossy WebP picture has a start code');
      size ??= requireSize(file.u16le(body + 6) & 0x3fff, file.u16le(body + 8) & 0x3fff);
    } else if (type === 'VP8L') {
      const bits = file.u32le(body + 1);
      size ??= { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
      header.alpha ||= ((bits >>> 28) & 1) === 1;
    } else if (type === 'ANMF') {
      header.frames += 1;
      header.ms += file.u24le(body + 12);
    }
    at = body + length + (length % 2);
  }
  if (size === undefined) throw complete ? new MalformedMedia('the WebP has no picture') : tooShort();
  const { frames, ms } = header;
  return {
    kind: 'image',
    format: 'webp',
    mime: 'image/webp',
    ...size,
    frames: Math.max(1, frames),
    hasAlpha: header.alpha,
    colorSpace: 'rgb',
    durationMs: frames > 1 ? ms : undefined,
  };
};

const TIFF_WIDTH = 256;
const TIFF_HEIGHT = 257;

/** Reads a TIFF: the first directory. */
export const readTiff: MediaReader = (file) => {
  const isLittleEndian = file.name(0, 2) === 'II';
  const u16 = isLittleEndian ? file.u16le : file.u16;
  const u32 = isLittleEndian ? file.u32le : file.u32;
  const directory = u32(4);
  const tags = new Map<number, number>();
  for (let index = 0; index < u16(directory); index += 1) {
    const entry = directory + 2 + index * 12;
    tags.set(u16(entry), u16(entry + 2) === 3 ? u16(entry + 8) : u32(entry + 8));
  }
  const size = requireSize(tags.get(TIFF_WIDTH) ?? 0, tags.get(TIFF_HEIGHT) ?? 0);
  return { kind: 'image', format: 'tiff', mime: 'image/tiff', ...size, frames: 1 };
};
