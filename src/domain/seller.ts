import { sha256Hex } from '../kernel/canonical.js';
import { type Written, written } from '../kernel/json.js';
import { type ProtocolNames, protocolNames } from '../protocol/names.js';
import { type Format, formatOwnerUrl, houseFormats } from './format.js';
import type { Product } from './product.js';
import { buildIndex, type ProductIndex } from './search.js';
import type { Principal, Tenant } from './tenant.js';

/** A tenant with everything that can be worked out once from its file: names, catalogue, search index, formats. */
export type Seller = {
  readonly tenant: Tenant;
  readonly names: ProtocolNames;
  /** Who may call, by the SHA-256 (hex) of the token. */
  readonly principals: ReadonlyMap<string, Principal>;
  /** Where the tenant's MCP endpoint is. */
  readonly url: string;
  /** The agent that owns the house formats. */
  readonly formatOwner: string;
  readonly products: ReadonlyMap<string, Product>;
  /** The wire form of each product, written when it is first sent. */
  readonly offered: Map<Product, Written>;
  readonly index: ProductIndex;
  /** The formats that it offers: those that its products take, or all of a creative agent. */
  readonly formats: readonly Format[];
  /** Every format of the house and of the seller's folders, offered here or not. */
  readonly formatIds: ReadonlySet<string>;
};

/** Works a tenant out for serving at `baseUrl` (no trailing slash). A creative agent offers the whole catalogue of formats. */
export function openSeller(
  tenant: Tenant,
  baseUrl: string,
  catalogue: readonly Format[] = houseFormats(formatOwnerUrl(baseUrl)),
): Seller {
  const formatOwner = formatOwnerUrl(baseUrl);
  const sold = new Set(tenant.products.flatMap((product) => product.format_ids.map((format) => format.id)));
  const formats = tenant.kinds.includes('creative')
    ? catalogue
    : catalogue.filter((format) => sold.has(format.format_id.id));
  return {
    tenant,
    names: protocolNames(tenant.protocolName),
    principals: principalsByDigest(tenant),
    url: `${baseUrl}/${tenant.path}/mcp`,
    formatOwner,
    products: new Map(tenant.products.map((product) => [product.product_id, product])),
    offered: new Map(),
    index: buildIndex(tenant.products),
    formats,
    formatIds: new Set(catalogue.map((format) => format.format_id.id)),
  };
}

/** A product as it goes on the wire: one of the catalogue is written once, one that a filter took prices from anew. */
export function offeredWire(seller: Seller, product: Product): Written {
  const known = seller.offered.get(product);
  if (known !== undefined) return known;
  const wire = written(wireProduct(product));
  if (seller.products.get(product.product_id) === product) seller.offered.set(product, wire);
  return wire;
}

/** A product without what the seller keeps to itself. */
export function wireProduct({ inventory: _inventory, ...wire }: Product): Omit<Product, 'inventory'> {
  return wire;
}

function principalsByDigest(tenant: Tenant): ReadonlyMap<string, Principal> {
  return new Map(
    tenant.principals.flatMap(({ credentials, ...principal }) =>
      credentials.map((credential) => [
        credential.kind === 'sha256' ? credential.digest : sha256Hex(credential.token),
        principal,
      ]),
    ),
  );
}
