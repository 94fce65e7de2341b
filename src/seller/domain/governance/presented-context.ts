import { TaskError } from '../../../protocol/errors.js';
import type { Commitment } from './commitment.js';

/** Seconds that the clocks of a governance agent and a seller may differ by. */
const SKEW_SECONDS = 60;

/** The phases whose contexts let a purchase or a change be asked for. */
const PHASES: Readonly<Record<Commitment['phase'], readonly string[]>> = {
  purchase: ['intent', 'purchase'],
  modification: ['intent', 'purchase', 'modification'],
};

/** The agent, seller, plan and phase that a context has to be of. */
export type PresentedFor = {
  /** URL of the account's governance agent. */
  readonly agentUrl: string;
  /** URL of the seller, as agents know it. */
  readonly sellerUrl: string;
  readonly planId: string;
  readonly phase: Commitment['phase'];
  readonly nowMs: number;
};

/**
 * Judges the claims of a context whose signature holds: that the account's own agent issued it, for this seller, plan and phase, and that
 * it is in force. One of an intent may name no seller: the agent may not have known it. Throws PERMISSION_DENIED.
 */
export function checkClaims(claims: Readonly<Record<string, unknown>>, presented: PresentedFor): void {
  const { iss, sub, plan_id, aud, exp, iat, nbf, jti, phase } = claims;
  const { agentUrl, sellerUrl, planId, nowMs } = presented;
  const seconds = nowMs / 1000;
  if (iss !== agentUrl) throw contextRefused('issuer', "Another agent than the account's own issued it.");
  if ((plan_id ?? sub) !== planId) throw contextRefused('plan', 'It is of another plan.');
  const audience = [aud ?? []].flat();
  if (!audience.includes(sellerUrl) && !(audience.length === 0 && phase === 'intent'))
    throw contextRefused('audience', `It was not issued for this seller, ${sellerUrl}.`);
  if (typeof phase !== 'string' || !PHASES[presented.phase].includes(phase))
    throw contextRefused('phase', 'It was issued for another phase.');
  if (typeof exp !== 'number' || exp + SKEW_SECONDS <= seconds)
    throw contextRefused('expired', 'It is not in force any more.');
  const from = [iat, nbf].filter((one) => typeof one === 'number');
  if (from.some((one) => one - SKEW_SECONDS > seconds)) throw contextRefused('not_yet', 'It is not in force yet.');
  if (typeof jti !== 'string' || jti === '') throw contextRefused('jti', 'It has no id.');
}

/** Returns the error of a governance context that proves nothing; `reason` is for programs. */
export function contextRefused(reason: string, why: string): TaskError {
  return new TaskError('PERMISSION_DENIED', `The governance_context does not hold. ${why}`, {
    field: 'governance_context',
    details: { reason },
    suggestion:
      "Call check_governance at the account's governance agent for this purchase, and send the governance_context of its answer as it came.",
  });
}
