import { keyedDigest } from '../../platform/kernel/canonical.js';
import type { FormatId } from '../formats/format.js';
import { type Asset, type AssetEntry, type Manifest, splitNumberedKey } from '../formats/manifest.js';
import type { MacroValues } from '../macros/fill.js';

/** One variant a buyer asks to see. */
export type PreviewInput = {
  readonly name: string;
  readonly macros?: MacroValues | undefined;
  readonly context_description?: string | undefined;
};

/** A finding of the check, as far as a preview shows it. */
export type PreviewFinding = {
  readonly severity: 'error' | 'warning';
  readonly asset_id: string;
  readonly message: string;
  readonly code?: string;
  readonly found?: unknown;
  readonly wanted?: unknown;
};

/** A file of the preview store, or why there is no copy of what an address names. */
export type MediaRef =
  | { readonly file: string; readonly mime: string; readonly bytes: number }
  | { readonly missing: string };

/** The facts of a VAST or DAAST tag that a preview shows. */
export type TagFacts = {
  /** The media file to play; looked up in `media` like that of any asset. */
  readonly url?: string;
  readonly version?: string;
  readonly title?: string;
  readonly durationMs?: number;
  readonly clickThrough?: string;
  /** The events that the tag measures, each with the hosts that are called. */
  readonly events?: readonly TagEvent[];
  /** Why there is nothing to play, for a wrapper or a tag behind an address. */
  readonly note?: string;
};

/** An event of a tag and the hosts that its trackers call. */
export type TagEvent = { readonly event: string; readonly hosts: readonly string[] };

/** The part of a format that previews need. */
export type PreviewFormat = {
  readonly format_id: FormatId;
  readonly name: string;
  readonly type: string;
  readonly renders: readonly {
    readonly role: string;
    readonly dimensions?: { readonly width?: number; readonly height?: number; readonly aspect_ratio?: string };
  }[];
  readonly assets: readonly FormatSlot[];
};

type FormatSlot = {
  readonly asset_id?: string;
  readonly asset_group_id?: string;
  readonly asset_type?: string;
  readonly asset_role?: string;
  readonly required?: boolean;
  readonly requirements?: Readonly<Record<string, unknown>>;
  readonly assets?: readonly FormatSlot[];
};

/** The order to build a preview. */
export type PreviewRequest = {
  /** The owner's key of ids; see `PreviewStore.idKey`. */
  readonly idKey: string;
  readonly format: PreviewFormat;
  readonly manifest: Manifest;
  /** Variants; without any, one named "Default". */
  readonly inputs?: readonly PreviewInput[];
  readonly findings?: readonly PreviewFinding[];
  /** Local copies by the address that an asset gives; see `mediaUrls`. */
  readonly media?: ReadonlyMap<string, MediaRef>;
  /** Parsed VAST and DAAST by asset key. */
  readonly tags?: ReadonlyMap<string, TagFacts>;
  /** The creative's name, for the page's title. */
  readonly name?: string;
  /** The page that the seller's format stands in. */
  readonly template?: PreviewTemplate;
};

/** A template and the piece that fills each of its places: `{'cards[0].title': 'card_0_title'}`. */
export type PreviewTemplate = { readonly source: string; readonly pieces: Readonly<Record<string, string>> };

/** One asset as the preview shows it; text still carries its placeholders. */
export type PreviewPiece = {
  /** The asset's key, with `[1].card_image` behind it inside a group. */
  readonly key: string;
  readonly slot: string;
  readonly type: string;
  readonly role?: string;
  readonly required: boolean;
  readonly several: boolean;
  /** Of a group: which repetition it belongs to, and its slot there. */
  readonly repetition?: number;
  readonly member?: string;
  readonly content?: string;
  /** Only addresses; data URLs live in `media`. */
  readonly url?: string;
  readonly alt?: string;
  readonly width?: number;
  readonly height?: number;
  readonly durationMs?: number;
  readonly media?: MediaRef;
  /** Local copies of media that inline HTML names: file by address. */
  readonly embedded?: Readonly<Record<string, string>>;
  readonly tag?: TagFacts;
  /** Bytes, where known, and the most that the slot takes. */
  readonly weight?: number;
  readonly maxWeight?: number;
};

/** One rendered piece of a format: pixels where they are fixed, a ratio `16:9` or nothing where they are not. */
export type PreviewSize = {
  readonly role: string;
  readonly width?: number;
  readonly height?: number;
  readonly ratio?: string;
};

/** Everything a preview's pages are drawn from, as it is stored. Plain JSON; the id is that of its owner and content. */
export type PreviewModel = {
  readonly id: string;
  readonly name?: string;
  readonly format: { readonly id: FormatId; readonly name: string; readonly type: string };
  readonly sizes: readonly PreviewSize[];
  readonly pieces: readonly PreviewPiece[];
  readonly inputs: readonly (PreviewInput & { readonly macros: MacroValues })[];
  readonly findings: readonly PreviewFinding[];
  /** With local copies of media that the template itself names: file by address. */
  readonly template?: PreviewTemplate & { readonly embedded: Readonly<Record<string, string>> };
};

const KILOBYTE = 1024;
const MAX_STORED_URL_CHARS = 4000;
const MEDIA_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio']);
/** Types whose text is code, of which the size counts. */
const CODE_TYPES: ReadonlySet<string> = new Set(['html', 'css', 'javascript', 'vast', 'daast']);
/** Media that advertiser HTML names in attributes and styles. */
const HTML_MEDIA = /(?:\b(?:src|poster)\s*=\s*["']?|\burl\(\s*["']?)(https?:\/\/[^\s"'<>()]+)/gi;
const NO_MEDIA = /\.(?:m?js|css|html?)(?:[?#]|$)|\{\{/i;
const MAX_HTML_MEDIA = 20;

/** Builds a preview. The same request gives the same model under the same id. */
export function buildPreview(request: PreviewRequest): PreviewModel {
  const { format, inputs = [], findings = [], name } = request;
  const content = {
    name,
    format: { id: format.format_id, name: format.name, type: format.type },
    sizes: listSizes(format),
    pieces: listSlotAssets(request).map((slot) => buildPiece(slot, request)),
    inputs: inputs.length === 0 ? [{ name: 'Default', macros: {} }] : inputs.map(inputOf),
    findings,
    template: request.template && buildTemplate(request.template, request.media),
  };
  return { id: contentId(request.idKey, content), ...content };
}

/**
 * Returns the id of a preview or a sheet: that of its JSON text, since the order of macros shows on its page, under its owner's key, since
 * whoever has an id may look.
 */
export function contentId(idKey: string, content: object): string {
  return keyedDigest(idKey, JSON.stringify(content));
}

/**
 * Returns every address of which a preview needs a local copy, each once: media assets, tags' media files, and what inline HTML
 * and templates name.
 */
export function mediaUrls(
  request: Pick<PreviewRequest, 'format' | 'manifest' | 'tags' | 'template'>,
): readonly string[] {
  const urls = listSlotAssets(request).flatMap(({ key, type, asset }) => [
    MEDIA_TYPES.has(type) ? asset.url : undefined,
    request.tags?.get(key)?.url,
    ...(type === 'html' ? htmlMedia(asset.content ?? '') : []),
  ]);
  return [...new Set([...urls.filter((url) => url !== undefined), ...htmlMedia(request.template?.source ?? '')])];
}

/** Returns the files of the store that a model needs. */
export function filesOf({ pieces, template }: PreviewModel): readonly string[] {
  const files = pieces.flatMap(({ media, embedded = {} }) => [
    ...(media !== undefined && 'file' in media ? [media.file] : []),
    ...Object.values(embedded),
  ]);
  return [...new Set([...files, ...Object.values(template?.embedded ?? {})])];
}

/** Returns the findings of the check, and a warning for every file of which there is no copy. */
export function listFindings({ findings, pieces }: PreviewModel): readonly PreviewFinding[] {
  const missing = pieces.flatMap(({ key, media }): PreviewFinding[] =>
    media !== undefined && 'missing' in media ? [{ severity: 'warning', asset_id: key, message: media.missing }] : [],
  );
  return [...findings, ...missing];
}

function inputOf({ name, macros = {}, context_description }: PreviewInput): PreviewModel['inputs'][number] {
  return { name, macros, context_description };
}

/** Returns the sizes of a preview; one that the format leaves to its parameters stands in the format id. */
function listSizes({ renders, format_id }: PreviewFormat): readonly PreviewSize[] {
  const listed: PreviewFormat['renders'] = renders.length === 0 ? [{ role: 'primary' }] : renders;
  return listed.map(({ role, dimensions = {} }) => {
    const { width = format_id.width, height = format_id.height, aspect_ratio: ratio } = dimensions;
    return { role, width, height, ratio };
  });
}

type SlotAsset = {
  readonly key: string;
  readonly slot: string;
  readonly type: string;
  readonly several: boolean;
  readonly repetition?: number;
  readonly member?: string;
  readonly asset: Asset;
  readonly spec: FormatSlot | undefined;
};

/** Returns the assets of a manifest one by one, each with the slot it fills. */
function listSlotAssets({ format, manifest }: Pick<PreviewRequest, 'format' | 'manifest'>): readonly SlotAsset[] {
  return Object.entries(manifest.assets).flatMap(([slot, entry]) => {
    const spec = format.assets.find(({ asset_id, asset_group_id }) => (asset_id ?? asset_group_id) === slot);
    const numbered = spec === undefined ? findNumbered(format, slot) : undefined;
    if (numbered !== undefined && !isList(entry)) return [nameNumbered(slot, entry, numbered)];
    return assetsOf(entry).map(({ path, asset, member, repetition }) => {
      const own = member === undefined ? spec : spec?.assets?.find(({ asset_id }) => asset_id === member);
      const type = asset.asset_type ?? own?.asset_type ?? guessType(asset);
      return { key: `${slot}${path}`, slot, type, several: path !== '', repetition, member, asset, spec: own };
    });
  });
}

/** The slot of a group that a numbered key such as `card_0_image` fills, and the group. */
type NumberedSlot = { readonly group: string; readonly own: FormatSlot; readonly repetition: number };

function findNumbered(format: PreviewFormat, key: string): NumberedSlot | undefined {
  for (const { asset_group_id: group, assets: slots = [] } of format.assets) {
    for (const own of slots) {
      const { asset_id = '' } = own;
      const named = group && splitNumberedKey({ asset_group_id: group, assets: [{ asset_id }] }, key);
      if (group && named) return { group, own, repetition: named.repetition };
    }
  }
  return undefined;
}

function nameNumbered(key: string, asset: Asset, { group, own, repetition }: NumberedSlot): SlotAsset {
  const type = asset.asset_type ?? own.asset_type ?? guessType(asset);
  return { key, slot: group, type, several: true, repetition, member: own.asset_id, asset, spec: own };
}

type EntryAsset = Pick<SlotAsset, 'asset' | 'repetition' | 'member'> & { readonly path: string };

function assetsOf(entry: AssetEntry): readonly EntryAsset[] {
  if (!isList(entry)) return [{ path: '', asset: entry }];
  return entry.flatMap((item, index): readonly EntryAsset[] =>
    isOneAsset(item)
      ? [{ path: `[${index}]`, asset: item }]
      : Object.entries(item).map(([member, asset]) => ({
          path: `[${index}].${member}`,
          repetition: index,
          member,
          asset,
        })),
  );
}

function isList(entry: AssetEntry): entry is Exclude<AssetEntry, Asset> {
  return Array.isArray(entry);
}

function isOneAsset(item: Asset | Readonly<Record<string, Asset>>): item is Asset {
  return ['asset_type', 'url', 'content'].some((field) => typeof item[field] === 'string');
}

function guessType({ url, content }: Asset): string {
  if (url !== undefined) return 'url';
  return content === undefined ? 'unknown' : 'text';
}

function buildPiece(slotAsset: SlotAsset, request: PreviewRequest): PreviewPiece {
  const { key, slot, type, several, repetition, member, asset, spec } = slotAsset;
  const tag = request.tags?.get(key);
  const address = tag?.url ?? (MEDIA_TYPES.has(type) ? asset.url : undefined);
  const media = address === undefined ? undefined : (request.media?.get(address) ?? NOT_FETCHED);
  const embedded = type === 'html' ? findCopies(htmlMedia(asset.content ?? ''), request.media) : {};
  const role = spec?.asset_role ?? text(spec?.requirements?.role) ?? asset.url_type;
  const alt = asset.alt_text;
  const url =
    asset.url !== undefined && asset.url.length <= MAX_STORED_URL_CHARS && !/^data:/i.test(asset.url)
      ? asset.url
      : undefined;
  const weight = weightBytes(type, asset, media);
  const maxWeight = maxWeightBytes(spec?.requirements ?? {});
  return {
    key,
    slot,
    type,
    required: spec?.required ?? false,
    several,
    repetition,
    member,
    role,
    content: asset.content,
    url,
    alt,
    width: asset.width,
    height: asset.height,
    durationMs: asset.duration_ms,
    media,
    tag,
    weight,
    maxWeight,
    embedded: Object.keys(embedded).length === 0 ? undefined : embedded,
  };
}

function buildTemplate(template: PreviewTemplate, media: PreviewRequest['media']): PreviewModel['template'] {
  return { ...template, embedded: findCopies(htmlMedia(template.source), media) };
}

const NOT_FETCHED: MediaRef = { missing: 'This file was not fetched for the preview.' };

/** Returns the remote media that HTML names, each once, up to a limit. */
function htmlMedia(source: string): readonly string[] {
  const urls = Array.from(source.matchAll(HTML_MEDIA), (match) => match[1] ?? '');
  return [...new Set(urls)].filter((url) => !NO_MEDIA.test(url)).slice(0, MAX_HTML_MEDIA);
}

function findCopies(urls: readonly string[], media: PreviewRequest['media']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    urls.flatMap((url) => {
      const ref = media?.get(url);
      return ref !== undefined && 'file' in ref ? [[url, ref.file]] : [];
    }),
  );
}

function weightBytes(type: string, asset: Asset, media: MediaRef | undefined): number | undefined {
  if (media !== undefined && 'file' in media && asset.url !== undefined) return media.bytes;
  if (CODE_TYPES.has(type) && asset.content !== undefined) return Buffer.byteLength(asset.content);
  return asset.file_size_bytes;
}

function maxWeightBytes(requirements: Readonly<Record<string, unknown>>): number | undefined {
  const { max_file_size_kb: kilobytes, max_file_size_mb: megabytes } = requirements;
  if (typeof kilobytes === 'number') return kilobytes * KILOBYTE;
  return typeof megabytes === 'number' ? megabytes * KILOBYTE * KILOBYTE : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
