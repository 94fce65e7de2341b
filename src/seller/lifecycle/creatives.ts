import { applyVerdict, type Creative, type Purge, type PurgeKind, type Verdict } from '../domain/creative/creative.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Writer } from '../store/store.js';
import type { Lifecycle, Now } from './media-buys.js';

/** Moves every buy that holds a creative whose state has changed, and returns those buys. `except` is a buy that the caller moves itself. */
export async function followCreative(
  tx: Writer,
  lifecycle: Lifecycle,
  owner: string,
  creative: Creative,
  now: Now,
  except?: string,
): Promise<readonly MediaBuy[]> {
  const assigned = await tx.creatives.listAssignments(owner, [creative]);
  const ids = new Set(assigned.map((entry) => entry.media_buy_id).filter((id) => id !== except));
  const moved: MediaBuy[] = [];
  for (const id of ids) {
    const buy = await tx.mediaBuys.find(owner, id);
    if (buy !== undefined) moved.push(await lifecycle.follow(tx, owner, buy, now));
  }
  return moved;
}

/** Stores a creative whose state has changed; the buys that hold it follow in the same transaction. Returns those buys. */
export async function saveCreative(
  tx: Writer,
  lifecycle: Lifecycle,
  owner: string,
  creative: Creative,
  now: Now,
): Promise<readonly MediaBuy[]> {
  await tx.creatives.save(owner, creative);
  return followCreative(tx, lifecycle, owner, creative, now);
}

/**
 * Destroys a creative: it is taken out of its packages, whose buys follow in the same transaction, and out of the library. `soft` leaves
 * a tombstone there. What it has delivered stays.
 */
export async function purgeCreative(
  tx: Writer,
  lifecycle: Lifecycle,
  owner: string,
  creative: Creative,
  kind: PurgeKind,
  reason_code: Purge['reason_code'],
  now: Now,
): Promise<void> {
  const held = await tx.creatives.listAssignments(owner, [creative]);
  const purge: Purge | undefined = kind === 'soft' ? { kind, at: now.iso, reason_code } : undefined;
  await tx.creatives.purge(owner, creative, purge);
  for (const id of new Set(held.map((entry) => entry.media_buy_id))) {
    const buy = await tx.mediaBuys.find(owner, id);
    if (buy !== undefined) await lifecycle.follow(tx, owner, buy, now);
  }
}

/**
 * Applies a person's verdict on a creative; the buys that hold it follow in the same transaction. Returns the creative and those buys.
 * Throws INVALID_STATE when the creative's state allows no such verdict.
 */
export async function reviewCreative(
  tx: Writer,
  lifecycle: Lifecycle,
  owner: string,
  creative: Creative,
  verdict: Verdict,
  now: Now,
): Promise<{ readonly creative: Creative; readonly buys: readonly MediaBuy[] }> {
  const after = applyVerdict(creative, verdict, now.iso);
  return { creative: after, buys: await saveCreative(tx, lifecycle, owner, after, now) };
}
