import { describe, expect, it } from 'vitest';
import { availableActions, validActions } from '../../../../src/seller/domain/media-buy/actions.js';
import {
  hasReadyCreatives,
  isTerminal,
  MEDIA_BUY_STATUSES,
  type MediaBuy,
  type MediaBuyStatus,
  MOVES,
  nextDueMs,
  nextStatus,
  totalBudget,
} from '../../../../src/seller/domain/media-buy/media-buy.js';

import { ACCOUNT, boughtAt, fromNow, NOW } from '../order-context.js';
import { EDGES, expectedActions, VALID_ACTIONS } from './transition-table.js';

const DAY = 86_400_000;
const BUYER = { account: ACCOUNT };
const BUY: MediaBuy = boughtAt(NOW, { start_time: fromNow(DAY), end_time: fromNow(10 * DAY) });
const as = (status: MediaBuyStatus, held = false): MediaBuy => ({ ...BUY, status, held });

describe('the table of states', () => {
  it.each(MEDIA_BUY_STATUSES)('%s moves where the specification lets it', (status) => {
    expect([...MOVES[status]].sort()).toEqual([...EDGES[status]].sort());
    expect(isTerminal(status)).toBe(['completed', 'rejected', 'canceled'].includes(status));
  });

  it('nothing running is ever rejected', () => {
    expect(MOVES.active).not.toContain('rejected');
    expect(MOVES.paused).not.toContain('rejected');
  });

  it.each(MEDIA_BUY_STATUSES)('%s offers exactly the actions of the specification', (status) => {
    expect(validActions(as(status), BUYER)).toEqual(VALID_ACTIONS[status]);
  });

  it.each(['pending_creatives', 'pending_start'] as const)('%s can be resumed when it is held', (status) => {
    expect(validActions(as(status, true), BUYER)).toEqual(expectedActions(as(status, true)));
    expect(validActions(as(status, true), BUYER)).toContain('resume');
  });

  it.each(MEDIA_BUY_STATUSES)('%s offers the same in the finer words of 3.1, each once', (status) => {
    const finer = availableActions(as(status), BUYER, NOW);
    expect(new Set(finer.map((entry) => entry.action)).size).toBe(finer.length);
    expect(finer.every((entry) => entry.mode === 'self_serve')).toBe(true);
    expect(finer.length >= VALID_ACTIONS[status].length).toBe(true);
    expect(finer.some((entry) => entry.action === 'cancel')).toBe(VALID_ACTIONS[status].includes('cancel'));
  });
});

describe('what the account of a buy leaves of its actions', () => {
  const buy = boughtAt(NOW, { end_time: fromNow(10 * DAY) });
  const whole = validActions(buy, BUYER);
  const STOPS = ['pause', 'cancel'];
  it.each([
    ['active', whole, whole],
    [
      'payment_required',
      whole.filter((name) => name !== 'add_packages'),
      whole.filter((name) => name !== 'add_packages'),
    ],
    ['suspended', [], STOPS],
    ['closed', [], STOPS],
    ['rejected', [], STOPS],
    ['pending_approval', [], STOPS],
  ] as const)('%s: for its buyer, and for people of the seller', (status, buyers, sellers) => {
    expect(buy.status).toBe('active');
    const account = { status };
    expect(validActions(buy, { account })).toEqual(buyers);
    expect(validActions(buy, { account, isOperator: true })).toEqual(sellers);
    expect(availableActions(buy, { account }, NOW).length > 0).toBe(buyers.length > 0);
  });

  it('of a buyer who has left people of the seller can stop what runs, also where the product lets no buyer', () => {
    const principal = { hasLeft: true } as const;
    const [line] = buy.packages;
    const sold = { ...line?.sold, allowed_actions: [{ action: 'resume', modes: ['self_serve'] }] };
    const bound = { ...buy, packages: [{ ...line, sold }] } as unknown as MediaBuy;
    expect(validActions(bound, BUYER)).toEqual([]);
    for (const one of [buy, bound]) {
      expect(validActions(one, { ...BUYER, principal })).toEqual([]);
      expect(validActions(one, { ...BUYER, principal, isOperator: true })).toEqual(STOPS);
    }
  });
});

describe('the finer words of 3.1', () => {
  const actions = (buy: MediaBuy, nowMs: number) => availableActions(buy, BUYER, nowMs).map(({ action }) => action);

  it('offer to move a start only until the flight begins', () => {
    expect(actions(as('pending_start'), NOW)).toContain('update_flight_dates');
    expect(actions(as('active'), NOW + DAY)).not.toContain('update_flight_dates');
  });

  it('offer to move budget between packages only where there are two', () => {
    expect(actions(as('active'), NOW)).not.toContain('reallocate_budget');
    const two = { ...as('active'), packages: [...BUY.packages, ...BUY.packages] };
    expect(actions(two, NOW)).toContain('reallocate_budget');
  });
});

describe('nextStatus', () => {
  const [early, running, over] = [NOW, NOW + 2 * DAY, NOW + 10 * DAY];

  it.each<
    readonly [status: MediaBuyStatus, held: boolean, ready: boolean, at: number, next: MediaBuyStatus | undefined]
  >([
    ['pending_creatives', false, false, early, undefined],
    ['pending_creatives', false, false, running, undefined],
    ['pending_creatives', false, true, early, 'pending_start'],
    ['pending_creatives', false, true, running, 'active'],
    ['pending_creatives', true, true, early, 'pending_start'],
    ['pending_creatives', true, true, running, 'paused'],
    ['pending_start', false, true, early, undefined],
    ['pending_start', false, true, NOW + DAY - 1, undefined],
    ['pending_start', false, true, NOW + DAY, 'active'],
    ['pending_start', true, true, running, 'paused'],
    ['active', false, true, running, undefined],
    ['active', true, true, running, 'paused'],
    ['active', false, true, over - 1, undefined],
    ['active', false, true, over, 'completed'],
    ['active', true, true, over, 'completed'],
    ['active', false, false, running, undefined],
    ['paused', true, true, running, undefined],
    ['paused', false, true, running, 'active'],
    ['paused', true, true, over, 'completed'],
    ['completed', false, true, over, undefined],
    ['rejected', true, true, over, undefined],
    ['canceled', false, true, over, undefined],
  ])('%s, held %s, creatives %s, at %i: %s', (status, held, ready, at, next) => {
    expect(nextStatus(as(status, held), ready, at)).toBe(next);
  });

  it('a buy whose flight ends without creatives ends', () => {
    const next = nextStatus(as('pending_creatives'), false, over);
    expect(next === undefined ? [] : EDGES.pending_creatives).toContain(next);
    expect(isTerminal(next ?? 'active')).toBe(true);
  });

  it.each(MEDIA_BUY_STATUSES)('%s: nextDueMs names the moment at which the clock alone moves it', (status) => {
    const buy = as(status, status === 'paused');
    const due = nextDueMs(buy);
    const ready = status !== 'pending_creatives';
    const moves = (at: number) => nextStatus(buy, ready, at) !== undefined;
    if (due === undefined) expect([early, running, over].some(moves)).toBe(false);
    else expect([moves(due - 1), moves(due)]).toEqual([false, true]);
  });
});

describe('small questions', () => {
  it('creativesReady looks at live packages that need one', () => {
    const lines = (...packages: readonly [needs: boolean, canceled: boolean][]) => ({
      packages: packages.map(([needs_creative, canceled], index) => ({
        ...(BUY.packages[0] as MediaBuy['packages'][number]),
        package_id: `p${index}`,
        needs_creative,
        canceled,
      })),
    });
    expect(hasReadyCreatives(lines([false, false]), new Set())).toBe(true);
    expect(hasReadyCreatives(lines([true, false]), new Set())).toBe(false);
    expect(hasReadyCreatives(lines([true, false]), new Set(['p0']))).toBe(true);
    expect(hasReadyCreatives(lines([true, false], [true, false]), new Set(['p0']))).toBe(false);
    expect(hasReadyCreatives(lines([true, false], [true, true]), new Set(['p0']))).toBe(true);
  });

  it('totalBudget sums to the cent', () => {
    const [line] = BUY.packages;
    const packages = line === undefined ? [] : [0.1, 0.2, 100.005].map((budget) => ({ ...line, budget }));
    expect(totalBudget({ packages })).toBe(100.31);
  });
});
