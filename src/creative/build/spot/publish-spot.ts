import { TaskError } from '../../../protocol/errors.js';
import type { GroupSlot } from '../../formats/format.js';
import type { Asset } from '../../formats/manifest.js';
import { EncoderFailure } from '../../media/encoder.js';
import { probeMedia } from '../../probe/probe.js';
import type { BuildSession } from '../session.js';
import { listSourceAssets } from '../transform.js';

/** Keeps a finished spot and returns its asset: what it was made to be, but for what the probe of the file says. */
export async function publishSpot(
  { order, files }: BuildSession,
  { asset_id }: GroupSlot,
  bytes: Uint8Array,
  described: Asset,
): Promise<Asset> {
  const probed = probeMedia(bytes);
  if (!probed.ok) throw new EncoderFailure(`What was made cannot be read: ${probed.message}`);
  const { mime, format, width = 0, height = 0 } = probed.media;
  const name = `${asset_id}.${format}`;
  const file = { name, bytes, mime, width, height, asset_id };
  files.push(file);
  const present = Object.entries(described).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(present), url: await order.publish(file), file_size_bytes: bytes.length };
}

/** Returns what a failed run of ffmpeg means to the buyer: clips or sounds that cannot be read to their end. Any other failure is our own. */
export function toFailure(error: unknown, { order, field }: BuildSession): unknown {
  const isSupplied = listSourceAssets(order.sourceManifest).find(
    ({ asset }) => asset.asset_type === 'video' || asset.asset_type === 'audio',
  );
  if (!(error instanceof EncoderFailure) || isSupplied === undefined) return error;
  return new TaskError(
    'VALIDATION_ERROR',
    'The spot cannot be made of these clips and sounds: one of them is damaged.',
    {
      field: `${field}.assets`,
      suggestion: 'Send them in another format, such as MP4 with H.264, or WAV.',
    },
  );
}
