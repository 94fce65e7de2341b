import { TaskError } from '../../../protocol/errors.js';
import { isForPeople } from '../../domain/booking/booking.js';
import { fulfillmentOf } from '../../domain/media-buy/fulfillment.js';
import type { OwnedBuy } from '../../store/media-buys/media-buys.js';
import type { Reader } from '../../store/store.js';

/** Returns an order that a person books. Throws REFERENCE_NOT_FOUND, or INVALID_STATE for one that an ad server takes by itself. */
export async function findHandBooked(
  { mediaBuys, orderBookings }: Pick<Reader, 'mediaBuys' | 'orderBookings'>,
  mediaBuyId: string,
): Promise<OwnedBuy> {
  const owned = await mediaBuys.findAnywhere(mediaBuyId);
  if (owned === undefined) {
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no order of this id.', {
      field: 'media_buy_id',
      suggestion: 'Use a media_buy_id from the list of orders.',
    });
  }
  const booking = await orderBookings.find(mediaBuyId);
  if (fulfillmentOf(owned.buy) !== 'manual' && !isForPeople(owned.buy, booking))
    throw new TaskError('INVALID_STATE', 'This order is not booked by hand.', { field: 'media_buy_id' });
  return owned;
}
