/** The agent that owns a format and the id of the format there. Optional parameters select a size (pixels) or length of a template. */
export type FormatId = {
  readonly agent_url: string;
  readonly id: string;
  readonly width?: number;
  readonly height?: number;
  readonly duration_ms?: number;
};

/** The kinds of formats, as `type` of list_creative_formats names them. */
export const FORMAT_TYPES = ['display', 'video', 'audio', 'native', 'dooh'] as const;
export type FormatType = (typeof FORMAT_TYPES)[number];

/** Asset types that a slot may ask for. */
export const SLOT_ASSET_TYPES = [
  'image',
  'video',
  'audio',
  'text',
  'markdown',
  'html',
  'css',
  'javascript',
  'vast',
  'daast',
  'url',
  'webhook',
  'brief',
  'catalog',
] as const;
export type AssetType = (typeof SLOT_ASSET_TYPES)[number];

/** Requirements of a slot under their wire names. */
export type Requirements = Readonly<Record<string, unknown>>;

/** One asset that a manifest brings under the key `asset_id`. */
export type IndividualSlot = {
  readonly item_type: 'individual';
  readonly asset_id: string;
  readonly asset_type: AssetType;
  readonly required: boolean;
  readonly asset_role?: string;
  readonly requirements?: Requirements;
};

/** A slot inside a group. */
export type GroupSlot = Omit<IndividualSlot, 'item_type'>;

/** Assets that come several times over, such as the cards of a carousel. */
export type SlotGroup = {
  readonly item_type: 'repeatable_group';
  readonly asset_group_id: string;
  readonly required: boolean;
  readonly min_count: number;
  readonly max_count: number;
  readonly selection_mode?: 'sequential' | 'optimize';
  readonly assets: readonly GroupSlot[];
};

/** One place of a format for an asset, or for several of them. */
export type Slot = IndividualSlot | SlotGroup;

/** Whether a slot is a group that repeats. */
export function isGroup(slot: Slot): slot is SlotGroup {
  return slot.item_type === 'repeatable_group';
}

/** Size of a rendered piece, in pixels. Fixed, or fluid with at most limits and a ratio `w:h`. */
export type Dimensions = {
  readonly width?: number;
  readonly height?: number;
  readonly min_width?: number;
  readonly max_width?: number;
  readonly min_height?: number;
  readonly max_height?: number;
  readonly aspect_ratio?: string;
  readonly responsive?: { readonly width: boolean; readonly height: boolean };
};

/** One rendered piece: of a size, or (template formats) of the size and length that the format id names. */
export type Render = {
  readonly role: string;
  readonly dimensions?: Dimensions;
  readonly parameters_from_format_id?: true;
};

/** The parameters of a template format that a format id may set. */
export const FORMAT_PARAMETERS = ['dimensions', 'duration'] as const;
export type FormatParameter = (typeof FORMAT_PARAMETERS)[number];

/** A creative format as list_creative_formats publishes it. `assets_required` is derived: the required slots of `assets`. */
export type Format = {
  readonly format_id: FormatId;
  readonly name: string;
  readonly description: string;
  readonly type: FormatType;
  readonly example_url?: string;
  /** Present on a template: its format ids carry these parameters. */
  readonly accepts_parameters?: readonly FormatParameter[];
  readonly renders: readonly Render[];
  readonly assets: readonly Slot[];
  readonly assets_required: readonly Slot[];
  readonly supported_macros: readonly string[];
  /** What a generative format makes. */
  readonly output_format_ids?: readonly FormatId[];
  /** What a transforming format takes. */
  readonly input_format_ids?: readonly FormatId[];
  readonly accessibility?: {
    readonly wcag_level: 'A' | 'AA' | 'AAA';
    readonly requires_accessible_assets?: boolean;
  };
  readonly supported_disclosure_positions?: readonly string[];
  readonly disclosure_capabilities?: readonly {
    readonly position: string;
    readonly persistence: readonly string[];
  }[];
  readonly reported_metrics?: readonly string[];
};
