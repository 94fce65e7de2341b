import { sha256Hex } from '../kernel/canonical.js';
import { type Written, written } from '../kernel/json.js';
import { type ProtocolNames, protocolNames } from '../protocol/names.js';
import { type Format, formatFor30, formatOwnerUrl, houseFormats } from './format.js';
import type { Product } from './product.js';
import { buildIndex, type ProductIndex } from './search.js';
import type { Principal, Tenant } from './tenant.js';

/** A format that products take, and its wire form for 3.1 and for 3.0 callers, each written once. */
export type OfferedFormat = { readonly format: Format; readonly wire: Written; readonly wire30: Written };

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
  /** The wire form of each product, written once. */
  readonly offered: ReadonlyMap<Product, Written>;
  readonly index: ProductIndex;
  /** The formats that the products take. */
  readonly formats: readonly OfferedFormat[];
};

/** Works a tenant out for serving at `baseUrl` (no trailing slash). */
export function openSeller(tenant: Tenant, baseUrl: string): Seller {
  const formatOwner = formatOwnerUrl(baseUrl);
  const sold = new Set(tenant.products.flatMap((product) => product.format_ids.map((format) => format.id)));
  const formats = houseFormats(formatOwner).filter((format) => sold.has(format.format_id.id));
  return {
    tenant,
    names: protocolNames(tenant.protocolName),
    principals: principalsByDigest(tenant),
    url: `${baseUrl}/${tenant.path}/mcp`,
    formatOwner,
    products: new Map(tenant.products.map((product) => [product.product_id, product])),
    offered: new Map(tenant.products.map((product) => [product, written(wireProduct(product))])),
    index: buildIndex(tenant.products),
    formats: formats.map((format) => ({ format, wire: written(format), wire30: written(formatFor30(format)) })),
  };
}

/** A product as it goes on the wire; one that a filter took prices from is written anew. */
export function offeredWire(seller: Seller, product: Product): Written {
  return seller.offered.get(product) ?? written(wireProduct(product));
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
