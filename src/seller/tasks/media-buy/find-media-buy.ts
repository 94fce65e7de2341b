import { TaskError } from '../../../protocol/errors.js';
import type { Scope } from '../../domain/account/scope.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import type { Reader } from '../../store/store.js';

/** Returns a media buy within a scope. Throws MEDIA_BUY_NOT_FOUND; somebody else's, or another account's, is answered exactly as one that does not exist. */
export async function findMediaBuy(db: Reader, scope: Scope, mediaBuyId: string): Promise<MediaBuy> {
  const buy = await db.mediaBuys.find(scope, mediaBuyId);
  if (buy !== undefined) return buy;
  throw new TaskError('MEDIA_BUY_NOT_FOUND', 'There is no such media buy for this caller.', {
    field: 'media_buy_id',
    suggestion: 'Use a media_buy_id from create_media_buy or get_media_buys, and the account that it was made on.',
  });
}
