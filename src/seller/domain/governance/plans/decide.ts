import type { Decision, Finding } from './finding.js';
import { applyPolicies } from './policies.js';
import type { Subject } from './rule.js';
import { RULES } from './rules.js';

/** Decides about an action by the rules and policies of its plan: denied for what a rule finds critical, else approved, maybe on conditions. */
export function decideAction(subject: Subject): Decision {
  const ruleFindings = RULES.flatMap(([category_id, rule]): readonly Finding[] =>
    rule(subject).map((one) => ({ category_id, ...one })),
  );
  const policies = applyPolicies(subject.plan, subject.action, subject.nowMs);
  const findings = [...ruleFindings, ...policies.findings];
  const isDenied = findings.some(({ severity }) => severity === 'critical');
  const conditions = isDenied ? [] : policies.conditions;
  return {
    verdict: verdictOf(isDenied, conditions.length),
    explanation: explainDecision(isDenied, findings, conditions.length),
    findings,
    conditions,
    categories_evaluated: [...new Set(RULES.map(([category]) => category))],
    policies_evaluated: policies.evaluated,
  };
}

function verdictOf(isDenied: boolean, conditions: number): Decision['verdict'] {
  if (isDenied) return 'denied';
  return conditions > 0 ? 'conditions' : 'approved';
}

function explainDecision(isDenied: boolean, findings: readonly Finding[], conditions: number): string {
  if (isDenied) {
    const reasons = findings.filter(({ severity }) => severity === 'critical').map(({ explanation }) => explanation);
    return reasons.join(' ').slice(0, 2000);
  }
  return conditions > 0
    ? `It is within the plan, on ${conditions === 1 ? 'one condition' : `${conditions} conditions`} that the caller holds to.`
    : 'It is within the plan.';
}
