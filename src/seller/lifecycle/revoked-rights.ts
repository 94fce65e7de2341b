import { isoTime, type OwnClocks } from '../../platform/kernel/clock.js';
import { isFollowed, nextToFollow } from '../domain/brand/grant.js';
import { findRevokedPart, isRightOf, listRights, withdrawRight } from '../domain/creative/rights.js';
import { readOwner } from '../domain/tenant/principal.js';
import type { Seller } from '../domain/tenant/seller.js';
import type { OwnedGrant } from '../store/brand/grants.js';
import type { OwnedCreative } from '../store/creatives/rows.js';
import type { Store } from '../store/store.js';
import type { AccountEvents } from '../webhooks/events/account-events.js';
import { moveStoredCreative } from './creatives.js';
import type { Lifecycle } from './media-buys.js';

/** The ports of the follower of revoked rights. */
type FollowerPorts = {
  readonly store: Store;
  readonly clock: OwnClocks;
  readonly lifecycle: Lifecycle;
  readonly accountEvents: AccountEvents;
  readonly sellers: () => ReadonlyMap<string, Seller>;
};

/** How many grants, and how many creatives of one, are looked at together. */
const BATCH = 50;

/** Takes creatives out of service whose rights were revoked, once that is in force; the buys that hold them follow in the same transaction. */
export async function followRevocations(ports: FollowerPorts, isStopped: () => boolean = () => false): Promise<void> {
  const due = await ports.store.read.grants.toFollow(BATCH);
  for (const owned of due) {
    if (isStopped()) return;
    const nowMs = ports.clock.nowOf(owned.owner);
    if (isFollowed(owned.grant, nowMs)) continue;
    await withdrawCreatives(ports, owned, nowMs);
    await ports.store.transact(async (tx) => {
      const present = await tx.grants.findAnywhere(owned.grant.grant_id);
      if (present !== undefined) tx.grants.replace(nextToFollow(present.grant, nowMs));
    });
  }
}

async function withdrawCreatives(ports: FollowerPorts, owned: OwnedGrant, nowMs: number): Promise<void> {
  let after = 0;
  for (;;) {
    const rows = await ports.store.read.creatives.relyingOn(owned.grant.grant_id, after, BATCH);
    for (const row of rows) await withdraw(ports, owned, row, nowMs);
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/** Takes one creative out of service, unless what it names is a right of the same id that another agent granted, or one of the other world. */
async function withdraw(
  { store, clock, lifecycle, accountEvents, sellers }: FollowerPorts,
  { owner: licensee, grant }: OwnedGrant,
  { owner, creative: seen }: OwnedCreative,
  grantNowMs: number,
): Promise<void> {
  const agent = sellers().get(readOwner(licensee).tenant)?.url;
  if (agent === undefined) return;
  await store.transact(async (tx) => {
    const creative = await tx.creatives.find(owner, seen.account_id, seen.creative_id);
    const account = await tx.accounts.findById(owner, seen.account_id);
    if (creative === undefined || (account !== undefined && account.sandbox !== grant.sandbox)) return;
    for (const right of listRights(creative)) {
      if (right.rights_id !== grant.grant_id || !isRightOf(right, agent)) continue;
      const part = findRevokedPart(grant, right, grantNowMs);
      const ms = clock.nowOf(owner);
      const now = { ms, iso: isoTime(ms) };
      const after = part && withdrawRight(creative, right, part, now.iso);
      if (after === undefined) continue;
      const change = { tx, lifecycle, owner, now, events: accountEvents, initiator: 'system' } as const;
      await moveStoredCreative(change, creative, after);
      return;
    }
  });
}
