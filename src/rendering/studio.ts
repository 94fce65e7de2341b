import { readFile } from 'node:fs/promises';
import type { Format } from '../domain/format.js';
import { type Asset, assetAt, type Manifest } from '../domain/manifest.js';
import { HOUR_MS } from '../kernel/clock.js';
import { TaskError } from '../kernel/errors.js';
import type { Outbound } from '../kernel/fetch.js';
import type { Catalogue } from './catalog.js';
import { checkManifest, type Finding } from './check.js';
import { BUILT_MS, PREVIEW_MS } from './lifetimes.js';
import { probeMedia } from './media-probe.js';
import { buildPreview, mediaUrls, PREVIEWS_PATH, type PreviewModel } from './preview.js';
import { copyMedia } from './preview-media.js';
import type { PreviewInput, TagFacts } from './preview-model.js';
import type { PreviewStore } from './preview-store.js';
import { parseTag } from './vast.js';

/** What creatives are made and shown with: the formats, the way out to assets, and where pictures and previews are kept. */
export type Studio = {
  readonly catalogue: Catalogue;
  readonly outbound: Outbound;
  readonly previews: PreviewStore;
  /** Address of this server, without a trailing slash. */
  readonly baseUrl: string;
};

const ASSET_LIMITS = { maxBytes: 10 * 1024 ** 2, timeoutMs: 5000 } as const;

/** Who asks: in development mode a sandbox caller may name plain http and loopback addresses. */
export type Visitor = { readonly nowMs: number; readonly local: boolean };

/** What the check says about a manifest, its files looked at where they can be had. */
export function judgeManifest(
  studio: Studio,
  manifest: Manifest,
  format: Format,
  visitor: Visitor,
): Promise<readonly Finding[]> {
  return checkManifest({
    manifest,
    format,
    probe: async (asset: Asset) => {
      if (typeof asset.url !== 'string') return undefined;
      const bytes = await assetBytes(studio, asset.url, visitor).catch((error: unknown) => {
        if (error instanceof TaskError) return undefined;
        throw error;
      });
      return bytes === undefined ? undefined : { bytes, size: bytes.length };
    },
  });
}

/** The bytes behind an asset's address: our own pictures from the store, others through the guarded fetch. Throws a TaskError. */
export async function assetBytes(studio: Studio, url: string, { local }: Visitor): Promise<Uint8Array> {
  const own = `${studio.baseUrl}${PREVIEWS_PATH}/media/`;
  const kept = url.startsWith(own) ? await studio.previews.media(url.slice(own.length)) : undefined;
  if (kept !== undefined) return readFile(kept.file);
  const { status, bytes } = await studio.outbound.fetch(url, { ...ASSET_LIMITS, local });
  if (status === 200) return bytes;
  throw new TaskError('VALIDATION_ERROR', `The server of an asset answered ${status}.`, {
    suggestion: 'Send addresses that answer 200 with the file itself.',
  });
}

/** Keeps a picture and answers the address it is served at. */
export async function publishPicture(
  studio: Studio,
  file: { readonly bytes: Uint8Array; readonly mime: string },
  nowMs: number,
): Promise<string> {
  const [kept] = await studio.previews.keepMedia([file], { nowMs, lifetimeMs: BUILT_MS });
  if (kept === undefined || 'missing' in kept)
    throw new TaskError('SERVICE_UNAVAILABLE', 'A picture could not be kept.');
  return `${studio.baseUrl}${PREVIEWS_PATH}/media/${kept.file}`;
}

/** Draws a preview up: media copied in, tags read, findings beside it. Nothing is kept yet but the media. */
export async function drawPreview(
  studio: Studio,
  order: {
    readonly format: Format;
    readonly manifest: Manifest;
    readonly inputs: readonly PreviewInput[];
    readonly findings: readonly Finding[];
  },
  visitor: Visitor,
): Promise<PreviewModel> {
  const tags = tagsOf(order.manifest);
  const { outbound, previews: store } = studio;
  const times = { nowMs: visitor.nowMs, lifetimeMs: PREVIEW_MS + HOUR_MS };
  const media = await copyMedia(mediaUrls({ ...order, tags }), {
    outbound,
    store,
    times,
    probe: probeMedia,
    local: visitor.local,
  });
  return buildPreview({ ...order, media, tags });
}

function tagsOf(manifest: Manifest): ReadonlyMap<string, TagFacts> {
  const tags = new Map<string, TagFacts>();
  for (const key of Object.keys(manifest.assets)) {
    const asset = assetAt(manifest, key);
    if (asset === undefined || (asset.asset_type !== 'vast' && asset.asset_type !== 'daast')) continue;
    const read = typeof asset.content === 'string' ? parseTag(asset.content) : undefined;
    if (read?.ok !== true)
      tags.set(key, { note: read === undefined ? 'The tag is behind an address.' : read.fault.message });
    else tags.set(key, tagFacts(read.tag));
  }
  return tags;
}

function tagFacts(tag: Extract<ReturnType<typeof parseTag>, { ok: true }>['tag']): TagFacts {
  const [ad] = tag.ads;
  const url = ad?.mediaFiles[0]?.url;
  return {
    version: `${tag.language.toUpperCase()} ${tag.version}`,
    ...(url === undefined ? { note: 'A wrapper: what it plays is behind another address.' } : { url }),
    ...(ad?.durationMs === undefined ? {} : { durationMs: ad.durationMs }),
    ...(ad?.clickThrough === undefined ? {} : { clickThrough: ad.clickThrough }),
  };
}
