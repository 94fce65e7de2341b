import type { Writer } from '../../store/store.js';

/** Ends what somebody let a client do: its tokens open nothing from then on. Returns whether there was such a grant. */
export async function endGrant(tx: Writer, grantId: string): Promise<boolean> {
  await tx.oauthItems.removeOf(grantId);
  await tx.oauthItems.remove('Grant', grantId);
  return tx.oauthGrants.remove(grantId);
}
