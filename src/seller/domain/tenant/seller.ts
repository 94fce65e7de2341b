import { FormatOptions } from '../../../creative/formats/canonical/declaration.js';
import { houseFormats } from '../../../creative/formats/catalog/catalog.js';
import type { Format } from '../../../creative/formats/format.js';
import { type FormatAgents, type FormatReferences, listFormatAgents } from '../../../creative/formats/format-agents.js';
import { formatOwnerUrl } from '../../../creative/formats/format-id.js';
import type { Means } from '../../../creative/transformers/means.js';
import { sha256Hex } from '../../../platform/kernel/canonical.js';
import { type ProtocolNames, protocolNames } from '../../../protocol/names.js';
import { SoldTerms } from '../media-buy/pricing.js';
import type { Product } from '../product/product.js';
import { buildProductIndex, type ProductIndex } from '../product/search.js';
import { ProductWires } from '../product/wire.js';
import { buildSignalIndex, type SignalIndex } from '../signal/search.js';
import type { Signal } from '../signal/signal.js';
import type { Credential, Principal } from './principal.js';
import type { Signer } from './request-signing.js';
import type { CreativeAgent, Tenant } from './tenant.js';

/** The path under which a host lists its agents and their keys. */
export const BRAND_JSON_PATH = '/.well-known/brand.json';

/** An agent that signs, and the principal in whose name it does. */
export type SellerSigner = { readonly agent: Signer; readonly principal: Principal };

/** A tenant with everything that can be derived once from its file: names, product catalog, search index, formats. */
export type Seller = {
  readonly tenant: Tenant;
  readonly names: ProtocolNames;
  /** The principals that may call, however each proves itself. */
  readonly callers: readonly Principal[];
  /** The principals that have a token, by the token's SHA-256 (hex). */
  readonly principals: ReadonlyMap<string, Principal>;
  /** When those of the tokens that expire do, in milliseconds since 1970, by the same. */
  readonly keyExpiries: ReadonlyMap<string, number>;
  readonly signers: readonly SellerSigner[];
  /** Address of the server, without a trailing slash, and of the tenant's MCP endpoint below it. */
  readonly baseUrl: string;
  readonly url: string;
  /** The agent that owns the house formats. */
  readonly formatOwner: string;
  readonly products: ReadonlyMap<string, Product>;
  readonly productWires: ProductWires;
  readonly soldTerms: SoldTerms;
  readonly index: ProductIndex;
  /** By the id that activate_signal takes. */
  readonly signals: ReadonlyMap<string, Signal>;
  readonly signalIndex: SignalIndex;
  /** The formats that it offers: those that its products take, or all of a creative agent. */
  readonly formats: readonly Format[];
  /** Whether there is ffmpeg, which video and audio are made with. */
  readonly hasEncoder: boolean;
  /** The formats that it offers, with those of the house and of its folders, in canonical terms. */
  readonly formatOptions: FormatOptions;
  /** Every format of the house and of the seller's folders, offered here or not. */
  readonly formatIds: ReadonlySet<string>;
  /** Agents with further formats, as list_creative_formats names them. */
  readonly creativeAgents: readonly CreativeAgent[];
  /** Every address of this server. */
  readonly ownUrls: readonly string[];
  /** The agents whose formats may be named: this server, the creative agents, and who owns a format of a product. */
  readonly formatAgents: FormatAgents;
};

/**
 * Prepares a tenant for serving at `baseUrl` (no trailing slash) beside all tenants of the server, `served`. A creative agent offers the
 * whole catalog of formats.
 */
export function openSeller(
  tenant: Tenant,
  baseUrl: string,
  catalog: readonly Format[] = houseFormats(formatOwnerUrl(baseUrl)),
  served: readonly Tenant[] = [tenant],
): Seller {
  const formatOwner = formatOwnerUrl(baseUrl);
  const sold = new Set(tenant.products.flatMap((product) => product.format_ids.map((format) => format.id)));
  const formats = isCreativeAgent(tenant) ? catalog : catalog.filter((format) => sold.has(format.format_id.id));
  const callers = tenant.principals.map(({ credentials, signer, subjects: _subjects, ...principal }) => ({
    principal,
    credentials,
    signer,
  }));
  const formatOptions = new FormatOptions(catalog, formatOwner);
  const agents = {
    formatOwner,
    formatOptions,
    creativeAgents: tenant.creativeAgents ?? ownCreativeAgents(tenant, served, baseUrl),
    ownUrls: [baseUrl, ...served.map((other) => agentUrl(other, baseUrl))],
  };
  return {
    tenant,
    names: protocolNames(tenant.protocolName),
    callers: callers.map(({ principal }) => principal),
    principals: principalsByDigest(callers),
    keyExpiries: expiriesByDigest(tenant),
    signers: callers.flatMap(({ principal, signer }) => (signer === undefined ? [] : [{ agent: signer, principal }])),
    baseUrl,
    url: agentUrl(tenant, baseUrl),
    ...agents,
    ...openProducts(tenant.products, agents),
    soldTerms: new SoldTerms(),
    ...openSignals(tenant.signals),
    formats,
    hasEncoder: false,
    formatIds: new Set(catalog.map((format) => format.format_id.id)),
  };
}

/** Returns what a seller makes creatives with. */
export function meansOf({ tenant, hasEncoder }: Pick<Seller, 'tenant' | 'hasEncoder'>): Means {
  return { encoder: hasEncoder, textModel: tenant.llm !== undefined, speech: tenant.speech !== undefined };
}

/** Returns a seller with these products in place of its own. */
export function withProducts(seller: Seller, products: readonly Product[]): Seller {
  return { ...seller, tenant: { ...seller.tenant, products }, ...openProducts(products, seller) };
}

/** Returns a seller with these signals in place of its own. */
export function withSignals(seller: Seller, signals: readonly Signal[]): Seller {
  return { ...seller, tenant: { ...seller.tenant, signals }, ...openSignals(signals) };
}

function openSignals(signals: readonly Signal[]): Pick<Seller, 'signals' | 'signalIndex'> {
  return {
    signals: new Map(signals.map((signal) => [signal.signal_agent_segment_id, signal])),
    signalIndex: buildSignalIndex(signals),
  };
}

/** Returns a seller with only some of its products; itself when that is all of them. */
export function narrowSeller(seller: Seller, isSold: (product: Product) => boolean): Seller {
  const products = seller.tenant.products.filter(isSold);
  return products.length === seller.tenant.products.length ? seller : withProducts(seller, products);
}

/** Returns what references to formats are read against; `examples` where agents of examples pass. */
export function formatReferences(seller: Seller, examples: boolean): FormatReferences {
  return { owner: seller.formatOwner, ids: seller.formatIds, agents: seller.formatAgents, examples };
}

function openProducts(
  list: readonly Product[],
  {
    formatOwner,
    ownUrls,
    creativeAgents,
    formatOptions,
  }: Pick<Seller, 'formatOwner' | 'ownUrls' | 'creativeAgents' | 'formatOptions'>,
): Pick<Seller, 'products' | 'productWires' | 'index' | 'formatAgents'> {
  const products = new Map(list.map((product) => [product.product_id, product]));
  const owners = list.flatMap((product) => product.format_ids.map((format) => format.agent_url));
  const others = new Set([...creativeAgents.map((agent) => agent.agent_url), ...owners]);
  return {
    products,
    productWires: new ProductWires(products, formatOptions),
    index: buildProductIndex(list),
    formatAgents: listFormatAgents(formatOwner, ownUrls, others),
  };
}

/** Whether a tenant makes and shows creatives of any format. */
export function isCreativeAgent({ kinds }: Tenant): boolean {
  return kinds.includes('creative');
}

/** Returns the address of a tenant's MCP endpoint. */
export function agentUrl({ path }: Pick<Tenant, 'path'>, baseUrl: string): string {
  return `${baseUrl}/${path}/mcp`;
}

/** Returns the creative agents of this server; a tenant that is a creative agent itself has all their formats already. */
function ownCreativeAgents(tenant: Tenant, served: readonly Tenant[], baseUrl: string): readonly CreativeAgent[] {
  if (isCreativeAgent(tenant)) return [];
  return served.filter(isCreativeAgent).map((other) => ({
    agent_url: agentUrl(other, baseUrl),
    agent_name: other.name,
    capabilities: ['validation', 'assembly', 'generation', 'preview'],
  }));
}

function expiriesByDigest({ principals }: Tenant): ReadonlyMap<string, number> {
  const expiring = principals.flatMap(({ credentials }) =>
    credentials.flatMap((one) =>
      one.kind === 'sha256' && one.expiresAt !== undefined ? [[one.digest, Date.parse(one.expiresAt)] as const] : [],
    ),
  );
  return new Map(expiring);
}

function principalsByDigest(
  callers: readonly { readonly principal: Principal; readonly credentials: readonly Credential[] }[],
): ReadonlyMap<string, Principal> {
  return new Map(
    callers.flatMap(({ principal, credentials }) =>
      credentials.map((credential) => [
        credential.kind === 'sha256' ? credential.digest : sha256Hex(credential.token),
        principal,
      ]),
    ),
  );
}
