import { TaskError } from '../kernel/errors.js';

/** Measurement terms a buyer may propose per package (facts F.8). */
export type MeasurementTerms = {
  readonly billing_measurement?:
    | { readonly max_variance_percent?: number | undefined; readonly measurement_window?: string | undefined }
    | undefined;
};

/** The strictest terms this seller can honour; anything stricter is refused. */
const LIMITS = { minVariancePercent: 5, windows: ['live', 'c3', 'c7'] as const };

/** Refuses terms that the seller's own reporting could not keep. Throws TERMS_REJECTED with the offending field. */
export function checkMeasurementTerms(terms: MeasurementTerms | undefined, field: string): void {
  const billing = terms?.billing_measurement;
  if (billing === undefined) return;
  const { max_variance_percent: variance, measurement_window: window } = billing;
  if (variance !== undefined && variance < LIMITS.minVariancePercent) {
    throw rejected(
      `${field}.billing_measurement.max_variance_percent`,
      `A variance below ${LIMITS.minVariancePercent} % cannot be kept.`,
      {
        minimum_variance_percent: LIMITS.minVariancePercent,
      },
    );
  }
  if (window !== undefined && !LIMITS.windows.some((known) => known === window.toLowerCase())) {
    throw rejected(
      `${field}.billing_measurement.measurement_window`,
      'Billing cannot wait for this measurement window.',
      {
        allowed_values: LIMITS.windows,
      },
    );
  }
}

function rejected(field: string, message: string, details: Record<string, unknown>): TaskError {
  return new TaskError('TERMS_REJECTED', message, {
    field,
    details,
    suggestion: `Propose max_variance_percent of ${LIMITS.minVariancePercent} or more and one of the windows ${LIMITS.windows.join(', ')}, or leave measurement_terms out.`,
  });
}
