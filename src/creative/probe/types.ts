/** File formats that are told apart by their bytes. */
export type MediaFormat =
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'avif'
  | 'svg'
  | 'tiff'
  | 'pdf'
  | 'eps'
  | 'mp4'
  | 'mov'
  | 'webm'
  | 'mkv'
  | 'avi'
  | 'mp3'
  | 'aac'
  | 'm4a'
  | 'wav'
  | 'ogg'
  | 'flac';

/** The facts in the header of a media file; a member is absent where the header does not say. Nothing is decompressed. */
export type Media = {
  readonly kind: 'image' | 'video' | 'audio';
  readonly format: MediaFormat;
  readonly mime: string;
  /** Pixels as declared by the file, however many. */
  readonly width?: number;
  readonly height?: number;
  readonly durationMs?: number;
  /** Pictures in an image; more than 1 is an animation. */
  readonly frames?: number;
  readonly hasAlpha?: boolean;
  readonly colorSpace?: 'rgb' | 'cmyk' | 'grayscale';
  readonly dpi?: number;
  readonly videoCodec?: string;
  readonly audioCodec?: string;
  readonly hasAudio?: boolean;
  readonly sampleRateHz?: number;
  readonly channels?: number;
  readonly bitrateKbps?: number;
  /** Pictures per second. */
  readonly frameRate?: number;
  /** Where an MP4 keeps its index: before the pictures, or after them. */
  readonly moovPosition?: 'start' | 'end';
};

/** Why a file was not read. */
export type MediaFault = {
  /** `unknown`: no media file; `truncated`: it ends too early; `malformed`: it contradicts itself; `unsafe`: it does more than show a picture. */
  readonly reason: 'unknown' | 'truncated' | 'malformed' | 'unsafe';
  /** What it looks like, such as `png`, `zip` or `html`. */
  readonly format?: string;
  readonly message: string;
};

/** The result of probing the bytes of a file. */
export type Probed = { readonly ok: true; readonly media: Media } | ({ readonly ok: false } & MediaFault);

/** A file that cannot be what it says it is. Caught in `probeMedia`; a read beyond the end is a RangeError instead. */
export class MalformedMedia extends Error {
  override readonly name = 'MalformedMedia';
}

/** More pixels than any ad needs; a picture beyond is refused before it is decoded. */
export const MAX_PIXELS = 40_000_000;
