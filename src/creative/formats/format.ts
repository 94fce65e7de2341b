import { TaskError } from '../../platform/kernel/errors.js';
import { isUrl } from '../../platform/net/url.js';
import type { FormatId } from '../../seller/domain/product/product.js';
import { type Dimensions, type Format, HOUSE_FORMAT_IDS, type Slot } from './catalog/catalog.js';

export {
  type AssetType,
  type Dimensions,
  FORMAT_TYPES,
  type Format,
  type FormatParameter,
  type FormatType,
  type GroupSlot,
  HOUSE_FORMAT_IDS,
  houseFormats,
  type IndividualSlot,
  type Render,
  type Requirements,
  type Slot,
  type SlotGroup,
} from './catalog/catalog.js';
export { concreteFormat, MAX_SIDE_PX } from './catalog/parameters.js';

const ID = /^[a-zA-Z0-9_-]+$/;
const MAX_ECHOED_ID_CHARS = 64;

/**
 * Reads a format reference (facts E.1): an object with the strings `agent_url` and `id`, and the whole numbers
 * `width` and `height` (both or none) and `duration_ms`. Throws INVALID_FORMAT_ID at `field`, showing the right object.
 */
export function parseFormatId(value: unknown, field: string): FormatId {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(field, 'A format id is an object, not a name alone.', value);
  }
  const { agent_url, id, width, height, duration_ms } = value as Readonly<Record<string, unknown>>;
  if (typeof id !== 'string' || !ID.test(id)) {
    throw invalid(`${field}.id`, 'A format id needs an `id` of letters, digits, "_" and "-".', id);
  }
  if (typeof agent_url !== 'string' || agent_url === '') {
    throw invalid(`${field}.agent_url`, 'A format id needs the `agent_url` of the agent that owns the format.', id);
  }
  if ((width === undefined) !== (height === undefined)) {
    throw invalid(field, 'A format id has `width` and `height` together or neither.', id);
  }
  return {
    agent_url,
    id,
    ...size('width', width, field, id),
    ...size('height', height, field, id),
    ...size('duration_ms', duration_ms, field, id),
  };
}

function size(name: 'width' | 'height' | 'duration_ms', value: unknown, field: string, id: string): Partial<FormatId> {
  if (value === undefined) return {};
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return { [name]: value };
  throw invalid(`${field}.${name}`, `\`${name}\` of a format id is a whole number of at least 1.`, id);
}

function invalid(field: string, message: string, given: unknown): TaskError {
  const usable = typeof given === 'string' && given.length <= MAX_ECHOED_ID_CHARS && ID.test(given);
  const example = {
    agent_url: 'https://creative.example.com/creative/mcp',
    id: usable ? given : 'display_300x250_image',
  };
  return new TaskError('INVALID_FORMAT_ID', message, {
    field,
    suggestion: `Send an object such as ${JSON.stringify(example)}, copied from a product's format_ids or from list_creative_formats.`,
  });
}

/** A format as version 3.0 can carry it: that schema refuses every macro of its own list, so `supported_macros` stays out. */
export function formatFor30(format: Format): Omit<Format, 'supported_macros'> {
  const { supported_macros: _left, ...rest } = format;
  return rest;
}

/**
 * The format meant by a reference: one of ours under any agent_url is ours, parameters kept; anything else stays as it is.
 * `ours` holds the ids of the whole catalog where a seller has added formats of its own.
 */
export function resolveFormatId(
  ref: FormatId,
  houseAgentUrl: string,
  ours: ReadonlySet<string> = HOUSE_FORMAT_IDS,
): FormatId {
  return ours.has(ref.id) ? { ...ref, agent_url: houseAgentUrl } : ref;
}

/** Whether two references mean the same format: same owner after URL canonicalisation, same id, same parameters (facts E.1). */
export function sameFormat(
  a: FormatId,
  b: FormatId,
  houseAgentUrl: string,
  ours: ReadonlySet<string> = HOUSE_FORMAT_IDS,
): boolean {
  if (a.id !== b.id || a.width !== b.width || a.height !== b.height || a.duration_ms !== b.duration_ms) return false;
  const left = resolveFormatId(a, houseAgentUrl, ours).agent_url;
  const right = resolveFormatId(b, houseAgentUrl, ours).agent_url;
  return left === right || canonicalUrl(left) === canonicalUrl(right);
}

/** Lower-case scheme and host, no default port, dot segments resolved, no fragment, no trailing slash; text that is no URL stays. */
export function canonicalUrl(text: string): string {
  if (!isUrl(text)) return text;
  const { protocol, host, pathname, search } = new URL(text);
  const path = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return `${protocol}//${host}${path}${search}`;
}

/** The address of the agent that owns the house formats, whatever tenant names them. */
export function formatOwnerUrl(baseUrl: string): string {
  return `${baseUrl}/creative/mcp`;
}

/** The filters of list_creative_formats that are decided here (facts C.2). Sizes in pixels, inclusive. */
export type FormatFilters = {
  readonly format_ids?: readonly FormatId[] | undefined;
  readonly type?: string | undefined;
  readonly asset_types?: readonly string[] | undefined;
  readonly max_width?: number | undefined;
  readonly max_height?: number | undefined;
  readonly min_width?: number | undefined;
  readonly min_height?: number | undefined;
  readonly is_responsive?: boolean | undefined;
  readonly name_search?: string | undefined;
  /** At least this level. */
  readonly wcag_level?: string | undefined;
  /** All of these. */
  readonly disclosure_positions?: readonly string[] | undefined;
  /** All of these, each at some position. */
  readonly disclosure_persistence?: readonly string[] | undefined;
  /** Formats that make one of these. */
  readonly output_format_ids?: readonly FormatId[] | undefined;
  /** Formats that take one of these. */
  readonly input_format_ids?: readonly FormatId[] | undefined;
};

const WCAG_LEVELS: readonly string[] = ['A', 'AA', 'AAA'];

type FormatRule = (format: Format, filters: FormatFilters) => boolean;

const RULES: readonly FormatRule[] = [
  (format, { format_ids }) => !format_ids || format_ids.some((ref) => isMeantBy(ref, format)),
  (format, { type }) => !type || format.type === type,
  ({ assets }, { asset_types }) =>
    !asset_types || assets.some((slot) => assetTypes(slot).some((type) => asset_types.includes(type))),
  ({ renders }, filters) => renders.some(({ dimensions }) => fits(dimensions ?? {}, filters)),
  (format, { is_responsive }) => is_responsive === undefined || isResponsive(format) === is_responsive,
  ({ name }, { name_search }) => !name_search || name.toLowerCase().includes(name_search.trim().toLowerCase()),
  ({ accessibility }, { wcag_level }) =>
    !wcag_level || WCAG_LEVELS.indexOf(accessibility?.wcag_level ?? '') >= WCAG_LEVELS.indexOf(wcag_level),
  (format, { disclosure_positions = [] }) => disclosure_positions.every((each) => positionsOf(format).includes(each)),
  ({ disclosure_capabilities = [] }, { disclosure_persistence = [] }) =>
    disclosure_persistence.every((each) =>
      disclosure_capabilities.some(({ persistence }) => persistence.includes(each)),
    ),
  (format, { output_format_ids }) => linksTo(format.output_format_ids, output_format_ids, format),
  (format, { input_format_ids }) => linksTo(format.input_format_ids, input_format_ids, format),
];

/** The formats that pass every filter given, in their order. A `format_ids` entry nobody knows just does not appear. */
export function filterFormats(formats: readonly Format[], filters: FormatFilters): readonly Format[] {
  return formats.filter((format) => RULES.every((passes) => passes(format, filters)));
}

/** A template is meant by any reference to it, with parameters or without. */
function isMeantBy(ref: FormatId, format: Format): boolean {
  const { agent_url, id } = format.format_id;
  const asked = format.accepts_parameters === undefined ? ref : { agent_url: ref.agent_url, id: ref.id };
  return sameFormat(asked, format.format_id, agent_url, new Set([id]));
}

function linksTo(
  linked: readonly FormatId[] = [],
  wanted: readonly FormatId[] | undefined,
  { format_id }: Format,
): boolean {
  return !wanted || linked.some((own) => wanted.some((ref) => sameFormat(ref, own, format_id.agent_url)));
}

function positionsOf({ supported_disclosure_positions = [], disclosure_capabilities = [] }: Format): readonly string[] {
  return [...supported_disclosure_positions, ...disclosure_capabilities.map(({ position }) => position)];
}

function assetTypes(slot: Slot): readonly string[] {
  return slot.item_type === 'individual' ? [slot.asset_type] : slot.assets.map((each) => each.asset_type);
}

/** A side that is not fixed fits every limit. */
function fits({ width, height }: Dimensions, filters: FormatFilters): boolean {
  return within(width, filters.min_width, filters.max_width) && within(height, filters.min_height, filters.max_height);
}

function within(pixels: number | undefined, least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return pixels === undefined || (pixels >= least && pixels <= most);
}

function isResponsive(format: Format): boolean {
  return format.renders.some(
    ({ dimensions }) => dimensions?.responsive?.width === true || dimensions?.responsive?.height === true,
  );
}
