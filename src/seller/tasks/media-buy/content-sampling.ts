import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import { type ContentSource, DEFAULT_SAMPLING_RATE } from '../../domain/content/records.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Seller } from '../../domain/tenant/seller.js';

/** Refuses to tell what a buy's ads ran beside where nobody records it: the simulator alone does. Throws UNSUPPORTED_FEATURE. */
export function checkContentRecords({ booking }: Pick<App, 'booking'>, buy: MediaBuy, field: string): void {
  if (booking.isSimulated(buy)) return;
  throw new TaskError('UNSUPPORTED_FEATURE', 'Nobody records what the ads of this media buy run beside.', {
    field,
    suggestion: 'Ask for delivery with get_media_buy_delivery; content is recorded of simulated delivery alone.',
  });
}

/** Returns how the content beside a buy's ads is sampled: at the rate that the buy asked for, of the properties that its products have. */
export function contentSampling({ products }: Pick<Seller, 'products'>, { callbacks }: Pick<MediaBuy, 'callbacks'>) {
  return { rate: samplingRate(callbacks.artifact_webhook), sourceOf: (id: string) => findSource(products, id) };
}

/** Returns the rate that a registration asks for; all impressions where it names none. */
function samplingRate(registered: unknown): number {
  if (!isObject(registered)) return DEFAULT_SAMPLING_RATE;
  return typeof registered.sampling_rate === 'number' ? registered.sampling_rate : 1;
}

function findSource(products: Seller['products'], productId: string): ContentSource {
  const selectors = products.get(productId)?.publisher_properties ?? [];
  const properties = selectors.flatMap((selector) =>
    selector.selection_type === 'by_id'
      ? selector.property_ids.map((id) => `${selector.publisher_domain}/${id}`)
      : [selector.publisher_domain],
  );
  return { properties };
}
