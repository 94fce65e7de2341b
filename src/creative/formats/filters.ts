import type { Dimensions, Format, FormatId, Slot } from './format.js';
import { isSameFormat } from './format-id.js';

/** The filters of list_creative_formats that are decided here. Sizes in pixels, inclusive. */
type FormatFilters = {
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
  ({ renders }, filters) => renders.some(({ dimensions }) => isFitting(dimensions ?? {}, filters)),
  (format, { is_responsive }) => is_responsive === undefined || isResponsive(format) === is_responsive,
  ({ name }, { name_search }) => !name_search || name.toLowerCase().includes(name_search.trim().toLowerCase()),
  ({ accessibility }, { wcag_level }) =>
    !wcag_level || WCAG_LEVELS.indexOf(accessibility?.wcag_level ?? '') >= WCAG_LEVELS.indexOf(wcag_level),
  (format, { disclosure_positions = [] }) => disclosure_positions.every((each) => listPositions(format).includes(each)),
  ({ disclosure_capabilities = [] }, { disclosure_persistence = [] }) =>
    disclosure_persistence.every((each) =>
      disclosure_capabilities.some(({ persistence }) => persistence.includes(each)),
    ),
  (format, { output_format_ids }) => hasLinkTo(format.output_format_ids, output_format_ids, format),
  (format, { input_format_ids }) => hasLinkTo(format.input_format_ids, input_format_ids, format),
];

/** Returns the formats that pass every filter given, in their order. A `format_ids` entry nobody knows does not appear. */
export function filterFormats(formats: readonly Format[], filters: FormatFilters): readonly Format[] {
  return formats.filter((format) => RULES.every((passes) => passes(format, filters)));
}

/** Whether a reference means a format; a template is meant with parameters or without. */
export function isMeantBy(ref: FormatId, format: Format): boolean {
  const { agent_url, id } = format.format_id;
  const asked = format.accepts_parameters === undefined ? ref : { agent_url: ref.agent_url, id: ref.id };
  return isSameFormat(asked, format.format_id, agent_url, new Set([id]));
}

function hasLinkTo(
  linked: readonly FormatId[] = [],
  wanted: readonly FormatId[] | undefined,
  { format_id }: Format,
): boolean {
  return !wanted || linked.some((own) => wanted.some((ref) => isSameFormat(ref, own, format_id.agent_url)));
}

function listPositions({
  supported_disclosure_positions = [],
  disclosure_capabilities = [],
}: Format): readonly string[] {
  return [...supported_disclosure_positions, ...disclosure_capabilities.map(({ position }) => position)];
}

function assetTypes(slot: Slot): readonly string[] {
  return slot.item_type === 'individual' ? [slot.asset_type] : slot.assets.map((each) => each.asset_type);
}

/** Whether a side fits the limits; one that is not fixed fits every limit. */
function isFitting({ width, height }: Dimensions, filters: FormatFilters): boolean {
  return (
    isWithin(width, filters.min_width, filters.max_width) && isWithin(height, filters.min_height, filters.max_height)
  );
}

function isWithin(pixels: number | undefined, least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return pixels === undefined || (pixels >= least && pixels <= most);
}

function isResponsive(format: Format): boolean {
  return format.renders.some(
    ({ dimensions }) => dimensions?.responsive?.width === true || dimensions?.responsive?.height === true,
  );
}
