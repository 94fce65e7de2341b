import type { Seller } from '../domain/seller.js';
import { toolNames } from '../tools/index.js';

const PROTOCOLS = { sales: 'media_buy', creative: 'creative', signals: 'signals' } as const;

/**
 * The host's own adagents.json (spec 2, Transport): a valid file of the public schema, whose extension `tenants` lists every agent
 * with its tools. It authorises the agents for the publishers' properties only as far as this host speaks for itself.
 */
export function hostAdagents(sellers: readonly Seller[], nowIso: string): object {
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
