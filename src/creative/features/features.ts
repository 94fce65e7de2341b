import { isObject } from '../../platform/kernel/json/json.js';
import { isClick, isTracker } from '../build/transform.js';
import { tellLanguage } from '../compose/copy/language/detect.js';
import { COPY_LANGUAGES } from '../compose/copy/language/table.js';
import type { Evidence, MeasuredAsset } from './evidence.js';

/** The value of a feature; undefined where the creative has nothing that it is about, or a file could not be looked at. */
type FeatureValue = boolean | number | string | undefined;

/** A property of creatives that is measured, under the wire names of `creative_features`. */
type Feature = {
  readonly feature_id: string;
  readonly type: 'binary' | 'quantitative' | 'categorical';
  readonly range?: { readonly min: number; readonly max: number };
  readonly categories?: readonly string[];
  readonly description: string;
  /** The unit of a number. */
  readonly unit?: string;
  readonly measure: (evidence: Evidence) => FeatureValue;
};

const PIXELS = { min: 1, max: 100_000 };
const MAX_WEIGHT_KB = 1_000_000;
const MAX_DURATION_S = 36_000;
const MAX_TRACKERS = 200;
const CODE: ReadonlySet<string> = new Set(['html', 'javascript', 'css']);
const CAPTIONS = /caption|subtitle/;

/** Every feature that is measured here, in the order of answers. */
export const FEATURES: readonly Feature[] = [
  {
    feature_id: 'width_px',
    type: 'quantitative',
    range: PIXELS,
    unit: 'pixel',
    description: 'Width of the largest image or video, read from its file.',
    measure: ({ assets }) => findLargest(assets)?.width,
  },
  {
    feature_id: 'height_px',
    type: 'quantitative',
    range: PIXELS,
    unit: 'pixel',
    description: 'Height of the largest image or video, read from its file.',
    measure: ({ assets }) => findLargest(assets)?.height,
  },
  {
    feature_id: 'duration_seconds',
    type: 'quantitative',
    range: { min: 0, max: MAX_DURATION_S },
    unit: 'second',
    description: 'Length of the longest video, sound or tag, read from its file.',
    measure: ({ assets }) => {
      const lengths = assets.filter(isPlayed).map(({ facts }) => facts.durationMs ?? Number.NaN);
      return lengths.length === 0 || lengths.some(Number.isNaN) ? undefined : Math.max(...lengths) / 1000;
    },
  },
  {
    feature_id: 'file_weight_kb',
    type: 'quantitative',
    range: { min: 0, max: MAX_WEIGHT_KB },
    unit: 'kilobyte',
    description: 'Bytes of all files and of the code of the creative together, divided by 1000.',
    measure: measureWeight,
  },
  {
    feature_id: 'animated',
    type: 'binary',
    description: 'Whether an image has more than one frame.',
    measure: ({ assets }) => anyOf(ofType(assets, 'image'), ({ facts }) => (facts.frames ?? 1) > 1),
  },
  {
    feature_id: 'ssl_compliant',
    type: 'binary',
    description: 'Whether every address in the manifest, and in the code and tags within it, is https.',
    measure: ({ assets }) => assets.every(isSecure),
  },
  {
    feature_id: 'click_tracking',
    type: 'binary',
    description:
      'Whether a click leads somewhere: a click-through address, a click macro, or the ClickThrough of a tag.',
    measure: ({ assets }) => assets.some((one) => isClick(one) || hasClickMacro(one)),
  },
  {
    feature_id: 'tracker_count',
    type: 'quantitative',
    range: { min: 0, max: MAX_TRACKERS },
    unit: 'tracker',
    description: 'Trackers among the assets.',
    measure: ({ assets }) => assets.filter(isTracker).length,
  },
  {
    feature_id: 'language',
    type: 'categorical',
    categories: COPY_LANGUAGES,
    description: 'Language of the texts, by their writing and their common words.',
    measure: measureLanguage,
  },
  {
    feature_id: 'provenance_declared',
    type: 'binary',
    description: 'Whether the manifest, or each of its images, videos and sounds, declares how it was made.',
    measure: ({ manifest, assets }) => {
      if (declaresSource(manifest.provenance)) return true;
      const media = assets.filter((one) => one.type === 'image' || isPlayed(one));
      return media.length > 0 && media.every(({ asset }) => declaresSource(asset.provenance));
    },
  },
  {
    feature_id: 'alt_text',
    type: 'binary',
    description: 'Whether every image has a text for those who do not see it.',
    measure: ({ assets }) => allOf(ofType(assets, 'image'), ({ asset }) => (asset.alt_text ?? '').trim() !== ''),
  },
  {
    feature_id: 'captions',
    type: 'binary',
    description: 'Whether every video has captions, or the creative has a file of them.',
    measure: ({ assets }) => {
      const hasFile = assets.some(({ key, asset }) => CAPTIONS.test(key) && asset.url !== undefined);
      return allOf(ofType(assets, 'video'), ({ asset }) => hasFile || typeof asset.captions_url === 'string');
    },
  },
];

function ofType(assets: readonly MeasuredAsset[], type: string): readonly MeasuredAsset[] {
  return assets.filter((one) => one.type === type);
}

function isPlayed({ type }: MeasuredAsset): boolean {
  return ['video', 'audio', 'vast', 'daast'].includes(type);
}

/** Returns whether any of them holds; undefined without any, and where one that was not looked at might. */
function anyOf(assets: readonly MeasuredAsset[], test: (one: MeasuredAsset) => boolean): boolean | undefined {
  if (assets.some((one) => one.isSeen && test(one))) return true;
  return assets.length === 0 || assets.some(({ isSeen }) => !isSeen) ? undefined : false;
}

function allOf(assets: readonly MeasuredAsset[], test: (one: MeasuredAsset) => boolean): boolean | undefined {
  return assets.length === 0 ? undefined : assets.every(test);
}

function findLargest(
  assets: readonly MeasuredAsset[],
): { readonly width: number; readonly height: number } | undefined {
  const visible = assets.filter(({ type }) => ['image', 'video', 'vast'].includes(type));
  if (visible.some(({ isSeen }) => !isSeen)) return undefined;
  const sizes = visible.flatMap(({ facts: { width, height } }) =>
    width === undefined || height === undefined ? [] : [{ width, height }],
  );
  return sizes.reduce<(typeof sizes)[number] | undefined>(
    (best, one) => (best !== undefined && best.width * best.height >= one.width * one.height ? best : one),
    undefined,
  );
}

function measureWeight({ assets }: Evidence): number | undefined {
  const weights = assets
    .filter(({ type }) => type === 'image' || type === 'video' || type === 'audio' || CODE.has(type))
    .map(
      ({ facts, asset }) => facts.sizeBytes ?? (asset.content === undefined ? undefined : byteLength(asset.content)),
    );
  if (weights.length === 0 || weights.includes(undefined)) return undefined;
  return weights.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0) / 1000;
}

function byteLength(content: string): number {
  return Buffer.byteLength(content);
}

/** Names of namespaces are addresses that nobody asks for. */
const NAMESPACES = /xmlns(?::\w{1,40})?=(?:"[^"]{0,500}"|'[^']{0,500}')/g;

function isSecure({ asset }: MeasuredAsset): boolean {
  const { url = '', content = '' } = asset;
  return !/^http:/i.test(url) && !/\bhttp:\/\//i.test(content.replaceAll(NAMESPACES, ''));
}

const CLICK_MACRO = /\{CLICK_URL|\bclickTag\b|<ClickThrough\b/i;

function hasClickMacro({ type, asset }: MeasuredAsset): boolean {
  return (CODE.has(type) || type === 'vast' || type === 'daast') && CLICK_MACRO.test(asset.content ?? '');
}

/** Most characters of texts that are read for their language. */
const MAX_TEXT_CHARS = 10_000;

function measureLanguage({ assets }: Evidence): string | undefined {
  const texts = assets.filter(({ type }) => type === 'text' || type === 'markdown');
  const text = texts
    .map(({ asset }) => asset.content ?? '')
    .join(' ')
    .slice(0, MAX_TEXT_CHARS);
  return tellLanguage(text);
}

function declaresSource(provenance: unknown): boolean {
  return isObject(provenance) && typeof provenance.digital_source_type === 'string';
}
