import { humanizeBytes } from '../../../platform/web/humanize.js';
import type { AssetType } from '../../formats/format.js';
import type { Facts, Rule, Subject, Verdict } from '../finding.js';

const PICTURES: readonly AssetType[] = ['image', 'video'];
const SPOTS: readonly AssetType[] = ['video', 'audio', 'vast', 'daast'];
const WEIGHED: readonly AssetType[] = ['image', 'video', 'audio', 'html', 'css', 'javascript'];

/** How far a measured length may lie from the wanted one: encoders end on whole frames. */
const LENGTH_TOLERANCE_MS = 500;
const RATIO_TOLERANCE = 0.01;
const FRAME_RATE_TOLERANCE = 0.01;
const LOUDNESS_TOLERANCE_LU = 1;

/** Facts that are numbers. */
type Measure = { [K in keyof Facts]-?: NonNullable<Facts[K]> extends number ? K : never }[keyof Facts];

type Bound = {
  readonly keyword: string;
  readonly types: readonly AssetType[];
  readonly at: string;
  readonly fact: Measure;
  readonly side: 'least' | 'most';
  readonly unit: string;
  /** Units of the fact in one unit of the requirement. */
  readonly scale?: (subject: Subject) => number | undefined;
  readonly slack?: number;
};

const INCHES: Readonly<Record<string, number>> = { inches: 1, cm: 1 / 2.54, mm: 1 / 25.4, pt: 1 / 72 };

/** Pixels in one unit in which a slot states its size: known for print only where the density is. */
function pixelsPerUnit({ requirements, facts }: Subject): number | undefined {
  const { unit, min_dpi } = requirements;
  if (typeof unit !== 'string' || unit === 'px' || unit === 'dp') return 1;
  const inches = INCHES[unit];
  const dpi = facts.dpi ?? (typeof min_dpi === 'number' ? min_dpi : undefined);
  return inches === undefined || dpi === undefined ? undefined : inches * dpi;
}

/** Returns the larger reading of a kilobyte: nobody is refused over how it is counted. */
const KB = () => 1024;
const MB = () => 1024 * 1024;

/** Requirements that are a least or a greatest number. */
const BOUNDS: readonly Bound[] = [
  {
    keyword: 'min_width',
    types: PICTURES,
    at: 'width',
    fact: 'width',
    side: 'least',
    unit: 'px wide',
    scale: pixelsPerUnit,
  },
  {
    keyword: 'max_width',
    types: PICTURES,
    at: 'width',
    fact: 'width',
    side: 'most',
    unit: 'px wide',
    scale: pixelsPerUnit,
  },
  {
    keyword: 'min_height',
    types: PICTURES,
    at: 'height',
    fact: 'height',
    side: 'least',
    unit: 'px high',
    scale: pixelsPerUnit,
  },
  {
    keyword: 'max_height',
    types: PICTURES,
    at: 'height',
    fact: 'height',
    side: 'most',
    unit: 'px high',
    scale: pixelsPerUnit,
  },
  { keyword: 'min_dpi', types: ['image'], at: 'url', fact: 'dpi', side: 'least', unit: 'dots per inch' },
  { keyword: 'max_file_size_kb', types: WEIGHED, at: '', fact: 'sizeBytes', side: 'most', unit: 'bytes', scale: KB },
  { keyword: 'max_file_size_mb', types: WEIGHED, at: '', fact: 'sizeBytes', side: 'most', unit: 'bytes', scale: MB },
  {
    keyword: 'min_duration_ms',
    types: SPOTS,
    at: 'duration_ms',
    fact: 'durationMs',
    side: 'least',
    unit: 'ms long',
    slack: LENGTH_TOLERANCE_MS,
  },
  {
    keyword: 'max_duration_ms',
    types: SPOTS,
    at: 'duration_ms',
    fact: 'durationMs',
    side: 'most',
    unit: 'ms long',
    slack: LENGTH_TOLERANCE_MS,
  },
  {
    keyword: 'min_bitrate_kbps',
    types: ['video', 'audio'],
    at: '',
    fact: 'bitrateKbps',
    side: 'least',
    unit: 'kbit/s',
  },
  { keyword: 'max_bitrate_kbps', types: ['video', 'audio'], at: '', fact: 'bitrateKbps', side: 'most', unit: 'kbit/s' },
  {
    keyword: 'min_gop_interval_seconds',
    types: ['video'],
    at: 'gop_interval_seconds',
    fact: 'gopSeconds',
    side: 'least',
    unit: 's per group of pictures',
  },
  {
    keyword: 'max_gop_interval_seconds',
    types: ['video'],
    at: 'gop_interval_seconds',
    fact: 'gopSeconds',
    side: 'most',
    unit: 's per group of pictures',
  },
  {
    keyword: 'true_peak_dbfs',
    types: ['video', 'audio'],
    at: 'audio_true_peak_dbfs',
    fact: 'truePeakDbfs',
    side: 'most',
    unit: 'dBFS at its peak',
  },
];

type Amounts = { readonly found: string; readonly bound: string; readonly unit: string };

/** Returns an amount and its limit as people write them; bytes one by one where both would read the same. */
function describeAmounts(value: number, limit: number, unit: string): Amounts {
  if (unit === 'ms long') return { found: `${value / 1000} s`, bound: `${limit / 1000} s`, unit: 'long' };
  const [found, bound] = [humanizeBytes(value), humanizeBytes(limit)];
  if (unit === 'bytes' && found !== bound) return { found, bound, unit: '' };
  return { found: `${value}`, bound: `${limit}`, unit };
}

function boundRule({ keyword, types, at, fact, side, unit, scale = () => 1, slack = 0 }: Bound): Rule {
  const judge = (wanted: unknown, subject: Subject): Verdict => {
    if (typeof wanted !== 'number') return undefined;
    const value = subject.facts[fact];
    const factor = scale(subject);
    if (value === undefined || factor === undefined) return 'unknown';
    const limit = wanted * factor;
    if (side === 'least' ? value >= limit - slack : value <= limit + slack) return undefined;
    const { found, bound, unit: words } = describeAmounts(value, limit, unit);
    const taken = `${side === 'least' ? 'at least' : 'at most'} ${bound}`;
    return { found, wanted: taken, message: `is ${`${found} ${words}`.trim()}; the slot takes ${taken}.` };
  };
  return { keyword, types, at, judge };
}

type Choice = {
  readonly keyword: string;
  readonly types: readonly AssetType[];
  readonly at: string;
  readonly fact: keyof Facts;
  /** Values that count as each other. */
  readonly alike?: Readonly<Record<string, string>>;
};

const IMAGE_FORMATS = { jpeg: 'jpg', tif: 'tiff' };
/** The public list of audio formats has no name of its own for AAC in an MP4. */
const AUDIO_FORMATS = { m4a: 'aac', mp4: 'aac', mpeg: 'mp3', opus: 'ogg' };
const VIDEO_FORMATS = { quicktime: 'mov', m4v: 'mp4' };
const CODECS = { avc: 'h264', avc1: 'h264', 'h.264': 'h264', hevc: 'h265', 'h.265': 'h265' };

/** Requirements that are a list of what is taken. */
const CHOICES: readonly Choice[] = [
  { keyword: 'formats', types: ['image'], at: 'url', fact: 'format', alike: IMAGE_FORMATS },
  { keyword: 'formats', types: ['audio'], at: 'url', fact: 'format', alike: AUDIO_FORMATS },
  { keyword: 'containers', types: ['video'], at: 'url', fact: 'format', alike: VIDEO_FORMATS },
  { keyword: 'codecs', types: ['video'], at: 'video_codec', fact: 'videoCodec', alike: CODECS },
  { keyword: 'audio_codecs', types: ['video'], at: 'audio_codec', fact: 'audioCodec' },
  { keyword: 'audio_sample_rates', types: ['video'], at: 'audio_sampling_rate_hz', fact: 'sampleRateHz' },
  { keyword: 'sample_rates', types: ['audio'], at: 'sampling_rate_hz', fact: 'sampleRateHz' },
  { keyword: 'audio_channels', types: ['video'], at: 'audio_channels', fact: 'channels' },
  { keyword: 'channels', types: ['audio'], at: 'channels', fact: 'channels' },
  { keyword: 'color_space', types: ['image'], at: 'url', fact: 'colorSpace' },
  { keyword: 'frame_rate_type', types: ['video'], at: 'frame_rate_type', fact: 'frameRateType' },
  { keyword: 'scan_type', types: ['video'], at: 'scan_type', fact: 'scanType' },
  { keyword: 'gop_type', types: ['video'], at: 'gop_type', fact: 'gopType' },
  { keyword: 'moov_atom_position', types: ['video'], at: 'moov_atom_position', fact: 'moovPosition' },
];

function choiceRule({ keyword, types, at, fact, alike = {} }: Choice): Rule {
  const same = (value: unknown) => alike[String(value).toLowerCase()] ?? String(value).toLowerCase();
  const judge = (wanted: unknown, { facts }: Subject): Verdict => {
    const taken: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    const value = facts[fact];
    if (value === undefined) return 'unknown';
    if (taken.map(same).includes(same(value))) return undefined;
    const list = taken.join(', ');
    return { found: `${value}`, wanted: list, message: `is ${value}; the slot takes ${list}.` };
  };
  return { keyword, types, at, judge };
}

/** Returns width by height of a ratio `w:h`; undefined where the text is none. */
function parseAspectRatio(text: unknown): number | undefined {
  const [, width, height] = typeof text === 'string' ? (/^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text) ?? []) : [];
  return width === undefined || Number(height) === 0 ? undefined : Number(width) / Number(height);
}

/** Requirements that are judged in a way of their own. */
const OTHERS: readonly Rule[] = [
  {
    keyword: 'aspect_ratio',
    types: PICTURES,
    at: '',
    judge: (wanted, { facts: { width, height } }) => {
      const ratio = parseAspectRatio(wanted);
      if (ratio === undefined) return undefined;
      if (width === undefined || height === undefined) return 'unknown';
      if (Math.abs(width / height / ratio - 1) <= RATIO_TOLERANCE) return undefined;
      return {
        found: `${width}x${height}`,
        wanted: `${wanted}`,
        message: `is ${width}x${height}; the slot takes ${wanted}.`,
      };
    },
  },
  ...(['width', 'height'] as const).map(
    (side): Rule => ({
      keyword: side,
      types: PICTURES,
      at: side,
      judge: (wanted, { facts }) => {
        if (typeof wanted !== 'number') return undefined;
        const value = facts[side];
        if (value === undefined) return 'unknown';
        if (value === wanted) return undefined;
        return {
          found: `${value}`,
          wanted: `${wanted}`,
          message: `has a ${side} of ${value} px; the slot takes ${wanted}.`,
        };
      },
    }),
  ),
  {
    keyword: 'transparency_required',
    types: ['image'],
    at: 'url',
    judge: (wanted, { facts }) => {
      if (wanted !== true || facts.hasAlpha === true) return undefined;
      if (facts.hasAlpha === undefined) return 'unknown';
      return { found: 'no transparency', wanted: 'transparency', message: 'has no transparency; the slot needs it.' };
    },
  },
  {
    keyword: 'animation_allowed',
    types: ['image'],
    at: 'url',
    judge: (wanted, { facts: { frames } }) => {
      if (wanted !== false) return undefined;
      if (frames === undefined) return 'unknown';
      if (frames === 1) return undefined;
      return { found: `${frames} pictures`, wanted: '1 picture', message: 'is animated; the slot takes still images.' };
    },
  },
  {
    keyword: 'max_animation_duration_ms',
    types: ['image'],
    at: 'url',
    judge: (wanted, { facts: { frames, durationMs } }) => {
      if (typeof wanted !== 'number' || frames === 1) return undefined;
      if (durationMs === undefined) return 'unknown';
      if (durationMs <= wanted) return undefined;
      return {
        found: `${durationMs / 1000} s`,
        wanted: `at most ${wanted / 1000} s`,
        message: `runs for ${durationMs / 1000} s; the slot takes at most ${wanted / 1000} s.`,
      };
    },
  },
  // The bleed of a print image is not told from its file.
  { keyword: 'bleed', types: ['image'], at: 'url', judge: () => 'unknown' },
  {
    keyword: 'audio_required',
    types: ['video'],
    at: 'has_audio',
    judge: (wanted, { facts: { hasAudio } }) => {
      if (wanted !== true || hasAudio === true) return undefined;
      return hasAudio === undefined
        ? 'unknown'
        : { found: 'silent', wanted: 'with sound', message: 'has no sound; the slot needs it.' };
    },
  },
  {
    keyword: 'frame_rates',
    types: ['video'],
    at: 'frame_rate',
    judge: (wanted, { facts: { frameRate } }) => {
      if (!Array.isArray(wanted)) return undefined;
      if (frameRate === undefined) return 'unknown';
      if (wanted.some((rate) => Math.abs(Number(rate) - frameRate) <= FRAME_RATE_TOLERANCE)) return undefined;
      const list = wanted.join(', ');
      return {
        found: `${frameRate}`,
        wanted: list,
        message: `has ${frameRate} pictures a second; the slot takes ${list}.`,
      };
    },
  },
  {
    keyword: 'loudness_lufs',
    types: ['video', 'audio'],
    at: 'audio_loudness_lufs',
    judge: (wanted, { facts: { loudnessLufs }, requirements }) => {
      if (typeof wanted !== 'number') return undefined;
      if (loudnessLufs === undefined) return 'unknown';
      const { loudness_tolerance_db: given } = requirements;
      const tolerance = typeof given === 'number' ? given : LOUDNESS_TOLERANCE_LU;
      if (Math.abs(loudnessLufs - wanted) <= tolerance) return undefined;
      const range = `${wanted} (±${tolerance})`;
      return {
        found: `${loudnessLufs}`,
        wanted: range,
        message: `is at ${loudnessLufs} LUFS; the slot takes ${range}.`,
      };
    },
  },
];

/** Every requirement of image, video and audio slots, and the lengths of tags. */
export const MEDIA_RULES: readonly Rule[] = [...BOUNDS.map(boundRule), ...CHOICES.map(choiceRule), ...OTHERS];
