import { z } from 'zod';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { auditWire } from '../../domain/governance/plans/audit.js';
import { planNotFound } from '../../domain/governance/plans/check-plan.js';
import { readActionId } from '../../domain/governance/plans/context.js';
import type { LogEntry } from '../../domain/governance/plans/log.js';
import { shapeAudit } from '../../domain/governance/plans/wire.js';
import type { PlanRow } from '../../store/governance/plans.js';
import type { Reader } from '../../store/store.js';
import { envelopeFields } from '../pipeline/shapes.js';
import { query } from '../pipeline/tool.js';
import { governanceContext, planId, purchaseType, RESHAPED } from './plan-shapes.js';

const input = z.looseObject({
  plan_ids: z.array(planId).min(1).max(100).optional(),
  portfolio_plan_ids: z.array(planId).min(1).max(100).optional(),
  governance_contexts: z.array(governanceContext).min(1).max(100).optional(),
  purchase_types: z.array(purchaseType).min(1).optional(),
  include_entries: z.boolean().optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** Most entries, and most actions, that one answer lists of a plan. */
const MAX_LISTED = 2000;

/** get_plan_audit_logs: what plans have left, and all that was asked and reported about them. */
export const getPlanAuditLogs = query({
  name: 'get_plan_audit_logs',
  title: 'What was decided about plans',
  description:
    'Budget, actions and decisions of plans, by plan_ids or governance_contexts; with include_entries every check and outcome, oldest first.',
  kinds: ['governance'],
  notIn: RESHAPED,
  input,
  shape: shapeAudit,
  run: async ({ call, args, db }) => {
    const actionIds = args.governance_contexts?.map(readActionId);
    const plans: object[] = [];
    for (const plan of await findPlans(call, db, args, actionIds ?? []))
      plans.push(await auditPlan(call, db, plan, { ...args, actionIds }));
    return { plans };
  },
});

/** Throws INVALID_REQUEST where nothing says which plans, and PLAN_NOT_FOUND. */
async function findPlans(
  call: Call,
  db: Reader,
  { plan_ids: ids }: Input,
  actionIds: readonly string[],
): Promise<readonly PlanRow[]> {
  if (ids === undefined && actionIds.length === 0) {
    throw new TaskError('INVALID_REQUEST', 'Nothing says which plans.', {
      field: 'plan_ids',
      suggestion: 'Send plan_ids or governance_contexts.',
    });
  }
  const rows = new Map<number, PlanRow>();
  for (const [index, id] of (ids ?? []).entries()) {
    const plan = await db.plans.find(call.owner, id);
    if (plan === undefined) throw planNotFound(`plan_ids[${index}]`);
    rows.set(plan.seq, plan);
  }
  if (ids === undefined)
    for (const actionId of actionIds)
      for (const plan of await db.plans.findByAction(call.owner, actionId)) rows.set(plan.seq, plan);
  return [...rows.values()];
}

type Question = Pick<Input, 'purchase_types' | 'include_entries'> & {
  readonly actionIds: readonly string[] | undefined;
};

async function auditPlan(call: Call, db: Reader, plan: PlanRow, question: Question): Promise<object> {
  const { actionIds, purchase_types: types, include_entries: isWhole } = question;
  const isMeant = (id: string, type: string): boolean =>
    actionIds?.includes(id) !== false && types?.some((one) => one === type) !== false;
  const actions = await db.plans.actions(plan.seq, MAX_LISTED + 1);
  const entries = isWhole === true ? await db.plans.entries(plan.seq, { actionIds }, MAX_LISTED + 1) : undefined;
  if (actions.length > MAX_LISTED || (entries?.length ?? 0) > MAX_LISTED) throw tooMany();
  return auditWire({
    stored: plan.stored,
    usage: await db.plans.usage(plan.seq, call.now.ms),
    actions: actions.filter(({ use }) => isMeant(use.action_id, use.purchase_type)),
    counts: await db.plans.count(plan.seq),
    escalated: await db.plans.entries(plan.seq, { onlyEscalated: true }, MAX_LISTED),
    entries: entries?.filter((entry) => isOfTypes(entry, types)),
  });
}

function isOfTypes(entry: LogEntry, types: Input['purchase_types']): boolean {
  return types === undefined || (entry.type !== 'revision' && types.includes(entry.purchase_type));
}

function tooMany(): TaskError {
  return new TaskError(
    'INVALID_REQUEST',
    `A plan has more than ${MAX_LISTED} entries, which one answer does not list.`,
    {
      field: 'include_entries',
      suggestion: 'Name governance_contexts, those of up to 100 actions at a time, or leave include_entries out.',
    },
  );
}
