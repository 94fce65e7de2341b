import type { FormatId } from './product.js';

/** What a format is shown as (spec 2, list_creative_formats `type`). */
export const FORMAT_TYPES = ['display', 'video', 'audio', 'native', 'dooh'] as const;
export type FormatType = (typeof FORMAT_TYPES)[number];

/** Asset types a slot may ask for (facts E.3). */
export type AssetType = 'image' | 'video' | 'audio' | 'text' | 'html' | 'javascript' | 'vast' | 'url';

/** One asset a manifest brings under the key `asset_id` (facts E.3); requirements as in facts E.5. */
export type IndividualSlot = {
  readonly item_type: 'individual';
  readonly asset_id: string;
  readonly asset_type: AssetType;
  readonly required: boolean;
  readonly asset_role?: string;
  readonly requirements?: Readonly<Record<string, unknown>>;
};

/** Assets that come several times over, such as the cards of a carousel (facts E.3). */
export type SlotGroup = {
  readonly item_type: 'repeatable_group';
  readonly asset_group_id: string;
  readonly required: boolean;
  readonly min_count: number;
  readonly max_count: number;
  readonly assets: readonly Omit<IndividualSlot, 'item_type'>[];
};

export type Slot = IndividualSlot | SlotGroup;

/** Size of a rendered piece, in pixels. Fixed, or fluid with at most a ratio. */
export type Dimensions = {
  readonly width?: number;
  readonly height?: number;
  readonly aspect_ratio?: string;
  readonly responsive?: { readonly width: boolean; readonly height: boolean };
};

/** A creative format as list_creative_formats publishes it (facts E.2). `assets_required` is derived: the required slots of `assets`. */
export type Format = {
  readonly format_id: FormatId;
  readonly name: string;
  readonly description: string;
  readonly type: FormatType;
  readonly renders: readonly { readonly role: string; readonly dimensions: Dimensions }[];
  readonly assets: readonly Slot[];
  readonly assets_required: readonly Slot[];
  readonly supported_macros: readonly string[];
};

type FormatRow = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly type: FormatType;
  readonly dimensions: Dimensions;
  readonly slots: readonly IndividualSlot[];
  readonly macros?: readonly string[];
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

const WIDESCREEN = { width: 1920, height: 1080 } as const;
const PLAYER: Dimensions = { aspect_ratio: '16:9' };
const FLUID: Dimensions = { responsive: { width: true, height: true } };

function slot(
  asset_id: string,
  asset_type: AssetType,
  requirements: IndividualSlot['requirements'] = {},
): IndividualSlot {
  return { item_type: 'individual', asset_id, asset_type, required: true, requirements };
}

function optional(from: IndividualSlot): IndividualSlot {
  return { ...from, required: false };
}

function tracker(role: string): IndividualSlot {
  return {
    ...optional(slot(role, 'url', { role, url_type: 'tracker_pixel', protocols: ['https'] })),
    asset_role: role,
  };
}

function exactly(width: number, height: number): Record<string, number> {
  return { min_width: width, max_width: width, min_height: height, max_height: height };
}

const CLICK: IndividualSlot = { ...slot('click_url', 'url', { role: 'clickthrough' }), asset_role: 'clickthrough' };
const TRACKERS: readonly IndividualSlot[] = [
  tracker('impression_tracker'),
  tracker('viewability_tracker'),
  tracker('click_tracker'),
];

/** Width, height, trade name and the largest file, in kilobytes. */
const BANNER_SIZES = [
  [300, 250, 'Medium Rectangle', 200],
  [728, 90, 'Leaderboard', 150],
  [320, 50, 'Mobile Banner', 50],
  [160, 600, 'Wide Skyscraper', 150],
  [336, 280, 'Large Rectangle', 200],
  [300, 600, 'Half Page', 300],
  [970, 250, 'Billboard', 400],
] as const;

/** Id, length in seconds, name. */
const SPOTS = [
  ['video_standard_15s', 15, 'Standard Video 15s'],
  ['video_standard_30s', 30, 'Standard Video 30s'],
] as const;
const ALIAS_SPOTS = [
  ['video_15s', 15],
  ['video_30s', 30],
] as const;
const CTV_BREAKS = [
  ['preroll', 'before the programme'],
  ['midroll', 'within the programme'],
] as const;
const AUDIO_SPOTS = [
  ['audio_standard_15s', 15, 'Standard Audio 15s'],
  ['audio_standard_30s', 30, 'Standard Audio 30s'],
  ['audio_standard_60s', 60, 'Standard Audio 60s'],
  ['audio_30s', 30, 'Audio 30s'],
] as const;
const SCREENS = [
  ['dooh_billboard_1920x1080', 'Digital Billboard 1920x1080', 'billboard_image', WIDESCREEN],
  ['dooh_transit_screen', 'Transit Screen', 'screen_image', WIDESCREEN],
  ['dooh_billboard_landscape', 'Digital Billboard, Landscape', 'billboard_image', { aspect_ratio: '16:9' }],
  ['dooh_billboard_portrait', 'Digital Billboard, Portrait', 'billboard_image', { aspect_ratio: '9:16' }],
] as const;

function bannerImage(asset_id: string, [width, height, , kilobytes]: (typeof BANNER_SIZES)[number]): IndividualSlot {
  return slot(asset_id, 'image', {
    ...exactly(width, height),
    formats: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
    max_file_size_kb: kilobytes,
  });
}

function banner(size: (typeof BANNER_SIZES)[number]): FormatRow {
  const [width, height, name] = size;
  return {
    id: `display_${width}x${height}_image`,
    name: `${name} ${width}x${height}, Image`,
    description: `A ${width}x${height} banner from one static image with a click-through.`,
    type: 'display',
    dimensions: { width, height },
    slots: [bannerImage('banner_image', size), CLICK, ...TRACKERS],
  };
}

/** The short ids that buyers' tools use; an image alone is enough for them. */
function plainBanner(size: (typeof BANNER_SIZES)[number]): FormatRow {
  const [width, height, name] = size;
  const headline = optional(slot('headline', 'text', { max_length: 90 }));
  return {
    id: `display_${width}x${height}`,
    name: `${name} ${width}x${height}`,
    description: `A ${width}x${height} banner from an image, with an optional click-through and headline.`,
    type: 'display',
    dimensions: { width, height },
    slots: [bannerImage('image', size), optional(CLICK), headline, ...TRACKERS],
  };
}

function videoFile(asset_id: string, limits: Record<string, unknown>): IndividualSlot {
  return slot(asset_id, 'video', { containers: ['mp4', 'mov', 'webm'], ...limits });
}

function lasting(seconds: number): Record<string, number> {
  return { min_duration_ms: seconds * 1000, max_duration_ms: seconds * 1000 };
}

function sizedVideo(width: number, height: number): FormatRow {
  return {
    id: `video_${width}x${height}`,
    name: `Video ${width}x${height}`,
    description: `A hosted video file of exactly ${width}x${height} pixels.`,
    type: 'video',
    dimensions: { width, height },
    slots: [videoFile('video_file', exactly(width, height)), ...TRACKERS],
  };
}

const ROWS: readonly FormatRow[] = [
  ...BANNER_SIZES.map(banner),
  ...BANNER_SIZES.map(plainBanner),
  ...SPOTS.map(
    ([id, seconds, name]): FormatRow => ({
      id,
      name,
      description: `A hosted video spot of exactly ${seconds} seconds for in-stream players.`,
      type: 'video',
      dimensions: PLAYER,
      slots: [videoFile('video_file', lasting(seconds)), ...TRACKERS],
    }),
  ),
  ...ALIAS_SPOTS.map(
    ([id, seconds]): FormatRow => ({
      id,
      name: `Video ${seconds}s`,
      description: `A video spot of ${seconds} seconds with an optional click-through.`,
      type: 'video',
      dimensions: PLAYER,
      slots: [videoFile('video', lasting(seconds)), optional(CLICK), ...TRACKERS],
    }),
  ),
  {
    id: 'video_vast_30s',
    name: 'VAST Video 30s',
    description: 'A 30-second video spot served by a VAST tag.',
    type: 'video',
    dimensions: PLAYER,
    slots: [slot('vast_tag', 'vast', { vast_version: '4.2' })],
  },
  ...CTV_BREAKS.map(
    ([position, when]): FormatRow => ({
      id: `video_ctv_${position}_30s`,
      name: `CTV ${position === 'preroll' ? 'Pre-roll' : 'Mid-roll'} 30s`,
      description: `A full-screen 30-second spot on connected TV, ${when}.`,
      type: 'video',
      dimensions: PLAYER,
      slots: [videoFile('video_file', { ...lasting(30), containers: ['mp4', 'mov'] }), ...TRACKERS],
      macros: ['PLAYER_SIZE'],
    }),
  ),
  sizedVideo(1920, 1080),
  sizedVideo(1280, 720),
  ...AUDIO_SPOTS.map(
    ([id, seconds, name]): FormatRow => ({
      id,
      name,
      description: `An audio spot of exactly ${seconds} seconds.`,
      type: 'audio',
      dimensions: {},
      slots: [slot('audio_file', 'audio', { ...lasting(seconds), formats: ['mp3', 'aac'] }), ...TRACKERS],
    }),
  ),
  {
    id: 'native_standard',
    name: 'Native Standard',
    description: 'A native placement set in the look of the page: title, description, image and call to action.',
    type: 'native',
    dimensions: FLUID,
    slots: [
      slot('title', 'text', { max_length: 50 }),
      slot('description', 'text', { max_length: 150 }),
      slot('main_image', 'image', { formats: ['jpg', 'jpeg', 'png', 'webp'] }),
      slot('cta_text', 'text', { max_length: 20 }),
      slot('sponsored_by', 'text', { max_length: 30 }),
      optional(slot('icon', 'image', { formats: ['jpg', 'jpeg', 'png', 'webp'] })),
      ...TRACKERS,
    ],
  },
  {
    id: 'native_content',
    name: 'Native Content',
    description: 'Sponsored content in a feed: headline, body, thumbnail, click-through and a disclosure.',
    type: 'native',
    dimensions: FLUID,
    slots: [
      slot('headline', 'text', { max_length: 90 }),
      slot('body', 'text', { max_length: 500 }),
      slot('thumbnail', 'image', { formats: ['jpg', 'jpeg', 'png', 'webp'] }),
      CLICK,
      slot('disclosure', 'text', { max_length: 50 }),
      optional(slot('author', 'text', { max_length: 50 })),
      ...TRACKERS,
    ],
  },
  ...SCREENS.map(
    ([id, name, asset_id, dimensions]): FormatRow => ({
      id,
      name,
      description: `A still image on a public digital screen, ${'width' in dimensions ? '1920x1080' : `ratio ${dimensions.aspect_ratio}`}.`,
      type: 'dooh',
      dimensions,
      slots: [
        slot(asset_id, 'image', {
          ...('width' in dimensions ? exactly(dimensions.width, dimensions.height) : dimensions),
          formats: ['jpg', 'jpeg', 'png'],
        }),
        ...TRACKERS,
      ],
    }),
  ),
];

/** The ids of the formats that this seller owns. */
export const HOUSE_FORMAT_IDS: ReadonlySet<string> = new Set(ROWS.map((row) => row.id));

/** Every format of the house under `agentUrl`, banners first, deep-frozen. Build once per agent URL. */
export function houseFormats(agentUrl: string): readonly Format[] {
  return deepFreeze(ROWS.map((row) => buildFormat(row, agentUrl)));
}

function buildFormat(
  { id, name, description, type, dimensions, slots, macros = [] }: FormatRow,
  agentUrl: string,
): Format {
  return {
    format_id: { agent_url: agentUrl, id },
    name,
    description,
    type,
    renders: [{ role: 'primary', dimensions }],
    assets: slots,
    assets_required: slots.filter((each) => each.required),
    supported_macros: [...MACROS, ...MACROS_BY_TYPE[type], ...macros],
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
