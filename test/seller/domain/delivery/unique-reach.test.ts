import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateDelivery } from '../../../../src/seller/domain/delivery/delivery.js';
import type { DeliveryLine } from '../../../../src/seller/domain/delivery/line.js';
import { uniqueReach } from '../../../../src/seller/domain/delivery/unique-reach.js';
import { judgeTargeting } from '../../../../src/seller/domain/targeting/check.js';

const DAY = 86_400_000;
const START = Date.UTC(2027, 2, 1);
const END = START + 28 * DAY;
const USERS = 300_000;
const SUPPLY = { countries: ['US'], daily_impressions: 400_000, unique_users: USERS, channels: ['display'] as const };

/** A buy of so many impressions in four weeks, of a product that reaches 300,000 people. */
function line(
  impressions: number,
  overlay: Record<string, unknown> = {},
  extra: Partial<DeliveryLine> = {},
): DeliveryLine {
  return {
    package_id: 'pkg_1',
    start_ms: START,
    end_ms: END,
    budget: impressions / 1000,
    pacing: 'even',
    delivery_type: 'guaranteed',
    pricing_option: { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 1 },
    channels: SUPPLY.channels,
    inventory: { ...SUPPLY, keywords: [] },
    reach: judgeTargeting(overlay, SUPPLY, { flightDays: 28, field: 'p' }),
    ...extra,
  };
}

const capped = (most: number, days: number) => ({
  frequency_cap: { max_impressions: most, per: 'individuals', window: { interval: days, unit: 'days' } },
});
const reachAt = (of: DeliveryLine, at: number) => uniqueReach(of, 0, at).reach ?? 0;

describe('reach', () => {
  it('saturates: the first impressions find new people, later ones the same again', () => {
    expect(reachAt(line(30_000), END)).toBeGreaterThan(28_000);
    expect(reachAt(line(300_000), END)).toBeCloseTo(USERS * (1 - Math.exp(-1)), -1);
    expect(reachAt(line(3_000_000), END)).toBeGreaterThan(USERS * 0.99);
    expect(uniqueReach(line(300_000), 0, START)).toEqual({});
  });

  it('is of those who are targeted', () => {
    const mobile = line(3_000_000, { device_type: ['tablet'] });
    expect(reachAt(mobile, END)).toBeLessThanOrEqual(Math.ceil(USERS * 0.06));
  });

  it.each([1e12, 1e15, Number.MAX_SAFE_INTEGER])('is that without a cap where the cap is %d a day', (most) => {
    const { reach, frequency } = uniqueReach(line(300_000, capped(most, 1)), 0, END);
    expect(reach).toBeCloseTo(reachAt(line(300_000), END), -1);
    expect(frequency).toBeGreaterThan(1);
  });

  it('says what it counts, and over what time', () => {
    expect(uniqueReach(line(300_000), 0, START + 7 * DAY)).toMatchObject({
      reach_unit: 'individuals',
      reach_window: { kind: 'cumulative' },
    });
    const day = uniqueReach(line(300_000, {}, { channels: ['ctv'] }), START + 7 * DAY, START + 8 * DAY);
    expect(day).toMatchObject({
      reach_unit: 'households',
      reach_window: { kind: 'period', period: { interval: 1, unit: 'days' } },
    });
  });

  it('only grows, is never more than people or impressions, and frequency is impressions by reach within the cap', () => {
    const moments = fc.integer({ min: 1, max: 28 * 24 }).map((hours) => START + hours * 3_600_000);
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 20_000_000 }),
        fc.option(fc.record({ most: fc.integer({ min: 1, max: 5 }), days: fc.integer({ min: 1, max: 28 }) })),
        fc.constantFrom('even' as const, 'asap' as const, 'front_loaded' as const),
        moments,
        moments,
        (impressions, cap, pacing, one, other) => {
          const of = line(impressions, cap === null ? {} : capped(cap.most, cap.days), { pacing });
          const [early, late] = [Math.min(one, other), Math.max(one, other)];
          expect(reachAt(of, early)).toBeLessThanOrEqual(reachAt(of, late));
          const { reach = 0, frequency = 0 } = uniqueReach(of, 0, late);
          const delivered = simulateDelivery(of, 0, late).impressions;
          if (delivered === 0) return;
          expect(reach).toBeLessThanOrEqual(Math.min(delivered, USERS));
          expect(frequency).toBeCloseTo(delivered / reach, 3);
          if (cap !== null) {
            const windows = Math.ceil((late - START) / (cap.days * DAY));
            expect(frequency).toBeLessThanOrEqual(cap.most * windows + 0.01);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
