import { type Booted, boot } from './boot.js';
import { type Operator, operatorOf } from './operator.js';
import { type Shopper, shopper } from './shopper.js';
import { addLivePrincipal, LIVE_ACCOUNT, LIVE_TOKEN, type TenantDraft, tenantsFolder } from './tenants.js';

/** A seller with a live buyer and its own person. */
export type Selling = { readonly server: Booted; readonly live: Shopper; readonly operator: Operator };

/** A live buyer of a seller that carries orders out in a certain manner; undefined is what the file leaves out. */
export async function selling(
  fulfillment: string | undefined,
  bend: (tenant: TenantDraft) => void = () => undefined,
): Promise<Selling> {
  const tenants = tenantsFolder((tenant) => {
    addLivePrincipal(tenant);
    tenant.fulfillment = fulfillment;
    bend(tenant);
  });
  const server = await boot({ tenants });
  const live = shopper(server, { token: LIVE_TOKEN, account: { account_id: LIVE_ACCOUNT } });
  return { server, live, operator: operatorOf(server) };
}

/** Has a person approve the one order that waits; answers the id of its buy. */
export async function approveOrder(operator: Operator, said: object = {}): Promise<string> {
  const [waiting] = await operator.waiting();
  const answer = await operator.post(`/approvals/${waiting?.id}`, { decision: 'approve', ...said });
  const { media_buys } = answer.json() as { media_buys: readonly { media_buy_id: string }[] };
  return media_buys[0]?.media_buy_id ?? '';
}
