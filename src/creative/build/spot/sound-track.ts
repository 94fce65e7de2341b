import { SECOND_MS } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Copy } from '../../compose/copy/copy.js';
import type { Workbench } from '../../media/encoder.js';
import {
  type Leveling,
  levelArguments,
  type MeasuredLoudness,
  measureArguments,
  mixArguments,
  readLoudnessReport,
  SOUND_FILES,
  type SoundFile,
  type SoundPlan,
} from '../../media/sound.js';
import type { WantedLoudness } from '../../media/video-spec.js';
import { probeMedia } from '../../probe/probe.js';
import type { BuildSession } from '../session.js';
import { isMusic, type MediaSource, readSounds } from './material.js';

/** The sounds of a spot: files, before they are mixed. */
export type Sound = {
  readonly durationMs: number;
  readonly speech: readonly SpokenFile[];
  /** How long (ms) somebody speaks. */
  readonly spokenMs: number;
  readonly music: MediaSource | undefined;
  /** Why nobody speaks though there is an endpoint for it. */
  readonly missing?: 'failed' | 'too_long';
};

type SpokenFile = { readonly bytes: Uint8Array; readonly demuxer: string };

/** What speech begins with and ends before the end with, in milliseconds. */
const PAUSE_MS = 400;
/** Characters that a voice speaks in a second; more are not tried. */
const CHARS_PER_SECOND = 17;

/**
 * Returns what is heard in a spot: the source's speech and music, and where it has no speech what a voice says of the copy. Throws
 * VALIDATION_ERROR for speech that is longer than the spot.
 */
export async function planSound(session: BuildSession, durationMs: number): Promise<Sound> {
  const sounds = await readSounds(session);
  const [music, second] = sounds.filter(({ key }) => isMusic(key));
  const speech = sounds.filter(({ key }) => !isMusic(key));
  if (second !== undefined) {
    throw new TaskError('VALIDATION_ERROR', 'A spot has one piece of music.', {
      field: `${session.field}.assets.${second.key}`,
      suggestion: 'Leave one of them out; speech is named otherwise, such as voiceover.',
    });
  }
  const spokenMs = speech.reduce((sum, { media }) => sum + PAUSE_MS + (media.durationMs ?? 0), 0);
  if (spokenMs > durationMs) {
    throw new TaskError(
      'VALIDATION_ERROR',
      `The speech takes ${spokenMs} ms with its pauses; the spot has ${durationMs}.`,
      {
        field: `${session.field}.assets.${speech[0]?.key}`,
        suggestion: 'Send shorter speech, or ask for a longer format.',
        details: { found: spokenMs, wanted: { max_duration_ms: durationMs } },
      },
    );
  }
  if (speech.length > 0) return { durationMs, speech, spokenMs, music };
  return { durationMs, music, ...(await speakCopy(session, durationMs)) };
}

/** Has the copy spoken, as much of it as the spot has time for; where the endpoint fails or there is no time for it, a note says so. */
async function speakCopy(
  { order, copy, notes }: BuildSession,
  durationMs: number,
): Promise<Pick<Sound, 'speech' | 'spokenMs' | 'missing'>> {
  const speak = order.media?.speak;
  if (speak === undefined) return { speech: [], spokenMs: 0 };
  let mostChars = (durationMs / SECOND_MS) * CHARS_PER_SECOND;
  for (const script of listScripts(copy, order.brand.name)) {
    if (script.length > mostChars) continue;
    try {
      const bytes = await speak(script);
      const probed = probeMedia(bytes);
      if (!probed.ok || probed.media.kind !== 'audio') throw new Error('The speech endpoint answered no sound.');
      const { durationMs: spokenMs = durationMs, format } = probed.media;
      const demuxer = format === 'm4a' ? 'mov' : format;
      if (spokenMs + PAUSE_MS <= durationMs) return { speech: [{ bytes, demuxer }], spokenMs };
      // What the voice has said tells how fast it is: the next is one that it has time for.
      mostChars = Math.min(script.length - 1, (script.length * (durationMs - PAUSE_MS)) / spokenMs);
    } catch {
      notes.add('The voice could not be had: the endpoint for speech did not answer with sound.');
      return { speech: [], spokenMs: 0, missing: 'failed' };
    }
  }
  notes.add('The copy is longer than what can be said in the time of the spot.');
  return { speech: [], spokenMs: 0, missing: 'too_long' };
}

/** Returns what a buyer may want to know of a spot in which little is said, and what would fill it; undefined where somebody speaks for half of it. */
export function remarkOnPause({ durationMs, music, spokenMs }: Sound): string | undefined {
  if (spokenMs * 2 >= durationMs) return undefined;
  const whole = (ms: number): number => Math.round(ms / SECOND_MS);
  const behind = music === undefined ? 'the rest is silent' : 'the rest is music';
  const sounds = music === undefined ? ', or music under a key with "music" in it' : '';
  return `Somebody speaks for ${whole(spokenMs)} of the spot's ${whole(durationMs)} seconds; ${behind}. To fill it, say more in the brief (the offer, until when and on what terms, where to buy) or name an offering with a description, send longer speech as an audio asset such as voiceover${sounds}, or ask for a shorter format.`;
}

/** Returns what a voice may say, the fullest first: the body loses its last sentence, then the one before. */
function listScripts({ headline, body, callToAction, legal, language }: Copy, brandName: string): readonly string[] {
  const sentence = (text: string | undefined): string | undefined => {
    const trimmed = text?.trim();
    if (trimmed === undefined || trimmed === '') return undefined;
    return /[.!?…。！？]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
  };
  const named = headline.toLowerCase().includes(brandName.toLowerCase()) ? undefined : brandName;
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.flatMap((part) => sentence(part) ?? []).join(' ');
  const sentences = [...new Intl.Segmenter(language, { granularity: 'sentence' }).segment(body ?? '')];
  const bodies = sentences.map(({ index, segment }) => (body ?? '').slice(0, index + segment.length)).reverse();
  return [
    ...bodies.map((body) => join(named, headline, body, callToAction, legal)),
    join(named, headline, callToAction, legal),
    join(named, headline, legal),
  ];
}

/** How near to its loudness a finished file is brought, in LU, and how far its true peak may be above, which measuring leaves open. */
const NEAR_LU = 0.3;
const PEAK_LEEWAY_DB = 0.1;
const MAX_LEVELINGS = 6;

/** How a spot writes its sound: `encode` makes of `sound.wav` the file that is measured, as the spot has it. */
type Finish = { readonly wanted: WantedLoudness; readonly encode: () => Promise<SoundFile> };

/**
 * Mixes a sound and has it encoded until the encoded file is at its loudness and below its peak: encoders raise peaks. Returns what was
 * measured of that file, undefined for silence. Throws VALIDATION_ERROR for a sound that cannot be brought there.
 */
export async function makeSound(
  bench: Workbench,
  sound: Sound,
  { wanted, encode }: Finish,
): Promise<MeasuredLoudness | undefined> {
  await bench.run({ args: mixArguments(await writeSounds(bench, sound), SOUND_FILES.mix) });
  const mixed = await measureSound(bench, { name: SOUND_FILES.mix, demuxer: 'wav' });
  let leveling: Leveling = {
    gainDb: mixed === undefined ? 0 : wanted.lufs - mixed.lufs,
    ceilingDbtp: wanted.truePeakDbtp,
  };
  let encoded = mixed;
  for (let round = 0; round < MAX_LEVELINGS; round += 1) {
    await bench.run({ args: levelArguments(leveling) });
    encoded = await measureSound(bench, await encode());
    if (mixed === undefined || encoded === undefined) return undefined;
    if (isAtLoudness(encoded, { ...wanted, toleranceLu: Math.min(NEAR_LU, wanted.toleranceLu) })) return encoded;
    leveling = correctLeveling(leveling, encoded, wanted);
  }
  if (encoded !== undefined && !isAtLoudness(encoded, wanted)) throw unlevelable(encoded, wanted);
  return encoded;
}

async function writeSounds(bench: Workbench, { durationMs, speech, music }: Sound): Promise<SoundPlan> {
  const spoken: SoundFile[] = [];
  for (const [index, { bytes, demuxer }] of speech.entries()) {
    const name = `speech${index}`;
    await bench.write(name, bytes);
    spoken.push({ name, demuxer });
  }
  if (music !== undefined) await bench.write('music', music.bytes);
  return { durationMs, speech: spoken, music: music && { name: 'music', demuxer: music.demuxer } };
}

async function measureSound(bench: Workbench, file: SoundFile): Promise<MeasuredLoudness | undefined> {
  return readLoudnessReport(await bench.run({ args: measureArguments(file) }));
}

/** Whether a measured loudness is as near to the wanted one as it has to be. */
export function isAtLoudness(
  { lufs, truePeakDbtp }: MeasuredLoudness,
  { lufs: wanted, truePeakDbtp: most, toleranceLu }: WantedLoudness,
): boolean {
  return Math.abs(wanted - lufs) <= toleranceLu && truePeakDbtp <= most + PEAK_LEEWAY_DB;
}

/** Adds what the limiter and the encoder took, and lowers the ceiling by what the encoder put on top. */
function correctLeveling(
  { gainDb, ceilingDbtp }: Leveling,
  encoded: MeasuredLoudness,
  wanted: WantedLoudness,
): Leveling {
  const over = Math.max(0, encoded.truePeakDbtp - wanted.truePeakDbtp);
  return { gainDb: gainDb + wanted.lufs - encoded.lufs, ceilingDbtp: ceilingDbtp - over };
}

function unlevelable({ lufs, truePeakDbtp }: MeasuredLoudness, wanted: WantedLoudness): TaskError {
  const level = `${lufs.toFixed(1)} LUFS with peaks of ${truePeakDbtp.toFixed(1)} dBTP`;
  return new TaskError(
    'VALIDATION_ERROR',
    `The sounds cannot be brought to ${wanted.lufs} LUFS: they stay at ${level}.`,
    {
      field: 'creative_manifest.assets',
      details: { found: level, wanted: { loudness_lufs: wanted.lufs, true_peak_dbtp: wanted.truePeakDbtp } },
      suggestion: 'Send sounds without single loud bangs, such as a voice that was recorded evenly.',
    },
  );
}
