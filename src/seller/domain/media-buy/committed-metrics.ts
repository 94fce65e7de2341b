import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import { soldMetrics } from '../delivery/reported-metrics.js';
import type { CommittedMetric, Qualifier, VendorMetric } from '../vendor-metric/metric.js';
import { vendorMetricKey } from '../vendor-metric/values.js';
import type { Sold } from './media-buy.js';

/**
 * Returns the reporting contract that a buyer proposes for what is sold; undefined where it proposes none. Throws TERMS_REJECTED at the first
 * metric that the product does not report.
 */
export function readCommittedMetrics(
  proposed: readonly unknown[] | undefined,
  sold: Sold,
  field: string,
): readonly CommittedMetric[] | undefined {
  if (proposed === undefined) return undefined;
  const metrics = proposed.map((entry, index) => readCommitted(entry, sold, `${field}[${index}]`));
  return [...new Map(metrics.map((metric) => [keyOf(metric), metric])).values()];
}

function readCommitted(entry: unknown, sold: Sold, field: string): CommittedMetric {
  const { scope, metric_id, vendor, qualifier } = isObject(entry) ? entry : {};
  const id = typeof metric_id === 'string' ? metric_id : '';
  if (scope === 'standard') {
    const names = soldMetrics(sold);
    if (!names.some((name) => name === id)) throw rejected(`${field}.metric_id`, names);
    if (vendor !== undefined) throw notOfVendor(`${field}.vendor`);
    return { scope, metric_id: id, qualifier: readQualifier(qualifier, id, `${field}.qualifier`) };
  }
  const declared = sold.reporting?.vendor_metrics ?? [];
  const domain = isObject(vendor) && typeof vendor.domain === 'string' ? vendor.domain : '';
  const own = declared.find(
    (metric) => vendorMetricKey(metric) === vendorMetricKey({ vendor: { domain }, metric_id: id }),
  );
  if (own === undefined) throw rejected(`${field}.metric_id`, declared.map(vendorMetricKey));
  return { scope: 'vendor', vendor: own.vendor, metric_id: own.metric_id };
}

/**
 * Reads the qualifier of a metric: viewability is of the Media Rating Council here, and nothing else is measured in
 * several ways.
 */
function readQualifier(qualifier: unknown, metricId: string, field: string): Qualifier | undefined {
  if (qualifier === undefined) return undefined;
  const [name, ...others] = isObject(qualifier) ? Object.keys(qualifier) : [];
  const isOwn = isObject(qualifier) && metricId === 'viewability' && qualifier.viewability_standard === 'mrc';
  if (isOwn && others.length === 0) return { viewability_standard: 'mrc' };
  throw new TaskError('TERMS_REJECTED', 'The metric is not measured in this way.', {
    field: name === undefined ? field : `${field}.${name}`,
    suggestion: 'Leave the qualifier out; viewability is measured by {viewability_standard: "mrc"}.',
  });
}

function notOfVendor(field: string): TaskError {
  return new TaskError('TERMS_REJECTED', 'A standard metric is counted by the seller, not by a vendor.', {
    field,
    suggestion: 'Leave vendor out, or send scope: "vendor" with a metric that the product declares of this vendor.',
  });
}

function rejected(field: string, names: readonly string[]): TaskError {
  return new TaskError('TERMS_REJECTED', 'The product does not report this metric.', {
    field,
    suggestion:
      names.length === 0
        ? 'Leave it out; the product has no metrics of vendors.'
        : `Propose some of: ${names.join(', ')}.`,
    details: { allowed_values: names },
  });
}

function keyOf(metric: CommittedMetric): string {
  return metric.scope === 'vendor' ? vendorMetricKey(metric) : metric.metric_id;
}

/** Whether a metric is part of a reporting contract; everything is where there is none. */
export function isCommitted(
  committed: readonly CommittedMetric[] | undefined,
  metric: VendorMetric | { readonly metric_id: string },
): boolean {
  const key = 'vendor' in metric ? vendorMetricKey(metric) : metric.metric_id;
  return committed === undefined || committed.some((entry) => keyOf(entry) === key);
}

/** Returns a contract as it goes on the wire: from the commitment on, and not before. */
export function committedWire(
  committed: readonly CommittedMetric[] | undefined,
  confirmedAt: string | undefined,
): readonly object[] | undefined {
  if (committed === undefined || confirmedAt === undefined) return undefined;
  return committed.map((metric) => ({ ...metric, committed_at: confirmedAt }));
}
