import { findUrlFault, WEB_PROTOCOLS } from '../asset-url.js';
import type { AssetType, Format, GroupSlot, Requirements } from '../formats/format.js';
import type { Asset, Manifest } from '../formats/manifest.js';
import { declaredFacts, mergeFacts } from './facts.js';
import { type AssetProbe, type Examined, examine } from './file.js';
import { type Finding, pointerTo, type Rule, type Subject } from './finding.js';
import { CONTENT_RULES } from './rules/content.js';
import { MEDIA_RULES } from './rules/media.js';
import { type Filled, fillSlots } from './slots.js';

/** The arguments of `checkManifest`. Without `probe` what the buyer declares is believed. */
type CheckRequest = {
  readonly manifest: Manifest;
  readonly format: Format;
  readonly probe?: AssetProbe | undefined;
  /** Whether keys that the format does not know are errors; otherwise they are warnings. */
  readonly strictKeys?: boolean;
};

/** Every requirement there is, in the order in which findings come. */
export const RULES: readonly Rule[] = [...MEDIA_RULES, ...CONTENT_RULES];

/**
 * Holds a manifest against its format: slots, every requirement of each, and what the files really are. Answers everything that
 * is wrong or worth a word, missing slots first; throws nothing of its own.
 */
export async function checkManifest(request: CheckRequest): Promise<readonly Finding[]> {
  const { manifest, format, probe, strictKeys = false } = request;
  const { filled, findings } = fillSlots(manifest, format, strictKeys);
  const judged = await Promise.all(filled.map((each) => checkAsset(each, probe, format)));
  return [...findings, ...judged.flat()];
}

/** Returns the type that an asset is judged as: its own where it says one, else that of its slot. */
export function judgedAssetType(asset: Asset, slot: GroupSlot): string {
  return asset.asset_type ?? slot.asset_type;
}

/** Types that a slot takes beside its own. */
const ALSO_TAKEN: Readonly<Partial<Record<AssetType, readonly string[]>>> = {
  url: ['pixel_tracker', 'vast_tracker', 'daast_tracker'],
  video: ['vast'],
  audio: ['daast'],
  text: ['markdown'],
  markdown: ['text'],
  html: ['zip'],
};

/** A finding about an asset before its pointer is known. */
type FindingDraft = Omit<Finding, 'asset_id' | 'pointer' | 'code'> & {
  readonly at?: string;
  readonly code?: Finding['code'];
};

async function checkAsset(
  { slot, asset, path }: Filled,
  probe: AssetProbe | undefined,
  format: Format,
): Promise<readonly Finding[]> {
  const given = judgedAssetType(asset, slot);
  const locate = ({ at = '', code = 'VALIDATION_ERROR', message, ...draft }: FindingDraft): Finding => ({
    ...draft,
    code,
    asset_id: slot.asset_id,
    pointer: pointerTo(at === '' ? path : [...path, at]),
    message: `${slot.asset_id} ${message}`,
  });
  if (given !== slot.asset_type && !ALSO_TAKEN[slot.asset_type]?.includes(given)) {
    return [
      locate(
        draftError({
          keyword: 'asset_type',
          message: `is of type ${given}; the slot takes ${slot.asset_type}.`,
          found: given,
          wanted: slot.asset_type,
          at: 'asset_type',
        }),
      ),
    ];
  }
  const type = judgedType(given, slot);
  const form = checkForm(asset, type, format);
  if (form.some(({ severity }) => severity === 'error')) return form.map(locate);
  const examined = await examine(asset, type, probe);
  const isBroken = examined.remarks.some(({ severity }) => severity === 'error');
  const remarks = examined.remarks.map((remark) => ({
    ...remark,
    at: asset.content === undefined ? 'url' : 'content',
  }));
  return [...form, ...remarks, ...(isBroken ? [] : applyRules(asset, slot.requirements ?? {}, examined))].map(locate);
}

/**
 * Returns the type that an asset is judged as: a tag in a video slot as the video that it names, a text in a markdown
 * slot as markdown.
 */
function judgedType(given: string, slot: GroupSlot): AssetType {
  return slot.asset_type === 'video' || slot.asset_type === 'audio' || given !== slot.asset_type
    ? slot.asset_type
    : (given as AssetType);
}

function applyRules(
  asset: Asset,
  requirements: Requirements,
  { type, facts, seen }: Examined,
): readonly FindingDraft[] {
  const rules = RULES.filter((rule) => requirements[rule.keyword] !== undefined && rule.types.includes(type));
  if (rules.length === 0) return [];
  const subject: Subject = { type, asset, requirements, facts: mergeFacts(declaredFacts(asset, type), facts) };
  const verdicts = rules.map((rule) => ({ rule, verdict: rule.judge(requirements[rule.keyword], subject) }));
  const unknown = verdicts.filter(({ verdict }) => verdict === 'unknown').map(({ rule }) => rule.keyword);
  return [
    ...verdicts.flatMap(({ rule: { keyword, at }, verdict }): FindingDraft[] =>
      verdict === undefined || verdict === 'unknown' ? [] : [{ severity: 'error', keyword, at, ...verdict }],
    ),
    ...(unknown.length === 0 ? [] : [noteUnverified(unknown, seen)]),
  ];
}

function noteUnverified(keywords: readonly string[], seen: boolean): FindingDraft {
  const list = [...new Set(keywords.map(nameProperty))].join(', ');
  const why = seen
    ? 'the file does not say, and the asset does not declare it'
    : 'the file was not read, and the asset does not declare it';
  return {
    severity: 'warning',
    keyword: 'unverified',
    message: `was not checked for its ${list}: ${why}.`,
    found: '',
    wanted: list,
  };
}

/** Returns the property that a requirement bounds as people call it: `max_file_size_kb` is about the file size. */
function nameProperty(keyword: string): string {
  return keyword
    .replace(/^(?:min|max)_/, '')
    .replace(/_(?:kb|mb|ms|kbps|seconds|dbfs|lufs|required|allowed)$/, '')
    .replaceAll('_', ' ');
}

type Fault = Pick<FindingDraft, 'keyword' | 'message' | 'found' | 'wanted' | 'at'>;

function draftError(fault: Fault): FindingDraft {
  return { severity: 'error', at: '', ...fault };
}

/** The members without which an asset of a type is nothing; one of each row will do. */
const REQUIRED_MEMBERS: Readonly<Partial<Record<AssetType, readonly (readonly string[])[]>>> = {
  image: [['url']],
  video: [['url', 'content']],
  audio: [['url', 'content']],
  text: [['content']],
  markdown: [['content']],
  html: [['content', 'url']],
  css: [['content']],
  javascript: [['content', 'url']],
  vast: [['url', 'content']],
  daast: [['url', 'content']],
  url: [['url']],
  webhook: [['url']],
};

/** Faults that need no knowledge of the slot: members that are missing, URLs that must not be followed, markup in text. */
function checkForm(asset: Asset, type: AssetType, format: Format): readonly FindingDraft[] {
  const missing = (REQUIRED_MEMBERS[type] ?? []).filter((names) => names.every((name) => !asset[name]));
  if (missing.length > 0) {
    return missing.map((names) => {
      const wanted = names.join(' or ');
      return draftError({ keyword: 'required', message: `lacks ${wanted}.`, found: 'nothing', wanted, at: names[0] });
    });
  }
  const url = asset.url === undefined ? undefined : checkAssetUrl(asset.url, type);
  return [...(url ? [url] : []), ...findMarkup(asset, type), ...checkAccessibility(asset, type, format)];
}

const EMBEDDED_IMAGE = /^data:image\/(?:png|jpe?g|gif|webp|avif|svg\+xml);base64,/;

function checkAssetUrl(url: string, type: AssetType): FindingDraft | undefined {
  if (type === 'image' && EMBEDDED_IMAGE.test(url)) return undefined;
  const fault = findUrlFault(url, WEB_PROTOCOLS);
  return fault && draftError({ ...fault, message: `${fault.message}.`, at: 'url' });
}

/** Returns a finding for a tag in a text slot, whose text is shown as it stands and never run. */
function findMarkup({ content = '' }: Asset, type: AssetType): readonly FindingDraft[] {
  const tag = type === 'text' || type === 'markdown' ? /<[a-z!/][^<>]{0,100}/i.exec(content)?.[0] : undefined;
  if (tag === undefined) return [];
  return [
    {
      severity: 'warning',
      keyword: 'markup',
      at: 'content',
      message: 'has markup; it is shown as text.',
      found: tag,
      wanted: 'plain text',
    },
  ];
}

function checkAccessibility(
  { alt_text, captions_url }: Asset,
  type: AssetType,
  { accessibility }: Format,
): readonly FindingDraft[] {
  if (accessibility?.requires_accessible_assets !== true) return [];
  if (type === 'image' && !alt_text)
    return [
      draftError({
        keyword: 'alt_text',
        message: 'needs an alt_text.',
        found: 'nothing',
        wanted: 'a text',
        at: 'alt_text',
      }),
    ];
  if (type === 'video' && !captions_url) {
    return [
      draftError({
        keyword: 'captions_url',
        message: 'needs captions.',
        found: 'nothing',
        wanted: 'a URL of captions',
        at: 'captions_url',
      }),
    ];
  }
  return [];
}
