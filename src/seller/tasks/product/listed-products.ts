import type { App, Call } from '../../context.js';
import { partOfProduct } from '../../domain/product/listed-inventory.js';
import { listDimensions } from '../../domain/targeting/check.js';
import type { ListRef } from '../../domain/targeting/followed-list.js';
import { isExampleList, recallList, unreadableList } from '../inventory-list/read-list.js';

/**
 * Returns the ids of the products that run on what is on a property list: those that can be narrowed to a part of what they run on, where
 * any of it is listed, and others where all of it is; undefined where no list is named. Throws REFERENCE_NOT_FOUND, SERVICE_UNAVAILABLE or
 * UNSUPPORTED_FEATURE where the list cannot be read.
 */
export async function findListedProducts(
  app: App,
  call: Call,
  reference: ListRef | undefined,
): Promise<ReadonlySet<string> | undefined> {
  if (reference === undefined) return undefined;
  const { products } = call.seller.tenant;
  // A sandbox does not ask names of examples: their lists are taken to have a part of everything.
  if (isExampleList(call, reference.agent_url)) return new Set(products.map(({ product_id }) => product_id));
  const reading = await recallList(app, call, 'property', reference);
  if (typeof reading === 'string') throw unreadableList(reading, 'property_list');
  const publishers = app.publishers();
  const left = products.filter((product) => {
    const part = partOfProduct(product, 'property_list', reading.entries, publishers);
    const isDivisible = listDimensions(product.inventory).includes('property_list');
    return isDivisible ? part > 0 : part > 1 - 1e-9;
  });
  return new Set(left.map(({ product_id }) => product_id));
}
