import { type ByteReader, hasAt } from './bytes.js';
import { type MediaReader, tooShort } from './image.js';
import { MalformedMedia } from './types.js';

/** How far a first frame is looked for. */
const MAX_SEARCH_BYTES = 65_536;
const MAX_FRAMES = 500_000;

/** Returns the byte after an ID3v2 tag, or 0. */
export function afterId3(file: ByteReader): number {
  if (!hasAt(file.bytes, 0, 'ID3') || file.length < 10) return 0;
  const [a, b, c, d] = [6, 7, 8, 9].map((at) => file.u8(at) & 0x7f) as [number, number, number, number];
  return 10 + ((a << 21) | (b << 14) | (c << 7) | d);
}

const MP3_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] as const;
const MP3_LOW_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const;
const MP3_HZ = [44_100, 48_000, 32_000] as const;
/** Divisor of the sample rate by version bits: MPEG 2.5, none, 2, 1. */
const MP3_DIVISOR = [4, 0, 2, 1] as const;

type Frame = {
  readonly kbps: number;
  readonly hz: number;
  readonly channels: number;
  readonly samples: number;
  readonly bytes: number;
  readonly version1: boolean;
};

function mp3Frame(file: ByteReader, at: number): Frame | undefined {
  if (at + 4 > file.length) return undefined;
  const head = file.u32(at);
  const version = (head >>> 19) & 3;
  const divisor = MP3_DIVISOR[version] ?? 0;
  if (head >>> 21 !== 0x7ff || divisor === 0 || ((head >>> 17) & 3) !== 1) return undefined;
  const isVersion1 = version === 3;
  const kbps = (isVersion1 ? MP3_KBPS : MP3_LOW_KBPS)[(head >>> 12) & 15];
  const rate = MP3_HZ[(head >>> 10) & 3];
  if (!kbps || rate === undefined) return undefined;
  const hz = rate / divisor;
  const samples = isVersion1 ? 1152 : 576;
  const bytes = Math.floor(((samples / 8) * kbps * 1000) / hz) + ((head >>> 9) & 1);
  return { kbps, hz, channels: ((head >>> 6) & 3) === 3 ? 1 : 2, samples, bytes, version1: isVersion1 };
}

function firstMp3Frame(file: ByteReader): readonly [at: number, frame: Frame] | undefined {
  const from = afterId3(file);
  const last = Math.min(file.length - 4, from + MAX_SEARCH_BYTES);
  for (let at = from; at <= last; at += 1) {
    if (file.u8(at) !== 0xff) continue;
    const frame = mp3Frame(file, at);
    // A second frame where the first one ends, or nothing more: chance alone does not make that.
    if (frame !== undefined && (at + frame.bytes + 4 > file.length || mp3Frame(file, at + frame.bytes))) {
      return [at, frame];
    }
  }
  return undefined;
}

/** Whether there is an MPEG layer III frame within reach of the beginning. */
export function looksLikeMp3(file: ByteReader): boolean {
  return firstMp3Frame(file) !== undefined;
}

/** Returns how many frames an MP3 says it has, in the Xing, Info or VBRI header inside its first frame. */
function countMp3Frames(file: ByteReader, at: number, { channels, version1 }: Frame): number | undefined {
  const [mono, stereo] = version1 ? [17, 32] : [9, 17];
  const xing = at + 4 + (channels === 1 ? mono : stereo);
  const hasXing = hasAt(file.bytes, xing, 'Xing') || hasAt(file.bytes, xing, 'Info');
  if (hasXing && (file.u32(xing + 4) & 1) === 1) return file.u32(xing + 8);
  const vbri = at + 36;
  return hasAt(file.bytes, vbri, 'VBRI') ? file.u32(vbri + 14) : undefined;
}

/** Reads an MP3: length from the Xing, Info or VBRI header, else from the constant bit rate. */
export const readMp3: MediaReader = (file, complete) => {
  const [at, frame] = firstMp3Frame(file) ?? [0, undefined];
  if (frame === undefined) throw new MalformedMedia('the MP3 has no frame');
  if (complete && at + frame.bytes > file.length) throw tooShort();
  const frames = countMp3Frames(file, at, frame);
  const byRate = complete ? ((file.length - at) * 8) / frame.kbps : undefined;
  const durationMs = frames === undefined ? byRate : (frames * frame.samples * 1000) / frame.hz;
  return {
    kind: 'audio',
    format: 'mp3',
    mime: 'audio/mpeg',
    audioCodec: 'mp3',
    sampleRateHz: frame.hz,
    channels: frame.channels,
    bitrateKbps:
      frames !== undefined && complete && durationMs ? Math.round((file.length * 8) / durationMs) : frame.kbps,
    durationMs: durationMs === undefined ? undefined : Math.round(durationMs),
  };
};

const AAC_HZ = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350];
const AAC_SAMPLES = 1024;

/** Reads AAC in ADTS frames, counted to the end. */
export const readAdts: MediaReader = (file, complete) => {
  let at = afterId3(file);
  const sampleRateHz = AAC_HZ[(file.u8(at + 2) >>> 2) & 15];
  if (sampleRateHz === undefined) throw new MalformedMedia('the AAC has no sample rate');
  const channels = ((file.u8(at + 2) & 1) << 2) | (file.u8(at + 3) >>> 6);
  const from = at;
  let frames = 0;
  while (at + 7 <= file.length && frames < MAX_FRAMES) {
    const length = ((file.u8(at + 3) & 3) << 11) | (file.u8(at + 4) << 3) | (file.u8(at + 5) >>> 5);
    if (file.u8(at) !== 0xff || length < 7) break;
    if (at + length > file.length) {
      if (complete) throw tooShort();
      break;
    }
    frames += 1;
    at += length;
  }
  const durationMs = (frames * AAC_SAMPLES * 1000) / sampleRateHz;
  return {
    kind: 'audio',
    format: 'aac',
    mime: 'audio/aac',
    audioCodec: 'aac',
    sampleRateHz,
    channels,
    durationMs: complete && frames > 0 ? Math.round(durationMs) : undefined,
    bitrateKbps: frames > 0 ? Math.round(((at - from) * 8) / durationMs) : undefined,
  };
};

/** A WAV that was written as it was spoken does not know its length: espeak-ng says 0x7ffff000, others 0xffffffff. */
const OPEN_LENGTH = 0x7fff_f000;

/** Reads a WAV: the format and data chunks. */
export const readWav: MediaReader = (file, complete) => {
  let at = 12;
  let rate: { readonly sampleRateHz: number; readonly channels: number; readonly bytesPerSecond: number } | undefined;
  while (at + 8 <= file.length) {
    const type = file.name(at, 4);
    const length = file.u32le(at + 4);
    if (type === 'fmt ') {
      rate = {
        channels: file.u16le(at + 10),
        sampleRateHz: file.u32le(at + 12),
        bytesPerSecond: file.u32le(at + 16),
      };
    } else if (type === 'data' && rate !== undefined && rate.bytesPerSecond > 0) {
      const isOpen = length >= OPEN_LENGTH;
      if (complete && !isOpen && at + 8 + length > file.length) throw tooShort();
      const bytes = isOpen ? file.length - at - 8 : length;
      const { channels, sampleRateHz, bytesPerSecond } = rate;
      return {
        kind: 'audio',
        format: 'wav',
        mime: 'audio/wav',
        audioCodec: 'pcm',
        sampleRateHz,
        channels,
        durationMs: Math.round((bytes * 1000) / bytesPerSecond),
        bitrateKbps: Math.round((bytesPerSecond * 8) / 1000),
      };
    }
    at += 8 + length + (length % 2);
  }
  throw complete ? new MalformedMedia('the WAV has no sound') : tooShort();
};

const MAX_PAGE_BYTES = 65_307;

type OggSound = {
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Samples at the beginning that are not played. */
  readonly skipped: number;
};

/** What the first page of each codec begins with, and where it says what the sound is. */
const OGG_CODECS: readonly {
  readonly magic: string;
  readonly audioCodec: string;
  readonly read: (file: ByteReader, body: number) => OggSound;
}[] = [
  {
    magic: 'OpusHead',
    audioCodec: 'opus',
    read: (file, body) => ({ sampleRateHz: 48_000, channels: file.u8(body + 9), skipped: file.u16le(body + 10) }),
  },
  {
    magic: '\x01vorbis',
    audioCodec: 'vorbis',
    read: (file, body) => ({ sampleRateHz: file.u32le(body + 12), channels: file.u8(body + 11), skipped: 0 }),
  },
  {
    magic: '\x7fFLAC',
    audioCodec: 'flac',
    read: (file, body) => ({
      sampleRateHz: file.u24(body + 27) >>> 4,
      channels: ((file.u8(body + 29) >>> 1) & 7) + 1,
      skipped: 0,
    }),
  },
];

/** Reads an Ogg file with Opus, Vorbis or FLAC: the first page says what, the last one how long. */
export const readOgg: MediaReader = (file, complete) => {
  const body = 27 + file.u8(26);
  if (hasAt(file.bytes, body, '\x80theora')) throw new MalformedMedia('Ogg video is not taken');
  const codec = OGG_CODECS.find(({ magic }) => hasAt(file.bytes, body, magic));
  if (codec === undefined) throw new MalformedMedia('the Ogg file has no sound that is known');
  const { sampleRateHz, channels, skipped } = codec.read(file, body);
  const samples = complete ? lastPosition(file) - skipped : 0;
  if (complete && samples <= 0) throw tooShort();
  const durationMs = sampleRateHz > 0 ? Math.round((samples * 1000) / sampleRateHz) : 0;
  return {
    kind: 'audio',
    format: 'ogg',
    mime: 'audio/ogg',
    audioCodec: codec.audioCodec,
    sampleRateHz,
    channels,
    durationMs: durationMs > 0 ? durationMs : undefined,
    bitrateKbps: durationMs > 0 ? Math.round((file.length * 8) / durationMs) : undefined,
  };
};

/** Returns the sample count that the last page states. */
function lastPosition(file: ByteReader): number {
  for (let at = file.length - 27; at >= Math.max(0, file.length - MAX_PAGE_BYTES); at -= 1) {
    if (hasAt(file.bytes, at, 'OggS')) return file.u32le(at + 6) + file.u32le(at + 10) * 2 ** 32;
  }
  return 0;
}

/** Reads a FLAC: the stream information. */
export const readFlac: MediaReader = (file, complete) => {
  const at = afterId3(file) + 8;
  const sampleRateHz = file.u24(at + 10) >>> 4;
  const channels = ((file.u8(at + 12) >>> 1) & 7) + 1;
  const samples = (file.u8(at + 13) & 15) * 2 ** 32 + file.u32(at + 14);
  if (sampleRateHz === 0) throw new MalformedMedia('the FLAC has no sample rate');
  const durationMs = Math.round((samples * 1000) / sampleRateHz);
  return {
    kind: 'audio',
    format: 'flac',
    mime: 'audio/flac',
    audioCodec: 'flac',
    sampleRateHz,
    channels,
    durationMs: durationMs > 0 ? durationMs : undefined,
    bitrateKbps: durationMs > 0 && complete ? Math.round((file.length * 8) / durationMs) : undefined,
  };
};
