import type { Rates } from '../delivery/billing.js';
import { reachableUsers, type TargetedSupply } from '../targeting/offer.js';
import type { Cap, Reach } from '../targeting/reach.js';
import type { Steering } from './goal.js';

/** Returns rates as goals raise them; none is above 1. */
export function liftRates(rates: Rates, steering: Steering | undefined): Rates {
  if (steering === undefined) return rates;
  const { lifts } = steering;
  const lift = <Rate extends number | undefined>(rate: Rate, by: number | undefined): Rate =>
    (rate === undefined ? rate : Math.min(1, rate * (by ?? 1))) as Rate;
  return {
    ...rates,
    click: lift(rates.click, lifts.click),
    viewable: lift(rates.viewable, lifts.viewable),
    completion: lift(rates.completion, lifts.completion),
    view: lift(rates.view, lifts.completion),
    conversion: lift(rates.conversion, lifts.conversion),
  };
}

/** Returns what targeting and goals together leave of a supply; undefined where that is everything. */
export function steerReach(
  reach: Reach | undefined,
  steering: Steering | undefined,
  supply: TargetedSupply,
): Reach | undefined {
  if (steering === undefined || (steering.share === 1 && steering.cap === undefined)) return reach;
  const share = (reach?.share ?? 1) * steering.share;
  const cap = tighterCap(reach?.cap, steering.cap);
  const per_day = cap && (reachableUsers(supply) * share * cap.most) / cap.days;
  return { ...reach, share, cap, per_day };
}

function tighterCap(one: Cap | undefined, other: Cap | undefined): Cap | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one.most / one.days <= other.most / other.days ? one : other;
}
