import { seededShare } from '../delivery/pace.js';
import type { VendorExpectation, VendorMetric, VendorValue } from './metric.js';

const USUAL_COVERAGE = 0.8;

/** Figures of one package stay within this part of what its product has on average. */
const SPREAD = 0.1;

/** Returns the name of a vendor's metric, one for each pair. */
export function vendorMetricKey({ vendor, metric_id }: VendorMetric): string {
  return `${vendor.domain}/${metric_id}`;
}

/** Returns what the vendors of a product would find of so many impressions of a package; an index of 0 to 100 where nothing is expected of one. */
export function simulateVendorValues(
  declared: readonly VendorMetric[] | undefined,
  expected: readonly VendorExpectation[] | undefined,
  { package_id, impressions }: { readonly package_id: string; readonly impressions: number },
): readonly VendorValue[] {
  if (impressions === 0) return [];
  return (declared ?? []).map((metric) => {
    const key = vendorMetricKey(metric);
    const chance = seededShare(`${package_id} ${key}`);
    const own = expected?.find(({ domain, metric_id }) => `${domain}/${metric_id}` === key);
    const value = own === undefined ? chance * 100 : own.value * (1 + SPREAD * (2 * chance - 1));
    return {
      ...pickMetric(metric),
      value: Math.round(value * 100) / 100,
      unit: own === undefined ? 'index' : own.unit,
      measurable_impressions: Math.floor(impressions * (own?.coverage ?? USUAL_COVERAGE)),
    };
  });
}

function pickMetric({ vendor, metric_id }: VendorMetric): VendorMetric {
  return { vendor, metric_id };
}

/** Figures that go with so many impressions. */
type VendorRow = { readonly impressions: number; readonly values: readonly VendorValue[] };

/** Returns the figures of several days as one: means, weighed by what was measured. */
export function joinVendorValues(rows: readonly VendorRow[]): readonly VendorValue[] {
  const sums = new Map<string, { metric: VendorValue; weight: number; sum: number; measured: number | undefined }>();
  for (const { impressions, values } of rows) {
    for (const metric of values) {
      const key = vendorMetricKey(metric);
      const weight = metric.measurable_impressions ?? impressions;
      const before = sums.get(key) ?? { metric, weight: 0, sum: 0, measured: 0 };
      const measured =
        before.measured === undefined || metric.measurable_impressions === undefined
          ? undefined
          : before.measured + metric.measurable_impressions;
      sums.set(key, {
        metric,
        weight: before.weight + weight,
        sum: before.sum + weight * metric.value,
        measured,
      });
    }
  }
  return [...sums.values()]
    .filter(({ weight }) => weight > 0)
    .map(({ metric, weight, sum, measured }) => ({
      ...pickMetric(metric),
      value: Math.round((sum / weight) * 1e4) / 1e4,
      unit: metric.unit,
      measurable_impressions: measured,
    }));
}

/** Returns a row of a report with the figures of the vendors that are declared, and no others; without the member where there are none. */
export function onlyVendorMetrics<Row extends object>(row: Row, declared: readonly VendorMetric[] | undefined): Row {
  const { vendor_metric_values: given, ...rest } = row as Row & { vendor_metric_values?: unknown };
  if (given === undefined) return row;
  const keys = new Set((declared ?? []).map(vendorMetricKey));
  const values = readVendorValues(given).filter((value) => keys.has(vendorMetricKey(value)));
  return (values.length === 0 ? rest : { ...rest, vendor_metric_values: values }) as Row;
}

/** Returns the declared metrics of vendors that a row of a report has no figure of. */
export function missingVendorMetrics(
  row: Readonly<Record<string, unknown>>,
  declared: readonly VendorMetric[] | undefined,
): readonly VendorMetric[] {
  const there = new Set(readVendorValues(row.vendor_metric_values).map(vendorMetricKey));
  return (declared ?? []).filter((metric) => !there.has(vendorMetricKey(metric))).map(pickMetric);
}

function readVendorValues(given: unknown): readonly VendorValue[] {
  return Array.isArray(given) ? (given as readonly VendorValue[]) : [];
}

const ENTERED =
  /^(?<domain>[a-z0-9.-]{1,253})\/(?<metric>[a-z][a-z0-9_]{0,63})=(?<value>-?\d{1,15}(?:\.\d{1,6})?)(?:\/(?<measured>\d{1,12}))?$/;

/** The most figures of one entered row. */
const MAX_ENTERED_VALUES = 50;

/** Returns the figures of a cell such as `attention.example/attention_units=62.5/8000`, several with blanks between them; undefined where it is none. */
export function readVendorCell(text: string): readonly VendorValue[] | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length > MAX_ENTERED_VALUES) return undefined;
  const values: VendorValue[] = [];
  for (const part of parts) {
    const { domain, metric, value, measured } = ENTERED.exec(part)?.groups ?? {};
    if (domain === undefined || metric === undefined) return undefined;
    const measurable_impressions = measured === undefined ? undefined : Number(measured);
    values.push({ vendor: { domain }, metric_id: metric, value: Number(value), measurable_impressions });
  }
  return new Set(values.map(vendorMetricKey)).size === values.length ? values : undefined;
}
