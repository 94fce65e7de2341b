import { describe, expect, test } from 'vitest';
import { TaskError } from '../../../../src/protocol/errors.js';
import {
  ACCOUNT_MOVES,
  ACCOUNT_STATUSES,
  type Account,
  FIXTURE_ACCOUNT,
  moveAccount,
} from '../../../../src/seller/domain/account/account.js';
import {
  CREATIVE_MOVES,
  CREATIVE_STATUSES,
  type Creative,
  moveCreative,
} from '../../../../src/seller/domain/creative/creative.js';
import {
  flightEndMs,
  MEDIA_BUY_STATUSES,
  type MediaBuy,
  MOVES,
  nextStatus,
} from '../../../../src/seller/domain/media-buy/media-buy.js';
import { moveBySeller } from '../../../../src/seller/domain/media-buy/settlement.js';
import { boughtAt, contextAt, fromNow, NOW } from '../order-context.js';

const HOUR = 3_600_000;
const AT = { ms: NOW + HOUR, iso: fromNow(HOUR) };
const CREATIVE: Creative = {
  creative_id: 'c',
  account_id: 'a',
  version: 1,
  name: 'c',
  status: 'approved',
  format_id: { agent_url: 'https://x.example', id: 'f' },
  assets: {},
  tags: [],
  created_date: fromNow(0),
  updated_date: fromNow(0),
  echoed: {},
};

const bought: MediaBuy = boughtAt(
  NOW,
  { start_time: 'asap', end_time: fromNow(10 * HOUR) },
  contextAt(NOW, { creativeRequirement: 'required' }),
);

/** The state after a move, or the state that refuses it. */
function outcome(move: () => string): string {
  try {
    return move();
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    expect(error.code).toBe('INVALID_STATE');
    return `refused: ${error.extras.details?.current_state}`;
  }
}

type Table = Readonly<Record<string, readonly string[]>>;
const CASES: readonly (readonly [
  what: string,
  states: readonly string[],
  moves: Table,
  move: (from: never, to: never) => string,
])[] = [
  [
    'a media buy',
    MEDIA_BUY_STATUSES,
    MOVES,
    (status, to) => moveBySeller({ ...bought, status }, { to }, new Map(), AT).buy.status,
  ],
  [
    'a creative',
    CREATIVE_STATUSES,
    CREATIVE_MOVES,
    (status, to) => moveCreative({ ...CREATIVE, status }, to, undefined, AT.iso).status,
  ],
  [
    'an account',
    ACCOUNT_STATUSES,
    ACCOUNT_MOVES,
    (status, to) => moveAccount({ ...FIXTURE_ACCOUNT, status }, to).status,
  ],
];

describe.each(CASES)('%s that its seller moves', (_what, states, moves, move) => {
  test('goes where the table says, stays where it is, and nowhere else', () => {
    for (const from of states) {
      for (const to of states) {
        const expected = from === to || moves[from]?.includes(to) ? to : `refused: ${from}`;
        expect([from, to, outcome(() => move(from as never, to as never))]).toEqual([from, to, expected]);
      }
    }
  });
});

describe('what a move says', () => {
  const moved = (from: MediaBuy['status'], to: MediaBuy['status'], reason?: string) =>
    moveBySeller({ ...bought, status: from, held: from === 'paused' }, { to, reason }, new Map(), AT);

  test('one revision, one entry of the seller', () => {
    const { buy, moves } = moved('active', 'paused', 'Too fast.');
    expect(buy).toMatchObject({ revision: 2, updated_at: AT.iso });
    expect(moves).toEqual([
      { revision: 2, timestamp: AT.iso, actor: 'seller', action: 'paused', summary: 'Too fast.' },
    ]);
    expect(moved('active', 'active').moves).toEqual([]);
  });

  test.each([
    ['active', 'paused'],
    ['paused', 'active'],
    ['pending_creatives', 'active'],
    ['pending_creatives', 'paused'],
  ] as const)('the clock leaves it there: %s to %s', (from, to) => {
    expect(nextStatus(moved(from, to).buy, false, AT.ms)).toBeUndefined();
  });

  test.each([
    ['pending_start', 'rejected', { rejection_reason: 'No.' }],
    ['active', 'canceled', { cancellation: { canceled_at: AT.iso, canceled_by: 'seller', reason: 'No.' } }],
    ['active', 'completed', { completed_at: AT.iso }],
  ] as const)('an end says when or why: %s to %s', (from, to, facts) => {
    const { buy } = moved(from, to, 'No.');
    expect(buy).toMatchObject(facts);
    expect(flightEndMs(buy)).toBe(to === 'rejected' ? NOW + 10 * HOUR : AT.ms);
  });

  test('a creative that is turned down says why, and forgets it when it comes back', () => {
    const rejected = moveCreative(CREATIVE, 'rejected', 'Too loud.', AT.iso);
    expect(rejected).toMatchObject({ status: 'rejected', rejection_reason: 'Too loud.', updated_date: AT.iso });
    expect(moveCreative(rejected, 'pending_review', undefined, AT.iso).rejection_reason).toBeUndefined();
  });

  test('an account keeps all else', () => {
    const account: Account = { ...FIXTURE_ACCOUNT, account_id: 'a' };
    expect(moveAccount(account, 'suspended')).toEqual({ ...account, status: 'suspended' });
  });
});
