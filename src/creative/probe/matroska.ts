import type { ByteReader } from './bytes.js';
import { type MediaReader, tooShort } from './image.js';
import { MalformedMedia, type Media } from './types.js';

/** Most elements that one file may be made of; a real header has a few hundred. */
const MAX_ELEMENTS = 10_000;
const MAX_LEVELS = 8;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Track = { kind?: 'video' | 'audio'; codec?: string; frameRate?: number };

/** Elements of WebM and Matroska that hold others. */
const MASTERS: ReadonlySet<number> = new Set([0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0xe1]);
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACK = 0xae;

type Element = { readonly at: number; readonly length: number };
type Matroska = {
  type: string;
  scale: number;
  ticks?: number;
  facts: Mutable<Partial<Media>>;
  tracks: Track[];
  left: number;
};

/** What is read in an element, by its id. */
const ELEMENTS: Readonly<Record<number, (file: ByteReader, element: Element, header: Matroska) => void>> = {
  17026: (file, { at, length }, header) => {
    header.type = file.name(at, Math.min(length, 20)).replaceAll('\0', '');
  },
  2807729: (file, element, header) => {
    header.scale = readUnsigned(file, element);
  },
  17545: (file, { at, length }, header) => {
    header.ticks = length === 4 ? file.f32(at) : file.f64(at);
  },
  131: (file, element, header) => {
    const kind = [undefined, 'video', 'audio'][readUnsigned(file, element)];
    const track = header.tracks.at(-1);
    if (track !== undefined && (kind === 'video' || kind === 'audio')) track.kind = kind;
  },
  134: (file, { at, length }, header) => {
    const track = header.tracks.at(-1);
    if (track !== undefined) track.codec = matroskaCodec(file.name(at, Math.min(length, 40)));
  },
  2352003: (file, element, header) => {
    const track = header.tracks.at(-1);
    const nanoseconds = readUnsigned(file, element);
    if (track !== undefined && nanoseconds > 0) track.frameRate = Math.round(1e12 / nanoseconds) / 1000;
  },
  176: (file, element, header) => {
    header.facts.width ??= readUnsigned(file, element);
  },
  186: (file, element, header) => {
    header.facts.height ??= readUnsigned(file, element);
  },
  181: (file, { at, length }, header) => {
    header.facts.sampleRateHz ??= Math.round(length === 4 ? file.f32(at) : file.f64(at));
  },
  159: (file, element, header) => {
    header.facts.channels ??= readUnsigned(file, element);
  },
};

const MATROSKA_CODECS: readonly (readonly [prefix: string, codec: string])[] = [
  ['V_VP8', 'vp8'],
  ['V_VP9', 'vp9'],
  ['V_AV1', 'av1'],
  ['V_MPEG4/ISO/AVC', 'h264'],
  ['V_MPEGH/ISO/HEVC', 'h265'],
  ['V_PRORES', 'prores'],
  ['A_OPUS', 'opus'],
  ['A_VORBIS', 'vorbis'],
  ['A_AAC', 'aac'],
  ['A_FLAC', 'flac'],
  ['A_PCM', 'pcm'],
  ['A_EAC3', 'eac3'],
  ['A_AC3', 'ac3'],
  ['A_MPEG/L3', 'mp3'],
];

function matroskaCodec(id: string): string {
  return MATROSKA_CODECS.find(([prefix]) => id.startsWith(prefix))?.[1] ?? id.replaceAll('\0', '').toLowerCase();
}

function readUnsigned(file: ByteReader, { at, length }: Element): number {
  if (length > 8) throw new MalformedMedia('a number has at most 8 bytes');
  let value = 0;
  for (let index = 0; index < length; index += 1) value = value * 256 + file.u8(at + index);
  return value;
}

/** Reads WebM and Matroska: elements up to the first pictures. */
export const readMatroska: MediaReader = (file, complete) => {
  const header: Matroska = { type: '', scale: 1_000_000, facts: {}, tracks: [], left: MAX_ELEMENTS };
  walkElements({ file, header, complete }, 0, file.length, 0);
  const picture = header.tracks.find(({ kind }) => kind === 'video');
  const sound = header.tracks.find(({ kind }) => kind === 'audio');
  if (complete && header.tracks.length === 0) throw new MalformedMedia('the file has no track');
  const isWebm = header.type === 'webm';
  const isOnlySound = picture === undefined && sound !== undefined;
  const durationMs = header.ticks === undefined ? undefined : Math.round((header.ticks * header.scale) / 1e6);
  const hasDuration = durationMs !== undefined && Number.isFinite(durationMs) && durationMs > 0;
  return {
    ...header.facts,
    kind: isOnlySound ? 'audio' : 'video',
    format: isWebm ? 'webm' : 'mkv',
    mime: `${isOnlySound ? 'audio' : 'video'}/${isWebm ? 'webm' : 'x-matroska'}`,
    durationMs: hasDuration ? durationMs : undefined,
    videoCodec: picture?.codec,
    frameRate: picture?.frameRate,
    audioCodec: sound?.codec,
    hasAudio: sound !== undefined,
    bitrateKbps: complete && hasDuration ? Math.round((file.length * 8) / durationMs) : undefined,
  };
};

/** A file whose elements are read, what they say, and whether the file is here as a whole. */
type ElementWalk = { readonly file: ByteReader; readonly header: Matroska; readonly complete: boolean };

/** Returns whether the pictures began, and with them nothing that is wanted here. */
function walkElements(walk: ElementWalk, from: number, to: number, level: number): boolean {
  const { complete, file, header } = walk;
  if (level > MAX_LEVELS) throw new MalformedMedia('elements are nested too deep');
  let at = from;
  while (at < to) {
    header.left -= 1;
    if (header.left < 0) throw new MalformedMedia('the file is made of too many elements');
    const idLength = Math.clz32(file.u8(at)) - 23;
    if (idLength > 4) throw new MalformedMedia('an element has an id of at most 4 bytes');
    const id = readUnsigned(file, { at, length: idLength });
    const sizeLength = Math.clz32(file.u8(at + idLength)) - 23;
    if (sizeLength > 8) throw new MalformedMedia('an element has a size of at most 8 bytes');
    const body = at + idLength + sizeLength;
    const length = vint(file, at + idLength, sizeLength) ?? to - body;
    if (complete && id === SEGMENT && body + length > file.length) throw tooShort();
    if (id === CLUSTER) return true;
    if (id === TRACK) header.tracks.push({});
    if (MASTERS.has(id)) {
      if (walkElements(walk, body, Math.min(to, body + length), level + 1)) return true;
    } else if (body + length <= to) ELEMENTS[id]?.(file, { at: body, length }, header);
    else if (complete) throw tooShort();
    at = body + length;
  }
  return false;
}

/** Returns a size with its marker bit taken off; undefined when all other bits are set, which means "unknown". */
function vint(file: ByteReader, at: number, length: number): number | undefined {
  const mask = 2 ** (8 - length) - 1;
  let value = file.u8(at) & mask;
  let isUnknown = value === mask;
  for (let index = 1; index < length; index += 1) {
    const byte = file.u8(at + index);
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return isUnknown ? undefined : value;
}
