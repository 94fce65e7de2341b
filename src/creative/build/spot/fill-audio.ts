import { TaskError } from '../../../protocol/errors.js';
import type { GroupSlot } from '../../formats/format.js';
import { type AudioSpec, audioArguments, readAudioSpec } from '../../media/audio-spec.js';
import type { MediaEncoder } from '../../media/encoder.js';
import { type MeasuredLoudness, SOUND_FILES, type SoundFile } from '../../media/sound.js';
import type { BuildSession } from '../session.js';
import { type MadeSpot, toFailure } from './publish-spot.js';
import { makeSound, planSound, remarkOnPause, type Sound } from './sound-track.js';

/** Makes a sound for a slot: of the source's speech and music, or of what a voice says of the copy. Throws VALIDATION_ERROR where nobody speaks. */
export async function makeAudio(slot: GroupSlot, session: BuildSession, encoder: MediaEncoder): Promise<MadeSpot> {
  const spec = readAudioSpec(slot);
  const sound = await planSound(session, spec.durationMs);
  requireSpeech(slot, session, sound);
  const pause = remarkOnPause(sound);
  if (pause !== undefined) session.notes.add(pause);
  const onShare = session.order.media?.onShare;
  const { durationMs, writer, loudness: wanted } = spec;
  const output: SoundFile = { name: `spot.${writer.ending}`, demuxer: writer.demuxer };
  try {
    return await encoder.encode(async (bench) => {
      const encode = async (): Promise<SoundFile> => {
        await bench.run({ args: audioArguments(SOUND_FILES.leveled, output.name, spec), durationMs, onShare });
        return output;
      };
      const loudness = await makeSound(bench, sound, { wanted, encode });
      if (loudness === undefined) throw refuseSilence(slot, session);
      return {
        bytes: await bench.read(output.name),
        expected: expectMedia(spec),
        describe: describeAs(spec, loudness),
      };
    }, onShare);
  } catch (error) {
    throw toFailure(error, session);
  }
}

function requireSpeech({ asset_id }: GroupSlot, { field }: BuildSession, { speech, missing }: Sound): void {
  if (speech.length > 0) return;
  if (missing === 'failed') {
    throw new TaskError(
      'SERVICE_UNAVAILABLE',
      'The voice could not be had: the endpoint for speech did not answer with sound.',
      {
        retryAfter: RETRY_SECONDS,
        suggestion: 'Send the request again in a minute, or send speech as an audio asset.',
      },
    );
  }
  const why = missing === 'too_long' ? 'something shorter to say' : 'somebody who speaks';
  throw new TaskError('VALIDATION_ERROR', `Slot ${asset_id} needs ${why}.`, {
    field: `${field}.assets.${asset_id}`,
    details: { slot: asset_id, found: null, wanted: 'audio' },
    suggestion:
      'Send speech as an audio asset, such as voiceover, with music beside it if you like. Without it a text is spoken only where the operator names an endpoint for speech, and only as much as the spot has time for.',
  });
}

const RETRY_SECONDS = 60;

function refuseSilence({ asset_id }: GroupSlot, { field }: BuildSession): TaskError {
  return new TaskError('VALIDATION_ERROR', `Nothing is heard in the sounds of slot ${asset_id}.`, {
    field: `${field}.assets`,
    suggestion: 'Send other files: these are silent.',
  });
}

function expectMedia({ durationMs, writer, sampleRateHz, channels }: AudioSpec): MadeSpot['expected'] {
  return { kind: 'audio', durationMs, format: writer.ending, audioCodec: writer.codec, sampleRateHz, channels };
}

function describeAs({ durationMs }: AudioSpec, loudness: MeasuredLoudness): MadeSpot['describe'] {
  return ({ format, audioCodec, sampleRateHz, channels, bitrateKbps }) => ({
    asset_type: 'audio',
    duration_ms: durationMs,
    container_format: format,
    codec: audioCodec,
    sampling_rate_hz: sampleRateHz,
    channels: channels === 2 ? 'stereo' : 'mono',
    bitrate_kbps: bitrateKbps,
    loudness_lufs: Math.round(loudness.lufs * 10) / 10,
    true_peak_dbfs: Math.round(loudness.truePeakDbtp * 10) / 10,
  });
}
