import { RegistryProblem } from '../problem.js';
import { readSupportedFormats, type SupportedFormat } from './formats.js';
import { type AgentReading, type AgentType, type Metric, readMetrics } from './reading.js';

/** The filters of catalog agents by what they said of themselves. */
export type StatementFilters = {
  readonly type?: AgentType;
  readonly metric_id?: readonly string[];
  readonly accreditation?: readonly string[];
  readonly q?: string;
  readonly format_kind?: readonly string[];
  readonly publisher_domain?: readonly string[];
  readonly format_option_id?: readonly string[];
  readonly capability_id?: readonly string[];
  readonly creative_operation?: readonly string[];
  /** Whether one of several values of a filter has to be met, or each of them. */
  readonly match?: 'any' | 'all';
};

/** A test of what an agent said, and the type that an agent has to be of for it. */
type StatementTest = {
  readonly type: AgentType | undefined;
  readonly isMet: (reading: AgentReading | undefined) => boolean;
};

/** A filter on one metric or format: a test for each of its values. */
type ItemFilter<T> = readonly ((item: T) => boolean)[];

const METRIC_FILTERS = 'metric_id, accreditation and q';
const FORMAT_KEYS = ['format_kind', 'publisher_domain', 'format_option_id', 'capability_id'] as const;
/** Combinations of values that have to be met each. */
const MAX_COMBINATIONS = 100;

/**
 * Returns the test of the filters by what agents said, undefined for none. All filters are met by one metric or format: by one of their
 * values, or, with `match` "all", for each combination of them by one. Throws invalid_request for filters that no agent can meet.
 */
export function statementTest(query: StatementFilters): StatementTest | undefined {
  const metric = metricFilters(query);
  const format = formatFilters(query);
  if (metric.length === 0 && format.length === 0) return undefined;
  if (metric.length > 0 && format.length > 0) throw refuseMixed();
  if (metric.length > 0 && query.type !== undefined && query.type !== 'measurement') throw withoutMetrics(query.type);
  const needsAll = query.match === 'all';
  if (needsAll) refuseMany(metric.length > 0 ? metric : format);
  return metric.length > 0
    ? { type: 'measurement', isMet: (reading) => areMet(readMetrics(reading?.capabilities), metric, needsAll) }
    : { type: query.type, isMet: (reading) => areMet(readSupportedFormats(reading?.capabilities), format, needsAll) };
}

function metricFilters({
  accreditation = [],
  metric_id = [],
  q = '',
}: StatementFilters): readonly ItemFilter<Metric>[] {
  const part = q.toLowerCase();
  const filters: readonly ItemFilter<Metric>[] = [
    metric_id.map((id) => (metric) => metric.metric_id === id),
    accreditation.map(
      (body) =>
        ({ accreditations = [] }) =>
          accreditations.some((one) => one.accrediting_body === body),
    ),
    part === '' ? [] : [(metric) => metric.metric_id.toLowerCase().includes(part)],
  ];
  return filters.filter(({ length }) => length > 0);
}

function formatFilters(query: StatementFilters): readonly ItemFilter<SupportedFormat>[] {
  const filters: readonly ItemFilter<SupportedFormat>[] = [
    ...FORMAT_KEYS.map((key) => (query[key] ?? []).map((value) => (format: SupportedFormat) => format[key] === value)),
    (query.creative_operation ?? []).map(
      (name) =>
        ({ operations }) =>
          operations.includes(name),
    ),
  ];
  return filters.filter(({ length }) => length > 0);
}

function areMet<T>(items: readonly T[], filters: readonly ItemFilter<T>[], needsAll: boolean): boolean {
  const [filter, ...others] = filters;
  if (filter === undefined) return items.length > 0;
  const isMet = (test: (item: T) => boolean): boolean => areMet(items.filter(test), others, needsAll);
  return needsAll ? filter.every(isMet) : filter.some(isMet);
}

function refuseMany(filters: readonly ItemFilter<never>[]): void {
  const combinations = filters.reduce((product, { length }) => product * length, 1);
  if (combinations <= MAX_COMBINATIONS) return;
  throw new RegistryProblem('invalid_request', `match: all has at most ${MAX_COMBINATIONS} combinations of values`, {
    field: 'match',
    suggestion: 'Send fewer values, or ask twice and keep the agents of both answers.',
  });
}

function refuseMixed(): RegistryProblem {
  return new RegistryProblem('invalid_request', 'filters of metrics and of formats cannot be met by one agent', {
    field: 'format_kind',
    suggestion: `Send either ${METRIC_FILTERS}, or ${FORMAT_KEYS.join(', ')} and creative_operation.`,
  });
}

function withoutMetrics(type: AgentType): RegistryProblem {
  return new RegistryProblem('invalid_request', `type: ${type} agents have no metrics to filter by`, {
    field: 'type',
    suggestion: `Leave type out, or send type=measurement, with ${METRIC_FILTERS}.`,
    details: { valid_values: ['measurement'] },
  });
}
