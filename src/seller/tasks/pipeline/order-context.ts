import type { FormatReferences } from '../../../creative/formats/format-agents.js';
import type { App, Call } from '../../context.js';
import type { Account } from '../../domain/account/account.js';
import type { ChangeContext } from '../../domain/media-buy/change/change.js';
import type { OrderContext } from '../../domain/media-buy/order.js';
import { formatReferences } from '../../domain/tenant/seller.js';

/** Whether a call may name plain http and loopback addresses: one of a sandbox caller in development mode. */
export function canNameLocal(app: App, call: Call): boolean {
  return app.development && call.principal?.sandbox === true;
}

/** Returns what the formats that a call names are read against. */
export function formatsOf({ seller, principal }: Pick<Call, 'seller' | 'principal'>): FormatReferences {
  return formatReferences(seller, principal?.sandbox === true);
}

/** Returns what an order of this call is judged against. */
export function orderContext(app: App, call: Call): OrderContext {
  const { seller, principal, now } = call;
  return {
    products: seller.products,
    formats: formatsOf(call),
    formatOptions: seller.formatOptions,
    creativeRequirement: (principal ?? seller.tenant).policies.creative_requirement,
    fulfillment: seller.tenant.fulfillment,
    isBookedLater: call.isBookedLater === true,
    seats: principal?.seats,
    soldTerms: seller.soldTerms,
    ids: app.ids,
    now,
  };
}

/** Returns what a change of a buy in an account is judged against. */
export function changeContext(app: App, call: Call, account: Account): ChangeContext {
  const { isOperator, principal } = call;
  return { ...orderContext(app, call), authority: { account, isOperator, principal } };
}
