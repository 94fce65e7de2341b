import { z } from 'zod';
import { sumOf } from '../../../platform/kernel/numbers.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Call } from '../../context.js';
import { planNotFound } from '../../domain/governance/plans/check-plan.js';
import { readActionId } from '../../domain/governance/plans/context.js';
import { type ActionState, type ActionUse, isEscalated, type LogEntry } from '../../domain/governance/plans/log.js';
import { judgeOutcome, OUTCOMES, type ReportedOutcome } from '../../domain/governance/plans/outcome.js';
import { outcomeFindingWire, shapeOutcome } from '../../domain/governance/plans/wire.js';
import type { ActionRow, PlanRow } from '../../store/governance/plans.js';
import type { Writer } from '../../store/store.js';
import { amount, dateTime, envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import { governanceContext, period, planId, plannedDelivery, purchaseType, RESHAPED } from './plan-shapes.js';

const input = z.looseObject({
  ...keyField,
  plan_id: planId,
  outcome: z.enum(OUTCOMES),
  governance_context: governanceContext,
  check_id: z.string().min(1).max(255).optional(),
  purchase_type: purchaseType.optional(),
  seller_response: z
    .looseObject({
      seller_reference: z.string().max(255).optional(),
      committed_budget: amount.optional(),
      packages: z
        .array(z.looseObject({ budget: amount.optional() }))
        .max(1000)
        .optional(),
      planned_delivery: plannedDelivery.optional(),
      creative_deadline: dateTime.optional(),
    })
    .meta({ brief: true, description: '{seller_reference, committed_budget, packages, planned_delivery}' })
    .optional(),
  delivery: z
    .looseObject({ reporting_period: period, spend: amount.optional() })
    .meta({ brief: true, description: '{reporting_period, spend, impressions, cpm}' })
    .optional(),
  error: z.strictObject({ code: z.string().max(128).optional(), message: z.string().max(2000).optional() }).optional(),
  ...envelopeFields,
});
type Input = z.output<typeof input>;

/** The member that each outcome needs. */
const NEEDED = { completed: 'seller_response', failed: 'error', delivery: 'delivery' } as const;

/** report_plan_outcome: what became of an action that was checked; what it committed counts against its plan. */
export const reportPlanOutcome = mutation({
  name: 'report_plan_outcome',
  title: 'Report what became of a purchase',
  description:
    'Reports what the seller answered to a purchase that check_governance decided about: completed with seller_response, failed with error, or delivery. What was committed counts against the plan.',
  kinds: ['governance'],
  notIn: RESHAPED,
  input,
  shape: shapeOutcome,
  run: async ({ app, call, args, db }) => {
    const needed = NEEDED[args.outcome];
    if (args[needed] === undefined) throw memberMissing(args.outcome, needed);
    const plan = await db.plans.find(call.owner, args.plan_id);
    if (plan === undefined) throw planNotFound('plan_id');
    const action = await findAction(db, plan, args);
    const reported = readOutcome(args);
    const { ms: nowMs, iso: timestamp } = call.now;
    const judged = judgeOutcome(reported, {
      plan: plan.stored.plan,
      use: action.use,
      others: await db.plans.usage(plan.seq, nowMs, action.use.action_id),
      isApproved: action.use.held + action.use.committed > 0,
      nowMs,
    });
    const outcome_id = app.ids.next('out');
    const entry: LogEntry = {
      type: 'outcome',
      id: outcome_id,
      timestamp,
      outcome: args.outcome,
      outcome_state: judged.findings.length === 0 ? 'accepted' : 'findings',
      purchase_type: reported.purchase_type,
      governance_context: args.governance_context,
      check_id: args.check_id,
      committed_budget: args.outcome === 'delivery' ? undefined : judged.use.committed,
      findings: judged.findings,
      reported: { seller_response: args.seller_response, delivery: args.delivery, error: args.error },
    };
    await saveOutcome(call, db, { ...action, use: judged.use, state: nextState(action.state, args) }, entry);
    const { outcome_state, committed_budget, findings } = entry;
    const { total_committed, budget_remaining } = judged;
    return {
      outcome_id,
      outcome_state,
      committed_budget,
      findings: findings.length === 0 ? undefined : findings.map(outcomeFindingWire),
      plan_summary: args.outcome === 'delivery' ? undefined : { total_committed, budget_remaining },
    };
  },
});

function memberMissing(outcome: string, member: string): TaskError {
  return new TaskError('INVALID_REQUEST', `${member}: is required for the outcome ${outcome}.`, {
    field: member,
    suggestion: `Send ${member}, or another outcome.`,
  });
}

/** Returns the action that an outcome is of: the one of its check, else the one of its context. Throws REFERENCE_NOT_FOUND for a check that is none of the plan. */
async function findAction(
  db: Writer,
  plan: PlanRow,
  { check_id, governance_context: context, purchase_type }: Input,
): Promise<ActionRow> {
  const checked = check_id === undefined ? undefined : await db.plans.findEntry(plan.seq, check_id);
  if (check_id !== undefined && checked?.entry.type !== 'check') {
    throw new TaskError('REFERENCE_NOT_FOUND', 'There is no such check of this plan.', {
      field: 'check_id',
      suggestion: 'Send the check_id that check_governance answered for this plan, or leave it out.',
    });
  }
  const actionId = checked?.actionId ?? readActionId(context);
  const stored = await db.plans.findAction(plan.seq, actionId);
  if (stored !== undefined) return stored;
  const use: ActionUse = {
    action_id: actionId,
    purchase_type: purchase_type ?? 'media_buy',
    seller: '',
    channel: '',
    committed: 0,
    held: 0,
    heldUntil: undefined,
  };
  return { planSeq: plan.seq, use, state: { governance_context: context, check_count: 0, status: 'active' } };
}

function readOutcome({ outcome, purchase_type, seller_response: response, delivery }: Input): ReportedOutcome {
  const budgets = (response?.packages ?? []).flatMap(({ budget }) => budget ?? []);
  const summed = budgets.length === 0 ? undefined : sumOf(budgets);
  return {
    outcome,
    purchase_type: purchase_type ?? 'media_buy',
    committed: response?.committed_budget ?? summed,
    planned: response?.planned_delivery,
    delivered: delivery,
  };
}

function nextState(state: ActionState, { outcome, seller_response: response }: Input): ActionState {
  return {
    ...state,
    status: outcome === 'failed' ? 'completed' : state.status,
    seller_reference: response?.seller_reference ?? state.seller_reference,
  };
}

async function saveOutcome(
  call: Call,
  db: Writer,
  action: ActionRow,
  entry: LogEntry & { readonly type: 'outcome' },
): Promise<void> {
  await db.plans.saveAction(call.owner, action);
  await db.plans.addEntry(call.owner, {
    planSeq: action.planSeq,
    actionId: action.use.action_id,
    entry,
    isEscalated: isEscalated(entry.findings),
  });
}
