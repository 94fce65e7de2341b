import type { Payload } from '../../../protocol/envelope.js';
import type { MediaBuy } from '../../domain/media-buy/media-buy.js';
import { livePackages } from '../../domain/proposal/snapshot.js';
import { MESSAGE_WHILE_ONGOING, type Mutation, type MutationContext, type Tool } from '../pipeline/tool.js';
import { type StoredSnapshot, showSnapshot } from './snapshots.js';

/** The last members of every answer of the compact tasks. */
const COMMON_ROOT = [
  'available_actions',
  'task_id',
  MESSAGE_WHILE_ONGOING,
  'errors',
  'context',
  'ext',
  'replayed',
] as const;

/** The members of an answer that commits: of one that did, failed or waits. */
export const COMMITMENT_ROOT = [
  'status',
  'media_buy_id',
  'revision',
  'media_buy_status',
  'confirmed_at',
  'accepted_proposal',
  'purchase_bindings',
  ...COMMON_ROOT,
] as const;

/** The members of an answer to a control. */
export const CONTROL_ROOT = [
  'status',
  'media_buy_id',
  'revision',
  'media_buy_status',
  'implementation_date',
  'affected_package_ids',
  ...COMMON_ROOT,
] as const;

/** The task that each action is asked of. */
const TASK_OF_ACTION: Readonly<Record<string, 'control_media_buy' | 'sync_creatives' | 'refine_proposals'>> = {
  extend_flight: 'refine_proposals',
  shorten_flight: 'refine_proposals',
  update_flight_dates: 'refine_proposals',
  add_packages: 'refine_proposals',
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

/** Returns `available_actions` of a buy, each with its task; the terms are amended of what was bought by a proposal. */
export function canonicalActions(actions: unknown, hasProposal: boolean): readonly object[] {
  if (!Array.isArray(actions)) return [];
  return actions.flatMap(({ action, mode }: { action: string; mode: string }) => {
    const task = TASK_OF_ACTION[action];
    return task === undefined || (task === 'refine_proposals' && !hasProposal) ? [] : [{ task, action, mode }];
  });
}

/** Stores with a buy which proposal its terms are of, and returns it. Nothing of it is to be booked anew. */
export async function nameProposal(
  { db }: Pick<MutationContext, 'db'>,
  buy: MediaBuy,
  proposal_id: string,
): Promise<MediaBuy> {
  if (buy.echoed.proposal_id === proposal_id) return buy;
  const named = { ...buy, echoed: { ...buy.echoed, proposal_id } };
  await db.mediaBuys.replace(named, false);
  return named;
}

/** Returns the answer of a call that committed: the buy, and the snapshot of what was accepted. */
export function describeCommitment(
  buy: MediaBuy,
  accepted: StoredSnapshot,
  { available_actions, message }: Payload,
): Payload {
  const lines = livePackages(buy);
  return {
    status: 'completed',
    media_buy_id: buy.media_buy_id,
    revision: buy.revision,
    media_buy_status: buy.status,
    confirmed_at: buy.confirmed_at ?? null,
    accepted_proposal: showSnapshot(accepted),
    purchase_bindings: accepted.snapshot.terms.purchases.flatMap(({ product_id }, purchase_index) => {
      const { package_id } = lines[purchase_index] ?? {};
      return package_id === undefined ? [] : [{ purchase_index, product_id, package_id }];
    }),
    available_actions: canonicalActions(available_actions, true),
    message,
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
