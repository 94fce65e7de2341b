import { TaskError } from '../../../platform/kernel/errors.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import type { App, Call } from '../../context.js';
import { buyCommitment, type Commitment } from '../../domain/governance/commitment.js';
import {
  approvalKey,
  type GovernanceAgent,
  isContext,
  planMissing,
  planOfContext,
} from '../../domain/governance/governance.js';
import type { GovernancePlan } from '../../domain/governance/plan.js';
import { checkVerdict, type GovernanceApproval, type GovernanceVerdict } from '../../domain/governance/verdict.js';
import type { Reader } from '../../store/store.js';
import type { Commits, Mutation, MutationContext, TaskContext } from './define.js';
import { mayNameLocal } from './order-context.js';

/** How create_media_buy and update_media_buy commit: to the buy that their answer names, as it stands then. */
export const commitsBuy: Commits<unknown> = async ({ args, call, db }) => {
  const find = (id: unknown) => (typeof id === 'string' ? db.mediaBuys.find(call.owner, id) : undefined);
  const before = isObject(args) ? await find(args.media_buy_id) : undefined;
  return async (answer) => {
    const after = await find(answer.media_buy_id);
    return after && buyCommitment(call.principal?.id ?? '', before, after, call.seller.products);
  };
};

/**
 * Has the governance agent of the account decide about what a call would commit to, where there is an agent and the call commits.
 * `rehearse` tries the call and undoes it, so that what would be refused anyway is refused before anybody is asked. Throws as
 * `checkGovernance` does; the answer is undefined where nobody has to be asked.
 */
export async function consultGovernance(
  tool: Mutation,
  turn: TaskContext<unknown, Reader>,
  rehearse: (trial: (turn: MutationContext) => Promise<Commitment | undefined>) => Promise<Commitment | undefined>,
): Promise<GovernanceApproval | undefined> {
  const { app, call, db, args } = turn;
  if (tool.commits === undefined || !(await db.governance.isUsed(call.owner))) return undefined;
  const commitment = await rehearse(async (trial) => (await carryOut(tool, trial)).commitment);
  if (commitment === undefined) return undefined;
  const agent = await db.governance.agentOf(call.owner, commitment.account_id);
  if (agent === undefined) return undefined;
  const { account_id, reference = '' } = commitment;
  const last = await db.governance.lastApproval(call.owner, account_id, reference);
  const given: Payload = isObject(args) ? args : {};
  const governanceContext = isContext(given.governance_context)
    ? given.governance_context
    : last?.verdict.governance_context;
  const planId = nonEmpty(given.plan_id) ?? planOfContext(given.governance_context) ?? nonEmpty(last?.plan_id);
  if (planId === undefined) throw planMissing(commitment);
  const plan = seededPlan(app, call, agent, planId);
  const verdict =
    plan === undefined
      ? await askAgent(app, call, agent, commitment, planId, governanceContext)
      : await decideInPlace(app, plan, commitment, planId);
  // Where the agent brings no context of its own, the one it was asked with stays in force.
  const context = verdict.governance_context ?? governanceContext;
  return {
    key: approvalKey(agent, commitment),
    plan_id: planId,
    verdict: { ...verdict, ...(context === undefined ? {} : { governance_context: context }) },
  };
}

async function askAgent(
  app: App,
  call: Call,
  agent: GovernanceAgent,
  commitment: Commitment,
  planId: string,
  governanceContext: string | undefined,
): Promise<GovernanceVerdict> {
  const { checkGovernance } = await import('../../governance/check.js');
  const remote = { ...agent, local: mayNameLocal(app, call) };
  const question = { planId, governanceContext, caller: call.seller.url, nowMs: app.clock.now() };
  return checkGovernance(app.renderer().outbound, remote, commitment, question);
}

/**
 * The plan that stands in for an agent: in development mode, for a sandbox that has seeded a plan of this id, where the agent has a name
 * that is reserved for examples and can be nobody's.
 */
function seededPlan(app: App, call: Call, agent: GovernanceAgent, planId: string): GovernancePlan | undefined {
  if (!mayNameLocal(app, call) || !new URL(agent.url).hostname.endsWith('.example')) return undefined;
  return app.sandboxes.find(call.owner, 'plan', planId)?.doc as GovernancePlan | undefined;
}

async function decideInPlace(
  app: App,
  plan: GovernancePlan,
  commitment: Commitment,
  planId: string,
): Promise<GovernanceVerdict> {
  const { decideByPlan } = await import('../../domain/governance/plan.js');
  const verdict = decideByPlan(plan, commitment, app.ids.next('chk'));
  checkVerdict(verdict, planId, app.clock.now());
  return verdict;
}

/**
 * Does what a call asks for, in its transaction. On an account with a governance agent only what was let through is committed: exactly
 * that, by that agent, in time. What was let through is kept with it. Throws CONFLICT where the order is another one by now.
 */
export async function runGoverned(
  tool: Mutation,
  turn: MutationContext,
  approval: GovernanceApproval | undefined,
): Promise<Payload> {
  const { app, call, db } = turn;
  if (tool.commits === undefined || !(await db.governance.isUsed(call.owner))) return tool.run(turn);
  const { answer, commitment } = await carryOut(tool, turn);
  const agent = commitment && (await db.governance.agentOf(call.owner, commitment.account_id));
  if (commitment === undefined || agent === undefined) return answer;
  if (approval === undefined || !stillCounts(approval, agent, commitment, app.clock.now())) throw changedMeanwhile();
  const reference = nonEmpty(answer.media_buy_id) ?? commitment.reference ?? '';
  await db.governance.record(call.owner, commitment.account_id, reference, call.now.ms, approval);
  return { ...answer, ...told(approval) };
}

async function carryOut(
  tool: Mutation,
  turn: MutationContext,
): Promise<{ readonly answer: Payload; readonly commitment: Commitment | undefined }> {
  const commitmentOf = await tool.commits?.(turn);
  const answer = await tool.run(turn);
  return { answer, commitment: await commitmentOf?.(answer) };
}

function stillCounts(
  { key, verdict }: GovernanceApproval,
  agent: GovernanceAgent,
  commitment: Commitment,
  nowMs: number,
): boolean {
  const lapsed = verdict.expires_at !== undefined && Date.parse(verdict.expires_at) <= nowMs;
  return !lapsed && key === approvalKey(agent, commitment);
}

/** What the buyer is told of the decision, beside the answer. */
function told({ verdict }: GovernanceApproval): Payload {
  const { governance_context, conditions, check_id } = verdict;
  return {
    ...(governance_context === undefined ? {} : { governance_context }),
    governance: { check_id, ...(conditions.length === 0 ? {} : { conditions }) },
  };
}

function changedMeanwhile(): TaskError {
  return new TaskError('CONFLICT', 'The order changed while the governance agent was asked about it.', {
    suggestion: 'Send the same request again with the same idempotency_key; the governance agent is asked anew.',
  });
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
