import { TaskError } from '../../../protocol/errors.js';
import { checkManifest } from '../../check/check.js';
import type { Finding } from '../../check/finding.js';
import type { GroupSlot } from '../../formats/format.js';
import type { Asset } from '../../formats/manifest.js';
import type { BuildSession } from '../session.js';
import { findSourceAsset, prepareUrl } from '../transform.js';
import { makeAudio } from './fill-audio.js';
import { makeVideo } from './fill-video.js';
import { publishSpot } from './publish-spot.js';

const MAKERS = { video: makeVideo, audio: makeAudio } as const;

/**
 * Returns the video or the audio of a slot: the source's own where it fits, else one that is made of what the source and the brand have.
 * Without ffmpeg the source's own passes as it is, for the check to judge; undefined where there is none, or where the slot can do without.
 */
export async function fillSpot(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const type = slot.asset_type === 'audio' ? 'audio' : 'video';
  const own = passOwn(slot, session);
  const encoder = session.order.media?.encoder;
  if (encoder === undefined || (own !== undefined && (await isFitting(slot, own, session)))) return own;
  if (own === undefined && !slot.required) return undefined;
  const made = await publishSpot(session, slot, await MAKERS[type](slot, session, encoder));
  const { asset_id } = slot;
  const file = session.files.findLast((one) => one.asset_id === asset_id);
  const [fault] = await judgeFile({ ...slot, asset_type: type }, made, session, async () => file?.bytes);
  if (fault === undefined) return made;
  throw new TaskError('UNSUPPORTED_FEATURE', `A spot for slot ${asset_id} cannot be made: it ${fault.message}`, {
    details: { slot: asset_id, found: fault.found, wanted: fault.wanted },
    suggestion: 'Send a finished file, or ask for another format.',
  });
}

/** Returns the source's own file as it is. */
function passOwn(slot: GroupSlot, { order, field }: BuildSession): Asset | undefined {
  const source = findSourceAsset(order.sourceManifest, slot.asset_id, [slot.asset_type]);
  if (source === undefined) return undefined;
  const { url } = source.asset;
  return {
    ...source.asset,
    asset_type: slot.asset_type,
    ...(url === undefined ? {} : { url: prepareUrl(url, `${field}.assets.${source.key}.url`, {}) }),
  };
}

/** Whether a file is what the slot wants; one that cannot be read is for the check of the manifest to judge. */
async function isFitting(slot: GroupSlot, asset: Asset, session: BuildSession): Promise<boolean> {
  const read = async (): Promise<Uint8Array | undefined> => {
    try {
      return await session.order.assetBytes(asset.url ?? '');
    } catch {
      return undefined;
    }
  };
  return (await judgeFile(slot, asset, session, read)).length === 0;
}

/** Returns what is wrong with a file in its slot. */
async function judgeFile(
  slot: GroupSlot,
  asset: Asset,
  { order }: BuildSession,
  read: () => Promise<Uint8Array | undefined>,
): Promise<readonly Finding[]> {
  const only = { ...slot, item_type: 'individual' } as const;
  const format = { ...order.format, assets: [only], assets_required: [only] };
  const findings = await checkManifest({
    manifest: { assets: { [slot.asset_id]: asset } },
    format,
    probe: async () => {
      const bytes = await read();
      return bytes && { bytes, size: bytes.length };
    },
  });
  return findings.filter(({ severity }) => severity === 'error');
}
