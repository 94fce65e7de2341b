/**
 * How live buys are carried out: by people, who enter what was delivered (`manual`); by an ad server (`adapter`); or by nobody, with
 * delivery made up by the built-in simulator (`simulated`).
 */
export const FULFILLMENTS = ['manual', 'adapter', 'simulated'] as const;
export type Fulfillment = (typeof FULFILLMENTS)[number];

/** How live buys are carried out where a tenant does not say. */
export const DEFAULT_FULFILLMENT: Fulfillment = 'manual';

/** Says in `ext` that nothing is served. */
export const SIMULATED = {
  fulfillment: { mode: 'simulated', note: 'Delivery and spend are made up: no ad is served.' },
} as const;

/** The seller's own record that a person has booked an order. */
export type BookedByHand = {
  /** ISO 8601. */
  readonly at: string;
  /** The id of the order in the seller's ad server, where it has one. */
  readonly order_id?: string;
};

/** A media buy as far as it says how it is carried out. */
type Fulfilled = { readonly sandbox: boolean; readonly fulfillment?: Fulfillment };

/** Returns how a buy is carried out: a sandbox's is simulated, and so is one from before a tenant could say. */
export function fulfillmentOf({ sandbox, fulfillment }: Fulfilled): Fulfillment {
  return sandbox ? 'simulated' : (fulfillment ?? 'simulated');
}

/** Returns what says that the numbers of a live buy are made up; undefined for any other buy. */
export function simulatedMark(buy: Fulfilled): typeof SIMULATED | undefined {
  return !buy.sandbox && fulfillmentOf(buy) === 'simulated' ? SIMULATED : undefined;
}
