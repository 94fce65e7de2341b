import { type GovernedAction, readAction } from './action.js';
import type { Finding } from './finding.js';
import type { ActionUse } from './log.js';
import type { Plan, PurchaseType } from './plan.js';
import { RULES } from './rules.js';
import { sumUsage, type UsageRow } from './usage.js';

/** The outcomes of an action: it was bought, it was not, or it runs. */
export const OUTCOMES = ['completed', 'failed', 'delivery'] as const;

/** An outcome as a buyer's agent reports it. Money in the plan's currency. */
export type ReportedOutcome = {
  readonly outcome: (typeof OUTCOMES)[number];
  readonly purchase_type: PurchaseType;
  /** What was bought for, where the report says it. */
  readonly committed: number | undefined;
  readonly planned: Readonly<Record<string, unknown>> | undefined;
  readonly delivered:
    | {
        readonly reporting_period: { readonly start: string; readonly end: string };
        readonly spend?: number | undefined;
      }
    | undefined;
};

/** The subject of an outcome: its plan, its action before it, the plan's other actions, and whether a check let it through. */
type OutcomeSubject = {
  readonly plan: Plan;
  readonly use: ActionUse;
  readonly others: readonly UsageRow[];
  readonly isApproved: boolean;
  readonly nowMs: number;
};

/** The state of an action and its plan's budget after an outcome. */
type JudgedOutcome = {
  readonly use: ActionUse;
  readonly findings: readonly Finding[];
  readonly total_committed: number;
  readonly budget_remaining: number;
};

/** Returns what an outcome comes to. Money that was committed counts, approved or not; findings say what was wrong with it. */
export function judgeOutcome(reported: ReportedOutcome, subject: OutcomeSubject): JudgedOutcome {
  const use = nextUse(reported, subject.use);
  const { plan, others } = subject;
  const total = others.reduce((sum, row) => sum + row.committed, use.committed);
  return {
    use,
    findings: [...approvalFindings(reported, subject, use), ...ruleFindings(reported, subject)],
    total_committed: total,
    budget_remaining: plan.budget.total - total,
  };
}

function nextUse({ outcome, committed }: ReportedOutcome, use: ActionUse): ActionUse {
  if (outcome === 'delivery') return use;
  const none = { ...use, held: 0, heldUntil: undefined };
  return outcome === 'failed' ? none : { ...none, committed: committed ?? use.committed + use.held };
}

function approvalFindings(
  { outcome }: ReportedOutcome,
  { plan: { budget }, use: before, others, isApproved }: OutcomeSubject,
  after: ActionUse,
): readonly Finding[] {
  if (outcome !== 'completed') return [];
  const findings: Finding[] = [];
  const approved = before.committed + before.held;
  const add = (category_id: string, explanation: string, details: Finding['details'] = {}): void => {
    findings.push({ category_id, severity: 'critical', explanation, details });
  };
  if (!isApproved)
    add(
      'unapproved_purchase',
      'No check of this plan approved it. Ask check_governance before a purchase, and report with the check_id and governance_context of its answer.',
    );
  else if (after.committed > approved)
    add(
      'budget_authority',
      `${after.committed} ${budget.currency} were committed, and ${approved} were approved. Have the difference approved, or have the seller reduce the purchase.`,
      { approved, committed: after.committed },
    );
  const used = sumUsage(others) + after.committed;
  if (used > budget.total)
    add(
      'budget_authority',
      `The plan's ${budget.total} ${budget.currency} are exceeded: ${used} are committed or approved. Reduce a purchase, or raise budget.total with sync_plans.`,
      { authorized: budget.total, used },
    );
  return findings;
}

/** Judges what the seller says it will deliver, or has, by the rules of the plan; the amount was judged already. */
function ruleFindings(reported: ReportedOutcome, { plan, use, others, nowMs }: OutcomeSubject): readonly Finding[] {
  if (reported.planned === undefined && reported.delivered === undefined) return [];
  const { delivered } = reported;
  const metrics = delivered && {
    reporting_period: delivered.reporting_period,
    spend: delivered.spend,
    cumulative_spend: delivered.spend,
  };
  const action: GovernedAction = {
    ...readAction({
      caller: use.seller,
      purchase_type: reported.purchase_type,
      planned_delivery: reported.planned ?? {},
      delivery_metrics: metrics,
    }),
    total: undefined,
    phase: 'delivery',
  };
  const subject = { plan, action, others, before: use.committed + use.held, nowMs };
  return RULES.filter(([category]) => use.seller !== '' || category !== 'seller_verification').flatMap(
    ([category_id, rule]) => rule(subject).map((one) => ({ category_id, ...one })),
  );
}
