import { secondText } from '../../platform/kernel/clock.js';
import type { Settings } from '../../seller/config/settings.js';
import { readGrants, recordRevocation } from '../../seller/tasks/brand/revoke-rights.js';
import { asOperator } from '../operator.js';
import { plain } from '../terminal.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the rights that were granted last as text. */
export async function listGrants(settings: Settings, env: Environment): Promise<string> {
  const { grants } = await asOperator(settings, env, { path: '/rights' }, ({ app }) => readGrants(app));
  if (grants.length === 0) return 'No rights were granted.';
  return grants
    .flatMap(
      ({ grant_id, rights_id, tenant, principal, buyer, status, paused, uses, start_date, end_date, revoked }) => [
        `${grant_id}  ${rights_id}  /${tenant}/mcp  ${principal}  ${buyer}  ${paused ? 'paused' : status}  ${start_date} to ${end_date ?? 'no end'}  ${uses.join(', ')}`,
        ...revoked.map(
          (part) =>
            `  revoked from ${secondText(part.effective_at)}${part.uses === undefined ? '' : ` for ${part.uses.join(', ')}`}: ${part.reason}`,
        ),
      ],
    )
    .map(plain)
    .join('\n');
}

/** How much of a grant is taken back, from when, and why. */
type RevocationFlags = {
  readonly reason: string;
  readonly effectiveAt?: string | undefined;
  readonly uses?: string | undefined;
};

/** Takes rights back and tells their buyer; returns that as text. */
export async function revokeRights(
  settings: Settings,
  env: Environment,
  grantId: string,
  { effectiveAt: effective_at, reason, uses }: RevocationFlags,
): Promise<string> {
  const body = { reason, effective_at, uses: uses?.split(',').map((use) => use.trim()) };
  const request = { path: `/rights/${encodeURIComponent(grantId)}`, body };
  const revoked = await asOperator(settings, env, request, ({ app }) => recordRevocation(app, grantId, body));
  const part = revoked.revoked.at(-1);
  const what = part?.uses === undefined ? 'all uses' : part.uses.join(', ');
  return plain(
    `${revoked.grant_id} is revoked for ${what} from ${secondText(part?.effective_at ?? '')}; ${revoked.buyer} is told by webhook.`,
  );
}
