import type { BillingRelationship, CreativeBilling } from '../account/billing.js';
import type { AccountScope } from '../account/scope.js';
import type { CreativeApproval } from '../creative/creative.js';
import type { CreativeRequirement } from '../product/product.js';

/** A credential by which a principal proves itself. A public token is printed in the banner and therefore allowed to sandbox principals only. */
export type Credential =
  | {
      readonly kind: 'sha256';
      readonly digest: string;
      /** The environment variable that holds the key, where one does. */
      readonly env?: string | undefined;
      /** The instant (ISO 8601) from which on it opens nothing. */
      readonly expiresAt?: string | undefined;
    }
  | { readonly kind: 'public_token'; readonly token: string };

/** Rules that a tenant sets and a principal may override. */
export type Policies = {
  readonly creative_requirement: CreativeRequirement;
  /** `auto`: an unknown brand and operator opens an account; `manual`: it must have been synced or configured. */
  readonly account_provisioning: 'auto' | 'manual';
  /** How far a request that names an account reaches. */
  readonly account_scope: AccountScope;
  readonly creative_approval: CreativeApproval;
  /** Calls per second that one principal may make on average, and how many at once beyond that. */
  readonly rate_limits: { readonly reads: RateLimit; readonly writes: RateLimit; readonly bytes: RateLimit };
};
export type RateLimit = { readonly per_second: number; readonly burst: number };

/** An authenticated caller. `sandbox` decides what it can reach: a sandbox principal's things are never real. */
export type Principal = {
  readonly id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly policies: Policies;
  /** Who may be invoiced for its accounts. */
  readonly billing: BillingRelationship;
  /** How creatives are billed to it. */
  readonly creativeBilling: CreativeBilling;
  /** Its seats in DSPs, by their domains: private deals are made for them. */
  readonly seats?: Readonly<Record<string, readonly string[]>> | undefined;
  /** The tenant's file has it no more: people of the seller stop its buys, and nothing else is done in its name. */
  readonly hasLeft?: true;
};

/** A tenant's settings for the principal of a public test kit. */
export type TestKit = Pick<Principal, 'sandbox' | 'billing' | 'creativeBilling'>;

/** Returns the key of the partition of the store that a principal of a tenant owns. Tenant paths hold no `#`. */
export function ownerKey(tenantPath: string, principalId: string): string {
  return `${tenantPath}#${principalId}`;
}

/** Returns the tenant and the principal that a partition of the store belongs to. */
export function readOwner(owner: string): { readonly tenant: string; readonly principal: string } {
  const at = owner.indexOf('#');
  return { tenant: owner.slice(0, at), principal: owner.slice(at + 1) };
}
