import { isObject } from '../../../platform/kernel/json/json.js';
import { type Format, isGroup, type Slot, type SlotGroup } from '../format.js';
import { type Canonical, type CanonicalKind, pictureIn } from './kind.js';

type Assets = Readonly<Record<string, unknown>>;

/** The canonical name of the asset that makes a format its kind, where the kind has one. */
const PRINCIPAL: Readonly<Partial<Record<CanonicalKind, { readonly type: string; readonly group: string }>>> = {
  image: { type: 'image', group: 'image_main' },
  video_hosted: { type: 'video', group: 'video_main' },
  video_vast: { type: 'vast', group: 'vast_tag' },
  audio_hosted: { type: 'audio', group: 'audio_main' },
  audio_daast: { type: 'daast', group: 'daast_tag' },
  sponsored_placement: { type: 'catalog', group: 'source_catalog' },
  display_tag: { type: 'url', group: 'tag_url' },
};

/** The name of the cards of a carousel. */
const CARDS = 'cards';

/** Canonical names of assets by the names that formats here have for them: core/asset-group-vocabulary.json of the public schemas. */
const USUAL: Readonly<Record<string, string>> = {
  click_url: 'landing_page_url',
  cta_url: 'landing_page_url',
  cta_text: 'cta',
  body: 'body_text',
  description: 'body_text',
  captions_file: 'subtitle_file',
  brief: 'creative_brief',
};

/** Names that mean something else in a native format than elsewhere. */
const NATIVE: Readonly<Record<string, string>> = {
  ...USUAL,
  headline: 'title',
  mention_text: 'title',
  thumbnail: 'main_image',
  image: 'main_image',
  sponsored_by: 'advertiser_name',
  disclosure: 'sponsored_label',
};

/** The slots of a format by their canonical names; a slot without one has its own. */
export type SlotGroups = ReadonlyMap<string, Slot>;

/** Gives the slots of a format their canonical names. */
export function nameSlots({ assets }: Format, { kind, principal }: Canonical): SlotGroups {
  const named = new Map<string, Slot>();
  const words = kind === 'native_in_feed' ? NATIVE : USUAL;
  for (const slot of assets) {
    const own = ownName(slot);
    const canonical = slot === principal ? principalName(slot, kind, words[own]) : words[own];
    const isTaken = canonical === undefined || named.has(canonical) || assets.some((one) => ownName(one) === canonical);
    named.set(isTaken ? own : canonical, slot);
  }
  return named;
}

/** Returns the name that a format has for the asset or the group of a slot. */
function ownName(slot: Slot): string {
  return isGroup(slot) ? slot.asset_group_id : slot.asset_id;
}

function principalName(slot: Slot, kind: CanonicalKind, usual: string | undefined): string | undefined {
  if (isGroup(slot)) return CARDS;
  const row = PRINCIPAL[kind];
  return row?.type === slot.asset_type ? row.group : usual;
}

/** Returns the canonical names of a format's slots by the names that the format has for them. */
export function canonicalNames(groups: SlotGroups): ReadonlyMap<string, string> {
  return new Map([...groups].map(([name, slot]) => [ownName(slot), name]));
}

/** Returns the assets of a manifest under the names that the format has for them; assets that it has under its own names stay. */
export function toOwnAssets(groups: SlotGroups, assets: Assets): Assets {
  const own = Object.entries(assets).map(([name, value]) => {
    const slot = groups.get(name);
    if (slot === undefined) return [name, value] as const;
    return [ownName(slot), isGroup(slot) ? [value].flat().map((card) => toRepetition(slot, card)) : value] as const;
  });
  return Object.fromEntries(own);
}

/** Returns the assets of a format under their canonical names. */
export function toCanonicalAssets(groups: SlotGroups, assets: Assets): Assets {
  const names = new Map([...groups].map(([name, slot]) => [ownName(slot), { name, slot }]));
  const named = Object.entries(assets).map(([own, value]) => {
    const group = names.get(own);
    if (group === undefined) return [own, value] as const;
    const { name, slot } = group;
    return [name, isGroup(slot) ? [value].flat().map((one) => toCard(slot, one)) : value] as const;
  });
  return Object.fromEntries(named);
}

/** The texts of a card that are strings in the protocol and assets in a format. */
const CARD_TEXTS = ['headline', 'description', 'cta'] as const;

function linkIn({ assets }: SlotGroup): string {
  return assets.find(({ requirements }) => requirements?.role === 'clickthrough')?.asset_id ?? 'click_url';
}

function toRepetition(group: SlotGroup, card: unknown): unknown {
  if (!isObject(card) || card.asset_type !== 'card') return card;
  const { media, landing_page_url: link } = card;
  const texts = CARD_TEXTS.filter((name) => typeof card[name] === 'string').map((name) => {
    const text = { asset_type: 'text', content: card[name] };
    return [name, text] as const;
  });
  return {
    [pictureIn(group)?.asset_id ?? 'image']: media,
    ...Object.fromEntries(texts),
    ...(link === undefined ? {} : { [linkIn(group)]: link }),
  };
}

function toCard(group: SlotGroup, repetition: unknown): unknown {
  if (!isObject(repetition)) return repetition;
  const media = repetition[pictureIn(group)?.asset_id ?? 'image'];
  if (!isObject(media)) return repetition;
  const texts = CARD_TEXTS.flatMap((name) => {
    const text = repetition[name];
    return isObject(text) && typeof text.content === 'string' ? [[name, text.content] as const] : [];
  });
  return {
    asset_type: 'card',
    media,
    ...Object.fromEntries(texts),
    landing_page_url: repetition[linkIn(group)],
  };
}
