import { isObject } from '../../../platform/kernel/json/json.js';
import { type CatalogType, readItemId } from './catalog.js';

/** An item of a buyer catalog, by its id. */
export type CatalogItem = {
  readonly catalog_type: CatalogType;
  readonly item_id: string;
  readonly item: Readonly<Record<string, unknown>>;
};

/** A choice of items; absent members choose all. */
export type ItemSelection = {
  readonly ids?: readonly unknown[] | undefined;
  readonly gtins?: readonly unknown[] | undefined;
  /** Items with any of them. */
  readonly tags?: readonly unknown[] | undefined;
  /** A category and all within it, the levels apart by "/". */
  readonly category?: string | undefined;
};

/** Returns the items of a catalog that a selection is about, in their order. */
export function selectItems(
  type: CatalogType,
  items: readonly Readonly<Record<string, unknown>>[],
  { ids, gtins, tags, category }: ItemSelection,
): readonly CatalogItem[] {
  return items.flatMap((item) => {
    const item_id = readItemId(type, item);
    if (item_id === undefined) return [];
    const isWanted =
      (ids === undefined || ids.includes(item_id)) &&
      (gtins === undefined || gtins.some((gtin) => gtin === item.gtin)) &&
      (tags === undefined || listTexts(item.tags).some((tag) => tags.includes(tag))) &&
      (category === undefined || isWithin(item, category));
    return isWanted ? [{ catalog_type: type, item_id, item }] : [];
  });
}

const CATEGORIES = ['category', 'categories', 'product_type', 'google_product_category'] as const;

function isWithin(item: CatalogItem['item'], category: string): boolean {
  const wanted = category.toLowerCase();
  return CATEGORIES.flatMap((name) => listTexts(item[name])).some((text) => {
    const own = text.toLowerCase().replaceAll(/\s*>\s*/g, '/');
    return own === wanted || own.startsWith(`${wanted}/`);
  });
}

function listTexts(value: unknown): readonly string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}

/** Returns an item under the names that ads are made of: name, description, picture, address, price as it is written. */
export function describeItem({ item }: Pick<CatalogItem, 'item'>): Readonly<Record<string, unknown>> {
  return {
    name: firstText(item, ['name', 'title']),
    description: firstText(item, ['description', 'tagline', 'short_description']),
    landing_url: firstText(item, ['landing_url', 'landing_page_url', 'url', 'link', 'checkout_url']),
    image_url: firstText(item, ['image_url', 'image_link', 'image']) ?? findImage(item),
    price: writePrice(item.sale_price, item) ?? writePrice(item.price, item),
  };
}

function firstText(item: CatalogItem['item'], names: readonly string[]): string | undefined {
  return names.flatMap((name) => listTexts(item[name])).find((text) => text.trim() !== '');
}

/** Returns the picture of an item that has an object in its place, or groups of assets. */
function findImage({ image, assets }: CatalogItem['item']): unknown {
  if (isObject(image)) return image.url;
  const listed = Array.isArray(assets) ? assets.filter(isObject) : [];
  const inGroups = listed.flatMap(({ asset_type, items }) =>
    Array.isArray(items) && (asset_type === 'image' || asset_type === undefined) ? items.filter(isObject) : [],
  );
  return [...listed, ...inGroups].find(({ asset_type, url }) => asset_type !== 'video' && typeof url === 'string')?.url;
}

const SYMBOLS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };
const PERIODS: Readonly<Record<string, string>> = { night: ' / night', month: ' / month', year: ' / year' };

function writePrice(price: unknown, { currency: ofItem }: CatalogItem['item']): string | undefined {
  if (typeof price === 'string') return price.trim() === '' ? undefined : price.trim();
  const { amount, currency, period } = isObject(price) ? price : { amount: price, currency: ofItem, period: undefined };
  if (typeof amount !== 'number' || !Number.isFinite(amount)) return undefined;
  const code = typeof currency === 'string' ? currency : '';
  const digits = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  const symbol = SYMBOLS[code];
  return `${symbol === undefined ? `${digits} ${code}`.trim() : symbol + digits}${PERIODS[String(period)] ?? ''}`;
}
