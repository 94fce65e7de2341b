import type { App } from '../context.js';
import { readOwner } from '../domain/tenant/principal.js';

/** Returns the name of a tenant for people; its path where it is not served any more. */
export function tenantName({ sellers }: Pick<App, 'sellers'>, path: string): string {
  return sellers().get(path)?.tenant.name ?? path;
}

/** Returns the name of a buyer for people; its id where the tenant's file does not have it any more. */
export function buyerName({ sellers }: Pick<App, 'sellers'>, tenant: string, principal: string): string {
  return (
    sellers()
      .get(tenant)
      ?.tenant.principals.find(({ id }) => id === principal)?.name ?? principal
  );
}

/** Returns the name of a product for people; its id where the tenant does not sell it any more. */
export function productName({ sellers }: Pick<App, 'sellers'>, tenant: string, id: string): string {
  return sellers().get(tenant)?.products.get(id)?.name ?? id;
}

/** Returns the name of the buyer that a partition of the store belongs to. */
export function ownerName(app: Pick<App, 'sellers'>, owner: string): string {
  const { principal, tenant } = readOwner(owner);
  return buyerName(app, tenant, principal);
}
