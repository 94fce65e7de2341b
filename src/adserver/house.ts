import { dailyBreakdown, deliveryLine, deliveryStatus, pacingIndex, simulateDelivery } from '../domain/delivery.js';
import { deliveryByCreative } from '../domain/delivery-creatives.js';
import type { MediaBuy } from '../domain/media-buy.js';
import type { CreativeDelivery, PackageDelivery, Window } from './port.js';

/** The built-in ad server: delivery worked out from each package's flight, pacing, price and product. The same answer every time. */
export function houseDelivery(buy: MediaBuy, { fromMs, toMs }: Window, daily: boolean): readonly PackageDelivery[] {
  return buy.packages.map((line) => {
    const booked = deliveryLine(line);
    const pacing_index = pacingIndex(booked, toMs);
    return {
      package_id: line.package_id,
      metrics: simulateDelivery(booked, fromMs, toMs),
      daily: daily ? dailyBreakdown(booked, fromMs, toMs) : [],
      ...(pacing_index === undefined ? {} : { pacing_index }),
      delivery_status: deliveryStatus(booked, toMs),
    };
  });
}

/** The same per creative: what its packages delivered while it took turns in them, by weight. */
export function houseCreativeDelivery(buy: MediaBuy, { fromMs, toMs }: Window): readonly CreativeDelivery[] {
  return deliveryByCreative(buy.packages, fromMs, toMs);
}
