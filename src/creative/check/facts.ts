import type { AssetType } from '../formats/format.js';
import type { Asset } from '../formats/manifest.js';
import type { Media } from '../probe/types.js';
import { type AdTag, parseTag, type TagReading } from '../vast/tag.js';
import type { Facts } from './finding.js';

const MIME_NAMES: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  'svg+xml': 'svg',
  quicktime: 'mov',
  matroska: 'mkv',
  msvideo: 'avi',
  mpeg: 'mp3',
  wave: 'wav',
};

/** Returns a format as requirements name it, from a MIME type or a name; `audio/mp4` is m4a. */
function formatName(declared: string): string {
  const plain = declared.toLowerCase().split(';')[0]?.trim() ?? '';
  if (plain === 'audio/mp4') return 'm4a';
  const name = plain.replace(/^(?:image|video|audio|application)\//, '').replace(/^x-/, '');
  return MIME_NAMES[name] ?? name;
}

/** Returns the ending of the path of a URL, where it is one of a file. */
function fileEnding(url: string): string | undefined {
  return /\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(url.replace(/^[a-z]+:\/\/[^/?#]*/i, ''))?.[1]?.toLowerCase();
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: unknown): number | undefined {
  const read = typeof value === 'string' ? Number(value) : value;
  return typeof read === 'number' && Number.isFinite(read) ? read : undefined;
}

/** How each fact is read from what the buyer declares. */
const DECLARED: { readonly [K in keyof Facts]-?: (asset: Asset, type: AssetType) => Facts[K] | undefined } = {
  width: ({ width }) => width,
  height: ({ height }) => height,
  durationMs: ({ duration_ms }) => duration_ms,
  sizeBytes: ({ content, file_size_bytes }, type) =>
    CODE.has(type) && content !== undefined ? Buffer.byteLength(content) : file_size_bytes,
  format: ({ format, container_format, mime_type, url }, type) => {
    if (!FILES.has(type)) return undefined;
    const declared = [format, container_format, mime_type]
      .map(string)
      .find((each) => each !== undefined && each !== '');
    return declared === undefined ? fileEnding(url ?? '') : formatName(declared);
  },
  frames: () => undefined,
  hasAlpha: () => undefined,
  colorSpace: () => undefined,
  dpi: ({ dpi }) => number(dpi),
  videoCodec: ({ video_codec }) => string(video_codec),
  audioCodec: ({ audio_codec, codec }) => string(audio_codec) ?? string(codec),
  hasAudio: ({ has_audio }) => (typeof has_audio === 'boolean' ? has_audio : undefined),
  sampleRateHz: ({ audio_sampling_rate_hz, sampling_rate_hz }) =>
    number(audio_sampling_rate_hz) ?? number(sampling_rate_hz),
  channels: ({ audio_channels, channels }) => string(audio_channels) ?? string(channels),
  bitrateKbps: ({ video_bitrate_kbps, bitrate_kbps }) => number(video_bitrate_kbps) ?? number(bitrate_kbps),
  frameRate: ({ frame_rate }) => number(frame_rate),
  frameRateType: ({ frame_rate_type }) => string(frame_rate_type),
  scanType: ({ scan_type }) => string(scan_type),
  gopType: ({ gop_type }) => string(gop_type),
  gopSeconds: ({ gop_interval_seconds }) => number(gop_interval_seconds),
  moovPosition: ({ moov_atom_position }) => string(moov_atom_position),
  loudnessLufs: ({ audio_loudness_lufs, loudness_lufs }) => number(audio_loudness_lufs) ?? number(loudness_lufs),
  truePeakDbfs: ({ audio_true_peak_dbfs, true_peak_dbfs }) => number(audio_true_peak_dbfs) ?? number(true_peak_dbfs),
  tagVersion: ({ vast_version, daast_version }, type) => string(type === 'vast' ? vast_version : daast_version),
};

const CODE: ReadonlySet<AssetType> = new Set(['html', 'css', 'javascript']);
const FILES: ReadonlySet<AssetType> = new Set(['image', 'video', 'audio']);

const DECLARED_FACTS = Object.entries(DECLARED);

/** Returns the facts that the buyer declares of an asset. */
export function declaredFacts(asset: Asset, type: AssetType): Facts {
  const facts: Record<string, unknown> = {};
  for (const [name, from] of DECLARED_FACTS) {
    const value = from(asset, type);
    if (value !== undefined) facts[name] = value;
  }
  return facts;
}

const LAYOUTS: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };

/** Returns the facts of a file header, in the words of the requirements. */
export function measuredFacts(media: Media): Facts {
  const { kind: _kind, mime: _mime, channels, ...facts } = media;
  const layout = channels === undefined ? undefined : (LAYOUTS[channels] ?? `${channels} channels`);
  return { ...facts, channels: layout };
}

/** Returns facts with those of the file in place of the declared ones, where the file has them. */
export function mergeFacts(declared: Facts, measured: Facts): Facts {
  const present = Object.entries(measured).filter(([, value]) => value !== undefined);
  return { ...declared, ...Object.fromEntries(present) };
}

/** Returns the facts of the first ad of a tag; the largest media file is taken for the video. */
export function tagFacts({ version, ads }: AdTag): Facts {
  const [ad] = ads;
  const area = ({ width = 0, height = 0 }: { readonly width?: number; readonly height?: number }) => width * height;
  const [largest] = [...(ad?.mediaFiles ?? [])].sort((a, b) => area(b) - area(a));
  return {
    tagVersion: version,
    durationMs: ad?.durationMs,
    width: largest?.width,
    height: largest?.height,
    format: largest?.mime && formatName(largest.mime),
    bitrateKbps: largest?.bitrateKbps,
  };
}

/** Reads a tag from the bytes of a file; UTF-8. */
export function readTagBytes(bytes: Uint8Array): TagReading {
  return parseTag(new TextDecoder('utf-8').decode(bytes));
}
