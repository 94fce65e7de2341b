import type { Caller } from '../../context.js';
import { availableActions } from '../../domain/media-buy/actions.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { mediaBuyState } from '../../domain/media-buy/wire.js';
import { canNeedApproval } from '../../domain/task/approval.js';

/** Returns the facts about a buy that create, update and read share: its state, and what this caller may do with it. */
export function mediaBuyFacts(buy: MediaBuy, { seller, principal }: Caller): Record<string, unknown> {
  const change = { task: 'update_media_buy', principal: principal?.id ?? '', advertiser: buy.brand.domain } as const;
  return {
    ...mediaBuyState(buy),
    available_actions: availableActions(buy, canNeedApproval(seller.tenant.approvals, change)),
  };
}
