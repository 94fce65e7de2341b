import { isObject } from '../../../platform/kernel/json/json.js';
import { isUrl } from '../../../platform/net/url.js';

type Fields = Readonly<Record<string, unknown>>;

/** A piece of content that an ad runs beside: an article, an episode, a scene. All of it was written by others. */
export type Artifact = Fields & {
  readonly property_rid: string;
  readonly artifact_id: string;
  readonly assets: readonly Fields[];
};

/** The members that an asset of each type has to have, and those that hold its words. */
const ASSET_TYPES: Readonly<Record<string, { readonly needs: string; readonly words: readonly string[] }>> = {
  text: { needs: 'content', words: ['content'] },
  image: { needs: 'url', words: ['alt_text', 'caption'] },
  video: { needs: 'url', words: ['transcript'] },
  audio: { needs: 'url', words: ['transcript'] },
};

/** Members of `metadata` and of its parts that hold words. */
const METADATA_WORDS = ['author', 'keywords', 'title', 'description'] as const;

/** Most assets of an artifact. */
const MAX_ASSETS = 200;

/** Most characters of each text of an asset. */
const MAX_TEXT_CHARS: Readonly<Record<string, number>> = {
  content: 100_000,
  transcript: 200_000,
  alt_text: 10_000,
  caption: 10_000,
};

/** Returns an artifact, or a sentence that says why the value is none. */
export function readArtifact(value: unknown): Artifact | string {
  if (!isObject(value)) return 'The artifact is not an object.';
  for (const name of ['property_rid', 'artifact_id'])
    if (typeof value[name] !== 'string' || value[name] === '') return `The artifact has no ${name}.`;
  const { assets } = value;
  if (!Array.isArray(assets)) return 'The artifact has no list of assets.';
  if (assets.length > MAX_ASSETS) return `The artifact has more than ${MAX_ASSETS} assets.`;
  const at = assets.findIndex((asset) => !isAsset(asset));
  return at < 0
    ? (value as Artifact)
    : `assets[${at}] is no text, image, video or audio with its content or URL, or a text of it is too long.`;
}

function isAsset(asset: unknown): boolean {
  if (!isObject(asset) || typeof asset.type !== 'string' || !Object.hasOwn(ASSET_TYPES, asset.type)) return false;
  if (typeof asset[ASSET_TYPES[asset.type]?.needs ?? ''] !== 'string') return false;
  return Object.entries(MAX_TEXT_CHARS).every(([name, most]) => {
    const text = asset[name];
    return text === undefined || (typeof text === 'string' && text.length <= most);
  });
}

/** Returns the texts that come with an artifact: its assets' words, its metadata, and the names in its URLs. */
export function listTexts(artifact: Artifact): readonly string[] {
  const metadata = isObject(artifact.metadata) ? artifact.metadata : {};
  const graph = isObject(metadata.open_graph) ? Object.values(metadata.open_graph) : [];
  const texts: unknown[] = [
    artifact.description,
    ...METADATA_WORDS.map((name) => metadata[name]),
    ...graph,
    pathWords(artifact.url),
  ];
  for (const asset of artifact.assets) {
    const { words } = ASSET_TYPES[String(asset.type)] ?? { words: [] };
    for (const name of words) texts.push(asset.content_format === 'text/html' ? withoutTags(asset[name]) : asset[name]);
    texts.push(pathWords(asset.url));
  }
  return texts.filter((text): text is string => typeof text === 'string' && text !== '');
}

/** Whether anything of an artifact can be read: a title, a paragraph, the words of a picture or a transcript. */
export function hasWords({ assets, description }: Artifact): boolean {
  if (typeof description === 'string' && description !== '') return true;
  return assets.some((asset) =>
    (ASSET_TYPES[String(asset.type)]?.words ?? []).some(
      (name) => typeof asset[name] === 'string' && asset[name] !== '',
    ),
  );
}

/** Returns the languages that an artifact's texts name, as primary subtags in lower case. */
export function listLanguages({ assets }: Artifact): readonly string[] {
  return [...new Set(assets.flatMap(({ language }) => (typeof language === 'string' ? primaryTag(language) : [])))];
}

/** Returns the primary subtag of a BCP 47 tag in lower case: `es` of `es-MX`. */
export function primaryTag(language: string): string {
  return language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
}

/** Returns the categories that an artifact's metadata names, in lower case. */
export function listCategories({ metadata }: Artifact): readonly string[] {
  if (!isObject(metadata)) return [];
  const graph = isObject(metadata.open_graph) ? metadata.open_graph : {};
  const linked = Array.isArray(metadata.json_ld) ? metadata.json_ld.filter(isObject) : [];
  const named = [
    metadata.categories,
    graph['article:section'],
    graph['article:tag'],
    ...linked.flatMap(({ articleSection, genre }) => [articleSection, genre]),
  ];
  return named.flat().flatMap((one) => (typeof one === 'string' && one !== '' ? one.trim().toLowerCase() : []));
}

/** Returns a score that an artifact's metadata gives it; undefined where it gives none. */
export function readScore({ metadata }: Artifact, name: string): number | undefined {
  const scores = isObject(metadata) && isObject(metadata.scores) ? metadata.scores : {};
  const score = Object.hasOwn(scores, name) ? scores[name] : undefined;
  return typeof score === 'number' ? score : undefined;
}

/** Returns the words of text, in lower case. */
export function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the path of a URL, which often says what is there; undefined for no URL. */
function pathWords(url: unknown): string | undefined {
  if (typeof url !== 'string' || !isUrl(url)) return undefined;
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Returns what is between the tags of a text in one pass, however it is written. */
function withoutTags(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf('<', from);
    if (open < 0) break;
    parts.push(text.slice(from, open));
    const close = text.indexOf('>', open);
    if (close < 0) return parts.join(' ');
    from = close + 1;
  }
  parts.push(text.slice(from));
  return parts.join(' ');
}
