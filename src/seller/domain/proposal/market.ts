import { DAY_MS, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import type { Limit } from '../delivery/limit.js';
import type { BookDemand } from '../inventory/demand.js';
import { isExclusive } from '../inventory/hold.js';
import { slotHours } from '../inventory/slots.js';
import type { Period } from '../media-buy/reporting.js';
import type { PricingOption, Product } from '../product/product.js';
import type { Overlay } from '../targeting/parts.js';

/** The impressions held of a product, by ms of its days' midnights. */
type HeldDays = ReadonlyMap<number, number>;

/** The flight that is forecast, with what others hold in it, and the places that are asked about. */
export type Market = Period & {
  /** By product. */
  readonly held?: ReadonlyMap<string, HeldDays> | undefined;
  readonly overlay?: Overlay | undefined;
  /** What running and booked packages ask for of products whose delivery is not promised, by product, from the flight's first moment on. */
  readonly demand?: ReadonlyMap<string, BookDemand> | undefined;
};

/** A product at a price. */
type PricedProduct = { readonly product: Product; readonly option: PricingOption };

/** Returns what others leave of a product on the days of which they hold something; undefined where they hold nothing. */
export function limitsIn(product: Product, { held }: Market): readonly Limit[] | undefined {
  const days = [...(held?.get(product.product_id) ?? [])].filter(([, amount]) => amount > 0);
  if (days.length === 0) return undefined;
  const { daily_impressions: supply } = product.inventory;
  const left = (amount: number): number => (isExclusive({ sold: product }) ? 0 : Math.max(0, supply - amount));
  return days
    .toSorted(([one], [other]) => one - other)
    .map(([day, amount]) => ({ from_ms: day, to_ms: day + DAY_MS, per_day: left(amount) }));
}

/**
 * Returns the part of a flight that a plan buys a product for: all of it, or, where the price buys less time, the first such time that is
 * free. Undefined where nothing is free.
 */
export function planFlight({ product, option }: PricedProduct, market: Market): Period | undefined {
  const hours = slotHours({ option, inventory: product.inventory });
  const isSold = soldDays(product, market);
  const lengthMs = hours === undefined ? Number.POSITIVE_INFINITY : hours * HOUR_MS;
  const whole = { fromMs: market.fromMs, toMs: market.toMs };
  if (lengthMs >= market.toMs - market.fromMs) return isSold(whole) ? undefined : whole;
  const first = lengthMs < DAY_MS ? market.fromMs : Math.ceil(market.fromMs / DAY_MS) * DAY_MS;
  for (let fromMs = first; fromMs + lengthMs <= market.toMs; fromMs += DAY_MS) {
    const slot = { fromMs, toMs: fromMs + lengthMs };
    if (!isSold(slot)) return slot;
  }
  return undefined;
}

/** Returns whether a time has a day that nobody else may have. */
function soldDays(product: Product, { held }: Market): (period: Period) => boolean {
  const days = held?.get(product.product_id);
  if (days === undefined || !isExclusive({ sold: product })) return () => false;
  return ({ fromMs, toMs }) => {
    for (let day = Math.floor(fromMs / DAY_MS) * DAY_MS; day < toMs; day += DAY_MS)
      if ((days.get(day) ?? 0) > 0) return true;
    return false;
  };
}

/** Returns the dates of an allocation that is not for the whole flight. */
export function datesOf(own: Period, flight: Period): { readonly start_time?: string; readonly end_time?: string } {
  if (own.fromMs === flight.fromMs && own.toMs === flight.toMs) return {};
  return { start_time: isoTime(own.fromMs), end_time: isoTime(own.toMs) };
}

/** Returns what is stored of the market that a plan was made for: its days, and the places that it was narrowed to. */
export function plannedFor({ fromMs, toMs, overlay }: Market): { readonly flight: Period; readonly places?: Overlay } {
  return { flight: { fromMs, toMs }, places: overlay };
}
