import { applyVerdict, type Creative, type Purge, type PurgeKind, type Verdict } from '../domain/creative/creative.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Writer } from '../store/store.js';
import type { Lifecycle, Now } from './media-buys.js';

/** The transaction, the owner and the moment of a change to a creative. */
type CreativeChange = {
  readonly tx: Writer;
  readonly lifecycle: Lifecycle;
  readonly owner: string;
  readonly now: Now;
};

/** Moves every buy that holds a creative whose state has changed, and returns those buys. `except` is a buy that the caller moves itself. */
export async function followCreative(
  { tx, lifecycle, owner, now }: CreativeChange,
  creative: Creative,
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
export async function saveCreative(change: CreativeChange, creative: Creative): Promise<readonly MediaBuy[]> {
  await change.tx.creatives.save(change.owner, creative);
  return followCreative(change, creative);
}

/**
 * Destroys a creative: it is taken out of its packages, whose buys follow in the same transaction, and out of the library. `soft` leaves
 * a tombstone there. What it has delivered stays.
 */
export async function purgeCreative(
  { tx, lifecycle, owner, now }: CreativeChange,
  creative: Creative,
  kind: PurgeKind,
  reason_code: Purge['reason_code'],
): Promise<void> {
  const assigned = await tx.creatives.listAssignments(owner, [creative]);
  const purge: Purge | undefined = kind === 'soft' ? { kind, at: now.iso, reason_code } : undefined;
  await tx.creatives.purge(owner, creative, purge);
  for (const id of new Set(assigned.map((entry) => entry.media_buy_id))) {
    const buy = await tx.mediaBuys.find(owner, id);
    if (buy !== undefined) await lifecycle.follow(tx, owner, buy, now);
  }
}

/**
 * Applies a person's verdict on a creative; the buys that hold it follow in the same transaction. Returns the creative and those buys.
 * Throws INVALID_STATE when the creative's state allows no such verdict.
 */
export async function reviewCreative(
  change: CreativeChange,
  creative: Creative,
  verdict: Verdict,
): Promise<{ readonly creative: Creative; readonly buys: readonly MediaBuy[] }> {
  const after = applyVerdict(creative, verdict, change.now.iso);
  return { creative: after, buys: await saveCreative(change, after) };
}
