import { canonicalUrl } from '../../../creative/formats/format-id.js';
import { isObject } from '../../../platform/kernel/json/json.js';
import type { Grant, RevokedPart } from '../brand/grant.js';
import type { Creative } from './creative.js';

/** A right that a creative says it relies on, as `rights_constraint` of acquire_rights names it. */
type ReliedRight = { readonly rights_id: string; readonly agentUrl: string; readonly uses: readonly string[] };

/** Returns the rights that a creative relies on. What is no reference to one is the buyer's own note. */
export function listRights({ echoed }: Pick<Creative, 'echoed'>): readonly ReliedRight[] {
  const { rights } = echoed;
  const listed = Array.isArray(rights) ? rights.filter(isObject) : [];
  return listed.flatMap(({ rights_id, rights_agent: agent, uses }) => {
    if (typeof rights_id !== 'string' || !isObject(agent) || typeof agent.url !== 'string') return [];
    const named = Array.isArray(uses) ? uses.filter((use) => typeof use === 'string') : [];
    return [{ rights_id, agentUrl: agent.url, uses: named }];
  });
}

/** Whether a right is one that the agent at an address granted. */
export function isRightOf({ agentUrl }: ReliedRight, url: string): boolean {
  return canonicalUrl(agentUrl) === canonicalUrl(url);
}

/** Returns the part of a grant that was taken back by now and that a creative needs; undefined where it has all that it needs. */
export function findRevokedPart(grant: Grant, { uses }: ReliedRight, nowMs: number): RevokedPart | undefined {
  return grant.revoked.find(
    (part) =>
      Date.parse(part.effective_at) <= nowMs &&
      (part.uses === undefined || uses.length === 0 || part.uses.some((use) => uses.includes(use))),
  );
}

/** Returns a creative that may not run any more since a right that it relies on was taken back; undefined where it runs nowhere anyway. */
export function withdrawRight(
  creative: Creative,
  { rights_id }: ReliedRight,
  { reason }: RevokedPart,
  nowIso: string,
): Creative | undefined {
  if (creative.status === 'rejected' || creative.status === 'archived') return undefined;
  const { recheck: _recheck, ...rest } = creative;
  const rejection_reason = `The right ${rights_id} was revoked: ${reason}`;
  return { ...rest, status: 'rejected', rejection_reason, revoked_right: rights_id, updated_date: nowIso };
}
