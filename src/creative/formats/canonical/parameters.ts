import { withoutUndefined } from '../../../platform/kernel/json/json.js';
import {
  type Dimensions,
  type Format,
  type GroupSlot,
  isGroup,
  type Requirements,
  type Slot,
  type SlotGroup,
} from '../format.js';
import type { SlotGroups } from './groups.js';
import { type Canonical, type CanonicalKind, pictureIn } from './kind.js';

/** The parameters of a canonical declaration under their wire names; members without a value are not written. */
export type Parameters = Readonly<Record<string, unknown>>;

const NONE: Requirements = {};

/** Values that the schemas of the canonical kinds have for containers, codecs and files; others are left out. */
const WORDS = {
  image: ['jpg', 'jpeg', 'png', 'gif', 'webp', 'svg'],
  native: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
  container: ['mp4', 'webm', 'mov'],
  video: ['h264', 'h265', 'vp8', 'vp9', 'av1', 'prores'],
  sound: ['mp3', 'aac', 'wav', 'opus', 'flac'],
} as const;

type FormatFacts = {
  readonly format: Format;
  /** The requirements of the slot that makes the kind. */
  readonly wants: Requirements;
  readonly groups: SlotGroups;
  readonly principal: Slot;
};

const BY_KIND: Readonly<Partial<Record<CanonicalKind, (facts: FormatFacts) => Parameters>>> = {
  image: (facts) => ({
    ...sizeOf(facts.format),
    ...pictureLimits(facts.wants, WORDS.image),
    pixel_ratios: densitiesOf(facts),
    headline_max_chars: maxLengthOf(facts.groups.get('headline')),
    body_text_max_chars: maxLengthOf(facts.groups.get('body_text')),
    cta_values: allowedValuesOf(facts.groups.get('cta')),
  }),
  html5: ({ format }) => fixedSize(format),
  display_tag: ({ format, wants, principal }) => ({
    ...fixedSize(format),
    supported_tag_types: !isGroup(principal) && principal.asset_type === 'javascript' ? ['javascript'] : undefined,
    ssl_required: wants.protocols === undefined ? undefined : true,
  }),
  image_carousel: ({ principal }) => (isGroup(principal) ? cardLimits(principal) : {}),
  video_hosted: ({ format, wants }) => ({
    ...lengthOf(wants),
    aspect_ratio: frameOf(format).aspect_ratio,
    ...sideLimits(wants),
    containers: keepAllowed(wants.containers, WORDS.container),
    video_codecs: keepAllowed(wants.codecs, WORDS.video),
  }),
  video_vast: ({ format, wants }) => ({
    ...lengthOf(wants),
    aspect_ratio: frameOf(format).aspect_ratio,
    vast_version: wants.vast_version,
  }),
  audio_hosted: ({ wants }) => ({ ...lengthOf(wants), audio_codecs: keepAllowed(wants.formats, WORDS.sound) }),
  audio_daast: ({ wants }) => ({ ...lengthOf(wants), daast_version: wants.daast_version }),
  native_in_feed: ({ groups }) => {
    const picture = requirementsOf(groups.get('main_image'));
    return {
      title_max_chars: maxLengthOf(groups.get('title')),
      body_text_max_chars: maxLengthOf(groups.get('body_text')),
      cta_max_chars: maxLengthOf(groups.get('cta')),
      cta_values: allowedValuesOf(groups.get('cta')),
      main_image_sizes: exactSizes(picture),
      max_image_file_size_kb: picture.max_file_size_kb,
      image_formats: keepAllowed(picture.formats, WORDS.native),
    };
  },
  sponsored_placement: ({ wants }) => ({
    supported_catalog_types: wants.catalog_type === undefined ? undefined : [wants.catalog_type],
  }),
};

/** Returns what a canonical kind is narrowed to by a format, the slots among it. */
export function describeParameters(
  format: Format,
  { kind, principal, assetSource }: Canonical,
  groups: SlotGroups,
): Parameters {
  const facts = { format, wants: requirementsOf(principal), groups, principal };
  // What an agent makes is limited by what it makes, not by the sentence that it is made from.
  const own = assetSource === undefined ? BY_KIND[kind]?.(facts) : madeParameters(format, kind);
  const slots = [...groups].map(([name, slot]) => describeSlot(name, slot, assetSource !== undefined));
  const all = { ...own, asset_source: assetSource, slots };
  return withoutUndefined(all);
}

function madeParameters(format: Format, kind: CanonicalKind): Parameters {
  return kind === 'image' ? sizeOf(format) : {};
}

function describeSlot(asset_group_id: string, slot: Slot, isMade: boolean): Parameters {
  if (isGroup(slot)) {
    const { required, min_count: min, max_count: max } = slot;
    return { asset_group_id, asset_type: 'card', required, min, max };
  }
  const { asset_type, required, requirements = NONE } = slot;
  const isText = asset_type === 'text' || asset_type === 'markdown';
  const isFile = asset_type === 'image' || asset_type === 'video' || asset_type === 'audio';
  return {
    asset_group_id,
    asset_type,
    required,
    max_chars: isText ? requirements.max_length : undefined,
    max_size_kb: isFile ? requirements.max_file_size_kb : undefined,
    consumed_for_production: isMade && asset_type !== 'url' ? true : undefined,
  };
}

function requirementsOf(slot: Slot | undefined): Requirements {
  return slot === undefined || isGroup(slot) ? NONE : (slot.requirements ?? NONE);
}

function maxLengthOf(slot: Slot | undefined): unknown {
  return requirementsOf(slot).max_length;
}

function allowedValuesOf(slot: Slot | undefined): unknown {
  return requirementsOf(slot).allowed_values;
}

/** Returns the values of a list that a schema knows; undefined where none is left. */
function keepAllowed(list: unknown, allowed: readonly string[]): readonly string[] | undefined {
  const left = Array.isArray(list) ? list.filter((one) => allowed.includes(one)) : [];
  return left.length === 0 ? undefined : left;
}

function frameOf({ renders }: Format): Dimensions {
  return renders[0]?.dimensions ?? {};
}

function sizeOf(format: Format): Parameters {
  const { aspect_ratio } = frameOf(format);
  return { ...fixedSize(format), aspect_ratio };
}

/** Returns the parameters of a size, which is told whole, or by its limits, or not at all. */
function fixedSize(format: Format): Parameters {
  const { width, height, min_width, max_width, min_height, max_height } = frameOf(format);
  if (width !== undefined && height !== undefined) return { width, height };
  return { min_width, max_width, min_height, max_height };
}

function sideLimits({ min_width, max_width, min_height, max_height }: Requirements): Parameters {
  return { min_width, max_width, min_height, max_height };
}

function pictureLimits({ max_file_size_kb, formats }: Requirements, allowed: readonly string[]): Parameters {
  return { max_file_size_kb, image_formats: keepAllowed(formats, allowed) };
}

/** Returns how many pixels a picture has each way for one of its place; undefined for one. */
function densitiesOf({ format, wants }: FormatFacts): readonly number[] | undefined {
  const { width } = frameOf(format);
  const { min_width: least, max_width: most } = wants;
  if (width === undefined || typeof least !== 'number' || least !== most || least === width) return undefined;
  return [least / width];
}

function exactSizes({ min_width, max_width, min_height, max_height }: Requirements): readonly object[] | undefined {
  const isExact = min_width !== undefined && min_width === max_width && min_height === max_height;
  return isExact ? [{ width: min_width, height: min_height }] : undefined;
}

function lengthOf({ min_duration_ms: least, max_duration_ms: most }: Requirements): Parameters {
  if (least === undefined && most === undefined) return {};
  if (least === most) return { duration_ms_exact: least };
  // The tags' schemas know no open end.
  return typeof most === 'number' ? { duration_ms_range: [least ?? 0, most] } : {};
}

function cardLimits(group: SlotGroup): Parameters {
  const { assets, min_count, max_count } = group;
  const text = (name: string): GroupSlot | undefined => assets.find(({ asset_id }) => asset_id === name);
  const picture = assets.find(({ asset_type }) => asset_type === 'image');
  return {
    min_cards: min_count < 2 ? undefined : min_count,
    max_cards: max_count,
    allowed_card_media_asset_types: [pictureIn(group)?.asset_type],
    card_image_max_file_size_kb: picture?.requirements?.max_file_size_kb,
    card_headline_max_chars: text('headline')?.requirements?.max_length,
    card_description_max_chars: text('description')?.requirements?.max_length,
  };
}
