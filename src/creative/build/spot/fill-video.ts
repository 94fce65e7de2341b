import { TaskError } from '../../../protocol/errors.js';
import { ABOVE_CAPTIONS, composeArtwork } from '../../compose/layout/artwork.js';
import { composeCaption } from '../../compose/layout/caption.js';
import type { AdContent } from '../../compose/layout/nodes.js';
import { layoutSvg } from '../../compose/layout/svg.js';
import type { GroupSlot } from '../../formats/format.js';
import { EncoderFailure, type MediaEncoder, type Workbench } from '../../media/encoder.js';
import {
  type MeasuredLoudness,
  measureArguments,
  readFrameCount,
  readLoudnessReport,
  SOUND_FILES,
  type SoundFile,
} from '../../media/sound.js';
import { planStoryboard, type Storyboard } from '../../media/storyboard.js';
import {
  CONTAINER_DEMUXERS,
  soundOnlyArguments,
  type VideoFiles,
  videoArguments,
} from '../../media/video-arguments.js';
import { readVideoSpec, type VideoSpec } from '../../media/video-spec.js';
import { measureImageSlot } from '../image-slot.js';
import { composeAround, EMBEDDED_BYTES, requireGlyphs, type SourcePicture } from '../pictures.js';
import { type BuildSession, findPicture } from '../session.js';
import { listStills, type MediaSource, readClips } from './material.js';
import { type MadeSpot, toFailure } from './publish-spot.js';
import { isAtLoudness, makeSound, planSound, type Sound } from './sound-track.js';

/** Makes a video for a slot: of the source's stills, clips and sounds, the brand's look and the copy. Throws UNSUPPORTED_FEATURE for what is not made here. */
export async function makeVideo(slot: GroupSlot, session: BuildSession, encoder: MediaEncoder): Promise<MadeSpot> {
  const { order, notes } = session;
  const spec = readVideoSpec(slot, measureImageSlot(slot, order));
  const content = await session.content();
  requireGlyphs(content, 'message');
  const clips = await readClips(session);
  const sound = await planSound(session, spec.durationMs);
  requireSound(slot, session, sound);
  if (sound.speech.length === 0 && sound.music === undefined) notes.add(SILENT);
  const pictures = await loadPictures(session, clips.length > 0);
  const captions = chooseCaptions(session);
  const board = planStoryboard({
    durationMs: spec.durationMs,
    framesPerSecond: spec.framesPerSecond,
    stills: pictures.length,
    clips: clips.map(({ media }) => media.durationMs ?? 0),
    captions: captions.length,
  });
  const plates = { pictures, captions, content };
  const onShare = order.media?.onShare;
  try {
    return await encoder.encode(async (bench) => {
      const files = await writeFiles(bench, session, spec, { ...plates, clips, hasStills: isStillShown(board) });
      const encode = async (): Promise<SoundFile> => {
        const encoded = { name: 'sound.encoded', demuxer: CONTAINER_DEMUXERS[spec.container] };
        await bench.run({ args: soundOnlyArguments(files.sound, encoded.name, spec) });
        return encoded;
      };
      requireHeard(slot, session, await makeSound(bench, sound, { wanted: spec.loudness, encode }));
      await bench.run({ args: videoArguments(board, spec, files), durationMs: spec.durationMs, onShare });
      const loudness = await judgeFilm(bench, files.output, spec, board);
      return {
        bytes: await bench.read(files.output),
        expected: expectMedia(spec),
        describe: describeAs(spec, loudness),
      };
    }, onShare);
  } catch (error) {
    throw toFailure(error, session);
  }
}

/** Decodes a finished video and returns the loudness that was measured. Throws `EncoderFailure` for a wrong number of pictures or a wrong loudness. */
async function judgeFilm(
  bench: Workbench,
  name: string,
  { container, loudness: wanted }: VideoSpec,
  { frames }: Storyboard,
): Promise<MeasuredLoudness | undefined> {
  const report = await bench.run({ args: measureArguments({ name, demuxer: CONTAINER_DEMUXERS[container] }) });
  const written = readFrameCount(report);
  if (written !== frames) throw new EncoderFailure(`The film has ${written} pictures and not ${frames}.`);
  const loudness = readLoudnessReport(report);
  if (loudness !== undefined && !isAtLoudness(loudness, wanted))
    throw new EncoderFailure(`The film is at ${loudness.lufs} LUFS with peaks of ${loudness.truePeakDbtp} dBTP.`);
  return loudness;
}

const SILENT =
  'The video has a silent sound track: send speech or music as audio assets (a key with "music" in it is music) to have it heard.';

function requireSound(slot: GroupSlot, session: BuildSession, { speech, music }: Sound): void {
  requireHeard(slot, session, speech.length > 0 || music !== undefined ? true : undefined);
}

/** Throws VALIDATION_ERROR where a slot wants a loudness and nothing is heard. */
function requireHeard({ asset_id, requirements = {} }: GroupSlot, { field }: BuildSession, sound: unknown): void {
  if (requirements.loudness_lufs === undefined || sound !== undefined) return;
  throw new TaskError(
    'VALIDATION_ERROR',
    `Slot ${asset_id} has to be at ${requirements.loudness_lufs} LUFS, and there is nothing to hear.`,
    {
      field: `${field}.assets`,
      details: { slot: asset_id, found: null, wanted: 'audio' },
      suggestion: 'Send speech or music as an audio asset of the manifest, such as voiceover or music.',
    },
  );
}

function isStillShown({ scenes }: Storyboard): boolean {
  return scenes.some(({ show }) => show.kind === 'still');
}

/** Returns the pictures of the source, else that of the offering; none where clips are enough. */
async function loadPictures(session: BuildSession, hasClips: boolean): Promise<readonly SourcePicture[]> {
  const stills = listStills(session);
  const named = stills.map(({ key, asset }) => ({
    url: asset.url ?? '',
    asset,
    field: `${session.field}.assets.${key}.url`,
  }));
  const offered = hasClips || named.length > 0 ? undefined : findPicture(session, '');
  const loaded = await Promise.all([...named, ...(offered === undefined ? [] : [offered])].map(session.picture));
  return loaded.filter((picture) => picture !== undefined);
}

/** Returns what is said in writing, each once: the headline, what else there is to say, and the tagline. */
function chooseCaptions({ copy, order, offering }: BuildSession): readonly string[] {
  const lines = [copy.headline, copy.body, offering?.name, order.brand.tagline];
  const chosen = new Set<string>();
  return lines.filter((line): line is string => {
    const key = line?.trim().toLowerCase() ?? '';
    const isNew = key !== '' && ![...chosen].some((before) => before.includes(key));
    if (isNew) chosen.add(key);
    return isNew;
  });
}

type Plates = {
  readonly pictures: readonly SourcePicture[];
  readonly captions: readonly string[];
  readonly content: AdContent;
  readonly clips: readonly MediaSource[];
  readonly hasStills: boolean;
};

/** Draws and writes everything that the pictures of a video are made of; one without pictures is made of the brand's motif. */
async function writeFiles(
  bench: Workbench,
  { order: { images } }: BuildSession,
  { width, height, container }: VideoSpec,
  { pictures, captions, content, clips, hasStills }: Plates,
): Promise<VideoFiles> {
  const size = { width, height, scale: 1 };
  const draw = async (name: string, svg: string): Promise<string> => {
    await bench.write(name, (await images.renderSvg(svg, { width, height, format: 'png' })).bytes);
    return name;
  };
  const stills: string[] = [];
  for (const [index, { bytes }] of pictures.entries()) {
    const still = await images.fitImage(bytes, { width, height, fit: 'cover', format: 'jpeg' });
    const name = `still${index}.jpg`;
    await bench.write(name, still.bytes);
    stills.push(name);
  }
  if (stills.length === 0 && hasStills)
    stills.push(await draw('still0.png', layoutSvg(composeArtwork(content, width, height, ABOVE_CAPTIONS))));
  const [picture] = pictures;
  const card = await composeAround(images, { content, picture, size, maxPictureBytes: EMBEDDED_BYTES.image });
  const written: string[] = [];
  for (const [index, text] of captions.entries())
    written.push(await draw(`caption${index}.png`, layoutSvg(composeCaption(content, text, width, height))));
  const moving = [];
  for (const [index, { bytes, demuxer }] of clips.entries()) {
    const name = `clip${index}`;
    await bench.write(name, bytes);
    moving.push({ name, demuxer });
  }
  return {
    stills,
    clips: moving,
    captions: written,
    endCard: await draw('end-card.png', layoutSvg(card)),
    sound: SOUND_FILES.leveled,
    output: `film.${container}`,
  };
}

function expectMedia(spec: VideoSpec): MadeSpot['expected'] {
  const { width, height, durationMs, container, videoCodec, audioCodec, framesPerSecond } = spec;
  const indexPosition = spec.indexAtEnd ? 'end' : 'start';
  return {
    kind: 'video',
    format: container,
    width,
    height,
    durationMs,
    videoCodec,
    audioCodec,
    hasAudio: true,
    frameRate: framesPerSecond,
    // A WebM has no index of this kind.
    moovPosition: container === 'webm' ? undefined : indexPosition,
  };
}

function describeAs(spec: VideoSpec, loudness: MeasuredLoudness | undefined): MadeSpot['describe'] {
  return ({
    width,
    height,
    format,
    videoCodec,
    audioCodec,
    hasAudio,
    frameRate = spec.framesPerSecond,
    moovPosition,
  }) => ({
    asset_type: 'video',
    width,
    height,
    duration_ms: spec.durationMs,
    container_format: format,
    video_codec: videoCodec,
    audio_codec: audioCodec,
    has_audio: hasAudio,
    frame_rate: String(Math.round(frameRate * 1000) / 1000),
    scan_type: 'progressive',
    frame_rate_type: 'constant',
    gop_type: spec.closedGop ? 'closed' : undefined,
    gop_interval_seconds: spec.gopFrames / spec.framesPerSecond,
    moov_atom_position: moovPosition,
    audio_sampling_rate_hz: spec.sampleRateHz,
    audio_channels: spec.channels === 2 ? 'stereo' : 'mono',
    audio_loudness_lufs: loudness && Math.round(loudness.lufs * 10) / 10,
    audio_true_peak_dbfs: loudness && Math.round(loudness.truePeakDbtp * 10) / 10,
  });
}
