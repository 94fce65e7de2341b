import type { TagMediaFile, TagTracker } from './tag.js';
import { escapeXml } from './xml.js';

/** The content of a tag to write. Lengths in milliseconds. */
type TagSource = {
  /** Names the ad and the creative in it. */
  readonly id: string;
  readonly title: string;
  readonly adSystem: string;
  readonly durationMs: number;
  readonly mediaFiles: readonly TagMediaFile[];
  readonly clickThrough?: string;
  readonly trackers?: readonly TagTracker[];
};

/** Returns a VAST 4.2 InLine document around media files, with the click-through and every tracker kept, macros as they stand. */
export function writeVast({
  id,
  title,
  adSystem,
  durationMs: length,
  mediaFiles,
  clickThrough,
  trackers = [],
}: TagSource): string {
  const urlsOf = (event: string) => trackers.filter((each) => each.event === event).map(({ url }) => escapeXml(url));
  const impressions = urlsOf('impression');
  const viewable = urlsOf('viewable').map((url) => `<Viewable>${url}</Viewable>`);
  const clicks = [
    ...urlsOf('clickTracking').map((url) => `<ClickTracking>${url}</ClickTracking>`),
    ...(clickThrough === undefined ? [] : [`<ClickThrough>${escapeXml(clickThrough)}</ClickThrough>`]),
  ];
  const events = trackers.filter(({ event }) => !OWN_ELEMENT.has(event)).map(trackingElement);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<VAST version="4.2" xmlns="http://www.iab.com/VAST">',
    `<Ad id="${escapeXml(id)}">`,
    '<InLine>',
    `<AdSystem>${escapeXml(adSystem)}</AdSystem>`,
    // The order is that of the schema: https://github.com/InteractiveAdvertisingBureau/vast
    ...urlsOf('error').map((url) => `<Error>${url}</Error>`),
    // Every version of VAST wants an impression: without an address it calls nobody.
    ...(impressions.length === 0 ? ['<Impression/>'] : impressions.map((url) => `<Impression>${url}</Impression>`)),
    ...(viewable.length === 0 ? [] : [`<ViewableImpression>${viewable.join('')}</ViewableImpression>`]),
    `<AdServingId>${escapeXml(id)}</AdServingId>`,
    `<AdTitle>${escapeXml(title)}</AdTitle>`,
    `<Creatives><Creative id="${escapeXml(id)}">`,
    `<UniversalAdId idRegistry="unknown">${escapeXml(id)}</UniversalAdId>`,
    '<Linear>',
    ...(events.length === 0 ? [] : [`<TrackingEvents>${events.join('')}</TrackingEvents>`]),
    `<Duration>${clockTime(length)}</Duration>`,
    `<MediaFiles>${mediaFiles.map(mediaFileElement).join('')}</MediaFiles>`,
    ...(clicks.length === 0 ? [] : [`<VideoClicks>${clicks.join('')}</VideoClicks>`]),
    '</Linear>',
    '</Creative></Creatives>',
    '</InLine>',
    '</Ad>',
    '</VAST>',
    '',
  ].join('\n');
}

/** Events that have an element of their own. */
const OWN_ELEMENT: ReadonlySet<string> = new Set(['impression', 'viewable', 'clickTracking', 'error']);

function trackingElement({ event, url, offset }: TagTracker): string {
  const when = offset === undefined ? '' : ` offset="${escapeXml(offset)}"`;
  return `<Tracking event="${escapeXml(event)}"${when}>${escapeXml(url)}</Tracking>`;
}

function mediaFileElement(file: TagMediaFile): string {
  const attributes: readonly (readonly [string, string | number | undefined])[] = [
    ['delivery', file.delivery ?? 'progressive'],
    ['type', file.mime ?? 'video/mp4'],
    ['width', file.width ?? 0],
    ['height', file.height ?? 0],
    ['bitrate', file.bitrateKbps],
    ['apiFramework', file.apiFramework],
  ];
  const written = attributes.flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escapeXml(String(value))}"`],
  );
  return `<MediaFile${written.join('')}>${escapeXml(file.url)}</MediaFile>`;
}

/** Returns a time as `HH:MM:SS.mmm`. */
function clockTime(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = String(whole % 1000).padStart(3, '0');
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1000) % 60)}.${rest}`;
}
