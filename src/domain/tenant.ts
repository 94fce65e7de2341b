import type { Account } from './account.js';
import type { CreativeRequirement, Product } from './product.js';

/** What an agent does; each kind brings its own tools (spec 2 "Transport"). */
export const TENANT_KINDS = ['sales', 'creative', 'signals'] as const;
export type TenantKind = (typeof TENANT_KINDS)[number];

/** How a principal proves itself. A public token is printed in the banner and therefore allowed to sandbox principals only. */
export type Credential =
  | { readonly kind: 'sha256'; readonly digest: string }
  | { readonly kind: 'public_token'; readonly token: string };

/** Rules that a tenant sets and a principal may override. */
export type Policies = {
  readonly creative_requirement: CreativeRequirement;
  /** `auto`: an unknown brand and operator opens an account; `listed`: it must have been synced or configured. */
  readonly account_provisioning: 'auto' | 'listed';
  /** Calls per second that one principal may make on average, and how many at once beyond that. */
  readonly rate_limits: { readonly reads: RateLimit; readonly writes: RateLimit };
};
export type RateLimit = { readonly per_second: number; readonly burst: number };

/** An authenticated caller. `sandbox` decides what it can reach: a sandbox principal's things are never real (facts A.8). */
export type Principal = {
  readonly id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly policies: Policies;
};

/** An account from the tenant file; more come by sync_accounts (facts C.8). Sandbox follows its principal. */
export type ConfiguredAccount = Omit<Account, 'sandbox'> & {
  /** `Principal.id` of its owner. */
  readonly principal: string;
};

/** One agent: what one file under `tenants/` says, with every default filled in. Immutable; an edit makes a new one. */
export type Tenant = {
  /** `sales` for `tenants/sales.json`, `acme/sales` for `tenants/acme/sales.json`: served at `/{path}/mcp`. */
  readonly path: string;
  readonly file: string;
  readonly kinds: readonly TenantKind[];
  readonly name: string;
  readonly description: string;
  /** The protocol's name on the wire for this tenant. */
  readonly protocolName: string;
  readonly publisherDomains: readonly string[];
  /** ISO 3166-1 alpha-2 countries and free text for the capabilities' portfolio block. */
  readonly portfolio: { readonly primary_countries: readonly string[]; readonly advertising_policies?: string };
  /** Tools that answer without a credential. */
  readonly publicTools: readonly string[];
  readonly principals: readonly (Principal & { readonly credentials: readonly Credential[] })[];
  readonly accounts: readonly ConfiguredAccount[];
  readonly products: readonly Product[];
  readonly policies: Policies;
  /** How long a replay is answered, 3600 to 604800 seconds (spec 2, idempotency rule 4). */
  readonly replayTtlSeconds: number;
  /** Development mode only: where a host of a callback really lives. */
  readonly outboundResolve: Readonly<Record<string, string>>;
};
