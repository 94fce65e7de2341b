import type { ReportedMetric } from '../delivery/reported-metrics.js';
import type { GoalOffer } from './goal.js';

/** The metric of a report that shows each metric and target of a goal. */
export const GOAL_REPORTS: Readonly<Record<string, ReportedMetric>> = {
  clicks: 'clicks',
  views: 'viewability',
  completed_views: 'completed_views',
  reach: 'reach',
  per_ad_spend: 'roas',
  maximize_value: 'conversion_value',
};

/** Returns the metrics that reports have to hold to show goals. */
export function reportsOfGoals({ metric_optimization, conversion_tracking }: GoalOffer): readonly ReportedMetric[] {
  const names = [...(metric_optimization?.supported_metrics ?? []), ...(conversion_tracking?.supported_targets ?? [])];
  const shown = names.flatMap((name) => GOAL_REPORTS[name] ?? []);
  return conversion_tracking === undefined ? shown : ['conversions', ...shown];
}
