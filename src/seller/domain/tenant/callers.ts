import { sha256Hex } from '../../../platform/kernel/canonical.js';
import type { BuildPrice } from '../creative/build-price.js';
import type { Principal, TestKit } from './principal.js';
import type { Seller } from './seller.js';
import type { Tenant } from './tenant.js';

/** Keys of the public test kits; accepted in development mode, each as a principal of its own. */
export const DEMO_KEY = /^demo-[a-z0-9-]{1,64}-v\d{1,4}$/;

const USUAL_BILLING = { billing: 'agent_billable', creativeBilling: 'through_protocol' } as const;

/** A test kit of which the tenant's file says nothing. */
const USUAL_KIT: TestKit = { sandbox: true, ...USUAL_BILLING };

/** Returns the principal of a public test kit's key, whose id is the key; undefined for any other token. */
export function demoPrincipal({ tenant }: Seller, token: string): Principal | undefined {
  if (!DEMO_KEY.test(token)) return undefined;
  const kit = tenant.kits[token] ?? USUAL_KIT;
  return {
    id: token,
    name: `Test kit ${token}`,
    ...kit,
    policies: {
      ...tenant.policies,
      creative_requirement: 'required',
      account_provisioning: kit.sandbox ? 'auto' : 'manual',
      account_scope: kit.sandbox ? 'principal' : 'account',
    },
  };
}

/** Returns the rate card of building creatives, as a caller is billed by it; empty for whom building is billed outside the protocol. */
export function buildPricesFor({ buildPrices }: Tenant, caller: Principal | undefined): readonly BuildPrice[] {
  return isBilledOutside(caller) ? [] : buildPrices;
}

/** Whether creatives are billed to a caller by a contract, and not by the protocol's prices. */
export function isBilledOutside(caller: Principal | undefined): boolean {
  return caller?.creativeBilling === 'out_of_band';
}

/** Whether live buys of a tenant are possible, and nobody serves them: their delivery is made up. */
export function hasSimulatedBuys({ fulfillment, kinds, principals, kits }: Tenant): boolean {
  const callers = [...principals, ...Object.values(kits)];
  return fulfillment === 'simulated' && kinds.includes('sales') && callers.some(({ sandbox }) => !sandbox);
}

/** Returns the principal of an id as the tenant's file has it now; undefined once it has none. */
export function findPrincipal(seller: Seller, id: string, development: boolean): Principal | undefined {
  const configured = seller.callers.find((principal) => principal.id === id);
  return configured ?? (development ? demoPrincipal(seller, id) : undefined);
}

/** Returns a principal that the tenant's file has no more, under the policies of the tenant: people of the seller stop its buys. */
export function departedPrincipal({ tenant }: Seller, id: string, sandbox: boolean): Principal {
  const { policies } = tenant;
  return { id, name: id, sandbox, policies, ...USUAL_BILLING, hasLeft: true };
}

/**
 * Returns the principal of `other` that the same key opens, a test kit's key being the same everywhere; undefined where that key is not known, or
 * where it would lead from the sandbox to real things or back.
 */
export function findSameCaller(seller: Seller, other: Seller, { id, sandbox }: Principal): Principal | undefined {
  const digests = [...seller.principals].filter(([, principal]) => principal.id === id).map(([digest]) => digest);
  const fromToken = digests.map((digest) => other.principals.get(digest)).find((principal) => principal !== undefined);
  const kit = seller.callers.some((principal) => principal.id === id) ? undefined : demoPrincipal(other, id);
  const same = fromToken ?? kit;
  return same?.sandbox === sandbox ? same : undefined;
}

/** When keys are looked at, and whether those of public test kits count. */
type KeyRules = { readonly nowMs: number; readonly development: boolean };

/** Returns the principal that an access key opens, with the key's SHA-256. Keys are compared by that alone, so the time it takes says nothing about one. */
export function openByKey(
  seller: Seller,
  key: string,
  { development, nowMs }: KeyRules,
): { readonly principal: Principal; readonly digest: string } | undefined {
  const digest = sha256Hex(key);
  if (isExpired(seller, digest, nowMs)) return undefined;
  const principal = seller.principals.get(digest) ?? (development ? demoPrincipal(seller, key) : undefined);
  return principal && { principal, digest };
}

/** Whether a key, by its SHA-256, still opens a principal. */
export function isKeyOpen(
  seller: Seller,
  digest: string,
  { id }: Principal,
  { development, nowMs }: KeyRules,
): boolean {
  if (isExpired(seller, digest, nowMs)) return false;
  const holder = seller.principals.get(digest);
  return holder === undefined ? development && DEMO_KEY.test(id) && sha256Hex(id) === digest : holder.id === id;
}

function isExpired({ keyExpiries }: Seller, digest: string, nowMs: number): boolean {
  const expiry = keyExpiries.get(digest);
  return expiry !== undefined && expiry <= nowMs;
}
