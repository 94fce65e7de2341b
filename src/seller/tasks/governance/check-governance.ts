import { z } from 'zod';
import { DAY_MS, isoTime } from '../../../platform/kernel/clock.js';
import { signJws } from '../../../platform/signing/jws.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import { type GovernedAction, readAction } from '../../domain/governance/plans/action.js';
import { planNotFound } from '../../domain/governance/plans/check-plan.js';
import { APPROVAL_MS, contextClaims, readActionId } from '../../domain/governance/plans/context.js';
import { decideAction } from '../../domain/governance/plans/decide.js';
import type { Decision } from '../../domain/governance/plans/finding.js';
import { type ActionUse, holdDecided, isEscalated } from '../../domain/governance/plans/log.js';
import { findingWire, shapeVerdict } from '../../domain/governance/plans/wire.js';
import type { ActionRow, PlanRow } from '../../store/governance/plans.js';
import type { Writer } from '../../store/store.js';
import { envelopeFields, keyField } from '../pipeline/shapes.js';
import { mutation } from '../pipeline/tool.js';
import {
  deliveryMetrics,
  governanceContext,
  phase,
  planId,
  plannedDelivery,
  purchaseType,
  RESHAPED,
} from './plan-shapes.js';

const input = z.looseObject({
  idempotency_key: keyField.idempotency_key.optional(),
  plan_id: planId,
  caller: z.url().max(2048).describe('URL of your agent'),
  purchase_type: purchaseType.optional(),
  tool: z.string().min(1).max(128).optional().describe('The task that you want to call at a seller'),
  payload: z.looseObject({}).optional().describe('The arguments of that call'),
  governance_context: governanceContext.optional(),
  phase: phase.optional(),
  planned_delivery: plannedDelivery.optional(),
  delivery_metrics: deliveryMetrics.optional(),
  modification_summary: z.string().max(1000).optional(),
  invoice_recipient: z.looseObject({}).optional(),
  ...envelopeFields,
});

type Input = z.output<typeof input>;

/** check_governance: whether an action is within its plan. Every check is an entry of the plan's log. */
export const checkGovernance = mutation({
  name: 'check_governance',
  title: 'Ask whether a purchase may go on',
  description:
    'Decides whether a purchase, a change or a delivery is within its plan: approved, on conditions, or denied with what to change. A buyer sends tool and payload, a seller planned_delivery or delivery_metrics; with neither it says what is left. Send the governance_context of the answer with the purchase.',
  kinds: ['governance'],
  notIn: RESHAPED,
  input,
  keyOptional: true,
  shape: shapeVerdict,
  prepare: async ({ app, args }) => {
    checkRequest(args);
    await app.keys.ensure('governance-signing');
  },
  run: async ({ app, call, args, db }) => {
    const plan = await db.plans.find(call.owner, args.plan_id);
    if (plan === undefined) throw planNotFound('plan_id');
    return checkAction({ app, call, db, plan }, readAction(args), args.governance_context);
  },
});

/** The parts of a check. */
type Check = { readonly app: App; readonly call: Call; readonly db: Writer; readonly plan: PlanRow };

function checkRequest(args: Input): void {
  if (args.account !== undefined) {
    throw new TaskError('INVALID_REQUEST', 'A plan is of one account; a check names none.', {
      field: 'account',
      suggestion: 'Leave account out.',
    });
  }
  if (args.phase !== 'delivery' || args.delivery_metrics !== undefined) return;
  throw new TaskError('INVALID_REQUEST', 'A check of the phase delivery says what was delivered.', {
    field: 'delivery_metrics',
    suggestion: 'Send delivery_metrics with the reporting_period and what was spent in it.',
  });
}

async function checkAction(check: Check, action: GovernedAction, given: string | undefined): Promise<Payload> {
  const { app, call, db, plan } = check;
  const { ms: nowMs, iso: timestamp } = call.now;
  const actionId = given === undefined ? app.ids.next('act') : readActionId(given);
  const before = await db.plans.findAction(plan.seq, actionId);
  const { committed = 0, held = 0 } = before?.use ?? {};
  const decision = decideAction({
    plan: plan.stored.plan,
    action,
    others: await db.plans.usage(plan.seq, nowMs, actionId),
    before: committed + held,
    nowMs,
  });
  const check_id = app.ids.next('chk');
  const context = signContext(check, action, { actionId, checkId: check_id });
  await db.plans.saveAction(call.owner, nextAction(check, before, { action, actionId, decision, context }));
  await db.plans.addEntry(call.owner, {
    planSeq: plan.seq,
    actionId,
    isEscalated: isEscalated(decision.findings),
    entry: {
      type: 'check',
      id: check_id,
      timestamp,
      ...decision,
      caller: action.caller,
      tool: action.tool,
      purchase_type: action.purchase_type,
      phase: action.phase,
      check_type: action.check,
      governance_context: context,
      plan_hash: plan.stored.plan_hash,
    },
  });
  return checkWire(plan.stored.plan.plan_id, { check_id, decision, context, action, nowMs });
}

type ContextIds = { readonly actionId: string; readonly checkId: string };

function signContext({ app, call, plan }: Check, action: GovernedAction, ids: ContextIds): string {
  const { seller, now } = call;
  const claims = contextClaims({ issuer: seller.url, ...plan.stored, action, ...ids, nowMs: now.ms });
  return signJws(claims, app.keys.signing('governance-signing'), `${seller.names.own}-gov+jws`);
}

type Decided = {
  readonly action: GovernedAction;
  readonly actionId: string;
  readonly decision: Decision;
  readonly context: string;
};

/** Returns the action as it is after a check. */
function nextAction({ call, plan }: Check, before: ActionRow | undefined, decided: Decided): ActionRow {
  const { action, actionId, decision, context } = decided;
  const fresh: ActionUse = {
    action_id: actionId,
    purchase_type: action.purchase_type,
    seller: '',
    channel: '',
    committed: 0,
    held: 0,
    heldUntil: undefined,
  };
  const state = { status: 'active' as const, check_count: 0, ...before?.state, governance_context: context };
  return {
    planSeq: plan.seq,
    use: holdDecided(before?.use ?? fresh, action, decision.verdict, call.now.ms + APPROVAL_MS),
    state: { ...state, check_count: state.check_count + 1 },
  };
}

type Outcome = Omit<Decided, 'actionId'> & { readonly check_id: string; readonly nowMs: number };

/** How long after a check of the delivery the next one is expected. */
const NEXT_CHECK_MS = 7 * DAY_MS;

function checkWire(plan_id: string, { check_id, decision, context, action, nowMs }: Outcome): Payload {
  const { verdict, explanation, findings, conditions, categories_evaluated, policies_evaluated } = decision;
  return {
    check_id,
    verdict,
    plan_id,
    explanation,
    findings: findings.length === 0 ? undefined : findings.map(findingWire),
    conditions: conditions.length === 0 ? undefined : conditions,
    expires_at: verdict === 'denied' ? undefined : isoTime(nowMs + APPROVAL_MS),
    next_check: action.phase === 'delivery' ? isoTime(nowMs + NEXT_CHECK_MS) : undefined,
    categories_evaluated,
    policies_evaluated,
    mode: 'enforce',
    governance_context: context,
  };
}
