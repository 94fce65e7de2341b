import { describe, expect, it } from 'vitest';
import { changeOrder, sampleOrder } from '../../../../src/seller/adserver/contract/orders.js';
import {
  describeDrift,
  findDeleted,
  findDrift,
  type ReportedPackage,
} from '../../../../src/seller/domain/booking/drift.js';
import type { LiveOrder } from '../../../../src/seller/domain/booking/live-order.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const ORDER = sampleOrder({ nowMs: NOW, currency: 'USD', adapter: {} }, 'mb_1');

/** The packages of an order as an ad server has them that has everything as it was booked; the first one otherwise. */
function foundOf(order: LiveOrder, first: Partial<ReportedPackage> = {}): ReportedPackage[] {
  return order.packages.map(({ creatives, end_time, goal, package_id, price, start_time }, index) => ({
    ...{ package_id, state: 'running', start_time, end_time, goal: goal?.count, price: price.amount },
    creative_ids: creatives.map(({ creative_id }) => creative_id),
    ...(index === 0 ? first : {}),
  }));
}

const drift = (order: LiveOrder, first: Partial<ReportedPackage>): string =>
  describeDrift(findDrift(order, foundOf(order, first), NOW));

describe('an order that its ad server has', () => {
  it.each<[string, Partial<ReportedPackage>, string]>([
    ['as it was booked', {}, ''],
    ['paused by hand', { state: 'paused' }, 'pkg_1: state paused, booked running'],
    ['in the archive', { state: 'canceled', goal: 1 }, 'pkg_1: state canceled, booked running'],
    ['deleted by hand', { state: 'missing', goal: undefined }, 'pkg_1: state missing, booked running'],
    ['waiting for somebody there', { state: 'waiting' }, 'pkg_1: state waiting, booked running'],
    ['delivered', { state: 'completed' }, ''],
    ['in a state that nobody knows', { state: 'unknown' }, ''],
    ['with another goal', { goal: 7 }, 'pkg_1: goal 7, booked 100000'],
    ['with another price', { price: 4 }, 'pkg_1: price 4, booked 5'],
    ['run elsewhere, or for others', { is_targeted_as_ordered: false }, 'pkg_1: targeting another, booked as ordered'],
    ['run where and for whom it was ordered', { is_targeted_as_ordered: true }, ''],
    ['with a price to the cent', { price: 5.004 }, ''],
    ['without what it does not tell', { goal: undefined, price: undefined, end_time: undefined }, ''],
    [
      'with another end',
      { end_time: '2027-01-01T00:00:00Z' },
      `pkg_1: end 2027-01-01T00:00:00Z, booked ${ORDER.packages[0]?.end_time}`,
    ],
    ['without its creative', { creative_ids: [] }, 'pkg_1: creatives none of them, booked banner_pkg_1'],
  ])('%s', (_name, first, wanted) => {
    expect(drift(ORDER, first)).toBe(wanted);
  });

  it('and does not deliver, whatever it is called there, where it is not to', () => {
    const paused = changeOrder(ORDER, {}, { state: 'paused' });
    expect(
      ['paused', 'waiting', 'canceled', 'missing'].map((state) => drift(paused, { state } as ReportedPackage)),
    ).toEqual(['', '', '', '']);
    expect(drift(paused, { state: 'running' })).toBe('pkg_1: state running, booked paused');
    const canceled = changeOrder(ORDER, {}, { state: 'canceled' });
    expect(drift(canceled, { state: 'canceled', goal: 1 })).toBe('');
    expect(drift(canceled, { state: 'running' })).toBe('pkg_1: state running, booked canceled');
  });

  it('or has nothing of at all', () => {
    expect(findDrift(ORDER, [], NOW).map(({ found, package_id }) => [package_id, found])).toEqual([
      ['pkg_1', 'missing'],
      ['pkg_2', 'missing'],
    ]);
  });

  it('without packages that were deleted there, unless they have ended here', () => {
    expect(findDeleted(ORDER, foundOf(ORDER, { state: 'missing' }))).toEqual(['pkg_1']);
    const canceled = changeOrder(ORDER, {}, { state: 'canceled' });
    expect(findDeleted(canceled, foundOf(canceled, { state: 'missing' }))).toEqual([]);
  });
});
