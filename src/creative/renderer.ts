import { HOUR_MS } from '../platform/kernel/clock.js';
import type { Outbound } from '../platform/net/fetch.js';
import { webUrl } from '../platform/net/url.js';
import { TaskError } from '../protocol/errors.js';
import { checkManifest } from './check/check.js';
import type { AssetProbe, FetchedAsset } from './check/file.js';
import type { Finding } from './check/finding.js';
import { fillSlots } from './check/slots.js';
import type { ImageProcessor } from './compose/pictures/image-processor.js';
import type { Catalog } from './formats/files/load-catalog.js';
import type { AssetType, Format } from './formats/format.js';
import { type Asset, assetAt, type Manifest } from './formats/manifest.js';
import { BUILT_MS } from './lifetimes.js';
import type { MediaEncoder } from './media/encoder.js';
import type { PreviewAnswerCache } from './preview/answer-cache.js';
import { copyMedia } from './preview/media.js';
import type { PreviewInput, PreviewTemplate, TagEvent, TagFacts } from './preview/model.js';
import { buildPreview, mediaUrls, type PreviewModel } from './preview/model.js';
import { PREVIEWS_PATH } from './preview/path.js';
import type { MediaStore, PreviewStore } from './preview/ports.js';
import { type AssetFiles, fileFault, openAssetFiles } from './probe/asset-files.js';
import { probeMedia } from './probe/probe.js';
import { parseTag, type TagTracker } from './vast/tag.js';

/** The services that creatives are built and shown with: the formats, the way out to assets, and where pictures and previews are kept. */
export type Renderer = {
  readonly catalog: Catalog;
  readonly outbound: Outbound;
  readonly previews: PreviewStore;
  readonly media: MediaStore;
  readonly images: ImageProcessor;
  /** What makes video and audio; undefined without ffmpeg. */
  readonly encoder: MediaEncoder | undefined;
  readonly answers: PreviewAnswerCache;
  /** For how long (ms) previews are kept. */
  readonly previewMs: number;
  /** Hosts that creatives made of scripts may reach from a preview. */
  readonly previewHosts: readonly string[];
  /** Address of this server, without a trailing slash. */
  readonly baseUrl: string;
};

/** The caller of a render and its time: in development mode a sandbox caller may name plain http and loopback addresses. */
export type RenderContext = {
  /** Whose previews and media are stored. */
  readonly owner: string;
  readonly nowMs: number;
  readonly local: boolean;
};

/** Returns the files that one call of a visitor names; give it to all that the call does, so that each is fetched once. */
export function openFiles(renderer: Renderer, { local }: RenderContext): AssetFiles {
  return openAssetFiles({ ...renderer, local });
}

/**
 * Checks a manifest together with its files. A file that nobody serves now is left unverified, with a warning; an address that must
 * not be fetched, and a file that never ends, are errors.
 */
export function checkManifestFiles(
  renderer: Renderer,
  { format, manifest }: { readonly format: Format; readonly manifest: Manifest },
  visitor: RenderContext,
  files: AssetFiles = openFiles(renderer, visitor),
): Promise<readonly Finding[]> {
  return checkManifest({ manifest, format, probe: probeWith(files) });
}

/** Returns what looks at assets by these files. */
export function probeWith(files: AssetFiles): AssetProbe {
  return (asset, type) => fetchAsset(asset, type, files);
}

/** Files whose beginning says what they are; how much they weigh is for their slot to judge. */
const LARGE_MEDIA_TYPES: ReadonlySet<AssetType> = new Set(['video', 'audio']);

async function fetchAsset({ url }: Asset, type: AssetType, files: AssetFiles): Promise<FetchedAsset | undefined> {
  if (url === undefined) return undefined;
  try {
    if (LARGE_MEDIA_TYPES.has(type)) return await files.read(url);
    const bytes = await files.readWhole(url);
    return { bytes, size: bytes.length };
  } catch (error) {
    if (fileFault(error) === 'later') return undefined;
    throw error;
  }
}

/** Stores a picture and returns the address that it is served at. */
export async function publishPicture(
  renderer: Renderer,
  file: { readonly bytes: Uint8Array; readonly mime: string },
  { nowMs, owner }: RenderContext,
): Promise<string> {
  const [saved] = await renderer.media.save(owner, [file], { nowMs, lifetimeMs: BUILT_MS });
  if (saved === undefined || 'missing' in saved)
    throw new TaskError('SERVICE_UNAVAILABLE', 'A picture could not be kept.');
  return `${renderer.baseUrl}${PREVIEWS_PATH}/media/${saved.file}`;
}

/** Builds the model of a preview: media copied in, tags read, findings beside it. Only the media are stored. */
export async function renderPreview(
  renderer: Renderer,
  order: {
    readonly format: Format;
    readonly manifest: Manifest;
    readonly inputs: readonly PreviewInput[];
    readonly findings: readonly Finding[];
  },
  visitor: RenderContext,
  files: AssetFiles = openFiles(renderer, visitor),
): Promise<PreviewModel> {
  const tags = readTags(order.manifest);
  const template = findTemplate(renderer, order);
  const shown = { ...order, template };
  const times = { nowMs: visitor.nowMs, lifetimeMs: renderer.previewMs + HOUR_MS };
  const media = await copyMedia(mediaUrls({ ...shown, tags }), {
    owner: visitor.owner,
    files,
    store: renderer.media,
    times,
    probe: probeMedia,
  });
  return buildPreview({ ...shown, idKey: renderer.previews.idKey(visitor.owner), media, tags });
}

/** Returns the template of a format with the assets that fill it, under the keys that previews know them by. */
function findTemplate(
  renderer: Renderer,
  { format, manifest }: { format: Format; manifest: Manifest },
): PreviewTemplate | undefined {
  const source = renderer.catalog.template(format.format_id.id);
  if (source === undefined) return undefined;
  const pieces = fillSlots(manifest, format, false).filled.map(({ slotPath: slot, path }) => [slot, previewKey(path)]);
  return { source, pieces: Object.fromEntries(pieces) };
}

function previewKey([, key, ...rest]: readonly (string | number)[]): string {
  return [key, ...rest.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))].join('');
}

function readTags(manifest: Manifest): ReadonlyMap<string, TagFacts> {
  const tags = new Map<string, TagFacts>();
  for (const key of Object.keys(manifest.assets)) {
    const asset = assetAt(manifest, key);
    if (asset === undefined || (asset.asset_type !== 'vast' && asset.asset_type !== 'daast')) continue;
    const read = typeof asset.content === 'string' ? parseTag(asset.content) : undefined;
    if (read?.ok !== true)
      tags.set(key, { note: read === undefined ? 'The tag is behind an address.' : read.fault.message });
    else tags.set(key, describeTag(read.tag));
  }
  return tags;
}

function describeTag(tag: Extract<ReturnType<typeof parseTag>, { ok: true }>['tag']): TagFacts {
  const [ad] = tag.ads;
  const url = ad?.mediaFiles[0]?.url;
  return {
    version: `${tag.language.toUpperCase()} ${tag.version}`,
    note: url === undefined ? 'A wrapper: what it plays is behind another address.' : undefined,
    url,
    durationMs: ad?.durationMs,
    clickThrough: ad?.clickThrough,
    events: listEvents(ad?.trackers ?? []),
  };
}

const MAX_EVENTS = 40;
const MAX_HOSTS_OF_EVENT = 5;

function listEvents(trackers: readonly TagTracker[]): readonly TagEvent[] {
  const events = new Map<string, Set<string>>();
  for (const { event, url } of trackers) {
    const hosts = events.get(event) ?? new Set();
    if (hosts.size < MAX_HOSTS_OF_EVENT)
      hosts.add(webUrl(url.replace(/^\/\//, 'https://')) ? new URL(url, 'https://x').host : 'a macro');
    events.set(event, hosts);
  }
  return [...events].slice(0, MAX_EVENTS).map(([event, hosts]) => ({ event, hosts: [...hosts] }));
}
