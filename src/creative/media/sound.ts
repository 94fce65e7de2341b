import type { Loudness } from './video-spec.js';

/** A sound of the spot: a file of the job, and the only demuxer that may read it. */
export type SoundFile = { readonly name: string; readonly demuxer: string };

/** The mix of a spot and the same mix at its loudness, as files of the job. */
export const SOUND_FILES = { mix: 'mix.wav', leveled: 'sound.wav' } as const;

/** The speech and the music of a spot. */
export type SoundPlan = {
  readonly durationMs: number;
  /** One after another, with a pause between them. */
  readonly speech: readonly SoundFile[];
  /** Under the speech, repeated to the end; it steps back while somebody speaks. */
  readonly music: SoundFile | undefined;
};

/** Sound is mixed in this form, before it is encoded. */
const MIX = 'aformat=sample_fmts=fltp:sample_rates=48000:channel_layouts=stereo';
const PCM = ['-c:a', 'pcm_s24le', '-ar', '48000', '-ac', '2', '-f', 'wav'] as const;
/** When speech begins, and how long it pauses between two files. */
const SPEECH_DELAY_MS = 400;
/** How music comes and goes, in seconds. */
const MUSIC_FADE = { in: 0.4, out: 1.2 } as const;
/** How far music stays below speech. */
const MUSIC_UNDER_SPEECH_DB = -14;
const DUCKING = 'threshold=0.02:ratio=8:attack=20:release=400';

/** Returns the arguments that ffmpeg mixes the sound of a spot with: exactly as long as the spot, not yet of its loudness; silence without any. */
export function mixArguments({ durationMs, speech, music }: SoundPlan, output: string): readonly string[] {
  const length = durationMs / 1000;
  const exact = `apad=whole_dur=${length},atrim=end=${length},asetpts=PTS-STARTPTS`;
  const inputs = [...speech.flatMap(readSound), ...(music === undefined ? [] : readSound(music, true))];
  const graph = [...mixSpeech(speech, exact), ...mixMusic(speech.length, music, length)];
  if (graph.length === 0)
    return ['-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo', '-t', String(length), ...PCM, output];
  return [...inputs, '-filter_complex', graph.join(';'), '-map', '[mix]', '-t', String(length), ...PCM, output];
}

function readSound({ demuxer, name }: SoundFile, isRepeated: unknown = false): readonly string[] {
  return [
    ...(isRepeated === true ? ['-stream_loop', '-1'] : []),
    '-protocol_whitelist',
    'file',
    '-f',
    demuxer,
    '-vn',
    '-i',
    name,
  ];
}

function mixSpeech(speech: readonly SoundFile[], exact: string): readonly string[] {
  if (speech.length === 0) return [];
  const parts = speech.map((_, index) => `[${index}:a]${MIX},adelay=${SPEECH_DELAY_MS}:all=1[v${index}]`);
  const joined = speech.map((_, index) => `[v${index}]`).join('');
  return [...parts, `${joined}concat=n=${speech.length}:v=0:a=1,${LEVEL},${exact}[speech]`];
}

/** Evens a voice out, so that what is said softly is heard over music. */
const LEVEL = 'acompressor=threshold=0.1:ratio=3:attack=10:release=200';

function mixMusic(at: number, music: SoundFile | undefined, length: number): readonly string[] {
  const out = Math.max(0, length - MUSIC_FADE.out);
  const fades = `afade=t=in:d=${MUSIC_FADE.in},afade=t=out:st=${out}:d=${MUSIC_FADE.out}`;
  if (music === undefined) return at === 0 ? [] : ['[speech]anull[mix]'];
  const bed = `[${at}:a]${MIX},atrim=end=${length},asetpts=PTS-STARTPTS,apad=whole_dur=${length},${fades}`;
  if (at === 0) return [`${bed}[mix]`];
  return [
    '[speech]asplit[said][key]',
    `${bed},volume=${MUSIC_UNDER_SPEECH_DB / 2}dB[bed]`,
    `[bed][key]sidechaincompress=${DUCKING}[under]`,
    '[said][under]amix=inputs=2:normalize=0:duration=first[mix]',
  ];
}

/** Returns the arguments that ffmpeg measures the loudness of a file with, all of it decoded; it tells it at the end of its report. */
export function measureArguments({ name, demuxer }: SoundFile): readonly string[] {
  const pictures = ['-map', '0:v?', '-c:v', 'copy'];
  const filter = ['-af', 'ebur128=peak=true:framelog=verbose'];
  return [
    '-protocol_whitelist',
    'file',
    '-f',
    demuxer,
    '-i',
    name,
    '-map',
    '0:a',
    ...pictures,
    ...filter,
    '-f',
    'null',
    '-',
  ];
}

/** The loudness of a sound as it was measured. */
export type MeasuredLoudness = Loudness;

/** Returns what ffmpeg measured, from the end of its report; undefined for silence, which has no loudness. */
export function readLoudnessReport(report: string): MeasuredLoudness | undefined {
  const summary = report.slice(report.lastIndexOf('Summary:'));
  const lufs = /I:\s+(\S+) LUFS/.exec(summary)?.[1];
  if (lufs === undefined) throw new Error('ffmpeg told no loudness');
  const truePeakDbtp = Number(/Peak:\s+(\S+) dBFS/.exec(summary)?.[1]);
  if (!(Number(lufs) > SILENCE_LUFS)) return undefined;
  return { lufs: Number(lufs), truePeakDbtp };
}

/** Returns how many pictures ffmpeg met in a file, from the end of its report; 0 where there are none. */
export function readFrameCount(report: string): number {
  return Number([...report.matchAll(/frame=\s*(\d+)/g)].at(-1)?.[1] ?? 0);
}

/** Below this nothing is heard. */
const SILENCE_LUFS = -69;

/** How a mix is brought to its loudness: one gain for all of it, and where a limiter keeps its peaks. */
export type Leveling = { readonly gainDb: number; readonly ceilingDbtp: number };

/** Returns the arguments that ffmpeg levels the mix of a spot with. */
export function levelArguments({ gainDb, ceilingDbtp }: Leveling): readonly string[] {
  const limit = 10 ** (ceilingDbtp / 20);
  // Peaks between samples are met at four times the rate.
  const filter = `volume=${gainDb.toFixed(2)}dB,aresample=192000,alimiter=limit=${limit.toFixed(4)}:level=0:attack=2:release=60,aresample=48000`;
  const { mix, leveled } = SOUND_FILES;
  return ['-protocol_whitelist', 'file', '-f', 'wav', '-i', mix, '-af', filter, ...PCM, leveled];
}
