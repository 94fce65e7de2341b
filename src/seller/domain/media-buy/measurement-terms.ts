import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { carriedRemedies, REMEDIES } from './makegood.js';

/** Measurement terms a buyer may propose per package. */
export type MeasurementTerms = Readonly<Record<string, unknown>>;

/** The terms that the seller's own reporting can keep; anything stricter is refused. */
const LIMITS = {
  minVariancePercent: 5,
  windows: ['live', 'c3', 'c7'],
  /** Reports of a window are final a day after it. */
  minDeadlineHours: 24,
} as const;

/** One term: where it stands, whether it can be kept, and what can be. */
type Rule = {
  readonly path: readonly [group: string, member: string];
  readonly holds: (value: unknown) => boolean;
  readonly message: string;
  readonly offer: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Every term that the protocol knows, in the order they are judged. */
const RULES: readonly Rule[] = [
  {
    path: ['billing_measurement', 'max_variance_percent'],
    holds: (value) => typeof value === 'number' && value >= LIMITS.minVariancePercent && value < 100,
    message: `A variance below ${LIMITS.minVariancePercent} % cannot be kept.`,
    offer: `max_variance_percent of ${LIMITS.minVariancePercent} or more, below 100`,
    details: { minimum_variance_percent: LIMITS.minVariancePercent },
  },
  {
    path: ['billing_measurement', 'measurement_window'],
    holds: (value) => typeof value === 'string' && LIMITS.windows.some((offered) => offered === value.toLowerCase()),
    message: 'Billing cannot wait for this measurement window.',
    offer: `one of the windows ${LIMITS.windows.join(', ')}`,
    details: { allowed_values: LIMITS.windows },
  },
  {
    path: ['billing_measurement', 'finalization_deadline_hours'],
    holds: (value) => typeof value === 'number' && value >= LIMITS.minDeadlineHours,
    message: 'Numbers are not final by then.',
    offer: `finalization_deadline_hours of ${LIMITS.minDeadlineHours} or more`,
    details: { minimum_deadline_hours: LIMITS.minDeadlineHours },
  },
  {
    path: ['makegood_policy', 'available_remedies'],
    holds: (value) => carriedRemedies(value).length > 0,
    message: 'None of these remedies is offered.',
    offer: `at least one of the remedies ${REMEDIES.join(', ')}`,
    details: { allowed_values: REMEDIES },
  },
];

/** Refuses terms that the seller's own reporting could not keep. Throws TERMS_REJECTED with the offending field. */
export function checkMeasurementTerms(terms: MeasurementTerms | undefined, field: string): void {
  if (terms === undefined) return;
  for (const { path, holds, message, offer, details } of RULES) {
    const [group, member] = path;
    const within = terms[group];
    const value = isObject(within) ? within[member] : undefined;
    if (value === undefined || holds(value)) continue;
    throw termsRejected(
      `${field}.${group}.${member}`,
      message,
      `Propose ${offer}, or leave measurement_terms out.`,
      details,
    );
  }
}

/** The rates that a product's file expects of it, 0 to 1; undefined for what it does not measure. */
type OwnRates = { readonly viewable: number | undefined; readonly completion: number | undefined };

/** A metric that is guaranteed: up to the seller's limit, and never beyond what the product has of itself. */
type Guarantee = {
  readonly limit: number;
  readonly isCeiling?: true;
  readonly own?: (rates: OwnRates) => number | undefined;
};

/** The strictest guarantee per metric; a metric that is not here is not measured. */
const GUARANTEES: Readonly<Record<string, Guarantee>> = {
  viewability: { limit: 0.7, own: ({ viewable }) => viewable },
  completion_rate: { limit: 0.7, own: ({ completion }) => completion },
  ivt: { limit: 0.03, isCeiling: true },
};

/** Returns the metrics that are guaranteed of a product, with their limits. */
function listGuarantees(rates: OwnRates): ReadonlyMap<string, Pick<Guarantee, 'limit' | 'isCeiling'>> {
  const guaranteed = Object.entries(GUARANTEES).flatMap(([name, { limit, isCeiling, own }]) => {
    const rate = own === undefined ? limit : own(rates);
    return rate === undefined ? [] : [[name, { limit: Math.min(limit, rate), isCeiling }] as const];
  });
  return new Map(guaranteed);
}

/** Refuses standards that nobody guarantees of a product with these rates. Throws TERMS_REJECTED with the offending field. */
export function checkPerformanceStandards(standards: unknown, rates: OwnRates, field: string): void {
  if (standards === undefined) return;
  const guarantees = listGuarantees(rates);
  const list: readonly unknown[] = Array.isArray(standards) ? standards : [standards];
  for (const [index, standard] of list.entries()) {
    const { metric, threshold } = isObject(standard) ? standard : {};
    const guarantee = typeof metric === 'string' ? guarantees.get(metric) : undefined;
    const names = [...guarantees.keys()];
    if (guarantee === undefined) {
      throw termsRejected(
        `${field}[${index}].metric`,
        'This seller guarantees no such metric of this product.',
        `Propose one of ${names.join(', ')}, or leave performance_standards out.`,
        { allowed_values: names },
      );
    }
    const { limit, isCeiling } = guarantee;
    const isGuaranteed =
      typeof threshold === 'number' && (isCeiling === true ? threshold >= limit : threshold <= limit);
    if (isGuaranteed) continue;
    throw termsRejected(
      `${field}[${index}].threshold`,
      'This threshold cannot be guaranteed of this product.',
      `Propose a threshold of ${limit} or ${isCeiling === true ? 'more' : 'less'}, or leave the standard out.`,
      { limit },
    );
  }
}

function termsRejected(
  field: string,
  message: string,
  suggestion: string,
  details: Readonly<Record<string, unknown>>,
): TaskError {
  return new TaskError('TERMS_REJECTED', message, { field, details, suggestion });
}

/** Refuses to bill by a window that the product does not declare, where it declares any. Throws TERMS_REJECTED with the field. */
export function checkMeasurementWindow(
  terms: MeasurementTerms | undefined,
  windows: readonly { readonly window_id: string }[] | undefined,
  field: string,
): void {
  const billing: unknown = terms?.billing_measurement;
  const asked: unknown = isObject(billing) ? billing.measurement_window : undefined;
  if (windows === undefined || typeof asked !== 'string') return;
  const ids = windows.map(({ window_id }) => window_id);
  if (ids.some((id) => id.toLowerCase() === asked.toLowerCase())) return;
  throw new TaskError('TERMS_REJECTED', 'The product is not measured in this window.', {
    field: `${field}.billing_measurement.measurement_window`,
    suggestion: `Name one of the windows of the product: ${ids.join(', ')}.`,
    details: { allowed_values: ids },
  });
}
