import { isoTime } from '../../platform/kernel/clock.js';
import type { HostedAgent, Publication } from '../../registry/publish/types.js';
import type { App } from '../context.js';
import { publishedBrands } from '../domain/brand/identity.js';
import type { Seller } from '../domain/tenant/seller.js';
import { TENANT_KINDS, type TenantKind } from '../domain/tenant/tenant.js';
import { toolNames } from '../tasks/index.js';

/** Path of the public keys of every agent of this host. */
export const JWKS_PATH = '/.well-known/jwks.json';

const PROTOCOLS = {
  sales: 'media_buy',
  creative: 'creative',
  signals: 'signals',
  governance: 'governance',
  brand: 'brand',
} as const;

/** Returns what this host publishes now: its agents, its operator, the publishers that it sells and its keys. */
export function describeHost(app: App): Publication {
  const sellers = [...app.sellers().values()];
  return {
    operator: app.operator,
    agents: sellers.map(hostedAgent),
    brands: sellers.flatMap(({ tenant: { brand } }) =>
      brand !== undefined && brand.house.domain === app.operator.domain ? publishedBrands(brand) : [],
    ),
    publishers: app.publishers(),
    signingKeys: app.keys.pins(),
    jwksUri: `${app.renderer().baseUrl}${JWKS_PATH}`,
    jwks: app.keys.publicJwks(),
    nowIso: isoTime(app.clock.now()),
  };
}

function hostedAgent(seller: Seller): HostedAgent {
  const { tenant, url } = seller;
  return {
    url,
    path: `/${tenant.path}/mcp`,
    name: tenant.name,
    type: agentType(tenant.kinds),
    protocols: tenant.kinds.map((kind) => PROTOCOLS[kind]),
    tools: toolNames(seller),
    publisherDomains: tenant.publisherDomains,
  };
}

/** Returns the one type of an agent, whose URL may have one entry: the first in this order that it is. */
function agentType(kinds: readonly TenantKind[]): TenantKind {
  return TENANT_KINDS.find((kind) => kinds.includes(kind)) ?? 'sales';
}
