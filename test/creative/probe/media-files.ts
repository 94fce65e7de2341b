/** Small media files for tests, made byte by byte. */

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const u16 = (value: number): Buffer => Buffer.of((value >>> 8) & 255, value & 255);
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const u32le = (value: number): Buffer => Buffer.from(u32(value)).reverse();
const u16le = (value: number): Buffer => Buffer.from(u16(value)).reverse();

/** A chunk of a PNG. */
export function chunk(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length), text(type), body, u32(0)]);
}

/** A PNG whose header says this size; its picture data is nonsense that nobody may unpack. */
export function png(width: number, height: number, { color = 6, extra = [] as readonly Buffer[] } = {}): Buffer {
  const header = chunk('IHDR', u32(width), u32(height), Buffer.of(8, color, 0, 0, 0));
  return Buffer.concat([
    text('\x89PNG\r\n\x1a\n'),
    header,
    ...extra,
    chunk('IDAT', Buffer.alloc(64, 0xff)),
    chunk('IEND'),
  ]);
}

/** Chunks that make a PNG an animation of so many frames, each of `ms` milliseconds. */
export function pngFrames(frames: number, ms: number): readonly Buffer[] {
  return [
    chunk('acTL', u32(frames), u32(0)),
    ...Array.from({ length: frames }, (_, index) =>
      chunk('fcTL', u32(index), Buffer.alloc(16), u16(ms), u16(1000), u16(0)),
    ),
  ];
}

/** A PNG chunk that states dots per inch. */
export function pngDensity(dpi: number): Buffer {
  const perMetre = Math.round(dpi / 0.0254);
  return chunk('pHYs', u32(perMetre), u32(perMetre), Buffer.of(1));
}

/** A JPEG header of this size with 1, 3 or 4 components. */
export function jpeg(width: number, height: number, components = 3): Buffer {
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    Buffer.concat([Buffer.of(0xff, 0xe0), u16(16), text('JFIF\0'), Buffer.of(1, 2, 1), u16(72), u16(72), u16(0)]),
    Buffer.concat([
      Buffer.of(0xff, 0xc0),
      u16(8 + 3 * components),
      Buffer.of(8),
      u16(height),
      u16(width),
      Buffer.of(components),
      Buffer.alloc(3 * components, 1),
    ]),
    Buffer.concat([Buffer.of(0xff, 0xda), u16(8), Buffer.alloc(6)]),
    Buffer.alloc(20, 0x11),
    Buffer.of(0xff, 0xd9),
  ]);
}

/** A GIF of so many pictures, each shown for `ms` milliseconds. */
export function gif(width: number, height: number, frames = 1, ms = 100): Buffer {
  const frame = Buffer.concat([
    Buffer.of(0x21, 0xf9, 4, 0),
    u16le(ms / 10),
    Buffer.of(0, 0),
    Buffer.concat([Buffer.of(0x2c), Buffer.alloc(4), u16le(width), u16le(height), Buffer.of(0)]),
    Buffer.of(2, 2, 0x4c, 0x01, 0),
  ]);
  return Buffer.concat([
    text('GIF89a'),
    u16le(width),
    u16le(height),
    Buffer.of(0, 0, 0),
    ...Array.from({ length: frames }, () => frame),
    Buffer.of(0x3b),
  ]);
}

function riff(kind: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([text(kind), ...parts]);
  return Buffer.concat([text('RIFF'), u32le(body.length), body]);
}

const riffChunk = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([text(type), u32le(body.length), body, Buffer.alloc(body.length % 2)]);
};

/** A lossy WebP of this size. */
export function webp(width: number, height: number): Buffer {
  return riff(
    'WEBP',
    riffChunk('VP8 ', Buffer.of(0x30, 1, 0, 0x9d, 1, 0x2a), u16le(width), u16le(height), Buffer.alloc(10)),
  );
}

/** A WAV of silence, 8000 samples a second in one byte each. */
export function wav(seconds: number): Buffer {
  const format = Buffer.concat([u16le(1), u16le(1), u32le(8000), u32le(8000), u16le(1), u16le(8)]);
  return riff('WAVE', riffChunk('fmt ', format), riffChunk('data', Buffer.alloc(seconds * 8000, 0x80)));
}

/** An AVI header: pictures a second, pictures, size. */
export function avi(width: number, height: number, rate: number, frames: number): Buffer {
  const header = Buffer.concat([
    ...[1_000_000 / rate, 0, 0, 0, frames, 0, 1, 0, width, height].map((value) => u32le(value)),
    Buffer.alloc(16),
  ]);
  return riff('AVI ', riffChunk('LIST', text('hdrl'), riffChunk('avih', header)));
}

/** A box of an MP4. */
export function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), text(type), body]);
}

type Movie = {
  readonly width?: number;
  readonly height?: number;
  readonly seconds?: number;
  readonly brand?: string;
  readonly codec?: string;
  readonly sound?: boolean;
  readonly picture?: boolean;
  /** Puts the index behind the pictures. */
  readonly late?: boolean;
  /** Pictures a second. */
  readonly rate?: number;
  readonly dataBytes?: number;
};

/** An MP4, MOV or M4A: index and empty pictures. */
export function mp4({
  width = 1920,
  height = 1080,
  seconds = 30,
  brand = 'isom',
  codec = 'avc1',
  sound = true,
  picture = true,
  late = false,
  rate = 25,
  dataBytes = 1000,
}: Movie = {}): Buffer {
  const header = (scale: number) =>
    Buffer.concat([u32(0), u32(0), u32(0), u32(scale), u32(seconds * scale), Buffer.alloc(80)]);
  const track = (handler: string, size: readonly [number, number], description: Buffer, step: number) =>
    box(
      'trak',
      box('tkhd', Buffer.alloc(76), u32(size[0] * 65_536), u32(size[1] * 65_536)),
      box(
        'mdia',
        box('mdhd', header(1000).subarray(0, 24)),
        box('hdlr', u32(0), u32(0), text(handler), Buffer.alloc(12)),
        box(
          'minf',
          box('stbl', box('stsd', u32(0), u32(1), description), box('stts', u32(0), u32(1), u32(1), u32(step))),
        ),
      ),
    );
  const audio = box('mp4a', Buffer.alloc(16), u16(2), u16(16), u32(0), u32(48_000 * 65_536));
  const index = box(
    'moov',
    box('mvhd', header(600)),
    ...(picture ? [track('vide', [width, height], box(codec, Buffer.alloc(70)), 1000 / rate)] : []),
    ...(sound ? [track('soun', [0, 0], audio, 1)] : []),
  );
  const data = box('mdat', Buffer.alloc(dataBytes));
  const kind = box('ftyp', text(brand.padEnd(4)), u32(0), text('isom'));
  return Buffer.concat(late ? [kind, data, index] : [kind, index, data]);
}

/** An element of a WebM, its size in four bytes. */
export function element(id: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const name = u32(id).subarray(Math.floor(Math.clz32(id) / 8));
  return Buffer.concat([name, u32(0x1000_0000 | body.length), body]);
}

/** A WebM (or Matroska) header. */
export function webm(width: number, height: number, seconds: number, type = 'webm'): Buffer {
  const duration = Buffer.alloc(8);
  duration.writeDoubleBE(seconds * 1000);
  return Buffer.concat([
    element(0x1a45dfa3, element(0x4282, text(type))),
    element(
      0x18538067,
      element(0x1549a966, element(0x2ad7b1, u32(1_000_000)), element(0x4489, duration)),
      element(
        0x1654ae6b,
        element(
          0xae,
          element(0x83, Buffer.of(1)),
          element(0x86, text('V_VP9')),
          element(0xe0, element(0xb0, u16(width)), element(0xba, u16(height))),
        ),
        element(
          0xae,
          element(0x83, Buffer.of(2)),
          element(0x86, text('A_OPUS')),
          element(0xe1, element(0x9f, Buffer.of(2))),
        ),
      ),
      element(0x1f43b675, Buffer.alloc(100)),
    ),
  ]);
}

const MP3_FRAME_BYTES = 417;

/** An MP3 of 128 kbit/s at 44,100 Hz. */
export function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(MP3_FRAME_BYTES);
  Buffer.of(0xff, 0xfb, 0x90, 0x00).copy(frame);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** How long an MP3 of so many seconds is in frames. */
export function mp3Frames(seconds: number): number {
  return Math.round((seconds * 44_100) / 1152);
}

/** An MP3 whose first frame states the count of all frames, behind an ID3 tag. */
export function taggedMp3(frames: number): Buffer {
  const body = mp3(2);
  text('Xing').copy(body, 36);
  u32(1).copy(body, 40);
  u32(frames).copy(body, 44);
  return Buffer.concat([text('ID3'), Buffer.of(3, 0, 0, 0, 0, 0, 50), Buffer.alloc(50), body]);
}

/** AAC frames at 44,100 Hz in stereo, 100 bytes each. */
export function adts(frames: number): Buffer {
  const frame = Buffer.alloc(100);
  Buffer.of(0xff, 0xf1, 0x50, 0x80, 100 >>> 3, (100 & 7) << 5, 0xfc).copy(frame);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** Ogg pages of Opus: what, and how long. */
export function ogg(seconds: number): Buffer {
  const page = (samples: number, body: Buffer) =>
    Buffer.concat([
      text('OggS'),
      Buffer.of(0, 0),
      u32le(samples),
      u32le(0),
      Buffer.alloc(12),
      Buffer.of(1, body.length),
      body,
    ]);
  const head = Buffer.concat([text('OpusHead'), Buffer.of(1, 2), u16le(312), u32le(48_000), Buffer.alloc(3)]);
  return Buffer.concat([page(0, head), page(seconds * 48_000 + 312, Buffer.alloc(50))]);
}

/** A FLAC header: 44,100 Hz, stereo. */
export function flac(seconds: number): Buffer {
  const rate = 44_100;
  const info = Buffer.alloc(34);
  info.writeUIntBE(rate * 16 + (1 << 1), 10, 3);
  info.writeUInt8(0xf0, 13);
  info.writeUInt32BE(seconds * rate, 14);
  return Buffer.concat([text('fLaC'), Buffer.of(0x80, 0, 0, 34), info, Buffer.alloc(100)]);
}
