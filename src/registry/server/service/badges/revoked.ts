import { type Clock, DAY_MS, HOUR_MS, isoTime } from '../../../../platform/kernel/clock.js';
import type { Badge } from '../../../model/records.js';
import { BADGE_HOURS } from '../../../settings.js';
import type { ServerStore, ServerWriter } from '../../store/server-store.js';
import { findHold } from '../blocks/holds.js';
import type { RevokedBadge } from '../records.js';

/** How long after its revocation a badge of any registry can look valid, and after its last use a key can be needed; a day is for clocks. */
export const LONGEST_BADGE_MS = BADGE_HOURS.most * HOUR_MS + DAY_MS;
/** Rows that are read at a time. */
const CHUNK = 1000;

/** Why a badge was taken back, and from whom. */
type Revocation = { readonly agentUrl: string; readonly badge: Badge; readonly reason: string };

/** Puts a badge on the list of those that count no more; one without an id was never signed. */
export async function revokeBadge(
  tx: ServerWriter,
  clock: Clock,
  { agentUrl, badge, reason }: Revocation,
): Promise<void> {
  const { badge_id, role } = badge;
  if (badge_id === undefined) return;
  const nowMs = clock.now();
  await tx.revoked_badge.put({
    badge_id,
    agent_url: agentUrl,
    role,
    reason,
    revoked_at: isoTime(nowMs),
    until: isoTime(nowMs + LONGEST_BADGE_MS),
  });
}

/** A badge that counts no more, in the members of the wire. */
type ShownRevocation = Omit<RevokedBadge, 'until'>;

/** Returns the badges that were taken back and may look valid still, or the one of an id. */
export async function listRevoked(
  { store }: { readonly store: ServerStore },
  badgeId: string | undefined,
): Promise<readonly ShownRevocation[]> {
  const { revoked_badge } = store.read;
  if (badgeId !== undefined) {
    const badge = await revoked_badge.find(badgeId);
    return badge === undefined ? [] : [shownRevocation(badge)];
  }
  const revoked: ShownRevocation[] = [];
  for (let after = ''; ; ) {
    const page = await revoked_badge.page(after, CHUNK);
    revoked.push(...page.map(shownRevocation));
    const last = page.at(-1);
    if (last === undefined || page.length < CHUNK) return revoked;
    after = last.badge_id;
  }
}

/** Removes revocations and keys that nobody can need any more, some at a time, but those of agents under a legal hold. */
export async function clearBadges(store: ServerStore, nowMs: number): Promise<void> {
  const isOver = ({ until }: { readonly until: string }): boolean => Date.parse(until) <= nowMs;
  const revoked: RevokedBadge[] = [];
  for (const badge of (await store.read.revoked_badge.page('', CHUNK)).filter(isOver))
    if ((await findHold(store.read, 'agent', badge.agent_url)) === undefined) revoked.push(badge);
  const keys = (await store.read.badge_key.page('', CHUNK)).filter(isOver);
  if (revoked.length + keys.length === 0) return;
  await store.transact(async (tx) => {
    for (const { badge_id } of revoked) await tx.revoked_badge.remove(badge_id);
    for (const { kid } of keys) await tx.badge_key.remove(kid);
  });
}

function shownRevocation({ until: _until, ...shown }: RevokedBadge): ShownRevocation {
  return shown;
}
