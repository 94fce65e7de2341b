import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';

/** The members that the items of a buyer catalog must have, per type; the first one is the item's id. */
const ITEM_MEMBERS = {
  offering: ['offering_id', 'name'],
  store: ['store_id', 'name', 'location'],
  hotel: ['hotel_id', 'name', 'location'],
  flight: ['flight_id', 'origin', 'destination'],
  job: ['job_id', 'title', 'company_name', 'description'],
  vehicle: ['vehicle_id', 'title', 'make', 'model', 'year'],
  real_estate: ['listing_id', 'title', 'address'],
  education: ['program_id', 'name', 'school'],
  destination: ['destination_id', 'name'],
  app: ['app_id', 'name', 'platform'],
  // Free-form; an item is told by whichever id it has.
  product: [],
  inventory: [],
  promotion: [],
} as const satisfies Record<string, readonly string[]>;

/** A type of things that a buyer catalog can hold. */
export type CatalogType = keyof typeof ITEM_MEMBERS;

/** Every type of buyer catalog. */
export const CATALOG_TYPES = Object.keys(ITEM_MEMBERS) as readonly CatalogType[];

/** Ids under which free-form items are known. */
const FREE_IDS = ['id', 'item_id', 'sku', 'product_id', 'gtin', 'store_id', 'promotion_id'] as const;

/** The most items of one buyer catalog. */
export const MAX_ITEMS = 10_000;
const MAX_SHOWN_ISSUES = 50;

/** A buyer catalog: a buyer's typed list of things to advertise. Items that cannot be used are named in `issues` and not stored. */
export type Catalog = {
  readonly catalog_id: string;
  readonly platform_id: string;
  readonly type: CatalogType;
  readonly name?: string;
  /** The feed that the items came from; absent where they were in the request. */
  readonly url?: string;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly rejected: number;
  readonly issues: readonly ItemIssue[];
  /** ISO 8601 in UTC. */
  readonly last_synced_at: string;
};

/** An item that was turned away, and the reasons. */
type ItemIssue = { readonly item_id: string; readonly status: 'rejected'; readonly reasons: readonly string[] };

/** The items of a buyer catalog: those that are good, and why the others are not. */
type CheckedItems = Pick<Catalog, 'items' | 'rejected' | 'issues'>;

/**
 * Sorts the items of a catalog by whether they have what their type needs, each id once. Throws CATALOG_LIMIT_EXCEEDED for too many,
 * and ITEM_VALIDATION_FAILED where none is good or `strict` asks for all. `field` is the path of the list.
 */
export function checkItems(type: CatalogType, items: readonly unknown[], strict: boolean, field: string): CheckedItems {
  if (items.length > MAX_ITEMS) {
    throw new TaskError('CATALOG_LIMIT_EXCEEDED', `A catalog holds at most ${MAX_ITEMS} items.`, {
      field,
      suggestion: `Split it into catalogs of at most ${MAX_ITEMS} items.`,
      details: { limit: MAX_ITEMS },
    });
  }
  const good = new Map<string, Readonly<Record<string, unknown>>>();
  const issues: ItemIssue[] = [];
  for (const [index, item] of items.entries()) {
    const id = readItemId(type, item);
    const reasons = findItemFaults(type, item, id, good);
    if (reasons.length === 0 && id !== undefined && isObject(item)) good.set(id, item);
    else issues.push({ item_id: id ?? `#${index}`, status: 'rejected', reasons });
  }
  if (issues.length > 0 && (strict || good.size === 0)) {
    const [first] = issues;
    throw new TaskError('ITEM_VALIDATION_FAILED', 'Items of the catalog cannot be used.', {
      field,
      details: { item_issues: issues.slice(0, MAX_SHOWN_ISSUES) },
      suggestion: `Mend ${first?.item_id}: ${first?.reasons[0]}. An item of type ${type} needs ${listRequiredMembers(type).join(', ')}.`,
    });
  }
  return { items: [...good.values()], rejected: issues.length, issues: issues.slice(0, MAX_SHOWN_ISSUES) };
}

function listRequiredMembers(type: CatalogType): readonly string[] {
  const members = ITEM_MEMBERS[type];
  return members.length === 0 ? [`one of ${FREE_IDS.join(', ')}`] : members;
}

/** Returns the id of an item of a catalog; undefined where it has none. */
export function readItemId(type: CatalogType, item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const [own] = ITEM_MEMBERS[type];
  const names: readonly string[] = own === undefined ? FREE_IDS : [own];
  const id = names.map((name) => item[name]).find((value) => typeof value === 'string' || typeof value === 'number');
  return id === undefined || id === '' ? undefined : String(id).slice(0, 255);
}

function findItemFaults(
  type: CatalogType,
  item: unknown,
  id: string | undefined,
  good: ReadonlyMap<string, unknown>,
): readonly string[] {
  if (!isObject(item)) return ['it is not an object'];
  const missing = ITEM_MEMBERS[type].filter((name) => item[name] === undefined).map((name) => `${name} is missing`);
  if (id === undefined) return missing.length > 0 ? missing : ['it has no id'];
  return good.has(id) ? [...missing, 'its id stands twice'] : missing;
}

/** Returns a buyer catalog as its buyer sees it. */
export function catalogWire(catalog: Catalog): Record<string, unknown> {
  const { catalog_id, platform_id, items, rejected, issues, last_synced_at } = catalog;
  return {
    catalog_id,
    platform_id,
    item_count: items.length,
    items_approved: items.length,
    items_pending: 0,
    items_rejected: rejected,
    item_issues: issues.length === 0 ? undefined : issues,
    last_synced_at,
  };
}

/** Returns the members in which two versions of a buyer catalog differ, but for when they were synced. */
export function diffCatalogs(before: Catalog, after: Catalog): readonly string[] {
  const members = ['type', 'name', 'url', 'items'] as const;
  return members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
}
