import { TaskError } from '../../../protocol/errors.js';
import type { GroupSlot } from '../../formats/format.js';
import type { Asset } from '../../formats/manifest.js';
import { type AudioSpec, audioArguments, readAudioSpec } from '../../media/audio-spec.js';
import type { MediaEncoder } from '../../media/encoder.js';
import type { MeasuredLoudness } from '../../media/sound.js';
import type { BuildSession } from '../session.js';
import { publishSpot, toFailure } from './publish-spot.js';
import { makeSound, planSound } from './sound-track.js';

/** Makes a sound for a slot: of the source's speech and music, or of what a voice says of the copy. Throws VALIDATION_ERROR where nobody speaks and nothing plays. */
export async function makeAudio(slot: GroupSlot, session: BuildSession, encoder: MediaEncoder): Promise<Asset> {
  const spec = readAudioSpec(slot);
  const sound = await planSound(session, spec.durationMs);
  if (sound.speech.length === 0) {
    throw new TaskError('VALIDATION_ERROR', `Slot ${slot.asset_id} needs somebody who speaks.`, {
      field: `${session.field}.assets.${slot.asset_id}`,
      details: { slot: slot.asset_id, found: null, wanted: 'audio' },
      suggestion:
        'Send speech as an audio asset, such as voiceover, with music beside it if you like. Without it a text is spoken only where the operator names an endpoint for speech.',
    });
  }
  const onShare = session.order.media?.onShare;
  try {
    const { bytes, loudness } = await encoder.work(async (bench) => {
      const measured = await makeSound(bench, sound, spec.loudness);
      const output = `sound.${spec.writer.ending}`;
      await bench.run({ args: audioArguments('sound.wav', output, spec), durationMs: spec.durationMs, onShare });
      return { bytes: await bench.read(output), loudness: measured };
    }, onShare);
    return await publishSpot(session, slot, bytes, describe(spec, loudness));
  } catch (error) {
    throw toFailure(error, session);
  }
}

function describe(spec: AudioSpec, loudness: MeasuredLoudness | undefined): Asset {
  return {
    asset_type: 'audio',
    duration_ms: spec.durationMs,
    container_format: spec.writer.ending,
    codec: spec.writer.codec,
    sampling_rate_hz: spec.sampleRateHz,
    channels: spec.channels === 2 ? 'stereo' : 'mono',
    bitrate_kbps: spec.writer.codec === 'mp3' || spec.writer.codec === 'aac' ? spec.kbps : undefined,
    loudness_lufs: loudness && Math.round(loudness.lufs * 10) / 10,
    true_peak_dbfs: loudness && Math.round(loudness.truePeakDbtp * 10) / 10,
  };
}
