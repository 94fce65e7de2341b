import type { TaskError } from '../../../protocol/errors.js';
import { staleResponse } from '../../../protocol/stale-response.js';
import type { App, Call } from '../../context.js';
import { partOfProduct } from '../../domain/product/listed-inventory.js';
import type { Product } from '../../domain/product/product.js';
import { listDimensions } from '../../domain/targeting/check.js';
import type { ListRef } from '../../domain/targeting/followed-list.js';
import { isExampleList, recallList, unreadableList } from '../inventory-list/read-list.js';

/** The ids of the products that run on what is on a list; `stale` says so where the list is kept past its time. */
type ListedProducts = { readonly ids: ReadonlySet<string>; readonly stale?: TaskError | undefined };

/**
 * Returns the products that run on what is on a property list: those that can be narrowed to a part of what they run on, where any of it is
 * listed, and others where all of it is; undefined where no list is named. Throws REFERENCE_NOT_FOUND, SERVICE_UNAVAILABLE or
 * UNSUPPORTED_FEATURE where the list cannot be read.
 */
export async function findListedProducts(
  app: App,
  call: Call,
  reference: ListRef | undefined,
): Promise<ListedProducts | undefined> {
  if (reference === undefined) return undefined;
  const { products } = call.seller.tenant;
  // A sandbox does not ask names of examples: their lists are taken to have a part of everything.
  if (isExampleList(call, reference.agent_url)) return { ids: idsOf(products) };
  const recalled = await recallList(app, call, 'property', reference);
  if (typeof recalled === 'string') throw unreadableList(recalled, 'property_list');
  const { reading, ageMs } = recalled;
  const publishers = app.publishers();
  const left = products.filter((product) => {
    const part = partOfProduct(product, 'property_list', reading.entries, publishers);
    const isDivisible = listDimensions(product.inventory).includes('property_list');
    return isDivisible ? part > 0 : part > 1 - 1e-9;
  });
  if (ageMs === undefined) return { ids: idsOf(left) };
  // What was kept and leaves nothing is no answer to be had instead of a fresh one.
  if (left.length === 0) throw unreadableList('unreachable', 'property_list');
  const upstream = { url: reference.agent_url };
  return {
    ids: idsOf(left),
    stale: staleResponse({ field: 'products', ageMs, freshnessMs: reading.goodForMs, upstream }),
  };
}

function idsOf(products: readonly Product[]): ReadonlySet<string> {
  return new Set(products.map(({ product_id }) => product_id));
}
