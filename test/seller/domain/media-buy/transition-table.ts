import type { MediaBuyStatus } from '../../../../src/seller/domain/media-buy/media-buy.js';

/** The legal moves of a media buy, written down a second time, from the specification and not from the code. */
export const EDGES: Readonly<Record<MediaBuyStatus, readonly MediaBuyStatus[]>> = {
  pending_creatives: ['pending_start', 'active', 'paused', 'canceled', 'rejected'],
  pending_start: ['active', 'paused', 'canceled', 'rejected'],
  active: ['paused', 'completed', 'canceled'],
  paused: ['active', 'completed', 'canceled'],
  completed: [],
  rejected: [],
  canceled: [],
};

const PENDING = ['pause', 'cancel', 'sync_creatives'] as const;
const RUNNING = [
  'cancel',
  'update_budget',
  'update_dates',
  'update_packages',
  'add_packages',
  'sync_creatives',
] as const;

/** What a buyer may do in each state, in the order of the specification; a held pending buy may also `resume`. */
export const VALID_ACTIONS: Readonly<Record<MediaBuyStatus, readonly string[]>> = {
  pending_creatives: PENDING,
  pending_start: PENDING,
  active: ['pause', ...RUNNING],
  paused: ['resume', ...RUNNING],
  completed: [],
  rejected: [],
  canceled: [],
};
