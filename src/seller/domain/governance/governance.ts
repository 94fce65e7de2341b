import { canonicalHash } from '../../../platform/kernel/canonical.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Commitment } from './commitment.js';

/** The agent that decides about an account's spending, and what we show it. The credentials go to that agent alone. */
export type GovernanceAgent = { readonly url: string; readonly credentials: string };

/** Returns a name for an agent and all that it was asked about: the same text for the same question. */
export function approvalKey(agent: GovernanceAgent, commitment: Commitment): string {
  return canonicalHash(JSON.parse(JSON.stringify({ url: agent.url, commitment })));
}

/** Whether a value is printable ASCII of 1 to 4096 characters. */
export function isGovernanceContext(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7E]{1,4096}$/.test(value);
}

/** Why a governance agent gave no decision, and what the buyer can do. */
const OUTAGES = {
  unreachable: 'Retry later with the same idempotency_key; nothing was committed.',
  unauthorized: 'Register working credentials with sync_governance, then retry with the same idempotency_key.',
  no_decision: 'Tell the governance agent that its check_governance answer could not be read; nothing was committed.',
  no_keys: 'Retry later with the same idempotency_key: the keys of the governance agent cannot be had just now.',
  expired: 'Its approval has lapsed. Retry with the same idempotency_key, so that it is asked again.',
} as const;

/** Returns the error of a decision that could not be had: nothing is committed without one. */
export function governanceUnavailable(reason: keyof typeof OUTAGES): TaskError {
  return new TaskError('GOVERNANCE_UNAVAILABLE', "The account's governance agent gave no valid decision.", {
    retryAfter: 30,
    details: { reason },
    suggestion: OUTAGES[reason],
  });
}

/** Returns the error of an order on a governed account that names no plan: nobody could decide about it. */
export function planMissing({ purchase_type: type }: Commitment): TaskError {
  const field = type === 'media_buy' ? 'plan_id' : 'governance_context';
  return new TaskError('GOVERNANCE_DENIED', 'This account is under governance, and the request names no plan.', {
    field,
    suggestion: `Call check_governance at the account's governance agent, and send ${field === 'plan_id' ? 'its plan_id and governance_context' : 'its governance_context'} with the request.`,
  });
}

/**
 * Returns the plan that a governance context is of, where it is a compact JWS that says so. It only tells the agent which plan to look
 * at: what the context is worth is the agent's to judge.
 */
export function readPlanId(context: unknown): string | undefined {
  if (!isGovernanceContext(context)) return undefined;
  const [, body = ''] = context.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    if (!isObject(claims)) return undefined;
    const plan = claims.plan_id ?? claims.sub;
    return typeof plan === 'string' && plan !== '' ? plan : undefined;
  } catch {
    return undefined;
  }
}
