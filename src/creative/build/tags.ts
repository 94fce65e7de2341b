import { createHash } from 'node:crypto';
import { TaskError } from '../../protocol/errors.js';
import type { GroupSlot } from '../formats/format.js';
import type { Asset } from '../formats/manifest.js';
import type { TagTracker } from '../vast/tag.js';
import { writeVast } from '../vast/write.js';
import type { BuildSession } from './session.js';
import { listTrackers } from './session.js';
import { fillSpot } from './spot/fill-spot.js';
import { findSourceAsset, type KeyedAsset, prepareUrl } from './transform.js';

/** Returns a VAST or DAAST tag: the source's own, or (VAST) one around the source's video with its click-through and trackers. */
export async function fillTag(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  const { order, field } = session;
  const own = findSourceAsset(order.sourceManifest, slot.asset_id, [slot.asset_type])?.asset;
  if (own !== undefined) return own;
  const video =
    slot.asset_type === 'vast' ? findSourceAsset(order.sourceManifest, slot.asset_id, ['video']) : undefined;
  if (video?.asset.url === undefined) return slot.required ? wrapMade(slot, session) : undefined;
  const url = prepareUrl(video.asset.url, `${field}.assets.${video.key}.url`, {});
  return wrapVideo(slot, session, video.asset, url);
}

/** Returns a tag around a video that is made for it; undefined where none can be made. */
async function wrapMade(slot: GroupSlot, session: BuildSession): Promise<Asset | undefined> {
  if (slot.asset_type !== 'vast' || session.order.media?.encoder === undefined) return undefined;
  const length = { min_duration_ms: DEFAULT_DURATION_MS, max_duration_ms: DEFAULT_DURATION_MS };
  const wanted: GroupSlot = {
    ...slot,
    asset_type: 'video',
    requirements: slot.requirements?.max_duration_ms === undefined ? length : slot.requirements,
  };
  const video = await fillSpot(wanted, session);
  return video?.url === undefined ? undefined : wrapVideo(slot, session, video, video.url);
}

function wrapVideo({ requirements = {} }: GroupSlot, session: BuildSession, video: Asset, url: string): Asset {
  const { copy, order, clickUrl } = session;
  const { width, height, duration_ms } = video;
  const durationMs =
    duration_ms ??
    (typeof requirements.min_duration_ms === 'number' ? requirements.min_duration_ms : DEFAULT_DURATION_MS);
  const trackers = listTrackers(session).flatMap((tracker) => readTracker(tracker, session));
  if (!trackers.some(({ event }) => event === 'impression')) session.notes.add(NOBODY_COUNTS);
  const content = writeVast({
    id: createHash('sha256').update(url).digest('hex').slice(0, 16),
    title: `${order.brand.name}: ${copy.headline}`,
    adSystem: 'seller-agent',
    durationMs,
    mediaFiles: [
      {
        url,
        mime: guessVideoMime(video, url),
        width,
        height,
      },
    ],
    trackers,
    clickThrough: clickUrl,
  });
  if (duration_ms === undefined) session.notes.add('The video says no length; the tag assumes that of the format.');
  return { asset_type: 'vast', delivery_type: 'inline', content, vast_version: '4.2', duration_ms: durationMs };
}

const DEFAULT_DURATION_MS = 30_000;

const NOBODY_COUNTS =
  'Nobody counts the impressions of the tag: send the address as an asset of the manifest, such as impression_tracker of type url.';

/** Events of tracker keys and pixel events, as VAST names them. */
const EVENTS: readonly (readonly [RegExp, string])[] = [
  [/viewab/, 'viewable'],
  [/click/, 'clickTracking'],
  [/impression/, 'impression'],
];

function readTracker({ key, asset }: KeyedAsset, { field }: BuildSession): readonly TagTracker[] {
  if (asset.url === undefined) return [];
  if (asset.asset_type === 'vast_tracker' && (asset.target ?? 'linear') !== 'linear') {
    throw new TaskError('UNSUPPORTED_FEATURE', 'The tag that is made around a video has its linear creative alone.', {
      field: `${field}.assets.${key}.target`,
      suggestion: 'Leave target out, or send a tag of your own as an asset of type vast.',
    });
  }
  const own = typeof asset.vast_event === 'string' ? asset.vast_event : undefined;
  const named = typeof asset.event === 'string' ? asset.event : key;
  const event = own ?? EVENTS.find(([name]) => name.test(named))?.[1] ?? 'impression';
  return [{ event, url: asset.url, offset: typeof asset.offset === 'string' ? asset.offset : undefined }];
}

const MIMES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
};

function guessVideoMime({ container_format }: Asset, url: string): string {
  const name =
    typeof container_format === 'string' ? container_format : (/\.(\w{2,4})(?:[?#]|$)/.exec(url)?.[1] ?? 'mp4');
  return MIMES[name.toLowerCase()] ?? 'video/mp4';
}
