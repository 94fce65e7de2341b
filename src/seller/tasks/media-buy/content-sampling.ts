import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';

/** Refuses to tell what a buy's ads ran beside where nobody records it: the simulator alone does. Throws UNSUPPORTED_FEATURE. */
export function checkContentRecords({ booking }: Pick<App, 'booking'>, buy: MediaBuy, field: string): void {
  if (booking.isSimulated(buy)) return;
  throw new TaskError('UNSUPPORTED_FEATURE', 'Nobody records what the ads of this media buy run beside.', {
    field,
    suggestion: 'Ask for delivery with get_media_buy_delivery; content is recorded of simulated delivery alone.',
  });
}
