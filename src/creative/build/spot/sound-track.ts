import { TaskError } from '../../../protocol/errors.js';
import type { Copy } from '../../compose/copy/copy.js';
import type { Workbench } from '../../media/encoder.js';
import {
  levelArguments,
  type MeasuredLoudness,
  measureArguments,
  mixArguments,
  readLoudnessReport,
  type SoundFile,
} from '../../media/sound.js';
import type { Loudness } from '../../media/video-spec.js';
import { probeMedia } from '../../probe/probe.js';
import type { BuildSession } from '../session.js';
import { isMusic, type MediaSource, readSounds } from './material.js';

/** What is heard in a spot: files, before they are mixed. */
export type Sound = {
  readonly durationMs: number;
  readonly speech: readonly SpokenFile[];
  readonly music: MediaSource | undefined;
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
  if (speech.length > 0) return { durationMs, speech, music };
  const said = await sayCopy(session, durationMs);
  return { durationMs, speech: said === undefined ? [] : [said], music };
}

/** Has the copy spoken, as much of it as the spot has time for; undefined where no endpoint is set or it fails, which a note says. */
async function sayCopy({ order, copy, notes }: BuildSession, durationMs: number): Promise<SpokenFile | undefined> {
  const speak = order.media?.speak;
  if (speak === undefined) return undefined;
  const mostChars = (durationMs / 1000) * CHARS_PER_SECOND;
  for (const script of listScripts(copy, order.brand.name).filter(({ length }) => length <= mostChars)) {
    try {
      const bytes = await speak(script);
      const probed = probeMedia(bytes);
      if (!probed.ok || probed.media.kind !== 'audio') throw new Error('The speech endpoint answered no sound.');
      const { durationMs: spokenMs = durationMs, format } = probed.media;
      const demuxer = format === 'm4a' ? 'mov' : format;
      if (spokenMs + PAUSE_MS <= durationMs) return { bytes, demuxer };
    } catch {
      notes.add('The voice could not be had: the endpoint for speech did not answer with sound.');
      return undefined;
    }
  }
  notes.add('The copy is longer than what can be said in the time of the spot.');
  return undefined;
}

/** What a voice may say, the fullest first. */
function listScripts({ headline, body, callToAction, legal }: Copy, brandName: string): readonly string[] {
  const sentence = (text: string | undefined): string | undefined => {
    const trimmed = text?.trim();
    if (trimmed === undefined || trimmed === '') return undefined;
    return /[.!?…。！？]$/u.test(trimmed) ? trimmed : `${trimmed}.`;
  };
  const named = headline.toLowerCase().includes(brandName.toLowerCase()) ? undefined : brandName;
  const join = (...parts: readonly (string | undefined)[]): string =>
    parts.flatMap((part) => sentence(part) ?? []).join(' ');
  return [
    join(named, headline, body, callToAction, legal),
    join(named, headline, callToAction, legal),
    join(named, headline, legal),
  ];
}

/** How far the loudness of a finished sound may lie from the wanted one, in LU. */
const LEVEL_TOLERANCE_LU = 0.3;
const MAX_LEVELINGS = 4;

/** Mixes a sound, brings it to its loudness, and writes it as `sound.wav`; returns its loudness, undefined for silence. */
export async function makeSound(
  bench: Workbench,
  sound: Sound,
  wanted: Loudness,
): Promise<MeasuredLoudness | undefined> {
  const { durationMs, music } = sound;
  const speech: SoundFile[] = [];
  for (const [index, { bytes, demuxer }] of sound.speech.entries()) {
    const name = `speech${index}`;
    await bench.write(name, bytes);
    speech.push({ name, demuxer });
  }
  if (music !== undefined) await bench.write('music', music.bytes);
  const plan = { durationMs, speech, music: music && { name: 'music', demuxer: music.demuxer } };
  await bench.run({ args: mixArguments(plan, 'mix.wav') });
  const measure = async (file: string): Promise<MeasuredLoudness | undefined> =>
    readLoudnessReport(await bench.run({ args: measureArguments(file, wanted) }));
  const mixed = await measure('mix.wav');
  let gain = mixed === undefined ? 0 : wanted.lufs - mixed.lufs;
  let leveled = mixed;
  for (let round = 0; round < MAX_LEVELINGS; round += 1) {
    await bench.run({ args: levelArguments('mix.wav', 'sound.wav', gain, wanted) });
    if (mixed === undefined) return undefined;
    leveled = await measure('sound.wav');
    const missing = wanted.lufs - (leveled?.lufs ?? wanted.lufs);
    if (Math.abs(missing) <= LEVEL_TOLERANCE_LU) break;
    // What the limiter took.
    gain += missing;
  }
  return leveled;
}
