import { type ResolvedCreative, resolveCreatives } from '../domain/booking/creatives.js';
import type { Creative } from '../domain/creative/creative.js';
import type { MediaBuy } from '../domain/media-buy/media-buy.js';
import type { Reader } from '../store/store.js';

/** A buy with its owner. */
type Owned = { readonly owner: string; readonly buy: Pick<MediaBuy, 'media_buy_id' | 'account_id'> };

/** Returns the creatives that may run in the packages of a buy, with what they are made of. */
export async function readOrderCreatives(db: Reader, { owner, buy }: Owned): Promise<readonly ResolvedCreative[]> {
  const assigned = await db.creatives.assignedTo([buy.media_buy_id]);
  const library = new Map<string, Creative>();
  for (const id of new Set(assigned.map(({ creative_id }) => creative_id))) {
    const creative = await db.creatives.find(owner, buy.account_id, id);
    if (creative !== undefined) library.set(id, creative);
  }
  return resolveCreatives(assigned, library);
}
