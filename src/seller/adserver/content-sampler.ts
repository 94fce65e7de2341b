import { HOUR_MS } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import {
  type ContentRecord,
  type ContentSource,
  DEFAULT_SAMPLING_RATE,
  simulateRecords,
} from '../domain/content/records.js';
import { flightEndMs, type MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { Booking } from './booking.js';
import type { Window } from './delivered.js';

/** The content of an hour of a buy's delivery. */
type SampledHour = { readonly fromMs: number; readonly records: readonly ContentRecord[] };

/** How a buy is sampled. */
type Sampling = {
  /** Share of impressions, 0 to 1. */
  readonly rate: number;
  readonly sourceOf: (productId: string) => ContentSource;
};

/** Returns the whole hours of a window in which a buy ran; what is sampled of an hour is known when it is over. */
export function deliveredHours(buy: MediaBuy, { fromMs, toMs }: Window): Window {
  const from = Math.max(fromMs, Date.parse(buy.start_time));
  // The hour in which the flight ends is whole once it is over too.
  const to = Math.min(toMs, Math.ceil(flightEndMs(buy) / HOUR_MS) * HOUR_MS);
  return { fromMs: Math.floor(from / HOUR_MS) * HOUR_MS, toMs: Math.floor(to / HOUR_MS) * HOUR_MS };
}

/** Samples the simulated delivery of a buy hour by hour, the earliest first. */
export async function* sampleHours(
  booking: Pick<Booking, 'delivery' | 'prepare'>,
  buy: MediaBuy,
  { fromMs, toMs }: Window,
  { rate, sourceOf }: Sampling,
): AsyncGenerator<SampledHour> {
  const [prepared = buy] = await booking.prepare([buy]);
  const impressionsAt = async (atMs: number): Promise<ReadonlyMap<string, number>> => {
    const deliveries = await booking.delivery(prepared, { fromMs: 0, toMs: atMs }, false);
    return new Map(deliveries.map(({ package_id, metrics }) => [package_id, metrics.impressions]));
  };
  let before = await impressionsAt(fromMs);
  for (let at = fromMs; at < toMs; at += HOUR_MS) {
    const after = await impressionsAt(at + HOUR_MS);
    const records = buy.packages.flatMap((line) => {
      const { package_id, product_id } = line;
      const hour = { fromMs: at, before: before.get(package_id) ?? 0, after: after.get(package_id) ?? 0 };
      return simulateRecords(buy, line, hour, { rate, source: sourceOf(product_id) });
    });
    yield { fromMs: at, records };
    before = after;
  }
}

/** Returns how the content beside a buy's ads is sampled: at the rate that the buy asked for, of the properties that its products have. */
export function contentSampling(
  { products }: Pick<Seller, 'products'>,
  { callbacks }: Pick<MediaBuy, 'callbacks'>,
): Sampling {
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
