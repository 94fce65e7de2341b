/** The delivery of a time, as get_media_buy_delivery has it. */
export type Figures = {
  readonly impressions?: number;
  readonly spend?: number;
  readonly clicks?: number;
  readonly completed_views?: number;
};

/** The delivery of one media buy. */
export type BuyDelivery = {
  readonly media_buy_id: string;
  readonly status?: string;
  readonly totals?: Figures;
  readonly by_package?: readonly PackageDelivery[];
  readonly windows?: readonly {
    readonly window_start: string;
    readonly window_end: string;
    readonly totals?: Figures;
  }[];
};

type PackageDelivery = Figures & {
  readonly package_id: string;
  readonly delivery_status?: string;
  readonly pacing_index?: number;
  readonly daily_breakdown?: readonly (Figures & { readonly date: string })[];
};

/** The answer of get_media_buy_delivery, as far as it is shown. */
export type Delivery = {
  readonly currency?: string;
  readonly aggregated_totals?: Figures;
  readonly media_buy_deliveries?: readonly BuyDelivery[];
  readonly message?: string;
};

/** A point of the chart: a window or a day. */
export type Point = { readonly at: string; readonly figures: Figures };

/** Returns the delivery of a media buy over time: by its windows where the answer has them, else by the days of its packages. */
export function pointsOf({ by_package = [], windows = [] }: BuyDelivery): readonly Point[] {
  if (windows.length > 0)
    return windows.map(({ totals = {}, window_start }) => ({ at: window_start, figures: totals }));
  const days = new Map<string, Figures>();
  for (const { date, ...figures } of by_package.flatMap(({ daily_breakdown = [] }) => daily_breakdown))
    days.set(date, added(days.get(date) ?? {}, figures));
  return [...days].sort(([one], [other]) => one.localeCompare(other)).map(([at, figures]) => ({ at, figures }));
}

function added(one: Figures, other: Figures): Figures {
  return {
    impressions: (one.impressions ?? 0) + (other.impressions ?? 0),
    spend: (one.spend ?? 0) + (other.spend ?? 0),
    clicks: (one.clicks ?? 0) + (other.clicks ?? 0),
  };
}
