import type { App, Call } from '../../context.js';
import type { OrderContext } from '../../domain/media-buy/order.js';

/** In development mode a sandbox caller may name plain http and loopback addresses. */
export function mayNameLocal(app: App, call: Call): boolean {
  return app.development && call.principal?.sandbox === true;
}

/** Returns what an order of this call is judged against. */
export function orderContext(app: App, call: Call): OrderContext {
  const { seller, principal, now } = call;
  return {
    products: seller.products,
    formatOwner: seller.formatOwner,
    formatIds: seller.formatIds,
    creativeRequirement: (principal ?? seller.tenant).policies.creative_requirement,
    soldTerms: seller.soldTerms,
    ids: app.ids,
    now,
  };
}
