import { withoutUndefined } from '../../platform/kernel/json/json.js';
import type { Brand, Offering } from '../compose/brand.js';
import type { Copy } from '../compose/copy/copy.js';
import { chooseFitting } from '../compose/copy/fitting.js';
import { tableOf } from '../compose/copy/language/index.js';
import { type Format, type GroupSlot, isGroup } from '../formats/format.js';
import { type Asset, isAsset, type Manifest } from '../formats/manifest.js';

/** The role of the text in a slot. */
type TextPart =
  | 'action'
  | 'sponsor'
  | 'label'
  | 'disclosure'
  | 'price'
  | 'prompt'
  | 'data'
  | 'body'
  | 'mention'
  | 'name'
  | 'headline';

/** By the name of the slot; the first that matches. */
const PARTS: readonly (readonly [RegExp, TextPart])[] = [
  [/cta|call_to_action|button/, 'action'],
  [/disclosure|disclaimer/, 'disclosure'],
  [/(?:sponsored|ad)_label$/, 'label'],
  [/sponsor|advertiser|author|brand/, 'sponsor'],
  [/^price$/, 'price'],
  [/prompt/, 'prompt'],
  [/pricing|currency|delivery_type|asset_type|format_type|specification|allocation/, 'data'],
  [/mention/, 'mention'],
  [/body|description|text|caption|subtitle/, 'body'],
  [/product_name|item_name|offering_name/, 'name'],
];

function textPart(assetId: string): TextPart {
  return PARTS.find(([name]) => name.test(assetId))?.[1] ?? 'headline';
}

/** The sources that texts are taken from. */
type TextSources = {
  readonly copy: Copy;
  readonly brand: Brand;
  readonly offering?: Offering;
  readonly message?: string;
  readonly source?: Manifest;
};

type Candidates = (words: TextSources) => readonly (string | undefined)[];

/** What a part may say, the best first. Data is never made up. */
const CANDIDATES: Readonly<Record<TextPart, Candidates>> = {
  action: ({ copy }) => [copy.callToAction],
  sponsor: ({ brand }) => [brand.name],
  label: ({ copy }) => [tableOf(copy.language).sponsored, 'Ad'],
  disclosure: ({ copy }) => [copy.legal, tableOf(copy.language).sponsored, 'Ad'],
  price: ({ copy, offering }) => (copy.leftOut?.includes('price') ? [] : [offering?.price]),
  prompt: ({ message, copy }) => [message, copy.headline],
  data: () => [],
  mention: ({ copy, brand }) => [
    [`${brand.name}: ${copy.headline}.`, copy.body].filter(Boolean).join(' '),
    `${brand.name}: ${copy.headline}`,
    copy.headline,
  ],
  body: ({ copy, offering, brand }) => [copy.body, offering?.description, brand.tagline, copy.headline],
  name: ({ copy, offering, brand }) => [offering?.name, copy.headline, brand.name],
  headline: ({ copy, offering, brand }) => [copy.headline, offering?.name, brand.tagline, brand.name],
};

/** Returns the text for a slot within its limits: the source's own first, shortened by whole words; undefined when there is nothing to say. */
export function chooseText(slot: GroupSlot, words: TextSources): string | undefined {
  const { max_length: most, min_length: least, allowed_values: allowed } = slot.requirements ?? {};
  const part = textPart(slot.asset_id);
  const candidates = [sourceText(words.source, slot.asset_id, part), ...CANDIDATES[part](words)];
  if (Array.isArray(allowed))
    return candidates.find((text) => allowed.includes(text)) ?? allowed.find((value) => typeof value === 'string');
  const fitting = chooseFitting(
    candidates,
    typeof most === 'number' ? most : 5000,
    typeof least === 'number' ? least : 0,
  );
  return fitting === '' ? undefined : fitting;
}

/** Returns a text of the source manifest for a slot: of the same name, else of the same part. */
function sourceText(source: Manifest | undefined, assetId: string, part: TextPart): string | undefined {
  const same = readTextAsset(source, assetId);
  return same ?? (part === 'data' ? undefined : sourceTexts(source).find((text) => text.part === part)?.content);
}

/** Returns the texts of a source manifest that the copywriter must keep. */
export function readGivenTexts(source: Manifest | undefined): {
  headline?: string;
  body?: string;
  callToAction?: string;
} {
  const texts = sourceTexts(source);
  const find = (part: TextPart): string | undefined => texts.find((text) => text.part === part)?.content;
  const given = { headline: find('headline') ?? find('name'), body: find('body'), callToAction: find('action') };
  return withoutUndefined(given);
}

/** Parts of a text slot that a layout sets. */
const LAID_OUT: ReadonlySet<TextPart> = new Set(['headline', 'name', 'body', 'action', 'disclosure']);

/** Returns the keys of a manifest's texts and logos that a layout sets, and that a format has no text slots of their own for. */
export function listUnslottedParts(source: Manifest | undefined, { assets }: Format): readonly string[] {
  const slotted = assets.flatMap((slot) =>
    !isGroup(slot) && slot.asset_type === 'text' ? [textPart(slot.asset_id)] : [],
  );
  return Object.entries(source?.assets ?? {}).flatMap(([key, entry]) => {
    const isLogo = isAsset(entry) && entry.asset_type === 'image' && key.includes('logo');
    const part = textPart(key);
    const isUnslotted = LAID_OUT.has(part) && !slotted.includes(part) && !key.includes('alt');
    const isText = isUnslotted && readTextAsset(source, key) !== undefined;
    return isLogo || isText ? [key] : [];
  });
}

/** Whether a text slot of this name is for a headline. */
export function isHeadline(assetId: string): boolean {
  const part = textPart(assetId);
  return part === 'headline' || part === 'name';
}

/** Whether a text slot of this name says what is offered: the headline, the text below it or the price. */
export function isAboutOffering(assetId: string): boolean {
  const part = textPart(assetId);
  return part === 'headline' || part === 'name' || part === 'body' || part === 'price';
}

/** Whether a text slot of this name is for the words of a button. */
export function isAction(assetId: string): boolean {
  return textPart(assetId) === 'action';
}

/** Whether a text slot of this name is for the text below a headline. */
export function isBody(assetId: string): boolean {
  return textPart(assetId) === 'body';
}

/** Whether a text slot of this name is for terms and disclosures. */
export function isDisclosure(assetId: string): boolean {
  return textPart(assetId) === 'disclosure';
}

/** Returns a manifest whose texts with names that a test accepts are changed; one that becomes undefined is left out. */
export function changeTexts(
  source: Manifest,
  isChanged: (assetId: string) => boolean,
  change: (text: string) => string | undefined,
): Manifest {
  const assets = Object.entries(source.assets).flatMap(([key, entry]) => {
    const text = isChanged(key) ? readTextAsset(source, key) : undefined;
    if (text === undefined) return [[key, entry] as const];
    const content = change(text);
    return content === undefined ? [] : [[key, { ...entry, content }] as const];
  });
  return { ...source, assets: Object.fromEntries(assets) };
}

function sourceTexts(source: Manifest | undefined): readonly { readonly part: TextPart; readonly content: string }[] {
  return Object.keys(source?.assets ?? {}).flatMap((key) => {
    const content = readTextAsset(source, key);
    return content === undefined ? [] : [{ part: textPart(key), content }];
  });
}

function readTextAsset(source: Manifest | undefined, key: string): string | undefined {
  const entry = source !== undefined && Object.hasOwn(source.assets, key) ? source.assets[key] : undefined;
  const asset: Asset | undefined = isAsset(entry) ? entry : undefined;
  const isText = asset?.asset_type === 'text' || (asset?.asset_type === undefined && asset?.url === undefined);
  return isText && asset?.content !== undefined && asset.content.trim() !== '' ? asset.content : undefined;
}
