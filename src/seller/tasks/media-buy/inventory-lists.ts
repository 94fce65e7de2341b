import { isObject } from '../../../platform/kernel/json/json.js';
import { isReservedHost, isUrl } from '../../../platform/net/url.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Product } from '../../domain/product/product.js';
import { mayNameLocal } from '../pipeline/order-context.js';

/** A package of an order or a change, with the product that it runs on where that is known. */
export type ListedPackage = {
  readonly product: Pick<Product, 'publisher_properties'> | undefined;
  readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined;
  /** Its path in the request. */
  readonly field: string;
};

/** Whether a package names a property list that has to be looked up first. */
export function namesPropertyList({ targeting_overlay: overlay }: Pick<ListedPackage, 'targeting_overlay'>): boolean {
  return overlay?.property_list !== undefined;
}

type PackageArgument = {
  readonly product_id?: unknown;
  readonly package_id?: unknown;
  readonly targeting_overlay?: ListedPackage['targeting_overlay'];
};

/** The packages of an order, or of a change to `before`, that name property lists. `list` is their path. */
export function listedPackages(
  call: Call,
  packages: readonly PackageArgument[] | undefined,
  list: string,
  before?: MediaBuy,
): readonly ListedPackage[] {
  return (packages ?? []).flatMap((line, index) => {
    if (!namesPropertyList(line)) return [];
    const changed = before?.packages.find((candidate) => candidate.package_id === line.package_id);
    const product = call.seller.products.get(String(changed?.product_id ?? line.product_id));
    return [{ product, targeting_overlay: line.targeting_overlay, field: `${list}[${index}]` }];
  });
}

/**
 * Refuses packages whose property list holds nothing that their product runs on: they could never deliver. It asks the agents that
 * keep the lists, so it belongs before the transaction. A list that cannot be read now is looked up when ads are served.
 * Throws PRODUCT_UNAVAILABLE with the field.
 */
export async function checkPropertyLists(app: App, call: Call, packages: readonly ListedPackage[]): Promise<void> {
  for (const { product, targeting_overlay: overlay, field } of packages) {
    const reference = overlay?.property_list;
    if (product === undefined || !isObject(reference)) continue;
    const { agent_url, list_id, auth_token } = reference;
    if (typeof agent_url !== 'string' || typeof list_id !== 'string' || !isUrl(agent_url)) continue;
    if (isReservedHost(agent_url) && !Object.hasOwn(call.seller.tenant.outboundResolve, new URL(agent_url).host))
      continue;
    const { fetchListedDomains } = await import('../../governance/property-list.js');
    const named = { agent_url, list_id, ...(typeof auth_token === 'string' ? { auth_token } : {}) };
    const domains = await fetchListedDomains(app.renderer().outbound, named, mayNameLocal(app, call));
    if (domains === undefined || runsOnAny(product, domains)) continue;
    throw new TaskError('PRODUCT_UNAVAILABLE', 'The product runs on none of the properties of this list.', {
      field: `${field}.targeting_overlay.property_list`,
      suggestion: `Choose another product, or a list with properties of ${publishersOf(product).join(', ')}.`,
    });
  }
}

function runsOnAny(product: Pick<Product, 'publisher_properties'>, domains: readonly string[]): boolean {
  const publishers = publishersOf(product);
  return domains.some((domain) =>
    publishers.some((publisher) => domain === publisher || domain.endsWith(`.${publisher}`)),
  );
}

function publishersOf({ publisher_properties: selectors }: Pick<Product, 'publisher_properties'>): readonly string[] {
  return [...new Set(selectors.map((selector) => selector.publisher_domain.toLowerCase()))];
}
