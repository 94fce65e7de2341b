import { isObject } from '../../platform/kernel/json/json.js';
import { callTool, type RemoteAgent } from '../../platform/mcp/client/call.js';
import type { Outbound } from '../../platform/net/fetch.js';
import { TaskError } from '../../protocol/errors.js';
import type { Commitment } from '../domain/governance/commitment.js';
import { governanceUnavailable } from '../domain/governance/governance.js';
import { checkVerdict, type GovernanceVerdict, readVerdict } from '../domain/governance/verdict.js';

/** The question to the agent, beside the commitment itself. */
export type Question = {
  readonly planId: string;
  /** The context that the buyer brought, or that the last decision about the same thing came with. */
  readonly governanceContext: string | undefined;
  /** URL of the agent that would commit. */
  readonly caller: string;
  readonly nowMs: number;
};

/** Errors of the agent that are the buyer's to mend, and where in the buyer's request. */
const PASSED_ON = {
  PLAN_NOT_FOUND: [
    'PLAN_NOT_FOUND',
    'The governance agent of this account has no such plan.',
    'Send the plan_id of a plan that is active at the governance agent.',
  ],
  CAMPAIGN_SUSPENDED: [
    'CAMPAIGN_SUSPENDED',
    'The governance agent has suspended the campaign of this plan.',
    'Have the suspension lifted at the governance agent, then retry with the same idempotency_key.',
  ],
} as const;

/**
 * Asks the account's governance agent about a commitment: an execution check, with what would be delivered.
 * Answers the verdict that lets it through. Throws GOVERNANCE_DENIED, GOVERNANCE_UNAVAILABLE, PLAN_NOT_FOUND or CAMPAIGN_SUSPENDED.
 */
export async function checkGovernance(
  outbound: Pick<Outbound, 'fetch'>,
  agent: RemoteAgent,
  commitment: Commitment,
  question: Question,
): Promise<GovernanceVerdict> {
  const { purchase_type, phase, planned_delivery, modification_summary } = commitment;
  const { planId, governanceContext, caller, nowMs } = question;
  const answer = await callTool(outbound, agent, 'check_governance', {
    plan_id: planId,
    caller,
    purchase_type,
    phase,
    planned_delivery,
    modification_summary,
    governance_context: governanceContext,
  });
  if ('fault' in answer) throw governanceUnavailable(answer.fault === 'no_answer' ? 'no_decision' : answer.fault);
  if (answer.isError) throw passedOn(answer.payload);
  const verdict = readVerdict(answer.payload);
  if (verdict === undefined) throw governanceUnavailable('no_decision');
  checkVerdict(verdict, planId, nowMs);
  return verdict;
}

function passedOn(payload: Readonly<Record<string, unknown>>): TaskError {
  const [first]: readonly unknown[] = Array.isArray(payload.errors) ? payload.errors : [];
  const codes = [payload.adcp_error, first, payload].map((one) => (isObject(one) ? one.code : undefined));
  const row = codes.flatMap((code) => (isPassedOn(code) ? [PASSED_ON[code]] : []))[0];
  if (row === undefined) return governanceUnavailable('no_decision');
  const [code, message, suggestion] = row;
  return new TaskError(code, message, { field: 'plan_id', suggestion });
}

function isPassedOn(code: unknown): code is keyof typeof PASSED_ON {
  return typeof code === 'string' && Object.hasOwn(PASSED_ON, code);
}
