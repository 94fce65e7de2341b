import type { ByteReader } from './bytes.js';
import { type MediaReader, tooShort } from './image.js';
import { MalformedMedia, type Media } from './types.js';

/** Most elements that one file may be made of; a real header has a few hundred. */
const MAX_ELEMENTS = 10_000;
const MAX_LEVELS = 8;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Track = { kind?: 'video' | 'audio'; codec?: string; milliseconds?: number; scale?: number; frameRate?: number };
type Header = {
  brands: string;
  facts: Mutable<Partial<Media>>;
  tracks: Track[];
  scale: number;
  hasData: boolean;
  left: number;
};

/** Boxes that are read for the boxes in them; the number of bytes before the first of these. */
const CONTAINERS: Readonly<Record<string, number>> = {
  moov: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  mvex: 0,
  meta: 4,
  iprp: 0,
  ipco: 0,
};

/** What the first four letters of a sample description mean. */
const CODECS: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'h265',
  hev1: 'h265',
  vp08: 'vp8',
  vp09: 'vp9',
  av01: 'av1',
  apcn: 'prores',
  apch: 'prores',
  apcs: 'prores',
  apco: 'prores',
  ap4h: 'prores',
  mp4a: 'aac',
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  Opus: 'opus',
  fLaC: 'flac',
  '.mp3': 'mp3',
  sowt: 'pcm',
  twos: 'pcm',
  lpcm: 'pcm',
};

type BoxReader = (file: ByteReader, at: number, header: Header, end: number) => void;

/** What is read in a box, by its type; `at` is where its body begins. */
const BOXES: Readonly<Record<string, BoxReader>> = {
  ftyp: (file, at, header, end) => {
    header.brands = file.name(at, Math.min(end - at, 200));
  },
  mdat: (_file, _at, header) => {
    header.hasData = true;
  },
  moov: (_file, _at, header) => {
    header.facts.moovPosition = header.hasData ? 'end' : 'start';
  },
  mvhd: (file, at, header) => {
    const [scale, duration] = readTiming(file, at);
    header.scale = scale;
    if (duration > 0 && scale > 0) header.facts.durationMs = Math.round((duration * 1000) / scale);
  },
  mehd: (file, at, header) => {
    const duration = file.u8(at) === 1 ? file.u64(at + 4) : file.u32(at + 4);
    if (header.scale > 0) header.facts.durationMs ??= Math.round((duration * 1000) / header.scale);
  },
  trak: (_file, _at, header) => {
    header.tracks.push({});
  },
  tkhd: (file, at, header) => {
    const sizes = at + (file.u8(at) === 1 ? 88 : 76);
    const [width, height] = [Math.round(file.u32(sizes) / 65_536), Math.round(file.u32(sizes + 4) / 65_536)];
    if (width > 0 && height > 0 && header.facts.width === undefined) Object.assign(header.facts, { width, height });
  },
  mdhd: (file, at, header) => {
    const [scale, duration] = readTiming(file, at);
    const track = header.tracks.at(-1);
    if (track !== undefined && scale > 0) Object.assign(track, { scale, milliseconds: (duration * 1000) / scale });
  },
  hdlr: (file, at, header) => {
    const track = header.tracks.at(-1);
    const kind = { vide: 'video', soun: 'audio' }[file.name(at + 8, 4)];
    if (track !== undefined && (kind === 'video' || kind === 'audio')) track.kind = kind;
  },
  stsd: (file, at, header) => {
    const track = header.tracks.at(-1);
    if (track === undefined || file.u32(at + 4) === 0) return;
    const entry = at + 8;
    const name = file.name(entry + 4, 4);
    track.codec = CODECS[name] ?? name.trim().toLowerCase();
    if (track.kind === 'audio') {
      header.facts.channels ??= file.u16(entry + 24);
      header.facts.sampleRateHz ??= file.u16(entry + 32);
    }
  },
  stts: (file, at, header) => {
    const track = header.tracks.at(-1);
    const step = file.u32(at + 4) > 0 ? file.u32(at + 12) : 0;
    if (track?.kind === 'video' && track.scale !== undefined && step > 0) {
      track.frameRate = Math.round((track.scale / step) * 1000) / 1000;
    }
  },
  ispe: (file, at, header) => {
    const [width, height] = [file.u32(at + 4), file.u32(at + 8)];
    const { width: before = 0, height: beside = 0 } = header.facts;
    if (width * height > before * beside) Object.assign(header.facts, { width, height });
  },
  auxC: (file, at, header, end) => {
    if (file.name(at + 4, end - at - 4).includes('alpha')) header.facts.hasAlpha = true;
  },
};

function readTiming(file: ByteReader, at: number): readonly [scale: number, duration: number] {
  if (file.u8(at) === 1) return [file.u32(at + 20), file.u64(at + 24)];
  const duration = file.u32(at + 16);
  return [file.u32(at + 12), duration === 0xffff_ffff ? 0 : duration];
}

/** Reads MP4, MOV, M4A and AVIF: boxes within boxes, up to the ones that say what the file is. */
export const readBoxes: MediaReader = (file, complete) => {
  const header: Header = { brands: '', facts: {}, tracks: [], scale: 0, hasData: false, left: MAX_ELEMENTS };
  walkBoxes({ file, header, complete }, 0, file.length, 0);
  const isStill = /avi[fs]/.test(header.brands);
  if (complete && !isStill && header.tracks.length === 0) throw new MalformedMedia('the file has no track');
  return isStill ? avif(header) : movie(header, file, complete);
};

/** A file whose boxes are read, what they say, and whether the file is here as a whole. */
type BoxWalk = { readonly file: ByteReader; readonly header: Header; readonly complete: boolean };

function walkBoxes(walk: BoxWalk, from: number, to: number, level: number): void {
  const { complete, file, header } = walk;
  if (level > MAX_LEVELS) throw new MalformedMedia('boxes are nested too deep');
  let at = from;
  while (at + 8 <= to) {
    header.left -= 1;
    if (header.left < 0) throw new MalformedMedia('the file is made of too many boxes');
    const short = file.u32(at) || to - at;
    const type = file.name(at + 4, 4);
    const head = short === 1 ? 16 : 8;
    const length = short === 1 ? file.u64(at + 8) : short;
    if (length < head) throw new MalformedMedia('a box is shorter than its head');
    const end = at + length;
    const isCut = end > to;
    if (isCut && complete) throw tooShort();
    if (!isCut || type === 'mdat') BOXES[type]?.(file, at + head, header, end);
    const skip = CONTAINERS[type];
    if (skip !== undefined) walkBoxes(walk, at + head + skip, Math.min(end, to), level + 1);
    at = end;
  }
}

function avif({ brands, facts }: Header): Media {
  if (facts.width === undefined) throw new MalformedMedia('the AVIF has no size');
  const { width, height = 0, hasAlpha = false } = facts;
  const frames = brands.includes('avis') ? 2 : 1;
  return { kind: 'image', format: 'avif', mime: 'image/avif', width, height, hasAlpha, frames };
}

const MP4 = { format: 'mp4', mime: 'video/mp4' } as const;
const QUICKTIME = { format: 'mov', mime: 'video/quicktime' } as const;
const M4A = { format: 'm4a', mime: 'audio/mp4' } as const;

function movie(header: Header, file: ByteReader, complete: boolean): Media {
  const picture = header.tracks.find(({ kind }) => kind === 'video');
  const sound = header.tracks.find(({ kind }) => kind === 'audio');
  const isOnlySound = header.tracks.length > 0 && picture === undefined && sound !== undefined;
  const pictured = header.brands.startsWith('qt') ? QUICKTIME : MP4;
  const { format, mime } = isOnlySound ? M4A : pictured;
  const { facts } = header;
  const longest = Math.round(Math.max(0, ...header.tracks.map(({ milliseconds = 0 }) => milliseconds)));
  const durationMs = facts.durationMs ?? (longest > 0 ? longest : undefined);
  return {
    ...facts,
    kind: isOnlySound ? 'audio' : 'video',
    format,
    mime,
    durationMs,
    videoCodec: picture?.codec,
    frameRate: picture?.frameRate,
    audioCodec: sound?.codec,
    hasAudio: header.tracks.length > 0 ? sound !== undefined : undefined,
    bitrateKbps: complete && durationMs !== undefined ? Math.round((file.length * 8) / durationMs) : undefined,
  };
}

/** Reads an AVI: the main header. */
export const readAvi: MediaReader = (file, complete) => {
  if (complete && 8 + file.u32le(4) > file.length) throw tooShort();
  if (file.name(24, 4) !== 'avih') throw new MalformedMedia('an AVI begins with its main header');
  const microseconds = file.u32le(32);
  const durationMs = Math.round((microseconds * file.u32le(48)) / 1000);
  return {
    kind: 'video',
    format: 'avi',
    mime: 'video/x-msvideo',
    width: file.u32le(64),
    height: file.u32le(68),
    durationMs: durationMs > 0 ? durationMs : undefined,
    frameRate: durationMs > 0 ? Math.round(1e9 / microseconds) / 1000 : undefined,
  };
};
