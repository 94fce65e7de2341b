import { applyVerdict, type Creative, type Purge, type PurgeKind, type Verdict } from '../domain/creative/creative.js';
import { describeTransition, type Initiator } from '../domain/creative/transition.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Writer } from '../store/store.js';
import type { AccountEvents } from '../webhooks/events/account-events.js';
import type { Lifecycle, Now } from './media-buys.js';

/** The transaction, the owner and the moment of a change to a creative. */
type CreativeChange = {
  readonly tx: Writer;
  readonly lifecycle: Lifecycle;
  readonly owner: string;
  readonly now: Now;
};

/** A change that the buyer did not ask for, and the events that tell of it. */
type AnnouncedChange = CreativeChange & { readonly events: AccountEvents; readonly initiator: Initiator };

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

/** Stores a creative that its buyer did not move, and tells those who subscribed to it. Returns the buys that followed. */
export async function moveStoredCreative(
  change: AnnouncedChange,
  before: Creative,
  after: Creative,
): Promise<readonly MediaBuy[]> {
  const buys = await saveCreative(change, after);
  const transition = describeTransition(before, after, change.initiator);
  if (transition !== undefined) await change.events.announceTransition(change.tx, change.owner, after, transition);
  return buys;
}

/**
 * Destroys a creative, and announces it to the subscribers: it is taken out of the library and its packages, whose buys follow in the
 * same transaction. What it has delivered stays; `soft` leaves a tombstone in the library.
 */
export async function purgeCreative(
  { tx, lifecycle, owner, now, events, initiator }: AnnouncedChange,
  creative: Creative,
  kind: PurgeKind,
  reason_code: Purge['reason_code'],
): Promise<void> {
  const assigned = await tx.creatives.listAssignments(owner, [creative]);
  const purge: Purge | undefined = kind === 'soft' ? { kind, at: now.iso, reason_code } : undefined;
  await tx.creatives.purge(owner, creative, purge);
  for (const id of new Set(assigned.map((entry) => entry.media_buy_id))) {
    const buy = await tx.mediaBuys.find(owner, id);
    if (buy === undefined) continue;
    const { creative_id } = creative;
    const held = assigned.flatMap(({ media_buy_id, package_id }) =>
      media_buy_id === id ? [{ creative_id, package_id }] : [],
    );
    await lifecycle.follow(tx, owner, { ...buy, purged: [...(buy.purged ?? []), ...held] }, now);
  }
  const destruction = { purge_kind: kind, purged_at: now.iso, reason_code, initiator };
  await events.announceDestruction(tx, owner, creative, destruction);
}

/**
 * Applies a person's verdict on a creative; the buys that hold it follow in the same transaction. Returns the creative and those buys.
 * Throws INVALID_STATE when the creative's state allows no such verdict.
 */
export async function reviewCreative(
  change: Omit<AnnouncedChange, 'initiator'>,
  creative: Creative,
  verdict: Verdict,
): Promise<{ readonly creative: Creative; readonly buys: readonly MediaBuy[] }> {
  const after = applyVerdict(creative, verdict, change.now.iso);
  return { creative: after, buys: await moveStoredCreative({ ...change, initiator: 'seller' }, creative, after) };
}
