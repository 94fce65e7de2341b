import { isObject } from '../../../platform/kernel/json/json.js';
import type { Commitment } from './commitment.js';
import type { GovernanceVerdict } from './verdict.js';

/** A campaign plan, as far as it limits what may be bought. Money in `budget.currency`, times ISO 8601. */
export type GovernancePlan = {
  readonly budget?: { readonly total?: number | undefined; readonly currency?: string | undefined } | undefined;
  readonly flight?: { readonly start?: string | undefined; readonly end?: string | undefined } | undefined;
  readonly channels?: readonly string[] | undefined;
  readonly countries?: readonly string[] | undefined;
};

/** A rule of a plan: what it finds wrong with a planned delivery; undefined where it finds nothing, or says nothing about it. */
type Rule = (plan: GovernancePlan, planned: Commitment['planned_delivery']) => string | undefined;

/** The rules of a plan, by the category of their findings. */
const RULES: readonly (readonly [category_id: string, rule: Rule])[] = [
  [
    'budget_authority',
    ({ budget }, { total_budget: total, currency }) =>
      budget?.total !== undefined && typeof total === 'number' && total > budget.total
        ? `${total} ${String(currency)} is over the plan's ${budget.total}.`
        : undefined,
  ],
  [
    'budget_currency',
    ({ budget }, { currency }) =>
      budget?.currency !== undefined && currency !== undefined && currency !== budget.currency
        ? `The plan is in ${budget.currency}, and this is in ${String(currency)}.`
        : undefined,
  ],
  ['flight', ({ flight }, { start_time }) => (isBefore(start_time, flight?.start) ? startsEarly(flight) : undefined)],
  ['flight', ({ flight }, { end_time }) => (isBefore(flight?.end, end_time) ? endsLate(flight) : undefined)],
  ['channels', ({ channels }, planned) => outside('channels', channels, planned.channels)],
  ['geo', ({ countries }, { geo }) => outside('countries', countries, isObject(geo) ? geo.countries : undefined)],
];

/** Decides about a commitment as a governance agent that goes by this plan alone: approved, or denied with every rule that it breaks. */
export function decideByPlan(
  plan: GovernancePlan,
  { planned_delivery: planned }: Commitment,
  check_id: string,
): GovernanceVerdict {
  const findings = RULES.flatMap(([category_id, rule]) => {
    const explanation = rule(plan, planned);
    return explanation === undefined ? [] : [{ category_id, severity: 'critical', explanation }];
  });
  return {
    check_id,
    decision: findings.length === 0 ? 'approved' : 'denied',
    explanation: findings.length === 0 ? 'It is within the plan.' : findings.map((one) => one.explanation).join(' '),
    findings,
    conditions: [],
  };
}

function startsEarly(flight: GovernancePlan['flight']): string {
  return `It starts before the plan's flight, which starts at ${flight?.start}.`;
}

function endsLate(flight: GovernancePlan['flight']): string {
  return `It ends after the plan's flight, which ends at ${flight?.end}.`;
}

function isBefore(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && Date.parse(one) < Date.parse(other);
}

function outside(what: string, allowed: readonly string[] | undefined, planned: unknown): string | undefined {
  if (allowed === undefined || !Array.isArray(planned)) return undefined;
  const beyond = planned.filter((one: unknown) => !allowed.some((each) => each === one));
  return beyond.length === 0 ? undefined : `The plan has no ${what} ${beyond.join(', ')}.`;
}
