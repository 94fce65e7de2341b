import { describe, expect, it } from 'vitest';
import type { AssignedCreative } from '../../../../src/seller/domain/creative/creative.js';
import {
  assessHealth,
  findLostCreatives,
  type LostResource,
  reconcileImpairments,
} from '../../../../src/seller/domain/media-buy/health.js';
import type { Impairment } from '../../../../src/seller/domain/media-buy/impairment.js';
import { MEDIA_BUY_STATUSES, type MediaBuy } from '../../../../src/seller/domain/media-buy/media-buy.js';
import { boughtAt, contextAt, fromNow, NOW, packageOf } from '../order-context.js';

/** A running buy of three packages. */
function buy(changes: Partial<MediaBuy> = {}): MediaBuy {
  const packages = [1, 2, 3].map((at) => packageOf({ budget: 1000 + at }));
  return { ...boughtAt(NOW, { packages }, contextAt(NOW)), ...changes };
}

const LINES = buy().packages.map((line) => line.package_id);

/** A creative in a package of the buy. */
function assigned(
  creative_id: string,
  at: number,
  status: AssignedCreative['status'],
  reason?: string,
): AssignedCreative {
  return {
    creative_id,
    package_id: LINES[at] ?? '',
    media_buy_id: buy().media_buy_id,
    assigned_date: fromNow(0),
    status,
    ...(reason === undefined ? {} : { rejection_reason: reason }),
  };
}

/** Reconciles at `ms`, with ids that count from `first`. */
function reconcile(
  before: MediaBuy,
  all: readonly AssignedCreative[],
  ms = 0,
  first = 1,
  more: readonly LostResource[] = [],
) {
  let last = first - 1;
  return reconcileImpairments(before, [...findLostCreatives(before, all), ...more], fromNow(ms), () => {
    last += 1;
    return `imp_${last}`;
  });
}

const AUDIENCE: Impairment = {
  impairment_id: 'imp_audience',
  resource_type: 'audience',
  resource_id: 'aud_1',
  package_ids: [LINES[0] ?? ''],
  transition: { to: 'suspended' },
  reason_code: 'consent_expired',
  observed_at: fromNow(0),
};

/** The loss of that audience by a package that no test cancels. */
const LOST: LostResource = {
  package_id: LINES[1] ?? '',
  resource_type: 'audience',
  resource_id: 'aud_1',
  transition: { to: 'suspended' },
  reason_code: 'consent_expired',
};

describe('the impairments of a buy', () => {
  it('are the creatives that were purged, until something is in their place', () => {
    const purged = [{ creative_id: 'gone', package_id: LINES[0] ?? '' }];
    const first = reconcile(buy({ purged }), []);
    expect(first.changed).toMatchObject([
      { resource_type: 'creative', resource_id: 'gone', transition: { to: 'suspended' } },
    ]);
    const same = reconcile(first.buy, [], 1000, 9);
    expect([same.changed, same.closed]).toEqual([[], []]);
    const filled = reconcile(first.buy, [assigned('new', 0, 'approved')], 1000, 9);
    expect(filled.closed).toMatchObject([{ impairment_id: 'imp_1' }]);
    expect(reconcile(filled.buy, [], 2000, 9).changed).toEqual([]);
  });

  it('name a package once that needs a resource twice', () => {
    expect(reconcile(buy(), [], 0, 1, [LOST, LOST]).changed).toMatchObject([{ package_ids: [LINES[1]] }]);
  });

  it('are its creatives that were rejected or suspended, each with the packages it is in', () => {
    const all = [
      assigned('good', 0, 'approved'),
      assigned('odd', 0, 'rejected', 'It blinks.'),
      assigned('odd', 2, 'rejected', 'It blinks.'),
      assigned('old', 1, 'suspended'),
      assigned('new', 1, 'pending_review'),
    ];
    const { buy: after, changed, closed } = reconcile(buy(), all);
    expect(after.impairments).toEqual([
      {
        impairment_id: 'imp_1',
        resource_type: 'creative',
        resource_id: 'odd',
        package_ids: [LINES[0], LINES[2]],
        transition: { to: 'rejected' },
        reason_code: 'content_rejected',
        reason: 'It blinks.',
        observed_at: fromNow(0),
        remediation: expect.any(String),
      },
      {
        impairment_id: 'imp_2',
        resource_type: 'creative',
        resource_id: 'old',
        package_ids: [LINES[1]],
        transition: { to: 'suspended' },
        reason_code: 'seller_removed',
        observed_at: fromNow(0),
        remediation: expect.any(String),
      },
    ]);
    expect(changed).toEqual(after.impairments);
    expect(closed).toEqual([]);
  });

  it('keep id and time while they go on, and are news only where they differ', () => {
    const first = reconcile(buy(), [assigned('odd', 0, 'suspended'), assigned('odd', 1, 'suspended')]);
    const same = reconcile(first.buy, [assigned('odd', 0, 'suspended'), assigned('odd', 1, 'suspended')], 1000, 9);
    expect([same.buy, same.changed, same.closed]).toEqual([first.buy, [], []]);
    expect(same.buy).toBe(first.buy);
    const outcomes = [
      reconcile(first.buy, [assigned('odd', 0, 'suspended')], 1000, 9),
      reconcile(first.buy, [assigned('odd', 0, 'rejected'), assigned('odd', 1, 'rejected')], 1000, 9),
      reconcile(first.buy, [assigned('odd', 0, 'suspended', 'Why.'), assigned('odd', 1, 'suspended', 'Why.')], 1000, 9),
    ];
    for (const { changed, closed } of outcomes) {
      expect(changed).toMatchObject([{ impairment_id: 'imp_1', observed_at: fromNow(0) }]);
      expect(closed).toEqual([]);
    }
  });

  it.each<[name: string, all: readonly AssignedCreative[], changes: Partial<MediaBuy>]>([
    ['runs again', [assigned('odd', 0, 'approved')], {}],
    ['is looked at again', [assigned('odd', 0, 'pending_review')], {}],
    ['has left', [], {}],
    [
      'is in a canceled package alone',
      [assigned('odd', 0, 'rejected')],
      { packages: buy().packages.map((line, at) => (at === 0 ? { ...line, canceled: true } : line)) },
    ],
    ['is in a buy that has ended', [assigned('odd', 0, 'rejected')], { status: 'completed' }],
  ])('end when the creative %s', (_name, all, changes) => {
    const { buy: before } = reconcile(buy(), [assigned('odd', 0, 'rejected')], 0, 1, [LOST]);
    const { buy: after, changed, closed } = reconcile({ ...before, ...changes }, all, 1000, 9, [LOST]);
    const isOver = changes.status !== undefined;
    expect(closed.filter((one) => one.resource_type === 'creative')).toMatchObject([{ resource_id: 'odd' }]);
    expect(changed).toEqual([]);
    // What else was lost stays lost, as long as the buy runs.
    expect(after.impairments?.map((one) => one.resource_id)).toEqual(isOver ? [] : ['aud_1']);
  });

  it('give a reason that fits', () => {
    const { changed } = reconcile(buy(), [assigned('odd', 0, 'rejected', 'x'.repeat(900))]);
    expect(changed[0]?.reason).toHaveLength(500);
  });
});

describe('health', () => {
  it.each(MEDIA_BUY_STATUSES)('of a buy that is %s', (status) => {
    const ended = ['completed', 'rejected', 'canceled'].includes(status);
    expect(assessHealth({ status })).toBe(ended ? undefined : 'ok');
    expect(assessHealth({ status, impairments: [] })).toBe(ended ? undefined : 'ok');
    expect(assessHealth({ status, impairments: [AUDIENCE] })).toBe(ended ? undefined : 'impaired');
  });
});
