import { DAY_MS, HOUR_MS, isoTime } from '../../../platform/kernel/clock.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Inventory, PricingOption } from '../product/product.js';

/** A flight in ms since the epoch, half open. */
export type FlightMs = { readonly start_ms: number; readonly end_ms: number };

/** The offer behind a flat price: its terms, and the product's supply. */
type FlatOffer = { readonly option: PricingOption; readonly inventory: Inventory };

const HOURS_A_DAY = 24;

/**
 * Returns how many times a flat price is paid for a flight: once for each slot of hours that its file names, whole calendar days (UTC)
 * where that is days, and once in all where it names none.
 */
export function countSlots({ option, inventory }: FlatOffer, { start_ms, end_ms }: FlightMs): number {
  const hours = slotHours({ option, inventory });
  if (hours === undefined) return 1;
  if (hours < HOURS_A_DAY) return Math.max(1, Math.ceil((end_ms - start_ms) / (hours * HOUR_MS)));
  const days = Math.ceil(end_ms / DAY_MS) - Math.floor(start_ms / DAY_MS);
  return Math.max(1, Math.ceil(days / (hours / HOURS_A_DAY)));
}

/** Returns the hours that a flat price buys; undefined for the whole flight. */
export function slotHours({ option, inventory }: FlatOffer): number | undefined {
  if (option.pricing_model !== 'flat_rate') return undefined;
  const given = option.parameters?.duration_hours;
  const hours = typeof given === 'number' ? given : inventory.slot_hours;
  return hours !== undefined && hours > 0 ? hours : undefined;
}

/** Returns what every slot of a flight costs together, in the option's currency. */
export function slotsPrice(offer: FlatOffer, flight: FlightMs): number {
  if (slotHours(offer) === undefined) return 0;
  return Math.round(countSlots(offer, flight) * (offer.option.fixed_price ?? 0) * 100) / 100;
}

/** Refuses a budget that does not pay for every slot of a flight. `field` is what is blamed. */
export function checkSlots(offer: FlatOffer, budget: number, flight: FlightMs, field: string): void {
  const { currency, fixed_price: price = 0 } = offer.option;
  const slots = countSlots(offer, flight);
  const minimum = slotsPrice(offer, flight);
  const hours = slotHours(offer);
  if (hours === undefined || slots === 1 || budget >= minimum) return;
  const paid = Math.floor(budget / price);
  const end = isoTime(slotsEnd(hours, flight.start_ms, paid));
  throw new TaskError('BUDGET_TOO_LOW', `The flight takes ${slots} times the price of this product.`, {
    field,
    suggestion: `The price buys ${slotName(hours)}. Offer ${minimum} ${currency} for this flight, or end it by ${end} for ${paid * price} ${currency}.`,
    details: { minimum_budget: minimum, currency, slot_hours: hours, slots },
  });
}

function slotsEnd(hours: number, startMs: number, slots: number): number {
  if (hours < HOURS_A_DAY) return startMs + slots * hours * HOUR_MS;
  return Math.floor(startMs / DAY_MS) * DAY_MS + Math.floor((slots * hours) / HOURS_A_DAY) * DAY_MS;
}

function slotName(hours: number): string {
  if (hours === HOURS_A_DAY) return 'one calendar day, 00:00 to 24:00 UTC';
  return hours % HOURS_A_DAY === 0 ? `${hours / HOURS_A_DAY} calendar days (UTC)` : `${hours} hours`;
}
