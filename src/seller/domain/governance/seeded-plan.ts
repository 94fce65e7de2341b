import type { Commitment } from './commitment.js';
import { readAction } from './plans/action.js';
import { decideAction } from './plans/decide.js';
import type { Plan } from './plans/plan.js';
import type { GovernanceVerdict } from './verdict.js';

/** A campaign plan as a test seeds it: what it does not say bounds nothing. Money in `budget.currency`, times ISO 8601. */
export type SeededPlan = {
  readonly budget?: { readonly total?: number | undefined; readonly currency?: string | undefined } | undefined;
  readonly flight?: { readonly start?: string | undefined; readonly end?: string | undefined } | undefined;
  /** The channels that are allowed. */
  readonly channels?: Plan['channels'] | NonNullable<Plan['channels']>['allowed'];
  readonly countries?: readonly string[] | undefined;
};

/** The context of a verdict, beside the commitment. */
type Asked = { readonly check_id: string; readonly nowMs: number };

/** Decides about a commitment as a governance agent that goes by this plan alone, and has nothing else of its budget to mind. */
export function decideByPlan(
  seeded: SeededPlan,
  commitment: Commitment,
  { check_id, nowMs }: Asked,
): GovernanceVerdict {
  const { planned_delivery, purchase_type, phase } = commitment;
  const action = readAction({ caller: '', planned_delivery, purchase_type, phase });
  const plan = fillPlan(seeded, action.currency ?? 'USD');
  const { verdict, explanation, findings, conditions } = decideAction({ plan, action, others: [], before: 0, nowMs });
  return { check_id, decision: verdict, explanation, findings, conditions };
}

/** Years before and after every flight. */
const ALWAYS = { start: '0001-01-01T00:00:00Z', end: '9999-12-31T23:59:59Z' };

function fillPlan({ budget, flight, channels, countries }: SeededPlan, currency: string): Plan {
  return {
    plan_id: '',
    brand: { domain: '' },
    objectives: '',
    budget: {
      total: budget?.total ?? Number.MAX_VALUE,
      currency: budget?.currency ?? currency,
      reallocation_unlimited: true,
    },
    flight: { start: flight?.start ?? ALWAYS.start, end: flight?.end ?? ALWAYS.end },
    channels: isAllowedList(channels) ? { allowed: channels } : channels,
    countries,
  };
}

function isAllowedList(
  channels: SeededPlan['channels'],
): channels is NonNullable<NonNullable<Plan['channels']>['allowed']> {
  return Array.isArray(channels);
}
