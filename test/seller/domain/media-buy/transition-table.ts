import type { MediaBuy, MediaBuyStatus } from '../../../../src/seller/domain/media-buy/media-buy.js';

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

const OPEN = ['cancel', 'update_budget', 'update_dates', 'update_packages', 'add_packages', 'sync_creatives'] as const;

/** What a buyer may do in each state with a package that is not canceled; a held pending buy may also `resume`. */
export const VALID_ACTIONS: Readonly<Record<MediaBuyStatus, readonly string[]>> = {
  pending_creatives: ['pause', ...OPEN],
  pending_start: ['pause', ...OPEN],
  active: ['pause', ...OPEN],
  paused: ['resume', ...OPEN],
  completed: [],
  rejected: [],
  canceled: [],
};

/** What a buyer may do with a buy now. */
export function expectedActions({ status, held, packages }: Pick<MediaBuy, 'status' | 'held' | 'packages'>): string[] {
  const [first = '', ...others] = VALID_ACTIONS[status];
  const resumes = held && status.startsWith('pending_') ? [first, 'resume', ...others] : VALID_ACTIONS[status];
  const ofPackages = ['update_budget', 'update_packages', 'sync_creatives'];
  return resumes.filter((action) => !ofPackages.includes(action) || packages.some((line) => !line.canceled));
}
