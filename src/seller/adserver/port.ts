import type { ResolvedCreative } from '../domain/booking/creatives.js';
import type { ForeignIds } from '../domain/booking/foreign-ids.js';
import type { BreakdownRequest } from '../domain/delivery/breakdown.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';

/** A buy that is real money. Nothing else can be handed to an ad server: a sandbox buy does not have this type. */
export type LiveBuy = MediaBuy & { readonly sandbox: false };

/** Whether a buy is real; the only way to a `LiveBuy`. */
export function isLive(buy: MediaBuy): buy is LiveBuy {
  return !buy.sandbox;
}

/** A stretch of time, ms since the epoch, half open. */
export type Window = { readonly fromMs: number; readonly toMs: number };

/** Delivery metrics by their wire names; `impressions` and `spend` always, money in the buy's currency. */
export type Delivered = { readonly impressions: number; readonly spend: number } & Readonly<Record<string, unknown>>;

/** Delivery of one package. */
export type PackageDelivery = {
  readonly package_id: string;
  readonly metrics: Delivered;
  /** Per UTC day, oldest first, where it was asked for. */
  readonly daily: readonly ({ readonly date: string } & Delivered)[];
  readonly pacing_index?: number;
  /** Why it is ahead of its plan or behind it. */
  readonly pacing_reason?: { readonly code: string; readonly message: string };
  readonly delivery_status: string;
};

/** Delivery of one creative, over all packages of a buy. */
export type CreativeDelivery = { readonly creative_id: string; readonly metrics: Delivered };

/** What one package delivered by a dimension: rows with their members of the wire, such as `geo_code`, beside their metrics. */
export type PackageBreakdown = {
  readonly package_id: string;
  readonly rows: readonly Delivered[];
};

/** What an order is booked with, beside the buy. */
export type OrderContext = {
  /** Those that may run now. */
  readonly creatives: readonly ResolvedCreative[];
  /** The ids that the ad server has for what is there of it already, as `book`, `find` and errors told them; undefined before the first. */
  readonly foreign: ForeignIds | undefined;
  /** Aborted once nobody waits any more: what comes of the call is unknown then. */
  readonly signal: AbortSignal;
};

/**
 * The port to whatever really delivers ads. `book` brings the order to its present revision there, and answers the ids that it has there,
 * which are kept. It may be called again for a revision, so it must be idempotent by `media_buy_id` and `revision`: `OrderRefusedError` ends
 * that, `RetryLaterError` says that nothing has changed, and after any other error nobody knows. Then `find`, where there is one, is asked
 * first: it answers the ids of what the ad server has of the buy, by our ids, and undefined where that is nothing. `delivery` answers per package, for any window; it is asked for
 * a report once the delay that the product declares has passed, and what it throws then makes the report a late one.
 * `creativeDelivery`, where the ad server can tell them apart, answers per creative, those that no longer run included; `breakdown` answers per
 * package by a dimension, without the packages of which it does not know.
 */
export type AdServer = {
  readonly name: string;
  readonly book: (buy: LiveBuy, context: OrderContext) => Promise<ForeignIds | undefined>;
  readonly find?: (buy: LiveBuy, signal: AbortSignal) => Promise<ForeignIds | undefined>;
  readonly delivery: (buy: LiveBuy, window: Window, daily: boolean) => Promise<readonly PackageDelivery[]>;
  readonly creativeDelivery?: (buy: LiveBuy, window: Window) => Promise<readonly CreativeDelivery[]>;
  readonly breakdown?: (
    buy: LiveBuy,
    window: Window,
    request: BreakdownRequest,
  ) => Promise<readonly PackageBreakdown[]>;
};
