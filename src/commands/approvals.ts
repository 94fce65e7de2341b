import { secondText } from '../platform/kernel/clock.js';
import type { Settings } from '../seller/config/settings.js';
import type { Decision } from '../seller/domain/task/approval.js';
import { readApprovals, recordDecision } from '../seller/http/operator/operations.js';
import { asOperator } from './operator.js';
import { plain } from './terminal.js';

const TIMEOUTS = { reject: 'rejected by itself at', approve: 'approved by itself at' } as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the list of pending decisions as text: the running server's where there is one, else the store's. */
export async function listApprovals(settings: Settings, env: Environment): Promise<string> {
  const { approvals, more } = await asOperator(settings, env, { path: '/approvals' }, ({ app }) => readApprovals(app));
  if (approvals.length === 0) return 'Nothing waits for you.';
  const lines = approvals.flatMap((waiting) => [
    `${waiting.id}  /${waiting.tenant}/mcp  ${waiting.principal}  ${waiting.account_id}`,
    `  ${waiting.what}, since ${secondText(waiting.since)}`,
    ...(waiting.because === undefined ? [] : [`  asked because ${waiting.because}`]),
    ...(waiting.acts_at === undefined
      ? []
      : [`  ${TIMEOUTS[waiting.on_timeout ?? 'reject']} ${secondText(waiting.acts_at)}`]),
    ...(waiting.preview === undefined ? [] : [`  ${waiting.preview}`]),
    `  ${waiting.link}`,
  ]);
  return [...lines.map(plain), ...(more ? ['… and more.'] : [])].join('\n');
}

/** Approves or rejects the pending decision of an id; returns the outcome as text. Throws with the reason when it cannot be done. */
export async function decideApproval(
  settings: Settings,
  env: Environment,
  id: string,
  decision: Decision,
): Promise<string> {
  const request = { path: `/approvals/${encodeURIComponent(id)}`, body: decision };
  const { what, status, reason, tenant, principal, media_buys } = await asOperator(settings, env, request, ({ app }) =>
    recordDecision(app, id, decision),
  );
  const buys = media_buys.map((buy) => `  ${buy.media_buy_id} is ${buy.status}`);
  const why = reason === undefined ? [] : [`  ${reason}`];
  return [`${what} of ${principal} at /${tenant}/mcp is ${status}.`, ...why, ...buys].map(plain).join('\n');
}
