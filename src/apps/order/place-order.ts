import type { Host } from '../host/host.js';
import type { ToolAnswer } from '../host/messages.js';
import { money } from '../view/words.js';
import type { Acceptance } from './insertion-order.js';
import type { PricingOption } from './offer.js';

/** An order as somebody confirms it. */
export type Order = {
  readonly what: { readonly product_id: string } | { readonly proposal_id: string };
  readonly option: PricingOption | undefined;
  readonly currency: string;
  readonly budget: number;
  readonly bid: number | undefined;
  /** ISO 8601, or `asap`. */
  readonly start: string;
  readonly end: string;
  readonly account: object;
  readonly brand: { readonly domain?: string | undefined };
  /** The order's own, so that it is booked once. */
  readonly key: string;
};

/** Places an order through the host, and tells the model what came of it. */
export async function placeOrder(host: Host, order: Order, accepted?: Acceptance): Promise<ToolAnswer> {
  const answer = await host.callTool('create_media_buy', { ...argumentsOf(order), io_acceptance: accepted });
  if (answer.isError === true) return answer;
  const { media_buy_id, status, task_id } = answer.structuredContent ?? {};
  const id = media_buy_id === undefined ? `task ${task_id}` : `media buy ${media_buy_id}`;
  await host
    .tellModel(
      `The person ordered ${JSON.stringify(order.what)} for ${money(order.budget, order.currency)} in the app: ${id}, ${status}.`,
    )
    .catch(() => undefined);
  return answer;
}

function argumentsOf({
  account,
  bid,
  brand,
  budget,
  currency,
  end,
  key,
  option,
  start,
  what,
}: Order): Record<string, unknown> {
  const shared = {
    idempotency_key: key,
    account,
    brand,
    start_time: start,
    end_time: end,
  };
  if ('proposal_id' in what) return { ...shared, ...what, total_budget: { amount: budget, currency } };
  return { ...shared, packages: [{ ...what, pricing_option_id: option?.pricing_option_id, budget, bid_price: bid }] };
}
