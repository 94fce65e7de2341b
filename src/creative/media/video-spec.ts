import { TaskError } from '../../protocol/errors.js';
import type { GroupSlot, Requirements } from '../formats/format.js';

/** The exact requirements of a video. */
export type VideoSpec = {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** As a number and as ffmpeg writes it: 29.97 is `30000/1001`. */
  readonly framesPerSecond: number;
  readonly frameRate: string;
  readonly container: 'mp4' | 'mov' | 'webm';
  readonly videoCodec: 'h264' | 'vp9';
  readonly audioCodec: 'aac' | 'opus';
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
  /** Rate of the pictures; with a `least` it is constant. */
  readonly kbps: { readonly least?: number; readonly most: number };
  /** Pictures from one that stands alone to the next. */
  readonly gopFrames: number;
  readonly closedGop: boolean;
  readonly indexAtEnd: boolean;
  readonly loudness: WantedLoudness;
};

/** Integrated loudness by EBU R 128 and its true peak. */
export type Loudness = { readonly lufs: number; readonly truePeakDbtp: number };

/** A loudness to reach, and how far from it a slot lets a file be, in LU. */
export type WantedLoudness = Loudness & { readonly toleranceLu: number };

/** Loudness where the slot names none: programmes by EBU R 128. */
const VIDEO_LOUDNESS: Loudness = { lufs: -23, truePeakDbtp: -2 };

/** Length of a spot whose slot leaves it open. */
const USUAL_DURATION_MS = 15_000;
/** The lengths that are made, in milliseconds. */
const SPOT_MS = { least: 4000, most: 120_000 } as const;
/** The largest picture, in pixels: 2560x1440. */
const MAX_VIDEO_PIXELS = 3_686_400;
/** Largest file of pictures and sound that is made, in bits. */
const MAX_VIDEO_BITS = 8 * 40_000_000;
const USUAL_KBPS = 8000;
const SOUND_KBPS = 256;

type Writer = Pick<VideoSpec, 'container' | 'videoCodec' | 'audioCodec'>;

/** What can be written, the most usual first. */
const WRITERS: readonly Writer[] = [
  { container: 'mp4', videoCodec: 'h264', audioCodec: 'aac' },
  { container: 'mov', videoCodec: 'h264', audioCodec: 'aac' },
  { container: 'webm', videoCodec: 'vp9', audioCodec: 'opus' },
];

/** Frame rates, the most usual first. */
const FRAME_RATES: readonly (readonly [fps: number, text: string])[] = [
  [30, '30'],
  [25, '25'],
  [30_000 / 1001, '30000/1001'],
  [24, '24'],
  [24_000 / 1001, '24000/1001'],
  [50, '50'],
  [60, '60'],
  [60_000 / 1001, '60000/1001'],
];
const RATE_TOLERANCE = 0.01;

/** Returns what a slot wants of a video of this size. Throws UNSUPPORTED_FEATURE for what is not made here, naming what is. */
export function readVideoSpec(
  { asset_id, requirements = {} }: GroupSlot,
  size: { readonly width: number; readonly height: number },
): VideoSpec {
  const { width, height } = size;
  if (width % 2 !== 0 || height % 2 !== 0 || width * height > MAX_VIDEO_PIXELS)
    throw refuseUnwritable(asset_id, `${width}x${height}`, 'even sides of at most 2560x1440 pixels in all');
  const durationMs = readDuration(requirements, asset_id);
  const [framesPerSecond, frameRate] = readFrameRate(requirements, asset_id);
  const writer = WRITERS.find(
    (one) =>
      isAccepted(requirements.containers, one.container) &&
      isAccepted(requirements.codecs, one.videoCodec) &&
      isAccepted(requirements.audio_codecs, one.audioCodec),
  );
  if (writer === undefined)
    throw refuseUnwritable(
      asset_id,
      'its containers and codecs',
      'H.264 with AAC in MP4 or MOV, and VP9 with Opus in WebM',
    );
  const gopSeconds = numberOf(requirements.max_gop_interval_seconds) ?? USUAL_GOP_SECONDS;
  return {
    width,
    height,
    durationMs,
    framesPerSecond,
    frameRate,
    ...writer,
    sampleRateHz: firstNumber(requirements.audio_sample_rates) ?? 48_000,
    channels: isAccepted(requirements.audio_channels, 'stereo') ? 2 : 1,
    kbps: readRate(requirements, durationMs),
    gopFrames: Math.max(1, Math.round(Math.min(gopSeconds, USUAL_GOP_SECONDS) * framesPerSecond)),
    closedGop: requirements.gop_type === 'closed',
    indexAtEnd: requirements.moov_atom_position === 'end',
    loudness: readLoudness(requirements, VIDEO_LOUDNESS),
  };
}

const USUAL_GOP_SECONDS = 2;

/** Returns the length that a slot wants. Throws UNSUPPORTED_FEATURE for one that is not made. */
export function readDuration(requirements: Requirements, assetId: string): number {
  const least = numberOf(requirements.min_duration_ms) ?? 0;
  const most = numberOf(requirements.max_duration_ms) ?? SPOT_MS.most;
  const durationMs = Math.min(most, Math.max(least, USUAL_DURATION_MS));
  if (durationMs >= SPOT_MS.least && durationMs <= SPOT_MS.most) return durationMs;
  throw refuseUnwritable(assetId, `${durationMs} ms`, `${SPOT_MS.least} to ${SPOT_MS.most} ms`);
}

/** Returns the loudness that a slot wants, else the usual one. */
export function readLoudness(requirements: Requirements, usual: Loudness): WantedLoudness {
  const peak = numberOf(requirements.true_peak_dbfs);
  return {
    lufs: numberOf(requirements.loudness_lufs) ?? usual.lufs,
    truePeakDbtp: peak === undefined ? usual.truePeakDbtp : Math.min(usual.truePeakDbtp, peak),
    toleranceLu: numberOf(requirements.loudness_tolerance_db) ?? USUAL_TOLERANCE_LU,
  };
}

/** How far live programmes may lie from their loudness by EBU R 128; finished ones lie nearer. */
const USUAL_TOLERANCE_LU = 1;

function readFrameRate(requirements: Requirements, assetId: string): readonly [number, string] {
  const wanted: unknown = requirements.frame_rates;
  const match = FRAME_RATES.find(
    ([fps]) => !Array.isArray(wanted) || wanted.some((rate) => Math.abs(Number(rate) - fps) <= RATE_TOLERANCE),
  );
  if (match !== undefined) return match;
  throw refuseUnwritable(assetId, 'its frame rates', FRAME_RATES.map(([fps]) => fps.toFixed(2)).join(', '));
}

function readRate(requirements: Requirements, durationMs: number): VideoSpec['kbps'] {
  const { min_bitrate_kbps: low, max_bitrate_kbps: high, max_file_size_kb: kb, max_file_size_mb: mb } = requirements;
  const fileBits = Math.min(MAX_VIDEO_BITS, (numberOf(kb) ?? 1e9) * 8000, (numberOf(mb) ?? 1e6) * 8_000_000);
  const room = Math.floor((fileBits / durationMs) * 0.92) - SOUND_KBPS;
  const most = Math.max(100, Math.min(room, (numberOf(high) ?? Number.POSITIVE_INFINITY) * 0.9 - SOUND_KBPS));
  const least = numberOf(low);
  if (least === undefined) return { most: Math.round(Math.min(USUAL_KBPS, most)) };
  const constant = Math.round(Math.min(most, least * 1.1));
  return { least: constant, most: constant };
}

/** Whether a list of a slot, where it has one, takes a value; names are compared as the check of manifests does. */
function isAccepted(list: unknown, value: string): boolean {
  if (list === undefined) return true;
  const names: readonly unknown[] = Array.isArray(list) ? list : [list];
  return names.some((name) => (ALIKE[String(name).toLowerCase()] ?? String(name).toLowerCase()) === value);
}

const ALIKE: Readonly<Record<string, string>> = {
  avc: 'h264',
  avc1: 'h264',
  'h.264': 'h264',
  quicktime: 'mov',
  m4v: 'mp4',
};

function firstNumber(list: unknown): number | undefined {
  return Array.isArray(list) ? numberOf(list.includes(48_000) ? 48_000 : Number(list[0])) : numberOf(list);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function refuseUnwritable(assetId: string, wanted: string, made: string): TaskError {
  return new TaskError('UNSUPPORTED_FEATURE', `Slot ${assetId} asks for ${wanted}; made here are ${made}.`, {
    details: { slot: assetId },
    suggestion: 'Send a finished file, or ask for another format.',
  });
}
