import type { GovernedAction } from './action.js';
import type { Condition, Finding } from './finding.js';
import type { Plan, PlanPolicy } from './plan.js';

/** The effect of a plan's policies on a decision. */
type PolicyOutcome = {
  readonly findings: readonly Finding[];
  readonly conditions: readonly Condition[];
  readonly evaluated: readonly string[];
};

/**
 * Returns what the policies that a plan brings in words come to for an action. Words are not judged here: what must be held becomes a
 * condition on the caller's word, and what should be is told.
 */
export function applyPolicies(
  { custom_policies: all = [] }: Plan,
  action: GovernedAction,
  nowMs: number,
): PolicyOutcome {
  const policies = all.filter((policy) => isConcerned(policy, action, nowMs));
  return {
    evaluated: policies.map(({ policy_id }) => policy_id),
    findings: policies.map((policy) => toFinding(policy, nowMs)),
    conditions: policies
      .filter((policy) => policy.enforcement === 'must' && isEffective(policy, nowMs))
      .map(({ policy_id, policy }) => ({ field: `policies.${policy_id}`, reason: policy.slice(0, 1000) })),
  };
}

function isConcerned(
  { channels, jurisdictions = [], sunset_date: end }: PlanPolicy,
  action: GovernedAction,
  nowMs: number,
): boolean {
  if (end !== undefined && Date.parse(end) < nowMs) return false;
  const isElsewhere =
    jurisdictions.length > 0 && action.countries?.every((country) => !jurisdictions.includes(country));
  const isOnOthers = channels && action.channels?.every((channel) => !channels.some((one) => one === channel));
  return isElsewhere !== true && isOnOthers !== true;
}

/** Whether a policy binds anybody yet; until then it is only told of. */
function isEffective({ effective_date: start }: PlanPolicy, nowMs: number): boolean {
  return start === undefined || Date.parse(start) <= nowMs;
}

function toFinding(policy: PlanPolicy, nowMs: number): Finding {
  const isBinding = policy.enforcement !== 'may' && isEffective(policy, nowMs);
  return {
    category_id: 'policy',
    policy_id: policy.policy_id,
    severity: isBinding ? 'warning' : 'info',
    explanation: `To be held to by the caller: ${policy.policy}`.slice(0, 1000),
    confidence: 0.5,
    uncertainty_reason: 'A policy in words is not judged by this agent.',
  };
}
