import type {
  Dimensions,
  Format,
  FormatParameter,
  FormatType,
  IndividualSlot,
  Render,
  Requirements,
  Slot,
} from '../format.js';

/** A format before it has an owner: what the tables of the catalog hold. */
export type FormatRow = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: FormatType;
  /** Absent on a template, whose size or length comes with the format id. */
  readonly dimensions?: Dimensions;
  readonly parameters?: readonly FormatParameter[];
  readonly slots: readonly Slot[];
  /** Macros beyond those of the type. */
  readonly macros?: readonly string[];
  /** Ids of the formats of this house that a generative format makes. */
  readonly outputs?: readonly string[];
};

const MACROS = [
  'MEDIA_BUY_ID',
  'CREATIVE_ID',
  'CACHEBUSTER',
  'CLICK_URL',
  'DEVICE_TYPE',
  'GDPR',
  'GDPR_CONSENT',
  'US_PRIVACY',
  'GPP_STRING',
] as const;

const MACROS_BY_TYPE: Record<FormatType, readonly string[]> = {
  display: [],
  video: ['VIDEO_ID', 'POD_POSITION', 'CONTENT_GENRE'],
  audio: ['CONTENT_GENRE'],
  native: [],
  dooh: ['SCREEN_ID', 'VENUE_TYPE', 'VENUE_LAT', 'VENUE_LONG', 'TRANSIT_LINE'],
};

/** Returns a required slot. */
export function slot(
  asset_id: string,
  asset_type: IndividualSlot['asset_type'],
  requirements: Requirements = {},
): IndividualSlot {
  return { item_type: 'individual', asset_id, asset_type, required: true, requirements };
}

/** Returns the same slot, left to the buyer. */
export function optional(from: IndividualSlot): IndividualSlot {
  return { ...from, required: false };
}

/** Returns a slot with its role. */
export function inRole(asset_role: string, from: IndividualSlot): IndividualSlot {
  return { ...from, asset_role };
}

/** Returns a text slot of at most so many characters. */
export function text(asset_id: string, max_length: number): IndividualSlot {
  return slot(asset_id, 'text', { max_length });
}

/** Returns requirements of exactly this size in pixels. */
export function exactly(width: number, height: number): Readonly<Record<string, number>> {
  return { min_width: width, max_width: width, min_height: height, max_height: height };
}

/** Returns requirements of exactly this length. */
export function lasting(seconds: number): Readonly<Record<string, number>> {
  return { min_duration_ms: seconds * 1000, max_duration_ms: seconds * 1000 };
}

/** Requirements whose values the format id brings; a concrete format has the values instead. */
export const FROM_FORMAT_ID = { parameters_from_format_id: true } as const;

/** Returns a click-through that the buyer must bring, under the key `asset_id`. */
export function clickThrough(asset_id = 'click_url'): IndividualSlot {
  return inRole('clickthrough', slot(asset_id, 'url', { role: 'clickthrough' }));
}

function tracker(role: string): IndividualSlot {
  return inRole(role, optional(slot(role, 'url', { role, url_type: 'tracker_pixel', protocols: ['https'] })));
}

/** The three optional trackers of most formats. Kept as url slots: the public schema has no tracker slot. */
export const TRACKERS: readonly IndividualSlot[] = [
  tracker('impression_tracker'),
  tracker('viewability_tracker'),
  tracker('click_tracker'),
];

/** Size of a video player: the ratio alone. */
export const PLAYER: Dimensions = { aspect_ratio: '16:9' };

/** Size of a piece that takes on the width and height of its place. */
export const FLUID: Dimensions = { responsive: { width: true, height: true } };

/** Returns the format of a row, owned by `agentUrl`. */
export function buildFormat(row: FormatRow, agentUrl: string): Format {
  const { id, name, description, type, dimensions, parameters, slots, macros = [], outputs } = row;
  const render: Render =
    dimensions === undefined ? { parameters_from_format_id: true, role: 'primary' } : { role: 'primary', dimensions };
  return {
    format_id: { agent_url: agentUrl, id },
    name,
    description,
    type,
    accepts_parameters: parameters,
    renders: [render],
    assets: slots,
    assets_required: slots.filter((each) => each.required),
    supported_macros: listFormatMacros(type, macros),
    output_format_ids: outputs ? outputs.map((output) => ({ agent_url: agentUrl, id: output })) : undefined,
  };
}

/** Returns the macros of a format: those of every format, of its type, and its own. */
export function listFormatMacros(type: FormatType, own: readonly string[] = []): readonly string[] {
  return [...new Set([...MACROS, ...MACROS_BY_TYPE[type], ...own])];
}

/** Freezes a value and everything below it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
