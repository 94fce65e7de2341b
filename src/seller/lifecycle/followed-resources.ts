import { orderedGoals } from '../domain/optimization/goal.js';
import type { Writer } from '../store/store.js';
import type { Lifecycle, Now } from './media-buys.js';

/** The transaction, the owner and the moment of a change to what buys need. */
type ResourceChange = {
  readonly tx: Writer;
  readonly lifecycle: Pick<Lifecycle, 'follow'>;
  readonly owner: string;
  readonly now: Now;
};

/** Moves the running buys of an account that target an audience which was lost or is there again. */
export async function followAudience(
  { tx, lifecycle, owner, now }: ResourceChange,
  accountId: string,
  audienceId: string,
): Promise<void> {
  for (const { buy } of await tx.mediaBuys.liveNaming(owner, audienceId, accountId))
    await lifecycle.follow(tx, owner, buy, now);
}

/** Moves the running buys of an account with goals of event sources that have changed. */
export async function followEventSources(
  { tx, lifecycle, owner, now }: ResourceChange,
  accountId: string,
  sourceIds: ReadonlySet<string>,
): Promise<void> {
  if (sourceIds.size === 0) return;
  for (const { buy } of await tx.mediaBuys.liveNaming(owner, 'event_sources', accountId)) {
    const named = buy.packages.flatMap((line) => orderedGoals(line).flatMap(({ event_sources = [] }) => event_sources));
    if (named.some(({ event_source_id: id }) => sourceIds.has(id))) await lifecycle.follow(tx, owner, buy, now);
  }
}
