import { TaskError, taskErrorOrThrow } from '../../../protocol/errors.js';
import type { Asset } from '../../formats/manifest.js';
import { probeMedia } from '../../probe/probe.js';
import type { Media, MediaFormat } from '../../probe/types.js';
import type { BuildSession } from '../session.js';
import { type KeyedAsset, listSourceAssets } from '../transform.js';

/** A supplied clip or sound: its bytes, what they are by our own probe, and its key in the source. */
export type MediaSource = {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly media: Media;
  /** The one demuxer that reads it. */
  readonly demuxer: string;
};

/** Most pictures, clips and sounds of one spot. */
const MAX_SOURCES = { image: 12, video: 4, audio: 6 } as const;
/** The largest picture of a clip, in pixels, and the longest clip. */
const MAX_CLIP = { pixels: 3840 * 2160, durationMs: 120_000 } as const;
const MIN_CLIP_MS = 2000;

/** How ffmpeg reads the formats that are taken; what is not listed is refused before ffmpeg sees it. */
const DEMUXERS: Partial<Readonly<Record<MediaFormat, string>>> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mkv: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
  flac: 'flac',
  ogg: 'ogg',
  aac: 'aac',
};

/** Returns the pictures of the source that are no logo, in its order. Throws VALIDATION_ERROR when there are too many. */
export function listStills({ order, field }: BuildSession): readonly KeyedAsset[] {
  return atMost(
    'image',
    field,
    listOfType(order, 'image').filter(({ key }) => !/logo|icon|avatar/.test(key)),
  );
}

/** Returns the clips of the source: all of its videos. Throws VALIDATION_ERROR for a file that is none, is too large or too short. */
export async function readClips(session: BuildSession): Promise<readonly MediaSource[]> {
  const clips = await Promise.all(
    atMost('video', session.field, listOfType(session.order, 'video')).map((one) => readMedia(session, one)),
  );
  for (const { key, media } of clips) {
    const { kind, width = 0, height = 0, durationMs = 0 } = media;
    const isUsable =
      kind === 'video' && width > 0 && width * height <= MAX_CLIP.pixels && durationMs <= MAX_CLIP.durationMs;
    if (!isUsable || durationMs < MIN_CLIP_MS)
      throw refuseUnusable(session, key, 'is no clip of 2 to 120 seconds and at most 3840x2160 pixels');
  }
  return clips;
}

/** Returns the sounds of the source. Throws VALIDATION_ERROR for a file that is none, or is too long. */
export async function readSounds(session: BuildSession): Promise<readonly MediaSource[]> {
  const sounds = await Promise.all(
    atMost('audio', session.field, listOfType(session.order, 'audio')).map((one) => readMedia(session, one)),
  );
  for (const { key, media } of sounds)
    if (media.kind !== 'audio') throw refuseUnusable(session, key, `is ${media.format}, and not a sound`);
  return sounds;
}

/** Whether a sound is music, by its key; every other one is speech. */
export function isMusic(key: string): boolean {
  return /music|bed|jingle|track|background|soundtrack/.test(key);
}

function listOfType(order: BuildSession['order'], type: string): readonly KeyedAsset[] {
  return listSourceAssets(order.sourceManifest).filter(
    ({ asset }) => asset.asset_type === type && asset.url !== undefined,
  );
}

function atMost(type: keyof typeof MAX_SOURCES, field: string, found: readonly KeyedAsset[]): readonly KeyedAsset[] {
  const most = MAX_SOURCES[type];
  if (found.length <= most) return found;
  throw new TaskError('VALIDATION_ERROR', `A spot is made of at most ${most} assets of type ${type}.`, {
    field: `${field}.assets.${found[most]?.key}`,
    suggestion: 'Leave the least important ones out.',
    details: { found: found.length, wanted: { max: most } },
  });
}

async function readMedia(session: BuildSession, { key, asset }: KeyedAsset): Promise<MediaSource> {
  const bytes = await readBytes(session, key, asset);
  const probed = probeMedia(bytes);
  if (!probed.ok) throw refuseUnusable(session, key, `cannot be used: ${probed.message}`);
  const demuxer = DEMUXERS[probed.media.format];
  if (demuxer === undefined)
    throw refuseUnusable(session, key, `is ${probed.media.format}; ${Object.keys(DEMUXERS).join(', ')} are taken`);
  return { key, bytes, media: probed.media, demuxer };
}

async function readBytes({ order, field }: BuildSession, key: string, { url = '' }: Asset): Promise<Uint8Array> {
  try {
    return await order.assetBytes(url);
  } catch (error) {
    const { code, message, extras } = taskErrorOrThrow(error);
    throw new TaskError(code, message, { ...extras, field: `${field}.assets.${key}.url` });
  }
}

function refuseUnusable({ field }: BuildSession, key: string, why: string): TaskError {
  return new TaskError('VALIDATION_ERROR', `The file of ${key} ${why}.`, {
    field: `${field}.assets.${key}.url`,
    suggestion: 'Send another file, or leave the asset out.',
  });
}
