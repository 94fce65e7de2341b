import { isObject } from '../../platform/kernel/json/json.js';
import type { Format, GroupSlot } from './format.js';

/** What a file says of itself, and formats ask for by `min_` and `max_` of the same name. */
const MEASURES = ['width', 'height', 'duration_ms'] as const;

/**
 * Whether the assets of a creative made for another format play in this one: a film or a sound is the same file whatever its format is
 * called. True for formats that need nothing but such files, when every one is there and as long and as large as the format asks.
 */
export function canPlayIn(format: Format, assets: Readonly<Record<string, unknown>>): boolean {
  const needed = format.assets_required;
  return needed.length > 0 && needed.every((slot) => slot.item_type === 'individual' && isFilled(slot, assets));
}

function isFilled({ asset_id, asset_type, requirements = {} }: GroupSlot, assets: Readonly<Record<string, unknown>>) {
  if (asset_type !== 'video' && asset_type !== 'audio') return false;
  const asset = Object.hasOwn(assets, asset_id) ? assets[asset_id] : undefined;
  if (!isObject(asset) || asset.asset_type !== asset_type) return false;
  return MEASURES.every((name) => {
    const [least, most] = [requirements[`min_${name}`], requirements[`max_${name}`]];
    if (typeof least !== 'number' && typeof most !== 'number') return true;
    const value = asset[name];
    if (typeof value !== 'number') return false;
    return (typeof least !== 'number' || value >= least) && (typeof most !== 'number' || value <= most);
  });
}
