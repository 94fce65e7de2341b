import type { MediaBuy, MediaBuyStatus } from './media-buy.js';

/** The actions that a buyer may ask for in each state, in the order they are answered in. */
const VALID_ACTIONS: Record<MediaBuyStatus, readonly string[]> = {
  pending_creatives: ['pause', 'cancel', 'sync_creatives'],
  pending_start: ['pause', 'cancel', 'sync_creatives'],
  active: ['pause', 'cancel', 'update_budget', 'update_dates', 'update_packages', 'add_packages', 'sync_creatives'],
  paused: ['resume', 'cancel', 'update_budget', 'update_dates', 'update_packages', 'add_packages', 'sync_creatives'],
  completed: [],
  rejected: [],
  canceled: [],
};

/** The finer words of 3.1 for the same permissions. */
const FINER_ACTIONS: Record<string, readonly string[]> = {
  pause: ['pause'],
  resume: ['resume'],
  cancel: ['cancel'],
  update_budget: ['increase_budget', 'decrease_budget', 'reallocate_budget'],
  update_dates: ['extend_flight', 'shorten_flight', 'update_flight_dates'],
  update_packages: ['update_targeting', 'update_pacing', 'remove_packages'],
  add_packages: ['add_packages'],
  sync_creatives: ['replace_creative', 'update_creative_assignments', 'remove_creative'],
};

/** The finer words for what may promise more than before. */
const PROMISES: ReadonlySet<string> = new Set([
  'increase_budget',
  'reallocate_budget',
  'extend_flight',
  'update_flight_dates',
  'update_targeting',
  'add_packages',
]);

/** Returns the actions of `valid_actions`; `resume` joins where a pending buy is held. */
export function validActions(buy: Pick<MediaBuy, 'status' | 'held'>): readonly string[] {
  const actions = VALID_ACTIONS[buy.status];
  return buy.held && buy.status.startsWith('pending_') ? [...actions, 'resume'] : actions;
}

/** Returns the 3.1 list of what a buyer may do now; `asks`: what promises more may have to wait for a person of the seller. */
export function availableActions(
  buy: Pick<MediaBuy, 'status' | 'held'>,
  asks = false,
): readonly { action: string; mode: 'self_serve' | 'conditional_self_serve' }[] {
  return validActions(buy)
    .flatMap((action) => FINER_ACTIONS[action] ?? [action])
    .map((action) => ({ action, mode: asks && PROMISES.has(action) ? 'conditional_self_serve' : 'self_serve' }));
}
