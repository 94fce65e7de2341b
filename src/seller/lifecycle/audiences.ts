import type { Writer } from '../store/store.js';
import type { Lifecycle, Now } from './media-buys.js';

/** The transaction, the owner and the moment of a change to an audience. */
type AudienceChange = {
  readonly tx: Writer;
  readonly lifecycle: Pick<Lifecycle, 'follow'>;
  readonly owner: string;
  readonly now: Now;
};

/** Moves the running buys of an account that target an audience which was lost or is there again. */
export async function followAudience(
  { tx, lifecycle, owner, now }: AudienceChange,
  accountId: string,
  audienceId: string,
): Promise<void> {
  for (const { buy } of await tx.mediaBuys.liveNaming(owner, audienceId, accountId))
    await lifecycle.follow(tx, owner, buy, now);
}
