/** A stretch of time, ms since the epoch, half open. */
export type Window = { readonly fromMs: number; readonly toMs: number };

/** Delivery metrics by their wire names; `impressions` and `spend` always, money in the buy's currency. */
export type Delivered = { readonly impressions: number; readonly spend: number } & Readonly<Record<string, unknown>>;

/** Delivery of one package. */
export type PackageDelivery = {
  readonly package_id: string;
  readonly metrics: Delivered;
  /** Per day, oldest first, where it was asked for. */
  readonly daily: readonly ({ readonly date: string } & Delivered)[];
  readonly pacing_index?: number;
  /** Why it is ahead of its plan or behind it. */
  readonly pacing_reason?: { readonly code: string; readonly message: string };
  readonly delivery_status: string;
};

/** Delivery of one creative, over all packages of a buy. */
export type CreativeDelivery = { readonly creative_id: string; readonly metrics: Delivered };

/**
 * The delivery of a package by a dimension: rows with their members of the wire, such as `geo_code`, beside their
 * metrics.
 */
export type PackageBreakdown = {
  readonly package_id: string;
  readonly rows: readonly Delivered[];
};
