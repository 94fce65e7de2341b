import { isObject } from '../../platform/kernel/json/json.js';
import type { Format, GroupSlot, IndividualSlot, Slot, SlotGroup } from '../formats/format.js';

import { type Asset, isAsset, type Manifest } from '../formats/manifest.js';
import { type Finding, pointerTo } from './finding.js';

/** A slot and an asset that fills it. */
export type Filled = {
  readonly slot: GroupSlot;
  readonly asset: Asset;
  /** Leads to the asset from the root of the manifest. */
  readonly path: readonly (string | number)[];
  /** Its place in the format, however the manifest writes it: `quote`, `photo[1]` of several in one slot, `cards[0].title` in a group. */
  readonly slotPath: string;
};

/** The slots of a format with the assets of a manifest in them, and what is missing, too much or unknown. */
type Filling = { readonly filled: readonly Filled[]; readonly findings: readonly Finding[] };

/** The part of a manifest that speaks of the offer in the older form and has no asset type. */
const OFFERINGS = 'promoted_offerings';

/**
 * Puts the assets of a manifest into the slots of its format; every missing slot is a finding. A repeatable group is taken as an array
 * under its id, as keys `card_0_image` or `image_0`, or (3.1) as arrays under the ids within it.
 */
export function fillSlots(manifest: Manifest, format: Format, strictKeys: boolean): Filling {
  const used = new Set<string>();
  const parts = format.assets.map((slot) =>
    slot.item_type === 'individual' ? fillOne(slot, manifest, used) : fillGroup(slot, format, manifest, used),
  );
  if (isGenerative(format)) used.add(OFFERINGS);
  const unknown = Object.keys(manifest.assets).filter((key) => !used.has(key));
  return {
    filled: parts.flatMap(({ filled }) => filled),
    findings: [
      ...parts.flatMap(({ findings }) => findings),
      ...unknown.map((key) => unknownKey(key, format, strictKeys)),
    ],
  };
}

function fillOne(slot: IndividualSlot, { assets }: Manifest, used: Set<string>): Filling {
  const entry = Object.hasOwn(assets, slot.asset_id) ? assets[slot.asset_id] : undefined;
  used.add(slot.asset_id);
  const path = ['assets', slot.asset_id];
  if (isAsset(entry)) return { filled: [{ slot, asset: entry, path, slotPath: slot.asset_id }], findings: [] };
  const several = (entry ?? []) as readonly Asset[];
  if (several.length > 0) {
    const filled = several.map((asset, index) => {
      return { slot, asset, path: [...path, index], slotPath: `${slot.asset_id}[${index}]` };
    });
    return { filled, findings: [] };
  }
  return { filled: [], findings: slot.required && !hasSubstitute(slot, assets) ? [findMissing(slot, path)] : [] };
}

/** Whether something else in the manifest says what a missing slot would have said. */
function hasSubstitute(slot: IndividualSlot, assets: Manifest['assets']): boolean {
  const hasBrief = Object.values(assets).some((entry) => isAsset(entry) && entry.asset_type === 'brief');
  const hasOffer = Object.hasOwn(assets, OFFERINGS);
  if (slot.asset_role === 'generation_prompt') return hasBrief || hasOffer;
  return slot.asset_type === 'catalog' && hasOffer;
}

function isGenerative(format: Format): boolean {
  const prompts = (slot: Slot) => slot.item_type === 'individual' && slot.asset_role === 'generation_prompt';
  const catalogs = (slot: Slot) => slot.item_type === 'individual' && slot.asset_type === 'catalog';
  return format.output_format_ids !== undefined || format.assets.some((slot) => prompts(slot) || catalogs(slot));
}

type Member = Omit<Filled, 'slotPath'> & { readonly repetition: number };

function fillGroup(group: SlotGroup, format: Format, { assets }: Manifest, used: Set<string>): Filling {
  const taken = new Set(format.assets.flatMap((slot) => (slot.item_type === 'individual' ? [slot.asset_id] : [])));
  const members = Object.entries(assets).flatMap(([key, entry]) => {
    if (taken.has(key)) return [];
    const entries = membersAt(group, key, entry);
    if (entries.length > 0 || key === group.asset_group_id) used.add(key);
    return entries;
  });
  const repetitions = [...new Set(members.map(({ repetition }) => repetition))].sort((a, b) => a - b);
  const filled = members.map(({ repetition, ...member }) => {
    return {
      ...member,
      slotPath: `${group.asset_group_id}[${repetitions.indexOf(repetition)}].${member.slot.asset_id}`,
    };
  });
  return { filled, findings: [...countFindings(group, repetitions.length), ...findGaps(group, members, repetitions)] };
}

function membersAt(group: SlotGroup, key: string, entry: Manifest['assets'][string]): readonly Member[] {
  const path = ['assets', key];
  if (key === group.asset_group_id)
    return listRepetitions(entry).flatMap((item, repetition) => membersOf(group, item, repetition, path));
  const numbered = numberedKey(group, key);
  const [name, repetition] = numbered ?? [key, undefined];
  const slot = group.assets.find(({ asset_id }) => asset_id === name);
  if (slot === undefined) return [];
  if (isAsset(entry)) return [{ slot, asset: entry, path, repetition: repetition ?? 0 }];
  return (entry as readonly Asset[]).map((asset, index) => ({
    slot,
    asset,
    path: [...path, index],
    repetition: index,
  }));
}

function listRepetitions(entry: Manifest['assets'][string]): readonly unknown[] {
  return Array.isArray(entry) ? entry : [entry];
}

function membersOf(group: SlotGroup, item: unknown, repetition: number, path: Filled['path']): readonly Member[] {
  if (!isObject(item)) return [];
  const inside = group.assets.flatMap((slot): Member[] => {
    const asset = Object.hasOwn(item, slot.asset_id) ? item[slot.asset_id] : undefined;
    return isObject(asset) ? [{ slot, asset, path: [...path, repetition, slot.asset_id], repetition }] : [];
  });
  if (inside.length > 0) return inside;
  const slot = group.assets.find(({ asset_type }) => asset_type === item.asset_type) ?? group.assets[0];
  return slot === undefined || (group.assets.length > 1 && item.asset_type === undefined)
    ? []
    : [{ slot, asset: item, path: [...path, repetition], repetition }];
}

/** Returns the name and the repetition of a key such as `card_0_image` or `image_0`; undefined for other keys. */
function numberedKey(group: SlotGroup, key: string): readonly [name: string, repetition: number] | undefined {
  const prefix = `${group.asset_group_id}_`;
  const [, first, rest] = key.startsWith(prefix) ? (/^(\d{1,4})_(.+)$/.exec(key.slice(prefix.length)) ?? []) : [];
  if (first !== undefined && rest !== undefined) return [rest, Number(first)];
  const [, name, last] = /^(.+)_(\d{1,4})$/.exec(key) ?? [];
  return name === undefined || last === undefined ? undefined : [name, Number(last)];
}

function countFindings(group: SlotGroup, count: number): readonly Finding[] {
  const { asset_group_id, required, min_count, max_count } = group;
  const path = ['assets', asset_group_id];
  const least = required || count > 0 ? min_count : 0;
  if (count < least) {
    return [
      createFinding(asset_group_id, path, {
        missing: true,
        keyword: count === 0 ? 'required' : 'min_count',
        message: `${asset_group_id} comes at least ${min_count} times.`,
        found: `${count}`,
        wanted: `${min_count} to ${max_count}`,
      }),
    ];
  }
  if (count <= max_count) return [];
  return [
    createFinding(asset_group_id, path, {
      keyword: 'max_count',
      message: `${asset_group_id} comes at most ${max_count} times.`,
      found: `${count}`,
      wanted: `${min_count} to ${max_count}`,
    }),
  ];
}

/** Returns a finding for each required asset that a repetition of the group lacks. */
function findGaps(group: SlotGroup, members: readonly Member[], repetitions: readonly number[]): readonly Finding[] {
  return repetitions.flatMap((repetition) =>
    group.assets
      .filter(({ required, asset_id }) => {
        const isHere = members.some((member) => member.repetition === repetition && member.slot.asset_id === asset_id);
        return required && !isHere;
      })
      .map((slot) => findMissing(slot, ['assets', group.asset_group_id, repetition, slot.asset_id])),
  );
}

function findMissing({ asset_id, asset_type }: GroupSlot, path: Filled['path']): Finding {
  return createFinding(asset_id, path, {
    missing: true,
    keyword: 'required',
    message: `The required asset ${asset_id} is missing.`,
    found: 'nothing',
    wanted: `an asset of type ${asset_type}`,
  });
}

function unknownKey(key: string, format: Format, strict: boolean): Finding {
  const names = format.assets.map((slot) => (slot.item_type === 'individual' ? slot.asset_id : slot.asset_group_id));
  return createFinding(key, ['assets', key], {
    severity: strict ? 'error' : 'warning',
    keyword: 'additionalProperties',
    message: `The format has no slot ${key}${strict ? '' : '; it is not shown'}.`,
    found: key,
    wanted: names.join(', '),
  });
}

type FindingContent = Pick<Finding, 'keyword' | 'message' | 'found' | 'wanted' | 'missing'> & {
  readonly severity?: Finding['severity'];
};

function createFinding(
  asset_id: string,
  path: Filled['path'],
  { severity = 'error', ...content }: FindingContent,
): Finding {
  return { severity, asset_id, pointer: pointerTo(path), code: 'VALIDATION_ERROR', ...content };
}
