/** The most that others who ask for the same supply leave in a stretch of time. */
export type Limit = {
  /** Half open, ms. */
  readonly from_ms: number;
  readonly to_ms: number;
  /** Impressions. */
  readonly per_day: number;
};
