import { TaskError } from '../../../protocol/errors.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Reader } from '../../store/store.js';

/** Returns the caller's media buy. Throws MEDIA_BUY_NOT_FOUND; somebody else's is answered exactly as one that does not exist. */
export async function findMediaBuy(db: Reader, owner: string, mediaBuyId: string): Promise<MediaBuy> {
  const buy = await db.mediaBuys.find(owner, mediaBuyId);
  if (buy !== undefined) return buy;
  throw new TaskError('MEDIA_BUY_NOT_FOUND', 'There is no such media buy for this caller.', {
    field: 'media_buy_id',
    suggestion: 'Use a media_buy_id from create_media_buy or get_media_buys.',
  });
}
