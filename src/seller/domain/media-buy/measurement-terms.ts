import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';

/** Measurement terms a buyer may propose per package. */
export type MeasurementTerms = Readonly<Record<string, unknown>>;

/** The terms that the seller's own reporting can keep; anything stricter is refused. */
const LIMITS = {
  minVariancePercent: 5,
  windows: ['live', 'c3', 'c7'],
  /** Reports of a window are final a day after it. */
  minDeadlineHours: 24,
  remedies: ['additional_delivery', 'credit'],
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
    holds: (value) => Array.isArray(value) && LIMITS.remedies.some((offered) => value.includes(offered)),
    message: 'None of these remedies is offered.',
    offer: `at least one of the remedies ${LIMITS.remedies.join(', ')}`,
    details: { allowed_values: LIMITS.remedies },
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

/** The strictest guarantee per metric; a metric that is not here is not measured. `ivt` is a ceiling, the others are floors. */
const GUARANTEES: Readonly<Record<string, { readonly limit: number; readonly ceiling?: true }>> = {
  viewability: { limit: 0.7 },
  completion_rate: { limit: 0.7 },
  ivt: { limit: 0.03, ceiling: true },
};

/** Refuses standards that nobody here guarantees. Throws TERMS_REJECTED with the offending field. */
export function checkPerformanceStandards(standards: unknown, field: string): void {
  if (standards === undefined) return;
  const list: readonly unknown[] = Array.isArray(standards) ? standards : [standards];
  for (const [index, standard] of list.entries()) {
    const { metric, threshold } = isObject(standard) ? standard : {};
    const guarantee = typeof metric === 'string' && Object.hasOwn(GUARANTEES, metric) ? GUARANTEES[metric] : undefined;
    const names = Object.keys(GUARANTEES);
    if (guarantee === undefined) {
      throw termsRejected(
        `${field}[${index}].metric`,
        'This seller guarantees no such metric.',
        `Propose one of ${names.join(', ')}, or leave performance_standards out.`,
        { allowed_values: names },
      );
    }
    const { limit, ceiling } = guarantee;
    const isGuaranteed = typeof threshold === 'number' && (ceiling === true ? threshold >= limit : threshold <= limit);
    if (isGuaranteed) continue;
    throw termsRejected(
      `${field}[${index}].threshold`,
      'This threshold cannot be guaranteed.',
      `Propose a threshold of ${limit} or ${ceiling === true ? 'more' : 'less'}, or leave the standard out.`,
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
