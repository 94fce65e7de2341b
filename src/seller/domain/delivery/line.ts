import type { MediaChannel } from '../../../protocol/media-channel.js';
import type { Pacing, Package } from '../media-buy/media-buy.js';
import type { Steering } from '../optimization/goal.js';
import type { Inventory, PricingOption, Product } from '../product/product.js';
import type { Reach } from '../targeting/reach.js';
import type { Limit } from './limit.js';

/** The terms that a buyer has booked, at some time. Money in the pricing option's currency. */
export type DeliveryTerms = {
  /** When the flight ends under these terms. */
  readonly end_ms: number;
  /** For the whole flight, what was spent before included. */
  readonly budget: number;
  readonly bid_price?: number | undefined;
  readonly pacing: Pacing;
  /** A goal for the whole flight, at which delivery stops. */
  readonly impressions?: number | undefined;
  /** What targeting leaves of the supply; absent: all of it. */
  readonly reach?: Reach | undefined;
};

/** A stretch of time in which a line ran, start in and end out; under the line's own terms unless it brings those of its day. */
export type ActiveInterval = readonly [start_ms: number, end_ms: number, terms?: DeliveryTerms];

/** All that decides the delivery of one package. Equal lines deliver equally, for ever. */
export type DeliveryLine = DeliveryTerms & {
  readonly package_id: string;
  readonly start_ms: number;
  readonly delivery_type: Product['delivery_type'];
  readonly pricing_option: PricingOption;
  readonly channels: readonly MediaChannel[];
  readonly inventory: Inventory;
  /** The effect of its goals; absent: it has none. */
  readonly steering?: Steering | undefined;
  /** When it ran; absent: all its flight. */
  readonly active?: readonly ActiveInterval[] | undefined;
  /** In order, without overlap; there is none where nobody competes. */
  readonly limits?: readonly Limit[] | undefined;
};

/** A package as far as its delivery goes, whether it was bought or is planned. */
export type SoldLine = Pick<
  Package,
  | 'package_id'
  | 'start_time'
  | 'end_time'
  | 'budget'
  | 'bid_price'
  | 'pacing'
  | 'impressions'
  | 'reach'
  | 'steering'
  | 'sold'
  | 'segments'
  | 'limits'
>;

/** Returns the line of a package, at the terms it was sold at. */
export function deliveryLine(line: SoldLine): DeliveryLine {
  const { option, delivery_type, channels, inventory } = line.sold;
  return {
    package_id: line.package_id,
    start_ms: Date.parse(line.start_time),
    end_ms: Date.parse(line.end_time),
    budget: line.budget,
    bid_price: line.bid_price,
    pacing: line.pacing,
    impressions: line.impressions,
    reach: line.reach,
    steering: line.steering,
    delivery_type,
    pricing_option: option,
    channels,
    inventory,
    limits: line.limits,
    active: line.segments.map(({ from, to, end, budget, bid_price, pacing, impressions, reach }) => [
      Date.parse(from),
      to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
      { end_ms: Date.parse(end), budget, bid_price, pacing, impressions, reach },
    ]),
  };
}
