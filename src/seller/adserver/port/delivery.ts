import type { ForeignIds } from '../../domain/booking/foreign-ids.js';
import type { LiveOrder } from '../../domain/booking/live-order.js';

/** An order that the ad server has, under its ids there. */
export type BookedOrder = { readonly order: LiveOrder; readonly foreign: ForeignIds };

/** The delivery that is asked for: of at most 200 orders, on whole days of the time zone that the adapter declares. */
export type DeliveryRequest = {
  readonly orders: readonly BookedOrder[];
  /** `YYYY-MM-DD`. */
  readonly from_date: string;
  /** `YYYY-MM-DD`; this day too. */
  readonly to_date: string;
};

/**
 * A package's delivery on a day, by our ids: one row per package, day and creative or, without `creative_id`, one per
 * package and day. Whole numbers; a count that the ad server does not have is left out, never 0.
 */
export type DeliveryRow = {
  readonly package_id: string;
  readonly creative_id?: string | undefined;
  /** `YYYY-MM-DD` in the time zone that the adapter declares. */
  readonly date: string;
  readonly impressions: number;
  readonly clicks?: number | undefined;
  readonly views?: number | undefined;
  readonly completed_views?: number | undefined;
  readonly conversions?: number | undefined;
  /** In the currency that the adapter declares; left out, it follows from the counts and the price that was agreed. */
  readonly spend?: number | undefined;
};

/**
 * The answer to a request for delivery: `rows` are all that there is, so that what was reported of these days before and is missing now
 * is taken back. `pending`: the report is being made under this handle (1 to 500 characters), which is stored.
 */
export type DeliveryAnswer =
  | { readonly kind: 'rows'; readonly rows: readonly DeliveryRow[] }
  | { readonly kind: 'pending'; readonly job: string; readonly retry_after_ms?: number | undefined };

/** The context in which delivery is asked for; `job` is the report that an earlier call ordered. */
export type DeliveryContext = {
  /** The handle that an earlier call answered for this very request, also by a process that has ended since; undefined starts the report. */
  readonly job: string | undefined;
  /** Aborted once nobody waits any more. */
  readonly signal: AbortSignal;
};
