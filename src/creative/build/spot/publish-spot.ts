import { TaskError } from '../../../protocol/errors.js';
import type { GroupSlot } from '../../formats/format.js';
import type { Asset } from '../../formats/manifest.js';
import { EncoderFailure } from '../../media/encoder.js';
import { probeMedia } from '../../probe/probe.js';
import type { Media } from '../../probe/types.js';
import type { BuildSession } from '../session.js';
import { listSourceAssets } from '../transform.js';

/** A finished spot: its bytes, what the probe of them has to say, and what is known beyond the probe. */
export type MadeSpot = {
  readonly bytes: Uint8Array;
  readonly expected: ExpectedMedia;
  readonly describe: (media: Media) => Asset;
};

/** The properties that a file must have, but for its length (ms), which may differ a little. */
type ExpectedMedia = Partial<Media> & { readonly durationMs: number };

/** How far the length of a file may be from that of its spot: a codec writes whole frames, and some silence before the first. */
const MAX_LENGTH_OFF_MS = 80;

/**
 * Keeps a finished spot and returns its asset, whose facts are those that the probe of the file says. Throws `EncoderFailure` where the
 * file is not what was to be made.
 */
export async function publishSpot(
  { order, files }: BuildSession,
  { asset_id }: GroupSlot,
  { bytes, expected, describe }: MadeSpot,
): Promise<Asset> {
  const probed = probeMedia(bytes);
  if (!probed.ok) throw new EncoderFailure(`What was made cannot be read: ${probed.message}`);
  requireMedia(probed.media, expected);
  const { mime, format, width = 0, height = 0 } = probed.media;
  const name = `${asset_id}.${format}`;
  const file = { name, bytes, mime, width, height, asset_id };
  files.push(file);
  const present = Object.entries(describe(probed.media)).filter(([, value]) => value !== undefined);
  return {
    asset_type: probed.media.kind,
    ...Object.fromEntries(present),
    url: await order.publish(file),
    file_size_bytes: bytes.length,
  };
}

function requireMedia(media: Media, { durationMs: wantedMs, ...exact }: ExpectedMedia): void {
  const { durationMs = 0 } = media;
  if (Math.abs(durationMs - wantedMs) > MAX_LENGTH_OFF_MS)
    throw new EncoderFailure(`What was made plays ${durationMs} ms and not ${wantedMs}.`);
  for (const [name, wanted] of Object.entries(exact)) {
    const actual = media[name as keyof Media];
    const isSame = typeof wanted === 'number' ? Math.abs(Number(actual) - wanted) <= 0.01 : actual === wanted;
    if (!isSame) throw new EncoderFailure(`What was made has ${name} ${actual} and not ${wanted}.`);
  }
}

/** Returns what a failed run of ffmpeg means to the buyer: clips or sounds that cannot be read to their end. Any other failure is our own. */
export function toFailure(error: unknown, { order, field }: BuildSession): unknown {
  const supplied = listSourceAssets(order.sourceManifest).find(
    ({ asset }) => asset.asset_type === 'video' || asset.asset_type === 'audio',
  );
  if (!(error instanceof EncoderFailure) || supplied === undefined) return error;
  return new TaskError(
    'VALIDATION_ERROR',
    'The spot cannot be made of these clips and sounds: one of them is damaged.',
    {
      field: `${field}.assets`,
      suggestion: 'Send them in another format, such as MP4 with H.264, or WAV.',
    },
  );
}
