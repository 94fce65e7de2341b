import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { houseDelivery, houseSpendAt } from '../../../../src/seller/adserver/simulator/simulator.js';
import {
  latestMetrics,
  NOTHING_SIMULATED,
  reportedInAll,
  reportedShares,
  withReported,
  withSpent,
} from '../../../../src/seller/domain/delivery/simulated.js';
import { boughtAt, contextAt, fromNow, NOW } from '../order-context.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EVER = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

const amounts = fc.record({
  impressions: fc.nat(1e6),
  clicks: fc.nat(1000),
  spend: fc.nat(1e6).map((cents) => cents / 100),
});
const packages = fc
  .array(fc.nat(1e6), { minLength: 1, maxLength: 6 })
  .map((budgets) => budgets.map((budget, at) => ({ package_id: `p${at}`, budget: budget / 100 })));

describe('what was reported', () => {
  test('is shared out whole, in whole counts and cents, whatever the budgets', () => {
    fc.assert(
      fc.property(amounts, packages, (reported, lines) => {
        const shares = [...reportedShares(withReported(NOTHING_SIMULATED, reported, {}, NOW), lines, EVER).values()];
        const sum = (of: 'impressions' | 'clicks' | 'spend') =>
          shares.reduce((total, share) => total + (share[of] ?? 0), 0);
        expect(sum('impressions')).toBe(reported.impressions);
        expect(sum('clicks')).toBe(reported.clicks);
        expect(Math.round(sum('spend') * 100)).toBe(Math.round(reported.spend * 100));
        for (const share of shares) expect(Number.isInteger(share.impressions)).toBe(true);
      }),
    );
  });

  test('adds up within the hour and lies in the time in which it came', () => {
    const first = withReported(NOTHING_SIMULATED, { impressions: 5 }, { reach: 3 }, NOW);
    const second = withReported(first, { impressions: 6, clicks: 1 }, { frequency: 2 }, NOW + 1000);
    const third = withReported(second, { impressions: 7 }, {}, NOW + 2 * HOUR + 10);
    expect(third.reported).toHaveLength(3);
    expect(withReported(third, { impressions: 1 }, {}, NOW + 2 * HOUR + 15).reported).toHaveLength(3);
    expect(reportedInAll(third)).toEqual({ impressions: 18, clicks: 1 });
    expect(latestMetrics(third)).toEqual({ reach: 3, frequency: 2, reach_unit: 'individuals' });
    const line = [{ package_id: 'p', budget: 1 }];
    expect(reportedShares(third, line, { fromMs: 0, toMs: NOW }).get('p')).toEqual({ impressions: 5 });
    expect(reportedShares(third, line, { fromMs: NOW + HOUR, toMs: NOW + 3 * HOUR }).get('p')).toEqual({
      impressions: 7,
    });
  });
});

describe('what was spent', () => {
  const bought = boughtAt(NOW, { start_time: 'asap', end_time: fromNow(10 * DAY) }, contextAt(NOW));
  const [line] = bought.packages;
  if (line === undefined) throw new Error('a buy has a package');
  const spendOf = (buy: typeof bought, fromMs: number, toMs: number) =>
    houseDelivery(buy, { fromMs, toMs }, false).reduce((sum, one) => sum + one.metrics.spend, 0);

  test('would be something without it', () => {
    expect(spendOf(bought, 0, NOW + 5 * DAY)).toBeGreaterThan(0);
  });

  test('is never more than the budget, adjacent windows add up, and the past stays as it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 * 24 - 1 }), fc.integer({ min: 0, max: 100 }), (hours, percent) => {
        const at = NOW + hours * HOUR;
        const wanted = (line.budget * percent) / 100 - houseSpendAt(bought, line.package_id, at);
        const simulated = withSpent(NOTHING_SIMULATED, line.package_id, Math.round(wanted * 100) / 100, at);
        const buy = { ...bought, simulated };
        const end = NOW + 20 * DAY;
        expect(spendOf(buy, 0, end)).toBeLessThanOrEqual(line.budget + 0.01);
        expect(spendOf(buy, 0, at) + spendOf(buy, at, end)).toBeCloseTo(spendOf(buy, 0, end), 2);
        expect(spendOf(buy, 0, at - HOUR)).toBeCloseTo(spendOf(bought, 0, at - HOUR), 2);
        if (wanted > 0) expect(spendOf(buy, 0, at)).toBeCloseTo((line.budget * percent) / 100, 1);
      }),
      { numRuns: 50 },
    );
  });

  test('leaves no trace where there was nothing to spend', () => {
    expect(withSpent(NOTHING_SIMULATED, 'p', 0, NOW)).toBe(NOTHING_SIMULATED);
    expect(withSpent(NOTHING_SIMULATED, 'p', -5, NOW)).toBe(NOTHING_SIMULATED);
  });
});
