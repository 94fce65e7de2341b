import { isDeeperThan, isObject } from '../../platform/kernel/json/json.js';
import { type ErrorCode, type Issue, TaskError } from '../../protocol/errors.js';
import type { FormatId } from './format.js';
import { SLOT_ASSET_TYPES } from './format.js';
import { parseFormatId } from './format-id.js';

/** The asset types that a manifest may bring: those of slots, and those that 3.1 added. */
export const ASSET_TYPES = [
  ...SLOT_ASSET_TYPES,
  'zip',
  'pixel_tracker',
  'vast_tracker',
  'daast_tracker',
  'card',
  'published_post',
] as const;
type ManifestAssetType = (typeof ASSET_TYPES)[number];

/**
 * One asset under its wire names, sizes in pixels; other fields are carried. Its type says which fields it needs, or the slot that it
 * fills where it names none.
 */
export type Asset = {
  readonly asset_type?: ManifestAssetType;
  readonly url?: string;
  readonly content?: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration_ms?: number;
  readonly file_size_bytes?: number;
  readonly format?: string;
  readonly alt_text?: string;
  readonly url_type?: string;
  readonly delivery_type?: string;
  readonly language?: string;
  readonly [field: string]: unknown;
};

/** One repetition of a repeatable group: its assets by their ids within the group. */
export type GroupItem = Readonly<Record<string, Asset>>;

/** The value of a key of a manifest: an asset, several of them (3.1), or the repetitions of a group. */
export type AssetEntry = Asset | readonly Asset[] | readonly GroupItem[];

/** The material of one creative: a format and assets by slot. Other fields are kept. */
export type Manifest = {
  readonly format_id?: FormatId;
  /** The format in canonical terms, as it came. */
  readonly format_kind?: unknown;
  readonly format_option_ref?: unknown;
  readonly assets: Readonly<Record<string, AssetEntry>>;
  readonly [field: string]: unknown;
};

/** The offer of a brand, as generation reads it; an older form that carries no asset_type. */
type PromotedOfferings = {
  /** The brand as an object, or the address of one. */
  readonly brand_manifest?: Readonly<Record<string, unknown>> | string;
  readonly offerings: readonly Readonly<Record<string, unknown>>[];
};

const MAX_ASSETS = 200;
const MAX_LEVELS = 32;
const MAX_CONTENT_CHARS = 2_000_000;
const MAX_URL_CHARS = 8_000_000;
const MAX_FIELD_CHARS = 10_000;
const KEY = /^[A-Za-z0-9_-]{1,100}$/;

/** The key of the one asset that has no type. */
const OFFERINGS = 'promoted_offerings';

/** HTTP-style statuses of creative errors. */
const CREATIVE_STATUS: Partial<Record<ErrorCode, 400 | 404 | 422>> = {
  INVALID_FORMAT_ID: 400,
  INVALID_REQUEST: 400,
  REFERENCE_NOT_FOUND: 404,
  FORMAT_NOT_SUPPORTED: 404,
  CREATIVE_NOT_FOUND: 404,
  VALIDATION_ERROR: 422,
  COMPLIANCE_UNSATISFIED: 422,
  CREATIVE_VALUE_NOT_ALLOWED: 422,
  PROVENANCE_REQUIRED: 422,
  PROVENANCE_DIGITAL_SOURCE_TYPE_MISSING: 422,
  PROVENANCE_DISCLOSURE_MISSING: 422,
  PROVENANCE_EMBEDDED_MISSING: 422,
  PROVENANCE_VERIFIER_NOT_ACCEPTED: 422,
  EVALUATOR_AGENT_NOT_ACCEPTED: 422,
};

/**
 * Returns the status that a creative task gives beside an error code: 400 bad manifest or format_id, 404 not here, 422 does not
 * fit. Undefined for codes of other kinds.
 */
export function creativeStatus(code: ErrorCode): 400 | 404 | 422 | undefined {
  return CREATIVE_STATUS[code];
}

/**
 * Reads a creative manifest at `field` of the arguments; `format_id` may be missing where the caller knows the format. Throws
 * INVALID_FORMAT_ID for one that is no object, INVALID_REQUEST (400) with every other fault in `issues`.
 */
export function readManifest(value: unknown, field: string): Manifest {
  if (!isObject(value)) throw notAManifest(field, [fault([], 'A creative manifest is an object.', 'type')]);
  if (isDeeperThan(value, MAX_LEVELS)) {
    throw notAManifest(field, [fault([], `A creative manifest is nested at most ${MAX_LEVELS} deep.`, 'maxDepth')]);
  }
  const { format_id, assets, ...rest } = value;
  const format = format_id === undefined ? {} : { format_id: parseFormatId(format_id, `${field}.format_id`) };
  const entries: Record<string, unknown> = isObject(assets) ? assets : {};
  const issues = assets === undefined || isObject(assets) ? checkAssets(entries) : [NO_ASSETS];
  if (issues.length > 0) throw notAManifest(field, issues);
  return { ...rest, ...format, assets: entries as Manifest['assets'] };
}

/** Returns the brand and offerings of a manifest in the older form, `inline_offerings` and `offerings` alike; undefined when it has none. */
export function promotedOfferings(manifest: Manifest): PromotedOfferings | undefined {
  const given: unknown = manifest.assets[OFFERINGS];
  if (!isObject(given)) return undefined;
  const { brand_manifest: brand, inline_offerings, offerings } = given;
  const listed: unknown = inline_offerings ?? offerings;
  return {
    brand_manifest: isObject(brand) || typeof brand === 'string' ? brand : undefined,
    offerings: Array.isArray(listed) ? listed.filter(isObject) : [],
  };
}

/** A group by its id and those of its slots. */
type NumberedGroup = { readonly asset_group_id: string; readonly assets: readonly { readonly asset_id: string }[] };

/**
 * Returns the slot and the repetition that a numbered key names, such as `card_0_image` of the group `card`; undefined for any other key.
 */
export function splitNumberedKey(
  { asset_group_id, assets }: NumberedGroup,
  key: string,
): { readonly name: string; readonly repetition: number } | undefined {
  const slot = assets.find(({ asset_id }) => key.endsWith(`_${asset_id}`) && key.startsWith(`${asset_group_id}_`));
  const number = slot && key.slice(asset_group_id.length + 1, -(slot.asset_id.length + 1));
  return number !== undefined && /^\d{1,4}$/.test(number)
    ? { name: slot?.asset_id ?? '', repetition: Number(number) }
    : undefined;
}

/** Whether a value under a manifest key is one asset, not several. */
export function isAsset(entry: AssetEntry | undefined): entry is Asset {
  return isObject(entry);
}

/** Returns the first asset under a key; undefined when there is none. */
export function assetAt(manifest: Manifest, key: string): Asset | undefined {
  if (!Object.hasOwn(manifest.assets, key)) return undefined;
  const entry = manifest.assets[key];
  return isAsset(entry) ? entry : (entry?.[0] as Asset | undefined);
}

type Path = readonly (string | number)[];

const NO_ASSETS = fault(['assets'], '`assets` is an object with one member per slot of the format.', 'type');

function checkAssets(entries: Record<string, unknown>): readonly Issue[] {
  const keys = Object.keys(entries);
  if (keys.length > MAX_ASSETS) {
    return [fault(['assets'], `A manifest has at most ${MAX_ASSETS} assets.`, 'maxProperties')];
  }
  return keys.flatMap((key) =>
    KEY.test(key)
      ? checkEntry(entries[key], ['assets', key], key)
      : [fault(['assets'], 'The name of an asset is made of letters, digits, "_" and "-".', 'propertyNames')],
  );
}

function checkEntry(entry: unknown, path: Path, key: string): readonly Issue[] {
  if (!Array.isArray(entry)) return key === OFFERINGS && isObject(entry) ? [] : checkAsset(entry, path);
  if (entry.length > MAX_ASSETS) return [fault(path, `At most ${MAX_ASSETS} assets stand in one slot.`, 'maxItems')];
  return entry.flatMap((item, index) => {
    const at = [...path, index];
    if (!isObject(item) || !isGroupItem(item)) return checkAsset(item, at);
    return Object.entries(item).flatMap(([name, asset]) => checkAsset(asset, [...at, name]));
  });
}

/** Whether an entry is a repetition of a group: it holds assets and nothing that an asset has of its own. */
function isGroupItem(item: Record<string, unknown>): boolean {
  if ('asset_type' in item || 'url' in item || 'content' in item) return Object.values(item).every(isObject);
  return Object.values(item).some(isObject);
}

type FieldRule = { readonly is: (value: unknown) => boolean; readonly wanted: string };

function string(max: number): FieldRule {
  return {
    is: (value) => typeof value === 'string' && value.length <= max,
    wanted: `a string of at most ${max} characters`,
  };
}

const WHOLE: FieldRule = {
  is: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  wanted: 'a whole number, 0 or more',
};
const NUMBER: FieldRule = {
  is: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  wanted: 'a number greater than 0',
};
const TYPES: ReadonlySet<unknown> = new Set(ASSET_TYPES);

/** The fields that every reader of an asset relies on. */
const FIELDS: Readonly<Record<string, FieldRule>> = {
  asset_type: { is: (value) => TYPES.has(value), wanted: `one of ${ASSET_TYPES.join(', ')}` },
  url: string(MAX_URL_CHARS),
  content: string(MAX_CONTENT_CHARS),
  width: NUMBER,
  height: NUMBER,
  duration_ms: NUMBER,
  file_size_bytes: WHOLE,
  format: string(100),
  alt_text: string(MAX_FIELD_CHARS),
  url_type: string(100),
  delivery_type: string(100),
  language: string(100),
};

function checkAsset(asset: unknown, path: Path): readonly Issue[] {
  if (!isObject(asset)) {
    return [fault(path, 'An asset is an object with its fields, such as {"asset_type":"text","content":"…"}.', 'type')];
  }
  return Object.entries(FIELDS).flatMap(([name, rule]) =>
    asset[name] === undefined || rule.is(asset[name])
      ? []
      : [fault([...path, name], `\`${name}\` is ${rule.wanted}.`, name === 'asset_type' ? 'enum' : 'type')],
  );
}

function fault(path: Path, message: string, keyword: string): Issue {
  return { pointer: path.map((segment) => `/${segment}`).join(''), message, keyword };
}

/** Pointers so far begin at the manifest; here they get to begin at the arguments. */
function notAManifest(field: string, issues: readonly Issue[]): TaskError {
  const base = field.replaceAll(/\[(\d+)\]/g, '.$1').replaceAll('.', '/');
  const [first] = issues;
  return new TaskError('INVALID_REQUEST', first?.message ?? 'The creative manifest cannot be read.', {
    field: `${field}${fieldOf(first?.pointer ?? '')}`,
    issues: issues.slice(0, 50).map((issue) => ({ ...issue, pointer: `/${base}${issue.pointer}` })),
    suggestion: 'Send {"format_id": {"agent_url", "id"}, "assets": {<asset_id>: {"asset_type", …}}}.',
  });
}

function fieldOf(pointer: string): string {
  return pointer.replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]').replaceAll('/', '.');
}
