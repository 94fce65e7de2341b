import { TaskError } from '../../../protocol/errors.js';
import { BILLING, unitPrice } from '../delivery/billing.js';
import { bookedImpressions, lineRates, mostBetween } from '../delivery/delivery.js';
import { type DeliveryLine, deliveryLine, type SoldLine } from '../delivery/line.js';
import { windowDays } from '../targeting/reach.js';
import { byPriority, type Goal, type GoalOffer, type SteeredMetric, type SteeredRate, type Steering } from './goal.js';

/** The rate that each metric is raised by; reach is none, it is a matter of frequency. */
const RATES: Readonly<Record<Exclude<SteeredMetric, 'reach'>, SteeredRate>> = {
  clicks: 'click',
  views: 'viewable',
  completed_views: 'completion',
};

/** The best part of the supply brings at most so many times as much: its best sixteenth. The best part p brings p^-0.5 times as much. */
const MAX_LIFT = 4;

/** How much a goal without a target raises its rate at most, where there is supply to choose from. */
const MAX_VOLUME_LIFT = 2;

/** The goals of a package, where they lie in the request, and what they are judged against. */
type GoalContext = { readonly line: SoldLine; readonly offer: GoalOffer; readonly field: string };

/** A goal with its place: the path in the request, and how many are more important. */
type Ranked = { readonly goal: Goal; readonly path: string; readonly rank: number; readonly line: DeliveryLine };

/**
 * Judges the goals of a package and returns their effect on its delivery. Throws UNSUPPORTED_FEATURE for what the product does not declare,
 * INVALID_REQUEST for goals that say too little, and TERMS_REJECTED for targets that the product at its price cannot meet.
 */
export function judgeGoals(goals: readonly Goal[], { line: sold, offer, field }: GoalContext): Steering {
  const list = `${field}.optimization_goals`;
  checkCount(goals, offer, list);
  const line = deliveryLine(sold);
  let steering: Steering = { lifts: {}, share: 1 };
  for (const [rank, { goal, index }] of byPriority(goals).entries()) {
    const ranked = { goal, path: `${list}[${index}]`, rank, line };
    steering = joinSteering(steering, effectOf(ranked, offer), ranked.path);
  }
  return steering;
}

function effectOf(ranked: Ranked, offer: GoalOffer): Steering {
  const { goal, path } = ranked;
  if (goal.kind === 'event') return steerEvents(ranked, offer);
  if (goal.kind === 'metric') return steerMetric(ranked, offer);
  throw new TaskError('UNSUPPORTED_FEATURE', 'No metric of a vendor is optimized toward on this product.', {
    field: `${path}.kind`,
    suggestion: `Leave the goal out, or send one that the product offers: ${describeOffer(offer)}.`,
    details: { allowed_values: offeredKinds(offer) },
  });
}

function checkCount(goals: readonly Goal[], { max_optimization_goals: most }: GoalOffer, field: string): void {
  if (most === undefined || goals.length <= most) return;
  throw new TaskError('UNSUPPORTED_FEATURE', `A package of this product has at most ${most} goals.`, {
    field,
    suggestion: `Send the ${most === 1 ? 'one goal' : `${most} goals`} that matters most, or spread the goals over packages.`,
    details: { max_optimization_goals: most },
  });
}

function steerMetric(ranked: Ranked, offer: GoalOffer): Steering {
  const { goal, path } = ranked;
  const {
    supported_metrics = [],
    supported_reach_units = [],
    supported_targets = [],
  } = offer.metric_optimization ?? {};
  const metric = supported_metrics.find((name) => name === goal.metric);
  if (metric === undefined) throw notOffered(`${path}.metric`, 'metric', supported_metrics, offer);
  if (goal.target !== undefined) checkAmong(goal.target.kind, supported_targets, `${path}.target.kind`, 'target');
  if (metric !== 'reach') {
    if (goal.target_frequency !== undefined) throw notOffered(`${path}.target_frequency`, 'frequency', [], offer);
    return steerRate(ranked, RATES[metric]);
  }
  if (goal.reach_unit === undefined) throw withoutUnit(`${path}.reach_unit`, supported_reach_units);
  checkAmong(goal.reach_unit, supported_reach_units, `${path}.reach_unit`, 'unit of reach');
  return steerFrequency(ranked);
}

function steerEvents(ranked: Ranked, offer: GoalOffer): Steering {
  const { goal, path } = ranked;
  const { supported_targets: targets = [] } = offer.conversion_tracking ?? {};
  if (offer.conversion_tracking === undefined) throw notOffered(`${path}.kind`, 'goal', offeredKinds(offer), offer);
  const { event_sources: sources = [], target } = goal;
  if (sources.length === 0) throw refuseGoal(`${path}.event_sources`, 'A goal of events names its event sources.');
  const unnamed = sources.findIndex(({ event_type, custom_event_name: name }) => event_type === 'custom' && !name);
  if (unnamed >= 0)
    throw refuseGoal(`${path}.event_sources[${unnamed}].custom_event_name`, 'A custom event is known by its name.');
  if (target === undefined) return steerRate(ranked, 'conversion');
  checkAmong(target.kind, targets, `${path}.target.kind`, 'target');
  const isWorth = target.kind !== 'cost_per';
  const isValued = sources.some(({ value_field, value_factor = 1 }) => value_field !== undefined && value_factor > 0);
  if (isWorth && !isValued)
    throw refuseGoal(`${path}.event_sources[0].value_field`, 'A target of value needs the field that holds it.');
  return steerRate(ranked, 'conversion');
}

/** Chooses the better part of the supply: as much of it as the target leaves, or as the budget needs. */
function steerRate({ goal: { target }, path, rank, line }: Ranked, rate: SteeredRate): Steering {
  const usual = lineRates(line)[rate] ?? 0;
  const most = usual === 0 ? 1 : Math.min(MAX_LIFT, 1 / usual);
  const volume = Math.min(most, volumeLift(line) ** (1 / (rank + 1)));
  if (target?.value === undefined) return { lifts: { [rate]: volume }, share: 1 };
  const attained = attainTarget(line, rate, target.kind, path);
  const needed = neededLift(attained, target.value, most);
  if (needed === undefined) {
    const best = attained.isCost ? attained.at(most) : Math.min(1, attained.at(most));
    throw refuseTarget(`${path}.target.value`, best, attained.isCost);
  }
  return { lifts: { [rate]: Math.max(needed, volume) }, share: Math.min(1, needed ** -2) };
}

/** A line's attainment of a target, by how much its rate is raised; a cost is to be below the target, all else above. */
type Attainment = { readonly isCost: boolean; readonly at: (lift: number) => number };

function attainTarget(line: DeliveryLine, rate: SteeredRate, target: string, path: string): Attainment {
  const usual = lineRates(line)[rate] ?? 0;
  if (target === 'threshold_rate') return { isCost: false, at: (lift) => usual * lift };
  const cost = (lift: number) => impressionCost(line, { lifts: { [rate]: lift }, share: 1 }, path) / (usual * lift);
  if (target === 'cost_per') return { isCost: true, at: cost };
  const { conversion_value: worth = 0 } = line.inventory;
  return { isCost: false, at: (lift) => worth / cost(lift) };
}

/** Returns the least lift that meets a target; undefined where none does. */
function neededLift({ isCost, at }: Attainment, value: number, most: number): number | undefined {
  const isMet = (lift: number) => (isCost ? at(lift) <= value * ALMOST : at(lift) >= value / ALMOST);
  if (isMet(1)) return 1;
  if (!isMet(most)) return undefined;
  // Cost falls, and all else grows, in proportion to the lift, wherever it changes with the lift at all.
  return isCost ? at(1) / value : value / at(1);
}

/** What is lost in binary fractions of money. */
const ALMOST = 1 + 1e-9;

/** Returns what an impression of a line costs. Throws UNSUPPORTED_FEATURE for a price that is not by what is delivered. */
function impressionCost(line: DeliveryLine, steering: Steering, path: string): number {
  const { pricing_option: option, bid_price, package_id } = line;
  const billing = BILLING[option.pricing_model];
  const price = unitPrice(option, bid_price, package_id) ?? 0;
  if (billing.by === 'count') return (price * billing.rate(lineRates({ ...line, steering }))) / billing.per;
  throw new TaskError('UNSUPPORTED_FEATURE', `A price of ${option.pricing_model} is not by what is delivered.`, {
    field: `${path}.target`,
    suggestion: 'Leave the target out, or choose a pricing option that is paid by what is delivered, such as cpm.',
  });
}

/** Returns how much better than usual the part of the supply is that the budget needs. */
function volumeLift(line: DeliveryLine): number {
  const needed = bookedImpressions(line) / mostBetween(line, line.start_ms, line.end_ms);
  if (!Number.isFinite(needed) || needed >= 1) return 1;
  return Math.min(MAX_VOLUME_LIFT, needed ** -0.5);
}

/** Reaches people first who were not reached yet; targets are met by how often each may be reached. */
function steerFrequency({ goal: { target, target_frequency: band }, path, line }: Ranked): Steering {
  const days = (line.end_ms - line.start_ms) / DAY_MS;
  const most = target?.value === undefined ? undefined : frequencyFor(target.kind, target.value, line, path);
  if (band !== undefined && (band.min ?? 1) > (band.max ?? Number.POSITIVE_INFINITY))
    throw refuseGoal(`${path}.target_frequency.max`, 'The most of a band of frequency is below its least.');
  const within = band && windowDays(band.window, days);
  if (band !== undefined && within === undefined)
    throw refuseGoal(`${path}.target_frequency.window`, 'A frequency is counted within a window.');
  const byTarget = most === undefined ? undefined : { most, days: Math.max(1, days) };
  const byBand = band?.max === undefined || within === undefined ? undefined : { most: band.max, days: within };
  const caps = [byTarget, byBand].filter((cap) => cap !== undefined);
  const cap = caps.toSorted((one, other) => one.most / one.days - other.most / other.days)[0];
  return {
    lifts: {},
    share: 1,
    cap,
    fresh: { least: Math.min(band?.min ?? 1, cap?.most ?? Number.POSITIVE_INFINITY) },
  };
}

const DAY_MS = 86_400_000;

/** Returns how often each may be reached within a flight, so that those who are reached cost, or are, as a target says. */
function frequencyFor(kind: string, value: number, line: DeliveryLine, path: string): number {
  const isCost = kind === 'cost_per';
  const best = isCost ? impressionCost(line, { lifts: {}, share: 1 }, path) : 1;
  if (isCost && best === 0) return Math.floor(Number.MAX_SAFE_INTEGER * ALMOST);
  const most = Math.floor((isCost ? value / best : best / value) * ALMOST);
  if (most >= 1) return most;
  throw refuseTarget(`${path}.target.value`, best, isCost);
}

function joinSteering(all: Steering, one: Steering, path: string): Steering {
  const twice = Object.keys(one.lifts).find((rate) => rate in all.lifts) ?? (all.fresh && one.fresh && 'reach');
  if (twice !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'Two goals of a package are of the same metric.', {
      field: path,
      suggestion: 'Send one goal for each metric, and one for events with all their event_sources.',
    });
  }
  return {
    lifts: { ...all.lifts, ...one.lifts },
    share: all.share * one.share,
    cap: all.cap ?? one.cap,
    fresh: all.fresh ?? one.fresh,
  };
}

function checkAmong(value: string, offered: readonly string[], field: string, what: string): void {
  if (offered.includes(value)) return;
  throw new TaskError('UNSUPPORTED_FEATURE', `The product does not declare this ${what}.`, {
    field,
    suggestion:
      offered.length === 0 ? `Leave the ${what} out; the product declares none.` : `Declared: ${offered.join(', ')}.`,
    details: { allowed_values: offered },
  });
}

function notOffered(field: string, what: string, allowed: readonly string[], offer: GoalOffer): TaskError {
  return new TaskError('UNSUPPORTED_FEATURE', `The product does not declare this ${what}.`, {
    field,
    suggestion: `Leave it out, or send what the product offers: ${describeOffer(offer)}.`,
    details: { allowed_values: allowed },
  });
}

function offeredKinds({ metric_optimization, conversion_tracking }: GoalOffer): readonly string[] {
  return [
    ...(metric_optimization === undefined ? [] : ['metric']),
    ...(conversion_tracking === undefined ? [] : ['event']),
  ];
}

/** Returns the goals of a product in words. */
function describeOffer({ metric_optimization: metrics, conversion_tracking: events }: GoalOffer): string {
  const kinds = [
    ...(metrics === undefined ? [] : [`goals of kind metric (${metrics.supported_metrics.join(', ')})`]),
    ...(events === undefined ? [] : ['goals of kind event']),
  ];
  return kinds.length === 0 ? 'no goals; pacing and bid_price say how it spends' : kinds.join(' and ');
}

function withoutUnit(field: string, units: readonly string[]): TaskError {
  return new TaskError('INVALID_REQUEST', 'A goal of reach says what it counts.', {
    field,
    suggestion: `Send reach_unit: ${units.join(', ')}.`,
    details: { allowed_values: units },
  });
}

function refuseGoal(field: string, message: string): TaskError {
  return new TaskError('INVALID_REQUEST', message, { field, suggestion: 'Correct it, or leave the goal out.' });
}

function refuseTarget(field: string, best: number, isCost: boolean): TaskError {
  const limit = Number(
    (Math[isCost ? 'ceil' : 'floor']((best * 1e6) / (isCost ? ALMOST : 1 / ALMOST)) / 1e6).toFixed(6),
  );
  return new TaskError('TERMS_REJECTED', 'The product cannot meet this target at this price.', {
    field,
    suggestion: `Send ${limit} or ${isCost ? 'more' : 'less'}, or leave the target out.`,
    details: { limit },
  });
}
