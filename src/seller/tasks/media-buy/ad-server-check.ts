import { TaskError } from '../../../protocol/errors.js';
import { checkOrder } from '../../adserver/check-order.js';
import type { CheckVerdict } from '../../adserver/port/answers.js';
import type { App, Call } from '../../context.js';
import { isLive } from '../../domain/booking/live-order.js';
import { fulfillmentOf } from '../../domain/media-buy/fulfillment.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Reader } from '../../store/store.js';

/** Whether the orders of a caller go to an ad server, which is asked before they are accepted. */
export function goesToAdServer({ principal, seller }: Pick<Call, 'principal' | 'seller'>): boolean {
  return seller.tenant.fulfillment === 'adapter' && principal?.sandbox === false;
}

/** An order before it is accepted. */
type Asked = {
  /** Makes the buy as it would be; what it throws is left to the transaction, which says it with everything else. */
  readonly draft: () => MediaBuy | Promise<MediaBuy>;
  /** Returns where a package stands in the request. */
  readonly field: (packageId: string, buy: MediaBuy) => string;
};

/**
 * Asks the ad server whether it takes an order. Throws TERMS_REJECTED where it does not, SERVICE_UNAVAILABLE where it cannot be asked and the
 * tenant does not sell without its word.
 */
export async function askAdServer(app: App, call: Call, db: Reader, { draft, field }: Asked): Promise<void> {
  if (!goesToAdServer(call)) return;
  const connection = app.findConnection(call.owner);
  const buy = await catchTaskErrors(draft);
  if (connection === undefined || buy === undefined || !isLive(buy) || fulfillmentOf(buy) !== 'adapter') return;
  const booking = await db.orderBookings.find(buy.media_buy_id);
  const checked = {
    order: connection.makeOrder(buy, []),
    booked: booking?.booked?.order,
    foreign: booking?.foreign,
  };
  const verdict = await checkOrder(connection, checked).catch((error: unknown) => {
    const { media_buy_id } = buy;
    app.log.warn(
      { err: error, media_buy_id, ad_server: connection.adapter.name },
      'the ad server could not be asked about an order',
    );
    if (call.seller.tenant.adServer?.check === 'if_reachable') return undefined;
    throw new TaskError('SERVICE_UNAVAILABLE', 'The ad server cannot be asked whether it takes this order just now.', {
      suggestion: 'Send the same call again in a minute. To stop what runs, pause or cancel: that is not asked first.',
    });
  });
  if (verdict !== undefined && verdict.verdict !== 'accepted') throw refusal(verdict, buy, field);
}

async function catchTaskErrors(draft: Asked['draft']): Promise<MediaBuy | undefined> {
  try {
    return await draft();
  } catch (error) {
    if (error instanceof TaskError) return undefined;
    throw error;
  }
}

function refusal(
  verdict: Exclude<CheckVerdict, { verdict: 'accepted' }>,
  buy: MediaBuy,
  field: Asked['field'],
): TaskError {
  const { message, package_id, field: member, suggestion } = verdict;
  const line = package_id === undefined ? undefined : field(package_id, buy);
  const path = [line, member].filter((part) => part !== undefined).join('.');
  const priced = verdict.verdict === 'priced' ? { price: verdict.price, currency: buy.currency } : {};
  const usual =
    verdict.verdict === 'priced'
      ? `It could be had at ${verdict.price} ${buy.currency}.`
      : 'Order something else, or ask the seller.';
  return new TaskError('TERMS_REJECTED', message, {
    field: path === '' ? 'packages' : path,
    suggestion: suggestion ?? usual,
    details: { reason: 'ad_server', ...priced },
  });
}
