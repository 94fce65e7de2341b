import type { MediaChannel } from '../../../protocol/media-channel.js';
import type { Sold } from '../media-buy/media-buy.js';
import type { Inventory, PricingModel, PricingOption } from '../product/product.js';
import { hasPlays } from './billing.js';
import type { Metrics } from './metrics.js';

/** A product as far as its metrics go. */
type Measured = {
  readonly channels: readonly MediaChannel[];
  readonly inventory: Pick<Inventory, 'completion_rate' | 'viewable_rate' | 'conversion_rate' | 'conversion_value'>;
  readonly pricing_options: readonly Pick<PricingOption, 'pricing_model'>[];
};

/** A metric of a report: the members that hold it, and what a product has to have for it. */
type MetricRow = {
  readonly members: readonly (keyof Metrics)[];
  readonly needs?: { readonly what: string; readonly isMet: (product: Measured) => boolean };
};

const isSoldBy = (models: readonly PricingModel[]) => (product: Measured) =>
  product.pricing_options.some(({ pricing_model }) => models.includes(pricing_model));

const PLAYS: MetricRow['needs'] = {
  what: 'a channel that plays (video, audio), a completion_rate, or a cpcv or cpv price',
  isMet: (product) =>
    hasPlays(product.channels) || product.inventory.completion_rate !== undefined || isSoldBy(['cpcv', 'cpv'])(product),
};
const VIEWABLE: MetricRow['needs'] = {
  what: 'a viewable_rate or a vcpm price',
  isMet: (product) => product.inventory.viewable_rate !== undefined || isSoldBy(['vcpm'])(product),
};
const SCREENS: MetricRow['needs'] = { what: 'the channel dooh', isMet: ({ channels }) => channels.includes('dooh') };
const ACTIONS: NonNullable<MetricRow['needs']> = {
  what: 'a cpa price or a conversion_rate',
  isMet: (product) => isSoldBy(['cpa'])(product) || product.inventory.conversion_rate !== undefined,
};
const WORTH: MetricRow['needs'] = {
  what: 'a conversion_value beside a cpa price or a conversion_rate',
  isMet: (product) => ACTIONS.isMet(product) && product.inventory.conversion_value !== undefined,
};
const POINTS: MetricRow['needs'] = { what: 'a cpp price', isMet: isSoldBy(['cpp']) };

/** Every metric that a product can declare, and the members of a report that hold it. What is not here no report holds. */
const REPORTED_METRICS = {
  impressions: { members: ['impressions'] },
  spend: { members: ['spend'] },
  clicks: { members: ['clicks'] },
  ctr: { members: ['ctr'] },
  cost_per_click: { members: ['cost_per_click'] },
  reach: { members: ['reach', 'reach_unit', 'reach_window'] },
  frequency: { members: ['frequency', 'reach_window'] },
  views: { members: ['views'], needs: PLAYS },
  completed_views: { members: ['completed_views'], needs: PLAYS },
  completion_rate: { members: ['completion_rate'], needs: PLAYS },
  quartile_data: { members: ['quartile_data'], needs: PLAYS },
  viewability: { members: ['viewability'], needs: VIEWABLE },
  dooh_metrics: { members: ['plays', 'dooh_metrics'], needs: SCREENS },
  conversions: { members: ['conversions'], needs: ACTIONS },
  cost_per_acquisition: { members: ['cost_per_acquisition'], needs: ACTIONS },
  conversion_value: { members: ['conversion_value'], needs: WORTH },
  roas: { members: ['roas'], needs: WORTH },
  grps: { members: ['grps'], needs: POINTS },
} as const satisfies Readonly<Record<string, MetricRow>>;

/** A metric of the table. */
export type ReportedMetric = keyof typeof REPORTED_METRICS;

/** The metrics of the table, in its order. */
export const METRIC_NAMES = Object.keys(REPORTED_METRICS) as [ReportedMetric, ...ReportedMetric[]];

/** Metrics that are in every report, whatever a product says. */
export const IMPLICIT_METRICS: readonly ReportedMetric[] = ['impressions', 'spend'];

/** What each pricing model bills: it is reported, declared or not. */
const BILLED: Partial<Record<PricingModel, ReportedMetric>> = {
  vcpm: 'viewability',
  cpc: 'clicks',
  cpcv: 'completed_views',
  cpv: 'views',
  cpa: 'conversions',
  cpp: 'grps',
};

/** Returns what a product would have to have for a metric that it cannot report; undefined where it can. */
export function findLack(metric: ReportedMetric, product: Measured): string | undefined {
  const { needs }: MetricRow = REPORTED_METRICS[metric];
  return needs === undefined || needs.isMet(product) ? undefined : needs.what;
}

/** Returns the metrics that a package was sold with: what its product declared, and what its price bills. */
export function soldMetrics({ option, reporting }: Sold): readonly ReportedMetric[] {
  const declared = reporting?.available_metrics ?? METRIC_NAMES;
  const billed = BILLED[option.pricing_model];
  return METRIC_NAMES.filter((name) => declared.includes(name) || IMPLICIT_METRICS.includes(name) || name === billed);
}

const MEMBERS: ReadonlySet<string> = new Set(Object.values(REPORTED_METRICS).flatMap(({ members }) => members));

/** Returns delivered numbers without those of metrics that are not among `metrics`; members that are no metric stay. */
export function onlyMetrics<Row extends object>(row: Row, metrics: readonly ReportedMetric[]): Row {
  const shown: ReadonlySet<string> = new Set(metrics.flatMap((name) => REPORTED_METRICS[name].members));
  return Object.fromEntries(Object.entries(row).filter(([name]) => shown.has(name) || !MEMBERS.has(name))) as Row;
}

/** Returns the metrics of a package that a row of its report does not hold. */
export function missingMetrics(row: object, metrics: readonly ReportedMetric[]): readonly ReportedMetric[] {
  // What a click or an acquisition cost is nothing where there was none.
  const isEmpty = (name: ReportedMetric) => name.startsWith('cost_per_') || name === 'frequency';
  return metrics.filter((name) => !isEmpty(name) && !(REPORTED_METRICS[name].members[0] in row));
}
