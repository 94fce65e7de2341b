import { yieldToEventLoop } from '../../platform/kernel/event-loop.js';
import { taskErrorOrThrow } from '../../protocol/errors.js';
import { shorten } from '../asset-url.js';
import { dataBytes, isDataUrl } from '../data-url.js';
import type { AssetType } from '../formats/format.js';
import type { Asset } from '../formats/manifest.js';
import { probeMedia } from '../probe/probe.js';
import type { MediaFault } from '../probe/types.js';
import { MAX_PIXELS } from '../probe/types.js';
import { looksLikeTag, parseTag, type TagReading } from '../vast/tag.js';
import { measuredFacts, readTagBytes, tagFacts } from './facts.js';
import type { Facts, Finding } from './finding.js';

/** A fetched asset. `bytes` may be the beginning only; `size` is that of the whole file, in bytes. */
export type FetchedAsset = {
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
  readonly size?: number;
};

/** Fetches the file of an asset that is judged as `type`, guarded and bounded. Undefined: it could not be had; a TaskError: it must not be had. */
export type AssetProbe = (asset: Asset, type: AssetType) => Promise<FetchedAsset | undefined>;

/** Something found out about a file, before it is known where in the manifest. */
export type Remark = Pick<Finding, 'severity' | 'keyword' | 'message' | 'found' | 'wanted'>;

/** An asset with the facts of its file. `type` differs from the slot's where a video turns out to be a tag. */
export type Examined = {
  readonly type: AssetType;
  readonly facts: Facts;
  readonly remarks: readonly Remark[];
  /** Whether the file, or the text in its place, was looked at. */
  readonly seen: boolean;
};

/** How far declared and measured lengths may differ without a word. */
const LENGTH_SLACK_MS = 500;

const MEDIA: ReadonlySet<AssetType> = new Set(['image', 'video', 'audio']);
const TAGS: ReadonlySet<AssetType> = new Set(['vast', 'daast']);

/**
 * Looks at what an asset of `type` really is: bytes of a data URL, of a fetched file, or the text of a tag. Types of whose
 * content nothing is measured come back as they are.
 */
export async function examine(asset: Asset, type: AssetType, probe: AssetProbe | undefined): Promise<Examined> {
  const nothing: Examined = { type, facts: {}, remarks: [], seen: false };
  if (!MEDIA.has(type) && !TAGS.has(type)) return { ...nothing, seen: true };
  // Text in place of a film or a sound is a tag, or nothing.
  if (asset.content !== undefined && (asset.url === undefined || TAGS.has(type))) {
    return examineTag(parseTag(asset.content), type);
  }
  if (asset.url === undefined) return nothing;
  if (isDataUrl(asset.url)) {
    const bytes = dataBytes(asset.url);
    if (bytes !== undefined) return examineFile({ bytes }, asset, type);
    const remark = error('malformed', 'cannot be used: the data URL is no base64.', 'data:', 'base64');
    return { ...nothing, remarks: [remark], seen: true };
  }
  if (probe === undefined || !/^https?:/i.test(asset.url)) return nothing;
  try {
    const fetched = await probe(asset, type);
    return fetched === undefined ? nothing : await examineFile(fetched, asset, type);
  } catch (cause) {
    const { extras, message } = taskErrorOrThrow(cause);
    const reason = String(extras.details?.reason ?? 'nothing');
    const wanted = 'a public address that answers with a file of sensible size';
    const remark = error('url', `cannot be used. ${message}`, reason, wanted);
    return { ...nothing, remarks: [remark], seen: true };
  }
}

async function examineFile(
  { bytes, contentType, size }: FetchedAsset,
  asset: Asset,
  type: AssetType,
): Promise<Examined> {
  const whole = size ?? bytes?.length;
  const weight = whole === undefined ? {} : { sizeBytes: whole };
  if (bytes === undefined) return { type, facts: weight, remarks: [], seen: whole !== undefined };
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('utf8');
  if (TAGS.has(type) || (type !== 'image' && looksLikeTag(head))) {
    const read = examineTag(readTagBytes(bytes), type);
    return TAGS.has(type) ? { ...read, facts: { ...weight, ...read.facts } } : read;
  }
  // Several large ones of a call do not hold the event loop together.
  await yieldToEventLoop();
  const probed = probeMedia(bytes, { complete: bytes.length >= (whole ?? 0) });
  if (!probed.ok) return { type, facts: weight, remarks: [remarkOnFault(probed, contentType)], seen: true };
  const { media } = probed;
  const facts = { ...weight, ...measuredFacts(media) };
  if (media.kind !== type) {
    const remark = error('asset_type', `is ${media.kind} (${media.format}), not ${type}.`, media.kind, type);
    return { type, facts, remarks: [remark], seen: true };
  }
  return { type, facts, remarks: [...remarkOnSize(facts), ...compareDeclared(asset, facts)], seen: true };
}

function examineTag(read: TagReading, type: AssetType): Examined {
  if (!read.ok) {
    const { message, found, wanted } = read.fault;
    return { type, facts: {}, remarks: [error('content', `cannot be used. ${message}`, found, wanted)], seen: true };
  }
  const { tag } = read;
  const facts = tagFacts(tag);
  // A video or audio asset may be a tag: then it is judged as one.
  if (MEDIA.has(type)) return { type, facts, remarks: [], seen: true };
  if (tag.language === type) return { type, facts, remarks: [], seen: true };
  const remark = error('asset_type', `is a ${tag.language} tag, not ${type}.`, tag.language, type);
  return { type, facts, remarks: [remark], seen: true };
}

function remarkOnFault({ reason, format, message }: MediaFault, contentType: string | undefined): Remark {
  if (reason !== 'unknown')
    return error(reason, `cannot be used: ${message}.`, format ?? 'a file', 'a whole, plain file');
  const actual = format ?? contentType ?? 'something else';
  return error('formats', `cannot be used: ${message}.`, shorten(actual), 'an image, video or sound');
}

function remarkOnSize({ width = 0, height = 0, format }: Facts): readonly Remark[] {
  // Drawings have no pixels until they are drawn.
  if (width * height <= MAX_PIXELS || format === 'svg') return [];
  const size = `${width}x${height}`;
  return [error('max_pixels', `is ${size}, too large to be shown.`, size, `at most ${MAX_PIXELS} pixels`)];
}

/**
 * Returns remarks on what a buyer declares of a file and the file is not; the file counts, the remark helps to find out
 * why.
 */
function compareDeclared({ width, height, duration_ms }: Asset, facts: Facts): readonly Remark[] {
  const size = width !== undefined && height !== undefined && facts.width !== undefined;
  const sized = size && facts.format !== 'svg' && (width !== facts.width || height !== facts.height);
  const timed =
    duration_ms !== undefined &&
    facts.durationMs !== undefined &&
    Math.abs(duration_ms - facts.durationMs) > LENGTH_SLACK_MS;
  return [
    ...(sized ? [remarkOnDifference('width', `${facts.width}x${facts.height}`, `${width}x${height}`)] : []),
    ...(timed ? [remarkOnDifference('duration_ms', `${facts.durationMs} ms`, `${duration_ms} ms`)] : []),
  ];
}

function remarkOnDifference(keyword: string, actual: string, declared: string): Remark {
  return {
    severity: 'warning',
    keyword,
    message: `is ${actual}, though ${declared} is declared; the file counts.`,
    found: actual,
    wanted: declared,
  };
}

function error(keyword: string, message: string, found: string, wanted: string): Remark {
  return { severity: 'error', keyword, message, found, wanted };
}
