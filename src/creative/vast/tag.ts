import { findUrlFault, shorten, WEB_PROTOCOLS } from '../asset-url.js';
import { isXmlFault, readXml, type XmlElement, type XmlFault } from './xml.js';

/** A media file that a tag offers. */
export type TagMediaFile = {
  readonly url: string;
  readonly mime?: string;
  readonly width?: number;
  readonly height?: number;
  readonly bitrateKbps?: number;
  readonly delivery?: string;
  /** `VPAID` and the like: a program, not a film. */
  readonly apiFramework?: string;
};

/** A URL that is called when something happens: `impression`, `viewable`, `clickTracking`, `error` or an event such as `firstQuartile`. */
export type TagTracker = { readonly event: string; readonly url: string; readonly offset?: string };

/** One ad of a tag. `wraps` is the tag that a wrapper leads to. */
type TagAd = {
  readonly kind: 'inline' | 'wrapper';
  readonly id?: string;
  readonly title?: string;
  readonly adSystem?: string;
  readonly wraps?: string;
  readonly durationMs?: number;
  readonly mediaFiles: readonly TagMediaFile[];
  readonly clickThrough?: string;
  readonly trackers: readonly TagTracker[];
};

/** A parsed VAST (2.0 to 4.2) or DAAST (1.0, 1.1) document. */
export type AdTag = { readonly language: 'vast' | 'daast'; readonly version: string; readonly ads: readonly TagAd[] };

/** Why a tag is not taken. */
export type TagFault = XmlFault;

/** The result of reading a tag. */
export type TagReading = { readonly ok: true; readonly tag: AdTag } | { readonly ok: false; readonly fault: TagFault };

/** The versions that are read, by language. */
const TAG_VERSIONS: Readonly<Record<AdTag['language'], readonly string[]>> = {
  vast: ['2.0', '3.0', '4.0', '4.1', '4.2'],
  daast: ['1.0', '1.1'],
};

const MAX_ADS = 20;
const MAX_URLS = 500;

/** Whether text begins like a tag of either language. */
export function looksLikeTag(text: string): boolean {
  return /^\ufeff?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->)[\s\S]){0,2000}-->\s*)?<(?:VAST|DAAST)[\s/>]/.test(
    text.slice(0, 4096),
  );
}

/**
 * Reads a VAST or DAAST document: version, ads, length, media, clicks and trackers; fetches nothing, never throws. A DOCTYPE, a bomb, an
 * unknown version, an ad that leads nowhere, or a URL that must not be followed is a fault.
 */
export function parseTag(text: string): TagReading {
  const root = readXml(text);
  if (isXmlFault(root)) return { ok: false, fault: root };
  const tag = readTag(root);
  const fault = 'message' in tag ? tag : tag.ads.map(findAdFault).find((each) => each !== undefined);
  return fault === undefined ? { ok: true, tag: tag as AdTag } : { ok: false, fault };
}

function readTag(root: XmlElement): AdTag | TagFault {
  const language = ({ VAST: 'vast', DAAST: 'daast' } as const)[root.name];
  if (language === undefined) {
    return { message: 'The document is no VAST or DAAST tag.', found: shorten(root.name), wanted: 'VAST or DAAST' };
  }
  const version = /^\s*(\d+\.\d+)/.exec(root.attributes.version ?? '')?.[1] ?? '';
  const versions = TAG_VERSIONS[language];
  if (!versions.includes(version)) {
    const found = shorten(root.attributes.version ?? 'none');
    return { message: 'The version of the tag is not known.', found, wanted: versions.join(', ') };
  }
  const ads = childrenNamed(root, 'Ad').slice(0, MAX_ADS).map(readAd);
  if (ads.length === 0) return { message: 'The tag has no ad.', found: 'no Ad', wanted: 'an Ad element' };
  return { language, version, ads };
}

function readAd(ad: XmlElement): TagAd {
  const wrapper = childNamed(ad, 'Wrapper');
  const body = childNamed(ad, 'InLine') ?? wrapper;
  const linears = body === undefined ? [] : childrenAlong(body, ['Creatives', 'Creative', 'Linear']);
  const linear = linears[0];
  const clicks = linear && (childNamed(linear, 'VideoClicks') ?? childNamed(linear, 'AdInteractions'));
  const wraps = wrapper && (childNamed(wrapper, 'VASTAdTagURI') ?? childNamed(wrapper, 'DAASTAdTagURI'))?.text;
  const duration = linear && childNamed(linear, 'Duration')?.text;
  const clickThrough = clicks && childNamed(clicks, 'ClickThrough')?.text;
  const title = body && childNamed(body, 'AdTitle')?.text;
  const adSystem = body && childNamed(body, 'AdSystem')?.text;
  return {
    kind: wrapper === undefined ? 'inline' : 'wrapper',
    id: ad.attributes.id,
    title: title || undefined,
    adSystem: adSystem || undefined,
    wraps: wraps || undefined,
    durationMs: duration ? parseDurationMs(duration) : undefined,
    mediaFiles: (linear ? childrenAlong(linear, ['MediaFiles', 'MediaFile']) : [])
      .slice(0, MAX_URLS)
      .map(readMediaFile),
    clickThrough: clickThrough || undefined,
    trackers: body === undefined ? [] : listTrackerElements(body, linears).slice(0, MAX_URLS),
  };
}

function readMediaFile({ attributes, text }: XmlElement): TagMediaFile {
  const { type, width, height, bitrate, delivery, apiFramework } = attributes;
  return {
    url: text,
    mime: type,
    ...readWhole('width', width),
    ...readWhole('height', height),
    ...readWhole('bitrateKbps', bitrate),
    delivery,
    apiFramework,
  };
}

function readWhole<K extends string>(name: K, text: string | undefined): { readonly [P in K]?: number } {
  const value = Number(text);
  return text !== undefined && Number.isSafeInteger(value) && value > 0
    ? ({ [name]: value } as { [P in K]: number })
    : {};
}

/** Where trackers without a name of their own stand, below the ad or its linear part, and the event that they mean. */
const AD_TRACKERS: readonly (readonly [path: readonly string[], event: string])[] = [
  [['Impression'], 'impression'],
  [['ViewableImpression', 'Viewable'], 'viewable'],
  [['Error'], 'error'],
];
const LINEAR_TRACKERS: readonly (readonly [path: readonly string[], event: string])[] = [
  [['VideoClicks', 'ClickTracking'], 'clickTracking'],
  [['AdInteractions', 'ClickTracking'], 'clickTracking'],
];

function listTrackerElements(body: XmlElement, linears: readonly XmlElement[]): readonly TagTracker[] {
  const named = (element: XmlElement, table: typeof AD_TRACKERS) =>
    table.flatMap(([path, event]) => childrenAlong(element, path).map(({ text }) => ({ event, url: text })));
  const events = (linear: XmlElement) =>
    childrenAlong(linear, ['TrackingEvents', 'Tracking']).map(
      ({ text, attributes: { event = 'unknown', offset } }) => ({
        event,
        url: text,
        offset,
      }),
    );
  return [
    ...named(body, AD_TRACKERS),
    ...linears.flatMap((linear) => [...named(linear, LINEAR_TRACKERS), ...events(linear)]),
  ].filter(({ url }) => url !== '');
}

function findAdFault(ad: TagAd): TagFault | undefined {
  if (ad.kind === 'wrapper' && ad.wraps === undefined) {
    return { message: 'The wrapper leads to no tag.', found: 'no URI', wanted: 'an AdTagURI' };
  }
  if (ad.kind === 'inline' && ad.mediaFiles.length === 0) {
    return {
      message: 'The ad has no media file.',
      found: 'no MediaFile',
      wanted: 'a Linear creative with a MediaFile',
    };
  }
  if (ad.durationMs !== undefined && Number.isNaN(ad.durationMs)) {
    return { message: 'The length of the ad is not readable.', found: 'Duration', wanted: 'HH:MM:SS or HH:MM:SS.mmm' };
  }
  const urls: readonly (readonly [what: string, url: string | undefined])[] = [
    ['The wrapped tag', ad.wraps],
    ['The click-through', ad.clickThrough],
    ...ad.mediaFiles.map(({ url }) => ['A media file', url] as const),
    ...ad.trackers.map(({ event, url }) => [`A tracker (${shorten(event, 40)})`, url] as const),
  ];
  for (const [what, url] of urls) {
    const fault =
      url === undefined ? undefined : findUrlFault(url.startsWith('//') ? `https:${url}` : url, WEB_PROTOCOLS);
    if (fault !== undefined) return { message: `${what} ${fault.message}.`, found: fault.found, wanted: fault.wanted };
  }
  return undefined;
}

/** Returns a duration in milliseconds; NaN when it is none. */
function parseDurationMs(text: string): number {
  const [, hours, minutes, seconds] = /^(\d{1,2}):([0-5]\d):([0-5]\d(?:\.\d{1,3})?)$/.exec(text) ?? [];
  return hours === undefined
    ? Number.NaN
    : Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000);
}

function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

function childNamed(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

function childrenAlong(element: XmlElement, path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (level, name) => level.flatMap((each) => childrenNamed(each, name)),
    [element],
  );
}
