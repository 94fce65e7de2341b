import type { Call } from '../../context.js';
import { feedVersion } from '../../domain/feed/feed.js';
import { filterProducts, type ProductFilters } from '../../domain/product/filters.js';
import type { Product } from '../../domain/product/product.js';
import { FEATURE_NAMES, isOnSale } from '../product/on-sale.js';
import type { Criteria } from './shapes.js';

/** Returns the offers of a seller that are on sale now and pass the criteria, in the order of its file, each with the prices that pass. */
export function findOffers(
  { seller, now }: Call,
  { product_ids: ids, offer_filters: given = {} }: Criteria,
): readonly Product[] {
  const { format_kinds: kinds, ...filters } = given;
  const wanted = ids && new Set(ids);
  const candidates = listOnSale({ seller, now }).filter(
    (product) => (wanted?.has(product.product_id) ?? true) && (kinds === undefined || isOfKind(product, kinds, seller)),
  );
  const productFilters: ProductFilters = filters;
  return filterProducts(candidates, productFilters, FEATURE_NAMES).passed;
}

function isOfKind({ format_ids }: Product, kinds: readonly string[], { formatOptions }: Call['seller']): boolean {
  return formatOptions.list(format_ids).some(({ declaration }) => kinds.includes(declaration.format_kind));
}

/** Returns the published offers of a seller: the products that can be bought now. */
export function listOnSale({ seller, now }: Pick<Call, 'seller' | 'now'>): readonly Product[] {
  return seller.tenant.products.filter((product) => isOnSale(product, now.ms));
}

/** Returns the version of the published offers, prices included: that of the wholesale feed while nothing in it is sold out. */
export function versionOffers(call: Pick<Call, 'seller' | 'now'>): string {
  const { productWires: wires } = call.seller;
  return feedVersion(listOnSale(call).map((product) => wires.print(product))).wholesale_feed_version;
}
