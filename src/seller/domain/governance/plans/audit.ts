import type { ActionState, ActionUse, LogEntry } from './log.js';
import type { StoredPlan } from './plan.js';
import type { UsageRow } from './usage.js';

/** The parts of a plan's audit. */
type AuditParts = {
  readonly stored: StoredPlan;
  readonly usage: readonly UsageRow[];
  readonly actions: readonly { readonly use: ActionUse; readonly state: ActionState }[];
  readonly counts: readonly AuditCount[];
  readonly escalated: readonly LogEntry[];
  /** Undefined where they are not asked for. */
  readonly entries: readonly LogEntry[] | undefined;
};

type AuditCount = {
  readonly kind: string;
  readonly verdict: string;
  readonly total: number;
  readonly findings: number;
  readonly escalated: number;
};

/** Returns the state of a plan, what was decided about it, and its entries where they are asked for. */
export function auditWire({ stored, usage, actions, counts, escalated, entries }: AuditParts): object {
  const { plan, version } = stored;
  const committed = usage.reduce((sum, row) => sum + row.committed, 0);
  const { total } = plan.budget;
  return {
    plan_id: plan.plan_id,
    plan_version: version,
    status: 'active',
    budget: {
      authorized: total,
      committed,
      remaining: total - committed,
      utilization_pct: percentOf(committed, total),
    },
    channel_allocation: allocateChannels(usage, total),
    governed_actions: actions.map(({ use, state }) => ({
      governance_context: state.governance_context,
      purchase_type: use.purchase_type,
      status: state.status,
      committed: use.committed,
      check_count: state.check_count,
      seller_reference: state.seller_reference,
    })),
    summary: summarize(counts, escalated),
    entries: entries?.map((entry) => entryWire(plan.plan_id, entry)),
  };
}

function allocateChannels(usage: readonly UsageRow[], total: number): object | undefined {
  const channels = new Map<string, number>();
  for (const { channel, committed } of usage)
    if (channel !== '') channels.set(channel, (channels.get(channel) ?? 0) + committed);
  if (channels.size === 0) return undefined;
  return Object.fromEntries(
    [...channels].map(([channel, committed]) => [channel, { committed, pct: percentOf(committed, total) }]),
  );
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}

function summarize(counts: readonly AuditCount[], escalated: readonly LogEntry[]): object {
  const of = (counted: (row: AuditCount) => boolean): number =>
    counts.filter(counted).reduce((sum, { total }) => sum + total, 0);
  const checks = of(({ kind }) => kind === 'check');
  const escalations = counts.reduce((sum, row) => sum + row.escalated, 0);
  const approved = of(({ verdict }) => verdict === 'approved');
  const conditions = of(({ verdict }) => verdict === 'conditions');
  return {
    checks_performed: checks,
    outcomes_reported: of(({ kind }) => kind === 'outcome'),
    statuses: { approved, denied: of(({ verdict }) => verdict === 'denied'), conditions, human_reviewed: 0 },
    findings_count: counts.reduce((sum, { findings }) => sum + findings, 0),
    escalations: escalated.flatMap(escalationWire),
    drift_metrics:
      checks === 0
        ? undefined
        : { escalation_rate: escalations / checks, auto_approval_rate: (approved + conditions) / checks },
  };
}

function escalationWire(entry: LogEntry): readonly object[] {
  return entry.type === 'check' ? [{ check_id: entry.id, reason: entry.explanation.slice(0, 1000) }] : [];
}

function entryWire(plan_id: string, entry: LogEntry): object {
  const { id, timestamp } = entry;
  if (entry.type === 'revision') return { id, type: entry.type, timestamp, plan_id };
  const findings = entry.findings.map(({ category_id, policy_id, severity, explanation, confidence }) => ({
    category_id,
    policy_id,
    severity,
    explanation,
    confidence,
  }));
  const shared = { id, type: entry.type, timestamp, plan_id, purchase_type: entry.purchase_type, findings };
  const { governance_context } = entry;
  if (entry.type === 'outcome') {
    const { outcome, committed_budget, outcome_state: outcome_status } = entry;
    return { ...shared, outcome, committed_budget, outcome_status, governance_context };
  }
  const { caller, tool, verdict, check_type, explanation, plan_hash } = entry;
  const { policies_evaluated, categories_evaluated } = entry;
  const judged = { explanation, policies_evaluated, categories_evaluated, governance_context, plan_hash };
  return { ...shared, caller, tool, verdict, check_type, mode: 'enforce', ...judged };
}
