import { sha256Hex } from '../kernel/canonical.js';
import { prepared } from '../kernel/json.js';
import { type ProtocolNames, protocolNames } from '../protocol/names.js';
import { type Format, formatFor30, formatOwnerUrl, houseFormats } from './format.js';
import type { Product } from './product.js';
import { buildIndex, type ProductIndex } from './search.js';
import type { Principal, Tenant } from './tenant.js';

/** A product as it goes on the wire: everything but what the seller keeps to itself. */
export type OfferedProduct = Readonly<Omit<Product, 'inventory'> & Record<string, unknown>>;

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
  readonly offered: ReadonlyMap<Product, OfferedProduct>;
  readonly index: ProductIndex;
  /** The formats that the products take, for 3.1 and for 3.0 callers. */
  readonly formats: readonly Format[];
  readonly formats30: readonly object[];
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
    offered: new Map(tenant.products.map((product) => [product, prepared(withoutInventory(product))])),
    index: buildIndex(tenant.products),
    formats: formats.map(prepared),
    formats30: formats.map((format) => prepared(formatFor30(format))),
  };
}

/** A product as it goes on the wire; one that a filter took prices from is written anew. */
export function offeredWire(seller: Seller, product: Product): OfferedProduct {
  return seller.offered.get(product) ?? withoutInventory(product);
}

function withoutInventory({ inventory: _inventory, ...wire }: Product): OfferedProduct {
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
