import type { Payload } from '../../../protocol/envelope.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { mediaBuyFacts } from '../../domain/media-buy/wire.js';
import type { Mutation, MutationContext, Tool } from '../pipeline/tool.js';
import { type StoredSnapshot, showSnapshot } from './snapshots.js';

/** The members of an answer that commits: of one that did, failed or waits. */
export const COMMITMENT_ROOT = [
  'status',
  'media_buy_id',
  'revision',
  'media_buy_status',
  'confirmed_at',
  'accepted_proposal',
  'purchase_bindings',
  'available_actions',
  'task_id',
  'message',
  'errors',
  'context',
  'ext',
  'replayed',
] as const;

/** The same of a control. */
export const CONTROL_ROOT = [
  'status',
  'media_buy_id',
  'revision',
  'media_buy_status',
  'implementation_date',
  'affected_package_ids',
  'available_actions',
  'task_id',
  'message',
  'errors',
  'context',
  'ext',
  'replayed',
] as const;

/** The task that each action is asked of. What only an amendment of the terms could do is not offered. */
const TASK_OF_ACTION: Readonly<Record<string, 'control_media_buy' | 'sync_creatives'>> = {
  pause: 'control_media_buy',
  resume: 'control_media_buy',
  cancel: 'control_media_buy',
  increase_budget: 'control_media_buy',
  decrease_budget: 'control_media_buy',
  reallocate_budget: 'control_media_buy',
  update_targeting: 'control_media_buy',
  update_pacing: 'control_media_buy',
  remove_packages: 'control_media_buy',
  replace_creative: 'sync_creatives',
  update_creative_assignments: 'sync_creatives',
  remove_creative: 'sync_creatives',
};

/** Returns what a buyer may do with a buy, each action with its task. */
export function canonicalActions(buy: MediaBuy, call: MutationContext['call']): readonly object[] {
  const { available_actions: actions } = mediaBuyFacts(buy, call);
  if (!Array.isArray(actions)) return [];
  return actions.flatMap(({ action, mode }: { action: string; mode: string }) => {
    const task = TASK_OF_ACTION[action];
    return task === undefined ? [] : [{ task, action, mode }];
  });
}

/** Returns the answer of a call that committed: the buy, and the snapshot of what was accepted. */
export function describeCommitment(
  buy: MediaBuy,
  accepted: StoredSnapshot,
  { call }: Pick<MutationContext, 'call'>,
): Payload {
  return {
    status: 'completed',
    media_buy_id: buy.media_buy_id,
    revision: buy.revision,
    media_buy_status: buy.status,
    confirmed_at: buy.confirmed_at ?? null,
    accepted_proposal: showSnapshot(accepted),
    purchase_bindings: accepted.snapshot.terms.purchases.flatMap(({ product_id }, purchase_index) => {
      const { package_id } = buy.packages[purchase_index] ?? {};
      return package_id === undefined ? [] : [{ purchase_index, product_id, package_id }];
    }),
    available_actions: canonicalActions(buy, call),
  };
}

/** Returns an answer in the terms of 3.2: what the governance agent said, which has no member there, stands in `ext`. */
export function shapeCommitment({ governance_context, governance, ...answer }: Payload): Payload {
  if (governance_context === undefined) return answer;
  return { ...answer, ext: { governance_context, governance } };
}

/** Returns the buy that an answer names. */
export async function readBuy(
  { db, scope }: Pick<MutationContext, 'db' | 'scope'>,
  { media_buy_id }: Payload,
): Promise<MediaBuy> {
  const buy = await db.mediaBuys.find(scope, String(media_buy_id));
  if (buy === undefined) throw new Error('a task answered a media buy that is not there');
  return buy;
}

/** Returns a task that changes something, for another to do its work with. */
export function asMutation(tool: Tool): Mutation {
  if (tool.kind === 'mutation') return tool;
  throw new Error(`${String(tool.name)} changes nothing`);
}
