import { digest } from '../../../../platform/kernel/canonical.js';
import { isObject } from '../../../../platform/kernel/json/json.js';
import type { GovernedAction } from './action.js';
import type { Plan } from './plan.js';

/** How long an approval holds, in ms: who was told of it acts within a day. */
export const APPROVAL_MS = 24 * 60 * 60 * 1000;

/** The parts of the context of a check. */
type ContextOf = {
  /** URL of this agent. */
  readonly issuer: string;
  readonly plan: Plan;
  readonly plan_hash: string;
  readonly action: GovernedAction;
  readonly actionId: string;
  readonly checkId: string;
  readonly nowMs: number;
};

/** Returns the claims of a governance context: who may act on which plan, and until when. A seller is its audience where one is known. */
export function contextClaims({
  issuer,
  plan,
  plan_hash,
  action,
  actionId,
  checkId,
  nowMs,
}: ContextOf): Record<string, unknown> {
  const issuedAt = Math.floor(nowMs / 1000);
  return {
    iss: issuer,
    sub: plan.plan_id,
    aud: action.check === 'execution' ? action.caller : (plan.approved_sellers ?? undefined),
    iat: issuedAt,
    exp: issuedAt + APPROVAL_MS / 1000,
    jti: checkId,
    phase: action.check === 'intent' ? 'intent' : action.phase,
    caller: action.caller,
    plan_hash,
    action: actionId,
  };
}

/** Returns the action that a governance context is of: the one in its claims, or one of its own for a context that is not of this agent. */
export function readActionId(context: string): string {
  const [, body = ''] = context.split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    if (isObject(claims) && typeof claims.action === 'string' && /^act_[\w-]{1,64}$/.test(claims.action))
      return claims.action;
  } catch {
    // A text of another agent, or none of ours.
  }
  return `ctx_${digest(context)}`;
}
