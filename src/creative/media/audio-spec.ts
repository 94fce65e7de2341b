import { TaskError } from '../../protocol/errors.js';
import type { GroupSlot, Requirements } from '../formats/format.js';
import { seconds } from './video-arguments.js';
import { type Loudness, readDuration, readLoudness, type WantedLoudness } from './video-spec.js';

/** The exact requirements of a sound. */
export type AudioSpec = {
  readonly durationMs: number;
  readonly writer: AudioWriter;
  readonly sampleRateHz: number;
  readonly channels: 1 | 2;
  readonly kbps: number;
  readonly loudness: WantedLoudness;
};

/** Loudness where the slot names none: streams by EBU R 128 s2 and AES TD1008. */
const AUDIO_LOUDNESS: Loudness = { lufs: -16, truePeakDbtp: -2 };
const USUAL_KBPS = 192;

/** A kind of file that sound is written as. */
type AudioWriter = {
  readonly ending: 'mp3' | 'm4a' | 'wav' | 'ogg' | 'flac';
  /** What requirements call it. */
  readonly names: readonly string[];
  readonly codec: string;
  /** What reads it. */
  readonly demuxer: string;
  readonly args: readonly string[];
};

const WRITERS: readonly AudioWriter[] = [
  {
    ending: 'mp3',
    names: ['mp3', 'mpeg'],
    codec: 'mp3',
    demuxer: 'mp3',
    args: ['-c:a', 'libmp3lame', '-write_xing', '1', '-f', 'mp3'],
  },
  {
    ending: 'm4a',
    names: ['aac', 'm4a', 'mp4'],
    codec: 'aac',
    demuxer: 'mov',
    args: ['-c:a', 'aac', '-movflags', '+faststart', '-f', 'ipod'],
  },
  { ending: 'wav', names: ['wav', 'wave'], codec: 'pcm', demuxer: 'wav', args: ['-c:a', 'pcm_s16le', '-f', 'wav'] },
  { ending: 'flac', names: ['flac'], codec: 'flac', demuxer: 'flac', args: ['-c:a', 'flac', '-f', 'flac'] },
  {
    ending: 'ogg',
    names: ['ogg', 'opus', 'vorbis'],
    codec: 'opus',
    demuxer: 'ogg',
    args: ['-c:a', 'libopus', '-f', 'ogg'],
  },
];

/** Returns what a slot wants of a sound. Throws UNSUPPORTED_FEATURE for what is not made here. */
export function readAudioSpec({ asset_id, requirements = {} }: GroupSlot): AudioSpec {
  const { formats, sample_rates: rates, channels } = requirements;
  const wanted = Array.isArray(formats) ? formats.map((name) => String(name).toLowerCase()) : undefined;
  const writer = WRITERS.find(({ names }) => wanted === undefined || names.some((name) => wanted.includes(name)));
  if (writer === undefined) {
    throw new TaskError(
      'UNSUPPORTED_FEATURE',
      `Slot ${asset_id} takes none of the kinds of files that sound is written as here.`,
      {
        details: { slot: asset_id, found: WRITERS.flatMap(({ names }) => names), wanted: formats },
        suggestion: 'Send a finished file, or ask for another format.',
      },
    );
  }
  const [first] = Array.isArray(rates) ? rates : [];
  const isMono = Array.isArray(channels) && !channels.includes('stereo') && channels.includes('mono');
  return {
    durationMs: readDuration(requirements, asset_id),
    writer,
    sampleRateHz: rates === undefined || (Array.isArray(rates) && rates.includes(48_000)) ? 48_000 : Number(first),
    channels: isMono ? 1 : 2,
    kbps: readKbps(requirements),
    loudness: readLoudness(requirements, AUDIO_LOUDNESS),
  };
}

function readKbps({ min_bitrate_kbps: least, max_bitrate_kbps: most }: Requirements): number {
  const low = typeof least === 'number' ? least : 0;
  const high = typeof most === 'number' ? most : Number.POSITIVE_INFINITY;
  return Math.min(high, Math.max(low, USUAL_KBPS));
}

/** Returns the arguments that ffmpeg writes a finished sound with. */
export function audioArguments(input: string, output: string, spec: AudioSpec): readonly string[] {
  const { writer, sampleRateHz, channels, kbps, durationMs } = spec;
  return [
    '-protocol_whitelist',
    'file',
    '-f',
    'wav',
    '-i',
    input,
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:a',
    '+bitexact',
    '-ar',
    String(sampleRateHz),
    '-ac',
    String(channels),
    '-b:a',
    `${kbps}k`,
    '-t',
    seconds(durationMs),
    ...writer.args,
    output,
  ];
}
