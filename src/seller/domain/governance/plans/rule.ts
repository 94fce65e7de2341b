import type { GovernedAction } from './action.js';
import type { Finding } from './finding.js';
import type { Plan } from './plan.js';
import type { UsageRow } from './usage.js';

/** The subject of a rule: the plan, the action, and the usage of the plan's other actions. */
export type Subject = {
  readonly plan: Plan;
  readonly action: GovernedAction;
  /** The use of every other action of the plan. */
  readonly others: readonly UsageRow[];
  /** What this action has had approved or committed until now. */
  readonly before: number;
  readonly nowMs: number;
};

/** A rule's finding, without its category. */
export type RuleFinding = Omit<Finding, 'category_id'>;

/** A rule of a plan: what it finds wrong with an action; nothing where the action does not tell. */
export type Rule = (subject: Subject) => readonly RuleFinding[];

/** Returns a finding that denies. */
export function createDenial(explanation: string, details?: RuleFinding['details']): readonly RuleFinding[] {
  return [{ severity: 'critical', explanation, details }];
}

/** Returns a finding that does not deny. */
export function createWarning(explanation: string, more: Partial<RuleFinding> = {}): readonly RuleFinding[] {
  return [{ severity: 'warning', explanation, ...more }];
}

/** Returns what is beyond the allowed; nothing where all is allowed, or nothing was told. */
export function findOutside(
  allowed: readonly string[] | undefined,
  requested: readonly string[] | undefined,
): readonly string[] {
  return allowed === undefined ? [] : (requested ?? []).filter((one) => !allowed.includes(one));
}

/** Returns words in one line. */
export function joinWords(words: readonly string[] | undefined): string {
  return words === undefined || words.length === 0 ? 'none' : words.join(', ');
}
