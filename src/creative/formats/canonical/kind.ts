import { type AssetType, type Format, type IndividualSlot, isGroup, type Slot, type SlotGroup } from '../format.js';

/** The canonical kinds of formats: https://docs.adcontextprotocol.org, "Canonical formats". */
export const CANONICAL_KINDS = [
  'image',
  'html5',
  'display_tag',
  'image_carousel',
  'video_hosted',
  'video_vast',
  'audio_hosted',
  'audio_daast',
  'sponsored_placement',
  'native_in_feed',
  'responsive_creative',
  'agent_placement',
  'custom',
] as const;
export type CanonicalKind = (typeof CANONICAL_KINDS)[number];

/** A format in canonical terms: its kind, the slot that makes it that kind, and where the finished asset comes from. */
export type Canonical = {
  readonly kind: CanonicalKind;
  readonly principal: Slot;
  /** Absent: the buyer brings it. */
  readonly assetSource?: 'agent_synthesized';
};

type Kinds = readonly (readonly [type: AssetType, kind: CanonicalKind])[];

/** The kind that an asset makes its format; of several the first row counts. */
const TAGS: Kinds = [
  ['vast', 'video_vast'],
  ['daast', 'audio_daast'],
];
const PLAYED: Kinds = [
  ['video', 'video_hosted'],
  ['audio', 'audio_hosted'],
];
const SHOWN: Kinds = [
  ['html', 'html5'],
  ['javascript', 'display_tag'],
  ['image', 'image'],
];
const FED: Kinds = [
  ['catalog', 'sponsored_placement'],
  ['url', 'display_tag'],
];

/** Returns what a format is in canonical terms; undefined for one that is of no canonical kind. */
export function readCanonical(format: Format): Canonical | undefined {
  const prompt = format.assets.find((slot) => !isGroup(slot) && slot.asset_role === 'generation_prompt');
  if (prompt !== undefined) {
    return { kind: madeKind(format), principal: prompt, assetSource: 'agent_synthesized' };
  }
  const cards = format.assets.find((slot) => isGroup(slot) && pictureIn(slot) !== undefined);
  if (cards !== undefined) return { kind: 'image_carousel', principal: cards };
  const slots = format.assets.filter((slot): slot is IndividualSlot => !isGroup(slot));
  const [first] = slots;
  if (format.type === 'native' && first !== undefined) return { kind: 'native_in_feed', principal: first };
  const order = isPlayed(format) ? [...TAGS, ...PLAYED, ...SHOWN, ...FED] : [...TAGS, ...SHOWN, ...PLAYED, ...FED];
  return (
    findPrincipal(
      slots.filter(({ required }) => required),
      order,
    ) ?? findPrincipal(slots, order)
  );
}

/** Returns the slot of a card's picture or film. */
export function pictureIn({ assets }: SlotGroup): SlotGroup['assets'][number] | undefined {
  return assets.find(({ asset_type }) => asset_type === 'image' || asset_type === 'video');
}

function isPlayed({ type }: Format): boolean {
  return type === 'video' || type === 'audio';
}

function madeKind({ type }: Format): CanonicalKind {
  if (type === 'native') return 'native_in_feed';
  if (type === 'audio') return 'audio_hosted';
  return type === 'video' ? 'video_hosted' : 'image';
}

/** Trackers and click-throughs make no format. */
function findPrincipal(slots: readonly IndividualSlot[], order: Kinds): Canonical | undefined {
  const made = slots.filter(({ asset_role }) => asset_role === undefined);
  for (const [type, kind] of order) {
    const principal = made.find(({ asset_type }) => asset_type === type);
    if (principal !== undefined) return { kind, principal };
  }
  return undefined;
}
