import { isObject } from '../../../platform/kernel/json/json.js';
import type { CallContext } from '../port/adapter.js';
import type { ImportedProduct } from '../port/answers.js';
import { idOf } from './mapping/names.js';
import type { GamNetwork } from './network.js';
import type { Resource } from './rest.js';
import type { GamProduct } from './settings.js';

/** Returns a draft for each placement and each ad unit of the network that is active and has sizes in pixels; a placement has those of its ad units. */
export async function listProducts({ rest }: GamNetwork, { signal }: CallContext): Promise<readonly ImportedProduct[]> {
  const units = (await rest.list('adUnits', undefined, signal)).filter(isActive);
  const placements = (await rest.list('placements', undefined, signal)).filter(isActive);
  const sizes = new Map(units.map((unit) => [unit.name, readSizes(unit)]));
  return [
    ...placements.flatMap((placement) => {
      const targeted = Array.isArray(placement.targetedAdUnits) ? placement.targetedAdUnits : [];
      const own = [...new Set(targeted.flatMap((name) => sizes.get(String(name)) ?? []))];
      return draftProducts('placement', placement, { placements: [idOf(placement.name)], sizes: own });
    }),
    ...units.flatMap((unit) =>
      draftProducts('ad_unit', unit, { ad_units: [idOf(unit.name)], sizes: sizes.get(unit.name) ?? [] }),
    ),
  ];
}

function isActive({ status }: Resource): boolean {
  return status === undefined || status === 'ACTIVE';
}

function draftProducts(kind: string, { displayName, name }: Resource, adapter: GamProduct): readonly ImportedProduct[] {
  if (adapter.sizes.length === 0) return [];
  const id = idOf(name);
  return [
    {
      product_id: `${kind}_${id}`,
      name: typeof displayName === 'string' && displayName.trim() !== '' ? displayName.trim() : `${kind} ${id}`,
      format_ids: adapter.sizes.map((size) => `display_${size}_image`),
      adapter,
    },
  ];
}

/** Sizes without pixels, such as those of native ads, are none that a creative here has. */
function readSizes({ adUnitSizes }: Resource): readonly string[] {
  const all: readonly unknown[] = Array.isArray(adUnitSizes) ? adUnitSizes : [];
  return [
    ...new Set(
      all.flatMap((one) => {
        const size = isObject(one) && isObject(one.size) ? one.size : {};
        const { height, sizeType = 'PIXEL', width } = size;
        const isSide = (side: unknown): boolean => Number.isInteger(side) && Number(side) > 0 && Number(side) < 100_000;
        return sizeType === 'PIXEL' && isSide(width) && isSide(height) ? [`${width}x${height}`] : [];
      }),
    ),
  ];
}
