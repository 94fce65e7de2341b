import { isObject } from '../../../platform/kernel/json/json.js';
import type { Payload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import { buyCommitment, type Commitment } from '../../domain/governance/commitment.js';
import {
  approvalKey,
  type GovernanceAgent,
  isGovernanceContext,
  planMissing,
  readPlanId,
} from '../../domain/governance/governance.js';
import type { GovernanceApproval, GovernanceVerdict } from '../../domain/governance/verdict.js';
import type { Question } from '../../governance/check.js';
import { addRemark } from './compact.js';
import { canNameLocal } from './order-context.js';
import type { Admitted, Parsed } from './stages.js';
import { argumentNames, type Commits } from './tool.js';

/** Commits an account to the buy that the answer names, as it is then: create_media_buy and update_media_buy. */
export const commitsBuy: Commits<unknown> = async ({ args, call, db, scope }) => {
  const find = (id: unknown) => (typeof id === 'string' ? db.mediaBuys.find(scope, id) : undefined);
  const before = isObject(args) ? await find(args.media_buy_id) : undefined;
  return async (answer) => {
    const after = await find(answer.media_buy_id);
    return after && buyCommitment(call.principal?.id ?? '', before, after, call.seller.products);
  };
};

/** Tries a call in a transaction that is undone. */
type Rehearse = (attempt: (admitted: Admitted) => Promise<Commitment | undefined>) => Promise<Commitment | undefined>;

/**
 * Has the governance agent of the account decide about what a call would commit to, where there is an agent and the call commits. What
 * would be refused anyway is refused before anybody is asked. Throws as `checkGovernance` does; undefined where nobody has to be asked.
 */
export async function consultGovernance(parsed: Parsed, rehearse: Rehearse): Promise<GovernanceApproval | undefined> {
  const { app, call, args } = parsed;
  const db = app.store.read;
  const commitment = await rehearse(async (admitted) => (await runWithCommitment(admitted)).commitment);
  if (commitment === undefined) return undefined;
  const agent = await db.governance.findAgent(call.owner, commitment.account_id);
  if (agent === undefined) return undefined;
  const { account_id, reference = '' } = commitment;
  const last = await db.governance.lastApproval(call.owner, account_id, reference);
  const given: Payload = isObject(args) ? args : {};
  const presented = isGovernanceContext(given.governance_context) ? given.governance_context : undefined;
  const governanceContext = presented ?? last?.verdict.governance_context;
  const planId = nonEmpty(given.plan_id) ?? readPlanId(given.governance_context) ?? nonEmpty(last?.plan_id);
  if (planId === undefined) throw planMissing(commitment);
  const verdict = await (parsed.interceptor?.consult(call, agent, commitment, planId) ??
    askAgent(parsed, agent, commitment, { planId, governanceContext, presented }));
  // Where the agent brings no context of its own, the one it was asked with stays in force.
  const context = verdict.governance_context ?? governanceContext;
  return {
    key: approvalKey(agent, commitment),
    plan_id: planId,
    verdict: { ...verdict, governance_context: context },
  };
}

async function askAgent(
  { app, call }: Parsed,
  agent: GovernanceAgent,
  commitment: Commitment,
  { presented, ...asked }: Pick<Question, 'planId' | 'governanceContext'> & { readonly presented: string | undefined },
): Promise<GovernanceVerdict> {
  const { checkGovernance } = await import('../../governance/check.js');
  const { seller, to } = call;
  const local = canNameLocal(app, call);
  if (presented !== undefined)
    await app.governanceContexts.verify({
      context: presented,
      names: seller.names,
      release: to.release,
      local,
      agentUrl: agent.url,
      sellerUrl: seller.url,
      planId: asked.planId,
      phase: commitment.phase,
      nowMs: app.clock.now(),
    });
  const remote = { ...agent, local };
  const question = { ...asked, caller: seller.url, nowMs: app.clock.now() };
  return checkGovernance(app.renderer().outbound, remote, commitment, question);
}

/**
 * Does what a call asks for, in its transaction. On an account with a governance agent only what was let through is committed: exactly
 * that, by that agent, in time. Throws CONFLICT where the order is another one by now.
 */
export async function effectGoverned(admitted: Admitted): Promise<Payload> {
  const { app, call, approval, context } = admitted;
  const { governance } = context.db;
  const { answer, commitment } = await runWithCommitment(admitted);
  const agent = commitment && (await governance.findAgent(call.owner, commitment.account_id));
  if (commitment === undefined) return answer;
  if (agent === undefined) return addRemark(answer, describeUngoverned(admitted));
  if (approval === undefined || !isStillValid(approval, agent, commitment, app.clock.now())) throw new NotConsulted();
  const reference = nonEmpty(answer.media_buy_id) ?? commitment.reference ?? '';
  const { account_id: accountId } = commitment;
  await governance.record(call.owner, { accountId, reference, decidedAt: call.now.ms, approval });
  return { ...answer, ...describeApproval(approval) };
}

/** Returns what an answer says of a plan on an account that no governance agent decides about: nobody looks at it. */
export function describeUngoverned({ tool, call, context: { args } }: Admitted): string | undefined {
  if (tool.commits === undefined || !isObject(args)) return undefined;
  const read = argumentNames(tool);
  const named = PLAN_FIELDS.filter((name) => read.includes(name) && nonEmpty(args[name]) !== undefined);
  if (named.length === 0) return undefined;
  const appoint = call.seller.tenant.governance === 'off' ? '' : ' To have one asked, appoint it with sync_governance.';
  return `No governance agent decides about this account, so nothing follows from ${named.join(' and ')}.${appoint}`;
}

/** The fields of a request that are for its governance agent. */
const PLAN_FIELDS = ['plan_id', 'governance_context'] as const;

type Outcome = { readonly answer: Payload; readonly commitment: Commitment | undefined };

async function runWithCommitment({ tool, context }: Admitted): Promise<Outcome> {
  const commitmentOf = await tool.commits?.(context);
  const answer = await tool.run(context);
  return { answer, commitment: await commitmentOf?.(answer) };
}

function isStillValid(
  { key, verdict }: GovernanceApproval,
  agent: GovernanceAgent,
  commitment: Commitment,
  nowMs: number,
): boolean {
  const isLapsed = verdict.expires_at !== undefined && Date.parse(verdict.expires_at) <= nowMs;
  return !isLapsed && key === approvalKey(agent, commitment);
}

/** Returns the members that tell the buyer of the decision, beside the answer. */
function describeApproval({ verdict }: GovernanceApproval): Payload {
  const { governance_context, conditions, check_id } = verdict;
  return {
    governance_context,
    governance: { check_id, conditions: conditions.length === 0 ? undefined : conditions },
  };
}

/** A governance agent has to approve what was carried out without asking it, or what is not what it was asked about. */
export class NotConsulted extends TaskError {
  constructor() {
    super('CONFLICT', 'The order changed while the governance agent was asked about it.', {
      suggestion: 'Send the same request again with the same idempotency_key; the governance agent is asked anew.',
    });
  }
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
