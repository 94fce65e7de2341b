import { changeTexts, isAboutOffering } from '../../../../../creative/build/texts.js';
import { type Offering, readBrand } from '../../../../../creative/compose/brand.js';
import { BANNER_LIMITS } from '../../../../../creative/compose/copy/copy.js';
import { type AssetEntry, isAsset, type Manifest } from '../../../../../creative/formats/manifest.js';
import { isObject } from '../../../../../platform/kernel/json/json.js';
import { TaskError } from '../../../../../protocol/errors.js';
import { type CatalogItem, describeItem } from '../../../../domain/catalog/item.js';

/** A catalog among the assets of a manifest, as it came. */
type CatalogAsset = { readonly key: string; readonly catalog: Readonly<Record<string, unknown>> };

/** Returns the catalogs among the assets of a manifest. */
export function listCatalogAssets(source: Manifest | undefined): readonly CatalogAsset[] {
  return Object.entries(source?.assets ?? {}).flatMap(([key, entry]) =>
    [entry]
      .flat()
      .filter((one) => isObject(one) && one.asset_type === 'catalog')
      .map((catalog) => ({ key, catalog })),
  );
}

/** Returns the offerings that the catalogs within a manifest hold, under the names that ads are made of. */
export function listInlineOfferings(source: Manifest | undefined): readonly object[] {
  return listCatalogAssets(source)
    .flatMap(({ catalog: { items } }) => (Array.isArray(items) ? items.filter(isObject) : []))
    .map((item) => describeItem({ item }));
}

/** Returns a manifest whose catalogs hold at most so many items each. */
export function limitItems(source: Manifest, most: number | undefined): Manifest {
  if (most === undefined) return source;
  const limit = (entry: AssetEntry): AssetEntry =>
    isAsset(entry) && entry.asset_type === 'catalog' && Array.isArray(entry.items)
      ? { ...entry, items: entry.items.slice(0, most) }
      : entry;
  const assets = Object.entries(source.assets).map(([key, entry]) => [key, limit(entry)] as const);
  return { ...source, assets: Object.fromEntries(assets) };
}

/** Returns an item as an offering of a brand. Throws ITEM_VALIDATION_FAILED for one without a name. */
export function readItemOffering(item: CatalogItem): Offering {
  const [offering] = readBrand({ name: item.item_id, offerings: [describeItem(item)] }, { field: 'brand' }).offerings;
  if (offering !== undefined) return offering;
  throw new TaskError('ITEM_VALIDATION_FAILED', 'The item has neither a name nor a title.', {
    field: 'creative_manifest.assets',
    suggestion: 'Give the item a name, or leave it out with the ids of the catalog.',
    details: { item_id: item.item_id },
  });
}

/** The key of the catalog that a manifest about one item holds. */
const ITEM_KEY = 'catalog';

/**
 * Returns what a creative about one item is built from: the source without what it says and shows of other things, and the title, price
 * and description of the item in their place. The item itself goes along as a catalog of one.
 */
export function narrowToItem(source: Manifest | undefined, item: CatalogItem, offering: Offering): Manifest {
  const words = changeTexts(source ?? { assets: {} }, isAboutOffering, () => undefined);
  const catalogs = new Set(listCatalogAssets(source).map(({ key }) => key));
  const unreplaced = Object.entries(words.assets).filter(
    ([key, entry]) => !catalogs.has(key) && key !== 'promoted_offerings' && !isReplaced(key, entry, offering),
  );
  const { name, description, price } = offering;
  // A small ad shows its headline before all else, and the price is what an item is looked at for.
  const priced = price === undefined ? name : `${name} – ${price}`;
  const headline = priced.length <= BANNER_LIMITS.headline ? priced : name;
  const body = [headline === name ? price : undefined, description].filter((text) => text !== undefined).join('. ');
  return {
    ...words,
    assets: {
      ...Object.fromEntries(unreplaced),
      headline: { asset_type: 'text', content: headline },
      ...(body === '' ? {} : { description: { asset_type: 'text', content: body } }),
      [ITEM_KEY]: { asset_type: 'catalog', type: item.catalog_type, items: [item.item] },
    },
  };
}

/** Whether an asset is a picture in whose place that of the item is shown. */
function isReplaced(key: string, entry: AssetEntry, { imageUrl }: Offering): boolean {
  return imageUrl !== undefined && isAsset(entry) && entry.asset_type === 'image' && !/logo|icon|avatar/.test(key);
}
