import { canonicalHash } from '../../../../platform/kernel/canonical.js';
import { refuseField, TaskError } from '../../../../protocol/errors.js';
import { makeFlight, readTime } from '../../media-buy/flight.js';
import type { Plan, StoredPlan } from './plan.js';

/** Judges a plan beyond its shape: one rule of reallocation, a flight that ends after it starts. Throws INVALID_REQUEST with the field below `path`. */
export function checkPlan({ budget, flight, delegations = [] }: Plan, path: string): void {
  const { reallocation_threshold: threshold, reallocation_unlimited: unlimited } = budget;
  if ((threshold === undefined) === (unlimited === undefined))
    throw refuseField(
      `${path}.budget.reallocation_threshold`,
      'A budget says either how much may be moved, or that all may be.',
      REALLOCATION,
    );
  if (unlimited === false)
    throw refuseField(`${path}.budget.reallocation_unlimited`, 'This can only be true.', REALLOCATION);
  makeFlight(
    readTime(flight.start, `${path}.flight.start`),
    readTime(flight.end, `${path}.flight.end`),
    `${path}.flight.end`,
  );
  for (const [index, { expires_at: end, budget_limit: limit }] of delegations.entries()) {
    if (end !== undefined) readTime(end, `${path}.delegations[${index}].expires_at`);
    if (limit !== undefined && limit.currency !== budget.currency)
      throw refuseField(
        `${path}.delegations[${index}].budget_limit.currency`,
        `The plan is in ${budget.currency}.`,
        `Send the limit in ${budget.currency}.`,
      );
  }
}

const REALLOCATION = 'Send reallocation_threshold with an amount, or reallocation_unlimited: true.';

/** Returns a plan as its next revision. */
export function nextRevision(plan: Plan, before: StoredPlan | undefined): StoredPlan {
  return { plan, version: (before?.version ?? 0) + 1, plan_hash: canonicalHash(plan) };
}

/** Returns the error of a plan that is not the caller's: also where somebody else has one of this id. */
export function planNotFound(field: string): TaskError {
  return new TaskError('PLAN_NOT_FOUND', 'There is no such plan.', {
    field,
    suggestion: 'Send the plan_id of a plan that sync_plans has answered, with the credentials that synced it.',
  });
}
