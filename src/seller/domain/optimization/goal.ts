import type { MediaChannel } from '../../../protocol/media-channel.js';
import { countedUnit, type ReachUnit, type TargetedSupply } from '../targeting/offer.js';
import type { Cap } from '../targeting/reach.js';

/** The metrics of the seller's own that a package can be steered toward. */
export const STEERED_METRICS = ['clicks', 'views', 'completed_views', 'reach'] as const;
export type SteeredMetric = (typeof STEERED_METRICS)[number];

/** The targets that a goal of a metric can have. */
export const METRIC_TARGETS = ['cost_per', 'threshold_rate'] as const;

/** The targets that a goal of events can have; the latter two need to know what a conversion is worth. */
export const EVENT_TARGETS = ['cost_per', 'per_ad_spend', 'maximize_value'] as const;

/** The metrics that packages of a product can be steered toward. */
type MetricOptimization = {
  readonly supported_metrics: readonly SteeredMetric[];
  readonly supported_reach_units?: readonly ReachUnit[];
  readonly supported_targets?: readonly (typeof METRIC_TARGETS)[number][];
};

/** The goals of events that packages of a product can have. */
type ConversionTracking = {
  readonly action_sources?: readonly string[];
  readonly supported_targets?: readonly (typeof EVENT_TARGETS)[number][];
};

/** The goals that a product declares; without the first two it takes none. */
export type GoalOffer = {
  readonly metric_optimization?: MetricOptimization;
  readonly conversion_tracking?: ConversionTracking;
  readonly max_optimization_goals?: number;
};

/** Returns the metrics that a product can be steered toward, with what reach counts where that is one of them. */
export function completeMetrics(
  metrics: MetricOptimization | undefined,
  supply: Pick<TargetedSupply, 'reach_unit'>,
  channels: readonly MediaChannel[],
): MetricOptimization | undefined {
  if (metrics?.supported_metrics.includes('reach') !== true) return metrics;
  return { ...metrics, supported_reach_units: [countedUnit(supply, channels)] };
}

/** An event source of a goal, as a buyer names it. */
type GoalSource = {
  readonly event_source_id: string;
  readonly event_type: string;
  readonly custom_event_name?: string | undefined;
  readonly value_field?: string | undefined;
  /** What the value is multiplied by; of a source of refunds it is below 0. */
  readonly value_factor?: number | undefined;
};

/** A goal of a package as a buyer orders it; shapes are checked, meaning is not. */
export type Goal = {
  readonly kind: 'metric' | 'event' | 'vendor_metric';
  readonly metric?: string | undefined;
  readonly reach_unit?: string | undefined;
  readonly target_frequency?:
    | {
        readonly min?: number | undefined;
        readonly max?: number | undefined;
        readonly window: { readonly interval: number; readonly unit: string };
      }
    | undefined;
  readonly event_sources?: readonly GoalSource[] | undefined;
  readonly target?: { readonly kind: string; readonly value?: number | undefined } | undefined;
  /** 1 is the highest. */
  readonly priority?: number | undefined;
};

/** Returns the goals that a package was ordered with. */
export function orderedGoals({ echoed }: { readonly echoed: Readonly<Record<string, unknown>> }): readonly Goal[] {
  return (echoed as { readonly optimization_goals?: readonly Goal[] }).optimization_goals ?? [];
}

/** Returns goals with the most important first: by priority, else in their order. */
export function byPriority(goals: readonly Goal[]): readonly { readonly goal: Goal; readonly index: number }[] {
  return goals
    .map((goal, index) => ({ goal, index }))
    .toSorted((one, other) => (one.goal.priority ?? one.index + 1) - (other.goal.priority ?? other.index + 1));
}

/** The rates that goals can raise. */
export type SteeredRate = 'click' | 'viewable' | 'completion' | 'conversion';

/** The effect of the goals of a package on its delivery. */
export type Steering = {
  /** How much more often than usual each happens, per impression; 1 and up. */
  readonly lifts: Readonly<Partial<Record<SteeredRate, number>>>;
  /** The part of the supply that is good enough for the targets, 0 to 1. */
  readonly share: number;
  /** How often the same people are to be reached at most. */
  readonly cap?: Cap | undefined;
  /** Those who were not reached yet come first, and each is to be reached so often at least. */
  readonly fresh?: { readonly least: number } | undefined;
};
