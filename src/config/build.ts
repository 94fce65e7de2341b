import { formatOwnerUrl } from '../domain/format.js';
import type { FormatId, Product } from '../domain/product.js';
import type { Credential, Policies, Tenant } from '../domain/tenant.js';
import { sha256Hex } from '../kernel/canonical.js';
import { isDraft, type RuleOptions } from './draft.js';
import type { FormatIdFile, ProductFile } from './product-schema.js';
import type { PoliciesFile, TenantFile } from './schema.js';
import type { TenantPlace } from './tenant-files.js';
import { ownToolName } from './tenant-rules.js';

/** The rules of a tenant that sets none; the rate limits are those of facts A.7. */
export const DEFAULT_POLICIES: Policies = {
  creative_requirement: 'required',
  account_provisioning: 'auto',
  rate_limits: { reads: { per_second: 300, burst: 1500 }, writes: { per_second: 60, burst: 300 } },
};

/** Makes the tenant of a file that schema and rules have passed: defaults filled in, remarks taken out, keys hashed. */
export function buildTenant(place: TenantPlace, source: TenantFile, options: RuleOptions): Tenant {
  const file = withoutRemarks(source);
  const policies = overlay(DEFAULT_POLICIES, file.policies);
  const protocolName = file.protocol?.name ?? options.protocolName;
  const countries = new Set(file.products.flatMap((product) => product.inventory.countries));
  return {
    path: place.path,
    file: place.file,
    kinds: file.kinds,
    name: file.name,
    description: file.description,
    protocolName,
    publisherDomains: file.publisher_domains,
    portfolio: { primary_countries: [...countries].sort(), ...file.portfolio },
    publicTools: [...new Set(file.public_tools.map((tool) => ownToolName(tool, protocolName)))],
    principals: file.principals.map((principal) => ({
      id: principal.id,
      name: principal.name ?? principal.id,
      sandbox: principal.sandbox,
      policies: overlay(policies, principal.policies ?? {}),
      credentials: credentialsOf(principal, options),
    })),
    accounts: file.accounts,
    products: file.products.map((product) => buildProduct(product, formatOwnerUrl(options.baseUrl))),
    policies,
    replayTtlSeconds: file.idempotency.replay_ttl_seconds,
    outboundResolve: file.outbound.resolve,
  };
}

function overlay(base: Policies, own: PoliciesFile): Policies {
  return {
    creative_requirement: own.creative_requirement ?? base.creative_requirement,
    account_provisioning: own.account_provisioning ?? base.account_provisioning,
    rate_limits: {
      reads: own.rate_limits?.reads ?? base.rate_limits.reads,
      writes: own.rate_limits?.writes ?? base.rate_limits.writes,
    },
  };
}

function credentialsOf(principal: TenantFile['principals'][number], { env }: RuleOptions): readonly Credential[] {
  const keys = [principal.key ?? []]
    .flat()
    .map((key): Credential => ({ kind: 'sha256', digest: key.sha256 ?? sha256Hex(env[key.env ?? ''] ?? '') }));
  const token = principal.public_token;
  return token === undefined ? keys : [...keys, { kind: 'public_token', token }];
}

function buildProduct(product: ProductFile, agentUrl: string): Product {
  const resolve = (id: FormatIdFile): FormatId => (typeof id === 'string' ? { agent_url: agentUrl, id } : id);
  const { placements, format_ids, ...rest } = product;
  if (placements === undefined) return { ...rest, format_ids: format_ids.map(resolve) };
  const placed = placements.map(({ format_ids: own, ...placement }) =>
    own === undefined ? placement : { ...placement, format_ids: own.map(resolve) },
  );
  return { ...rest, format_ids: format_ids.map(resolve), placements: placed };
}

function withoutRemarks<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutRemarks) as Value;
  if (!isDraft(value)) return value;
  const kept = Object.entries(value).filter(([key]) => key !== '$schema' && key !== '$comment');
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutRemarks(inner)])) as Value;
}
