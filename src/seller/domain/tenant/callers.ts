import type { Principal } from './principal.js';
import type { Seller } from './seller.js';
import type { Tenant } from './tenant.js';

/** Keys of the public test kits; accepted in development mode, each as a sandbox principal of its own. */
const DEMO_KEY = /^demo-[a-z0-9-]{1,64}-v\d{1,4}$/;

/** Returns the principal of a public test kit's key, whose id is the key; undefined for any other token. */
export function demoPrincipal({ tenant }: Seller, token: string): Principal | undefined {
  if (!DEMO_KEY.test(token)) return undefined;
  return {
    id: token,
    name: `Test kit ${token}`,
    sandbox: true,
    policies: {
      ...tenant.policies,
      creative_requirement: 'required',
      account_provisioning: 'auto',
      account_scope: 'principal',
    },
  };
}

/** Whether live buys of a tenant are possible, and nobody serves them: their delivery is made up. */
export function hasSimulatedBuys({ fulfillment, kinds, principals }: Tenant): boolean {
  return fulfillment === 'simulated' && kinds.includes('sales') && principals.some(({ sandbox }) => !sandbox);
}

/** Returns the principal of an id as the tenant's file has it now; undefined once it has none. */
export function findPrincipal(seller: Seller, id: string, development: boolean): Principal | undefined {
  const configured = seller.callers.find((principal) => principal.id === id);
  return configured ?? (development ? demoPrincipal(seller, id) : undefined);
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
