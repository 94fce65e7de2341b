import { checkManifest } from '../../check/check.js';
import type { GroupSlot } from '../../formats/format.js';
import type { Asset } from '../../formats/manifest.js';
import type { BuildSession } from '../session.js';
import { findSourceAsset, prepareUrl } from '../transform.js';
import { makeAudio } from './fill-audio.js';
import { makeVideo } from './fill-video.js';

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
  return MAKERS[type](slot, session, encoder);
}

/** The source's own file as it is. */
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
async function isFitting(slot: GroupSlot, asset: Asset, { order }: BuildSession): Promise<boolean> {
  const only = { ...slot, item_type: 'individual' } as const;
  const format = { ...order.format, assets: [only], assets_required: [only] };
  const findings = await checkManifest({
    manifest: { assets: { [slot.asset_id]: asset } },
    format,
    probe: async ({ url }) => {
      try {
        const bytes = await order.assetBytes(url ?? '');
        return { bytes, size: bytes.length };
      } catch {
        return undefined;
      }
    },
  });
  return findings.every(({ severity }) => severity !== 'error');
}
