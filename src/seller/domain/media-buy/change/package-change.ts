import { isDeepStrictEqual } from 'node:util';
import { withoutUndefined } from '../../../../platform/kernel/json/json.js';
import { TaskError } from '../../../../protocol/errors.js';
import { checkSlots } from '../../inventory/slots.js';
import type { Goal } from '../../optimization/goal.js';
import { steerReach } from '../../optimization/steering.js';
import { judgeTargeting, shownTargeting } from '../../targeting/check.js';
import { listedPart } from '../../targeting/lists.js';
import { readPackageFlight } from '../flight.js';
import { agreedTerms } from '../makegood.js';
import type { MeasurementTerms } from '../measurement-terms.js';
import type { MediaBuy, Pacing, Package } from '../media-buy.js';
import { checkTerms, flightDays, flightMs, type OrderContext, steerPackage } from '../order.js';
import { bidFor, checkCurrency, checkOffer, inUnits } from '../pricing.js';

/** A change to one package. */
export type PackageChange = {
  readonly package_id: string;
  readonly budget?: number | undefined;
  readonly bid_price?: number | undefined;
  readonly pacing?: Pacing | undefined;
  readonly impressions?: number | undefined;
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly canceled?: boolean | undefined;
  readonly cancellation_reason?: string | undefined;
  readonly targeting_overlay?: Readonly<Record<string, unknown>> | undefined;
  readonly measurement_terms?: MeasurementTerms | undefined;
  readonly optimization_goals?: readonly Goal[] | undefined;
  readonly [field: string]: unknown;
};

/** Fields of a package that are fixed when it is bought. */
const IMMUTABLE = [
  'product_id',
  'format_ids',
  'pricing_option_id',
  'format_option_refs',
  'format_kind',
  'params',
] as const;

/** A package, the change of it, the field that holds the change, and the party that changes it. */
type PackageEdit = {
  readonly line: Package;
  readonly change: PackageChange;
  readonly field: string;
  readonly by: 'buyer' | 'seller';
};

/** Returns a package as a change leaves it; itself where nothing differs. Throws the code and field of the first rule that the change breaks. */
export function changePackage(buy: MediaBuy, edit: PackageEdit, context: OrderContext): Package {
  const { by, change, field, line } = edit;
  if (line.canceled) {
    throw new TaskError(
      change.canceled === true ? 'NOT_CANCELLABLE' : 'INVALID_STATE',
      'The package is canceled for good.',
      {
        field: `${field}.package_id`,
        suggestion: 'Add a package with new_packages instead.',
      },
    );
  }
  const fixed = IMMUTABLE.find((name) => change[name] !== undefined);
  if (fixed !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'This field of a package is fixed when it is bought.', {
      field: `${field}.${fixed}`,
      suggestion: 'Cancel the package and add another one with new_packages.',
    });
  }
  if (change.canceled === true) {
    const { cancellation_reason: reason } = change;
    return {
      ...line,
      canceled: true,
      cancellation: { canceled_at: context.now.iso, canceled_by: by, reason },
    };
  }
  checkReason(change.cancellation_reason, `${field}.`);
  const next = {
    ...line,
    ...pickTerms(change, line),
    ...newEchoes(line, change),
    ...replacedTargeting(line, change, context),
    ...changedDates(buy, edit, context),
  };
  checkTerms(change, line.sold, field);
  checkCurrency(change.currency, line.sold.option.currency, `${field}.currency`);
  if (change.budget !== undefined || change.bid_price !== undefined)
    checkOffer(line.sold.option, { ...next, budget: change.budget ?? next.budget }, field);
  checkSlots(line.sold, next.budget, flightMs(next), `${field}.budget`);
  const reached = changedReach(line, next, change, { field, context });
  return isUnchanged(line, reached) ? line : reached;
}

/** Refuses the reason of a cancellation where nothing is canceled. Throws INVALID_REQUEST; `within` is the path of what it stands in. */
export function checkReason(reason: string | undefined, within: string): void {
  if (reason === undefined) return;
  throw new TaskError('INVALID_REQUEST', 'A reason of a cancellation goes with one.', {
    field: `${within}cancellation_reason`,
    suggestion: 'Send canceled: true with it to cancel for good, or leave cancellation_reason out.',
  });
}

/**
 * Judges targeting anew where it, or the flight that a cap is spread over, changes; and goals where they, or the bid
 * that they cost, do.
 */
function changedReach(line: Package, next: Package, change: PackageChange, at: ChangeContext): Package {
  const { optimization_goals: before } = line.echoed as { readonly optimization_goals?: readonly Goal[] };
  const goals = change.optimization_goals ?? before ?? [];
  const isReplaced = !isDeepStrictEqual(goals, before ?? []) || (goals.length > 0 && next.bid_price !== line.bid_price);
  const isMoved = [change.targeting_overlay, change.start_time, change.end_time].some((value) => value !== undefined);
  if (!isReplaced && !isMoved) return next;
  const plain = { ...next, ...targetedReach(next, change, at), steering: undefined };
  if (line.segments.length === 0) return steerPackage(plain, goals, at.field);
  if (isReplaced) throw goalsAreFixed(change, at.field);
  return { ...plain, steering: line.steering, reach: steerReach(plain.reach, line.steering, line.sold.inventory) };
}

/** Where a change is judged: the path of its package, and what it is judged against. */
type ChangeContext = { readonly field: string; readonly context: OrderContext };

function targetedReach(
  next: Package,
  change: PackageChange,
  { field, context: { lists } }: ChangeContext,
): Pick<Package, 'reach' | 'listed'> {
  const { sold, product_id } = next;
  const overlay = change.targeting_overlay ?? next.targeting_overlay;
  if (overlay === undefined) return { reach: undefined };
  const listed = change.targeting_overlay === undefined ? next.listed : listedPart(overlay, product_id, lists);
  const supply = { ...sold.inventory, channels: sold.channels };
  return { reach: judgeTargeting(overlay, supply, { flightDays: flightDays(next), field, listed }), listed };
}

/** Returns the refusal of other goals, as a package has delivered toward its own. */
function goalsAreFixed({ optimization_goals }: PackageChange, field: string): TaskError {
  return new TaskError(
    'INVALID_STATE',
    'The package has begun to run toward its goals, which cannot change any more.',
    {
      field: `${field}.${optimization_goals === undefined ? 'bid_price' : 'optimization_goals'}`,
      suggestion: 'Cancel the package, and add another one with new_packages.',
    },
  );
}

function pickTerms(change: PackageChange, { sold }: Package): Partial<Package> {
  const { pacing, impressions, paused } = change;
  const budget = change.budget === undefined ? undefined : inUnits(change.budget, sold.option.currency);
  const bid_price = change.bid_price === undefined ? undefined : bidFor(sold.option, change.bid_price);
  const targeting_overlay = change.targeting_overlay && shownTargeting(change.targeting_overlay);
  const terms = { budget, bid_price, pacing, impressions, paused, targeting_overlay };
  return withoutUndefined(terms);
}

/** Returns the targeting that a package has had, once it ran under it. */
function replacedTargeting(line: Package, change: PackageChange, { now }: OrderContext): Partial<Package> {
  const { past_targeting = [], targeting_overlay: overlay = {} } = line;
  const { targeting_overlay: next = overlay } = change;
  if (line.segments.length === 0 || isDeepStrictEqual(shownTargeting(next), overlay)) return {};
  return { past_targeting: [...past_targeting, { until: now.iso, overlay }] };
}

/** Members of a change that are stored as they came, where they say anything new; its terms of measurement were not refused. */
function newEchoes(line: Package, change: PackageChange): Partial<Package> {
  const { measurement_terms: terms, performance_standards, optimization_goals, context, ext } = change;
  const measurement_terms = terms && agreedTerms(terms);
  const differing = Object.entries({
    measurement_terms,
    performance_standards,
    optimization_goals,
    context,
    ext,
  }).filter(([name, value]) => value !== undefined && !isSameEcho(value, line.echoed[name]));
  return differing.length === 0 ? {} : { echoed: { ...line.echoed, ...Object.fromEntries(differing) } };
}

/** Whether two values say the same; an empty list says what none says. */
function isSameEcho(value: unknown, before: unknown): boolean {
  const isNothing = Array.isArray(value) && value.length === 0 && before === undefined;
  return isNothing || isDeepStrictEqual(value, before);
}

function changedDates(buy: MediaBuy, { line, change, field }: PackageEdit, context: OrderContext): Partial<Package> {
  if (change.start_time === undefined && change.end_time === undefined) return {};
  const wanted = { start_time: change.start_time ?? line.start_time, end_time: change.end_time ?? line.end_time };
  const flight = readPackageFlight(wanted, buy, field);
  const hasRun = line.segments.some((segment) => Date.parse(segment.from) <= context.now.ms);
  if (hasRun && Date.parse(flight.start_time) !== Date.parse(line.start_time)) {
    throw new TaskError('INVALID_STATE', 'The package has begun to run, so its start cannot move.', {
      field: `${field}.start_time`,
      suggestion: 'Leave start_time out; end_time can still be changed.',
    });
  }
  if (Date.parse(flight.end_time) <= context.now.ms) {
    throw new TaskError('INVALID_REQUEST', 'The end lies in the past.', {
      field: `${field}.end_time`,
      suggestion: 'Send an end in the future, or canceled: true to end the package now.',
    });
  }
  return flight;
}

function isUnchanged(line: Package, next: Package): boolean {
  return (Object.keys(next) as (keyof Package)[]).every((key) => next[key] === line[key]);
}
