/** A metric that a vendor reports, by the vendor's brand and in its words. */
export type VendorMetric = {
  readonly vendor: { readonly domain: string; readonly brand_id?: string | undefined };
  readonly metric_id: string;
};

/** A vendor's figure, as it goes on the wire. `measurable_impressions`: of how many the vendor knows; absent is not known. */
export type VendorValue = VendorMetric & {
  readonly value: number;
  readonly unit?: string | undefined;
  readonly measurable_impressions?: number | undefined;
};

/**
 * The value that the simulator takes a vendor to find on a product: `value` on average, on `coverage` (0 to 1) of the
 * impressions.
 */
export type VendorExpectation = {
  readonly domain: string;
  readonly metric_id: string;
  readonly value: number;
  readonly unit?: string | undefined;
  readonly coverage?: number | undefined;
};

/** A metric that reports of a package are bound to hold. */
export type CommittedMetric =
  | { readonly scope: 'standard'; readonly metric_id: string; readonly qualifier?: Qualifier | undefined }
  | ({ readonly scope: 'vendor' } & VendorMetric);

/** How a metric is measured, where there are several ways. */
export type Qualifier = { readonly viewability_standard: 'mrc' };
