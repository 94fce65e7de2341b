import { isoTime } from '../../../platform/kernel/clock.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import { TaskError } from '../../../protocol/errors.js';
import type { App } from '../../context.js';
import type { DailyLimit, GrantScope } from '../../domain/tenant/grant.js';
import { endGrant } from '../grant/end-grant.js';

/** A client's grant, as a list shows it; never a token. */
type ShownGrant = {
  readonly id: string;
  readonly tenant: string;
  readonly principal: string;
  /** As the client calls itself; nobody has checked it. */
  readonly client: string;
  readonly given_by: string;
  readonly scopes: readonly GrantScope[];
  readonly max_daily_spend?: DailyLimit | undefined;
  readonly created_at: string;
  readonly expires_at: string;
};

/** An operation on what clients are let do. */
export type GrantOperation = { readonly operation: 'list' } | { readonly operation: 'revoke'; readonly id: string };

/** Grants that are listed, by tenant and principal. */
const MAX_GRANTS = 1000;

/** Lists what clients are let do by OAuth, or ends one of it at once. Throws a TaskError that says why not. */
export async function operateGrants(app: App, asked: unknown): Promise<{ readonly grants: readonly ShownGrant[] }> {
  const { id, operation } = isObject(asked) ? asked : {};
  if (operation === 'revoke') {
    const isEnded = typeof id === 'string' && (await app.store.transact((tx) => endGrant(tx, id)));
    if (!isEnded) throw unknownGrant();
  } else if (operation !== 'list') {
    throw new TaskError('INVALID_REQUEST', 'Unknown operation.', {
      suggestion: 'Send {"operation": "list" | "revoke"}.',
    });
  }
  return { grants: await listGrants(app) };
}

async function listGrants({ clock, store }: App): Promise<readonly ShownGrant[]> {
  const grants = await store.read.oauthGrants.list(MAX_GRANTS);
  return grants
    .filter(({ expires_at }) => expires_at > clock.now())
    .map((grant) => ({
      id: grant.grant_id,
      tenant: grant.tenant,
      principal: grant.principal,
      client: grant.client_name,
      given_by: grant.given_by,
      scopes: grant.scopes,
      max_daily_spend: grant.limit,
      created_at: isoTime(grant.created_at),
      expires_at: isoTime(grant.expires_at),
    }));
}

function unknownGrant(): TaskError {
  return new TaskError('REFERENCE_NOT_FOUND', 'There is no such grant.', {
    field: 'id',
    suggestion: 'Use an id of "keys grants list".',
  });
}
