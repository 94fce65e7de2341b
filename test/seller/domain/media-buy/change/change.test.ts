import { describe, expect, it } from 'vitest';
import { houseDelivery } from '../../../../../src/seller/adserver/simulator/simulator.js';
import { type Change, type Changed, changeMediaBuy } from '../../../../../src/seller/domain/media-buy/change/change.js';
import type { PackageChange } from '../../../../../src/seller/domain/media-buy/change/package-change.js';
import type { MediaBuy, MediaBuyStatus } from '../../../../../src/seller/domain/media-buy/media-buy.js';
import { MAX_PACKAGES } from '../../../../../src/seller/domain/media-buy/order.js';
import { MAX_BUDGET } from '../../../../../src/seller/domain/media-buy/pricing.js';
import { settleBuy } from '../../../../../src/seller/domain/media-buy/settlement.js';
import {
  boughtAt,
  contextAt,
  fromNow,
  NOW,
  OWNER,
  orderOf,
  packageOf,
  type Refusal,
  refusalOf,
} from '../../order-context.js';

const DAY = 86_400_000;
const LATER = NOW + 5 * DAY;

/** A running buy of three packages: a fixed price, an auction, and one that was canceled. */
const RUNNING = ((): MediaBuy => {
  const buy = boughtAt(NOW, {
    packages: [packageOf(), packageOf({ pricing_option_id: 'auction', bid_price: 3 }), packageOf({ budget: 300 })],
  });
  const changed = apply(buy, { packages: [{ package_id: idOf(buy, 2), canceled: true }] }, NOW);
  return { ...settleBuy(changed.buy, new Map(), contextAt(NOW).now).buy, revision: 7 };
})();
const [FIXED, AUCTION, CANCELED] = [idOf(RUNNING, 0), idOf(RUNNING, 1), idOf(RUNNING, 2)];
const PENDING = boughtAt(NOW, { start_time: fromNow(10 * DAY) });

function idOf(buy: MediaBuy, index: number): string {
  return buy.packages[index]?.package_id ?? '';
}

function apply(buy: MediaBuy, change: Partial<Change>, ms = LATER): Changed {
  return changeMediaBuy(buy, { callbacks: {}, ...change }, contextAt(ms));
}

const change = (package_id: string, terms: Partial<PackageChange>) => ({ packages: [{ package_id, ...terms }] });

describe('what a change is refused for', () => {
  it.each<readonly [why: string, change: Partial<Change>, refusal: Refusal]>([
    ['an older revision', { revision: 6, paused: true }, ['CONFLICT', 'revision']],
    ['a revision to come', { revision: 8, paused: true }, ['CONFLICT', 'revision']],
    ['an older revision, on a cancel', { revision: 6, canceled: true }, ['CONFLICT', 'revision']],
    ['an unknown package', change('pkg_none', { budget: 500 }), ['PACKAGE_NOT_FOUND', 'packages[0].package_id']],
    ['a canceled package', change(CANCELED, { budget: 500 }), ['INVALID_STATE', 'packages[0].package_id']],
    ['a package canceled again', change(CANCELED, { canceled: true }), ['NOT_CANCELLABLE', 'packages[0].package_id']],
    [
      'a package that stands twice',
      {
        packages: [
          { package_id: FIXED, budget: 500 },
          { package_id: FIXED, paused: true },
        ],
      },
      ['INVALID_REQUEST', 'packages[1].package_id'],
    ],
    ...['product_id', 'format_ids', 'pricing_option_id', 'format_option_refs', 'format_kind', 'params'].map(
      (name) => [`${name}, fixed`, change(FIXED, { [name]: 'x' }), ['INVALID_REQUEST', `packages[0].${name}`]] as const,
    ),
    ['a budget below the minimum', change(FIXED, { budget: 99 }), ['BUDGET_TOO_LOW', 'packages[0].budget']],
    ['an absurd budget', change(FIXED, { budget: MAX_BUDGET * 2 }), ['BUDGET_EXCEEDED', 'packages[0].budget']],
    ['a bid below the floor', change(AUCTION, { bid_price: 1 }), ['VALIDATION_ERROR', 'packages[0].bid_price']],
    [
      'more packages than a media buy can have',
      { new_packages: Array.from({ length: MAX_PACKAGES - 2 }, () => packageOf()) },
      ['INVALID_REQUEST', 'new_packages'],
    ],
    [
      'targeting not offered',
      change(FIXED, { targeting_overlay: { geo_metros: [] } }),
      ['UNSUPPORTED_FEATURE', 'packages[0].targeting_overlay.geo_metros'],
    ],
    [
      'a package start before the buy',
      change(FIXED, { start_time: fromNow(-DAY) }),
      ['INVALID_REQUEST', 'packages[0].start_time'],
    ],
    [
      'a package end after the buy',
      change(FIXED, { end_time: fromNow(31 * DAY) }),
      ['INVALID_REQUEST', 'packages[0].end_time'],
    ],
    [
      'a naive package end',
      change(FIXED, { end_time: '2030-06-20T00:00:00' }),
      ['INVALID_REQUEST', 'packages[0].end_time'],
    ],
    ['a start that has passed', { start_time: fromNow(6 * DAY) }, ['INVALID_STATE', 'start_time']],
    ['an end in the past', { end_time: fromNow(DAY) }, ['INVALID_REQUEST', 'end_time']],
    ['an end before the start', { end_time: fromNow(-DAY) }, ['INVALID_REQUEST', 'end_time']],
    ['a naive end', { end_time: '2030-06-20T00:00:00' }, ['INVALID_REQUEST', 'end_time']],
    [
      'a new package of nothing known',
      { new_packages: [packageOf({ product_id: 'nope' })] },
      ['PRODUCT_NOT_FOUND', 'new_packages[0].product_id'],
    ],
    [
      'a new package in another currency',
      { new_packages: [packageOf({ pricing_option_id: 'euro' })] },
      ['INVALID_REQUEST', 'new_packages[0].pricing_option_id'],
    ],
    [
      'the second new package',
      { new_packages: [packageOf(), packageOf({ budget: 1 })] },
      ['BUDGET_TOO_LOW', 'new_packages[1].budget'],
    ],
  ])('%s', (_why, wanted, refusal) => {
    const before = structuredClone(RUNNING);
    expect(refusalOf(() => apply(RUNNING, wanted))).toEqual(refusal);
    expect(RUNNING).toEqual(before);
  });

  it.each<readonly [MediaBuyStatus]>([['completed'], ['rejected'], ['canceled']])(
    'anything at all, once %s',
    (status) => {
      const ended = { ...RUNNING, status };
      expect(refusalOf(() => apply(ended, { paused: true }))).toEqual(['INVALID_STATE', 'media_buy_id']);
      expect(refusalOf(() => apply(ended, {}))).toEqual(['INVALID_STATE', 'media_buy_id']);
      expect(refusalOf(() => apply(ended, { canceled: true, paused: true }))).toEqual([
        'NOT_CANCELLABLE',
        'media_buy_id',
      ]);
    },
  );

  it('says in a conflict which revision there is', () => {
    expect(() => apply(RUNNING, { revision: 3 })).toThrow(
      expect.objectContaining({
        extras: expect.objectContaining({ details: { expected_version: 3, current_version: 7 } }),
      }),
    );
  });
});

describe('what a change does', () => {
  it.each<readonly [what: string, change: Partial<Change>, deeds: readonly string[], affected: readonly string[]]>([
    ['nothing', {}, [], []],
    ['nothing, on the right revision', { revision: 7 }, [], []],
    ['a pause', { paused: true }, ['paused'], []],
    [
      'empty lists where there was nothing',
      change(FIXED, { optimization_goals: [], performance_standards: [] }),
      [],
      [],
    ],
    ['a budget', change(FIXED, { budget: 2000 }), [`updated_budget ${FIXED}`], [FIXED]],
    ['the budget that it has, reckoned', change(FIXED, { budget: 1000.0000000000001 }), [], []],
    ['the same budget', change(FIXED, { budget: 1000 }), [], []],
    ['a bid', change(AUCTION, { bid_price: 4 }), [`updated_packages ${AUCTION}`], [AUCTION]],
    ['a pacing', change(FIXED, { pacing: 'asap' }), [`updated_packages ${FIXED}`], [FIXED]],
    ['a package paused', change(FIXED, { paused: true }), [`package_paused ${FIXED}`], [FIXED]],
    ['a package not paused anyway', change(FIXED, { paused: false }), [], []],
    ['a package canceled', change(FIXED, { canceled: true, budget: 1 }), [`package_canceled ${FIXED}`], [FIXED]],
    ['another end', { end_time: fromNow(20 * DAY) }, ['updated_dates'], [FIXED, AUCTION, CANCELED]],
    [
      'the same dates, in another zone',
      { start_time: '2030-06-01T14:00:00+02:00', end_time: '2030-07-01T14:00:00+02:00' },
      [],
      [],
    ],
    [
      'several things at once',
      { paused: true, end_time: fromNow(20 * DAY), ...change(AUCTION, { budget: 60 }) },
      ['updated_dates', 'paused', `updated_budget ${AUCTION}`],
      [FIXED, AUCTION, CANCELED],
    ],
  ])('%s', (_what, wanted, deeds, affected) => {
    const changed = apply(RUNNING, wanted);
    expect(changed.actions.map(({ action, package_id }) => [action, package_id].filter(Boolean).join(' '))).toEqual(
      deeds,
    );
    expect(changed.affected).toEqual(affected);
    if (deeds.length === 0) expect(changed.buy).toEqual(RUNNING);
  });

  it('a cancel wins over everything beside it', () => {
    const { buy, actions: deeds } = apply(RUNNING, {
      canceled: true,
      cancellation_reason: 'changed our minds',
      paused: true,
      ...change('pkg_none', { budget: -1 }),
    });
    expect(deeds).toEqual([{ action: 'canceled' }]);
    expect(buy).toMatchObject({
      status: 'canceled',
      held: false,
      packages: RUNNING.packages,
      cancellation: { canceled_at: fromNow(5 * DAY), canceled_by: 'buyer', reason: 'changed our minds' },
    });
  });

  it('a canceled package keeps its terms and says who canceled it', () => {
    const [line] = apply(RUNNING, change(FIXED, { canceled: true, cancellation_reason: 'r', budget: 5 })).buy.packages;
    expect(line).toMatchObject({
      canceled: true,
      budget: 1000,
      cancellation: { canceled_at: fromNow(5 * DAY), canceled_by: 'buyer', reason: 'r' },
    });
  });

  it('a reason goes with a cancellation alone', () => {
    const wrong = expect.objectContaining({ code: 'INVALID_REQUEST' });
    expect(() => apply(RUNNING, { cancellation_reason: 'r' })).toThrow(wrong);
    expect(() => apply(RUNNING, change(FIXED, { cancellation_reason: 'r' }))).toThrow(wrong);
  });

  it('a pause of a pending buy is kept for its start, and can be taken back', () => {
    const held = apply(PENDING, { paused: true });
    expect(held.buy).toMatchObject({ held: true, status: 'pending_start' });
    expect(apply(held.buy, { paused: false }).buy.held).toBe(false);
  });

  it('a new package is opened in the buy’s currency and flight, with an id of its own', () => {
    const { buy, actions: deeds, affected } = apply(RUNNING, { new_packages: [packageOf({ budget: 123 })] });
    const added = buy.packages.at(-1);
    expect(added).toMatchObject({ budget: 123, start_time: RUNNING.start_time, end_time: RUNNING.end_time });
    expect(RUNNING.packages.map((line) => line.package_id)).not.toContain(added?.package_id);
    expect(deeds).toEqual([{ action: 'package_added', package_id: added?.package_id }]);
    expect(affected).toEqual([added?.package_id]);
  });

  it('terms are judged by the price the package was sold at, not by the catalog of today', () => {
    const dearer = contextAt(LATER, { products: new Map() });
    expect(
      changeMediaBuy(RUNNING, { callbacks: {}, ...change(FIXED, { budget: 100 }) }, dearer).buy.packages[0]?.budget,
    ).toBe(100);
  });

  it('callbacks are replaced one by one', () => {
    const buy = { ...RUNNING, callbacks: { push_notification_config: { url: 'a' }, other: 1 } };
    expect(apply(buy, { callbacks: { push_notification_config: { url: 'b' } } }).buy.callbacks).toEqual({
      push_notification_config: { url: 'b' },
      other: 1,
    });
  });

  it('does not look at formats again: they are fixed', () => {
    expect(refusalOf(() => apply(RUNNING, change(FIXED, { format_ids: [{ agent_url: OWNER, id: 'x' }] })))[0]).toBe(
      'INVALID_REQUEST',
    );
  });
});

describe('packages follow the flight of their buy', () => {
  /** A buy of ten days from day 10, with a package of `from` to `to` (days). */
  const withPackage = (from: number, to: number) =>
    boughtAt(NOW, {
      start_time: fromNow(10 * DAY),
      end_time: fromNow(20 * DAY),
      packages: [packageOf({ start_time: fromNow(from * DAY), end_time: fromNow(to * DAY) })],
    });

  it.each<
    readonly [
      what: string,
      own: readonly [number, number],
      move: readonly [number, number],
      then: readonly [number, number],
    ]
  >([
    ['without dates of its own, it moves', [10, 20], [12, 25], [12, 25]],
    ['with an end of its own, it stays', [10, 15], [8, 25], [8, 15]],
    ['with dates of its own, it stays', [12, 15], [8, 25], [12, 15]],
    ['it is cut at the start', [11, 15], [13, 25], [13, 15]],
    ['it is cut at the end', [11, 18], [10, 15], [11, 15]],
  ])('%s', (_what, [from, to], [start, end], [first, last]) => {
    const { buy } = apply(withPackage(from, to), { start_time: fromNow(start * DAY), end_time: fromNow(end * DAY) });
    expect(buy.packages[0]).toMatchObject({ start_time: fromNow(first * DAY), end_time: fromNow(last * DAY) });
  });

  it.each<readonly [what: string, own: readonly [number, number], move: readonly [number, number]]>([
    ['whose buy now ends before it', [15, 20], [10, 13]],
    ['whose buy now starts after it', [10, 13], [15, 20]],
    ['with dates of its own that lie outside', [16, 18], [10, 13]],
  ])('a package %s is never left with its end before its start', (_what, [from, to], [start, end]) => {
    const before = withPackage(from, to);
    let line: MediaBuy['packages'][number] | undefined;
    try {
      [line] = apply(before, { start_time: fromNow(start * DAY), end_time: fromNow(end * DAY) }).buy.packages;
    } catch {
      return; // To refuse such a change is as good.
    }
    expect(Date.parse(line?.start_time ?? '')).toBeLessThan(Date.parse(line?.end_time ?? ''));
  });

  it('instants are compared as instants, whatever their milliseconds look like', () => {
    const buy = boughtAt(NOW, {
      start_time: fromNow(10 * DAY),
      end_time: fromNow(20 * DAY),
      packages: [packageOf({ start_time: fromNow(11 * DAY + 500) })],
    });
    const { buy: moved } = apply(buy, { start_time: fromNow(11 * DAY) });
    expect(moved.packages[0]?.start_time).toBe(fromNow(11 * DAY + 500));
  });
});

describe('what has run stays as it was', () => {
  const running = boughtAt(NOW);
  const id = idOf(running, 0);
  const spent = (buy: MediaBuy, ms: number) =>
    houseDelivery(buy, { fromMs: 0, toMs: ms }, false)[0]?.metrics.spend ?? 0;

  it.each<readonly [string, Partial<Change>]>([
    ['the package’s start', change(id, { start_time: fromNow(6 * DAY) })],
    ['the package’s end, into the past', change(id, { end_time: fromNow(2 * DAY) })],
    ['the end', { end_time: fromNow(40 * DAY) }],
    ['the budget', change(id, { budget: 100 })],
    ['everything, by a cancel', { canceled: true }],
  ])('a change of %s takes back no delivery', (_what, wanted) => {
    const before = spent(running, LATER);
    expect(before).toBeGreaterThan(100);
    let changed: MediaBuy;
    try {
      changed = settleBuy(apply(running, wanted).buy, new Map(), contextAt(LATER).now).buy;
    } catch {
      return; // To refuse such a change is as good.
    }
    expect(spent(changed, LATER)).toBe(before);
    expect(spent(changed, LATER + DAY)).toBeGreaterThanOrEqual(before);
  });

  it('an order is not changed by what is done to it', () => {
    expect(orderOf().packages).toEqual([packageOf()]);
  });
});
