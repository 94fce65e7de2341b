import { isObject } from '../../platform/kernel/json/json.js';
import { TaskError } from '../../protocol/errors.js';
import { judgedAssetType } from '../check/check.js';
import { fillSlots } from '../check/slots.js';
import type { Offering } from '../compose/brand.js';
import type { Format, GroupSlot, Slot, SlotGroup } from '../formats/format.js';

import type { Asset, AssetEntry, GroupItem, Manifest } from '../formats/manifest.js';
import { isAsset, splitNumberedKey } from '../formats/manifest.js';
import { fillTemplate, pageSlot, templateValue } from '../formats/template.js';
import { fillText } from '../macros/fill.js';
import { fillSlot, htmlAsset } from './fill-slot.js';
import { reportChanges } from './report.js';
import { type BuildSession, listTrackers, narrowBrand, openSession } from './session.js';
import type { BuildOrder, BuiltCreative } from './types.js';

/**
 * Builds a creative for a format: from a message and a brand alone, or out of the assets of a source manifest. Every required slot is
 * filled, the source's trackers and macros stay, and the same order gives the same bytes. Throws VALIDATION_ERROR (422) naming the slot
 * that nothing can fill, and for source assets that cannot be used.
 */
export async function buildCreative(order: BuildOrder): Promise<BuiltCreative> {
  requirePictureAddresses(order);
  const session = await openSession(order);
  const { format, sourceManifest, template } = order;
  const page = template === undefined ? undefined : pageSlot(format.assets);
  const filled: (readonly [string, AssetEntry])[] = [];
  for (const slot of listSlots(format)) {
    // The page is made of the others, whatever the source has in its place.
    if (slot === page) continue;
    if (slot.item_type === 'repeatable_group') filled.push(...(await fillGroup(slot, session)));
    else {
      const asset = await fillSlot(slot, session);
      if (asset !== undefined) filled.push([slot.asset_id, asset]);
    }
  }
  const trackers = listTrackers(session).map(({ key, asset }): readonly [string, Asset] => [key, asset]);
  const { format_id: _id, assets: _assets, ...carried } = sourceManifest ?? { assets: {} };
  const assets = Object.fromEntries([...trackers, ...filled]);
  if (template !== undefined && page !== undefined)
    assets[page.asset_id] = htmlAsset(page, fillPage(template, assets, order), session);
  const manifest: Manifest = { ...dropFormatReferences(carried), format_id: format.format_id, assets };
  const reports = reportChanges(session, manifest);
  return {
    manifest,
    files: session.files,
    notes: [...reports.map(({ text }) => text), ...session.notes],
    copy: session.copy,
    reports,
  };
}

/** Throws VALIDATION_ERROR at a picture of the source that has no address: it would be passed over, and another drawn in its place. */
function requirePictureAddresses({ sourceManifest, field = 'creative_manifest' }: BuildOrder): void {
  for (const [key, entry] of Object.entries(sourceManifest?.assets ?? {})) {
    const list: readonly (Asset | GroupItem)[] = isAsset(entry) ? [entry] : entry;
    const isBare = list.some((one) => one.asset_type === 'image' && !one.url);
    if (!isBare) continue;
    throw new TaskError('VALIDATION_ERROR', 'A picture has no address.', {
      field: `${field}.assets.${key}`,
      suggestion: 'Send its url, or leave the asset out to have a picture made.',
    });
  }
}

/** Returns the seller's own page around the assets. */
function fillPage(template: string, assets: Manifest['assets'], { format, macros = {} }: BuildOrder): string {
  const values = fillSlots({ assets }, format, false).filled.map(({ slotPath, slot, asset }) => {
    const { kind, text } = templateValue(judgedAssetType(asset, slot), asset);
    // Addresses have their macros already.
    return [slotPath, { kind, text: kind === 'text' ? fillText(text, macros) : text }] as const;
  });
  return fillTemplate(template, new Map(values), macros);
}

/** Ways in which a manifest of 3.1 names its format; the source's would contradict the target's. */
function dropFormatReferences(carried: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { format_kind: _kind, format_option_ref: _option, capability_id: _capability, ...rest } = carried;
  return rest;
}

/** Returns the format's slots; a generative format that is built directly gets what it generates beside its prompt. */
function listSlots(format: Format): Format['assets'] {
  const isVisible = format.assets.some((slot) => slot.item_type !== 'individual' || VISIBLE.has(slot.asset_type));
  const hasPrompt = format.assets.some((slot) => slot.item_type === 'individual' && slot.asset_id.includes('prompt'));
  return isVisible || !hasPrompt ? format.assets : [...format.assets, ...GENERATED[format.type]];
}

const IMAGE: Slot = { item_type: 'individual', asset_id: 'banner_image', asset_type: 'image', required: true };
const VIDEO: Slot = { item_type: 'individual', asset_id: 'video_file', asset_type: 'video', required: true };
const AUDIO: Slot = { item_type: 'individual', asset_id: 'audio_file', asset_type: 'audio', required: true };
const CLICK: Slot = {
  item_type: 'individual',
  asset_id: 'click_url',
  asset_type: 'url',
  required: false,
  requirements: { role: 'clickthrough' },
};

const GENERATED: Readonly<Record<Format['type'], readonly Slot[]>> = {
  display: [IMAGE, CLICK],
  native: [IMAGE, CLICK],
  dooh: [IMAGE],
  video: [VIDEO, CLICK],
  audio: [AUDIO],
};

const VISIBLE: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'html', 'javascript', 'vast', 'daast']);

/**
 * Returns the repetitions of a group under numbered keys (`card_0_image`), which are assets in every release: those of the source, else
 * one for each offering.
 */
async function fillGroup(
  group: SlotGroup,
  session: BuildSession,
): Promise<readonly (readonly [key: string, entry: AssetEntry])[]> {
  const { sourceManifest, brand } = session.order;
  const own = listOwnRepetitions(group, sourceManifest?.assets ?? {});
  if (own.length > 0) return own;
  const { offerings } = brand;
  if (!group.required && offerings.length < group.min_count) return [];
  const count = Math.min(group.max_count, Math.max(group.min_count, offerings.length));
  const filled: (readonly [string, Asset])[] = [];
  for (let index = 0; index < count; index += 1)
    filled.push(...numberItem(group, await fillItem(group, session, index, offerings[index]), index));
  return filled;
}

/** Returns what a source has for a group, under the group's own key or under numbered ones. */
function listOwnRepetitions(
  group: SlotGroup,
  assets: Manifest['assets'],
): readonly (readonly [key: string, entry: AssetEntry])[] {
  const { asset_group_id: id } = group;
  const own = Object.hasOwn(assets, id) ? assets[id] : undefined;
  if (own === undefined) return Object.entries(assets).filter(([key]) => splitNumberedKey(group, key) !== undefined);
  if (!isGroupItems(own)) return [[id, own]];
  return own.flatMap((item, index) => numberItem(group, item, index));
}

function isGroupItems(entry: AssetEntry): entry is readonly GroupItem[] {
  return Array.isArray(entry) && entry.every((item) => Object.values(item).every(isObject));
}

function numberItem(
  { asset_group_id }: SlotGroup,
  item: GroupItem,
  index: number,
): readonly (readonly [key: string, asset: Asset])[] {
  return Object.entries(item).map(([name, asset]) => [`${asset_group_id}_${index}_${name}`, asset]);
}

/** Returns one repetition about one offering; beyond the offerings, about what else there is to say. */
async function fillItem(
  group: SlotGroup,
  session: BuildSession,
  index: number,
  offering: Offering | undefined,
): Promise<GroupItem> {
  const { order, copy } = session;
  const lines = [copy.headline, copy.body, order.brand.tagline, order.brand.name].filter((line) => line !== undefined);
  const line = offering?.name ?? lines[(index - order.brand.offerings.length) % lines.length] ?? copy.headline;
  const itemSession: BuildSession = {
    ...session,
    order: { ...order, brand: narrowBrand(order.brand, offering) },
    copy: { ...copy, headline: line },
    offering: offering ?? session.offering,
    clickUrl: offering?.url ?? session.clickUrl,
  };
  const assets: (readonly [string, Asset])[] = [];
  for (const slot of group.assets) {
    const asset = await fillSlot(nameRepetition(slot, group, index), itemSession);
    if (asset !== undefined) assets.push([slot.asset_id, asset]);
  }
  return Object.fromEntries(assets);
}

/** Files say which repetition they belong to; the manifest keeps the slot's own name. */
function nameRepetition(slot: GroupSlot, { asset_group_id }: SlotGroup, index: number): GroupSlot {
  return slot.asset_type === 'image' ? { ...slot, asset_id: `${asset_group_id}_${index}_${slot.asset_id}` } : slot;
}
