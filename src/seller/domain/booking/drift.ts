import { MINUTE_MS } from '../../../platform/kernel/clock.js';
import type { LiveOrder, LivePackage, OrderState } from './live-order.js';

/** A package as an ad server reports it. A member that it does not tell is left out, and nothing is compared then. */
export type ReportedPackage = {
  readonly package_id: string;
  /** `missing`: it was deleted there. `unknown`: a state that nobody here knows. */
  readonly state: OrderState | 'waiting' | 'missing' | 'unknown';
  readonly start_time?: string | undefined;
  readonly end_time?: string | undefined;
  readonly goal?: number | undefined;
  /** Per unit of the model; of a flat rate all of it. */
  readonly price?: number | undefined;
  /** Whether it runs where, when, how often and for whom the package says. */
  readonly is_targeted_as_ordered?: boolean | undefined;
  readonly creative_ids?: readonly string[] | undefined;
  readonly remarks?: readonly string[] | undefined;
};

/** A difference between a package as it was booked and as its ad server has it by now, both for people. */
export type Drift = {
  readonly package_id: string;
  readonly what: 'state' | 'goal' | 'price' | 'start' | 'end' | 'targeting' | 'creatives';
  readonly booked: string;
  readonly found: string;
};

/** So far apart are times the same: ad servers count in seconds or minutes. */
const TIME_TOLERANCE_MS = MINUTE_MS;
/** Half a unit of the last digit that ad servers have of prices. */
const PRICE_TOLERANCE = 0.005;

/** Returns what an ad server has otherwise than it was booked; `found` is empty where it has nothing of the order. */
export function findDrift(order: LiveOrder, found: readonly ReportedPackage[], nowMs: number): readonly Drift[] {
  if (found.length === 0) return order.packages.flatMap((line) => compareState(order, line, 'missing'));
  const byId = new Map(found.map((one) => [one.package_id, one]));
  return order.packages.flatMap((line) => {
    const there = byId.get(line.package_id);
    return there === undefined ? [] : comparePackage(order, line, there, nowMs);
  });
}

/** Returns the packages of an order that ought to run, or may again, and that somebody has deleted in the ad server. */
export function findDeleted(order: LiveOrder, found: readonly ReportedPackage[]): readonly string[] {
  const isOpen = (line: LivePackage): boolean => !isEnded(wantedState(order, line));
  const missing = found.filter(({ state }) => state === 'missing').map(({ package_id }) => package_id);
  return order.packages
    .filter((line) => isOpen(line) && missing.includes(line.package_id))
    .map((line) => line.package_id);
}

/** Returns the packages that are to run and do not: somebody deleted, paused or ended them in the ad server. */
export function findStopped(drift: readonly Drift[]): readonly string[] {
  const isStopped = ({ booked, what }: Drift): boolean => what === 'state' && booked === 'running';
  return drift.filter(isStopped).map(({ package_id }) => package_id);
}

/** Returns how a package is to be: paused and ended with its order. */
export function wantedState(order: Pick<LiveOrder, 'state'>, line: Pick<LivePackage, 'state'>): OrderState {
  const states: readonly OrderState[] = ['canceled', 'completed', 'paused'];
  return states.find((state) => order.state === state || line.state === state) ?? 'running';
}

/** What a person does about drift. */
export const DRIFT_REMEDY =
  'Put it back there as it was booked, or change the order here: the next change that is booked brings the ad server to all of it. What was deleted is not made again: restore it there, or cancel its package.';

/** Returns what differs, for people. */
export function describeDrift(drift: readonly Drift[]): string {
  return drift
    .map(({ booked, found, package_id, what }) => `${package_id}: ${what} ${found}, booked ${booked}`)
    .join('; ');
}

function isEnded(state: OrderState): boolean {
  return state === 'canceled' || state === 'completed';
}

function comparePackage(order: LiveOrder, line: LivePackage, found: ReportedPackage, nowMs: number): readonly Drift[] {
  const state = compareState(order, line, found.state);
  // The terms of what does not deliver any more are nobody's concern.
  if (found.state === 'missing' || isEnded(wantedState(order, line)) || isEnded(found.state as OrderState))
    return state;
  return [
    ...state,
    ...compareTerms(line, found),
    ...compareFlight(line, found, nowMs),
    ...compareCreatives(order, line, found),
  ];
}

function compareState(order: LiveOrder, line: LivePackage, found: ReportedPackage['state']): readonly Drift[] {
  const wanted = wantedState(order, line);
  if (!isOtherwise(wanted, line, found)) return [];
  return [{ package_id: line.package_id, what: 'state', booked: wanted, found }];
}

/** Whether a state is another than was booked: one that does not deliver is as good as another for what is not to. */
function isOtherwise(wanted: OrderState, line: LivePackage, found: ReportedPackage['state']): boolean {
  if (found === 'unknown' || found === wanted) return false;
  if (wanted !== 'running') return found === 'running';
  // It may have delivered all that was ordered; and one without creatives waits for them.
  return found !== 'completed' && !(found === 'waiting' && line.needs_creative && line.creatives.length === 0);
}

function compareTerms({ budget, goal, package_id, price }: LivePackage, found: ReportedPackage): readonly Drift[] {
  const drift: Drift[] = [];
  if (goal !== undefined && found.goal !== undefined && goal.count !== found.goal)
    drift.push({ package_id, what: 'goal', booked: `${goal.count}`, found: `${found.goal}` });
  const amount = price.model === 'flat_rate' ? budget : price.amount;
  if (found.price !== undefined && Math.abs(amount - found.price) > PRICE_TOLERANCE)
    drift.push({ package_id, what: 'price', booked: `${amount}`, found: `${found.price}` });
  if (found.is_targeted_as_ordered === false)
    drift.push({ package_id, what: 'targeting', booked: 'as ordered', found: 'another' });
  return drift;
}

function compareFlight(line: LivePackage, found: ReportedPackage, nowMs: number): readonly Drift[] {
  const { end_time, package_id, start_time } = line;
  const times = [
    { what: 'start', booked: start_time, found: found.start_time },
    { what: 'end', booked: end_time, found: found.end_time },
  ] as const;
  return times.flatMap(({ booked, found: there, what }) => {
    if (there === undefined) return [];
    const [ours, theirs] = [Date.parse(booked), Date.parse(there)];
    const isSame = Math.abs(ours - theirs) <= TIME_TOLERANCE_MS;
    // A flight that has begun by both has begun.
    return isSame || Math.max(ours, theirs) <= nowMs ? [] : [{ package_id, what, booked, found: there }];
  });
}

function compareCreatives(order: LiveOrder, line: LivePackage, { creative_ids }: ReportedPackage): readonly Drift[] {
  if (creative_ids === undefined || wantedState(order, line) !== 'running') return [];
  const { creatives, package_id } = line;
  const gone = [...new Set(creatives.map(({ creative_id }) => creative_id))].filter((id) => !creative_ids.includes(id));
  if (gone.length === 0) return [];
  return [{ package_id, what: 'creatives', booked: gone.join(', '), found: creative_ids.join(', ') || 'none of them' }];
}
