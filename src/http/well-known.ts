import type { Seller } from '../domain/seller.js';
import type { TenantKind } from '../domain/tenant.js';
import { HOST_NAME } from '../kernel/url.js';
import type { KeyPin } from '../signing/jwk.js';
import { toolNames } from '../tools/index.js';

/** Who runs the agents. */
export type Operator = { readonly domain: string; readonly name: string | undefined };

/** Where the public keys of every agent of this host are. */
export const JWKS_PATH = '/.well-known/jwks.json';

const PROTOCOLS = { sales: 'media_buy', creative: 'creative', signals: 'signals' } as const;

/**
 * The host's own adagents.json (spec 2, Transport): a valid file of the public schema, whose extension `tenants` lists every agent
 * with its tools. It authorises the agents for the publishers' properties only as far as this host speaks for itself.
 */
export function hostAdagents(sellers: readonly Seller[], signingKeys: readonly KeyPin[], nowIso: string): object {
  return {
    $schema: 'https://adcontextprotocol.org/schemas/v3/adagents.json',
    contact: { name: sellers[0]?.tenant.name ?? 'seller-agent' },
    authorized_agents: sellers.map((seller) => ({
      url: seller.url,
      authorized_for: `${seller.tenant.name}: everything this agent offers`,
      authorization_type: 'publisher_properties',
      publisher_properties: seller.tenant.publisherDomains.map((publisher_domain) => ({
        publisher_domain,
        selection_type: 'all',
      })),
      ...(signingKeys.length === 0 ? {} : { signing_keys: signingKeys }),
    })),
    tenants: sellers.map((seller) => ({
      path: `/${seller.tenant.path}/mcp`,
      url: seller.url,
      protocols: seller.tenant.kinds.map((kind) => PROTOCOLS[kind]),
      tools: toolNames(seller),
    })),
    last_updated: nowIso,
  };
}

/**
 * The operator's brand.json: the agents of this host, each with exactly the URL that buyers call and the place of its keys, so that a
 * signature leads back to the agent (spec 3, Authentication; facts 2.4).
 */
export function operatorBrandJson(
  { domain, name }: Operator,
  sellers: readonly Seller[],
  jwksUri: string,
  nowIso: string,
): object {
  const ids = new Set<string>();
  return {
    $schema: 'https://adcontextprotocol.org/schemas/v3/brand.json',
    version: '1.0',
    agents: sellers.map(({ tenant, url }) => ({
      type: agentType(tenant.kinds),
      url,
      id: uniqueId(tenant.path, ids),
      description: tenant.name.slice(0, MOST_DESCRIPTION),
      jwks_uri: jwksUri,
    })),
    contact: { name: name ?? sellers[0]?.tenant.name ?? domain, ...(HOST_NAME.test(domain) ? { domain } : {}) },
    last_updated: nowIso,
  };
}

const MOST_DESCRIPTION = 500;

/** An agent has one entry, for its URL may stand there once; one that does several things is what it does first in this order. */
function agentType(kinds: readonly TenantKind[]): TenantKind {
  return (['sales', 'creative', 'signals'] as const).find((kind) => kinds.includes(kind)) ?? 'sales';
}

/** A tenant's path as an id of brand.json, told apart from the ones before it. */
function uniqueId(path: string, taken: Set<string>): string {
  const base = path.replaceAll(/[^a-z0-9_]/g, '_').slice(0, 90);
  let id = base;
  for (let number = 2; taken.has(id); number += 1) id = `${base}_${number}`;
  taken.add(id);
  return id;
}
